"""Reads recipes of older runs: one flat table with the options of all parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from liftq.encoders import ENCODERS
from liftq.models import MODELS
from liftq.parts.options import options

PLAIN = ("state_value", "q_value")  # objectives without a regularizer
ENCODER = ("goal_split",)
MODEL = ("width", "layers", "alpha", "normalize")  # even if the model had no such option
REGULARIZER = ("weight", "rivals")
TRAINING = ("seeds", "first_seed", "epochs", "batch_size", "cosine", "clip", "average", "largest_size", "seconds")
VALIDATION = {
    "validation_per_size": "per_size",
    "final_per_size": "final_per_size",
    "far_seconds": "far_seconds",
    "validation_workers": "workers",
}
RATES = ("learning_rate", "plain_learning_rate")
KNOWN = {"domain", "corpus", "encoder", "objectives", *ENCODER, *MODEL, *REGULARIZER, *TRAINING}
KNOWN |= {*VALIDATION, *RATES}


def is_flat(table: Mapping[str, Any]) -> bool:
    return bool((table.keys() & KNOWN) - {"domain", "corpus", "encoder"}) or isinstance(table.get("encoder"), str)


def from_flat(flat: Mapping[str, Any]) -> dict[str, Any]:
    """Unknown names stay, so that they are rejected when the tables are read."""

    def part(*names: str) -> dict[str, Any]:
        return {name: flat[name] for name in names if name in flat}

    encoder = flat.get("encoder", "relational")
    names = flat.get("objectives", ["q_heuristic"])
    others = {name: value for name, value in flat.items() if name not in KNOWN}
    return {
        **part("domain", "corpus"),
        **others,
        "encoder": {"name": encoder, **part(*ENCODER)},
        "model": part(*(name for name in MODEL if name in _model_options(encoder))),
        "objective": [_objective(name, flat) for name in names] if isinstance(names, list) else names,
        "training": part(*TRAINING),
        "validation": {new: flat[old] for old, new in VALIDATION.items() if old in flat},
    }


def _model_options(encoder: Any) -> set[str]:
    if not isinstance(encoder, str) or encoder not in ENCODERS:  # which is rejected later
        return set()
    return {*options(MODELS.part(ENCODERS.part(encoder).model))}


def _objective(name: Any, flat: Mapping[str, Any]) -> dict[str, Any]:
    rate = flat.get(RATES[name in PLAIN], 0)
    rates = {"learning_rate": rate} if rate != 0 else {}  # 0 meant the objective's own
    return {"name": name, **({} if name in PLAIN else {key: flat[key] for key in REGULARIZER if key in flat}), **rates}
