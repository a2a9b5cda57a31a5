"""What a policy file says about its training and its scores. Cards differ in what they hold: any key may be missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

FLAT = {"per_size": "validation_per_size", "final_per_size": "final_per_size"}  # in older recipes, without tables


MEANINGS = {  # of values, by objective
    "state_value": "the expected cost to the goal",
    "q_value": "the expected cost to the goal",
    "q_distil": "the lowest resembles the cost of the teaching policy's plan; the others only rank actions",
}
RANKING = "the lowest resembles the cost to the goal; the others only rank actions"  # of regularized objectives


@dataclass(frozen=True)
class Card:
    entries: Mapping[str, Any]

    @property
    def meaning(self) -> str:
        """What the policy's values are. Regularized objectives push those of other actions up without any limit."""
        return MEANINGS.get(str(self.entries.get("objective")), RANKING)

    @property
    def only_ranks(self) -> bool:
        """Whether only the lowest value of a state is like a cost."""
        return self.meaning not in (MEANINGS["state_value"], MEANINGS["q_value"])

    def solved_up_to(self, share: float) -> int | None:
        """The largest size in validation up to which at least this share was solved at each size."""
        reached = None
        for size, rate in self.coverage.items():
            if rate < share:
                break
            reached = size
        return reached

    @property
    def score(self) -> tuple[float, str] | None:
        """With what it was measured on. `final` goes first: a validation score is the best of many, thus optimistic."""
        for key, measured_on in (("final_score", "final"), ("score", "validation")):
            if key in self.entries:
                return self.entries[key], measured_on
        return None

    @property
    def coverage(self) -> dict[int, float]:
        """By size, rising. Empty if there is none, or none that can be understood: then the card claims nothing."""
        claimed = self.entries.get("final_coverage", self.entries.get("coverage", ()))
        try:
            return {int(size): float(rate) for size, rate in sorted(claimed)}
        except (TypeError, ValueError):
            return {}

    @property
    def per_size(self) -> int:
        """Problems behind each rate of the coverage."""
        recipe = self.entries.get("recipe")
        tables = recipe if isinstance(recipe, dict) else {}
        key = "final_per_size" if "final_coverage" in self.entries else "per_size"
        validation = tables.get("validation")
        found = validation.get(key) if isinstance(validation, dict) else tables.get(FLAT[key])
        return found if isinstance(found, int) else 1

    def coverage_at(self, size: int) -> float:
        """Interpolated. Smaller problems count as the smallest on the card; about larger ones, it claims nothing."""
        known = self.coverage
        return float(np.interp(size, list(known), list(known.values()), right=0.0))
