"""`liftq evaluate`: measure policies and planners."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from liftq import pipeline
from liftq.commands.arguments import ProblemSeed, Sizes, parse_bytes, parse_range
from liftq.commands.output import news, result
from liftq.commands.place import Jobs, RayAddress, place
from liftq.commands.study import paper
from liftq.engine.solver import Limits
from liftq.evaluation.efficiency import EfficiencyEvaluation
from liftq.evaluation.gaps import GapsEvaluation
from liftq.evaluation.result import Results, SuiteAttempt
from liftq.evaluation.scaling.curve import Curve, settled
from liftq.evaluation.scaling.evaluation import ScalingEvaluation
from liftq.evaluation.scaling.interval import interval_of
from liftq.evaluation.suite.evaluation import SuiteEvaluation
from liftq.evaluation.suite.problems import find_problems
from liftq.problems.coverage import Coverage
from liftq.problems.structure import UpToNames
from liftq.training.run_folder import seen_by

evaluate = typer.Typer(
    help="Measure policies and planners. Results go to a file of JSON lines, which `liftq report` shows.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

SOLVERS = (
    "A policy file, a bundled policy, or zoo for the bundled policy that fits (append +search, and search helps where "
    "the policy alone fails); greedy_search (our search without a policy), novelty_search (a part of it), lama, an "
    "alias (seq-opt-lmcut) or search string (astar(lmcut())) of Fast Downward, or package.module:name of an object "
    "with solve(task, limits)."
)
Out = Annotated[Path, typer.Option(help="The results file. Its results are not measured again.")]
ImportFrom = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="Where the modules of solvers module:name are, if they are not installed."),
]
RESULTS = Path("results.jsonl")


@evaluate.command(epilog="Example: liftq evaluate scaling ferry.safetensors --domain ferry --jobs 2")
def scaling(
    solver: Annotated[str, typer.Argument(metavar="POLICY", help=SOLVERS, show_default=False)],
    domain: Annotated[
        str | None,
        typer.Option(metavar="DOMAIN|FOLDER", help="The source of problems; by default the policy's own domain."),
    ] = None,
    sizes: Sizes = None,
    stride: Annotated[
        int, typer.Option(min=1, metavar="N", help="Evaluate only every Nth size; SCov interpolates the others.")
    ] = 1,
    out: Out = RESULTS,
    jobs: Jobs = None,
    ray: RayAddress = None,
    seed: ProblemSeed = 0,
    steps_beyond: Annotated[
        int,
        typer.Option(
            min=0, metavar="N", help="Let runs continue N steps past the limit, to distinguish late plans from none."
        ),
    ] = 0,
    without: Annotated[
        Path | None,
        typer.Option(
            metavar="CORPUS|RUN",
            help="Leave out problems of this corpus, or those that this run was trained or validated on.",
        ),
    ] = None,
    refine: Annotated[
        bool,
        typer.Option(help="Then fill in the sizes left out, unless coverage is 1 on both sides, or 0 on both."),
    ] = False,
    import_from: ImportFrom = None,
    device: Annotated[
        str,
        typer.Option(help="cuda: play many problems side by side on a GPU, with PyTorch. auto: if there is one."),
    ] = "cpu",
) -> None:
    """Measure how far a policy generalizes: its coverage on problems of growing size.

    At each size, new problems are drawn until the 90 % interval of the coverage extends at most 10 points to either
    side. A run fails after 100 steps plus one per object; there is no time limit. The evaluation ends after two
    successive sizes with a coverage below 30 %, or at size 100 (visitall: 1000).

    If interrupted, the same command continues. Results do not depend on --jobs or --ray or,
    up to rounding, on --device.
    """
    range_ = parse_range("--sizes", sizes) if sizes else None
    jobs, compute = place(ray, jobs)
    seen = seen_by(without) if without and without.is_dir() else UpToNames()
    asked = solver, domain, range_, stride, seed, steps_beyond, without
    evaluation = ScalingEvaluation(
        *asked, jobs, import_from, refine, seen, compute=compute, device=pipeline.gpu_of(device)
    )
    known = evaluation.records(Results.read([out])) if out.exists() else []
    for coverage in settled(known, pipeline.evaluate(evaluation, out)):
        _print_coverage(coverage)
    _print_curve(evaluation.curve(Results.read([out])), out)


def _print_coverage(coverage: Coverage) -> None:
    low, high = interval_of(coverage)
    steps = f", {coverage.plan_length:.1f} steps" if coverage.solved else ""
    late = f", {coverage.late} late" if coverage.late else ""
    range_ = f"{100 * low:.0f}-{100 * high:.0f} %"
    words = f"size {coverage.size}: {coverage.solved} of {coverage.runs} solved ({range_}){late}{steps}"
    result(words, **asdict(coverage), interval=[low, high])


def _print_curve(curve: Curve, out: Path) -> None:
    strict = curve.scale_strict or "none"
    left_out = f" ({len(curve.left_out)} sizes interpolated)" if curve.left_out else ""
    words = f"scale {curve.scale}, strict {strict}, SCov {curve.scov:.1f}{left_out}; {curve.stop}; results in {out}"
    result(words, scale=curve.scale, scale_strict=curve.scale_strict, scov=curve.scov, stop=curve.stop, results=out)


@evaluate.command(epilog="Example: liftq evaluate suite lama ferry.safetensors --problems ipc23/ferry")
def suite(
    solvers: Annotated[
        list[str],
        typer.Argument(
            metavar="SOLVER...",
            help=f"{SOLVERS} {{domain}} stands for the name of the domain's folder.",
            show_default=False,
        ),
    ],
    problems: Annotated[
        list[Path],
        typer.Option(
            metavar="FOLDER", help="A folder with problems, searched recursively; repeat the option for more."
        ),
    ],
    domain: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The domain of all problems; by default the nearest of each.")
    ] = None,
    time_limit: Annotated[float, typer.Option(min=0.1, help="Seconds for each solve, start-up included.")] = 60.0,
    memory_limit: Annotated[str, typer.Option(metavar="SIZE", help="Memory for each solve: 4G, 500M.")] = "8G",
    out: Out = RESULTS,
    jobs: Jobs = None,
    ray: RayAddress = None,
    import_from: ImportFrom = None,
) -> None:
    """Run solvers on the same problem files under the same limits, each solve in its own process.

    Takes all problems in the folders and their subfolders, except subfolders called `training`. A problem's domain is
    its own, such as domain_p01.pddl, or else the nearest domain.pddl, beside it or in a folder above. Every plan is
    validated. If interrupted, the same command continues.

    One command covers a folder with many domains: `zoo zoo+search greedy_search lama --problems ipc23`. `liftq report`
    turns its results into one page.
    """
    limits = Limits(time_limit, parse_bytes("--memory-limit", memory_limit))
    jobs, compute = place(ray, jobs)
    evaluation = SuiteEvaluation(solvers, find_problems(problems, domain), limits, jobs, import_from, compute)
    for attempt in pipeline.evaluate(evaluation, out):
        result(_in_words(attempt), **json.loads(attempt.line()))
    _print_endings([attempt for attempt in Results.read([out]).of(SuiteAttempt) if attempt.solver in solvers], out)


def _in_words(attempt: SuiteAttempt) -> str:
    length = f" {attempt.length} steps" if attempt.solved else ""
    reason = f": {' '.join(attempt.message.split())}" if attempt.message else ""
    return f"{attempt.problem} {attempt.solver}: {attempt.ending}{length} {attempt.seconds:.2f} s{reason}"


def _print_endings(attempts: Iterable[SuiteAttempt], out: Path) -> None:
    endings: dict[str, Counter[str]] = {}
    for attempt in attempts:
        endings.setdefault(attempt.solver, Counter())[attempt.ending] += 1
    for solver, counts in endings.items():
        words = ", ".join(f"{count} {ending}" for ending, count in counts.most_common())
        result(f"{solver}: {words}", solver=solver, endings=counts)
    news(f"results in {out}")


@evaluate.command(epilog="Example: liftq evaluate efficiency ferry childsnack --sizes 10-100 --stride 10")
def efficiency(
    domains: Annotated[list[str], typer.Argument(metavar="DOMAIN...", help="Domains whose states are measured.")],
    sizes: Annotated[str, typer.Option(metavar="2-100", help="Numbers of objects.")] = "1-100",
    stride: Annotated[int, typer.Option(min=1, metavar="N", help="Measure only every Nth size.")] = 1,
    per_size: Annotated[int, typer.Option(min=1, help="Problems of each size.")] = 25,
    steps: Annotated[int, typer.Option(min=1, help="States of each random walk.")] = 25,
    seed: Annotated[int, typer.Option(help="Each seed draws different problems, walks and weights.")] = 0,
    out: Out = RESULTS,
) -> None:
    """Measure how long networks take to choose an action: state-values against Q-values, by size.

    Networks of three architectures, with random weights, choose actions in the states of random walks, in one thread.
    """
    range_ = parse_range("--sizes", sizes)
    evaluation = EfficiencyEvaluation(domains, *range_, stride, per_size, steps, seed)
    for timing in pipeline.evaluate(evaluation, out):
        milliseconds = 1000 * timing.seconds / max(1, timing.states)
        where = f"{timing.domain} size {timing.size} {timing.architecture} {timing.values}"
        result(f"{where}: {milliseconds:.3f} ms per state", **json.loads(timing.line()))
    news(f"results in {out}")


@evaluate.command(epilog="Example: liftq evaluate gaps runs/ferry")
def gaps(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a training run.", show_default=False)],
    out: Out = RESULTS,
) -> None:
    """Measure how well the values of a run's policies fit the plans they were trained on.

    Err is the mean error for the teacher's actions, Diff the mean difference between their values and those of others.
    """
    for gap in pipeline.evaluate(GapsEvaluation(run), out):
        shares = f"chosen {gap.chosen:.1%}, bound tighter {gap.tighter:.1%}"
        words = f"{Path(gap.policy).stem}: Err {gap.error:.2f}, Diff {gap.difference:.2f}, {shares}"
        result(words, **json.loads(gap.line()))
    news(f"results in {out}")


evaluate.command(epilog="Example: liftq evaluate paper --status")(paper)
