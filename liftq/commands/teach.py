"""`liftq teach`: solve small problems optimally, and keep the plans."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bars

from liftq import pipeline
from liftq.commands.arguments import MOST, DomainOfFolder, ProblemSeed, finite, parse_bytes, parse_range
from liftq.commands.output import news, result, shows_progress
from liftq.commands.place import Jobs, RayAddress, place
from liftq.commands.process import terminated_as_interrupted
from liftq.domains import Generator
from liftq.engine.solver import Limits
from liftq.errors import InputError, plural
from liftq.problems.generated import Generated
from liftq.problems.loading import load_domain
from liftq.teachers import teacher as teacher_of
from liftq.teaching.attempt import Attempt
from liftq.teaching.corpus import Corpus
from liftq.teaching.played import NearOptimal
from liftq.teaching.teach import OneOf, Progress, Quota, Teaching
from liftq.teaching.visited import Visited
from liftq.zoo import load_policy

EPILOG = "Example: liftq teach ferry --sizes 3-12 --per-size 20 --time-limit 30 --jobs 2"
Teacher = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="orbit_search (our own), or an alias (seq-opt-lmcut, seq-opt-merge-and-shrink) or search string "
        "(astar(lmcut())) of Fast Downward, or package.module:Class. By default the fastest for a bundled domain, "
        "otherwise orbit_search.",
    ),
]


def teach(
    domain: Annotated[str, typer.Argument(metavar="DOMAIN|FOLDER", help="A bundled domain, or a folder of PDDL.")],
    domain_file: DomainOfFolder = None,
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
        typer.Option(metavar="POLICY", help="Start in states that this policy visits: a file, or a bundled policy."),
    ] = None,
    played_by: Annotated[
        str | None,
        typer.Option(
            metavar="POLICY",
            help="Keep this policy's plans instead of a teacher's, for the objective q_distil: a file, or a bundled "
            "policy.",
        ),
    ] = None,
    jobs: Jobs = None,
    ray: RayAddress = None,
    seed: ProblemSeed = 0,
) -> None:
    """Solve small problems optimally, and keep the plans.

    Problems are drawn without repetition, uniformly over the generator's parameters of each size, or taken from a
    folder. Every size gets a few problems first, then more. A size ends early if, after at least 5 attempts, fewer than
    10 % are solved; after two such sizes in a row, no larger one is tried.

    The teacher may solve only few problems of a large size. With --easiest-of 5 it gets the easiest of every five, by
    LM-cut: more plans in less time, but for easier problems. --hardest-of does the opposite, for sizes that are no
    challenge for the teacher.

    Policies learn much from their mistakes. With --visited-by, a policy plays every problem, and the teacher continues
    from a state that the policy visited. With --easiest-of 5 it continues from the easiest of five such states, so the
    policy learns even from problems beyond the teacher's reach.

    With --played-by, a policy's own plans are kept, for problems of any size. They need not be optimal: a smaller
    network learns the policy's values in their states (`liftq train --objective q_distil`).

    After Ctrl-C or a kill, the same command continues, and nothing is lost. Problems that hit a limit are tried again
    under larger limits or by another teacher.
    """
    if easiest_of > 1 and hardest_of > 1:
        raise InputError("--easiest-of and --hardest-of exclude each other\n  Give one of them.")
    if teacher and played_by:
        raise InputError("--teacher and --played-by exclude each other\n  Give one of them.")
    range_ = parse_range("--sizes", sizes) if sizes else None
    group = OneOf(max(easiest_of, hardest_of), hardest=hardest_of > 1)
    limits = Limits(time_limit, parse_bytes("--memory-limit", memory_limit))
    source = load_domain(domain, domain_file)
    known = source.generator if isinstance(source, Generated) else Generator
    if visited_by:
        source = Visited(source, load_policy(visited_by).plain.alone, group.size)
    chosen = NearOptimal(load_policy(played_by), shortens=False) if played_by else teacher_of(teacher or known.teacher)
    jobs, compute = place(ray, jobs)
    teaching = Teaching(
        source,
        chosen,
        limits,
        Quota(per_size, slow_per_size, slow_seconds),
        *(range_ or known.taught_sizes),
        seed=seed,
        jobs=jobs,
        group=group,
        compute=compute,
        any_plans=played_by is not None,
    )
    with terminated_as_interrupted():
        _watch(teaching, out or Path(f"{source.name}.jsonl.zst"))


def _watch(teaching: Teaching, path: Path) -> None:
    endings: Counter[str] = Counter()
    try:
        with closing(pipeline.teach(teaching, path)) as progress:
            for attempt in _shown(teaching.source.name, progress):
                endings[attempt.ending] += 1
    except KeyboardInterrupt:
        news(f"interrupted: nothing is lost, the same command continues with {path}")
        _print_outcome(path, endings)
        raise
    _print_outcome(path, endings)


def _shown(name: str, progress: Iterable[Progress]) -> Iterator[Attempt]:
    solved = TextColumn("{task.fields[solved]} solved")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), solved)
    with Bars(*columns, TimeElapsedColumn(), TimeRemainingColumn(), disable=not shows_progress()) as bars:
        bar = bars.add_task(name, total=None, solved=0)
        now = None
        for now in progress:
            label = f"{name} size {now.attempt.size}"
            bars.update(bar, description=label, completed=now.tried, total=now.planned, solved=now.solved)
            yield now.attempt
        if now is not None:
            bars.update(bar, total=now.tried)  # nothing is left to do


def _print_outcome(path: Path, endings: Counter[str]) -> None:
    new = ", ".join(f"{count} {ending}" for ending, count in endings.most_common()) or "nothing to do"
    words = f"new: {new}"
    plans = [entry.size for entry in Corpus.read(path).entries] if path.exists() else []
    if plans:
        words += f"\n{path}: {plural(len(plans), 'plan')}, sizes {min(plans)}-{max(plans)}"
    sizes = [min(plans), max(plans)] if plans else None
    result(words, corpus=path, new=endings, plans=len(plans), sizes=sizes)
