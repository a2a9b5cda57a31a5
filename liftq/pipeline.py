"""The plot: generate, teach, train, learn, evaluate, report, and solve. Each stage reads files and leaves files."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from liftq.engine.solver import Limits, Trajectory
from liftq.errors import InputError

if TYPE_CHECKING:
    from liftq.compute import StartCompute
    from liftq.engine.task import Task
    from liftq.evaluation import Evaluation
    from liftq.evaluation.calibration import Trial
    from liftq.evaluation.result import SomeRecord
    from liftq.evaluation.studies.study import Cell, Study
    from liftq.evaluation.studies.trainings import Training
    from liftq.learning.folder import Settings
    from liftq.problems.problem_set import ProblemSet
    from liftq.teaching.teach import Progress, Teaching
    from liftq.training.events import Begun, Epoch, Validated
    from liftq.training.recipes.recipe import Recipe

UNLIMITED = Limits()


@contextmanager
def _needing_torch() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        if error.name != "torch":
            raise
        raise InputError("training needs PyTorch\n  Install it with: pip install 'liftq[train]'") from error


def generate(problems: ProblemSet) -> Iterator[tuple[str, bool]]:
    """Problems as files, no two alike and none solved at the start: each name, and whether there is such a problem."""
    yield from problems.write()


def teach(teaching: Teaching, corpus: Path) -> Generator[Progress, None, None]:
    """Optimal plans for small problems, each on disk before it is yielded. Continues where an earlier call stopped."""
    from liftq.teaching.journal import Journal

    with Journal(corpus, teaching.source) as journal:
        yield from teaching.teach(teaching.rows(journal.attempts), journal)


def train(
    recipe: Recipe, folder: Path, device: str = "auto", elsewhere: StartCompute | None = None
) -> Generator[Begun | Epoch | Validated, None, None]:
    """Several models at once, validated meanwhile on ever larger problems; the folder keeps the best."""
    with _needing_torch():
        from liftq.training.device import find_device
        from liftq.training.elsewhere import train_elsewhere
        from liftq.training.run import Run
    if elsewhere:
        yield from train_elsewhere(recipe, folder, device, elsewhere)
    else:
        yield from Run(folder, recipe).train(find_device(device))


def learn(
    settings: Settings,
    folder: Path,
    device: str = "auto",
    jobs: int = 2,
    test_limits: Limits | None = None,
    elsewhere: StartCompute | None = None,
) -> Generator[object, None, None]:
    """From problems to a policy: teach, train, let the policy play, teach where it failed, and train again, until the
    time is used; then test and report. Yields each `Stage`, and after it the events of the stages below."""
    with _needing_torch():
        from liftq.learning.learner import Learner
        from liftq.training.device import find_device
    from liftq.learning.held_out import held_out_test
    from liftq.learning.summary import Summary

    place = () if elsewhere is None else (elsewhere,)  # of teaching, playing and testing
    learner = Learner(settings, folder, find_device(device).type == "cuda", jobs, *place)
    with learner.begun():
        for stage in learner.stages():
            yield stage
            match stage.kind:
                case "search":
                    yield from learner.until(stage.end, learner.search(stage))
                case "teach":
                    yield from learner.until(stage.end, teach(learner.teaching(stage), learner.folder.corpus))
                case "play":
                    yield from learner.until(stage.end, learner.play(stage))
                case "choose":
                    for trial in learner.runs.trials(stage):
                        yield from learner.until(trial.end, train(trial.recipe, trial.folder, device), trial.patience)
                case "train":
                    run = learner.runs.training(stage)
                    yield from learner.until(run.end, train(run.recipe, run.folder, device), run.patience)
        summary = Summary(learner)
        summary.write_card()
        yield from evaluate(summary, learner.folder.results)
        if test_limits is not None:
            yield from evaluate(held_out_test(learner, test_limits), learner.folder.results)
        try:
            report([learner.folder.results], learner.folder.report, f"liftq learn {settings.source}")
        except InputError as error:  # a part that is not installed must not spoil what was learned
            warnings.warn(f"there is no page: {error}", stacklevel=2)


def evaluate(evaluation: Evaluation[SomeRecord], results: Path) -> Generator[SomeRecord, None, None]:
    """What the results file lacks of an evaluation (scaling, suite, efficiency or gaps); each record is on disk before
    it is yielded. Continues where an earlier call stopped."""
    from liftq.evaluation import refuse_mixture
    from liftq.evaluation.ledger import Ledger

    with Ledger(results, evaluation.settings()) as ledger:
        refuse_mixture(evaluation, ledger.known, results)
        for record in evaluation.evaluate(ledger.known):
            ledger.append(record)
            yield record


def fill(
    study: Study,
    stages: Collection[str] = ("train", "evaluate", "gaps"),
    device: str = "auto",
    stride: int = 8,
    refine: bool = True,
    jobs: int = 1,
    minutes: float | None = None,
) -> Generator[tuple[Training | Cell, object], None, None]:
    """Every cell of a study: a policy is trained, evaluated by size, and its values are measured on what it learned
    from. Yields the events of these stages, each with its training or cell."""
    from liftq.evaluation.studies.deadline import Deadline
    from liftq.evaluation.studies.evaluations import open_evaluations, open_gaps
    from liftq.evaluation.studies.trainings import trainings

    deadline, cells = Deadline(minutes), list(study.cells())
    if "train" in stages:
        unfinished = [training for training in trainings(study) if not training.finished]
        for training, seconds in deadline.shared_out(unfinished):
            for event in deadline.until(train(training.recipe_for(seconds), training.folder, device)):
                yield training, event
    if "evaluate" in stages:
        for cell, evaluation in deadline.until(open_evaluations(cells, stride, refine, jobs)):
            for attempt in deadline.until(evaluate(evaluation, cell.results)):
                yield cell, attempt
    if "gaps" in stages:
        for cell, measurement in deadline.until(open_gaps(cells)):
            for gap in deadline.until(evaluate(measurement, cell.results)):
                yield cell, gap


def calibrate(policy: Path, seed: int = 0) -> Iterator[Trial]:
    """How many actions a policy can take from one pass of its network: every way of acting that is tried. The best is
    written to the policy's card at the end."""
    from liftq.evaluation.calibration import best, problems_for, trials, with_acting
    from liftq.policies.greedy import Greedy
    from liftq.policies.policy_file import read_policy_file, save_policy

    policy_file = read_policy_file(policy)
    made = []
    for trial in trials(Greedy(policy_file), problems_for(policy_file, policy, seed)):
        made.append(trial)
        yield trial
    save_policy(policy, with_acting(policy_file, best(made).acting))


