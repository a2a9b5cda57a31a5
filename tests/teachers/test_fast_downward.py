from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from liftq.engine.solver import Ending, Limits
from liftq.engine.task import Task
from liftq.engine.validator import validate
from liftq.errors import InputError
from liftq.pddl.structures import Atom, Literal
from liftq.teachers import teacher, teachers
from liftq.teachers.fast_downward import FastDownward, find_driver, has_axioms
from liftq.teachers.orbit_search import OrbitSearch
from tests.engine.beyond_strips import ALL, task_of

Install = Callable[[str], Path]
LIMITS = Limits(seconds=30, memory_bytes=2**31)
PLAN = "(board a x)\n(sail x y)\n(debark a y)\n(board b y)\n(sail y x)\n(debark b x)\n"
WRITE = "open('plan', 'w').write({plan!r})\nraise SystemExit({code})"

needs_fast_downward = pytest.mark.skipif(find_driver() is None, reason="Fast Downward is not installed")


def test_every_part_is_a_teacher() -> None:
    assert {"fast_downward", "greedy_search", "lama", "orbit_search"} <= {*teachers()}
    for name in (*teachers(), "seq-opt-lmcut", "astar(blind())"):
        assert teacher(teacher(name).name) == teacher(name)


def test_a_misspelt_teacher_is_not_taken_for_a_configuration() -> None:
    with pytest.raises(InputError, match=r"no teacher `orbit_serch`\n  Did you mean orbit_search\?"):
        teacher("orbit_serch")


@pytest.mark.parametrize(
    ("configuration", "optimal"),
    [
        ("seq-opt-merge-and-shrink", True),
        ("seq-opt-lmcut", True),
        ("astar(lmcut())", True),
        ("astar(lmcut(),pruning=atom_centric_stubborn_sets())", True),
        ("astar(max([lmcut(),merge_and_shrink(max_states=100)]))", True),
        ("astar(max([lmcut(),ff()]))", False),
        ("astar(lmcut(),bound=7)", False),
        ("astar(ff())", False),
        ("eager_greedy([lmcut()])", False),
        ("lama-first", False),
    ],
)
def test_only_proven_configurations_are_optimal(configuration: str, optimal: bool) -> None:
    assert FastDownward(configuration).optimal == optimal


@needs_fast_downward
@pytest.mark.parametrize("name", ["seq-opt-lmcut", "fast_downward", "astar(blind())", "lama"])
def test_real_plans_are_valid(two_cars: Task, name: str) -> None:
    solver = teacher(name)
    found = solver.solve(two_cars, LIMITS)
    assert found.ending is Ending.SOLVED, found.message
    assert validate(two_cars.domain, two_cars.problem, found.plan).valid
    assert found.cost == 6 if solver.optimal else found.cost >= 6


@needs_fast_downward
def test_the_metric_decides_what_is_cheap(journey: Task) -> None:
    found = FastDownward("seq-opt-lmcut").solve(journey, LIMITS)
    walks = journey.problem.minimize_cost
    assert [action.schema for action in found.plan] == (["walk", "walk"] if walks else ["fly"])
    assert found.cost == (2 if walks else 1)


@needs_fast_downward
def test_unsolvable_is_proven(sunk: Task) -> None:
    assert FastDownward("astar(blind())").solve(sunk, LIMITS).ending is Ending.UNSOLVABLE


@needs_fast_downward
@pytest.mark.parametrize(
    ("configuration", "said"), [("seq-opt-nothing", "unknown alias"), ("astar(nothing())", "nothing")]
)
def test_a_bad_configuration_is_explained(two_cars: Task, configuration: str, said: str) -> None:
    found = FastDownward(configuration).solve(two_cars, LIMITS)
    assert found.ending is Ending.SOLVER_MISSING
    assert said in found.message


