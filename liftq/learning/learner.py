"""What each stage of a learning works on: which problems are taught, what is trained and for how long, which policy is
the best so far. All of it is in files, so that the same command goes on after a kill at any moment."""

from __future__ import annotations

import json
import warnings
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from liftq.compute import StartCompute
from liftq.compute.local import Local
from liftq.engine.plan_file import parse_plan
from liftq.engine.solver import Ending, Limits, Plan
from liftq.engine.task import Task
from liftq.engine.watch import within
from liftq.errors import InputError, plural
from liftq.files import read_bytes, write_atomically
from liftq.learning.budget import Clock, Stage, stages
from liftq.learning.curriculum import DerivedTeaching, Ground
from liftq.learning.derive import in_unit_costs
from liftq.learning.folder import LearningFolder, Settings, score
from liftq.learning.play import Played, Player, first_plans
from liftq.learning.runs import Runs
from liftq.learning.split import Split, make_split
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import read_policy_file, save_policy
from liftq.problems.fingerprint import fingerprint
from liftq.problems.loading import load_domain
from liftq.teachers import teacher
from liftq.teaching.attempt import Attempt
from liftq.teaching.corpus import Corpus
from liftq.teaching.journal import Journal
from liftq.teaching.teach import Quota
from liftq.training.events import Diverged, Validated
from liftq.training.log import Log

TEACHER = "orbit_search"
ATTEMPTS = 300  # of the teacher at least, on each core, in all the time there is: so long may one take ...
LONGEST = 10.0  # ... up to so many seconds
DERIVED = 800  # problems in each round, from all that are given ...
PER_PROBLEM = 40  # ... but at least so many from each
MEMORY = 2 * 2**30  # bytes for a problem that is played

Event = TypeVar("Event")


