"""Given problems in three folders: training, validation and test. No problem is in two of them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise
from pathlib import Path

from liftq.domains import Dice
from liftq.engine.task import Task
from liftq.errors import InputError, listed, plural
from liftq.files import make_folder, read_bytes, temporary_beside, write_atomically
from liftq.learning.compose import Composer
from liftq.learning.curriculum import MARK
from liftq.learning.derive import in_unit_costs, may_be_solvable
from liftq.learning.goals import Goals
from liftq.pddl.structures import Domain, Problem
from liftq.pddl.writer import write_problem
from liftq.problems import ProblemSource, Purpose
from liftq.problems.fingerprint import fingerprint, solved_at_start
from liftq.problems.folder import ProblemFolder
from liftq.problems.layout import DOMAIN
from liftq.problems.structure import UpToNames, structure

PARTS = ("training", "validation", "test")
TEST, VALIDATION = 0.25, 0.15  # shares of the problems of a folder ...
MOST_TEST, MOST_VALIDATION = 30, 20  # ... up to these numbers
FEWEST = 3
SIZES = 25  # of a generator's, the smallest ones are taught and twice as many are played
PER_SIZE = 4  # problems of each, for training
LARGER = (2, 2, 3, 4, 6, 8)  # problems that stand side by side in the larger ones of validation
EASIER = (4, 16, 64)  # what goals cost at most, of the problems that are derived from each one for validation

Named = tuple[str, str, Problem]  # file name, text, problem


@dataclass(frozen=True)
class Split:
    folder: Path

    @cached_property
    def parts(self) -> dict[str, ProblemFolder]:
        return {name: ProblemFolder(self.folder / name) for name in PARTS}

    @property
    def domain(self) -> Domain:
        return self.parts["training"].domain

    @cached_property
    def held_out(self) -> UpToNames:
        """The problems of validation and test."""
        return UpToNames.of((*self.parts["validation"].problems, *self.parts["test"].problems))

    def fingerprints(self) -> list[str]:
        """Of the problems held out, also with unit costs."""
        problems = (*self.parts["validation"].problems, *self.parts["test"].problems)
        return sorted({fingerprint(form) for each in problems for form in (each, in_unit_costs(each))})


def make_split(source: ProblemSource, folder: Path, seed: int) -> Split:
    """Below a folder named after the source. Made once, as a whole; later calls find it."""
    name = source.name
    if isinstance(source, ProblemFolder) and not source.chosen_domain:  # its folder tells more than `training`
        name = source.domain_file.absolute().parent.name
    if not (folder / name).exists():
        parts = split_folder(source, seed) if isinstance(source, ProblemFolder) else drawn(source, seed)
        unfinished = temporary_beside(folder / name)
        for part, files in zip(PARTS, parts, strict=True):
            make_folder(unfinished / part)
            for file, text, _ in files:
                write_atomically(unfinished / part / file, text)
        write_atomically(unfinished / DOMAIN, source.pddl)
        unfinished.rename(folder / name)
    elif isinstance(source, ProblemFolder):
        _refuse_changes(source, Split(folder / name))
    return Split(folder / name)


def _refuse_changes(source: ProblemFolder, split: Split) -> None:
    """What was added or changed since then is in none of the parts."""
    known = UpToNames.of(problem for part in split.parts.values() for problem in part.problems)
    pairs = zip(source.files, source.problems, strict=True)
    new = [file.name for file, problem in pairs if problem not in known and not solved_at_start(source.domain, problem)]
    changed = [source.domain_file.name] * (source.pddl != split.parts["training"].pddl) + new
    if changed:
        cure = "Give another folder with --out, to learn from all that is there now."
        raise InputError(f"{source.folder}: new or changed since this learning began: {listed(changed)}\n  {cure}")


def split_folder(source: ProblemFolder, seed: int) -> tuple[list[Named], list[Named], list[Named]]:
    """By size: of every few problems that follow each other, one is drawn for the test, and so on."""
    found = _different(source)
    if len(found) < FEWEST:
        count = f"only {plural(len(found), 'problem')}" if found else "no problems"
        have = f"{count}, not counting copies and those solved at the start"
        cure = f"Add some, of various sizes: {FEWEST} are the least, and 10 or more are better."
        raise InputError(f"{source.folder} has {have}\n  {cure}")
    ordered = [found[digest] for digest in sorted(found, key=lambda digest: (found[digest][2].size, digest))]
    dice = Dice("split", seed, *sorted(found))
    rest, test = _without_strata(ordered, min(MOST_TEST, max(1, round(TEST * len(found)))), dice)
    training, validation = _without_strata(rest, min(MOST_VALIDATION, max(1, round(VALIDATION * len(found)))), dice)
    derived = [
        *easier(source.domain, validation, (*training, *test), seed),
        *larger(source.domain, validation, ordered, dice),
    ]
    return training, [*validation, *derived], test


def drawn(source: ProblemSource, seed: int) -> tuple[list[Named], list[Named], list[Named]]:
    """From a generator: training problems of its smallest sizes, the others also of larger ones. Validation needs no
    easier problems, as it goes from size to size."""
    sizes = source.sizes(1, 100) or source.sizes(1, 1000)
    small, played = sizes[:SIZES], sizes[: 2 * SIZES]
    known = UpToNames()
    purposes = (Purpose.EVALUATION, played[:: -(-len(played) // MOST_TEST)], 1), (Purpose.VALIDATION, played, 1)
    parts = []
    for purpose, chosen, count in (*purposes, (Purpose.TRAINING, small, PER_SIZE)):
        part = []
        for size in chosen:
            instances = source.instances(size, seed, purpose, apart_from=known)
            for number, instance in enumerate(islice(instances, count), start=1):
                part.append((f"{size:03}-{number}.pddl", write_problem(instance.problem), instance.problem))
        parts.append(part)
        known |= UpToNames.of(problem for *_, problem in part)
    test, validation, training = parts
    return training, validation, test


def easier(domain: Domain, files: Sequence[Named], others: Sequence[Named], seed: int) -> list[Named]:
    """With fewer and nearer goals: a policy that learns shall be seen to learn before it solves whole problems."""
    made: dict[str, Named] = {structure(each[2]): each for each in (*others, *files)}
    given = len(made)
    for file, _, problem in files:
        task = Task(domain, in_unit_costs(problem))
        goals = Goals.of(task, task.initial_state)
        for most in EASIER:
            if most < goals.cost:
                dice = Dice("easier", seed, structure(problem), most)
                less = replace(problem, goal=goals.nearer(most, dice).goal)
                named = f"{Path(file).stem}{MARK}within-{most}.pddl", write_problem(less), less
                made.setdefault(structure(less), named)
    return list(made.values())[given:]


def larger(domain: Domain, files: Sequence[Named], given: Sequence[Named], dice: Dice) -> list[Named]:
    """Several problems side by side, perhaps one of them twice: a policy shall be seen to solve more than it was
    shown."""
    composer = Composer(domain, [each[2] for each in given])
    made = {structure(each[2]): each for each in given}
    for number, count in enumerate(LARGER, start=1):
        problem = composer.composed_of([dice.one_of(files)[2] for _ in range(count)])
        if problem and may_be_solvable(domain, in_unit_costs(problem)):
            made.setdefault(structure(problem), (f"larger{MARK}{number}.pddl", write_problem(problem), problem))
    return list(made.values())[len(given) :]


def _different(source: ProblemFolder) -> dict[str, Named]:
    """By structure: problems that there is something to learn from. Others are named, not dropped in silence."""
    found: dict[str, Named] = {}
    solved, copies = [], []
    for each in _named(source):
        if solved_at_start(source.domain, each[2]):
            solved.append(each[0])
        elif found.setdefault(structure(each[2]), each) is not each:
            copies.append(each[0])
    for files, reason in ((solved, "solved at the start"), (copies, "the same as another but for names")):
        if files:
            warnings.warn(f"{source.folder}: left out, {reason}: {listed(files)}", stacklevel=2)
    return found


def _named(source: ProblemFolder) -> list[Named]:
    pairs = zip(source.files, source.problems, strict=True)
    return [(file.name, read_bytes(file).decode(errors="replace"), problem) for file, problem in pairs]


def _without_strata(items: Sequence[Named], count: int, dice: Dice) -> tuple[list[Named], list[Named]]:
    """What is left, and one drawn from each of `count` stretches of equal length."""
    ends = [round(number * len(items) / count) for number in range(count + 1)]
    chosen = {dice.between(start, end - 1) for start, end in pairwise(ends)}
    left = [item for index, item in enumerate(items) if index not in chosen]
    return left, [items[index] for index in sorted(chosen)]
