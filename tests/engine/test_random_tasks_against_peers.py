"""Random tasks with all features at once: states, actions, successors, goals and costs are those of two other planners.

LIFTQ_EXAMPLES=2000 pytest tests/engine/test_random_tasks_against_peers.py   # as many as you like
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Protocol

import pymimir
import pytest

from liftq.engine.solver import Action
from liftq.engine.task import State, Task
from liftq.pddl import Atom, Domain, Problem, parse_domain, parse_problem
from liftq.teachers.fast_downward import find_driver
from tests.engine.plain_pddl import FINISH, plain_pddl
from tests.engine.sas import SAS, Operator, Values
from tests.engine.translator import Refused, translate
from tests.engine.walks import all_atoms, derived_atoms
from tests.examples import assume, examples
from tests.pddl.random_values import pair

EXAMPLES = int(os.environ.get("LIFTQ_EXAMPLES", "20"))
MOST_STATES = 8  # of one task, breadth first

several = examples(int(os.environ.get("LIFTQ_RANDOM_TASKS", "30")))
pytestmark = pytest.mark.filterwarnings("ignore::liftq.errors.PDDLWarning")


class Peer(Protocol):
    """Another planner's view of the state that a list of actions leads to."""

    def atoms(self) -> frozenset[Atom]: ...  # derived ones included
    def knows(self, atom: Atom) -> bool: ...
    def actions(self) -> Mapping[Action, float]: ...  # with their costs
    def after(self, action: Action) -> Peer: ...


class FastDownward:
    def __init__(self, sas: SAS, values: Values) -> None:
        self.sas, self.values = sas, values
        self.operators: dict[Action, Operator] = sas.applicable(values)
        self.mentioned = sas.mentioned()

    def atoms(self) -> frozenset[Atom]:
        return frozenset(self.sas.atoms(self.values))

    def knows(self, atom: Atom) -> bool:
        return atom in self.mentioned

    def actions(self) -> Mapping[Action, float]:
        return {action: operator.cost for action, operator in self.operators.items()}

    def after(self, action: Action) -> FastDownward:
        return FastDownward(self.sas, self.sas.successor(self.values, self.operators[action]))


class Mimir:
    def __init__(self, task: Task, state: pymimir.State) -> None:
        self.task, self.state = task, state
        self.by_name = {self._name(action): action for action in state.generate_applicable_actions()}

    def _name(self, action: pymimir.GroundAction) -> Action:
        """Without the variables of existential quantifiers, which pymimir adds to the parameters."""
        name = action.get_action().get_name()
        arity = len(self.task.domain.schemas[self.task.schema_number[name]].parameters)
        return Action(name, tuple(o.get_name() for o in action.get_objects())[:arity])

    def atoms(self) -> frozenset[Atom]:
        return frozenset(
            Atom(atom.get_predicate().get_name(), tuple(o.get_name() for o in atom.get_terms()))
            for atom in self.state.get_atoms()
        )

    def knows(self, atom: Atom) -> bool:
        return True

    def actions(self) -> Mapping[Action, float]:
        return {action: self.task.cost(action) for action in self.by_name}  # its costs are not compared

    def after(self, action: Action) -> Mimir:
        return Mimir(self.task, self.by_name[action].apply(self.state))


def reachable(task: Task, peer: Peer) -> Iterator[tuple[State, Peer]]:
    found = {task.initial_state: peer}
    waiting = [task.initial_state]
    while waiting:
        state = waiting.pop(0)
        yield state, found[state]
        for action in sorted(found[state].actions()):
            after = task.successor(state, action)
            if after not in found and len(found) < MOST_STATES:
                found[after] = found[state].after(action)
                waiting.append(after)


def compare(pair: tuple[Domain, Problem], task: Task, first: Peer) -> None:
    original = Task(*pair)
    for state, peer in reachable(task, first):
        holding = all_atoms(task, state) | derived_atoms(task, state)
        theirs = {atom for atom in peer.atoms() if atom.predicate in task.predicate_number}  # nothing auxiliary
        assert theirs == {atom for atom in holding if peer.knows(atom)}
        actions = task.choice(state, compress=False).actions()
        assert {action: task.cost(action) for action in actions} == peer.actions()
        own = {atom for atom in task.atoms(state) if atom.predicate in original.predicate_number}
        assert original.is_goal(original.state_of(own)) == (Action(FINISH, ()) in peer.actions())


def written(pair: tuple[Domain, Problem], folder: Path) -> tuple[Path, Path, Task]:
    files = folder / "domain.pddl", folder / "problem.pddl"
    texts = plain_pddl(*pair)
    for file, text in zip(files, texts, strict=True):
        file.write_text(text)
    domain = parse_domain(texts[0])
    return *files, Task(domain, parse_problem(texts[1], domain))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("random")


@pytest.mark.skipif(find_driver() is None, reason="Fast Downward is not installed")
@several
def test_fast_downward(folder: Path, rng: Random) -> None:
    drawn = pair(rng)
    domain, problem, task = written(drawn, folder)
    try:
        sas = translate(domain, problem)
    except Refused as refusal:  # neither of them reads axioms that depend on themselves within `forall`
        assume("not stratifiable" not in str(refusal))
        raise
    compare(drawn, task, FastDownward(sas, sas.initial_state))


@several
def test_pymimir(folder: Path, rng: Random) -> None:
    drawn = pair(rng)
    domain, problem, task = written(drawn, folder)
    try:
        peer = pymimir.Problem(pymimir.Domain(domain), problem)
    except RuntimeError:  # nor axioms whose parameters are wider than the predicate's; and some conditions are too much
        assume(False)
    compare(drawn, task, Mimir(task, peer.get_initial_state()))
