"""Policies act by structure: in a domain that is theirs up to names, they do the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from liftq.domains import domains
from liftq.encoders import encoder as encoder_of
from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.errors import InputError
from liftq.models import model
from liftq.pddl import read_domain, read_problem
from liftq.policies.greedy import Greedy
from liftq.zoo import load_policy
from liftq.zoo.bundled import bundled, find_policy
from tests.examples import examples
from tests.pddl.renamed import Words
from tests.policies.untrained import policy_of, small_task

# One of each pair that only names tell apart.
NEEDED = {"floortile": {"move_up", "left"}, "rovers": {"sample_soil"}}
REORDERED = NEEDED | {"miconic": {"up"}, "childsnack": {"bread-portion"}}  # only the order of parameters tells these
every_policy = pytest.mark.parametrize("name", sorted(bundled().keys() & domains()))
POLICIES: dict[str, Greedy] = {}


def policy(name: str) -> Greedy:
    return POLICIES.setdefault(name, replace(load_policy(name), fallback="none"))


def renamed(task: Task, words: Words) -> Task:
    return Task(words.domain(task.domain), words.problem(task.problem))


@every_policy
@examples(3)
def test_other_names_give_the_same_plan(name: str, rng: Random) -> None:
    task, words = small_task(name), Words(rng, frozenset(NEEDED.get(name, ())))
    other = renamed(task, words)
    plan, found = (policy(name).solve(each, Limits(steps=200)).plan for each in (task, other))
    assert plan and [str(action) for action in found] == words.plan(plan)
    assert validate(other.domain, other.problem, found).valid


@every_policy
@examples(3)
def test_other_orders_of_parameters_give_the_same_values(name: str, rng: Random) -> None:
    task, words = small_task(name), Words(rng, frozenset(REORDERED.get(name, ())), reorder=True)
    choices = [each.choice(each.initial_state, compress=False) for each in (task, renamed(task, words))]
    values = [dict(zip(c.actions(), policy(name).values(c).tolist(), strict=True)) for c in choices]
    expected = {words.plan((action,))[0]: value for action, value in values[0].items()}
    assert {str(action): value for action, value in values[1].items()} == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("compress", [True, False])
@pytest.mark.parametrize("relaxed_plans", [True, False])
@pytest.mark.parametrize("encoder", ["relational", "object", "object_atom"])
def test_orbits_of_reordered_atoms(encoder: str, relaxed_plans: bool, compress: bool) -> None:
    """Twins count the same, whichever of a row's positions comes first."""
    for name in ("childsnack", "rovers", "transport"):
        task, words = small_task(name), Words(Random(5), frozenset(REORDERED.get(name, ())), reorder=True)
        network = model(encoder_of(encoder).model)()
        policy = Greedy(policy_of(task.domain, encoder, network, relaxed_plans=relaxed_plans))
        choices = [each.choice(each.initial_state, compress=compress) for each in (task, renamed(task, words))]
        own, other = (np.sort(policy.values(choice)) for choice in choices)
        np.testing.assert_allclose(other, own, rtol=1e-5)


@every_policy
def test_the_bundled_policy_is_found(name: str) -> None:
    words = Words(Random(1), frozenset(REORDERED.get(name, ())), reorder=True)
    assert find_policy(words.domain(small_task(name).domain))[0].removesuffix("-2") == name


@pytest.mark.parametrize("name", NEEDED)
def test_what_only_names_can_tell_apart_is_refused_with_both_readings(name: str) -> None:
    words = Words(Random(1))
    domain = words.domain(small_task(name).domain)
    with pytest.raises(InputError, match=r"(?s)more than one way.*Either .* = .*or .* = .*Use the policy's name"):
        find_policy(domain)
    task = Task(domain, words.problem(small_task(name).problem))
    with pytest.raises(InputError, match="fits the domain renamed in more than one way"):
        policy(name).solve(task)


def test_spellings_of_the_competitions(tmp_path: Path, ipc23: Path) -> None:
    plans = []
    for word in ("usable", "useable"):
        files = {"domain.pddl": ipc23 / "spanner" / "domain.pddl", "p01.pddl": ipc23 / "spanner" / "easy" / "p01.pddl"}
        for file, source in files.items():
            (tmp_path / file).write_text(source.read_text().replace("usable", word))
        domain = read_domain(tmp_path / "domain.pddl")
        assert word in {predicate.name for predicate in domain.predicates}
        task = Task(domain, read_problem(tmp_path / "p01.pddl", domain))
        plans.append(Greedy(find_policy(domain)[1]).solve(task).plan)
    assert plans[0] == plans[1] != ()
