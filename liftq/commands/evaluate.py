"""`liftq evaluate`: how well policies and planners do, one line of results for each attempt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from liftq.commands.quantities import parse_bytes, parse_range
from liftq.errors import InputError

if TYPE_CHECKING:
    from liftq.coverage import Coverage
    from liftq.evaluation.ledger import Ledger
    from liftq.evaluation.result import SuiteAttempt
    from liftq.evaluation.scaling.crew import Crew
    from liftq.evaluation.scaling.curve import Curve
    from liftq.evaluation.scaling.protocol import ScalingRecord

evaluate = typer.Typer(
    help="Measure policies and planners. Results are lines of JSON, only ever added to; `liftq report` shows them.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

SOLVERS = (
    "A policy file or a bundled policy (with +search at the end, it searches on where the policy alone fails), lama, "
    "an alias (seq-opt-lmcut) or search string (astar(lmcut())) of Fast Downward, or package.module:name of an "
    "object with solve(task, limits)."
)
Out = Annotated[Path, typer.Option(help="The results; if they are there, only what is missing is done.")]
Jobs = Annotated[int, typer.Option(min=1, help="Processes at the same time.")]
RESULTS = Path("results.jsonl")


@evaluate.command(epilog="Example: liftq evaluate scaling ferry.safetensors --domain ferry --jobs 2")
def scaling(
    solver: Annotated[str, typer.Argument(metavar="POLICY", help=SOLVERS, show_default=False)],
    domain: Annotated[
        str | None,
        typer.Option(metavar="DOMAIN|FOLDER", help="Where problems come from; by default the policy's own domain."),
    ] = None,
    sizes: Annotated[str | None, typer.Option(metavar="2-100", help="Numbers of objects; all unless told.")] = None,
    stride: Annotated[
        int, typer.Option(min=1, help="Evaluate only every so many sizes; SCov interpolates the others.")
    ] = 1,
    out: Out = RESULTS,
    jobs: Jobs = 1,
    seed: Annotated[int, typer.Option(help="Another one draws other problems.")] = 0,
    steps_beyond: Annotated[
        int,
        typer.Option(min=0, help="Let runs go on so many steps past the limit, to tell late plans from none."),
    ] = 0,
    without: Annotated[
        Path | None, typer.Option(metavar="CORPUS", help="Problems of this corpus must not come up.")
    ] = None,
) -> None:
    """Measure how far a policy generalizes: its coverage on problems of growing size.

    At each size, new problems are drawn until the 90 % interval of the coverage is at most 10 points to either side.
    A run fails after 100 steps plus one for each object; there is no time limit. The evaluation ends after two
    successive sizes with a coverage below 30 %, or at size 100 (visitall: 1000).

    The same command goes on where an earlier one was stopped. Results do not depend on --jobs.
    """
    from liftq.evaluation.ledger import Ledger
    from liftq.evaluation.scaling.crew import Crew
    from liftq.evaluation.scaling.protocol import Scaling, every
    from liftq.evaluation.solvers import architecture, digest
    from liftq.sources.loading import load_domain

    identity = digest(solver)
    name = domain or _own_domain(solver)
    known = _fingerprints(without)
    plan = Scaling(load_domain(name), solver, seed, steps_beyond, frozenset(known))
    all_sizes = plan.sizes(*parse_range("--sizes", sizes)) if sizes else plan.sizes()
    wanted = every(stride, all_sizes)
    settings: dict[str, Any] = {"kind": "scaling", "solver": solver, "domain": plan.source.name, "seed": seed}
    settings |= {"digest": identity, "steps_beyond": steps_beyond, "without": str(without) if without else None}
    more = {"sizes": wanted, "all_sizes": all_sizes, "jobs": jobs, "architecture": architecture(solver)}
    with Ledger(out, settings | more) as ledger:
        _refuse_mixture(ledger, settings)
        _print_curve(_run_crew(Crew(plan, name, jobs, known), wanted, all_sizes, ledger), out)


def _run_crew(crew: Crew, sizes: list[int], all_sizes: list[int], ledger: Ledger) -> Curve:
    from liftq.evaluation.scaling.curve import coverages_of, curve
    from liftq.evaluation.scaling.interval import is_settled

    records = _known_records(ledger, crew)
    for record in crew.evaluate(sizes, list(records)):
        ledger.append(record)
        records.append(record)
        coverage = coverages_of(each for each in records if each.size == record.size)[record.size]
        if is_settled(coverage):
            _print_coverage(coverage)
    return curve(sizes, coverages_of(records), all_sizes)


def _known_records(ledger: Ledger, crew: Crew) -> list[ScalingRecord]:
    from liftq.evaluation.result import Exhausted, ScalingAttempt

    everything: list[ScalingRecord] = [*ledger.known.of(ScalingAttempt), *ledger.known.of(Exhausted)]
    key = crew.scaling.solver_name, crew.scaling.source.name, crew.scaling.seed
    return [each for each in everything if (each.solver, each.domain, each.seed) == key]


def _print_coverage(coverage: Coverage) -> None:
    from liftq.evaluation.scaling.interval import interval_of

    low, high = interval_of(coverage)
    steps = f", {coverage.plan_length:.1f} steps" if coverage.solved else ""
    late = f", {coverage.late} late" if coverage.late else ""
    range_ = f"{100 * low:.0f}-{100 * high:.0f} %"
    typer.echo(f"size {coverage.size}: {coverage.solved} of {coverage.runs} solved ({range_}){late}{steps}")


def _print_curve(curve: Curve, out: Path) -> None:
    strict = curve.scale_strict or "none"
    left_out = f" ({len(curve.left_out)} sizes interpolated)" if curve.left_out else ""
    typer.echo(f"scale {curve.scale}, strict {strict}, SCov {curve.scov:.1f}{left_out}; {curve.stop}; results in {out}")


@evaluate.command(epilog="Example: liftq evaluate suite lama ferry.safetensors --problems ipc23/ferry")
def suite(
    solvers: Annotated[
        list[str],
        typer.Argument(
            metavar="SOLVER...", help=f"{SOLVERS} {{domain}} in it stands for the domain's folder.", show_default=False
        ),
    ],
    problems: Annotated[
        list[Path],
        typer.Option(metavar="FOLDER", help="With problems, in it or below; repeat for several."),
    ],
    domain: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The domain of all problems; by default the nearest of each.")
    ] = None,
    time_limit: Annotated[float, typer.Option(min=0.1, help="Seconds for each solve, start-up included.")] = 60.0,
    memory_limit: Annotated[str, typer.Option(metavar="SIZE", help="Memory for each solve: 4G, 500M.")] = "8G",
    out: Out = RESULTS,
    jobs: Jobs = 1,
) -> None:
    """Run solvers on the same problem files under the same limits, each solve in its own process.

    Takes all problems below the folders, but for folders called `training` unless they are named. The domain of a
    problem is the nearest domain.pddl, beside it or in a folder above, unless it has one of its own beside it, such as
    domain_p01.pddl. Every plan is validated. The same command goes on where an earlier one was stopped.
    """
    from liftq.engine.solver import Limits
    from liftq.evaluation.ledger import Ledger
    from liftq.evaluation.result import SuiteAttempt
    from liftq.evaluation.suite.problems import find_problems
    from liftq.evaluation.suite.protocol import DOMAIN, Suite

    files = find_problems(problems, domain)
    domains = sorted({file.domain for file in files})
    digests = {
        name: _digests([name.replace(DOMAIN, domain) for domain in domains] if DOMAIN in name else [name])
        for name in solvers
    }
    plan = Suite(solvers, files, Limits(time_limit, parse_bytes("--memory-limit", memory_limit)), jobs)
    settings = {"kind": "suite", "digests": digests, "problems": len(files), "jobs": jobs}
    settings |= {"time_limit": time_limit, "memory_limit": plan.limits.memory_bytes}
    with Ledger(out, settings) as ledger:
        _refuse_other_policies(ledger, digests)
        attempts = ledger.known.of(SuiteAttempt)
        for attempt in plan.evaluate(plan.pairs(attempts)):
            ledger.append(attempt)
            attempts.append(attempt)
            length = f" {attempt.length} steps" if attempt.solved else ""
            typer.echo(f"{attempt.problem} {attempt.solver}: {attempt.ending}{length} {attempt.seconds:.2f} s")
        _print_endings([each for each in attempts if each.solver in solvers], out)


def _print_endings(attempts: Iterable[SuiteAttempt], out: Path) -> None:
    endings: dict[str, Counter[str]] = {}
    for attempt in attempts:
        endings.setdefault(attempt.solver, Counter())[attempt.ending] += 1
    for solver, counts in endings.items():
        typer.echo(f"{solver}: " + ", ".join(f"{count} {ending}" for ending, count in counts.most_common()))
    typer.echo(f"results in {out}")


@evaluate.command(epilog="Example: liftq evaluate efficiency ferry childsnack --sizes 10-100 --stride 10")
def efficiency(
    domains: Annotated[list[str], typer.Argument(metavar="DOMAIN...", help="Where states come from.")],
    sizes: Annotated[str, typer.Option(metavar="2-100", help="Numbers of objects.")] = "1-100",
    stride: Annotated[int, typer.Option(min=1, help="Take every so many-th of the sizes.")] = 1,
    per_size: Annotated[int, typer.Option(min=1, help="Problems of each size.")] = 25,
    steps: Annotated[int, typer.Option(min=1, help="States of each random walk.")] = 25,
    seed: Annotated[int, typer.Option(help="Another one draws other problems, walks and weights.")] = 0,
    out: Out = RESULTS,
) -> None:
    """Measure how long networks take to choose an action: state-values against Q-values, by size.

    Three architectures with random weights choose in the states of random walks, one thread each.
    """
    from liftq.evaluation.efficiency import NETWORKS, Efficiency
    from liftq.evaluation.ledger import Ledger
    from liftq.evaluation.result import Timing
    from liftq.sources.loading import load_domain

    settings: dict[str, Any] = {"kind": "efficiency", "seed": seed, "per_size": per_size, "steps": steps}
    with Ledger(out, settings) as ledger:
        _refuse_mixture(ledger, settings, same=("kind",))
        known = ledger.known.of(Timing)
        for name in domains:
            plan = Efficiency(load_domain(name), per_size, steps, seed)
            for size in plan.source.sizes(*parse_range("--sizes", sizes))[::stride]:
                here = [each for each in known if (each.domain, each.size) == (plan.source.name, size)]
                done = {(each.architecture, each.values) for each in here}
                for timing in plan.measure(size, done) if len(done) < NETWORKS else ():
                    ledger.append(timing)
                    milliseconds = 1000 * timing.seconds / max(1, timing.states)
                    where = f"{timing.domain} size {size} {timing.architecture} {timing.values}"
                    typer.echo(f"{where}: {milliseconds:.3f} ms a state")


@evaluate.command(epilog="Example: liftq evaluate gaps runs/ferry")
def gaps(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a training run.", show_default=False)],
    out: Out = RESULTS,
) -> None:
    """Measure how the values of a run's policies fit the plans that they were trained on.

    Err is the mean error for the teacher's actions, Diff the mean difference between their values and those of others.
    """
    from liftq.evaluation.gaps import measure, run_corpus, run_policies, run_recipe
    from liftq.evaluation.ledger import Ledger
    from liftq.evaluation.solvers import digest
    from liftq.policies import load_policy

    recipe, policies = run_recipe(run), run_policies(run)
    corpus = run_corpus(run, recipe)
    digests = {str(path): digest(str(path)) for path in policies}
    with Ledger(out, {"kind": "gaps", "run": str(run), "policies": digests}) as ledger:
        for path in policies:
            gap = measure(load_policy(path), str(path), corpus, recipe.largest_size)
            ledger.append(gap)
            shares = f"chosen {gap.chosen:.1%}, bound tighter {gap.tighter:.1%}"
            typer.echo(f"{path.stem}: Err {gap.error:.2f}, Diff {gap.difference:.2f}, {shares}")


def _digests(names: list[str]) -> dict[str, str]:
    from liftq.evaluation.solvers import digest

    return {name: digest(name) for name in names}


def _refuse_mixture(
    ledger: Ledger, settings: dict[str, Any], same: Sequence[str] = ("kind", "solver", "domain", "seed")
) -> None:
    """Attempts that were made otherwise must not count towards the same coverage."""
    from liftq.evaluation.result import Header

    for header in ledger.known.of(Header):
        if all(header.settings.get(key) == settings[key] for key in same):
            other = [key for key in settings if header.settings.get(key) != settings[key]]
            if other:
                reason = "is another policy now" if "digest" in other else f"was run with other {', '.join(other)}"
                raise InputError(f"{ledger.path}: {settings.get('solver', 'this')} {reason}\n  Choose another --out.")


def _refuse_other_policies(ledger: Ledger, digests: dict[str, dict[str, str]]) -> None:
    from liftq.evaluation.result import Header

    now = {name: digest for each in digests.values() for name, digest in each.items()}
    for header in ledger.known.of(Header):
        for each in header.settings.get("digests", {}).values():
            for name, digest in each.items():
                if now.get(name, digest) != digest:
                    raise InputError(f"{ledger.path}: {name} is another policy now\n  Choose another --out.")


def _own_domain(solver: str) -> str:
    from liftq.evaluation.solvers import is_policy, own_domain, policy_file

    if is_policy(solver) and (name := own_domain(policy_file(solver))):
        return name
    raise InputError(f"{solver}: there is no bundled domain for it\n  Say where problems come from with --domain.")


def _fingerprints(corpus: Path | None) -> list[str]:
    from liftq.datasets.corpus import Corpus

    return [attempt.fingerprint for attempt in Corpus.read(corpus).entries] if corpus else []
