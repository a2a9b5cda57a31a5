"""Small random problems: what is said of all reachable states is true in each, and a form has the same states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest

from liftq.engine.task import Task
from liftq.pddl.forms.facts import Facts
from liftq.pddl.forms.form import Misfit
from liftq.pddl.structures import Atom, Domain, Literal, Object, Parameter, Predicate, Problem, Schema
from tests.pddl.forms.bisimulation import check, form_of

ROOT = ("object",)
ARITIES = {"at": 2, "in": 2, "near": 2, "big": 1, "full": 1, "done": 0}
CHANGING = ("at", "in", "full", "done")
OBJECTS = ("a", "b", "c")
MOST_STATES = 40


def atom(rng: Random, terms: tuple[str, ...], names: tuple[str, ...] = tuple(ARITIES)) -> Atom:
    name = rng.choice(names)
    return Atom(name, tuple(rng.choices(terms, k=ARITIES[name])))


def schema(rng: Random, name: str) -> Schema:
    """Most often it moves something; `near` and `big` never change."""
    terms = ("?x", "?y", "?z")[: rng.randint(1, 3)]
    needs = [Literal(atom(rng, terms), rng.random() < 0.7) for _ in range(rng.randint(0, 3))]
    adds, deletes = ([atom(rng, terms, CHANGING) for _ in range(rng.randint(0, 2))] for _ in range(2))
    if rng.random() < 0.7:
        key, place, other = rng.choice(terms), rng.choice(terms), rng.choice(terms)
        gone, new = Atom("at", (key, place)), Atom(rng.choice(("at", "in")), (key, other))
        needs, adds, deletes = [*needs, Literal(gone)], [*adds[:1], new], [*deletes[:1], gone]
    if rng.random() < 0.3:
        needs.append(Literal(Atom("=", tuple(rng.choices(terms, k=2))), False))
    parameters = tuple(Parameter(term, ROOT) for term in terms)
    unique = (tuple(dict.fromkeys(each)) for each in (needs, adds, deletes))
    return Schema(name, parameters, *unique)


def random_pair(rng: Random) -> tuple[Domain, Problem]:
    predicates = tuple(Predicate(n, tuple(Parameter(f"?{i}", ROOT) for i in range(k))) for n, k in ARITIES.items())
    schemas = tuple(schema(rng, name) for name in ("go", "act")[: rng.randint(1, 2)])
    init = tuple({atom(rng, OBJECTS) for _ in range(rng.randint(2, 8))})
    objects = tuple(Object(name, "object") for name in OBJECTS)
    goal = (Literal(atom(rng, OBJECTS, CHANGING)),)
    return Domain("d", (), (), predicates, (), schemas), Problem("p", "d", objects, init, (), goal)


def edited(rng: Random, domain: Domain) -> Domain:
    """One literal more or less somewhere."""
    old = rng.choice(domain.schemas)
    terms = tuple(parameter.name for parameter in old.parameters)
    part = rng.choice(("preconditions", "preconditions", "adds", "deletes"))
    items = list(getattr(old, part))
    if items and rng.random() < 0.4:
        items.remove(rng.choice(items))
    elif part != "preconditions":
        items.append(atom(rng, terms, CHANGING))
    elif rng.random() < 0.3:
        items.append(Literal(Atom("=", tuple(rng.choices(terms, k=2))), False))
    else:
        items.append(Literal(atom(rng, terms, rng.choice((tuple(ARITIES), ("big",), ("near",)))), rng.random() < 0.5))
    new = replace(old, **{part: tuple(dict.fromkeys(items))})
    return replace(domain, schemas=tuple(new if each is old else each for each in domain.schemas))


def reachable(task: Task) -> Iterator[int]:
    found = dict.fromkeys([task.initial_state])
    queue = list(found)
    for state in queue:
        yield state
        for action in task.choice(state, compress=False).actions():
            after = task.successor(state, action)
            if after not in found and len(found) < MOST_STATES:
                found[after] = None
                queue.append(after)


@pytest.mark.parametrize("seeds", [range(start, start + 50) for start in range(0, 200, 50)])
def test_facts_hold_in_all_states(seeds: range) -> None:
    for seed in seeds:
        check_facts(seed)


def check_facts(seed: int) -> None:
    domain, problem = random_pair(Random(seed))
    facts, task = Facts(domain, problem), Task(domain, problem)
    admitted = {rule.name: facts.admitted(rule) for rule in facts.rules}
    variables_of = {rule.name: rule.variables for rule in facts.rules}
    for state in reachable(task):
        atoms = task.atoms(state)
        for name, arguments in atoms:
            assert all(each in facts.reached[name, place] for place, each in enumerate(arguments))
        for group in facts.groups.mutexes:
            counts = Counter(a.arguments[place] for name, place in group for a in atoms if a.predicate == name)
            assert max(counts.values(), default=0) <= 1
        for action in task.choice(state, compress=False).actions():
            variables = variables_of[action.schema]
            assert all(o in admitted[action.schema][v] for v, o in zip(variables, action.arguments, strict=True))


@pytest.mark.parametrize("seeds", [range(start, start + 50) for start in range(0, 1000, 50)])
def test_a_form_has_the_same_states(seeds: range) -> None:
    for seed in seeds:
        rng = Random(seed)
        domain, problem = random_pair(rng)
        other = edited(rng, domain)
        with suppress(Misfit):
            form = form_of(domain, problem, other)
            if not form.stricter:
                check(domain, problem, form)
