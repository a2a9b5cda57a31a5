"""What each stage of a `learn` run works on: which problems are taught, what is trained and for how long, which policy
is the best so far. All of it is in files, so that the same command goes on after a kill at any moment."""

from __future__ import annotations

import json
import warnings
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from liftq.compute import StartCompute
from liftq.compute.local import Local
from liftq.domains import Dice
from liftq.engine.plan_file import parse_plan
from liftq.engine.solver import Limits
from liftq.engine.task import Task
from liftq.engine.watch import until
from liftq.errors import InputError, plural
from liftq.evaluation.calibration import with_acting
from liftq.files import read_bytes, write_atomically
from liftq.learning.budget import Clock, Stage, stages
from liftq.learning.choose import candidates
from liftq.learning.compose import Composer
from liftq.learning.curriculum import DerivedTeaching, Ground
from liftq.learning.derive import in_unit_costs, may_be_solvable
from liftq.learning.folder import LearningFolder, Settings, score
from liftq.learning.play import Played, Player
from liftq.learning.runs import Runs
from liftq.learning.split import Split, make_split
from liftq.policies.acting import FROM_PROBLEMS
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import read_policy_file, save_policy
from liftq.problems.fingerprint import fingerprint
from liftq.problems.loading import load_domain
from liftq.teachers import Teacher, teacher
from liftq.teaching.attempt import BY_POLICY, BY_SEARCH, Attempt
from liftq.teaching.corpus import Corpus
from liftq.teaching.journal import Journal
from liftq.teaching.played import NearOptimal
from liftq.teaching.teach import Quota
from liftq.training.events import Failed, Validated
from liftq.training.log import Log

TEACHER, SEARCH = "orbit_search", "greedy_search"
ATTEMPTS = 300  # of the teacher at least, on each core, in all the time there is: so long may one take ...
LONGEST = 10.0  # ... up to so many seconds
EXTENDED = 12  # attempts beyond the teacher at least, on each core, in their stage: so long may one take ...
LONGEST_EXTENDED = 30.0  # ... up to so many seconds
COMPOSITIONS = 12  # larger problems in each round, at most
DERIVED = 800  # problems in each round, from all that are given ...
PER_PROBLEM = 40  # ... but at least so many from each
MEMORY = 2 * 2**30  # bytes for a problem that is played
VALIDATED = 200  # problems in all the time there is: so long may one take in validation ...
LONGEST_VALIDATED = 15.0  # ... up to so many seconds

Event = TypeVar("Event")


