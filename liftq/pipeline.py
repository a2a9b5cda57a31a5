"""The plot: teach, train, learn, evaluate, and report. Each stage reads files and leaves files; `liftq.zoo.solver` has
what comes after it, solving. Only training needs PyTorch, so only its imports wait until it starts."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from liftq.compute import StartCompute
from liftq.engine.solver import Limits
from liftq.engine.watch import Countdown, until
from liftq.errors import InputError
from liftq.evaluation import Evaluation, refuse_mixture
from liftq.evaluation.calibration import Trial, best, problems_for, trials, with_acting
from liftq.evaluation.ledger import Ledger
from liftq.evaluation.result import Results, SomeRecord
from liftq.evaluation.studies.evaluations import open_evaluations, open_gaps
from liftq.evaluation.studies.study import Cell, Study, Training, trainings, with_shares
from liftq.learning.events import Event
from liftq.learning.folder import Settings
from liftq.learning.held_out import held_out_test
from liftq.learning.learner import Learner
from liftq.learning.summary import Summary
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import read_policy_file, save_policy
from liftq.reports import make_document, write_report
from liftq.reports.solvers.names import labelled
from liftq.teaching.journal import Journal
from liftq.teaching.teach import Progress, Teaching
from liftq.training.events import Begun, Epoch, Validated
from liftq.training.recipes.recipe import Recipe

Item = TypeVar("Item")


@contextmanager
def _needing_torch() -> Iterator[None]:
    try:
        yield
    except ImportError as error:
        if error.name != "torch":
            raise
        raise InputError("training needs PyTorch\n  Install it with: pip install 'liftq[train]'") from error


def teach(teaching: Teaching, corpus: Path) -> Generator[Progress, None, None]:
    """Optimal plans for small problems, each on disk before it is yielded. Continues where an earlier call stopped."""
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
) -> Generator[Event, None, None]:
    """From problems to a policy: teach, train, let the policy play, teach where it failed, and train again, until the
    time is used; then test and report. Yields each `Stage`, and after it the events of the stages below."""
    with _needing_torch():
        from liftq.training.device import find_device

    place = () if elsewhere is None else (elsewhere,)  # of teaching, playing and testing
    with Learner.opened(settings, folder, find_device(device).type == "cuda", jobs, *place) as learner:
        for stage in learner.stages():
            yield stage
            match stage.kind:
                case "extend":
                    yield from learner.until(stage.end, teach(learner.extension(stage), learner.folder.corpus))
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
            warnings.warn(f"the page could not be written: {error}", stacklevel=2)


def evaluate(evaluation: Evaluation[SomeRecord], results: Path) -> Generator[SomeRecord, None, None]:
    """What the results file lacks of an evaluation (scaling, suite, efficiency or gaps); each record is on disk before
    it is yielded. Continues where an earlier call stopped."""
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
    countdown, cells = Countdown(Limits(60 * minutes if minutes else None)), list(study.cells())

    def in_time(events: Generator[Item, None, None]) -> Iterator[Item]:
        return until(lambda: countdown.left.seconds, events)

    if "train" in stages:
        unfinished = [training for training in trainings(study) if not training.finished]
        for training, seconds in with_shares(unfinished, countdown):
            for event in in_time(train(training.recipe_for(seconds), training.folder, device)):
                yield training, event
    if "evaluate" in stages:
        for cell, evaluation in in_time(open_evaluations(cells, stride, refine, jobs, gpu_of(device))):
            for attempt in in_time(evaluate(evaluation, cell.results)):
                yield cell, attempt
    if "gaps" in stages:
        for cell, measurement in in_time(open_gaps(cells)):
            for gap in in_time(evaluate(measurement, cell.results)):
                yield cell, gap


def gpu_of(device: str) -> str | None:
    """Where many problems are played side by side; None: on the processor, one after the other, without PyTorch."""
    if device == "cpu" or (device == "auto" and find_spec("torch") is None):
        return None
    with _needing_torch():
        from liftq.training.device import find_device
    found = find_device(device)
    return None if found.type == "cpu" else str(found)


def calibrate(policy: Path, seed: int = 0) -> Iterator[Trial]:
    """How many actions a policy can take from one pass of its network: every way of acting that is tried. The best is
    written to the policy's card at the end."""
    policy_file = read_policy_file(policy)
    tried = []
    for trial in trials(Greedy(policy_file), problems_for(policy_file, policy, seed)):
        tried.append(trial)
        yield trial
    save_policy(policy, with_acting(policy_file, best(tried).acting))


def report(
    results: Sequence[Path], folder: Path, title: str, sections: Sequence[str] = (), labels: Sequence[str] = ()
) -> list[Path]:
    """All that results files hold, or the named sections of it, as a page and as Markdown: the files written."""
    try:
        return write_report(make_document(labelled(Results.read(results), labels), title, sections), folder)
    except ImportError as error:
        if error.name not in ("altair", "jinja2", "markupsafe", "vl_convert"):
            raise
        raise InputError("reports need Altair and Jinja\n  Install them with: pip install 'liftq[report]'") from error
