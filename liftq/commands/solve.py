"""`liftq solve`: let a learned policy find a plan."""

from __future__ import annotations

import json
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from liftq.commands.exit_codes import BY_ENDING, epilog
from liftq.commands.quantities import MOST, finite, parse_bytes
from liftq.wording import plural

if TYPE_CHECKING:
    from liftq.engine.solver import Limits, Trajectory
    from liftq.engine.task import Task
    from liftq.pddl.structures import Domain
    from liftq.policies.greedy import Effort, Greedy

EPILOG = epilog(
    "Example: liftq solve domain.pddl p01.pddl --plan p01.plan", *BY_ENDING.values(), done="a plan was found"
)


class Fallback(StrEnum):
    SEARCH = "search"
    NONE = "none"


def solve(
    domain: Annotated[Path, typer.Argument(metavar="DOMAIN", help="The PDDL domain.", show_default=False)],
    problem: Annotated[Path, typer.Argument(metavar="PROBLEM", help="A PDDL problem.", show_default=False)],
    policy: Annotated[
        str | None, typer.Option(metavar="FILE|NAME", help="By default the bundled policy that fits the domain.")
    ] = None,
    plan: Annotated[Path | None, typer.Option(help="Write the plan to this file instead of standard output.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print plan and figures as JSON.")] = False,
    time_limit: Annotated[
        float | None, typer.Option(min=0, callback=finite, metavar="SECONDS", help="Limit on the whole command.")
    ] = None,
    memory_limit: Annotated[
        str, typer.Option(metavar="SIZE", help="Limit on the memory of the process, such as 8G or 500M.")
    ] = "8G",
    step_limit: Annotated[
        int | None, typer.Option(min=0, max=MOST, metavar="N", help="Limit on the length of the plan.")
    ] = None,
    fallback: Annotated[
        Fallback, typer.Option(help="If the policy alone finds no plan: search, guided by its values, or give up.")
    ] = Fallback.SEARCH,
    threads: Annotated[
        int, typer.Option(min=1, max=256, help="Useful for large problems; the plan stays the same.")
    ] = 1,
) -> None:
    """Find a plan with a learned policy.

    The policy takes the action that it values best among those that lead to a new state. If that finds no plan, a
    complete best-first search guided by the same values continues from the states visited so far. The plan is
    validated before it is printed. A summary goes to standard error.
    """
    from liftq.engine.solver import Limits
    from liftq.engine.task import Task
    from liftq.engine.watch import Stopped, ending_of, growth_up_to, watch
    from liftq.pddl.reader import read_domain, read_problem
    from liftq.policies.greedy import stopped

    watched = watch(Limits(time_limit, growth_up_to(parse_bytes("--memory-limit", memory_limit))))
    name, unit_cost = policy, True
    try:
        with watched:
            domain_read = read_domain(domain)
            name, greedy = _policy(policy, domain_read)
            task = Task(domain_read, read_problem(problem, domain_read))
            unit_cost = not task.problem.minimize_cost
            _warn(greedy, task)
            greedy = replace(greedy, fallback=fallback.value, threads=threads)
            trajectory, effort = _validated(greedy, task, Limits(steps=step_limit))
    except (Stopped, MemoryError) as error:
        trajectory, effort = stopped(ending_of(watched, error))
    figures = {"policy": name, **_figures(replace(trajectory, seconds=watched.seconds), effort)}
    _print(trajectory, unit_cost, plan, as_json, figures)
    if not trajectory.solved:
        raise typer.Exit(BY_ENDING[trajectory.ending])


def _policy(name: str | None, domain: Domain) -> tuple[str, Greedy]:
    from liftq.policies import load_policy
    from liftq.policies.greedy import Greedy
    from liftq.policies.zoo import find_policy

    if name is not None:
        return name, load_policy(name)
    found, policy_file = find_policy(domain)
    return found, Greedy(policy_file)


def _warn(greedy: Greedy, task: Task) -> None:
    from liftq.policies.compatibility import unseen_goals

    if unseen := unseen_goals(greedy.policy_file.encoder.without, task.problem):
        goals = ", ".join(unseen)
        typer.echo(f"note: the policy has never seen goals with {goals} and is blind to them; it may wander", err=True)


def _validated(greedy: Greedy, task: Task, limits: Limits) -> tuple[Trajectory, Effort]:
    from liftq.engine.solver import Ending, Trajectory
    from liftq.engine.trajectory import validate

    trajectory, effort = greedy.solve_counting(task, limits)
    if trajectory.solved:
        validation = validate(task.domain, task.problem, trajectory.plan)
        if not validation.valid:
            message = f"a bug of liftq, please report it: the plan is {validation}"
            trajectory = Trajectory(Ending.INVALID_PLAN, seconds=trajectory.seconds, message=message)
    return trajectory, effort


def _figures(trajectory: Trajectory, effort: Effort) -> dict[str, Any]:
    return {
        "ending": str(trajectory.ending),
        "steps": len(trajectory.plan) if trajectory.solved else None,
        "cost": trajectory.cost,
        "seconds": round(trajectory.seconds, 3),
        "decisions": effort.decisions,
        "states_valued": effort.states_valued,
        "searched": effort.searched,
    }


def _print(trajectory: Trajectory, unit_cost: bool, path: Path | None, as_json: bool, figures: dict[str, Any]) -> None:
    from liftq.engine.plan_file import write_plan
    from liftq.files import write_atomically

    if trajectory.solved:
        assert trajectory.cost is not None
        text = write_plan(trajectory.plan, trajectory.cost, unit_cost=unit_cost)
        if path is not None:
            write_atomically(path, text)
        elif not as_json:
            typer.echo(text, nl=False)
    if as_json:
        actions = [str(action) for action in trajectory.plan] if trajectory.solved else None
        typer.echo(json.dumps({**figures, "plan": actions}, indent=2))
    typer.echo(_summary(figures, trajectory.message), err=True)


def _summary(figures: dict[str, Any], message: str) -> str:
    effort = f"{figures['seconds']} s, {plural(figures['states_valued'], 'state')} valued"
    by = f"policy {figures['policy'] or 'not chosen yet'}" + (" and search" if figures["searched"] else "")
    if figures["steps"] is None:
        return f"{figures['ending']}: {message}; {effort}, {by}"
    return f"{figures['ending']}: {plural(figures['steps'], 'step')}, cost {figures['cost']}, {effort}, {by}"