@dataclass(frozen=True)
class Learner:
    settings: Settings
    folder: LearningFolder
    split: Split
    clock: Clock
    runs: Runs
    jobs: int
    compute: StartCompute = Local

    @staticmethod
    @contextmanager
    def opened(
        settings: Settings, path: Path, on_gpu: bool, jobs: int, compute: StartCompute = Local
    ) -> Iterator[Learner]:
        """No other process may learn in this folder meanwhile."""
        source = load_domain(settings.source, Path(settings.domain) if settings.domain else None)
        folder = LearningFolder(path)
        with folder.locked():
            folder.begin(settings)
            split = make_split(source, folder.problems, settings.seed)
            folder.keep(settings)
            clock = Clock(folder.clock)  # reading the problems takes none of the time for learning
            runs = Runs(
                folder,
                split,
                clock,
                candidates(on_gpu, settings.minutes),
                settings.seed,
                settings.relaxed_plans,
                jobs,
                min(LONGEST_VALIDATED, max(1.0, 60 * settings.minutes / VALIDATED)),
            )
            yield Learner(settings, folder, split, clock, runs, jobs, compute)

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

        def seconds_left() -> float:
            return max(end, patience) - self.clock.spent

        try:
            for event in until(seconds_left, events):
                self.clock.tick()
                if isinstance(event, Validated):
                    self._curve.append({"seconds": round(self.clock.spent, 1), "score": round(event.score.total, 2)})
                    patience = 0.0
                yield event
        except Failed as error:  # it has lost against the other trainings
            warnings.warn(str(error).splitlines()[0], stacklevel=2)

    @cached_property
    def tasks(self) -> list[Task]:
        """Of the training problems, by size."""
        problems = [in_unit_costs(each) for each in self.split.parts["training"].problems]
        return [Task(self.split.domain, each) for each in sorted(problems, key=lambda each: each.size)]

    def teaching(self, stage: Stage) -> DerivedTeaching:
        """Optimal plans."""
        seconds = min(LONGEST, max(1.0, 60 * self.settings.minutes / ATTEMPTS))
        return self._derived(stage, teacher(TEACHER), seconds, Quota().first_pass)

    def extension(self, stage: Stage) -> DerivedTeaching:
        """Plans for problems beyond the teacher: by search, and later by the policy with search."""
        seconds = (stage.end - self.clock.spent) * self.jobs / EXTENDED
        by = NearOptimal(teacher(SEARCH), BY_SEARCH)
        if stage.number > 1 and self.settings.own_plans:
            by = NearOptimal(Greedy(read_policy_file(self.folder.policy)), BY_POLICY)
        derived = self._derived(stage, by, min(LONGEST_EXTENDED, max(1.0, seconds)), 1)
        return replace(derived, composed=lambda: self._composed(stage))

    def _composed(self, stage: Stage) -> Iterator[Ground]:
        """Problems larger than those given: two of them side by side in the first round, then up to four and eight."""
        problems = [task.problem for task in self.tasks]
        composer, dice = Composer(self.split.domain, problems), Dice("compose", self.settings.seed, stage.number)
        for _ in range(COMPOSITIONS):
            parts = [dice.one_of(problems) for _ in range(dice.between(2, 2 ** min(stage.number, 3)))]
            problem = composer.composed_of(parts)
            if problem and problem not in self.split.held_out and may_be_solvable(self.split.domain, problem):
                yield Ground(Task(self.split.domain, problem))

    def _derived(self, stage: Stage, teacher: Teacher, seconds: float, first_pass: int) -> DerivedTeaching:
        grounds = tuple(self._grounds(stage))
        count = max(PER_PROBLEM, DERIVED // len(grounds))
        return DerivedTeaching(
            self.split.parts["training"],
            teacher,
            Limits(seconds, MEMORY),
            Quota(count, count // 2, seconds, first_pass),
            0,
            0,
            seed=1000 * self.settings.seed + stage.number,
            jobs=self.jobs,
            compute=self.compute,
            any_plans=not teacher.optimal,
            grounds=grounds,
            held_out=self.split.held_out,
        )

    def play(self, stage: Stage) -> Generator[Played, None, None]:
        """New plans go into the corpus; where the policy fails, what it does is kept."""
        seconds = max(1.0, (stage.end - self.clock.spent) / 10)
        policy, limits = Greedy(read_policy_file(self.folder.policy)), Limits(seconds, MEMORY)
        player = Player(policy, limits, self.jobs, self.settings.own_plans, self.compute)
        visited: dict[str, list[str]] = {}
        tasks = Dice("play", self.settings.seed, stage.number).shuffle(self.tasks)  # time may be up before the last
        try:
            with (
                Journal(self.folder.corpus, self.split.parts["training"]) as journal,
                closing(player.play(tasks, self._solved())) as games,
            ):
                for played in games:
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

    def _visited_file(self, stage: Stage) -> Path:
        return self.folder.path / f"visited-{stage.number}.json"

    def _attempts(self) -> tuple[Attempt, ...]:
        return self.corpus().attempts if Corpus.is_begun(self.folder.corpus) else ()

    def _solved(self) -> dict[str, Attempt]:
        return {each.fingerprint: each for each in self._attempts() if each.solved}

    def _grounds(self, stage: Stage) -> Iterator[Ground]:
        """After the first round, those where the policy failed; all if it failed nowhere."""
        visited, solved = _read_plans(self._visited_file(stage)), self._solved()
        for task in self.tasks:
            digest = fingerprint(task.problem)
            if digest in visited or not visited:
                run = parse_plan("\n".join(visited.get(digest, [])), task.domain, task.problem)
                yield Ground(task, solved[digest].plan if digest in solved else (), run)

    def _check(self, stage: Stage) -> None:
        attempts = self._attempts() if stage.kind == "teach" else ()
        if stage.kind == "teach" and not any(each.solved for each in attempts):
            tried = plural(len(attempts), "problem")
            fix = "Add smaller problems, or give more --minutes, so that each gets more time; in another --out."
            raise InputError(f"neither search nor the optimal teacher has solved any of {tried}\n  {fix}")

    def _keep_best(self, stage: Stage) -> None:
        """The best policy of the runs so far, under a name of its own; of equals the last."""
        runs = sorted(self.folder.path.glob("runs/*"), key=lambda run: run.stat().st_mtime)
        paths = [path for run in runs if (path := self.folder.best_path(run))]
        if paths:
            best = max(reversed(paths), key=lambda path: score(read_policy_file(path)))
            save_policy(self.folder.policy, with_acting(read_policy_file(best), FROM_PROBLEMS))
        elif stage.kind == "train":
            fix = "Give more --minutes, or smaller problems; in another --out."
            raise InputError(f"no policy could be trained and validated in time\n  {fix}")


def _read_plans(path: Path) -> dict[str, list[str]]:
    """By fingerprint of the problem."""
    return dict(json.loads(read_bytes(path))) if path.exists() else {}
