"""Work on a real Ray cluster of two nodes, of which one may be killed: the same results as on this machine."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import ray
from ray.cluster_utils import Cluster
from typer.testing import CliRunner

from liftq.cli import app
from liftq.compute import StartCompute
from liftq.compute.local import Local
from liftq.compute.ray import Ray
from liftq.datasets.journal import Journal
from liftq.datasets.teach import Quota, Teaching
from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.errors import InputError
from liftq.evaluation.result import Results
from liftq.evaluation.scaling.evaluation import ScalingEvaluation
from liftq.evaluation.suite.evaluation import SuiteEvaluation
from liftq.evaluation.suite.problems import find_problems
from liftq.learning.play import Player
from liftq.pddl import write_domain, write_problem
from liftq.policies import load_policy
from liftq.policies.zoo import policy_path
from liftq.sources.fingerprint import fingerprint
from liftq.sources.loading import load_domain
from liftq.teachers import teacher
from liftq.training.background import BackgroundValidation
from liftq.training.validation import ValidationSet

NOTHING = Results(())


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    made.add_node(num_cpus=1)
    made.wait_for_nodes()
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture
def start(cluster: Cluster) -> StartCompute:
    return partial(Ray, cluster.address)


def taught(path: Path, compute: StartCompute, cluster: Cluster | None = None) -> dict[str, object]:
    """Plans by problem. With a cluster, one of its nodes is killed in the middle."""
    source = load_domain("ferry")
    teaching = Teaching(source, teacher("orbit_search"), Limits(60, 2 << 30), Quota(12), 3, 9, jobs=2, compute=compute)
    with Journal(path, source) as journal:
        for number, _ in enumerate(teaching.teach(teaching.rows(journal.attempts), journal)):
            if cluster and number == 10:
                kill_a_node(cluster)
        return {attempt.fingerprint: attempt.plan for attempt in journal.attempts}


def kill_a_node(cluster: Cluster) -> None:
    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)


def test_teaching_survives_the_loss_of_a_node(tmp_path: Path, cluster: Cluster, start: StartCompute) -> None:
    expected = taught(tmp_path / "here.jsonl.zst", Local)
    assert taught(tmp_path / "there.jsonl.zst", start, cluster) == expected
    assert len(cluster.list_all_nodes()) == 1
    cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()


def hold(folder: Path, number: int) -> int:
    """Tells that it has begun, and waits until it is released."""
    (folder / f"{number} in {os.getpid()}").touch()
    while not (folder / "released").exists():
        time.sleep(0.05)
    return number


def is_alive(process: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{process}/status").read_text()
    except OSError:
        return False


def test_what_a_lost_node_was_at_is_done_by_another(tmp_path: Path, cluster: Cluster, start: StartCompute) -> None:
    with start(2) as compute:
        futures = [compute.submit(hold, tmp_path, number) for number in range(2)]
        while len(list(tmp_path.iterdir())) < 2:  # each node is at one of them
            time.sleep(0.05)
        kill_a_node(cluster)
        processes = [int(path.name.split()[-1]) for path in tmp_path.iterdir()]
        while all(map(is_alive, processes)):
            time.sleep(0.05)
        (tmp_path / "released").touch()
        assert [future.result() for future in futures] == [0, 1]
    cluster.add_node(num_cpus=1)
    cluster.wait_for_nodes()


def test_scaling(tmp_path: Path, start: StartCompute) -> None:
    path = tmp_path / "mine.safetensors"
    path.write_bytes(policy_path("ferry").read_bytes())
    here = ScalingEvaluation(str(path), sizes_asked=(3, 6))
    there = replace(here, jobs=2, compute=start)
    records = [list(each.evaluate(NOTHING)) for each in (here, there)]
    own, other = ({(r.size, getattr(r, "number", -1)): getattr(r, "length", None) for r in each} for each in records)
    assert own == other and len(own) == len(records[0])


def test_suite(tmp_path: Path, start: StartCompute) -> None:
    source = load_domain("ferry")
    (tmp_path / "domain.pddl").write_text(write_domain(source.domain))
    for number, instance in zip(range(3), source.instances(8), strict=False):
        (tmp_path / f"p{number}.pddl").write_text(write_problem(instance.problem))
    (tmp_path / "p3.pddl").write_text("(define (problem")
    here = SuiteEvaluation(["ferry", "orbit_search"], find_problems([tmp_path]), Limits(60, 4 << 30))
    outcomes = [
        sorted((r.solver, r.problem, str(r.ending), r.length or 0, r.fingerprint) for r in each.evaluate(NOTHING))
        for each in (here, replace(here, jobs=2, compute=start))
    ]
    assert outcomes[0] == outcomes[1] and len(outcomes[0]) == 8


def test_validation(start: StartCompute) -> None:
    validation = ValidationSet(load_domain("ferry"), dense_until=5, per_size=1)
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


def test_nobody_waits_for_what_is_stopped(start: StartCompute) -> None:
    compute = start(1)
    future = compute.submit(time.sleep, 3600)
    compute.stop()
    assert isinstance(future.exception(timeout=60), OSError)


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:999999"])
def test_no_cluster_is_said_to_be_so(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
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
