"""`liftq evaluate paper`: a study, cell by cell. Its folder says what there is to train and to evaluate."""

from __future__ import annotations

import time
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from liftq import pipeline
from liftq.commands.interruption import terminated_as_interrupted
from liftq.commands.output import result

if TYPE_CHECKING:
    from liftq.evaluation.studies.evaluations import Found
    from liftq.evaluation.studies.study import Cell, Study

Item = TypeVar("Item")


class StudyStage(StrEnum):
    TRAIN = "train"
    EVALUATE = "evaluate"
    GAPS = "gaps"


FOLDER = Path("results/paper")


def paper(
    folder: Annotated[Path, typer.Argument(help="The study: a folder with study.toml and recipes.")] = FOLDER,
    status: Annotated[
        bool, typer.Option("--status", help="Print what there is for each cell, and do nothing else.")
    ] = False,
    stage: Annotated[
        list[StudyStage] | None, typer.Option(help="Only this stage; can be given several times. By default all.")
    ] = None,
    domains: Annotated[str, typer.Option(metavar="A,B,...", help="Only these; by default all.")] = "",
    recipes: Annotated[
        str, typer.Option("--recipes", "--arch", metavar="A,B,...", help="Only these; by default all.")
    ] = "",
    objectives: Annotated[
        str,
        typer.Option(
            metavar="A,B,...", help="Evaluate only these; by default all. Those of one run are trained together."
        ),
    ] = "",
    runs: Annotated[
        Path | None, typer.Option(help="Where trainings are. Default: runs/ and the folder's name.")
    ] = None,
    corpora: Annotated[
        Path | None, typer.Option(help="A folder of DOMAIN.jsonl.zst. Default: FOLDER/corpora; otherwise bundled ones.")
    ] = None,
    device: Annotated[str, typer.Option(help="For training: cpu, cuda, or auto.")] = "auto",
    at_once: Annotated[int, typer.Option(min=1, help="Trainings at the same time on the device.")] = 1,
    workers: Annotated[int, typer.Option(min=1, help="Threads of each training that validate.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Sizes evaluated at the same time.")] = 1,
    stride: Annotated[int, typer.Option(min=1, help="Evaluate every Nth size first.")] = 8,
    refine: Annotated[
        bool,
        typer.Option(help="Then the sizes between, except where the coverages on both sides are 1, or both 0."),
    ] = True,
    minutes: Annotated[float | None, typer.Option(min=0.1, help="Stop after this long, with what there is.")] = None,
) -> None:
    """Fill the tables of the paper: train, validate, choose and evaluate a policy for each cell.

    Recipes, domains and what each domain sets are in the study's folder, and results are added there. Evaluation leaves
    out all problems that a policy was trained or validated on. First all cells are evaluated at every Nth size, then
    every size where the coverage changes. The same command continues where an earlier one stopped.
    """
    from liftq.evaluation.studies.study import read_study

    study = read_study(folder, runs or Path("runs") / folder.name, corpora)
    study = study.restricted(_listed(recipes), _listed(domains))
    chosen = _listed(objectives)
    until = time.monotonic() + 60 * minutes if minutes else None
    stages = [] if status else stage or list(StudyStage)
    with terminated_as_interrupted():
        if StudyStage.TRAIN in stages:
            _train(study, device, at_once, workers, until)
        cells = [cell for cell in study.cells() if not chosen or cell.name in chosen]
        if StudyStage.EVALUATE in stages:
            _evaluate(cells, stride, refine, jobs, until)
        if StudyStage.GAPS in stages:
            _measure_gaps(cells, until)
    _print_status(cells)


def _listed(names: str) -> list[str]:
    return [name for name in names.split(",") if name]


def _train(study: Study, device: str, at_once: int, workers: int, until: float | None) -> None:
    from liftq.evaluation.studies.trainings import run_all, trainings

    minutes = (until - time.monotonic()) / 60 if until else None
    for training, news in run_all(trainings(study), device, at_once, workers, minutes):
        result(f"{training.folder}: {news}", run=training.folder, news=news)


def _evaluate(cells: list[Cell], stride: int, refine: bool, jobs: int, until: float | None) -> None:
    from liftq.evaluation.studies.evaluations import found, open_evaluations

    for cell, evaluation in _before(until, open_evaluations(cells, stride, refine, jobs)):
        for _ in _before(until, pipeline.evaluate(evaluation, cell.results)):
            pass
        result(f"{cell}: {_described(found(cell))}", cell=cell, found=_described(found(cell)))


def _measure_gaps(cells: list[Cell], until: float | None) -> None:
    from liftq.evaluation.studies.evaluations import open_gaps

    for cell, evaluation in _before(until, open_gaps(cells)):
        for gap in pipeline.evaluate(evaluation, cell.results):
            words = f"{cell}: Err {gap.error:.2f}, Diff {gap.difference:.2f}"
            result(words, cell=cell, error=gap.error, difference=gap.difference)


def _before(until: float | None, items: Iterator[Item]) -> Iterator[Item]:
    """As many as come in time."""
    while until is None or time.monotonic() <= until:
        try:
            yield next(items)
        except StopIteration:
            return


def _print_status(cells: list[Cell]) -> None:
    from liftq.evaluation.studies.evaluations import found, is_former
    from liftq.evaluation.studies.trainings import Training

    known = {cell: found(cell) for cell in cells}
    for cell, what in known.items():
        training = Training((cell,))
        epochs = training.epochs_done or what.epochs  # the run may be gone
        described = _described(what) + (", but there is another policy now" if is_former(cell, what) else "")
        words = f"{epochs} of {training.epochs} epochs, {described}" if epochs else "not trained"
        result(f"{cell}: {words}", cell=cell, epochs=epochs, of=training.epochs, found=described)
    filled, complete = sum(each.filled for each in known.values()), sum(each.complete for each in known.values())
    words = f"{filled} of {len(cells)} cells filled, {complete} of them at every size where the coverage changes"
    result(words, cells=len(cells), filled=filled, complete=complete)


def _described(what: Found) -> str:
    if what.reading is None or not what.reading.curve.coverages:
        return "not evaluated"
    curve = what.reading.curve
    how = "complete" if what.complete else f"{len(curve.left_out)} sizes interpolated" if what.filled else "unfinished"
    return f"Scale {curve.scale}, SCov {curve.scov:.1f} ± {curve.scov_error:.1f} ({how})"
