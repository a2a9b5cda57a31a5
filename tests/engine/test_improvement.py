"""Windows of a plan solved again: never worse, always valid, and in the end as cheap as can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from types import SimpleNamespace

import pytest

from liftq import _core
from liftq.domains import shortest_length
from liftq.engine import improvement
from liftq.engine.greedy_search import search
from liftq.engine.heuristics import Heuristics
from liftq.engine.improvement import Improvement
from liftq.engine.solver import Action, Ending, Limits, Plan, Trajectory
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.engine.watch import within
from liftq.pddl import parse_domain, parse_problem, write_domain
from liftq.problems.loading import load_domain
from liftq.zoo import load_policy
from tests.engine.tasks import DELIVERY, PARCELS

UNLIMITED = Limits()
Steps = list[tuple[int, list[int]]]


def improve(task: Task, plan: Plan, limits: Limits) -> Iterator[Plan]:
    return Improvement(task, plan, limits).plans()


def cost_of(task: Task, plan: Plan) -> float:
    validation = validate(task.domain, task.problem, plan)
    assert validation.valid and validation.cost is not None
    return validation.cost


def best_cost(task: Task) -> float:
    solution = _core.orbit_search(Heuristics(task).core)
    assert solution.ending == "solved"
    return cost_of(task, tuple(task.named_action(*step) for step in solution.plan))


@pytest.mark.parametrize(("name", "size"), [("logistics", 12), ("gripper", 8), ("transport", 10), ("satellite", 12)])
def test_without_a_limit_the_plan_becomes_a_cheapest_one(name: str, size: int) -> None:
    source = load_domain(name)
    for seed in range(4):
        task = Task(source.domain, next(source.instances(size, seed=seed)).problem)
        plans = [search(task).plan]
        improving = Improvement(task, plans[0], UNLIMITED)
        plans += improving.plans()
        assert improving.optimal
        costs = [cost_of(task, plan) for plan in plans]
        assert all(later < earlier for earlier, later in pairwise(costs))
        assert costs[-1] == best_cost(task)


def test_greedy_search_may_know_better() -> None:
    source = load_domain("gripper")
    task = Task(source.domain, next(source.instances(8, seed=1)).problem)
    plan = search(task).plan
    there, back = Action("move", ("rooma", "roomb")), Action("move", ("roomb", "rooma"))
    assert next(improve(task, (there, back) * 10 + plan, Limits(60.0))) == plan
    assert plan not in improve(task, plan, Limits(60.0))


def test_fractions_of_costs_absences_and_constants() -> None:
    domain = parse_domain(DELIVERY)
    task = Task(domain, parse_problem(PARCELS, domain))
    plans = [search(task).plan]
    plans += improve(task, plans[0], UNLIMITED)
    assert cost_of(task, plans[-1]) == pytest.approx(best_cost(task))


ROAD = """(define (domain road) (:predicates (at ?x) (next ?x ?y) (done ?x) (free))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x))))
  (:action work :parameters (?x) :precondition (and (at ?x) (free)) :effect (and (done ?x) (not (free))))
  (:action rest :parameters (?x) :precondition (at ?x) :effect (free)))"""


def road(goal: str) -> Task:
    """A ring of places from a to f, and back."""
    edges = " ".join(f"(next {x} {y}) (next {y} {x})" for x, y in pairwise("abcdefa"))
    text = (
        f"(define (problem p) (:domain road) (:objects a b c d e f) (:init (at a) (free) {edges}) (:goal (and {goal})))"
    )
    domain = parse_domain(ROAD)
    return Task(domain, parse_problem(text, domain))


def steps_of(task: Task, text: str) -> Steps:
    return [task.numbered_action(Action(words[0], tuple(words[1:]))) for words in map(str.split, text.split(", "))]


def window(task: Task, plan: Steps, first: int, last: int) -> tuple[str, Steps]:
    solution = _core.solve_window(task.engine, plan, first, last)
    return solution.ending, solution.plan


def test_a_window_gives_the_rest_of_the_plan_what_it_needs() -> None:
    """From a to c the short way; but `free` has to hold there, and what is done is done in the last step."""
    task = road("(done c)")
    long = steps_of(task, "go a f, go f e, work e, go e d, rest d, go d c, work c")
    ending, plan = window(task, long, 0, 6)
    assert ending == "solved"
    assert plan == steps_of(task, "go a b, go b c, work c")
    assert window(task, plan, 0, 2) == ("unsolvable", [])
    assert window(task, long, 3, 3) == ("unsolvable", [])


def test_windows_keep_what_later_steps_need() -> None:
    task = road("(done a) (done c)")
    plan = steps_of(task, "work a, rest a, go a b, go b c, work c")
    for first in range(len(plan)):
        for last in range(first, len(plan) + 1):
            assert window(task, plan, first, last) == ("unsolvable", [])


@pytest.mark.parametrize(("first", "last"), [(0, 9), (3, 2)])
def test_windows_lie_within_the_plan(first: int, last: int) -> None:
    task = road("(done a)")
    with pytest.raises(ValueError, match="within the plan"):
        window(task, steps_of(task, "work a"), first, last)


CARTS = parse_domain("""(define (domain carts) (:requirements :typing) (:types cart parcel)
  (:predicates (waits ?p - parcel) (in ?p - parcel ?c - cart) (there ?p - parcel) (here ?c - cart) (away ?c - cart)
    (fits ?p - parcel ?c - cart))
  (:action load :parameters (?c - cart ?p - parcel) :precondition (and (here ?c) (waits ?p) (fits ?p ?c))
    :effect (and (in ?p ?c) (not (waits ?p))))
  (:action go :parameters (?c - cart) :precondition (here ?c) :effect (and (away ?c) (not (here ?c))))
  (:action unload :parameters (?c - cart ?p - parcel) :precondition (and (away ?c) (in ?p ?c))
    :effect (and (there ?p) (not (in ?p ?c)))))""")
TWO_CARTS = """(define (problem p) (:domain carts) (:objects u v w - cart p q r - parcel)
  (:init (here u) (here v) (here w) (waits p) (waits q) (waits r)
    (fits p u) (fits q u) (fits p v) (fits q v) (fits q w) (fits r w))
  (:goal (and (there p) (there q) (there r))))"""


def test_the_chosen_steps_stand_together_with_what_lies_between_them() -> None:
    task = Task(CARTS, parse_problem(TWO_CARTS, CARTS))
    plan = steps_of(task, "load w r, load u p, go w, go u, load v q, unload w r, go v, unload u p, unload v q")
    steps, first, last = _core.gather_window(task.engine, plan, [1, 7])
    assert steps[first:last] == steps_of(task, "load u p, go u, unload u p")
    assert steps[:first] == [step for step in plan if step not in steps[first:last]] and last == len(plan)
    steps, first, last = _core.gather_window(task.engine, plan, [4])
    after = steps_of(task, "go v, unload v q")
    assert (steps[first:last], steps[last:]) == (steps_of(task, "load v q"), after)
    assert _core.gather_window(task.engine, plan, [])[1:] == (9, 9)
    with pytest.raises(ValueError, match="a chosen step is one of the plan"):
        _core.gather_window(task.engine, plan, [9])


def test_one_object_does_the_work_of_another_where_it_can() -> None:
    """The cart u takes what v took, and w what only w can take. Its loads come before it goes."""
    task = Task(CARTS, parse_problem(TWO_CARTS, CARTS))
    plan = steps_of(task, "load u p, go u, unload u p, load v q, go v, unload v q, load w r, go w, unload w r")
    fewer = _core.hand_over(task.engine, plan)
    assert len(fewer) == 8 and task.numbered_action(Action("go", ("w",))) in fewer
    assert cost_of(task, tuple(task.named_action(*step) for step in fewer)) == 8
    assert _core.hand_over(task.engine, fewer) == fewer
    alone = steps_of(task, "load u p, go u, unload u p, load w q, load w r, go w, unload w q, unload w r")
    assert _core.hand_over(task.engine, alone) == alone  # neither cart can take all


def test_an_action_may_be_missing_for_the_work_of_another() -> None:
    """Nobody turns from b to c in the plan, but whoever has worked at b may do that."""
    domain = parse_domain("""(define (domain workers) (:requirements :typing) (:types worker place)
      (:predicates (asleep ?w - worker) (awake ?w - worker) (at ?w - worker ?x - place) (done ?x - place))
      (:action wake :parameters (?w - worker) :precondition (asleep ?w) :effect (and (awake ?w) (not (asleep ?w))))
      (:action turn :parameters (?w - worker ?x ?y - place) :precondition (and (awake ?w) (at ?w ?x))
        :effect (and (at ?w ?y) (not (at ?w ?x))))
      (:action work :parameters (?w - worker ?x - place) :precondition (and (awake ?w) (at ?w ?x))
        :effect (done ?x)))""")
    text = """(define (problem p) (:domain workers) (:objects v w - worker a b c - place)
      (:init (asleep v) (asleep w) (at v a) (at w a)) (:goal (and (done b) (done c))))"""
    task = Task(domain, parse_problem(text, domain))
    plan = steps_of(task, "wake v, turn v a b, work v b, wake w, turn w a c, work w c")
    alone = steps_of(task, "wake w, turn w a b, work w b, turn w b c, work w c")
    assert _core.hand_over(task.engine, plan) == alone


@pytest.mark.parametrize(("price", "steps"), [(1, 5), (5, 6)])
def test_work_is_not_handed_over_if_that_costs_more(price: int, steps: int) -> None:
    dear = write_domain(CARTS).replace("(:action", "(:functions (total-cost) (price ?c - cart)) (:action", 1)
    dear = dear.replace("(not (waits ?p))", "(not (waits ?p)) (increase (total-cost) (price ?c))")
    dear = dear.replace("(not (here ?c))", "(not (here ?c)) (increase (total-cost) 1)")
    domain = parse_domain(dear)
    text = TWO_CARTS.replace("(:init", f"(:init (= (price u) {price}) (= (price v) 1) (= (price w) 1)")
    text = text.replace("(fits p v)", "").replace("(there r)", "")
    task = Task(domain, parse_problem(text.replace("(:goal", "(:metric minimize (total-cost)) (:goal"), domain))
    plan = steps_of(task, "load u p, go u, unload u p, load v q, go v, unload v q")
    assert len(_core.hand_over(task.engine, plan)) == steps


@pytest.mark.parametrize(("size", "seed"), [(40, 24), (50, 3), (60, 2), (70, 14)])
def test_childsnack_needs_one_tray(size: int, seed: int) -> None:
    """Far more steps than one window could have. A formula says that this is as short as can be."""
    source = load_domain("childsnack")
    problem = next(source.instances(size, seed=seed)).problem
    task, shortest = Task(source.domain, problem), shortest_length(source.domain, problem)
    plan = load_policy("childsnack").solve(task, UNLIMITED).plan
    steps, fewer = list[tuple[int, list[int]]](), [task.numbered_action(action) for action in plan]
    while fewer != steps:
        steps, fewer = fewer, _core.hand_over(task.engine, fewer)
    assert shortest is not None and len(plan) > shortest == len(steps)
    improving = Improvement(task, plan, UNLIMITED, shortest)
    plans = list(improving.plans())
    assert improving.optimal and cost_of(task, plans[-1]) == shortest


def test_a_window_that_spans_the_plan_is_solved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its solution is optimal, and need not be proven to be."""
    spanning, solve = list[str](), _core.solve_window

    def noted(engine: _core.Engine, steps: Steps, first: int, last: int) -> _core.Solution:
        solution = solve(engine, steps, first, last)
        spanning.extend([solution.ending] * (last - first == len(steps)))
        return solution

    monkeypatch.setattr(_core, "solve_window", noted)
    task = road("(done c) (done d)")
    plan = steps_of(task, "go a f, go f e, go e d, work d, rest d, go d c, work c")
    improving = Improvement(task, tuple(task.named_action(*step) for step in plan), UNLIMITED)
    assert [len(each) for each in improving.plans()] == [6]
    assert improving.optimal and spanning == ["solved"]


