"""What a policy file says about its training and its scores. Cards differ in what they hold: any key may be missing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

FLAT = {"per_size": "validation_per_size", "final_per_size": "final_per_size"}  # in older recipes, without tables


@dataclass(frozen=True)
class Card:
    entries: Mapping[str, Any]

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