class Learner:
    def __init__(
        self, settings: Settings, folder: Path, on_gpu: bool, jobs: int, compute: StartCompute = Local
    ) -> None:
        self.settings, self.folder, self.on_gpu = settings, LearningFolder(folder), on_gpu
        self.jobs, self.compute = jobs, compute

    @contextmanager
    def begun(self) -> Iterator[None]:
        """No other process may learn in this folder meanwhile."""
        source = load_domain(self.settings.source, Path(self.settings.domain) if self.settings.domain else None)
        with self.folder.locked():
            self.folder.begin(self.settings)
            self.split: Split = make_split(source, self.folder.problems, self.settings.seed)
            self.folder.keep(self.settings)
            self.clock = Clock(self.folder.clock)  # what it takes to read the problems is no time for learning
            self.runs = Runs(
                self.folder, self.split, self.clock, self.on_gpu, self.settings.seed, self.settings.relaxed_plans
            )
            yield

    def stages(self) -> Iterator[Stage]:
        """Those that are left. What a stage finds when it begins is what the one before has left in files."""
        for stage in stages(self.settings.minutes)[self.clock.done :]:
            yield replace(stage, begin=self.clock.spent)
            self._check(stage)
            self._keep_best(stage)
            self.clock.finish_stage()

    def until(self, end: float, events: Generator[Event, None, None], patience: float = 0.0) -> Iterator[Event]:
        """Up to an end in seconds of learning, even where there are no events for long. For the first validation of a
        policy it waits longer, as far as patience goes, in seconds of learning too."""
        with closing(events):
            while (left := max(end, patience) - self.clock.spent) > 0:
                try:
                    event = within(Limits(left), lambda: next(events, None))
                except Diverged as error:  # it has lost against the other trainings
                    warnings.warn(str(error).splitlines()[0], stacklevel=2)
                    return
                if event is Ending.MEMORY_LIMIT:
                    raise MemoryError
                if event is None or isinstance(event, Ending):
                    return
                self.clock.tick()
                if isinstance(event, Validated):
                    self._curve.append({"seconds": round(self.clock.spent, 1), "score": round(event.score.total, 2)})
                    patience = 0.0
                yield event

    @cached_property
    def tasks(self) -> list[Task]:
        """Of the training problems, by size."""
        problems = [in_unit_costs(each) for each in self.split.parts["training"].problems]
        return [Task(self.split.domain, each) for each in sorted(problems, key=lambda each: each.size)]

    def teaching(self, stage: Stage) -> DerivedTeaching:
        limits = Limits(min(LONGEST, max(1.0, 60 * self.settings.minutes / ATTEMPTS)), MEMORY)
        grounds = tuple(self._grounds(stage))
        count = max(PER_PROBLEM, DERIVED // len(grounds))
        return DerivedTeaching(
            self.split.parts["training"],
            teacher(TEACHER),
            limits,
            Quota(count, count // 2, limits.seconds or 0),
            0,
            0,
            seed=1000 * self.settings.seed + stage.number,
            jobs=self.jobs,
            compute=self.compute,
            grounds=grounds,
            held_out=self.split.held_out,
        )

    def search(self, stage: Stage) -> Generator[Plan, None, None]:
        limits = Limits(max(1.0, (stage.end - self.clock.spent) / 5), MEMORY)
        found: dict[str, list[str]] = {}
        try:
            for task, plan in first_plans(self.tasks, limits, self.jobs, self.compute):
                found[fingerprint(task.problem)] = list(map(str, plan))
                yield plan
        finally:
            write_atomically(self._first_plans_file, json.dumps(found))

    def play(self, stage: Stage) -> Generator[Played, None, None]:
        """Plans for problems beyond the teacher go into the corpus; where the policy fails, what it does is kept."""
        seconds = max(1.0, (stage.end - self.clock.spent) / 10)
        policy, limits = Greedy(read_policy_file(self.folder.policy)), Limits(seconds, MEMORY)
        player = Player(policy, limits, self.jobs, self.settings.own_plans, self.compute)
        visited: dict[str, list[str]] = {}
        try:
            with Journal(self.folder.corpus, self.split.parts["training"]) as journal:
                for played in player.play(self.tasks, self._plans()):
                    if played.attempt:
                        journal.append(played.attempt)
                    if played.ground.visited:
                        visited[fingerprint(played.ground.task.problem)] = list(map(str, played.ground.visited))
                    yield played
        finally:
            write_atomically(self._visited_file(stage), json.dumps(visited))

    def curve(self) -> list[tuple[float, float]]:
        """Seconds, and the score of the checkpoint that was validated then."""
        return [(line["seconds"], line["score"]) for line in self._curve.lines()]

    def corpus(self) -> Corpus:
        return Corpus.read(self.folder.corpus)

    @property
    def _curve(self) -> Log:
        return Log(self.folder.path / "curve.jsonl")

    @property
    def _first_plans_file(self) -> Path:
        return self.folder.path / "first_plans.json"

    def _visited_file(self, stage: Stage) -> Path:
        return self.folder.path / f"visited-{stage.number}.json"

    def _attempts(self) -> tuple[Attempt, ...]:
        return self.corpus().attempts if Corpus.is_begun(self.folder.corpus) else ()

    def _plans(self) -> dict[str, Plan]:
        return {each.fingerprint: each.plan for each in self._attempts() if each.solved}

    def _grounds(self, stage: Stage) -> Iterator[Ground]:
        """After the first round, those where the policy failed; all if it did nowhere."""
        first, visited = _read_plans(self._first_plans_file), _read_plans(self._visited_file(stage))
        plans = self._plans()
        for task in self.tasks:
            digest = fingerprint(task.problem)
            if digest in visited or not visited:
                first_plan, run = (_parse(task, each.get(digest, [])) for each in (first, visited))
                yield Ground(task, plans.get(digest) or first_plan, run)

    def _check(self, stage: Stage) -> None:
        attempts = self._attempts() if stage.kind == "teach" else ()
        if stage.kind == "teach" and not any(each.solved for each in attempts):
            tried = plural(len(attempts), "problem")
            cure = "Add smaller problems, or give more --minutes, so that each gets more time; in another --out."
            raise InputError(f"the teacher has solved none of {tried} derived from those given\n  {cure}")

    def _keep_best(self, stage: Stage) -> None:
        """The best policy of the runs so far, under a name of its own; of equals the last."""
        runs = sorted(self.folder.path.glob("runs/*"), key=lambda run: run.stat().st_mtime)
        paths = [path for run in runs if (path := self.folder.best_path(run))]
        if paths:
            best = max(reversed(paths), key=lambda path: score(read_policy_file(path)))
            save_policy(self.folder.policy, read_policy_file(best))
        elif stage.kind == "train":
            cure = "Give more --minutes, or smaller problems; in another --out."
            raise InputError(f"no policy could be trained and validated in time\n  {cure}")


def _read_plans(path: Path) -> dict[str, list[str]]:
    """By fingerprint of the problem."""
    return dict(json.loads(read_bytes(path))) if path.exists() else {}


def _parse(task: Task, actions: list[str]) -> Plan:
    return parse_plan("\n".join(actions), task.domain, task.problem)
