"""`liftq act`: say what to do next, from any state: JSON lines in, one decision per line out, milliseconds each."""

from __future__ import annotations

import json
import sys
import time
from copy import copy
from typing import Annotated, Any

import msgspec
import typer

from liftq.commands.arguments import DomainFile, FittingPolicy, ProblemFile, finite
from liftq.commands.exit_codes import epilog
from liftq.engine.solver import Action
from liftq.engine.world import World
from liftq.errors import InputError
from liftq.pddl import read_domain, read_problem
from liftq.pddl.structures import Atom
from liftq.policies.actor import Actor
from liftq.zoo import load_policy
from liftq.zoo.bundled import find_policy

EPILOG = epilog(
    """Example: echo '{"executed": true}' | liftq act domain.pddl p01.pddl""", done="standard input has ended"
)


class Report(msgspec.Struct, forbid_unknown_fields=True):
    """A line of input; see `act`."""

    executed: bool = False
    appeared: dict[str, str] = {}
    vanished: list[str] = []
    state: list[str] | None = None
    add: list[str] = []
    delete: list[str] = []
    goal: str | None = None


def act(
    domain: DomainFile,
    problem: ProblemFile,
    policy: FittingPolicy = None,
    seconds: Annotated[
        float,
        typer.Option(
            min=0,
            callback=finite,
            metavar="SECONDS",
            help="Where the policy knows no way, look for a plan for so long; 0: never.",
        ),
    ] = 10.0,
) -> None:
    """Say what to do next, from any state: JSON lines in, one decision per line out, milliseconds each.

    The first decision is for the problem's initial state. Then each line of standard input says what is true now:

    {"executed": true} if the last action did what the domain says; {"state": ["(on a b)", ...]} for the whole state
    (atoms that no action changes may be left out); {"add": [...], "delete": [...]} for what has changed since the last
    line; {"appeared": {"b7": "block"}, "vanished": ["b3"]} for objects; {"goal": "(and (on a b))"} for a new goal. All
    of these go together in one line, in this order: executed, objects, state, changes, goal.

    A decision is {"action": "(stack a b)", "value": 7.1, "gap": 0.9, "sure": true, "searched": false, "runners_up":
    [...], "milliseconds": 0.8}. The action is null if the goal holds or no way to it was found; "reason" says which. A
    line that cannot be understood is answered by {"error": ...}, and changes nothing.
    """
    domain_read = read_domain(domain)
    world = World(domain_read, read_problem(problem, domain_read))
    actor = Actor(load_policy(policy or find_policy(domain_read, world.problem)[0]), world, seconds)
    last = _decide(actor)
    for line in filter(bytes.strip, sys.stdin.buffer):
        try:
            actor.world = _changed(actor.world, line, last)
        except InputError as error:
            _say({"error": str(error)})
        else:
            last = _decide(actor)


def _decide(actor: Actor) -> Action | None:
    started = time.perf_counter()
    decision = actor.decide()
    milliseconds = round(1000 * (time.perf_counter() - started), 3)
    if decision is None:
        reason = "the goal holds" if actor.world.is_goal else "no way to the goal was found"
        _say({"action": None, "reason": reason, "milliseconds": milliseconds})
        return None
    _say(
        {
            "action": str(decision.action),
            "value": decision.value,
            "gap": decision.gap if decision.runners_up else None,
            "sure": decision.sure,
            "searched": decision.searched,
            "runners_up": [(str(action), value) for action, value in decision.runners_up],
            "milliseconds": milliseconds,
        }
    )
    return decision.action


def _changed(world: World, line: bytes, last: Action | None) -> World:
    """Another world, so that a line with a mistake changes nothing."""
    try:
        report = msgspec.json.decode(line, type=Report)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        cure = f"A line is a JSON object with any of {', '.join(Report.__struct_fields__)}."
        raise InputError(f"{error}\n  {cure}") from error
    world = copy(world)
    if report.executed:
        if last is None:
            raise InputError("no action was chosen that could have been executed\n  Report the state or its changes.")
        world.apply(last)
    if report.appeared or report.vanished:
        world.replace_objects(report.appeared, report.vanished)
    if report.state is not None:
        world.observe(map(_atom, report.state))
    if report.add or report.delete:
        world.change(map(_atom, report.add), map(_atom, report.delete))
    if report.goal is not None:
        world.replace_goal(report.goal)
    return world


def _atom(text: str) -> Atom:
    words = text.strip().removeprefix("(").removesuffix(")").lower().split()
    if not words or "(" in text.strip()[1:]:
        raise InputError(f"`{text}` is not an atom\n  An atom is a text such as `(on a b)`.")
    return Atom(words[0], tuple(words[1:]))


def _say(answer: dict[str, Any]) -> None:
    typer.echo(json.dumps(answer))
    sys.stdout.flush()
