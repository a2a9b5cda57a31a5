"""A policy that may be bundled, and its test."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from liftq import pipeline
from liftq.domains import Dice
from liftq.engine.solver import Ending, Limits
from liftq.errors import InputError
from liftq.evaluation.result import Invocation, Results, SuiteAttempt
from liftq.evaluation.suite.evaluation import SuiteEvaluation
from liftq.evaluation.suite.problems import ProblemFile, find_problems
from liftq.files import write_atomically
from liftq.learning.compose import Composer
from liftq.pddl import read_domain, read_problem
from liftq.pddl.writer import write_domain, write_problem
from liftq.policies.policy_file import halved, read_policy_file, save_policy
from liftq.zoo.bundled import BEATS, CARD, bundled, find_policy

SEARCH_ALONE, BUNDLED = "greedy_search", "zoo+search"
SLOWER = 1.1  # than search alone: how much a policy with search may be, in all
FASTER = 0.5  # than the policy bundled so far: where both solve as many, it must take this much less time
PARTS = (2, 4, 4, 8, 8, 12, 12, 16)  # held-out problems side by side in each of the larger ones


class Candidate:
    def __init__(self, folder: Path, source: str) -> None:
        self.folder, self.source = folder, source
        self.path, self.results = folder / "half.safetensors", folder / "bundling.jsonl"
        if not self.path.exists():
            policy = halved(read_policy_file(folder / "policy.safetensors"))
            save_policy(self.path, replace(policy, card=_without_paths(policy.card)))
        held_out = find_problems(sorted((folder / "problems").glob("*/test")))
        larger = folder / "larger" / held_out[0].domain
        if not (larger / "domain.pddl").exists():
            _write_larger(larger, held_out)
        self.problems = [*held_out, *(find_problems([larger]) if any(larger.glob("larger-*")) else [])]

    @property
    def domain(self) -> str:
        return self.problems[0].domain

    @cached_property
    def rival(self) -> str | None:
        """The bundled policy that fits already."""
        first = self.problems[0]
        try:
            domain = read_domain(first.domain_path)
            return find_policy(domain, read_problem(first.path, domain))[0]
        except InputError:
            return None

    @property
    def solvers(self) -> list[str]:
        return [str(self.path), f"{self.path}+search", SEARCH_ALONE, *([BUNDLED] if self.rival else [])]

    def test(self, limits: Limits, most: int, jobs: int) -> None:
        suite = SuiteEvaluation(self.solvers, self._chosen(most), limits, jobs)
        for _ in pipeline.evaluate(suite, self.results):
            pass

    def _chosen(self, most: int) -> list[ProblemFile]:
        count = min(most, len(self.problems))
        return [self.problems[number * len(self.problems) // count] for number in range(count)]

    @cached_property
    def attempts(self) -> dict[str, list[SuiteAttempt]]:
        """By solver."""
        attempts = of_solvable(Results.read([self.results]).of(SuiteAttempt))
        return {solver: [each for each in attempts if each.solver == solver] for solver in self.solvers}

    def count(self, solver: str) -> int:
        """Problems solved."""
        return sum(each.solved for each in self.attempts[solver])

    def seconds(self, solver: str) -> float:
        return sum(each.seconds for each in self.attempts[solver])

    @property
    def helps(self) -> bool:
        alone, ours, search = map(self.count, self.solvers[:3])
        is_fast = self.seconds(self.solvers[1]) <= SLOWER * self.seconds(SEARCH_ALONE)
        is_better = ours > search or (ours == search and alone > 0 and is_fast)
        return is_better and (self.rival is None or self._beats_rival)

    @property
    def _beats_rival(self) -> bool:
        ours, theirs = self.count(self.solvers[1]), self.count(BUNDLED)
        is_faster = self.seconds(self.solvers[1]) <= FASTER * self.seconds(BUNDLED)
        return ours > theirs or (ours == theirs and is_faster)

    def bundle(self, zoo: Path) -> None:
        """In place of one that was made in the same way."""
        names = bundled(zoo)
        is_successor = self.domain in names and CARD in read_policy_file(names[self.domain]).card
        name = self.domain if is_successor or self.domain not in names else f"{self.domain}-2"
        beats = {BEATS: self.rival} if self.rival not in (None, name) else {}
        policy = read_policy_file(self.path)
        save_policy(zoo / f"{name}.safetensors", replace(policy, card=policy.card | {CARD: self.entry() | beats}))

    def entry(self) -> dict[str, Any]:
        """What the card says about data, budget and test."""
        settings = json.loads((self.folder / "settings.json").read_text())
        clock = json.loads((self.folder / "clock.json").read_text())
        header = Results.read([self.results]).of(Invocation)[-1]
        ours = self.attempts[self.solvers[1]]
        return {
            "source": self.source,
            "command": f"liftq learn {Path(settings['source']).name} --minutes {settings['minutes']:g}",
            "seconds": clock["seconds"],
            "held_out": {
                "problems": len(ours),
                "seconds": header.settings["time_limit"],
                "policy": self.count(self.solvers[0]),
                "policy and search": self.count(self.solvers[1]),
                "search alone": self.count(SEARCH_ALONE),
                "machine": header.machine,
                "commit": header.commit,
            },
            "fails on": sorted(Path(each.problem).name for each in ours if not each.solved),
        }

    def row(self) -> str:
        counts = [str(self.count(solver)) for solver in self.solvers] + ["", ""]
        tried = len(self.attempts[self.solvers[0]])
        verdict = "bundled" if self.helps else "left out"
        return f"| {self.domain} | {tried} | {' | '.join(counts[:4])} | {verdict} |"


def of_solvable(attempts: Sequence[SuiteAttempt]) -> list[SuiteAttempt]:
    """A composed problem may have no plan. If any solver proved that, the problem does not count."""
    unsolvable = {each.problem for each in attempts if each.ending is Ending.UNSOLVABLE}
    return [each for each in attempts if each.problem not in unsolvable]


def _write_larger(folder: Path, held_out: Sequence[ProblemFile]) -> None:
    """Problems composed of those held out, unless they cannot be composed; then the domain, as all is done."""
    domain = read_domain(held_out[0].domain_path)
    problems = [read_problem(each.path, domain) for each in held_out]
    composer, dice = Composer(domain, problems), Dice("larger", len(problems))
    folder.mkdir(parents=True, exist_ok=True)
    for number, count in enumerate(PARTS, start=1):
        if problem := composer.composed_of([dice.one_of(problems) for _ in range(count)]):
            write_atomically(folder / f"larger-{number}.pddl", write_problem(problem))
    write_atomically(folder / "domain.pddl", write_domain(domain))


def _without_paths(card: dict[str, Any]) -> dict[str, Any]:
    """Folders of the machine that it was learned on say nothing to others."""
    recipe = card.get("recipe", {})
    names = {key: Path(recipe[key]).name for key in ("corpus", "domain") if recipe.get(key)}
    training = recipe.get("training", {}) | {"begin_with": ""}
    return card | {"recipe": recipe | names | {"training": training}}
