"""Whatever lies in a folder or a file that liftq has not written stays as it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from liftq.engine.plan_file import is_written_plan, write_plan
from liftq.engine.solver import Action
from liftq.errors import InputError
from liftq.evaluation.ledger import Ledger
from liftq.files import OwnFolder, refuse_foreign, within
from liftq.learning.folder import LearningFolder, Settings
from liftq.problems import Purpose
from liftq.problems.loading import load_domain
from liftq.problems.problem_set import ProblemSet, of_size
from liftq.reports import write_report
from liftq.reports.page import is_page
from liftq.reports.page.document import Document, Section, Text
from liftq.teaching.journal import Journal
from liftq.training.run_folder import RunFolder
from tests.command_line import Liftq

TRIES = 250
GRIPPER = load_domain("gripper")
NAMES = (
    "settings.json", "lock", "clock.json", "curve.jsonl", "problems/p01.pddl", "problems/gripper/training/p01.pddl",
    "corpus.jsonl.zst", "corpus.jsonl.zst.journal", "policy.safetensors", "results.jsonl", "report/report.html",
    "report.html", "report.md", "figures/a.svg", "recipe.toml", "log.jsonl", "waiting/q-1-2.safetensors",
    "finalists/q-1-2.safetensors", "runs/train-1/recipe.toml", "domain.pddl", "p01.pddl", "notes.txt", ".hidden",
    ".liftq", ".liftq-notes.tmp", "with space", "ü\n", "deep/er/and/deeper", "lib.py",
)  # fmt: skip
CONTENTS = (
    b"precious", b"{}", b'{"source": "a", "minutes": 1}', b"\0\xff", b"; cost = \n", b"(define (problem p))",
    b"<!DOCTYPE html>\n<html>", b"This folder belongs to me.\n", b";; size=3\n", b'{"kind":"mine"}\n', b"line\nline",
)  # fmt: skip


def scatter(folder: Path, dice: Random, count: int) -> None:
    for name in dice.sample(NAMES, count):
        path = folder / name
        with suppress(FileExistsError, NotADirectoryError):  # another name begins like this one
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                path.write_bytes(dice.choice(CONTENTS))
    for path in [each for each in sorted(folder.rglob("*")) if dice.random() < 0.1]:
        link = path.with_name(f"link-{path.name}")
        link.symlink_to(path)


def everything_in(folder: Path) -> dict[str, object]:
    """Also when it was written."""
    found: dict[str, object] = {}
    for path in folder.rglob("*"):
        about = path.lstat()
        content = path.read_bytes() if path.is_file() else None
        found[str(path)] = about.st_ino, about.st_mode, content and (about.st_mtime_ns, content)
    return found


def generate(folder: Path) -> None:
    selection = of_size(GRIPPER, 4, 2, 0, Purpose.TRAINING)
    list(ProblemSet(folder, GRIPPER, selection, 0, Purpose.TRAINING, overwrite=True).write())


def report(folder: Path) -> None:
    write_report(Document("title", (Section("section", (Text("text"),)),)), folder)


FOLDERS: dict[str, Callable[[Path], None]] = {
    "learn": lambda folder: LearningFolder(folder).locked().close(),
    "train": lambda folder: RunFolder(folder).locked().close(),
    "generate": generate,
    "report": report,
}
FILES: dict[str, Callable[[Path], None]] = {
    "teach": lambda path: Journal(path, GRIPPER).__exit__(),
    "evaluate": lambda path: Ledger(path, {}).__exit__(),
    "show": lambda path: refuse_foreign(path, is_page, "a page"),
    "solve": lambda path: refuse_foreign(path, is_written_plan, "a plan"),
}


@pytest.mark.parametrize("command", FOLDERS)
def test_a_folder_with_files_of_others_is_refused_and_left_alone(command: str, tmp_path: Path) -> None:
    for number in range(TRIES):
        folder, dice = tmp_path / str(number), Random(f"{command} {number}")
        folder.mkdir()
        scatter(folder, dice, dice.randint(1, 12))
        before = everything_in(folder)
        with pytest.raises(InputError, match="did not write"):
            FOLDERS[command](folder)
        assert everything_in(folder) == before


@pytest.mark.parametrize("command", FILES)
def test_a_file_of_others_is_refused_and_left_alone(command: str, tmp_path: Path) -> None:
    for number in range(TRIES):
        folder, dice = tmp_path / str(number), Random(f"{command} {number}")
        folder.mkdir()
        scatter(folder, dice, dice.randint(1, 12))
        before = everything_in(folder)
        path = dice.choice([each for each in folder.rglob("*") if each.is_file()])
        with pytest.raises(InputError):
            FILES[command](path)
        if command == "teach":
            path = folder / "new"
            (folder / "new.journal").write_bytes(dice.choice(CONTENTS))
            before = everything_in(folder)
            with pytest.raises(InputError):
                FILES[command](path)
        assert everything_in(folder) == before


@pytest.mark.parametrize("command", FOLDERS)
def test_files_of_others_in_a_folder_of_ours_are_left_alone(command: str, tmp_path: Path) -> None:
    for number in range(TRIES // 10):
        folder, dice = tmp_path / str(number), Random(f"{command} {number}")
        FOLDERS[command](folder)
        written = everything_in(folder)
        scatter(folder / "mine", dice, dice.randint(1, 12))
        (folder / "mine.txt").write_text("precious")
        before = everything_in(folder)
        FOLDERS[command](folder)
        if command == "learn":
            LearningFolder(folder).begin(Settings("gripper", 1.0, 0))
        after = everything_in(folder)
        assert {name: after.get(name) for name in before.keys() - written.keys()} == {
            name: before[name] for name in before.keys() - written.keys()
        }


@pytest.mark.parametrize("command", FOLDERS)
def test_new_and_empty_folders_are_taken_and_known_again(command: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name in ("empty", "new/below"):
        FOLDERS[command](tmp_path / name)
        FOLDERS[command](tmp_path / name)
        for other in FOLDERS.keys() - {command}:
            with pytest.raises(InputError, match=f"belongs to `liftq {command}`\n  Give a new"):
                FOLDERS[other](tmp_path / name)


def test_our_own_files_may_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / "p01.plan"
    for plan in ((), (Action("go", ()), Action("move", ("a", "b-1")))):
        for cost, unit_cost in ((len(plan), True), (2.5, False)):
            path.write_text(write_plan(plan, cost, unit_cost=unit_cost))
            refuse_foreign(path, is_written_plan, "a plan")
    path.write_text("")
    refuse_foreign(path, is_written_plan, "a plan")
    refuse_foreign(tmp_path / "none", is_written_plan, "a plan")
    refuse_foreign("/dev/null", is_written_plan, "a plan")


def test_names_stay_within_a_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link").symlink_to(tmp_path)
    (tmp_path / "in" / "loop").symlink_to("loop")
    assert within(tmp_path / "in", "a/b") == tmp_path / "in" / "a" / "b"
    for name in ("..", ".", "", "../x", "a/../../x", "/x", "link/x", "link", str(tmp_path)):
        with pytest.raises(InputError, match="is not the name of a file"):
            within(tmp_path / "in", name)


def test_a_mark_that_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        OwnFolder(tmp_path, "learn").claim()
    assert everything_in(tmp_path) == {}


@pytest.fixture
def problems(liftq: Liftq, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A user's working folder."""
    monkeypatch.chdir(tmp_path)
    for size in (3, 4, 5):
        assert liftq("generate", "gripper", "--size", size, "--count", 1, "--out", f"drawn/{size}").code == 0
        Path("problems").mkdir(exist_ok=True)
        Path(f"problems/p{size}.pddl").write_text("; mine\n" + Path(f"drawn/{size}/p01.pddl").read_text())
        Path(f"drawn/{size}/domain.pddl").rename("problems/domain.pddl")
    Path("notes.txt").write_text("precious")
    yield tmp_path


