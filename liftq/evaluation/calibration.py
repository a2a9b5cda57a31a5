"""Calibrates how a policy acts: the fewest passes that solve as many problems as one action per pass does, with plans
that are hardly longer. Passes are the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import fmean, geometric_mean

from liftq.domains import DOMAINS
from liftq.engine.solver import Limits, Trajectory
from liftq.engine.task import Task
from liftq.errors import InputError
from liftq.evaluation.solvers import own_domain
from liftq.pddl.structures import Problem
from liftq.policies.acting import KEY, ONE_BY_ONE, Acting
from liftq.policies.card import Card
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile
from liftq.problems import Purpose
from liftq.problems.generated import Generated
from liftq.problems.ipc23 import Ipc23, schedule

LONGER = 1.05  # plans may get this much longer on average
# Share of the passes: smaller savings by several actions per pass are due to chance, and large plans get longer.
WORTHWHILE = 0.9
MOST = 50  # actions from one pass
GAPS = (0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0)
RELATIVE_GAPS = (0.005, 0.01, 0.02)
PRICES = (2.0, 0.0, 5.0)  # all trials of gaps use the first
PATIENCE = 2  # successive gaps that do not keep up, before wider ones are skipped
FILES = {Ipc23.EASY: (12, 24), Ipc23.MEDIUM: (3, 9, 15, 21)}  # problems are drawn with the parameters of these files
BEYOND = (2, 3)  # times the largest size on the card, if the competition has no set


@dataclass(frozen=True)
class Trial:
    acting: Acting
    plays: tuple[Trajectory, ...]  # by problem; a failure counts as many passes as the step limit

    @property
    def solved(self) -> int:
        return sum(play.solved for play in self.plays)

    def passes(self, plain: Trial) -> float:
        """Relative to one action per pass: the geometric mean over problems."""
        return geometric_mean(
            play.passes / one_by_one.passes for play, one_by_one in zip(self.plays, plain.plays, strict=True)
        )

    def length(self, plain: Trial) -> float:
        """Of plans, relative to one action per pass, where both find one."""
        pairs = zip(self.plays, plain.plays, strict=True)
        both = [
            (len(play.plan), len(one_by_one.plan)) for play, one_by_one in pairs if play.solved and one_by_one.solved
        ]
        return fmean(max(1, steps) / max(1, plain_steps) for steps, plain_steps in both) if both else 1.0

    def keeps_up(self, plain: Trial) -> bool:
        return self.solved >= plain.solved and self.length(plain) <= LONGER


def trials(policy: Greedy, problems: Sequence[Problem]) -> Iterator[Trial]:
    """Yields trials, beginning with one action per pass; `best` chooses among them."""
    tried = [trial(policy.plain, ONE_BY_ONE, problems)]
    yield tried[0]
    yield from _rising(policy, problems, tried, [Acting(gap=gap, most=MOST, price=PRICES[0]) for gap in GAPS])
    gap = best(tried).acting.gap
    relative = [Acting(gap=gap, relative_gap=share, most=MOST, price=PRICES[0]) for share in RELATIVE_GAPS]
    yield from _rising(policy, problems, tried, relative)
    found = best(tried).acting
    for price in PRICES:
        if price != found.price:
            tried.append(trial(policy, replace(found, price=price), problems))
            yield tried[-1]


def _rising(
    policy: Greedy, problems: Sequence[Problem], tried: list[Trial], settings: Sequence[Acting]
) -> Iterator[Trial]:
    misses = 0
    for acting in settings:
        tried.append(trial(policy, acting, problems))
        yield tried[-1]
        misses = 0 if tried[-1].keeps_up(tried[0]) else misses + 1
        if misses == PATIENCE:
            return


def best(trials: Sequence[Trial]) -> Trial:
    """If prices make no difference, the usual one wins: it matters in larger problems."""
    plain = trials[0]

    def order(each: Trial) -> tuple[float, float]:
        return round(each.passes(plain), 3), abs(each.acting.price - PRICES[0])

    def is_fit(each: Trial) -> bool:
        return each.keeps_up(plain) and (each.acting.most == 1 or each.passes(plain) <= WORTHWHILE)

    return min(filter(is_fit, trials), key=order)


def trial(policy: Greedy, acting: Acting, problems: Sequence[Problem]) -> Trial:
    player = replace(policy, acting=acting, fallback="none", again=False)
    return Trial(acting, tuple(_play(player, problem) for problem in problems))


def _play(player: Greedy, problem: Problem) -> Trajectory:
    most = 100 + 10 * problem.size  # steps: ten times as many as the paper's protocol allows
    trajectory = player.solve(Task(player.policy_file.domain, problem), Limits(steps=most))
    return trajectory if trajectory.solved else replace(trajectory, passes=most)


def problems_for(policy_file: PolicyFile, path: Path, seed: int) -> list[Problem]:
    """Problems larger than those of training, drawn for calibration."""
    domain = own_domain(policy_file)
    if domain is None:
        raise InputError(f"{path}: its domain is not bundled, so there are no problems to try\n  Set `acting` by hand.")
    source = Generated(DOMAINS.part(domain))
    if source.generator.ipc23:
        rows = [dict(schedule(source.generator, split))[number] for split in FILES for number in FILES[split]]
        drawn = [next(source.instances_with(row, seed, Purpose.VALIDATION)) for row in rows]
        return [instance.problem for instance in drawn]
    largest = max(Card(policy_file.card).coverage, default=20)
    sizes = [source.sizes(times * largest, (times + 1) * largest)[0] for times in BEYOND]
    return [
        instance.problem for size in sizes for instance in islice(source.instances(size, seed, Purpose.VALIDATION), 2)
    ]


def with_acting(policy_file: PolicyFile, acting: Acting) -> PolicyFile:
    """Keeps the policy's choice whether to search from the start, which passes cannot judge."""
    acting = replace(acting, searching=Acting.of(policy_file).searching)
    return replace(policy_file, card=policy_file.card | {KEY: asdict(acting)})
