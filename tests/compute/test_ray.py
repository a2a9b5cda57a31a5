"""Work on a real Ray cluster of two nodes, of which one may be killed: the same results as on this machine."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import ray
from ray.cluster_utils import Cluster
from typer.testing import CliRunner

from liftq.__main__ import app
from liftq.compute import Piece, StartCompute
from liftq.compute import ray as module
from liftq.compute.local import Local
from liftq.compute.ray import Ray
from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.errors import InputError
from liftq.evaluation.result import Results
from liftq.evaluation.scaling.evaluation import ScalingEvaluation
from liftq.evaluation.suite.evaluation import SuiteEvaluation
from liftq.evaluation.suite.problems import find_problems
from liftq.files import write_atomically
from liftq.learning.play import Player
from liftq.pddl import write_domain, write_problem
from liftq.problems.fingerprint import fingerprint
from liftq.problems.loading import load_domain
from liftq.teachers import teacher
from liftq.teaching.journal import Journal
from liftq.teaching.teach import Quota, Teaching
from liftq.training.background import BackgroundValidation
from liftq.training.validation import ValidationSet
from liftq.zoo import load_policy
from liftq.zoo.bundled import policy_path
from tests.processes import await_end

NOTHING = Results(())
Losing = Callable[[Iterable[Any], int], Iterator[Any]]


def taught(path: Path, compute: StartCompute, watched: Losing | None = None) -> dict[str, object]:
    """Plans by problem."""
    source = load_domain("ferry")
    teaching = Teaching(source, teacher("orbit_search"), Limits(60, 2 << 30), Quota(12), 3, 9, jobs=2, compute=compute)
    with Journal(path, source) as journal:
        attempts = teaching.teach(teaching.rows(journal.attempts), journal)
        list(watched(attempts, 10) if watched else attempts)
        return {attempt.fingerprint: attempt.plan for attempt in journal.attempts}


def test_teaching_survives_the_loss_of_a_node(tmp_path: Path, start: StartCompute, losing_a_node: Losing) -> None:
    expected = taught(tmp_path / "here.jsonl.zst", Local)
    assert taught(tmp_path / "there.jsonl.zst", start, losing_a_node) == expected


def test_every_piece_of_a_lost_node_is_done_by_another(start: StartCompute, losing_a_node: Losing) -> None:
    left = iter(range(30))
    with start(2) as compute:
        results = compute.run(lambda: next((Piece(n, time.sleep, (0.2,)) for n in left), None))
        done = [key for key, _ in losing_a_node(results, 5)]
    assert sorted(done) == list(range(30))


def test_scaling_survives_the_loss_of_a_node(tmp_path: Path, start: StartCompute, losing_a_node: Losing) -> None:
    path = tmp_path / "mine.safetensors"
    path.write_bytes(policy_path("ferry").read_bytes())
    here = ScalingEvaluation(str(path), sizes_asked=(3, 6))
    there = replace(here, jobs=2, compute=start)
    records = [list(here.evaluate(NOTHING)), list(losing_a_node(there.evaluate(NOTHING), 2))]
    own, other = ({(r.size, getattr(r, "number", -1)): getattr(r, "length", None) for r in each} for each in records)
    assert own == other and len(own) == len(records[0])


def test_a_suite_survives_the_loss_of_a_node(tmp_path: Path, start: StartCompute, losing_a_node: Losing) -> None:
    source = load_domain("ferry")
    (tmp_path / "domain.pddl").write_text(write_domain(source.domain))
    for number, instance in zip(range(3), source.instances(8), strict=False):
        (tmp_path / f"p{number}.pddl").write_text(write_problem(instance.problem))
    (tmp_path / "p3.pddl").write_text("(define (problem")
    here = SuiteEvaluation(["ferry", "orbit_search"], find_problems([tmp_path]), Limits(60, 4 << 30))
    there = replace(here, jobs=2, compute=start)
    outcomes = [
        sorted((r.solver, r.problem, str(r.ending), r.length or 0, r.fingerprint) for r in records)
        for records in (here.evaluate(NOTHING), losing_a_node(there.evaluate(NOTHING), 3))
    ]
    assert outcomes[0] == outcomes[1] and len(outcomes[0]) == 8


def test_validation(start: StartCompute) -> None:
    validation = ValidationSet(load_domain("ferry"), largest=5, per_size=1)
    validation.played_sizes = validation.played_sizes[:4]
    scores = []
    for compute in (Local, start):
        background = BackgroundValidation(validation, 2, compute)
        background.submit(load_policy("ferry").policy_file)
        scores += [result.score for result in background.remaining()]
        background.close()
    assert scores[0] == scores[1] and scores[0].total > 0


def test_playing(start: StartCompute) -> None:
    source = load_domain("ferry")
    tasks = [Task(source.domain, next(source.instances(size)).problem) for size in (6, 8, 10)]
    player = Player(load_policy("ferry"), Limits(60), 2)
    played = [list(each.play(tasks, {})) for each in (player, replace(player, compute=start))]
    own, other = ({fingerprint(p.ground.task.problem): (p.solved, p.ground.plan) for p in each} for each in played)
    assert own == other and len(own) == 3


def test_bad_input_comes_back_as_such(start: StartCompute) -> None:
    with start(0) as compute:
        assert compute.jobs == 2
        with pytest.raises(InputError, match=r"^ferry: nowhere\n  cure$"):
            compute.submit(refuse, "ferry: nowhere\n  cure").result()
        with pytest.raises(ZeroDivisionError):
            compute.submit(divmod, 1, 0).result()


def refuse(message: str) -> None:
    raise InputError(message)


def test_stopping_does_not_wait_for_running_pieces(start: StartCompute) -> None:
    compute = start(1)
    future = compute.submit(time.sleep, 3600)
    compute.stop()
    assert isinstance(future.exception(timeout=60), OSError)


def test_a_machine_that_is_going_answers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """As Ray ends our child processes first, which would look like a crash of theirs."""
    parents = iter([7, 7, 7, 1])
    monkeypatch.setattr(os, "getppid", lambda: next(parents))
    monkeypatch.setattr(os, "_exit", lambda code: sys.exit(f"gone {code}"))
    version = metadata.version("liftq")
    assert module._call(version, [], pow, 2, 3) == 8
    with pytest.raises(SystemExit, match="gone 1"):
        module._call(version, [], pow, 2, 3)


def test_interrupted_pieces_end_at_once(tmp_path: Path, start: StartCompute) -> None:
    """As on Ctrl-C: their processes are gone, too."""
    note = tmp_path / "process"
    with pytest.raises(KeyboardInterrupt), start(1) as compute:
        compute.submit(sleep_long, note)
        while not note.exists():
            time.sleep(0.05)
        signal.raise_signal(signal.SIGINT)
    await_end([int(note.read_text())])


def sleep_long(note: Path) -> None:
    write_atomically(note, str(os.getpid()))
    time.sleep(3600)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:999999"])
def test_a_missing_cluster_is_reported(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(InputError, match=rf"no Ray cluster at {address}: .*\n  Start one"):
        Ray(address, 1)


def test_commands_say_where_work_is_done(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    called = CliRunner().invoke(app, ["teach", "ferry", "--sizes", "3-4", "--per-size", "2", "--ray", cluster.address])
    assert called.exit_code == 0 and "4 plans" in called.output
    scaling = ["evaluate", "scaling", "ferry", "--sizes", "3", "--out", "r", "--ray", cluster.address]
    assert "size 3" in CliRunner().invoke(app, scaling).output
    tiny = {"epochs": 1, "seeds": 1, "layers": 2, "width": 8, "per-size": 1, "final-per-size": 0, "largest-size": 5}
    options = [word for option, value in tiny.items() for word in (f"--{option}", str(value))]
    trained = CliRunner().invoke(app, ["train", "gripper", *options, "--ray", cluster.address])
    assert trained.exit_code == 0 and Path("runs/gripper/q_heuristic.safetensors").exists()
