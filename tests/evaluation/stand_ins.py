"""Solvers whose coverage is known, and solvers that misbehave. Other processes import them by name."""

from __future__ import annotations

import ctypes
import os
import random
import time
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from liftq.engine.solver import Action, Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.evaluation.result import Exhausted, Record
from liftq.problems.fingerprint import fingerprint

MARK = "LIFTQ_TEST_MARK"  # environment variable: a file in which `Slow` leaves one byte for each solve


class Ferryman:
    """Solves every ferry problem, car by car."""

    detours = 0  # trips there and back before the first car

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        place = {atom.arguments[0]: atom.arguments[1] for atom in task.problem.init if atom.predicate == "at"}
        (here,) = (atom.arguments[0] for atom in task.problem.init if atom.predicate == "at-ferry")
        there = next(each.name for each in task.problem.objects if each.type == "location" and each.name != here)
        plan = [Action("sail", (here, there)), Action("sail", (there, here))] * self.detours
        for goal in task.problem.goal:
            car, target = goal.atom.arguments
            if here != place[car]:
                plan.append(Action("sail", (here, place[car])))
            plan += [Action("board", (car, place[car])), Action("sail", (place[car], target))]
            plan.append(Action("debark", (car, target)))
            here = target
        if limits.steps is not None and len(plan) > limits.steps:
            return Trajectory(Ending.STEP_LIMIT, tuple(plan[: limits.steps]))
        return Trajectory(Ending.SOLVED, tuple(plan))


class Dawdler(Ferryman):
    """Too late for the step limit."""

    detours = 70


class Coin(Ferryman):
    """Solves problems with a chance that falls with their size, and the same problem always alike."""

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        if random.Random(fingerprint(task.problem)).random() < chance(task.problem.size):
            return super().solve(task, limits)
        return Trajectory(Ending.NO_UNVISITED_SUCCESSOR)


def chance(size: int) -> float:
    return 1 if size <= 10 else max(0.0, 1 - (size - 10) / 10)


class Crash:
    def solve(self, task: Task, limits: Limits) -> Trajectory:
        ctypes.string_at(0)
        raise AssertionError("unreachable")


class SometimesCrash(Ferryman):
    """Takes its process down on every sixteenth problem or so."""

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        if int(fingerprint(task.problem), 16) % 16 == 0:
            os._exit(7)
        return super().solve(task, limits)


class Raise:
    def solve(self, task: Task, limits: Limits) -> Trajectory:
        raise ZeroDivisionError("of all things")


class Hang:
    def solve(self, task: Task, limits: Limits) -> Trajectory:
        while True:
            time.sleep(1)


class Hog:
    def solve(self, task: Task, limits: Limits) -> Trajectory:
        blocks = []
        while True:
            blocks.append(bytearray(1 << 28))


class Liar:
    """Claims that nothing has to be done."""

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        return Trajectory(Ending.SOLVED, cost=0)


class Babbler:
    """Claims a plan of actions that do not exist."""

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        return Trajectory(Ending.SOLVED, (Action("fly", ("home",)),))


class Slow(Coin):
    def solve(self, task: Task, limits: Limits) -> Trajectory:
        with Path(os.environ[MARK]).open("ab") as file:
            file.write(b".")
        time.sleep(0.02)
        return super().solve(task, limits)


class Broken:
    def __init__(self) -> None:
        raise RuntimeError("no luck today")


def timeless(records: Iterable[Record]) -> list[Record]:
    """In the order of sizes and numbers, without what differs from run to run."""
    bare = [replace(each, run="", **({} if isinstance(each, Exhausted) else {"seconds": 0})) for each in records]
    return sorted(bare, key=lambda each: (each.size, getattr(each, "number", 999)))
