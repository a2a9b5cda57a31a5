"""Limits on steps, time and memory, interrupts, and memory that is given back."""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

from liftq.engine.solver import Ending, Limits
from liftq.engine.task import Task
from liftq.pddl import parse_domain, parse_problem
from tests.policies.corridor import corridor
from tests.policies.untrained import greedy, small_task


def test_step_limit() -> None:
    task = corridor("ab bc cd de ef", "f")
    assert len(greedy(task).solve(task, Limits(steps=5)).plan) == 5
    for fallback, steps in (("search", 0), ("none", 4)):  # a policy alone says how far it came
        trajectory = greedy(task, fallback).solve(corridor("ab bc cd de ef", "f"), Limits(steps=4))
        assert (trajectory.ending, len(trajectory.plan), trajectory.cost) == (Ending.STEP_LIMIT, steps, None)


def test_time_and_memory_limits() -> None:
    task = small_task("sokoban")
    policy = greedy(task)
    assert policy.solve(task, Limits(seconds=0.0)).ending == Ending.TIME_LIMIT
    assert policy.solve(small_task("sokoban"), Limits(memory_bytes=1)).ending == Ending.MEMORY_LIMIT
    assert policy.solve(small_task("sokoban"), Limits(memory_bytes=1)).message


def test_time_is_recorded_for_every_ending() -> None:
    for steps in (1, 5):
        task = corridor("ab bc", "c")
        assert greedy(task).solve(task, Limits(steps=steps)).seconds > 0


def test_step_limits_may_be_any_number() -> None:
    task = corridor("ab bc", "c")
    assert greedy(task).solve(task, Limits(steps=10**30)).solved


def test_limits_hold_within_one_expansion_and_one_pass() -> None:
    """Of 4 million actions that are no twins, and of networks that value as many."""
    domain = parse_domain("(define (domain triples) (:predicates (next ?x ?y) (q ?x ?y ?z) (done))"
        "(:action mark :parameters (?x ?y ?z) :effect (q ?x ?y ?z)))")  # fmt: skip
    names = [f"o{number}" for number in range(160)]
    chain = " ".join(f"(next {a} {b})" for a, b in pairwise(names))
    text = f"(define (problem p) (:domain triples) (:objects {' '.join(names)}) (:init {chain}) (:goal (done)))"
    task = Task(domain, parse_problem(text, domain))
    assert greedy(task).solve(task, Limits(seconds=0.3)).ending is Ending.TIME_LIMIT
    assert greedy(task).solve(task, Limits(seconds=2.0)).ending is Ending.TIME_LIMIT
    assert greedy(task).solve(task, Limits(memory_bytes=100 << 20)).ending is Ending.MEMORY_LIMIT


def test_an_interrupt_is_noticed_at_once() -> None:
    code = """
from tests.policies.untrained import greedy, small_task
task = small_task("sokoban")
print("ready", flush=True)
try:
    for _ in range(10**9):
        greedy(task).solve(small_task("sokoban"))
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
    root = Path(__file__).parents[2]
    with subprocess.Popen([sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        process.send_signal(2)
        assert process.stdout.readline() == "interrupted\n"
        assert process.wait() == 0


def test_many_solves_leak_nothing() -> None:
    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    task = small_task("ferry")
    policy = greedy(task, "none")

    def play(times: int) -> None:
        for seed in range(times):
            policy.solve(Task(task.domain, task.problem), Limits(steps=seed % 5))

    play(100)
    before = resident()
    play(400)
    assert (resident() - before) * 4096 < 4 * 2**20
