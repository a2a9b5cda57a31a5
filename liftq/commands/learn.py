"""`liftq learn`: learn a policy from problems: teach, train, play, repeat until the time is up, and test the policy."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn

from liftq import pipeline
from liftq.commands.arguments import finite
from liftq.commands.output import news, result, shows_progress
from liftq.commands.place import RayAddress, place
from liftq.commands.process import terminated_as_interrupted
from liftq.compute.provenance import usable_cores
from liftq.engine.solver import Limits
from liftq.errors import PDDLWarning, plural
from liftq.evaluation.learning import in_words
from liftq.evaluation.result import Learned, Results, SuiteAttempt
from liftq.learning.budget import Stage
from liftq.learning.events import Event
from liftq.learning.folder import LearningFolder, Settings
from liftq.learning.play import Played
from liftq.teachers.fast_downward import find_driver
from liftq.teaching.teach import Progress as Taught
from liftq.training.events import Epoch, Validated

EPILOG = "Example: liftq learn my_problems --minutes 15 --out runs/mine"
MEMORY = 8 * 2**30  # bytes for each problem of the test
DOING = {
    "extend": "extending: near-optimal plans for problems as large as yours, and larger ones",
    "teach": "teaching: optimal plans for problems derived from yours",
    "choose": "choosing a network, an objective and a learning rate",
    "train": "training",
    "play": "playing: where does the policy fail?",
}
SPARKS = "▁▂▃▄▅▆▇█"
SHOWN = 30  # points of the curve, at most


def learn(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A folder with domain.pddl and problems, a bundled domain, a Python file with a generator, or "
            "package.module:Class.",
            show_default=False,
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="The folder for all results.", show_default=False)],
    minutes: Annotated[
        float, typer.Option(min=0.1, max=100_000, callback=finite, help="Time for learning, without the test.")
    ] = 15.0,
    domain: Annotated[
        str, typer.Option(metavar="FILE", help="The domain of a folder, if not the nearest domain.pddl.")
    ] = "",
    seed: Annotated[int, typer.Option(min=0, max=10**6, help="Another seed splits and draws differently.")] = 0,
    jobs: Annotated[
        int | None,
        typer.Option(min=1, max=256, help="Problems solved at the same time; by default one per core."),
    ] = None,
    own_plans: Annotated[
        bool, typer.Option(help="Also learn from the policy's own plans for problems beyond the teacher.")
    ] = True,
    relaxed_plans: Annotated[bool, typer.Option(help="Give the network relaxed plans as an input.")] = True,
    ray: RayAddress = None,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto.")] = "auto",
    test_seconds: Annotated[
        float, typer.Option(min=0, callback=finite, help="Time for each solver on each held-out problem; 0: no test.")
    ] = 60.0,
) -> None:
    """Learn a policy from problems: teach, train, play, repeat until the time is up, and test the policy.

    A quarter of the problems is held out for the test, and some more for validation. From the others, problems are
    derived that an optimal planner can just solve: with fewer or other goals, other starts, or fewer objects. The
    policy learns from the planner's plans, plays, and is taught again where it fails. Larger problems are solved by
    search, later together with the policy, which learns from these near-optimal plans, too. It learns to make plans
    short: action costs do not count.

    The test runs the policy, alone and with search, and LAMA-first, if Fast Downward is installed, on the held-out
    problems. The folder then holds policy.safetensors and report/report.html. After Ctrl-C or a kill, the same command
    continues, and nothing is lost.
    """
    settings = Settings(source, minutes, seed, own_plans, domain, relaxed_plans)
    limits = Limits(test_seconds, MEMORY) if test_seconds else None
    jobs, compute = place(ray, jobs or (None if ray else usable_cores()))
    if lacking := lacking_parts():
        news(f"not installed: {'; '.join(lacking)}\n  pip install 'liftq[learn]' installs them.")
    with terminated_as_interrupted():
        try:
            watch(pipeline.learn(settings, out, device, jobs, limits, compute), minutes)
        except KeyboardInterrupt:
            news(f"interrupted: nothing is lost, the same command continues in {out}")
            raise
    folder = LearningFolder(out)
    print_verdict(folder)
    page = folder.report / "report.html"
    has_page = page.exists()
    words = f"policy: {folder.policy}" + (f"\nreport: {page}" if has_page else "")
    result(words, policy=folder.policy, report=page if has_page else None)


def lacking_parts() -> list[str]:
    """Optional packages that are not installed, and what will be missing."""
    lacking = []
    if not all(map(find_spec, ("altair", "jinja2", "vl_convert"))):
        lacking.append("Altair, Jinja or vl-convert, so there will be no report page")
    if not find_driver():
        lacking.append("Fast Downward, so the test will not include LAMA-first")
    return lacking


def watch(events: Generator[Event, None, None], minutes: float) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[left]}"))
    with closing(events), Progress(*columns, transient=True, disable=not shows_progress()) as progress:
        shown = Shown(progress, 60 * minutes)
        for event in events:
            warnings.simplefilter("ignore", PDDLWarning)  # from now on, only copies of the source's files are read
            if isinstance(event, Stage):
                shown.begin(event)
            else:
                shown.note(event)


class Shown:
    """The progress of a `learn` run: its stage, what the stage has done, the time left, and the validation curve."""

    def __init__(self, progress: Progress, total: float) -> None:
        self.progress, self.total = progress, total
        self.bar = progress.add_task("starting", total=total, left="")
        self.counts: Counter[str] = Counter()
        self.curve: list[float] = []
        self.stage: Stage | None = None
        self.began = time.monotonic()
        self.most = 0.0  # the score of a policy that solves everything
        self.tests = 0  # solves of the test; 0: not known

    def begin(self, stage: Stage) -> None:
        self.stage, self.began = stage, time.monotonic()
        self.counts.clear()
        self.progress.console.print(f"{clock(stage.begin)} {DOING[stage.kind]}", highlight=False)

    def note(self, event: Event) -> None:
        match event:
            case Taught():
                self.counts.update(tried=1, plans=event.attempt.solved)
            case Played():
                self.counts.update(played=1, solved=event.solved)
            case Epoch():
                self.counts.update(epochs=1)
            case Validated():
                self.curve.append(max([event.score.total, *self.curve[-1:]]))
                self.most = float(event.score.most)
            case Learned():
                self.learned(event)
            case SuiteAttempt():
                self.counts.update(tested=1, solved=event.solved)
        self.show()

    def learned(self, event: Learned) -> None:
        self.stage, self.began = None, time.monotonic()
        self.counts.clear()
        self.tests = len(event.problems["test"]) * (4 if find_driver() else 3)
        line = f"{clock(event.seconds)} learned; {plural(len(event.problems['test']), 'held-out problem')} for the test"
        self.progress.console.print(line, highlight=False)

    def show(self) -> None:
        doing = self.stage.kind if self.stage else "test"
        done = ", ".join(f"{count} {what}" for what, count in self.counts.items())
        spent = self.stage.begin + time.monotonic() - self.began if self.stage else self.total
        left = f"{clock(max(0.0, self.total - spent))} left" if self.stage else self.left_of_test()
        description = f"{doing}: {done}  {sparkline(self.curve, self.most)}"
        if not self.stage and self.tests:
            done = f"{self.counts['tested']} of {self.tests} solves, {self.counts['solved']} with a plan"
            description = f"{doing}: {done}"
        self.progress.update(self.bar, description=description, completed=min(spent, self.total), left=left)

    def left_of_test(self) -> str:
        """If the rest takes as long as what is done."""
        tested = self.counts["tested"]
        if not tested or not self.tests:
            return ""
        return f"about {clock((time.monotonic() - self.began) / tested * max(0, self.tests - tested))} left"


def clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def sparkline(curve: Sequence[float], most: float = 0.0) -> str:
    """The best score in validation so far, over time, as a share of what is possible."""
    most = max([most, *curve]) or 1.0
    step = max(1, -(-len(curve) // SHOWN))
    return "".join(SPARKS[int((len(SPARKS) - 1) * score / most)] for score in curve[::-step][::-1])


def print_verdict(folder: LearningFolder) -> None:
    """How the policy does beside LAMA."""
    results = Results.read([folder.results])
    for learned in results.of(Learned):
        news("\n".join(in_words(learned, results.of(SuiteAttempt))))
