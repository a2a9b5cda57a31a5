"""Features beyond classical planning, each with a workaround or a planner that supports it."""

from __future__ import annotations

from typing import NamedTuple

from liftq.errors import PDDLError
from liftq.pddl.source import Source


class Feature(NamedTuple):
    name: str  # in the plural
    fix: str


NUMERIC = Feature(
    "numeric fluents",
    "Only `(increase (total-cost) ...)` by a number or a static function is supported; ENHSP plans with numbers.",
)
DURATIVE = Feature("durative actions", "Write them as plain `:action`s, or take a temporal planner such as OPTIC.")
TIMED = Feature("timed initial literals", "Move what happens later into actions, or take a planner such as OPTIC.")
PREFERENCES = Feature("preferences", "Make it a goal, remove it, or take a planner such as OPTIC.")
CONSTRAINTS = Feature("constraints", "Put them into preconditions and goals, or take a planner such as OPTIC.")
PROCESSES = Feature("processes and events", "Write plain `:action`s, or take a planner such as ENHSP.")
CONDITIONAL_COSTS = Feature(
    "costs that depend on the state", "Split the action, so that each case has its own cost; ENHSP reads them as well."
)
HIERARCHICAL = Feature("hierarchical tasks", "Write goals and plain `:action`s, or take a planner such as PANDA.")
UNCERTAIN = Feature(
    "uncertain facts, effects and observations", "Write an `:action` for each outcome, or take a planner such as PRP."
)
OBJECT_FLUENTS = Feature("object fluents", "Turn the function into a predicate with one more argument.")

SECTIONS = {
    ":durative-action": DURATIVE,
    ":constraints": CONSTRAINTS,
    ":process": PROCESSES,
    ":event": PROCESSES,
    **dict.fromkeys((":task", ":method", ":htn", ":ordered-tasks"), HIERARCHICAL),
    ":observation": UNCERTAIN,
}
PARTS = {":duration": DURATIVE, ":condition": DURATIVE, ":observe": UNCERTAIN}  # of actions
FORMULAS = {  # by the first word
    "preference": PREFERENCES,
    **dict.fromkeys(("oneof", "probabilistic", "unknown"), UNCERTAIN),
    **dict.fromkeys(("<", ">", "<=", ">=", "+", "-", "*", "/"), NUMERIC),
    **dict.fromkeys(("assign", "decrease", "scale-up", "scale-down"), NUMERIC),
}


def refuse(source: Source, at: int, feature: Feature) -> PDDLError:
    return source.error(at, f"{feature.name} are not supported", feature.fix)
