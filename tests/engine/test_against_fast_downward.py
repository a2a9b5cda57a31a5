"""Applicable actions, successors, derived atoms and goals equal those of Fast Downward's translator, state by state.
Our plans are plans of its task, too."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from liftq.engine.greedy_search import search
from liftq.engine.solver import Trajectory
from liftq.engine.task import Task
from liftq.pddl import write_domain, write_problem
from liftq.teachers.fast_downward import find_driver
from tests.engine.beyond_strips import ALL, task_of
from tests.engine.sas import SAS
from tests.engine.translator import translate
from tests.engine.walks import all_atoms, derived_atoms

UNSOLVED = {"ricochet-robots"}  # in a minute

pytestmark = pytest.mark.skipif(find_driver() is None, reason="Fast Downward is not installed")


def translated(task: Task, folder: Path) -> SAS:
    files = folder / "domain.pddl", folder / "problem.pddl"
    files[0].write_text(write_domain(task.domain))
    files[1].write_text(write_problem(task.problem))
    return translate(*files)


def walk_together(task: Task, sas: SAS, steps: int) -> None:
    rng = random.Random(0)
    known = {operator.action for operator in sas.operators}
    mentioned = {atom for atom in sas.mentioned() if atom.predicate in task.predicate_number}
    state, values = task.initial_state, sas.initial_state
    for _ in range(steps):
        holding = all_atoms(task, state) | derived_atoms(task, state)
        assert sas.atoms(values) & mentioned == holding & mentioned
        assert task.is_goal(state) == sas.is_goal(values)
        operators = sas.applicable(values)
        actions = task.choice(state, compress=False).actions()
        assert operators.keys() == {action for action in actions if action in known}
        assert all(task.successor(state, action) == state for action in actions if action not in known)
        if not operators:
            return
        action = rng.choice(sorted(operators))
        state, values = task.successor(state, action), sas.successor(values, operators[action])


def assert_plan_of(sas: SAS, found: Trajectory) -> None:
    values, cost = sas.initial_state, 0
    for action in found.plan:
        operator = sas.applicable(values)[action]
        values, cost = sas.successor(values, operator), cost + operator.cost
    assert sas.is_goal(values)
    assert cost == found.cost


@pytest.mark.parametrize("name", ALL)
def test_small_tasks(tmp_path: Path, name: str) -> None:
    task = task_of(name)
    sas = translated(task, tmp_path)
    walk_together(task, sas, steps=60)
    assert_plan_of(sas, search(task))


def test_domains_of_all_competitions(classical_tasks: list[Task], tmp_path: Path) -> None:
    for task in classical_tasks:
        sas = translated(task, tmp_path)
        walk_together(task, sas, steps=15)
        if task.domain.name not in UNSOLVED:
            assert_plan_of(sas, search(task))
