"""The states of a plan as the validator sees them."""

from __future__ import annotations

from collections.abc import Iterator

from liftq.engine.solver import Plan
from liftq.engine.validator import Replayer
from liftq.pddl.structures import Atom, Domain, Problem


def replay(domain: Domain, problem: Problem, plan: Plan) -> Iterator[frozenset[Atom]]:
    """The initial state and the state after each step."""
    replayer = Replayer(domain, problem)
    yield frozenset(replayer.truth.atoms)
    for number, action in enumerate(plan, start=1):
        assert replayer.failed_precondition(number, action) is None
        replayer.apply(action)
        yield frozenset(replayer.truth.atoms)
