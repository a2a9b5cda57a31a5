"""What a learning has come to, for its report and for the card of its policy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from liftq.evaluation.result import Learned, Results
from liftq.learning.curriculum import kind_of
from liftq.learning.learner import Learner
from liftq.learning.split import PARTS
from liftq.pddl.trees import literals
from liftq.policies.policy_file import read_policy_file, save_policy

CARD = "learned"  # key of the policy's card


@dataclass(frozen=True)
class Summary:
    """As an evaluation: one record."""

    learner: Learner

    def settings(self) -> dict[str, Any]:
        return {"kind": Learned.kind}

    def conflict(self, earlier: Mapping[str, Any]) -> str | None:
        return None

    def evaluate(self, known: Results) -> Iterator[Learned]:
        if not known.of(Learned):
            yield self.record()

    def record(self) -> Learned:
        learner = self.learner
        entries = learner.corpus().entries
        names = {part: [file.name for file in learner.split.parts[part].files] for part in PARTS}
        return Learned(
            policy=str(learner.folder.policy),
            domain=learner.split.domain.name,
            minutes=learner.settings.minutes,
            seconds=round(learner.clock.spent, 1),
            problems=names,
            derived=dict(Counter(kind_of(each) for each in entries)),
            optimal=sum(each.is_proven for each in entries),
            not_optimal=sum(not each.is_proven for each in entries),
            sizes=[min(each.size for each in entries), max(each.size for each in entries)],
            lessons=sum(len(each.plan) for each in entries),
            choice=str(learner.runs.candidate()),
            curve=learner.curve(),
            compared=learner.runs.are_compared,
        )

    def _goals(self) -> list[str]:
        """The predicates of the goals that were learned from: the policy is not meant for others."""
        problems = self.learner.split.parts["training"].problems
        return sorted({literal.atom.predicate for problem in problems for literal in literals(problem.goal)})

    def write_card(self) -> None:
        """What was learned from, and what must not be taken for a test that was never seen."""
        record = self.record()
        facts = ("minutes", "derived", "optimal", "not_optimal", "sizes", "choice")
        entry = {name: getattr(record, name) for name in facts}
        entry |= {"files": Path(self.learner.settings.source).name, "goals": self._goals()}
        entry["held_out"] = self.learner.split.fingerprints()
        policy = read_policy_file(self.learner.folder.policy)
        if policy.card.get(CARD) != entry:
            save_policy(self.learner.folder.policy, replace(policy, card=policy.card | {CARD: entry}))