@pytest.mark.parametrize(
    "command",
    [
        "learn problems --out . --minutes 0.1",
        "learn problems --out problems --minutes 0.1",
        "train gripper --out .",
        "generate ferry --size 4 --out . --force",
        "generate ferry --size 4 --out problems",
        "teach gripper --sizes 3-3 --out notes.txt",
        "teach gripper --sizes 3-3 --out problems/p3.pddl",
        "evaluate scaling gripper --sizes 3-3 --out notes.txt",
        "evaluate suite gripper --problems problems --out problems/p3.pddl",
        "solve problems/domain.pddl problems/p3.pddl --plan problems/p3.pddl",
        "show problems/domain.pddl problems/p3.pddl --out problems/p3.pddl",
        "show problems/domain.pddl problems/p3.pddl --out notes.txt",
    ],
)
def test_a_command_that_would_replace_files_of_the_user_is_refused(command: str, problems: Path, liftq: Liftq) -> None:
    if command.startswith(("learn", "train")):
        pytest.importorskip("torch")
    before = everything_in(problems)
    called = liftq(*command.split())
    assert called.code == 2, called
    assert "\n  Give a" in called.errors or "\n  Choose another" in called.errors
    assert everything_in(problems) == before


def test_a_report_among_files_of_the_user_is_refused(problems: Path, liftq: Liftq) -> None:
    assert liftq("evaluate", "scaling", "gripper", "--sizes", "3-3", "--out", "new/results.jsonl").code == 0
    before = everything_in(problems)
    assert liftq("report", "new/results.jsonl", "--out", ".").code == 2
    assert everything_in(problems) == before
    assert liftq("report", "new/results.jsonl", "--out", "report").code == 0


def test_teaching_and_evaluating_leave_their_neighbours_alone(problems: Path, liftq: Liftq) -> None:
    before = everything_in(problems)
    assert liftq("teach", "problems", "--out", "plans.zst").code == 0
    assert liftq("solve", "problems/domain.pddl", "problems/p3.pddl", "--plan", "p3.plan").code == 0
    assert liftq("solve", "problems/domain.pddl", "problems/p3.pddl", "--plan", "p3.plan").code == 0
    assert liftq("show", "problems/domain.pddl", "problems/p3.pddl", "p3.plan", "--out", "p3.html").code == 0
    assert liftq("show", "problems/domain.pddl", "problems/p3.pddl", "p3.plan", "--out", "p3.html").code == 0
    after = everything_in(problems)
    assert {name: after[name] for name in before if Path(name).is_file()} == {
        name: about for name, about in before.items() if Path(name).is_file()
    }
