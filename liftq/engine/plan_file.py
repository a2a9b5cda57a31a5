"""Plans in the format of the planning competitions: one `(action argument ...)` per line, and the cost as a comment."""

from __future__ import annotations

import re
from os import PathLike

from liftq.engine.solver import Action, Plan
from liftq.engine.vocabulary import Vocabulary
from liftq.errors import PDDLError
from liftq.pddl.source import LINE_END, read_text
from liftq.pddl.structures import Domain, Number, Problem

# Temporal planners and VAL write `0.000: (action argument) [1.000]`: the times say nothing about a sequential plan.
STEP = re.compile(r"(?:[\d.]+\s*:\s*)?\(\s*([^\s()]+(?:\s+[^\s()]+)*)\s*\)\s*(?:\[[\d.]+\]\s*)?", re.ASCII)

WRITTEN = re.compile(r"(?:\([^()\n]+\)\n)*; cost = [-+.\w]+ \((?:unit|general) cost\)\n?")


def read_plan(path: str | PathLike[str], domain: Domain, problem: Problem) -> Plan:
    return parse_plan(read_text(path), domain, problem, str(path))


def parse_plan(text: str, domain: Domain, problem: Problem, file: str = "<plan>") -> Plan:
    """Checks names, arities and types of the actions, but not whether the plan is valid."""
    vocabulary = Vocabulary(domain, problem)
    plan = []
    for number, line in enumerate(LINE_END.split(text), start=1):
        content = line.partition(";")[0].rstrip()
        step = content.lstrip()
        if not step:
            continue
        column = len(content) - len(step) + 1
        match = STEP.fullmatch(step)
        if match is None:
            fix = "A plan has one action per line: `(pick-up b1)`."
            shown = step if len(step) <= 60 else f"{step[:57]}..."
            raise PDDLError(file, number, column, f"`{shown}` is not an action", fix)
        name, *arguments = match[1].lower().split()
        action = Action(name, tuple(arguments))
        if fault := vocabulary.fault(action):
            raise PDDLError(file, number, column, *fault)
        plan.append(action)
    return tuple(plan)


def is_written_plan(text: str) -> bool:
    """Whether the text looks like that of `write_plan`."""
    return WRITTEN.fullmatch(text) is not None


def write_plan(plan: Plan, cost: Number, *, unit_cost: bool) -> str:
    """`unit_cost`: whether every action costs 1, which goes into the comment."""
    kind = "unit" if unit_cost else "general"
    return "".join(f"{action}\n" for action in plan) + f"; cost = {cost} ({kind} cost)\n"
