"""README.md: every command in it works, in smaller settings, and its figures are those of the results."""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dev.tables import headline
from liftq.__main__ import app

REPOSITORY = Path(__file__).parents[1]
README = (REPOSITORY / "README.md").read_text()
EXAMPLE = REPOSITORY / "liftq" / "zoo" / "examples" / "blocksworld"

# Given after the options in the README, of which the last counts: the same commands, in seconds.
SMALL = {
    "learn": "--minutes 0.1 --test-seconds 10 --device cpu --jobs 1",
    "generate": "--size 5 --count 2",
    "teach": "--sizes 3-5 --per-size 3",
    "train": "--epochs 1 --seeds 1 --layers 2 --width 8 --per-size 1 --final-per-size 0 --far-seconds 0",
    "evaluate scaling": "--sizes 3-4",
}


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands(program: str) -> list[list[str]]:
    lines = (shlex.split(line, comments=True) for block in blocks("sh") for line in block.splitlines())
    return [line[1:] for line in lines if line and line[0] == program]


def call(*arguments: str) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, f"liftq {shlex.join(arguments)}\n{result.output}\n{result.exception!r}"
    return result.output


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What the README takes for granted: a problem of blocksworld, and a folder of problems with a larger one."""
    monkeypatch.chdir(tmp_path)
    call("generate", "blocksworld", "--size", "6", "--count", "1", "--out", "blocks")
    for size in range(3, 7):
        call("generate", "ferry", "--size", str(size), "--count", "3", "--out", f"ferry-{size}")
    Path("my_problems").mkdir()
    for path in tmp_path.glob("ferry-*/*.pddl"):
        name = path.name if path.name == "domain.pddl" else f"{path.parent.name}-{path.name}"
        path.rename(tmp_path / "my_problems" / name)
    next(Path("my_problems").glob("ferry-6-*")).rename("large.pddl")
    for path in Path("blocks").glob("*.pddl"):
        path.rename("domain.pddl" if path.name == "domain.pddl" else "problem.pddl")
    return tmp_path


def test_every_line_is_a_command_that_is_tested() -> None:
    words = {line.split()[0] for block in blocks("sh") for line in block.splitlines() if line.strip()}
    assert words == {"make", "source", "pip", "liftq"}


def test_commands_of_liftq(folder: Path) -> None:
    called = commands("liftq")
    for name in SMALL:
        assert any(" ".join(command).startswith(name) for command in called)
    for command in called:
        if command[0] == "report":
            pytest.importorskip("altair")
        small = next((options for name, options in SMALL.items() if " ".join(command).startswith(name)), "")
        call(*command, *small.split())
    assert (folder / "large.plan").read_text().startswith("(")


def test_python(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.startswith("solved ")


def test_targets_of_make() -> None:
    for command in commands("make"):
        subprocess.run(["make", "--dry-run", *command], cwd=REPOSITORY, check=True, capture_output=True)


def test_the_environment_is_where_make_puts_it() -> None:
    makefile = (REPOSITORY / "Makefile").read_text()
    (folder,) = re.findall(r"^VENV := (.*)$", makefile, re.MULTILINE)
    assert commands("source") == [[f"{folder}/bin/activate"]]


def test_extras_exist() -> None:
    extras = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for install, *what in commands("pip"):
        assert install == "install"
        assert set(re.findall(r"\w+", what[0])) <= set(extras), what


def test_the_headline_is_current() -> None:
    runs = headline.attempts_of("policies"), headline.attempts_of("lama")
    assert headline.renewed(README, headline.table(*runs)) == README
    assert ("† marks" in README) == bool(headline.replaced(runs[0]))


def test_the_largest_problem_learned_from_is_the_same_everywhere() -> None:
    largest = headline.largest_seen("blocksworld")
    seen = f"never seen more than {largest} blocks in training, nor optimal plans for more than 16"
    assert seen in " ".join(README.split())
    page = " ".join((REPOSITORY / "docs" / "own_domain.md").read_text().split())
    assert f"optimal plans for at most 16 blocks, and from plans of an earlier policy for at most {largest}." in page


def test_the_state_of_the_papers_table_is_current() -> None:
    page = (REPOSITORY / "results" / "paper" / "README.md").read_text()
    (counts,) = re.findall(r"(\d+) of 120 cells of the paper's main table reached, (\d+) behind, (\d+) undecided", page)
    words = " ".join(README.split())
    assert "{} of 120 cells of its main table are reached so far, {} behind and {} undecided".format(*counts) in words


def test_the_figure_is_current() -> None:
    pytest.importorskip("altair")
    figures = (
        headline.FIGURE.read_text(),
        headline.figure(headline.attempts_of("policies"), headline.attempts_of("lama")),
    )
    drawn, now = (re.findall(r'aria-label="(x: .*?)"', figure) for figure in figures)
    assert drawn == now and len(now) > 90  # its points; how wide letters are depends on the machine


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (REPOSITORY / target).exists(), target
