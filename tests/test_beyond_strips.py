"""From a folder of problems to a plan by the policy alone, with conditional effects and with axioms."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from liftq.__main__ import app
from tests.engine.beyond_strips import GRID, LIFT

pytest.importorskip("torch")

SMALL = {"width": 16, "layers": 6, "epochs": 40, "seeds": 1, "far-seconds": 0, "final-per-size": 0, "per-size": 1}


def lift_problem(people: int, floors: int, seed: int) -> str:
    """A stop serves all who are there: one conditional effect for leaving, one for entering."""
    rng = Random(f"{people} {floors} {seed}")
    names, stops = [f"p{i}" for i in range(people)], [f"f{i}" for i in range(floors)]
    init = ["(at f0)", *(f"(above {a} {b})" for i, a in enumerate(stops) for b in stops[i + 1 :])]
    for name in names:
        start, end = rng.sample(stops, 2)
        init += [f"(origin {name} {start})", f"(destin {name} {end})"]
    return f"""(define (problem lift-{people}-{floors}-{seed}) (:domain lift)
      (:objects {" ".join(names)} - person {" ".join(stops)} - floor)
      (:init {" ".join(init)}) (:goal (forall (?p - person) (served ?p))))"""


def grid_problem(size: int, seed: int) -> str:
    """Lines are fed through closed devices only: derived predicates, one of them recursive."""
    rng = Random(f"{size} {seed}")
    devices, lines = [f"d{i}" for i in range(size)], [f"l{i}" for i in range(size)]
    init = ["(closed source)"]
    for i, (device, line) in enumerate(zip(devices, lines, strict=True)):
        init += [f"(wire {rng.choice(['source', *devices[:i]])} {device})", f"(feeds {device} {line})"]
        init += [f"(closed {device})"] if rng.random() < 0.4 else []
    goals = " ".join(f"(fed {line})" for line in rng.sample(lines, max(1, size // 2)))
    return f"""(define (problem grid-{size}-{seed}) (:domain grid)
      (:objects {" ".join(devices)} - device {" ".join(lines)} - line)
      (:init {" ".join(init)}) (:goal (and {goals})))"""


def small_problems(name: str) -> Iterator[str]:
    if name == "lift":
        return (lift_problem(people, floors, seed) for people in (1, 2, 3) for floors in (2, 3, 4) for seed in range(3))
    return (grid_problem(size, seed) for size in range(2, 7) for seed in range(5))


def call(*command: str) -> str:
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("name", ["lift", "grid"])
def test_a_policy_is_learned_and_solves_a_larger_problem(tmp_path: Path, name: str) -> None:
    folder, run, large = tmp_path / name, tmp_path / "run", tmp_path / "large.pddl"
    folder.mkdir()
    (folder / "domain.pddl").write_text({"lift": LIFT, "grid": GRID}[name][0])
    for number, text in enumerate(small_problems(name)):
        (folder / f"p{number:02}.pddl").write_text(text)
    large.write_text(lift_problem(6, 6, 9) if name == "lift" else grid_problem(12, 9))
    corpus = str(tmp_path / "corpus.jsonl.zst")
    call("teach", str(folder), "--jobs", "1", "--out", corpus)
    options = [word for name, value in SMALL.items() for word in (f"--{name}", str(value))]
    call("train", str(folder), *options, "--corpus", corpus, "--out", str(run))
    policy = ["--policy", str(run / "q_heuristic.safetensors"), "--fallback", "none"]
    call("solve", str(folder / "domain.pddl"), str(large), *policy, "--plan", str(tmp_path / "plan"))
    assert "valid" in call("validate", str(folder / "domain.pddl"), str(large), str(tmp_path / "plan"))
