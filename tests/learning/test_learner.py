"""A whole learning in seconds: what it leaves, that it goes on after a kill, and what it refuses."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from liftq import pipeline
from liftq.engine.solver import Limits
from liftq.errors import InputError
from liftq.evaluation.result import Learned, Results, SuiteAttempt
from liftq.learning.budget import Clock, Stage
from liftq.learning.curriculum import COMPOSED
from liftq.learning.derive import may_be_solvable
from liftq.learning.folder import Settings
from liftq.learning.learner import Learner
from liftq.learning.split import PARTS, Split
from liftq.policies.acting import FROM_PROBLEMS, Acting
from liftq.policies.policy_file import read_policy_file, save_policy
from liftq.problems.fingerprint import fingerprint
from liftq.teaching.attempt import BY_POLICY, BY_SEARCH
from liftq.teaching.corpus import Corpus

pytest.importorskip("torch")
from liftq.training.events import Begun, Diverged, Failed, OutOfMemory, Validated
from liftq.training.log import Log
from liftq.training.recipes.options import recipe_with
from liftq.training.validation import Score
from tests.policies.untrained import policy_of

FolderOf = Callable[..., Path]
MINUTES = 0.1
SIZES = (3, 4, 4, 5, 5, 6, 6, 7)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """All kinds of stages even in seconds."""
    monkeypatch.setattr("liftq.learning.budget.ROUNDS", ((1.0, 2),))


@pytest.mark.usefixtures("short")
def test_a_whole_learning(folder_of: FolderOf, tmp_path: Path) -> None:
    settings = Settings(str(folder_of("gripper", *SIZES)), MINUTES, 0)
    out = tmp_path / "out"
    events = list(pipeline.learn(settings, out, "cpu", 1, Limits(30.0, 2**33)))
    stages = [event.kind for event in events if isinstance(event, Stage)]
    assert stages == ["extend", "teach", "choose", "train", "play", "teach", "extend", "train"]
    check_end(out)
    assert (out / "report" / "report.html").read_text().count("Held-out problems solved") == 1
    again = list(pipeline.learn(settings, out, "cpu", 1, Limits(30.0, 2**33)))
    assert again == []


def check_end(out: Path) -> None:
    """What a learning must have left, killed or not."""
    split = Split(out / "problems" / "gripper")
    by_part = [{fingerprint(each) for each in split.parts[part].problems} for part in PARTS]
    assert sum(map(len, by_part)) == len(set.union(*by_part))
    corpus = Corpus.read(out / "corpus.jsonl.zst")
    assert corpus.entries and not any(corpus.problem(each) in split.held_out for each in corpus.attempts)
    results = Results.read([out / "results.jsonl"])
    (learned,) = results.of(Learned)
    assert learned.optimal + learned.not_optimal == len(corpus.entries) == sum(learned.derived.values())
    attempts = results.of(SuiteAttempt)
    tried = {each.solver for each in attempts}
    assert {str(out / "policy.safetensors"), f"{out / 'policy.safetensors'}+search"} <= tried
    assert len(attempts) == len(tried) * len(split.parts["test"].files)
    card = read_policy_file(out / "policy.safetensors").card["learned"]
    assert card["held_out"] == split.fingerprints() and card["sizes"] == learned.sizes
    assert json.loads((out / "clock.json").read_text())["stages"] >= 2


def test_it_continues_after_a_kill(folder_of: FolderOf, tmp_path: Path) -> None:
    out = tmp_path / "out"
    settings = ["--minutes", str(MINUTES), "--jobs", "1", "--device", "cpu", "--test-seconds", "30"]
    command = [sys.executable, "-m", "liftq", "learn", str(folder_of("gripper", *SIZES)), "--out", str(out), *settings]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    for file in ("corpus.jsonl.zst.journal", "runs/train-1/log.jsonl"):
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        for _ in range(600):
            if (out / file).exists() or process.poll() is not None:
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    check_end(out)


def test_other_settings_are_refused(folder_of: FolderOf, tmp_path: Path) -> None:
    source = str(folder_of("gripper", *SIZES))
    events = pipeline.learn(Settings(source, 1.0, 0), tmp_path / "out", "cpu", 1)
    assert isinstance(next(events), Stage)
    with pytest.raises(InputError, match="is in use"):
        next(pipeline.learn(Settings(source, 1.0, 0), tmp_path / "out", "cpu", 1))
    events.close()
    with pytest.raises(
        InputError, match=r"begun with other settings\n  minutes: 1.0 there, 2.0 now\n  seed: 0 there, 5"
    ):
        next(pipeline.learn(Settings(source, 2.0, 5), tmp_path / "out", "cpu", 1))


def test_a_source_without_problems_leaves_its_folder_free(folder_of: FolderOf, tmp_path: Path) -> None:
    few, out = folder_of("ferry", 4, 5), tmp_path / "out"
    with pytest.raises(InputError, match="only 2 problems"):
        next(pipeline.learn(Settings(str(few), 1.0, 0), out, "cpu", 1))
    with closing(pipeline.learn(Settings(str(folder_of("gripper", *SIZES)), 1.0, 0), out, "cpu", 1)) as events:
        assert isinstance(next(events), Stage)


def test_a_teacher_that_solves_nothing(folder_of: FolderOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TEACHER", "SEARCH"):
        monkeypatch.setattr(f"liftq.learning.learner.{name}", "tests.learning.hopeless:Hopeless")
    monkeypatch.setenv("LIFTQ_TRUSTED", "tests.learning.hopeless")
    settings = Settings(str(folder_of("gripper", *SIZES)), MINUTES, 0)
    with pytest.raises(
        InputError, match=r"neither search nor the optimal teacher has solved any of \d+ problems\n  Add sm"
    ):
        list(pipeline.learn(settings, tmp_path / "out", "cpu", 1))


@pytest.fixture
def learner(folder_of: FolderOf, tmp_path: Path) -> Iterator[Learner]:
    settings = Settings(str(folder_of("gripper", 8, 7, 6, 5, 4, 3)), 10.0, 7)
    with Learner.opened(settings, tmp_path / "out", False, 1) as opened:
        yield opened


def test_problems_are_taught_by_size_and_none_that_is_held_out(learner: Learner) -> None:
    sizes = [task.problem.size for task in learner.tasks]
    assert sizes == sorted(sizes) and len(sizes) == 3
    first, second = (learner.teaching(Stage("teach", number, 60.0)) for number in (1, 2))
    assert first.held_out == learner.split.held_out and [each.task for each in first.grounds] == learner.tasks
    assert first.seed != second.seed and first.limits.seconds == 60 * 10 / 300
    longer = replace(learner, settings=Settings(learner.settings.source, 1000.0, 8))
    other = longer.teaching(Stage("teach", 1, 60.0))
    assert other.seed not in (first.seed, second.seed) and other.limits.seconds == 10.0


def test_costs_play_no_part(tmp_path: Path) -> None:
    for name, text in COSTLY.items():
        (tmp_path / name).write_text(text)
    with Learner.opened(Settings(str(tmp_path), 1.0, 0), tmp_path / "out", False, 1) as learner:
        assert learner.split.parts["training"].problems[0].minimize_cost
        assert not any(task.problem.minimize_cost for task in learner.tasks)


COSTLY = {"domain.pddl": "(define (domain d) (:predicates (p ?x)) (:functions (total-cost))"
          " (:action a :parameters (?x) :effect (and (p ?x) (increase (total-cost) 2))))"}  # fmt: skip
COSTLY |= {
    f"p{number}.pddl": f"(define (problem x) (:domain d) (:objects {objects}) (:init) (:goal (p a))"
    " (:metric minimize (total-cost)))"
    for number, objects in enumerate(("a", "a b", "a b c"))
}


def test_after_playing_problems_are_derived_where_the_policy_failed(learner: Learner) -> None:
    """By an untrained one: nearly everywhere; a run that is known begins with what it did."""
    save_policy(learner.folder.policy, policy_of(learner.split.domain))
    stage = Stage("play", 2, 60.0)
    played = list(learner.play(stage))
    in_order = sorted(played, key=lambda each: each.ground.task.problem.size)  # they come up in any order
    failed = [each.ground for each in in_order if each.ground.visited]
    assert len(played) == len(learner.tasks) and failed
    grounds = learner.teaching(Stage("teach", 2, 60.0)).grounds
    assert [ground.task.problem for ground in grounds] == [each.task.problem for each in failed]
    assert [ground.visited for ground in grounds] == [each.visited for each in failed]
    own = [each for each in learner.corpus().attempts if each.teacher == BY_POLICY]
    assert len(own) == len(played)
    first = fingerprint(failed[0].task.problem)
    runs = json.loads((learner.folder.path / "visited-2.json").read_text())
    (learner.folder.path / "visited-2.json").write_text(json.dumps({first: runs[first]}))
    (ground,) = learner.teaching(Stage("teach", 2, 60.0)).grounds
    assert ground.task.problem == failed[0].task.problem
    solved = {each.fingerprint: each.plan for each in own if each.solved}
    assert solved and all(ground.plan == solved.get(fingerprint(ground.task.problem), ()) for ground in grounds)


def test_own_plans_can_be_declined(learner: Learner) -> None:
    declining = replace(learner, settings=Settings(learner.settings.source, 1.0, 7, own_plans=False))
    save_policy(learner.folder.policy, policy_of(learner.split.domain))
    assert all(each.attempt is None for each in declining.play(Stage("play", 2, 60.0)))
    assert not learner.folder.corpus.exists()
    extend = Stage("extend", 2, 60.0)
    assert (learner.extension(extend).teacher.name, declining.extension(extend).teacher.name) == (BY_POLICY, BY_SEARCH)


def test_search_solves_whole_problems_first_and_its_plans_are_starts(learner: Learner) -> None:
    extension = learner.extension(Stage("extend", 1, 60.0))
    events = pipeline.teach(extension, learner.folder.corpus)
    given = [fingerprint(task.problem) for task in learner.tasks]
    found = {each.fingerprint: each for each in (next(events).attempt for _ in extension.rows([]))}
    events.close()
    whole = [found[each] for each in given]
    assert all(each.solved and each.teacher == BY_SEARCH and not each.is_proven for each in whole)
    assert [ground.plan for ground in learner.teaching(Stage("teach", 1, 60.0)).grounds] == [
        each.plan for each in whole
    ]


@pytest.mark.parametrize(("number", "most"), [(1, 2), (2, 4)])
def test_search_also_solves_problems_larger_than_those_given(learner: Learner, number: int, most: int) -> None:
    save_policy(learner.folder.policy, policy_of(learner.split.domain))
    rows = learner.extension(Stage("extend", number, 60.0)).rows([])
    assert [row.size for row in rows] == sorted(row.size for row in rows)
    drawn = [instance.problem for row in rows if (instance := row.draw())]
    parts = [each.name.count("+") + 1 for each in drawn if each.name.startswith(COMPOSED)]
    assert parts and min(parts) >= 2 and max(parts) <= most
    assert max(each.size for each in drawn) > max(task.problem.size for task in learner.tasks)
    assert all(may_be_solvable(learner.split.domain, each) for each in drawn)


def test_the_best_policy_is_kept_and_the_last_of_equals(learner: Learner) -> None:
    for number, score in enumerate((1.0, 4.0, 4.0, 2.0)):
        policy = policy_of(learner.split.domain, seed=number)
        policy.card.update(score=score)
        run = learner.folder.run(f"train-{9 - number}")
        run.mkdir(parents=True)
        save_policy(run / "q.safetensors", policy)
        os.utime(run, (number, number))
    stages = learner.stages()
    assert [next(stages).name, next(stages).name] == ["extend-1", "teach-1"]
    kept = read_policy_file(learner.folder.policy)
    assert kept.card["seed"] == 2 and Acting.of(kept) == FROM_PROBLEMS
    assert next(learner.stages()).name == "teach-1"  # what is done is not done again


def test_a_policy_that_waits_for_validation_is_better_than_none(learner: Learner) -> None:
    waiting = learner.folder.run("train-1") / "waiting"
    waiting.mkdir(parents=True)
    for number in (1, 2):
        save_policy(waiting / f"{number}.safetensors", policy_of(learner.split.domain, seed=number))
        os.utime(waiting / f"{number}.safetensors", (number, number))
    learner._keep_best(Stage("train", 1, 60.0))
    assert (
        read_policy_file(learner.folder.policy).weights["update.inner.bias"]
        == policy_of(learner.split.domain, seed=2).weights["update.inner.bias"]
    ).all()


def test_a_stage_over_its_time_ends_with_the_first_validation(
    learner: Learner, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy = policy_of(learner.split.domain)
    events = [1, 2, Validated(policy, Score((), ()), 0), 3]
    monkeypatch.setattr(Clock, "spent", property(lambda clock: 50.0))  # past the end, within patience
    assert list(learner.until(40.0, (each for each in events), patience=60.0)) == events[:3]
    assert list(learner.until(40.0, (each for each in events))) == []
    assert learner.curve() == [(50.0, 0.0)]


def test_a_training_ends_on_time_while_it_prepares_lessons(learner: Learner) -> None:
    """Even deep in the core: optimal search for actions as good as the plan's would go on for hours."""
    recipe = recipe_with({"domain": "ferry", "tie_states": 10**9, "seeds": 1, "layers": 2, "width": 8})
    end = learner.clock.spent + 3.0
    training = pipeline.train(recipe, learner.folder.run("slow"), "cpu")
    assert [type(event) for event in learner.until(end, training)] == [Begun]
    assert learner.clock.spent >= end


@pytest.mark.parametrize("error", [Diverged, OutOfMemory])
def test_a_training_that_fails_has_lost(learner: Learner, error: type[Failed]) -> None:
    def training() -> Generator[int, None, None]:
        yield 1
        raise error("this is how it ended")

    with pytest.warns(match="how it ended"):
        assert list(learner.until(60.0, training())) == [1]


def test_time_is_written_down_after_each_event(learner: Learner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liftq.learning.budget.TICK", 0.0)
    events = learner.until(1000.0, (each for each in range(2)))
    assert not learner.folder.clock.exists()
    next(events)
    assert learner.folder.clock.exists()


def test_the_curve_has_every_checkpoint(learner: Learner) -> None:
    for score in (2.0, 1.0, 3.0):
        Log(learner.folder.path / "curve.jsonl").append({"seconds": 1.0, "score": score})
    assert [score for _, score in learner.curve()] == [2.0, 1.0, 3.0]
