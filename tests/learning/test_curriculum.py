"""Derived problems are as hard as the teacher can bear, never held out, and the same after a kill."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice, product
from pathlib import Path
from random import Random

import pytest

from liftq.domains import Dice, domains
from liftq.engine.solver import Ending, Limits, Plan
from liftq.engine.task import Task
from liftq.learning.curriculum import KINDS, MARK, Curriculum, DerivedTeaching, Ground, Reach, easier, harder, kind_of
from liftq.learning.derive import may_be_solvable
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.structures import Problem
from liftq.pddl.writer import write_problem
from liftq.problems import Instance
from liftq.problems.fingerprint import fingerprint, open_goals
from liftq.problems.loading import load_domain
from liftq.problems.structure import UpToNames
from liftq.teachers import teacher
from liftq.teaching.attempt import Attempt
from liftq.teaching.corpus import Corpus
from liftq.teaching.journal import Journal
from liftq.teaching.teach import Quota, Row, schedule
from tests.learning.hopeless import Hopeless
from tests.problems.renaming import shuffled

FERRY = load_domain("ferry")
LIMITS = Limits(seconds=60)


def problem_of(size: int) -> Problem:
    return next(each.problem for each in FERRY.instances(size) if len(open_goals(FERRY.domain, each.problem)) >= 3)


def ground_of(size: int) -> Ground:
    return Ground(Task(FERRY.domain, problem_of(size)))


def attempt(instance: Instance, ending: Ending, seconds: float = 0.0) -> Attempt:
    return Attempt(instance.problem.size, instance.fingerprint, "t", LIMITS, ending, seconds)


def curriculum(ground: Ground, **options: object) -> Curriculum:
    settings = {"known": {}, "held_out": frozenset(), "key": ("test",), "slow": 30.0} | options
    return Curriculum(ground, Reach(), **settings)  # type: ignore[arg-type]


def follow(made: Curriculum, endings: list[Ending], seconds: float = 0.0) -> list[tuple[Instance, int]]:
    """Each problem that is drawn, with the level at that time."""
    drawn = []
    for ending in endings:
        instance = made.row.draw()
        assert instance is not None
        drawn.append((instance, made.level))
        made.row.attempts.append(attempt(instance, ending, seconds))
    made.row.draw()
    return drawn


def test_the_level_follows_the_teacher() -> None:
    easy = curriculum(ground_of(12))
    follow(easy, [Ending.SOLVED])
    assert easy.level == ground_of(12).cost
    hard = curriculum(ground_of(12))
    follow(hard, [Ending.TIME_LIMIT] * 3)
    assert hard.level == 1
    slow = curriculum(ground_of(12))
    follow(slow, [Ending.TIME_LIMIT, *[Ending.SOLVED] * 6], seconds=50.0)
    assert slow.level == 1
    fast = curriculum(ground_of(12))
    follow(fast, [Ending.TIME_LIMIT, *[Ending.SOLVED] * 6])
    assert fast.level > 1


def test_a_search_begins_with_all_goals_and_goes_down() -> None:
    made = curriculum(rich_ground(), from_top=True)
    follow(made, [Ending.TIME_LIMIT])
    assert made.level == rich_ground().cost // 2
    follow(made, [Ending.TIME_LIMIT] * 16)
    assert made.level == 1


def test_optimal_teachers_improve_on_plans_of_a_search() -> None:
    ground = rich_ground()
    given = next(derived_row([]).instances)
    for label, known in (("search", False), ("orbit_search", True)):
        solved = replace(attempt(given, Ending.SOLVED), teacher=label)
        teaching = DerivedTeaching(FERRY, teacher("orbit_search"), LIMITS, Quota(1), 0, 0, grounds=(ground,))
        (row,) = teaching.rows([solved])
        assert (next(row.instances).fingerprint != given.fingerprint) == known


def test_where_the_teacher_failed_it_is_not_asked_again() -> None:
    made = curriculum(ground_of(25))
    drawn = follow(made, [Ending.TIME_LIMIT, *[Ending.SOLVED] * 12, Ending.TIME_LIMIT, *[Ending.SOLVED] * 20])
    levels = [level for _, level in drawn]
    assert levels[13] > 2 and max(levels[14:]) < levels[13]


def test_unsolvable_problems_do_not_change_the_level() -> None:
    made = curriculum(ground_of(12))
    follow(made, [Ending.SOLVED, *[Ending.UNSOLVABLE] * 4])
    assert made.level == ground_of(12).cost


def test_larger_problems_are_not_tried_whole_after_two_failures() -> None:
    grounds = tuple(map(ground_of, (8, 9, 10, 11)))
    teaching = DerivedTeaching(FERRY, Hopeless(), LIMITS, Quota(1), 0, 0, grounds=grounds)
    rows = teaching.rows([])
    whole = []
    for row, ground in zip(rows, grounds, strict=True):
        for _ in range(3):
            instance = row.draw()
            assert instance is not None
            row.attempts.append(attempt(instance, Ending.TIME_LIMIT))
            whole.append(instance.problem == ground.task.problem)
    assert [any(whole[place : place + 3]) for place in (0, 3, 6, 9)] == [True, True, False, False]


def test_held_out_problems_do_not_come_up() -> None:
    free = [instance.problem for instance, _ in follow(curriculum(ground_of(9)), [Ending.SOLVED] * 30)]
    held_out = UpToNames.of(shuffled(problem, Random(1)) for problem in free[1::2])
    bound = [each.problem for each, _ in follow(curriculum(ground_of(9), held_out=held_out), [Ending.SOLVED] * 30)]
    assert any(each in held_out for each in free) and not any(each in held_out for each in bound[1:])  # not given


def test_all_kinds_occur_and_have_their_names(tmp_path: Path) -> None:
    ground = ground_of(11)
    plan = teacher("orbit_search").solve(Task(FERRY.domain, ground.task.problem), LIMITS).plan
    full = replace(ground, plan=plan, visited=plan[:-1])
    teaching = DerivedTeaching(load_domain("ferry"), teacher("orbit_search"), LIMITS, Quota(60), 0, 0, grounds=(full,))
    path = tmp_path / "corpus.jsonl.zst"
    with Journal(path, teaching.source) as journal:
        for row in teaching.rows([]):
            for instance in islice(row.instances, 60):
                journal.append(replace(attempt(instance, Ending.TIME_LIMIT), pddl=write_problem(instance.problem)))
    assert set(Counter(map(kind_of, Corpus.read(path).attempts))) == {"whole", *KINDS}


@pytest.mark.parametrize("kept", [1, 7, 15])
def test_after_a_kill_the_same_problems_follow(kept: int) -> None:
    endings = [Ending.TIME_LIMIT, *[Ending.SOLVED, Ending.SOLVED, Ending.TIME_LIMIT] * 8]
    whole = follow(curriculum(ground_of(10)), endings)
    known = {each.fingerprint: attempt(each, endings[place]) for place, (each, _) in enumerate(whole[:kept])}
    again = follow(curriculum(ground_of(10), known=known), endings[kept:])
    assert [each.fingerprint for each, _ in again] == [each.fingerprint for each, _ in whole[kept:]]


def taught(known: list[Attempt], first_pass: int) -> list[Attempt]:
    """By a teacher that solves problems of up to three goals."""
    grounds = tuple(map(ground_of, (10, 11, 12, 13)))
    quota = Quota(12, first_pass=first_pass)
    teaching = DerivedTeaching(FERRY, Hopeless(), LIMITS, quota, 0, 0, grounds=grounds)
    new = []
    for row, instance in schedule(teaching.rows(known), quota):
        is_easy = len(open_goals(FERRY.domain, instance.problem)) <= 3
        new.append(replace(attempt(instance, Ending.SOLVED if is_easy else Ending.TIME_LIMIT), teacher="hopeless"))
        row.running -= 1
        row.attempts.append(new[-1])
    return new


@pytest.mark.parametrize(("first_pass", "kept"), [(1, 2), (1, 9), (1, 30), (5, 7), (5, 22)])
def test_after_a_kill_the_next_problems_begin_where_they_had_begun(first_pass: int, kept: int) -> None:
    whole = taught([], first_pass)
    assert len(whole) > 40
    again = taught(whole[:kept], first_pass)
    assert {each.fingerprint for each in again} == {each.fingerprint for each in whole[kept:]}


def test_fingerprints_of_given_problems() -> None:
    made = curriculum(ground_of(9))
    first = made.row.draw()
    assert first is not None and first.fingerprint == fingerprint(problem_of(9))


def problems_of(made: Curriculum, count: int, ending: Ending = Ending.SOLVED) -> list[Problem]:
    return [instance.problem for instance, _ in follow(made, [ending] * count)]


def rich_ground() -> Ground:
    """With so many goals that levels can be told apart."""
    return next(
        Ground(Task(FERRY.domain, each.problem))
        for each in FERRY.instances(16)
        if len(open_goals(FERRY.domain, each.problem)) >= 8
    )


def test_as_long_as_all_is_solved_problems_stay_hard_and_differ() -> None:
    made, top = curriculum(rich_ground()), rich_ground().cost
    drawn = [(each.name.partition(MARK)[0], len(open_goals(FERRY.domain, each))) for each in problems_of(made, 25)]
    assert made.level == top and all(goals for _, goals in drawn)
    assert len({goals for kind, goals in drawn if kind == "goals"}) > 1


def test_one_failure_makes_them_a_little_easier() -> None:
    made, top = curriculum(rich_ground()), rich_ground().cost
    follow(made, [Ending.SOLVED, Ending.TIME_LIMIT])
    assert top // 4 <= made.level <= top // 2


def test_problems_without_a_relaxed_plan_are_not_taught() -> None:
    """In spanner, whoever walks past a spanner cannot go back."""
    source = load_domain("spanner")
    ground = Ground(Task(source.domain, next(source.instances(14)).problem))
    drawn = [instance.problem for instance in islice(curriculum(ground).row.instances, 25)]
    assert all(may_be_solvable(source.domain, each) for each in drawn)


def test_objects_stay_if_nothing_can_be_done_without_them() -> None:
    domain = parse_domain(
        """(define (domain d) (:predicates (truck ?t) (there ?x))
        (:action go :parameters (?t ?x) :precondition (truck ?t) :effect (there ?x)))""",
        "d",
    )
    text = "(define (problem p) (:domain d) (:objects a b c) (:init (truck a)) (:goal (there b)))"
    ground = Ground(Task(domain, parse_problem(text, domain, "p")))
    derived = [ground.derive("goals", 1, Dice(key)) for key in range(30)]
    assert {tuple(each.name for each in problem.objects) for problem in derived} == {("a", "b"), ("a", "b", "c")}


def test_kinds_start_where_their_names_say() -> None:
    ground = ground_of(8)
    plan = teacher("orbit_search").solve(Task(FERRY.domain, ground.task.problem), LIMITS).plan
    full, whole = replace(ground, plan=plan, visited=plan[:2]), set(ground.task.problem.init)
    moved = {kind: any(set(full.derive(kind, 9, Dice(key)).init) - whole for key in range(12)) for kind in KINDS}
    assert moved == {"goals": False, "walk": True, "reached": False, "plan": True, "visited": True}


def test_what_a_policy_reached_becomes_a_goal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liftq.learning.curriculum.MOST_STEPS", 1)  # random actions move no car to another place
    ground = ground_of(8)
    plan = teacher("orbit_search").solve(Task(FERRY.domain, ground.task.problem), LIMITS).plan
    for visited in ((), plan[:-1]):
        derived = [replace(ground, visited=visited).derive("reached", 99, Dice(key)) for key in range(12)]
        assert any(open_goals(FERRY.domain, each) for each in derived) == bool(visited)


def test_one_success_between_two_failures_keeps_larger_problems_in_reach() -> None:
    reach = Reach()
    left = [
        begun(size, reach, [ending]).reach.is_left
        for size, ending in enumerate((Ending.TIME_LIMIT, Ending.SOLVED, *[Ending.TIME_LIMIT] * 2), start=8)
    ]
    assert left == [False, False, False, True]


def begun(size: int, reach: Reach, endings: list[Ending], from_top: bool = False) -> Curriculum:
    """The next problem of a teaching."""
    made = replace(curriculum(ground_of(size), from_top=from_top), reach=reach)
    for ending in endings:
        instance = made.row.draw()
        assert instance is not None
        made.row.attempts.append(attempt(instance, ending))
    return made


def test_the_next_problem_begins_where_the_teacher_has_come_to() -> None:
    failed, solved = Ending.TIME_LIMIT, Ending.SOLVED
    reach = Reach(first=4)
    for size in (12, 13):
        begun(size, reach, [failed, *[solved] * 3])
    most = max(level for level, is_solved in reach.begun[-1].outcomes(4) if is_solved)
    assert begun(14, reach, [solved]).level == most > 3


def test_if_all_was_solved_the_next_problem_begins_with_more() -> None:
    """Otherwise a search, of which a single attempt counts, would sink from problem to problem."""
    reach = Reach(first=1)
    for size in range(10, 13):
        begun(size, reach, [Ending.TIME_LIMIT], from_top=True)
    ((level, _),) = begun(13, reach, [Ending.SOLVED], from_top=True).outcomes(1)
    assert reach.level == harder(level)


def test_a_search_that_failed_at_a_problem_begins_the_next_with_less() -> None:
    """Though nothing else of it has been tried yet."""
    reach = Reach(first=1)
    for size in range(10, 14):
        made = begun(size, reach, [Ending.TIME_LIMIT], from_top=True)
        ((level, _),) = made.outcomes(1)
        assert reach.level == easier(level)
    assert level <= made.level < made.ground.cost // 2


def test_a_level_counts_attempts_that_are_there_without_a_kill() -> None:
    """After a kill all attempts of the problem before are known at once."""
    reach = Reach(first=2)
    before = begun(12, reach, [Ending.TIME_LIMIT] * 2)
    expected = reach.level
    follow(before, [Ending.SOLVED] * 5)
    assert reach.level == expected


def test_it_ends_after_some_draws_in_a_row_without_a_new_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    verdicts = iter([False, True, False, True, False, False, True])
    monkeypatch.setattr("liftq.learning.curriculum.GIVE_UP", 2)
    monkeypatch.setattr(Curriculum, "_is_new", lambda self, problem: next(verdicts))
    assert len(list(curriculum(ground_of(8)).row.instances)) == 1 + 2  # the given one first


def test_nothing_is_derived_where_there_is_too_much_to_ground(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even tried: each try would take as long as grounding may take."""
    monkeypatch.setattr("liftq.learning.goals.GROUNDING", 0.0)
    monkeypatch.setattr(Ground, "derive", lambda *_: pytest.fail("a try"))
    assert len(list(curriculum(ground_of(8)).row.instances)) == 1


