"""Applicable actions and successors equal those of an independent planning library, state by state."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pymimir
import pytest

from liftq.engine.solver import Action
from liftq.engine.task import Task
from liftq.pddl import Atom, parse_domain, parse_problem, read_domain, read_problem, write_domain, write_problem
from liftq.problems.loading import load_domain
from tests.engine.beyond_strips import ALL, task_of
from tests.engine.tasks import DELIVERY, PARCELS
from tests.engine.walks import all_atoms, assert_orbits_expand_to, derived_atoms

DOMAINS = ["blocksworld", "childsnack", "ferry", "floortile", "miconic", "rovers", "satellite", "spanner", "transport"]
GENERATED = [("gripper", (2, 9, 30)), ("logistics", (6, 15, 40)), ("visitall", (4, 25, 100))]
STEPS = {"easy": 60, "medium": 8, "hard": 2}  # pymimir needs up to 30 ms for a step of a hard problem
TOO_LARGE = {("childsnack", "hard")}  # for pymimir: millions of applicable actions


def walk_together(task: Task, folder: Path, steps: int) -> None:
    """Walks both engines along the same random actions and compares all that they say on the way."""
    (folder / "domain.pddl").write_text(write_domain(task.domain))
    (folder / "problem.pddl").write_text(write_problem(task.problem))
    peer = pymimir.Problem(pymimir.Domain(folder / "domain.pddl"), folder / "problem.pddl")
    rng = random.Random(0)
    state, peer_state = task.initial_state, peer.get_initial_state()
    for _ in range(steps):
        peer_actions = {named_action(task, action): action for action in peer_state.generate_applicable_actions()}
        actions = task.choice(state, compress=False).actions()
        assert len(actions) == len(set(actions))
        assert set(actions) == set(peer_actions)
        assert_orbits_expand_to(task.choice(state), actions)
        peer_atoms = {named_atom(atom) for atom in peer_state.get_atoms()}
        known = {atom for atom in peer_atoms if atom.predicate in task.predicate_number}  # no types, nothing auxiliary
        assert all_atoms(task, state) | derived_atoms(task, state) == known
        assert task.is_goal(state) == peer.get_goal_condition().holds(peer_state)
        if not actions:
            return
        action = rng.choice(actions)
        state, peer_state = task.successor(state, action), peer_actions[action].apply(peer_state)


def named_action(task: Task, action: pymimir.GroundAction) -> Action:
    """Without the variables of existential quantifiers, which pymimir adds to the parameters."""
    name = action.get_action().get_name()
    arity = len(task.domain.schemas[task.schema_number[name]].parameters)
    return Action(name, tuple(o.get_name() for o in action.get_objects())[:arity])


def named_atom(atom: pymimir.GroundAtom) -> Atom:
    return Atom(atom.get_predicate().get_name(), tuple(o.get_name() for o in atom.get_terms()))


@pytest.mark.parametrize("split", STEPS)
@pytest.mark.parametrize("domain_name", DOMAINS)
def test_competition_problems(ipc23: Path, tmp_path: Path, domain_name: str, split: str) -> None:
    if (domain_name, split) in TOO_LARGE:
        pytest.skip("more applicable actions than pymimir can list")
    domain = read_domain(ipc23 / domain_name / "domain.pddl")
    names = {"easy": ["p01", "p10", "p20", "p30"], "medium": ["p07"], "hard": ["p07"]}[split]
    for name in names:
        task = Task(domain, read_problem(ipc23 / domain_name / split / f"{name}.pddl", domain))
        walk_together(task, tmp_path, STEPS[split])


@pytest.mark.parametrize(
    ("name", "sizes"), [("gripper", (2, 9, 30)), ("logistics", (6, 15, 40)), ("visitall", (4, 25, 100))]
)
def test_generated_problems(tmp_path: Path, name: str, sizes: tuple[int, ...]) -> None:
    source = load_domain(name)
    for size in sizes:
        problem = next(source.instances(size)).problem
        walk_together(Task(source.domain, problem), tmp_path, steps=40)


def test_costs_equality_constants_and_negative_goals(tmp_path: Path) -> None:
    domain = parse_domain(DELIVERY)
    # pymimir takes `either` to mean both, so the schema that has it is left to brute force.
    without_either = replace(domain, schemas=tuple(s for s in domain.schemas if s.name != "swap"))
    walk_together(Task(without_either, parse_problem(PARCELS, domain)), tmp_path, steps=100)


@pytest.mark.parametrize("name", ["p07", "p14", "p21", "p28"])
def test_orbits_count_actions_that_are_too_many_to_list(ipc23: Path, name: str) -> None:
    domain = read_domain(ipc23 / "childsnack" / "domain.pddl")
    problem = read_problem(ipc23 / "childsnack" / "hard" / f"{name}.pddl", domain)
    task = Task(domain, problem)
    choice = task.choice(task.initial_state)
    made = sum(s for s, a in zip(choice.sizes.tolist(), choice.actions(), strict=True) if a.schema == "make_sandwich")
    number = {p: sum(atom.predicate == p for atom in problem.init) for p in task.predicates}
    assert made == number["notexist"] * number["at_kitchen_bread"] * number["at_kitchen_content"]
    assert len(choice) < 20


@pytest.mark.parametrize("name", [name for name in ALL if name != "briefcase"])  # pymimir reads no disjunctive goals
def test_axioms_conditional_effects_and_quantifiers(tmp_path: Path, name: str) -> None:
    walk_together(task_of(name), tmp_path, steps=60)


def test_domains_of_all_competitions(classical_tasks: list[Task], tmp_path: Path) -> None:
    for task in classical_tasks:
        walk_together(task, tmp_path, steps=15)
