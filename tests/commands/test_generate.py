from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from liftq.__main__ import app
from liftq.domains import domains
from liftq.errors import InputError
from liftq.files import MARK
from liftq.pddl import read_domain, read_problem
from liftq.problems.folder import ProblemFolder


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["generate", *map(str, arguments)])


def refusal(*arguments: object) -> str:
    error = run(*arguments).exception
    assert isinstance(error, InputError), error
    return str(error)


def files(folder: Path) -> dict[str, str]:
    """All but the mark."""
    return {file.name: file.read_text() for file in folder.iterdir() if file.name != MARK}


def test_problems_of_a_size(tmp_path: Path) -> None:
    out = tmp_path / "new" / "ferry"
    assert run("ferry", "--size", 10, "--count", 12, "--seed", 1, "--out", out).stdout.startswith("12 problems in ")
    assert sorted(files(out)) == ["domain.pddl", *(f"p{number:02}.pddl" for number in range(1, 13))]
    domain = read_domain(out / "domain.pddl")
    for number in (1, 12):
        file = out / f"p{number:02}.pddl"
        problem = read_problem(file, domain)
        assert problem.size == 10 and problem.name == f"ferry-{number:02}"
        assert file.read_text().startswith(";; cars=")
        assert "size=10, purpose=training, seed=1, draw=" in file.read_text()
    assert ProblemFolder(out).sizes(1, 99) == [10]


def test_more_than_99_files_have_longer_numbers(tmp_path: Path) -> None:
    run("ferry", "--size", 20, "--count", 100, "--out", tmp_path)
    assert {"p001.pddl", "p100.pddl"} <= set(files(tmp_path))


def test_the_same_command_leaves_the_same_files(tmp_path: Path) -> None:
    for _ in range(2):
        assert run("rovers", "--size", 14, "--count", 3, "--out", tmp_path / "a").exit_code == 0
    run("rovers", "--size", 14, "--count", 3, "--out", tmp_path / "b")
    assert files(tmp_path / "a") == files(tmp_path / "b")
    run("rovers", "--size", 14, "--count", 3, "--purpose", "evaluation", "--out", tmp_path / "c")
    run("rovers", "--size", 14, "--count", 3, "--seed", 1, "--out", tmp_path / "d")
    assert len({files(tmp_path / each)["p01.pddl"] for each in "acd"}) == 3


def test_parameters(tmp_path: Path) -> None:
    run("ferry", "--set", "cars=4", "--set", "locations=3", "--count", 2, "--out", tmp_path)
    assert (tmp_path / "p02.pddl").read_text().startswith(";; cars=4, locations=3, size=7, ")


def test_fewer_problems_than_requested(tmp_path: Path) -> None:
    result = run("gripper", "--size", 2, "--count", 9, "--out", tmp_path)
    assert result.exit_code == 0 and "4 problems in" in result.stdout
    assert "no p05.pddl, p06.pddl, p07.pddl, p08.pddl, p09.pddl: there are no more different problems" in result.stderr
    assert len(files(tmp_path)) == 5


def test_a_set_of_the_competition(tmp_path: Path) -> None:
    assert run("floortile", "--like", "ipc23-easy", "--out", tmp_path).exit_code == 0
    assert len(files(tmp_path)) == 31
    assert (tmp_path / "p30.pddl").read_text().startswith(";; rows=4, columns=6, robots=3, size=35, ")


def test_a_training_set_has_gaps_where_no_other_problem_exists(tmp_path: Path) -> None:
    result = run("spanner", "--like", "ipc23-training", "--out", tmp_path)
    written = {int(name[1:3]) for name in files(tmp_path) if name.startswith("p")}
    assert min(written) == 15 and max(written) == 99 and 80 <= len(written) < 85
    assert "p22.pddl, p23.pddl: there are no more" in result.stderr


