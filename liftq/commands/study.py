"""`liftq evaluate paper`: fill the cells of a study. Its folder says what to train and evaluate."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import closing
from enum import StrEnum
from itertools import groupby
from math import ceil
from operator import itemgetter
from pathlib import Path
from typing import Annotated

import typer

from liftq import pipeline
from liftq.commands.output import news, result
from liftq.commands.process import terminated_as_interrupted
from liftq.evaluation.studies.cost import cost_of
from liftq.evaluation.studies.record import record_of, summary
from liftq.evaluation.studies.study import Study, Training, read_study
from liftq.training.events import Epoch


class StudyStage(StrEnum):
    TRAIN = "train"
    EVALUATE = "evaluate"
    GAPS = "gaps"


FOLDER = Path("results/paper")


def paper(
    folder: Annotated[Path, typer.Argument(help="The study: a folder with study.toml and recipes.")] = FOLDER,
    status: Annotated[bool, typer.Option("--status", help="Only print the state of each cell.")] = False,
    stage: Annotated[
        list[StudyStage] | None, typer.Option(help="Only this stage; repeat the option for more. By default all.")
    ] = None,
    domains: Annotated[str, typer.Option(metavar="A,B,...", help="Only these; by default all.")] = "",
    recipes: Annotated[
        str, typer.Option("--recipes", "--arch", metavar="A,B,...", help="Only these; by default all.")
    ] = "",
    objectives: Annotated[str, typer.Option(metavar="A,B,...", help="Only these; by default all.")] = "",
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Fill the cells anew in this folder instead of the study's."),
    ] = None,
    runs: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The folder of trainings. Default: runs/STUDY, or OUT/runs."),
    ] = None,
    corpora: Annotated[
        Path | None, typer.Option(help="A folder of DOMAIN.jsonl.zst. Default: FOLDER/corpora; otherwise bundled ones.")
    ] = None,
    device: Annotated[str, typer.Option(help="For training and playing: cpu, cuda, or auto.")] = "auto",
    jobs: Annotated[int, typer.Option(min=1, help="Sizes evaluated at the same time.")] = 1,
    stride: Annotated[int, typer.Option(min=1, help="Evaluate every Nth size first.")] = 8,
    refine: Annotated[
        bool,
        typer.Option(help="Then fill in the sizes left out, unless coverage is 1 on both sides, or 0 on both."),
    ] = True,
    minutes: Annotated[float | None, typer.Option(min=0.1, help="Stop after this long and keep what is done.")] = None,
) -> None:
    """Fill the tables of the paper: train, validate, choose and evaluate a policy for each cell.

    The study's folder holds recipes, domains with their settings, and results. The command first prints what the cells
    cost last time. Evaluation leaves out all problems that a policy was trained or validated on. It covers every Nth
    size of all cells first, then every size where the coverage changes. If interrupted, the same command continues. To
    fill one cell anew:

    liftq evaluate paper --recipes oe --domains gripper --objectives q_heuristic --out mine
    """
    default_runs = out / "runs" if out else Path("runs") / folder.name
    study = read_study(folder, runs or default_runs, corpora, out)
    study = study.restricted(_names(recipes), _names(domains), _names(objectives))
    if not status:
        with terminated_as_interrupted():
            _fill(study, set(stage or StudyStage), device, stride, refine, jobs, minutes)
    _print_status(study)


def _names(listed: str) -> list[str]:
    return [name for name in listed.split(",") if name]


def _fill(
    study: Study, stages: set[StudyStage], device: str, stride: int, refine: bool, jobs: int, minutes: float | None
) -> None:
    news(f"cost when filled before: {cost_of(study)}")
    with closing(pipeline.fill(study, stages, device, stride, refine, jobs, minutes)) as events:
        for subject, of_subject in groupby(events, key=itemgetter(0)):
            if isinstance(subject, Training):
                _watch(subject, (event for _, event in of_subject))
            else:
                deque(of_subject, maxlen=0)
                words = record_of(subject).evaluated
                result(f"{subject}: {words}", cell=subject, evaluated=words)


def _watch(training: Training, events: Iterator[object]) -> None:
    """Estimates from the first epoch how long the others will take."""
    before = training.seconds_done
    first = next((event for event in events if isinstance(event, Epoch)), None)
    if first:
        seconds = first.seconds - before
        minutes = ceil((training.epochs - first.number) * seconds / 60)
        news(f"{training}: epoch {first.number} took {seconds:.1f} s; all {training.epochs} take {minutes} min more")
    deque(events, maxlen=0)
    words = f"{training.epochs_done} of {training.epochs} epochs trained"
    if not training.epochs_done:
        words += "; the time was up before the first one ended"
    result(f"{training}: {words}", run=training.folder, epochs=training.epochs_done, of=training.epochs)


def _print_status(study: Study) -> None:
    records = [record_of(cell) for cell in study.cells()]
    for record in records:
        figures = {"epochs": record.epochs, "of": record.of_epochs, "evaluated": record.evaluated}
        result(str(record), cell=record.cell, **figures, verdict=record.verdict)
    result(summary(records), summary=summary(records))
