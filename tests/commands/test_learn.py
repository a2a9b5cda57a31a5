"""`liftq learn` as a user calls it: what it shows, and what it refuses."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from rich.progress import Progress
from typer.testing import CliRunner

from liftq.__main__ import app
from liftq.commands.learn import Shown, clock, lacking_parts, sparkline, watch
from liftq.engine.solver import Limits
from liftq.errors import PDDLWarning
from liftq.learning.budget import Stage
from liftq.learning.folder import Settings

pytest.importorskip("torch")


def call(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["learn", *arguments])
    return result.exit_code, f"{result.output}{result.exception or ''}"


def test_learning_shows_its_stages_and_a_verdict(tmp_path: Path) -> None:
    for size in (3, 4, 5, 6):
        drawn = ["generate", "gripper", "--size", str(size), "--count", "1", "--out", str(tmp_path / str(size))]
        assert CliRunner().invoke(app, drawn).exit_code == 0
    folder = tmp_path / "problems"
    folder.mkdir()
    for path in sorted(tmp_path.glob("?/*.pddl")):
        path.rename(folder / (path.name if path.name == "domain.pddl" else f"p{path.parent.name}.pddl"))
    out = tmp_path / "out"
    code, output = call(str(folder), "--out", str(out), "--minutes", "0.1", "--test-seconds", "20", "--device", "cpu")
    assert code == 0, output
    for words in (
        "0:00 extending",
        "training",
        "learned; 1 held-out problem for the test",
        "Held-out problems solved:",
    ):
        assert words in output
    assert f"policy: {out / 'policy.safetensors'}" in output.replace("\n", "")
    assert (out / "policy.safetensors").exists() and (out / "report" / "report.html").exists()


def test_warnings_about_a_file_are_shown_once() -> None:
    def events() -> Generator[Stage, None, None]:
        for where in ("source", "its copy", "the corpus"):
            warnings.warn(f"{where}: a type is declared twice", PDDLWarning, stacklevel=2)
            yield Stage("extend", 1, 60.0)

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        watch(events(), 1.0)
    assert [str(each.message) for each in told] == ["source: a type is declared twice"]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ((), "there is no domain.pddl"),
        (("domain.pddl",), "there are no problems"),
        (("domain.pddl", "p1.pddl"), "has only 1 problem, not counting"),
        (("domain.pddl", "p1.pddl", "p2.pddl", "solved.pddl"), "has only 1 problem, not counting"),
    ],
)
def test_too_little_to_learn_from(tmp_path: Path, files: tuple[str, ...], says: str) -> None:
    domain = "(define (domain d) (:predicates (p) (q)) (:action a :parameters () :effect (p)))"
    for file in files:
        init = "(p)" if file == "solved.pddl" else ""
        problem = f"(define (problem x) (:domain d) (:init {init}) (:goal (p)))"
        (tmp_path / file).write_text(domain if file == "domain.pddl" else problem)
    code, output = call(str(tmp_path), "--out", str(tmp_path / "out"), "--minutes", "0.1")
    assert code != 0 and says in output and "starting" not in output


def test_the_time_and_the_curve_in_few_characters() -> None:
    assert clock(65.9) == "1:05"
    assert sparkline([]) == "" and sparkline([0.0]) == "▁"
    assert sparkline([0.0, 3.5, 7.0]) == "▁▄█" and sparkline([0.0, 3.5, 7.0], most=70.0) == "▁▁▁"
    lengths = {len(sparkline([float(score) for score in range(count)])) for count in range(30, 100)}
    assert max(lengths) == 30 and min(lengths) > 15  # it must fit into a line beside the rest


def test_missing_packages_are_listed_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liftq.commands.learn.find_driver", lambda: None)
    monkeypatch.setattr("liftq.commands.learn.find_spec", lambda name: None if name == "altair" else object())
    assert [each.partition(",")[0] for each in lacking_parts()] == ["Altair", "Fast Downward"]
    monkeypatch.setattr("liftq.commands.learn.find_spec", lambda name: object())
    monkeypatch.setattr("liftq.commands.learn.find_driver", lambda: ["driver"])
    assert lacking_parts() == []


def test_the_test_shows_how_many_solves_are_left() -> None:
    with Progress(disable=True) as progress:
        shown = Shown(progress, 60.0)
        assert shown.left_of_test() == ""
        shown.tests, shown.began = 8, time.monotonic() - 20_000.0
        shown.counts.update(tested=2, solved=1)
        assert shown.left_of_test().startswith("about 1000:")  # as long for each of six as for each of two
        shown.show()
        assert progress.tasks[0].description == "test: 2 of 8 solves, 1 with a plan"


def test_options(asked: Callable[..., tuple[Any, ...]], tmp_path: Path) -> None:
    flags = {"minutes": 3, "seed": 4, "jobs": 2, "device": "cpu", "test-seconds": 7, "out": tmp_path}
    words = [word for name, value in flags.items() for word in (f"--{name}", value)]
    settings, out, device, jobs, limits, *_ = asked("learn", "learn", "gripper", *words)
    assert settings == Settings("gripper", 3.0, 4, own_plans=True)
    assert (out, device, jobs, limits) == (tmp_path, "cpu", 2, Limits(7.0, 8 << 30))
    settings, *_, limits, _ = asked("learn", "learn", "gripper", *words, "--no-own-plans", "--test-seconds", 0)
    assert not settings.own_plans and limits is None
    for wanted in (True, False):
        flag = "--relaxed-plans" if wanted else "--no-relaxed-plans"
        assert asked("learn", "learn", "gripper", *words, flag)[0].relaxed_plans == wanted
    settings, *_ = asked("learn", "learn", "gripper", *words, "--domain", "other.pddl")
    assert settings == Settings("gripper", 3.0, 4, domain="other.pddl")
