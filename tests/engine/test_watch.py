"""Limits on time and memory: they hold in Python, in every part of the core, and leave tasks as good as new."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from itertools import pairwise

import pytest

from liftq.engine.heuristics import Heuristics
from liftq.engine.solver import Ending, Limits
from liftq.engine.task import Task
from liftq.engine.watch import Countdown, growth_up_to, within
from liftq.errors import InputError
from liftq.pddl import parse_domain, parse_problem

TRIPLES = parse_domain("""(define (domain triples) (:predicates (next ?x ?y) (q ?x ?y ?z) (done))
  (:action mark :parameters (?x ?y ?z) :effect (q ?x ?y ?z))
  (:action end :parameters (?x ?y ?z) :precondition (and (q ?x ?y ?z) (next ?x ?y)) :effect (done)))""")
HUGE = 1000  # objects: 10^9 actions, which take minutes and more memory than there is


def triples(objects: int, more: str = "") -> Task:
    """The cube of so many actions are applicable; no two objects are twins."""
    names = [f"o{number}" for number in range(objects)]
    init = " ".join(f"(next {a} {b})" for a, b in pairwise(names))
    text = f"(define (problem p) (:domain triples) (:objects {' '.join(names)}) (:init {init} {more}) (:goal (done)))"
    return Task(TRIPLES, parse_problem(text, TRIPLES))


def for_ever() -> None:
    while True:
        pass


def test_time_in_python() -> None:
    started = time.monotonic()
    assert within(Limits(seconds=0.1), for_ever) is Ending.TIME_LIMIT
    assert time.monotonic() - started >= 0.1


def test_time_in_python_in_a_thread() -> None:
    endings = []
    thread = threading.Thread(target=lambda: endings.append(within(Limits(seconds=0.1), for_ever)))
    thread.start()
    thread.join()
    assert endings == [Ending.TIME_LIMIT]


def test_memory_in_python() -> None:
    held = []

    def grow() -> None:
        while True:
            held.append(bytes(range(256)) * 4000)

    assert within(Limits(memory_bytes=50 << 20), grow) is Ending.MEMORY_LIMIT
    assert len(held) < 1000  # a gigabyte: it took notice


CLASS_ATTRIBUTE = """
class Slow:
    def __set_name__(self, owner, name):
        while True:
            pass
class Owner:
    slow = Slow()
"""


def test_a_limit_holds_while_a_class_is_created() -> None:
    """Python makes a RuntimeError of whatever is raised there, as in the middle of an import."""
    assert within(Limits(seconds=0.1), lambda: exec(CLASS_ATTRIBUTE, {})) is Ending.TIME_LIMIT


def test_errors_within_the_limits_are_errors() -> None:
    with pytest.raises(ZeroDivisionError):
        within(Limits(seconds=60), lambda: 1 // 0)


def test_nothing_is_raised_afterwards() -> None:
    for _ in range(20):
        within(Limits(seconds=0.001), lambda: time.sleep(0.002))
        end = time.monotonic() + 0.02
        while time.monotonic() < end:
            pass


AFTERWARDS = """
import sys
from liftq.engine.solver import Limits
from liftq.engine.watch import within
def for_ever():
    while True:
        pass
