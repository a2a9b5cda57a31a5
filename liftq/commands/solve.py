"""`liftq solve`: find a plan with a learned policy, or by search."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from liftq.commands.arguments import MOST, DomainFile, MemoryLimit, ProblemFile, finite, parse_bytes
from liftq.commands.exit_codes import BY_ENDING, epilog
from liftq.commands.output import summarize
from liftq.commands.process import left_of
from liftq.commands.progress_line import progress_line
from liftq.domains import shortest_length
from liftq.engine.delivery import cheaper_plans
from liftq.engine.plan_file import is_written_plan, write_plan
from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Task
from liftq.engine.watch import growth_up_to
from liftq.errors import plural
from liftq.files import refuse_foreign, write_atomically
from liftq.pddl.structures import Number
from liftq.zoo import solver

EPILOG = epilog(
    "Example: liftq solve domain.pddl p01.pddl --plan p01.plan", *BY_ENDING.values(), done="a plan was found"
)


def solve(
    domain: DomainFile,
    problem: ProblemFile,
    policy: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|NAME|none",
            help="By default the bundled policy that fits the domain. If there is none, or with `none`, search plans "
            "without a policy.",
        ),
    ] = None,
    plan: Annotated[Path | None, typer.Option(help="Write the plan to this file instead of standard output.")] = None,
    start: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="STATE",
            help="Begin in the state in this file: atoms, as in `:init`; those of predicates that no action changes "
            "may be left out. If the file of --plan has a plan, it is repaired.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print plan and figures as JSON.")] = False,
    time_limit: Annotated[
        float | None, typer.Option(min=0, callback=finite, metavar="SECONDS", help="Limit on the whole command.")
    ] = None,
    memory_limit: MemoryLimit = "8G",
    step_limit: Annotated[
        int | None, typer.Option(min=0, max=MOST, metavar="N", help="Limit on the length of the plan.")
    ] = None,
    fallback: Annotated[
        Literal["search", "none"],
        typer.Option(help="What happens if the policy makes no progress: search helps, or the policy gives up."),
    ] = "search",
    improve: Annotated[
        float,
        typer.Option(min=0, callback=finite, metavar="SECONDS", help="Then look for cheaper plans for this long."),
    ] = 0.0,
    one_by_one: Annotated[
        bool, typer.Option("--one-by-one", help="Take one action at a time, even if the policy's card allows more.")
    ] = False,
    threads: Annotated[
        int, typer.Option(min=1, max=256, help="Useful for large problems; the plan stays the same.")
    ] = 1,
) -> None:
    """Find a plan with a learned policy, or by search.

    The policy takes the best action that leads to a new state. If its card allows it, independent actions from the same
    pass of the network follow. If the policy stops making progress, search continues from the best states seen, guided
    in turn by the policy's values and by h_FF, until the policy can go on.

    With --from and --plan, the plan in that file is repaired: its steps are kept where they still work, from this state
    on or after a few other actions. The repaired plan replaces it.

    Without a policy, two searches find a plan in turns: greedy best-first search, guided by h_FF, landmarks and
    preferred actions, and best-first width search, which prefers novel states.

    The plan is printed once needless actions are cut and it has been validated. --improve then looks for cheaper ones:
    one object does the work of another, and parts of the plan are solved optimally. It ends once a plan is proven
    optimal, which the summary says; Ctrl-C ends it with the best plan. The summary goes to standard error.
    """
    if plan is not None:
        refuse_foreign(plan, is_written_plan, "a plan")
    limits = Limits(left_of(time_limit), growth_up_to(parse_bytes("--memory-limit", memory_limit)), step_limit)
    with progress_line(lambda: left_of(time_limit), shown=not as_json):
        old = plan if start is not None and plan is not None and plan.exists() else None
        trajectory, task = solver.solve(domain, problem, policy, limits, fallback, threads, one_by_one, start, old)
    before = trajectory.cost
    if improve > 0 and task is not None and trajectory.solved:
        left = left_of(time_limit)
        seconds = improve if left is None else min(improve, left)
        trajectory = _improved(task, trajectory, Limits(seconds, limits.memory_bytes))
    try:
        if task is not None and trajectory.solved:
            _write(task, trajectory, plan, as_json)
    finally:
        if as_json:
            actions = [str(action) for action in trajectory.plan] if trajectory.solved else None
            typer.echo(json.dumps({**_figures(trajectory, before), "plan": actions}, indent=2))
    summarize(_summary(trajectory, before))
    if not trajectory.solved:
        raise typer.Exit(BY_ENDING[trajectory.ending])


def _improved(task: Task, trajectory: Trajectory, limits: Limits) -> Trajectory:
    """The best trajectory when the time is up, on Ctrl-C, or when the terminal is gone."""
    best, is_shown = trajectory, sys.stderr.isatty()
    with suppress(KeyboardInterrupt, OSError):
        bound = shortest_length(task.domain, task.problem) or 0
        for best in cheaper_plans(task, trajectory, limits, bound):
            if is_shown:
                typer.echo(f"\rcost {trajectory.cost} -> {best.cost} (Ctrl-C to stop) ", err=True, nl=False)
        if best is not trajectory and is_shown:
            typer.echo(err=True)
    return best


def _write(task: Task, trajectory: Trajectory, path: Path | None, as_json: bool) -> None:
    """If the file cannot be written, the plan goes to standard output."""
    assert trajectory.cost is not None
    text = write_plan(trajectory.plan, trajectory.cost, unit_cost=not task.problem.minimize_cost)
    is_missing = not as_json
    try:
        if path is not None:
            write_atomically(path, text)
            is_missing = False
    finally:
        if is_missing:
            typer.echo(text, nl=False)


def _figures(trajectory: Trajectory, cost_before: Number | None) -> dict[str, Any]:
    return {
        "policy": trajectory.policy or None,
        "ending": str(trajectory.ending),
        "steps": len(trajectory.plan) if trajectory.solved else None,
        "cost": trajectory.cost,
        "cost_before_improvement": cost_before,
        "optimal": trajectory.optimal,
        "seconds": round(trajectory.seconds, 3),
        "passes": trajectory.passes,
        "states_valued": trajectory.states_valued,
        "searched": trajectory.searched,
        "times_lost": trajectory.times_lost,
        "states_searched": trajectory.states_searched,
        "kept": trajectory.kept,
    }


def _summary(trajectory: Trajectory, cost_before: Number | None) -> str:
    seconds, valued = round(trajectory.seconds, 3), plural(trajectory.states_valued, "state")
    effort = f"{seconds} s, {valued} valued, {_solver(trajectory)}"
    if not trajectory.solved:
        return f"{trajectory.ending}: {trajectory.message}; {effort}"
    before = f" (before: {cost_before})" if cost_before != trajectory.cost else ""
    cost = f"{'optimal ' * trajectory.optimal}cost {trajectory.cost}{before}"
    plan = f"{plural(len(trajectory.plan), 'step')}, {cost}"
    kept = f", {trajectory.kept} kept" if trajectory.kept else ""
    passes = f", {plural(trajectory.passes, 'pass', 'passes')}" if trajectory.policy else ""
    return f"{trajectory.ending}: {plan}{kept}{passes}, {effort}"


def _solver(trajectory: Trajectory) -> str:
    if trajectory.policy:
        return f"policy {trajectory.policy}" + f" and search ({trajectory.search_effort})" * trajectory.searched
    if trajectory.searched:
        return "search without a policy"
    return "no policy needed" if trajectory.kept else "policy not chosen yet"