def test_problems_from_a_folder(tmp_path: Path) -> None:
    run("ferry", "--size", 6, "--count", 4, "--out", tmp_path / "a")
    assert run(tmp_path / "a", "--size", 6, "--count", 2, "--out", tmp_path / "b").exit_code == 0
    assert len(files(tmp_path / "b")) == 3
    assert "a folder" in refusal(tmp_path / "a", "--set", "cars=1", "--out", tmp_path / "c")


def test_files_of_others_are_safe(tmp_path: Path) -> None:
    (tmp_path / "p01.pddl").write_text("precious")
    (tmp_path / "notes.txt").write_text("precious")
    for force in ((), ("--force",)):
        says = refusal("ferry", "--size", 6, "--out", tmp_path, *force)
        assert "has files that `liftq generate` did not write: notes.txt, p01.pddl" in says
    assert files(tmp_path) == {"notes.txt": "precious", "p01.pddl": "precious"}


def test_a_set_is_not_mixed_with_another(tmp_path: Path) -> None:
    assert run("ferry", "--size", 6, "--count", 1, "--out", tmp_path).exit_code == 0
    (tmp_path / "notes.txt").write_text("precious")
    assert "p01.pddl is there already" in refusal("ferry", "--size", 7, "--out", tmp_path)
    (tmp_path / "p01.pddl").rename(tmp_path / "q01.pddl")
    assert "has q01.pddl, which is not of this set" in refusal("ferry", "--size", 7, "--out", tmp_path)
    assert run("ferry", "--size", 7, "--count", 1, "--out", tmp_path, "--force").exit_code == 0
    assert sorted(files(tmp_path)) == ["domain.pddl", "notes.txt", "p01.pddl", "q01.pddl"]
    assert (tmp_path / "notes.txt").read_text() == "precious"


def test_a_failure_leaves_no_unfinished_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert "No space left on device" in str(run("ferry", "--size", 6, "--out", tmp_path).exception)
    assert files(tmp_path) == {}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "one of --size, --set and --like"),
        (("--size", "6", "--like", "ipc23-easy"), "one of --size, --set and --like"),
        (("--like", "ipc23-easy", "--count", "3"), "--count does not go with --like"),
        (("--size", "2"), "ferry has no problems of size 2"),
        (("--set", "cars"), "not of the form NAME=NUMBER"),
        (("--set", "cars=-1"), "not of the form NAME=NUMBER"),
        (("--set", "cars=1", "--set", "cars=2"), "cars is set already"),
        (("--set", "cars=1"), "ferry also needs locations"),
        (("--set", f"cars=1{'0' * 5000}"), "not of the form NAME=NUMBER"),
        (("--set", "cars=100000000", "--set", "locations=2"), "cars is too many"),
        (("--set", "cars=99999", "--set", "locations=2"), "100001 objects are too many"),
    ],
)
def test_bad_requests(arguments: tuple[str, ...], message: str, tmp_path: Path) -> None:
    assert message in refusal("ferry", *arguments, "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "options", [("--size", f"1{'0' * 20}"), ("--size", 0), ("--size", 6, "--count", 10**9), ("--size", 6, "--count", 0)]
)
def test_numbers_out_of_range(tmp_path: Path, options: tuple[object, ...]) -> None:
    assert run("ferry", *options, "--out", tmp_path / "out").exit_code == 2
    assert not (tmp_path / "out").exists()


def test_the_folder_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    assert "Not a directory" in refusal("ferry", "--size", 6, "--out", tmp_path / "out")


def test_the_list_of_domains() -> None:
    shown = CliRunner().invoke(app, ["domains"]).stdout
    assert all(name in shown for name in domains())
    assert "1 <= robots <= columns" in shown and "4, 9, 16 ..." in shown


def test_memory_is_limited(tmp_path: Path) -> None:
    """A miconic problem has a fact for each pair of floors."""
    error = run("miconic", "--size", 3000, "--count", 1, "--memory-limit", "1M", "--out", tmp_path).exception
    assert isinstance(error, MemoryError)
