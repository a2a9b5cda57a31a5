"""The policies of a run: those waiting for validation, the best few of each objective, and the best one.

Every step writes a file before it removes another, so a run that was killed can repeat the last step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from liftq.policies.policy_file import PolicyFile, read_card, read_policy_file, save_policy
from liftq.training.log import Card, policy_name

PLACES = 12
SUFFIX = ".safetensors"


@dataclass(frozen=True)
class Waiting:
    """Policies that are still to be validated. They outlive the training process, so that none is lost."""

    folder: Path

    def path(self, card: Card) -> Path:
        return self.folder / f"{policy_name(card)}{SUFFIX}"

    def add(self, policy: PolicyFile) -> None:
        self.folder.mkdir(exist_ok=True)
        save_policy(self.path(policy.card), policy)

    def policies(self, objectives: list[str]) -> Iterator[PolicyFile]:
        for path in sorted(self.folder.glob(f"*{SUFFIX}")):
            policy = read_policy_file(path)
            if policy.card["objective"] in objectives:
                yield policy

    def remove(self, card: Card) -> None:
        self.path(card).unlink(missing_ok=True)


@dataclass(frozen=True)
class Finalists:
    run_folder: Path
    objective: str

    @property
    def folder(self) -> Path:
        return self.run_folder / "finalists"

    @property
    def best(self) -> Path:
        """The run's policy for this objective."""
        return self.run_folder / f"{self.objective}{SUFFIX}"

    def paths(self) -> list[Path]:
        """Best first; ties go to shorter plans, then to longer training."""
        name = re.compile(rf"{re.escape(self.objective)}-\d+-\d+{re.escape(SUFFIX)}")  # as `policy_name` has it
        found = [path for path in self.folder.glob(f"*{SUFFIX}") if name.fullmatch(path.name)]
        return sorted(found, key=lambda path: _rank(read_card(path), path))

    def enter(self, policy: PolicyFile) -> None:
        """Keeps it if it is among the best few. Most are not, and the device is waiting, so only cards are read."""
        self.folder.mkdir(exist_ok=True)
        path = self.folder / f"{policy_name(policy.card)}{SUFFIX}"
        others = [each for each in self.paths() if each != path]
        better = sum(_rank(read_card(each), each) < _rank(policy.card, path) for each in others)
        if better >= PLACES:
            return
        save_policy(path, policy)
        for loser in others[PLACES - 1 :]:
            loser.unlink()
        if better == 0:
            save_policy(self.best, policy)

    def crown(self, finals: dict[str, Card]) -> None:
        """The best in validation and finals together becomes the policy of the objective."""
        cards = [(path, finals[path.stem]) for path in self.paths()]
        path, card = max(cards, key=lambda each: _final_rank(each[1]))
        if not self.best.exists() or read_policy_file(self.best).card != card:
            save_policy(self.best, replace(read_policy_file(path), card=card))


def _rank(card: Card, path: Path) -> tuple[float, float, int, Path]:
    return -card["score"], card["plan_length"], -card["epoch"], path


def _final_rank(card: Card) -> tuple[float, int, float]:
    far_solved = int(card["final_far"].split()[0])
    return card["pooled_score"], far_solved, -card["final_plan_length"]