def test_a_bound_ends_the_improvement(monkeypatch: pytest.MonkeyPatch) -> None:
    """LM-cut knows that there is no shorter way."""
    monkeypatch.setattr(_core, "solve_window", None)
    task = road("(done c)")
    plan = tuple(task.named_action(*step) for step in steps_of(task, "go a b, go b c, work c"))
    improving = Improvement(task, plan, Limits(60.0))
    assert list(improving.plans()) == [] and improving.optimal
    assert not Improvement(task, plan, Limits(60.0), bound=2).optimal


def test_steps_that_build_on_each_other_stand_together() -> None:
    domain = parse_domain("""(define (domain walk) (:predicates (at ?w ?x) (next ?x ?y) (taken ?x))
      (:action go :parameters (?w ?x ?y) :precondition (and (at ?w ?x) (next ?x ?y) (not (taken ?y)))
        :effect (and (at ?w ?y) (not (at ?w ?x)) (taken ?y) (not (taken ?x)))))""")
    text = """(define (problem p) (:domain walk) (:objects v w a b c k l m)
      (:init (at v a) (at w k) (next a b) (next b c) (next k l) (next l m) (next l b))
      (:goal (and (at v c) (at w m))))"""
    task = Task(domain, parse_problem(text, domain))
    mixed = steps_of(task, "go v a b, go w k l, go v b c, go w l m")
    assert _core.gather_steps(task.engine, mixed) == steps_of(task, "go v a b, go v b c, go w k l, go w l m")
    text = text.replace("(at w m)", "(at w b)")  # where v has to have left
    task = Task(domain, parse_problem(text, domain))
    mixed = steps_of(task, "go v a b, go w k l, go v b c, go w l b")
    assert _core.gather_steps(task.engine, mixed)[-1] == mixed[-1]


