"""How values fit plans: against figures worked out by hand, and of policies that know a plan by heart."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from liftq.domains import domain
from liftq.engine.solver import Action
from liftq.engine.task import Choice
from liftq.errors import InputError
from liftq.evaluation.efficiency import random_policy
from liftq.evaluation.gaps import gap_of, measure, run_policies
from liftq.evaluation.result import Gap, Results
from liftq.pddl import parse_domain, parse_problem, write_problem
from liftq.policies import Policy
from liftq.policies.policy_file import save_policy
from liftq.teaching.corpora import bundled_corpus
from liftq.teaching.corpus import Corpus
from liftq.teaching.lesson import lessons_of
from liftq.training.recipes.recipe import Recipe, TrainingOptions

Called = Callable[..., tuple[int, str, str]]
FERRY = domain("ferry")


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """The smallest plans of a bundled corpus."""
    full = bundled_corpus("ferry")
    return Corpus(full.path, full.header, tuple(each for each in full.attempts if each.size <= 5))


class Oracle(Policy):
    """Knows one plan by heart, is off by a half, and calls every other action three worse."""

    def __init__(self, corpus: Corpus) -> None:
        self.lengths: dict[int, tuple[int, int]] = {}
        for lesson in lessons(corpus):
            self.lengths[lesson.choice.task.state_hash(lesson.state)] = (lesson.teacher, int(lesson.h_star))

    def values(self, choice: Choice) -> np.ndarray:
        teacher, h_star = self.lengths[choice.task.state_hash(choice.state)]
        values = np.full(len(choice), h_star + 3.5, dtype=np.float32)
        values[teacher] = h_star + 0.5
        return values

    def solve(self, task, limits=None):
        raise NotImplementedError


def lessons(corpus: Corpus) -> Iterable:
    return (lesson for task in corpus.tasks() for lesson in lessons_of(*task))


def test_gaps_of_an_oracle(corpus: Corpus) -> None:
    one = Corpus(corpus.path, corpus.header, corpus.entries[-1:])
    gap = measure(Oracle(one), "oracle", one)
    found = list(lessons(one))
    pairs = [(each, other) for each in found for other in range(len(each.choice)) if other != each.teacher]
    assert (gap.states, gap.pairs) == (len(found), len(pairs))
    assert (gap.error, gap.difference, gap.chosen) == (0.5, 3.0, 1.0)
    assert gap.tighter == sum(each.bounds[other] > each.h_star + 1 for each, other in pairs) / len(pairs)


CROSSROADS = """
(define (domain crossroads)
  (:predicates (start) (halfway) (there) (rested))
  (:action stroll :parameters () :precondition (start) :effect (and (halfway) (not (start))))
  (:action arrive :parameters () :precondition (halfway) :effect (there))
  (:action run :parameters () :precondition (start) :effect (there))
  (:action rest :parameters () :precondition (start) :effect (rested))
  (:action fall :parameters () :precondition (start) :effect (not (start))))
"""
PROBLEM = "(define (problem p) (:domain crossroads) (:init (start)) (:goal (there)))"


class ByHeart(Policy):
    """In the first state, the candidates are stroll, run, rest, fall."""

    def values(self, choice: Choice) -> np.ndarray:
        return np.array([-1.0, 3.0, 9.0, 4.0], dtype=np.float32)

    def solve(self, task, limits=None):
        raise NotImplementedError


def test_gaps_worked_out_by_hand() -> None:
    """The teacher runs, and h* is 1. After a stroll or a rest one step is left; after a fall there is no way."""
    domain_read = parse_domain(CROSSROADS)
    (lesson,) = lessons_of(domain_read, parse_problem(PROBLEM, domain_read), (Action("run", ()),))
    gap = gap_of(ByHeart(), "p", [lesson], bundled_corpus("ferry"))
    assert (gap.states, gap.pairs) == (1, 3)
    assert gap.error == 2  # |1 - 3|
    assert gap.difference == pytest.approx((4 + 6 + 1) / 3)  # |3 - -1|, |3 - 9|, |3 - 4|
    assert gap.chosen == 0  # the stroll has a smaller value
    assert gap.tighter == pytest.approx(1 / 3)  # the fall: 1 + 1120 > h* + 1; the others cost 1 + 1


class Indifferent(ByHeart):
    def values(self, choice: Choice) -> np.ndarray:
        return np.zeros(len(choice), dtype=np.float32)


def test_gaps_cover_the_training_set(corpus: Corpus) -> None:
    first, *_, last = corpus.entries
    visited = replace(last, pddl=write_problem(corpus.problem(last)))
    three = Corpus(corpus.path, corpus.header, (first, corpus.entries[1], visited))
    assert (first.size, last.size) == (3, 5)

    def states(**options: int) -> int:
        return measure(Indifferent(), "p", three, TrainingOptions(**options)).states

    lengths = [len(each.plan) for each in three.entries]
    assert states() == sum(lengths)
    assert states(visited=False) == states(largest_size=4) == sum(lengths[:2])
    assert states(whole_per_size=1) == lengths[0] + lengths[2]


def test_gaps_command(tmp_path: Path, liftq: Called) -> None:
    with pytest.raises(InputError, match="no policies yet"):
        run_policies(tmp_path)
    (tmp_path / "recipe.toml").write_text(Recipe("ferry", training=TrainingOptions(largest_size=4)).dump())
    shutil.copy(bundled_corpus("ferry").path, tmp_path / "corpus.jsonl.zst")
    for name, with_actions in (("q_value", True), ("state_value", False), ("checkpoint-q", True)):
        drawn = random_policy(FERRY.domain(), "relational", with_actions, seed=0)
        save_policy(tmp_path / f"{name}.safetensors", drawn)
    result = liftq("evaluate", "gaps", str(tmp_path), "--out", str(tmp_path / "r"))
    names = [line.partition(":")[0] for line in result.output.splitlines()[:-1]]
    assert result.code == 0 and names == ["q_value", "state_value"]
    gaps = Results.read([tmp_path / "r"]).of(Gap)
    assert all(each.domain == "ferry" and each.error > 0 and 0 <= each.tighter < 1 for each in gaps)
    again = liftq("evaluate", "gaps", str(tmp_path), "--out", str(tmp_path / "r"))
    assert again.output == f"results in {tmp_path / 'r'}\n" and Results.read([tmp_path / "r"]).of(Gap) == gaps
    save_policy(tmp_path / "q_value.safetensors", random_policy(FERRY.domain(), "relational", True, seed=7))
    refused = liftq("evaluate", "gaps", str(tmp_path), "--out", str(tmp_path / "r"))
    assert refused.code == 2 and "q_value.safetensors is another policy now" in refused.errors