def report(
    results: Sequence[Path], folder: Path, title: str, sections: Sequence[str] = (), labels: Sequence[str] = ()
) -> list[Path]:
    """All that results files hold, or the named sections of it, as a page and as Markdown: the files written."""
    from liftq.evaluation.result import Results
    from liftq.reports import make_document, write_report
    from liftq.reports.solvers.names import labelled

    try:
        return write_report(make_document(labelled(Results.read(results), labels), title, sections), folder)
    except ImportError as error:
        if error.name not in ("altair", "jinja2", "markupsafe", "vl_convert"):
            raise
        raise InputError("reports need Altair and Jinja\n  Install them with: pip install 'liftq[report]'") from error


def solve(
    domain: Path,
    problem: Path,
    policy: str | None = None,
    limits: Limits = UNLIMITED,
    fallback: Literal["search", "none"] = "search",
    threads: int = 1,
    one_by_one: bool = False,
) -> tuple[Trajectory, Task | None]:
    """A validated plan for one problem, by the named policy or by the bundled one that fits, or why there is none; and
    the task, unless a limit came before it was read."""
    from liftq.zoo.solver import solve_files

    return solve_files(domain, problem, policy, limits, fallback, threads, one_by_one)


def show(
    domain: Path,
    problem: Path,
    page: Path,
    plan: Path | None = None,
    policy: str | None = None,
    seconds: float = 30.0,
) -> None:
    """A plan, or what the policy does, as one page to step through."""
    from liftq.files import refuse_foreign, write_atomically
    from liftq.reports.page import is_page
    from liftq.reports.show.request import ShowRequest

    refuse_foreign(page, is_page, "a page of `liftq show`")
    write_atomically(page, ShowRequest(domain, problem, plan, policy, seconds).page())


def improve(task: Task, trajectory: Trajectory, limits: Limits) -> Iterator[Trajectory]:
    """Ever cheaper plans for a solved problem, each validated, until the time is over or none is cheaper."""
    from liftq.engine.delivery import cheaper_plans

    yield from cheaper_plans(task, trajectory, limits)
