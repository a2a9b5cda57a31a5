"""`liftq teach`: let an optimal planner solve small problems and keep its plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from liftq.commands.interruption import terminated_as_interrupted
from liftq.commands.quantities import MOST, finite, parse_bytes, parse_range
from liftq.errors import InputError
from liftq.wording import plural

if TYPE_CHECKING:
    from liftq.datasets.attempt import Attempt
    from liftq.datasets.teach import Row, Teaching

Teacher = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="orbit_search (our own), or an alias (seq-opt-lmcut, seq-opt-merge-and-shrink) or search string "
        "(astar(lmcut())) of Fast Downward. By default the fastest for a bundled domain, otherwise orbit_search.",
    ),
]


def teach(
    domain: Annotated[str, typer.Argument(metavar="DOMAIN|FOLDER", help="A bundled domain, or a folder of PDDL.")],
    domain_file: Annotated[
        Path | None,
        typer.Option("--domain", metavar="FILE", help="The domain of a folder, if not the nearest domain.pddl."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The corpus; by default DOMAIN.jsonl.zst.")] = None,
    sizes: Annotated[str | None, typer.Option(metavar="2-100", help="Numbers of objects.")] = None,
    per_size: Annotated[int, typer.Option(min=1, max=MOST, help="Problems of each size.")] = 40,
    slow_per_size: Annotated[int, typer.Option(min=1, max=MOST, help="Plans of each slow size.")] = 10,
    slow_seconds: Annotated[
        float, typer.Option(min=0, callback=finite, help="A size is slow if its attempts take longer on average.")
    ] = 2.0,
    time_limit: Annotated[float, typer.Option(min=0.1, callback=finite, help="Seconds for each problem.")] = 60.0,
    memory_limit: Annotated[str, typer.Option(metavar="SIZE", help="Memory for each problem: 4G, 500M.")] = "4G",
    teacher: Teacher = None,
    easiest_of: Annotated[
        int, typer.Option(min=1, max=1000, metavar="N", help="Take the easiest of every N problems.")
    ] = 1,
    hardest_of: Annotated[
        int, typer.Option(min=1, max=1000, metavar="N", help="Take the hardest of every N problems.")
    ] = 1,
    visited_by: Annotated[
        str | None,
        typer.Option(metavar="POLICY", help="Start in states visited by this policy: a file, or a bundled one."),
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, max=256, help="Problems solved at the same time.")] = 1,
    seed: Annotated[int, typer.Option(help="Each seed draws different problems.")] = 0,
) -> None:
    """Solve small problems optimally, and keep the plans.

    Problems are drawn without repetition, uniformly over the generator's parameters of each size, or taken from a
    folder. Every size gets a few problems first, then more. A size is given up if, after at least 5 attempts, fewer
    than 10 % are solved; after two such sizes in a row, no larger one is tried.

    Of large sizes, the teacher may be able to solve few problems. With --easiest-of 5 it gets only the easiest of
    every five, by their LM-cut values: more plans in less time, but for easier problems. --hardest-of does the
    opposite, for sizes that give the teacher no trouble.

    Policies learn much from their mistakes. With --visited-by, a policy plays each problem that is drawn, and the
    teacher continues from one of the states it visited; with --easiest-of 5, from the easiest of five such states, so
    that even problems beyond the teacher's reach teach something.

    If interrupted or killed, nothing is lost: the same command continues where the last one stopped. Problems that
    hit a limit are tried again under larger limits or by another teacher.
    """
    from liftq.datasets.corpora import OTHERWISE, SETTINGS
    from liftq.datasets.journal import Journal
    from liftq.datasets.teach import Group, Quota, Teaching
    from liftq.datasets.visited import Visited
    from liftq.engine.solver import Limits
    from liftq.policies import load_policy
    from liftq.sources.loading import load_domain
    from liftq.teachers import teacher as teacher_of

    if easiest_of > 1 and hardest_of > 1:
        raise InputError("--easiest-of and --hardest-of exclude each other\n  Give one of them.")
    source = load_domain(domain, domain_file)
    setting = SETTINGS.get(domain, OTHERWISE)
    chosen = teacher_of(teacher or setting.teacher)
    if not chosen.optimal:
        raise InputError(
            f"{chosen.name} is not known to give optimal plans\n  Try orbit_search, seq-opt-lmcut or astar(lmcut())."
        )
    group = Group(max(easiest_of, hardest_of), hardest=hardest_of > 1)
    teaching = Teaching(
        Visited(source, load_policy(visited_by).run, group.size) if visited_by else source,
        chosen,
        Limits(time_limit, parse_bytes("--memory-limit", memory_limit)),
        Quota(per_size, slow_per_size, slow_seconds),
        *(parse_range("--sizes", sizes) if sizes else setting.sizes),
        seed=seed,
        jobs=jobs,
        group=group,
    )
    path = out or Path(f"{source.name}.jsonl.zst")
    with terminated_as_interrupted(), Journal(path, teaching.source) as journal:
        new: list[Attempt] = []
        try:
            rows = teaching.rows(journal.attempts)
            for attempt in _watched(teaching, rows, teaching.teach(rows, journal)):
                new.append(attempt)
        except KeyboardInterrupt:
            typer.echo(f"interrupted: nothing is lost, the same command continues with {path}")
            raise
        finally:
            _print_outcome(path, new, journal.attempts)


def _watched(teaching: Teaching, rows: list[Row], attempts: Iterator[Attempt]) -> Iterator[Attempt]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from liftq.datasets.teach import planned

    solved = TextColumn("{task.fields[solved]} solved")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), solved)
    with Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn()) as progress:
        bar = progress.add_task(teaching.source.name, total=None, solved=0)
        for attempt in attempts:
            tried = [each for row in rows for each in row.attempts]
            progress.update(
                bar,
                description=f"{teaching.source.name} size {attempt.size}",
                completed=len(tried),
                total=planned(rows, teaching.quota),
                solved=sum(each.solved for each in tried),
            )
            yield attempt
        progress.update(bar, total=sum(len(row.attempts) for row in rows))  # there are no more


def _print_outcome(path: Path, new: Iterable[Attempt], attempts: Iterable[Attempt]) -> None:
    plans = [attempt.size for attempt in attempts if attempt.solved]
    endings = Counter(attempt.ending for attempt in new)
    typer.echo("new: " + (", ".join(f"{count} {ending}" for ending, count in endings.most_common()) or "nothing to do"))
    if plans:
        typer.echo(f"{path}: {plural(len(plans), 'plan')}, sizes {min(plans)}-{max(plans)}")