def test_windows_overlap_and_become_wider_until_one_is_the_whole_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each may take a tenth of the time that is left."""
    watched, asked = list[float](), list[tuple[int, int]]()

    def noted(limits: Limits, work: Callable[[], object]) -> object:
        watched.append(limits.seconds or 0)
        return within(limits, work)

    def nothing_better(_: object, steps: object, first: int, last: int) -> SimpleNamespace:
        asked.append((first, last))
        assert 50 < watched[-1] <= 100
        return SimpleNamespace(ending="unsolvable", plan=[])

    monkeypatch.setattr(improvement, "PAIRS", 0)
    monkeypatch.setattr(improvement, "within", noted)
    monkeypatch.setattr(_core, "solve_window", nothing_better)
    task = road("(done a) (done b) (done c) (done d) (at e) (free)")
    stops = ", ".join(f"work {x}, rest {x}, go {x} {y}" for x, y in pairwise("abcde"))
    plan = tuple(task.named_action(*step) for step in steps_of(task, stops))
    assert list(improve(task, plan, Limits(1000.0))) == []
    assert asked == [(0, 6), (3, 9), (6, 12), (0, 9), (4, 12), (0, 12)]


def test_windows_around_pairs_of_objects(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two objects of one type; each window has up to six of their steps, and overlaps half of the one before."""
    task = Task(CARTS, parse_problem(TWO_CARTS, CARTS))
    plan = steps_of(task, "load u p, go u, unload u p, load v q, go v, unload v q, load w r, go w, unload w r")
    windows: list[Steps] = []

    def nothing_better(_: object, steps: Steps, first: int, last: int) -> SimpleNamespace:
        windows.append(steps[first:last])
        return SimpleNamespace(ending="no-unvisited-successor" if len(windows) < 30 else "unsolvable", plan=[])

    monkeypatch.setattr(_core, "solve_window", nothing_better)
    monkeypatch.setattr(_core, "hand_over", lambda _, steps: steps)
    monkeypatch.setattr(improvement, "search", lambda *_: Trajectory(Ending.TIME_LIMIT))
    monkeypatch.setattr(improvement, "WIDER", 9.0)
    assert list(improve(task, tuple(task.named_action(*step) for step in plan), Limits(1000.0))) == []
    pairs = [[plan[i + j] for j in range(3)] for i in (0, 3, 6)]
    for one, other in ((0, 1), (0, 2), (1, 2)):
        both = [step for step in plan if step in pairs[one] + pairs[other]]
        assert both in windows and both[3:] in windows


