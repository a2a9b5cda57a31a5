"""A problem and its form have the same states, as far as one looks."""

from __future__ import annotations

from liftq.engine.task import Task
from liftq.pddl import Domain, Problem
from liftq.pddl.forms.expression import expressed
from liftq.pddl.forms.facts import Facts
from liftq.pddl.forms.form import Form

MOST_STATES = 60


def symbols(domain: Domain) -> list[tuple[str, str]]:
    names = {"type": domain.types, "predicate": domain.predicates, "action": domain.schemas}
    return [(kind, each.name) for kind, listed in names.items() for each in listed]


def form_of(domain: Domain, problem: Problem, other: Domain) -> Form:
    return expressed(Facts(domain, problem), other, symbols(other))


def check(domain: Domain, problem: Problem, form: Form) -> None:
    """Breadth first: each state has the same actions, up to those that change nothing, and the same goal."""
    own, other = Task(domain, problem), Task(form.domain, form.problem)
    pairs = [(own.initial_state, other.initial_state)]
    met = dict(pairs)
    for state, image in pairs:
        assert own.is_goal(state) == other.is_goal(image)
        successors = {
            action: after
            for action in own.choice(state, compress=False).actions()
            if (after := own.successor(state, action)) != state
        }
        images = {
            form.own_action(*action): after
            for action in other.choice(image, compress=False).actions()
            if (after := other.successor(image, action)) != image
        }
        assert successors.keys() == images.keys()
        for action, after in successors.items():
            assert form.own_action(*form.action(*action)) == action
            assert met.setdefault(after, images[action]) == images[action]
            if len(pairs) < MOST_STATES and (after, images[action]) not in pairs:
                pairs.append((after, images[action]))
    assert len(set(met.values())) == len(met)