def test_a_missing_planner_is_reported(two_cars: Task, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LIFTQ_FAST_DOWNWARD", str(tmp_path / "nowhere"))
    found = FastDownward().solve(two_cars, LIMITS)
    assert found.ending is Ending.SOLVER_MISSING
    assert "pip install" in found.message


@pytest.mark.parametrize("code", [0, 1, 2, 3])
def test_a_plan_counts_whatever_an_earlier_part_ran_out_of(two_cars: Task, planner: Install, code: int) -> None:
    planner(WRITE.format(plan=PLAN, code=code))
    found = FastDownward().solve(two_cars, LIMITS)
    assert (found.ending, found.cost) == (Ending.SOLVED, 6)


@pytest.mark.parametrize(
    ("script", "ending"),
    [
        ("raise SystemExit(11)", Ending.UNSOLVABLE),
        ("raise SystemExit(12)", Ending.SOLVER_ERROR),
        ("raise SystemExit(20)", Ending.MEMORY_LIMIT),
        ("raise SystemExit(21)", Ending.TIME_LIMIT),
        ("raise SystemExit(22)", Ending.MEMORY_LIMIT),
        ("raise SystemExit(23)", Ending.TIME_LIMIT),
        ("print('bad PDDL'); raise SystemExit(31)", Ending.INVALID_INPUT),
        ("raise SystemExit(0)", Ending.SOLVER_ERROR),  # a plan is promised, but there is none
        ("1 / 0", Ending.SOLVER_ERROR),
        ("import os; os.abort()", Ending.SOLVER_ERROR),
        ("import os; os.kill(os.getpid(), 9)", Ending.SOLVER_ERROR),
        ("x = bytearray(2**29)", Ending.MEMORY_LIMIT),
        (WRITE.format(plan=PLAN[:20], code=0), Ending.INVALID_PLAN),  # goal not reached
        (WRITE.format(plan="(debark a x)", code=0), Ending.INVALID_PLAN),  # not applicable
        (WRITE.format(plan="(swim a x)", code=0), Ending.INVALID_PLAN),  # no such action
        (WRITE.format(plan="nonsense", code=0), Ending.INVALID_PLAN),
        (WRITE.format(plan=PLAN, code=23), Ending.TIME_LIMIT),  # a plan, but no proof that it is optimal
    ],
)
def test_every_ending_has_its_name(two_cars: Task, planner: Install, script: str, ending: Ending) -> None:
    folder = planner(script)
    found = FastDownward().solve(two_cars, Limits(seconds=30, memory_bytes=2**28))
    assert found.ending is ending
    assert found.cost is None
    assert bool(found.message) == (ending in (Ending.SOLVER_ERROR, Ending.INVALID_INPUT, Ending.INVALID_PLAN))
    assert not os.listdir(folder)


def test_a_crash_is_quoted(two_cars: Task, planner: Install) -> None:
    planner("raise RuntimeError('the reason')")
    assert "the reason" in FastDownward().solve(two_cars, LIMITS).message


def test_an_anytime_plan_counts_without_proof(two_cars: Task, planner: Install) -> None:
    planner("open('plan.1', 'w').write('(swim)')\nopen('plan.2', 'w')." + f"write({PLAN!r})\nraise SystemExit(23)")
    assert FastDownward("seq-sat-lama-2011").solve(two_cars, LIMITS).ending is Ending.SOLVED


@needs_fast_downward
@pytest.mark.parametrize("name", ALL)
def test_the_default_supports_all_that_is_read(name: str) -> None:
    task = task_of(name)
    assert FastDownward().solve(task, LIMITS).cost == OrbitSearch().solve(task, LIMITS).cost


@needs_fast_downward
def test_conditional_effects_alone_need_no_blind_search() -> None:
    task = task_of("lift")
    people = ("a", "b", "c")
    plain = Task(task.domain, replace(task.problem, goal=tuple(Literal(Atom("served", (p,))) for p in people)))
    assert has_axioms(task) and not has_axioms(plain)
    assert FastDownward().solve(plain, LIMITS).cost == 7
