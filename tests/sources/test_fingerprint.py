"""When two problems are the same, and when there is nothing to do."""

from __future__ import annotations

from dataclasses import replace

from liftq.domains import domain
from liftq.pddl.structures import Atom, Literal
from liftq.sources.fingerprint import canonical_form, fingerprint, solved_at_start
from liftq.sources.generated import Generated

FERRY = Generated(domain("ferry"))


def test_order_and_name_do_not_change_a_fingerprint() -> None:
    problem = next(FERRY.instances(12)).problem
    same = replace(
        problem, name="other", init=problem.init[::-1], goal=problem.goal[::-1], objects=problem.objects[::-1]
    )
    assert canonical_form(same) == canonical_form(problem) and fingerprint(same) == fingerprint(problem)
    assert len(fingerprint(problem)) == 32
    for other in (
        replace(problem, init=problem.init[1:]),
        replace(problem, goal=problem.goal[1:]),
        replace(problem, objects=problem.objects[1:]),
        replace(problem, objects=(problem.objects[0]._replace(type="location"), *problem.objects[1:])),
        replace(problem, domain_name="boat"),
        replace(problem, values=((Atom("distance", ("loc1", "loc2")), 3),)),
        replace(problem, minimize_cost=True),
    ):
        assert fingerprint(other) != fingerprint(problem)


def test_what_is_solved_at_the_start() -> None:
    domain, problem = FERRY.domain, next(FERRY.instances(5)).problem
    assert not solved_at_start(domain, problem)
    assert solved_at_start(domain, replace(problem, goal=()))
    assert solved_at_start(domain, replace(problem, goal=(Literal(problem.init[0]),)))
    assert not solved_at_start(domain, replace(problem, goal=(Literal(problem.init[0], False),)))
    assert solved_at_start(domain, replace(problem, goal=(Literal(Atom("=", ("loc1", "loc2")), False),)))