within(Limits(seconds=0.01), for_ever)
sys.settrace(lambda *event: None)
(lambda: print("went on"))()
"""


def test_functions_can_be_traced_afterwards() -> None:
    """Debuggers and coverage do. In a process of its own, as it might hang."""
    finished = subprocess.run([sys.executable, "-c", AFTERWARDS], capture_output=True, text=True, timeout=60)
    assert finished.stdout == "went on\n", finished.stderr


def test_work_within_its_limits_is_not_disturbed() -> None:
    task = triples(5)
    assert within(Limits(seconds=1000, memory_bytes=1 << 40), lambda: len(task.choice(task.initial_state))) == 125


def test_one_inside_another() -> None:
    inner: list[object] = []  # what came of it

    def nested() -> None:
        inner.append(within(Limits(seconds=1000), for_ever))

    assert within(Limits(seconds=0.1), nested) is Ending.TIME_LIMIT
    assert inner == []  # the limit was not its own


def work(part: str, task: Task) -> None:
    len(task.choice(task.initial_state)) if part == "expansion" else Heuristics(task)


@pytest.mark.parametrize("part", ["expansion", "grounding"])
def test_time_in_the_core(part: str) -> None:
    task = triples(HUGE)
    assert within(Limits(seconds=0.2), lambda: work(part, task)) is Ending.TIME_LIMIT
    assert not task.is_goal(task.initial_state)


def test_one_inside_another_in_the_core() -> None:
    task, inner = triples(HUGE), list[object]()

    def nested() -> None:
        inner.append(within(Limits(seconds=10, memory_bytes=1 << 30), lambda: work("expansion", task)))

    assert within(Limits(seconds=0.2), nested) is Ending.TIME_LIMIT
    assert inner == []


@pytest.mark.parametrize("part", ["expansion", "grounding"])
def test_memory_in_the_core(part: str) -> None:
    task = triples(HUGE)
    assert within(Limits(memory_bytes=30 << 20), lambda: work(part, task)) is Ending.MEMORY_LIMIT


def test_whatever_fails_leaves_the_task_as_it_was() -> None:
    """Memory runs out a little later each time, so that each allocation fails once or twice."""
    fresh = triples(6)
    expected = fresh.choice(fresh.initial_state).actions()
    values = Heuristics(fresh).values("lm_cut", [fresh.initial_state]).tolist()
    task, failed = triples(6), 0
    state = task.initial_state

    def use() -> None:
        len(task.choice(state))
        Heuristics(task).values("lm_cut", [state])
        task.successor(state, expected[3])

    for kilobytes in [each / 4 for each in range(200)]:
        failed += within(Limits(memory_bytes=int(kilobytes * 1024)), use) is Ending.MEMORY_LIMIT
        assert task.choice(state).actions() == expected
    assert Heuristics(task).values("lm_cut", [state]).tolist() == values
    assert task.atoms(task.successor(state, expected[3])) == fresh.atoms(fresh.successor(state, expected[3]))
    assert 10 < failed < 200


def test_heuristics_go_on_after_a_grounding_that_was_stopped() -> None:
    """In a state without an atom that held so far, they ground anew."""
    task = triples(6, more="(q o1 o1 o1)")
    heuristics, bare = Heuristics(task), task.state_of([])
    failed = 0
    for kilobytes in range(200):
        found = within(Limits(memory_bytes=kilobytes * 1024), lambda: heuristics.values("lm_cut", [bare]))
        failed += found is Ending.MEMORY_LIMIT
    assert heuristics.values("lm_cut", [task.initial_state, bare]).tolist() == [2.0, 2.0]
    assert failed > 5


def test_an_interrupt_is_noticed_within_an_expansion() -> None:
    task = triples(HUGE)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)  # as Ctrl-C
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            within(Limits(seconds=60, memory_bytes=4 << 30), lambda: len(task.choice(task.initial_state)))
    finally:
        signal.signal(signal.SIGALRM, before)


def test_an_interrupt_wins_over_a_limit_that_strikes_meanwhile() -> None:
    """Or whatever has limits at the end of a stage would go on with the next one."""

    def interrupted() -> None:
        try:
            raise KeyboardInterrupt
        finally:
            while True:  # until the watchdog raises Stopped
                time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt):
        within(Limits(seconds=0.2), interrupted)


def test_a_task_serves_one_thread_at_a_time() -> None:
    task, errors = triples(25), []

    def work() -> None:
        try:
            for _ in range(5):
                len(task.choice(task.initial_state))
                Heuristics(task).values("lm_cut", [task.initial_state])
        except RuntimeError as error:
            errors.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors and all("another thread" in each for each in errors)
    assert len(task.choice(task.initial_state)) == 25**3  # and is none the worse for it


@pytest.mark.parametrize("limit", [{"seconds": float("nan")}, {"seconds": -1.0}, {"memory_bytes": -1}, {"steps": -1}])
def test_limits_that_cannot_be(limit: dict[str, float]) -> None:
    with pytest.raises(InputError, match="0 or more"):
        Limits(**limit)  # type: ignore[arg-type]


def test_no_limit_is_infinite() -> None:
    assert Limits(seconds=float("inf")) == Limits()


def test_what_was_taken_is_no_longer_left() -> None:
    countdown = Countdown(Limits(seconds=1000, memory_bytes=1 << 30, steps=7))
    held = bytes(range(256)) * (400 << 10)  # 100 MB
    left = countdown.left
    assert 0 < (left.seconds or 0) < 1000 and left.steps == 7
    assert 0 < (left.memory_bytes or 0) < (1 << 30) - len(held) // 2
    assert Countdown(Limits()).left == Limits()


def test_growth() -> None:
    assert growth_up_to(0) == 0
    assert 0 < growth_up_to(1 << 40) < 1 << 40