def derived_row(known: list[Attempt], seed: int = 0, seconds: float = 60) -> Row:
    limits = Limits(seconds=seconds)
    teaching = DerivedTeaching(FERRY, Hopeless(), limits, Quota(9), 0, 0, seed=seed, grounds=(rich_ground(),))
    (row,) = teaching.rows(known)
    return row


def test_another_seed_derives_others() -> None:
    first, again, other = (
        [each.fingerprint for each in islice(derived_row([], seed).instances, 9)] for seed in (0, 0, 1)
    )
    assert first == again and first[0] == other[0] and first != other


def test_with_more_time_problems_are_tried_again() -> None:
    given = next(derived_row([]).instances)
    failed = replace(attempt(given, Ending.TIME_LIMIT), teacher="hopeless", limits=LIMITS)
    assert next(derived_row([failed]).instances).fingerprint != given.fingerprint
    assert next(derived_row([failed], seconds=61).instances).fingerprint == given.fingerprint


def test_what_takes_more_than_half_of_the_time_is_hard_enough() -> None:
    row = derived_row([])
    for seconds in (60.0, *[31.0] * 12):
        instance = row.draw()
        assert instance is not None
        row.attempts.append(attempt(instance, Ending.TIME_LIMIT if seconds == 60 else Ending.SOLVED, seconds))
        assert seconds == 60 or len(open_goals(FERRY.domain, instance.problem)) == 1


@pytest.mark.parametrize("name", domains())
def test_derived_problems_are_problems_of_the_domain(name: str) -> None:
    """Whatever is derived can be written and read, and is about some of the given objects and static atoms."""
    source = load_domain(name)
    task = Task(source.domain, next(source.instances(source.sizes(1, 60)[:6][-1])).problem)
    run = some_run(task, Dice(name), 6)
    ground = Ground(task, run, run)
    static = {atom for atom in task.problem.init if atom.predicate not in source.domain.fluents}
    for kind, key in product(KINDS, range(3)):
        problem = ground.derive(kind, 1 + key, Dice(name, kind, key))
        read = parse_problem(write_problem(problem), source.domain, "derived")
        assert fingerprint(read) == fingerprint(problem)
        assert set(problem.objects) <= set(task.problem.objects)
        assert {atom for atom in problem.init if atom.predicate not in source.domain.fluents} <= static


def some_run(task: Task, dice: Dice, steps: int) -> Plan:
    plan, state = [], task.initial_state
    for _ in range(steps):
        choice = task.choice(state)
        if len(choice):
            plan.append(choice.action(dice.below(len(choice))))
            state = task.successor(state, plan[-1])
    return tuple(plan)