def test_a_cheaper_plan_may_have_more_steps() -> None:
    domain = parse_domain("""(define (domain toll) (:predicates (here) (halfway) (there)) (:functions (total-cost))
      (:action fly :precondition (here) :effect (and (there) (increase (total-cost) 9)))
      (:action walk :precondition (here) :effect (and (halfway) (increase (total-cost) 1)))
      (:action arrive :precondition (halfway) :effect (and (there) (increase (total-cost) 1))))""")
    text = "(define (problem p) (:domain toll) (:init (here)) (:goal (there)) (:metric minimize (total-cost)))"
    task = Task(domain, parse_problem(text, domain))
    (better,) = improve(task, (Action("fly", ()),), UNLIMITED)
    assert [action.schema for action in better] == ["walk", "arrive"]


def test_no_time_no_change() -> None:
    task = road("(done c)")
    plan = tuple(task.named_action(*step) for step in steps_of(task, "go a f, go f a, go a b, go b c, work c"))
    assert list(improve(task, plan, Limits(seconds=0.0))) == []
    assert list(improve(road("(at a)"), (), UNLIMITED)) == []


WAYS = """(define (domain ways) (:predicates (start) (middle) (near) (nearer) (there) (dirty) (done))
  (:action jump :precondition (start) :effect (and (there) (dirty) (not (start))))
  (:action walk :precondition (start) :effect (and (middle) (not (start))))
  (:action arrive :precondition (middle) :effect (and (there) (not (middle))))
  (:action crawl :precondition (start) :effect (and (near) (not (start))))
  (:action creep :precondition (near) :effect (and (nearer) (not (near))))
  (:action come :precondition (nearer) :effect (and (there) (not (nearer))))
  (:action wash :precondition (there) :effect (not (dirty)))
  (:action enter :precondition (and (there) (not (dirty))) :effect (done)))"""


@pytest.mark.parametrize(
    ("rest", "expected"), [("enter", "walk arrive enter"), ("wash enter", "jump wash enter")]
)  # whoever jumps gets dirty, and must wash before he enters
def test_a_window_keeps_out_what_the_rest_forbids_and_nothing_else(rest: str, expected: str) -> None:
    domain = parse_domain(WAYS)
    task = Task(domain, parse_problem("(define (problem p) (:domain ways) (:init (start)) (:goal (done)))", domain))
    plan = [task.numbered_action(Action(name, ())) for name in f"crawl creep come {rest}".split()]
    ending, steps = window(task, plan, 0, 3)
    assert ending == "solved" and " ".join(task.named_action(*step).schema for step in steps) == expected
