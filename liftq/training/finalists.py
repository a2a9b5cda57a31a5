"""The best few checkpoints of an objective, as policy files; the best of them also as OBJECTIVE.safetensors."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from liftq.policies.policy_file import PolicyFile, read_policy_file, save_policy

PLACES = 4


@dataclass(frozen=True)
class Finalists:
    run_folder: Path
    objective: str

    @property
    def folder(self) -> Path:
        return self.run_folder / "finalists"

    def paths(self) -> list[Path]:
        """Best first; among equals the one with the shortest plans, then the one that was trained longest."""
        return sorted(self.folder.glob(f"{self.objective}-*.safetensors"), key=_rank)

    def enter(self, policy: PolicyFile) -> None:
        """Keeps it if it is among the best few."""
        self.folder.mkdir(exist_ok=True)
        path = self.folder / f"{self.objective}-{policy.card['seed']}-{policy.card['epoch']}.safetensors"
        save_policy(path, policy)
        ranked = self.paths()
        for loser in ranked[PLACES:]:
            loser.unlink()
        if ranked[0] == path:
            save_policy(self.run_folder / f"{self.objective}.safetensors", policy)


def _rank(path: Path) -> tuple[float, float, int, Path]:
    card = read_policy_file(path).card
    return -card["score"], card["plan_length"], -card["epoch"], path
