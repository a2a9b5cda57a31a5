"""The outcome of a `learn` run in words: first how its policy compares with search and LAMA, then what it learned from,
where it fails, and what may help."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from liftq.engine.solver import Ending
from liftq.errors import listed, plural
from liftq.evaluation.result import Learned, SuiteAttempt

LAMA, SEARCH_ALONE = "lama", "greedy_search"
FEW_PLANS = 200
LATE = 0.75  # of the time: validation that was best after that was still improving
FASTER = 1.25  # times: smaller differences in time do not count
Tried = Mapping[str, SuiteAttempt]  # the attempts of one solver, by problem


def in_words(learned: Learned, attempts: Iterable[SuiteAttempt]) -> Iterator[str]:
    tried = tried_by(learned, attempts)
    yield from _verdict(tried)
    if not any(score for _, score in learned.curve):
        fix = "More --minutes may help, in another --out."
        yield f"The policy alone solved no problem in validation: it has learned little. {fix}"
    yield _material(learned)
    if missed := [attempt for attempt in tried["policy alone"].values() if not attempt.solved]:
        yield _failures(learned, missed)
        yield from (f"What may help: {advice}." for advice in _advice(learned, missed))


def tried_by(learned: Learned, attempts: Iterable[SuiteAttempt]) -> dict[str, Tried]:
    """Keyed by the names of solvers in the report."""
    ours = {"policy and search": f"{learned.policy}+search", "policy alone": learned.policy}
    solvers = ours | {"search alone": SEARCH_ALONE, "LAMA-first": LAMA}
    known = list(attempts)
    return {
        name: {attempt.problem: attempt for attempt in known if attempt.solver == solver}
        for name, solver in solvers.items()
    }


def _material(learned: Learned) -> str:
    parts = {name: len(files) for name, files in learned.problems.items()}
    time = f"{learned.minutes:g} minute{'' if learned.minutes == 1 else 's'}"
    given = f"{learned.domain}: {time}, {plural(parts['training'], 'problem')} to learn from"
    held = f"{parts['validation']} to validate on, {parts['test']} held out for the test; no problem is in two of these"
    plans = f"The teacher found {plural(learned.optimal, 'optimal plan')}"
    if learned.not_optimal:
        plans += f"; {plural(learned.not_optimal, 'plan')} by the policy and search need not be optimal"
    ends = " to ".join(map(str, sorted(set(learned.sizes))))
    sizes = f"problems of {ends} objects, {plural(learned.lessons, 'state')} in all"
    chosen = "Chosen by validation" if learned.compared else "Not compared with others, for lack of time"
    return f"{given}, {held}. {plans}: {sizes}. {chosen}: {learned.choice}."


def _verdict(tried: Mapping[str, Tried]) -> Iterable[str]:
    ours, lama = tried["policy and search"], tried["LAMA-first"]
    if not ours:
        yield "The held-out problems have not been tried."
        return
    counts = (
        f"{name} {sum(attempt.solved for attempt in attempts.values())} of {len(attempts)}"
        for name, attempts in tried.items()
        if attempts
    )
    yield f"Held-out problems solved: {', '.join(counts)}."
    every = (attempt for attempts in tried.values() for attempt in attempts.values())
    if hopeless := {attempt.problem for attempt in every if attempt.ending is Ending.UNSOLVABLE}:
        yield f"There is no plan for {listed(sorted(hopeless))}: search has seen every reachable state."
    if tried["search alone"]:
        yield from _beside_search(ours, tried["search alone"])
    if not lama:
        yield "LAMA-first was not run for comparison, as Fast Downward is not installed."
        return
    beyond = _only(ours, lama)
    if missed := _only(lama, ours):
        yield f"LAMA-first solves {listed(missed)}, which the policy with search does not."
    elif not any(attempt.solved for attempt in lama.values()):
        yield "LAMA-first solves none of them, so there is little to compare with."
    else:
        yield "The policy with search solves everything that LAMA-first solves."
    if beyond:
        yield f"The policy with search solves {listed(beyond)}, which LAMA-first does not."
    both = [(ours[name].length, lama[name].length) for name in ours if name in lama]
    lengths = [(steps, lama_steps) for steps, lama_steps in both if steps is not None and lama_steps is not None]
    if lengths:
        steps, lama_steps = map(sum, zip(*lengths, strict=True))
        longer = "longer" if steps > lama_steps else "no longer"
        yield f"Its plans are {longer} than LAMA-first's where both solve: {steps} and {lama_steps} steps in all."


def _beside_search(ours: Tried, search: Tried) -> Iterator[str]:
    """What the policy adds to search alone."""
    gained, lost = _only(ours, search), _only(search, ours)
    both = [(ours[name], search[name]) for name in ours if name in search and ours[name].solved and search[name].solved]
    steps, other_steps = (sum(pair[side].length or 0 for pair in both) for side in (0, 1))
    seconds, other_seconds = (sum(pair[side].seconds for pair in both) for side in (0, 1))
    better = bool(gained) + (steps < other_steps) + (seconds * FASTER < other_seconds)
    worse = bool(lost) + (steps > other_steps) + (seconds > other_seconds * FASTER)
    if better and not worse:
        yield "The policy helps search."
    elif better:
        yield "The policy helps search in some respects and hinders it in others."
    else:
        yield f"The policy {'hinders search' if worse else 'adds nothing to search alone'}."
    if gained:
        yield f"Only with the policy does search solve {listed(gained)}."
    if lost:
        yield f"Search alone solves {listed(lost)}, which the policy with search does not."
    if both:
        yield (
            f"Where both solve, the plans have {plural(steps, 'step')} with the policy and {other_steps} without, "
            f"and take {seconds:.1f} s and {other_seconds:.1f} s in all."
        )


def _failures(learned: Learned, missed: Sequence[SuiteAttempt]) -> str:
    """Those of the policy alone, and the command that shows the easiest."""
    endings = Counter(str(attempt.ending) for attempt in missed)
    reasons = ", ".join(f"{count} by {ending}" for ending, count in endings.most_common())
    easiest = min(missed, key=lambda attempt: attempt.size).problem
    folder = Path(learned.policy).parent / "problems" / Path(easiest).parent.parent
    files = f"{folder / 'domain.pddl'} {folder.parent / easiest}"
    return (
        f"The policy alone misses {len(missed)}: {reasons}. To see where: liftq show {files} --policy {learned.policy}"
    )


def _advice(learned: Learned, missed: Sequence[SuiteAttempt]) -> Iterator[str]:
    """Advice from the problems that the policy alone did not solve."""
    plans, largest = learned.optimal + learned.not_optimal, max(learned.sizes)
    if plans < FEW_PLANS:
        yield f"more problems that are small enough to be solved, as there were only {plural(plans, 'plan')}"
    if all(attempt.size > largest for attempt in missed):
        yield f"larger problems to learn from, as all it misses have more than the {largest} objects that it has seen"
    if sum(attempt.ending is Ending.DEAD_END for attempt in missed) * 2 >= len(missed):
        yield "problems in which much can go wrong, as it mostly runs into states without a way out"
    scores = [score for _, score in learned.curve]
    if scores and scores.index(max(scores)) >= LATE * len(scores):
        yield "more --minutes, as validation was still improving when the time was up"


def _only(solver: Tried, other: Tried) -> list[str]:
    """Problems that both tried and only the first solved."""
    return [name for name, attempt in solver.items() if attempt.solved and name in other and not other[name].solved]
