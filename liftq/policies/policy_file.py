"""A policy as one file: weights, the domain that it is for, and how it came about. Reading one runs no code.

The file is a safetensors file. Its metadata hold one JSON text with all but the weights, and a SHA-256 over everything.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from liftq.errors import InputError
from liftq.files import write_atomically
from liftq.pddl.reader import parse_domain
from liftq.pddl.structures import Domain
from liftq.pddl.writer import write_domain
from liftq.policies.shapes import weight_shapes

FORMAT = 1
KEY = "liftq"  # the one name in the metadata: safetensors keeps no order among several
FIELDS = {"format": int, "domain": str, "encoder": str, "encoder_options": dict, "model": str, "model_options": dict}
FIELDS |= {"card": dict, "sha256": str}

Weights = dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class PolicyFile:
    domain: Domain
    encoder: str
    encoder_options: dict[str, Any]  # every field of the encoder
    model: str
    model_options: dict[str, Any]  # every field of the model
    weights: Weights  # named and shaped as in the model's layout
    card: dict[str, Any] = field(default_factory=dict)  # training, scores: whatever JSON can say

    @property
    def with_actions(self) -> bool:
        """Whether it values actions (Q) or states (V)."""
        return bool(self.encoder_options["with_actions"])


def save_policy(path: str | os.PathLike[str], policy_file: PolicyFile) -> None:
    """There is never half a file at `path`."""
    _check_weights(policy_file)
    description = {
        "format": FORMAT,
        "domain": write_domain(policy_file.domain),
        "encoder": policy_file.encoder,
        "encoder_options": policy_file.encoder_options,
        "model": policy_file.model,
        "model_options": policy_file.model_options,
        "card": policy_file.card,
    }
    weights = {name: np.ascontiguousarray(weight) for name, weight in policy_file.weights.items()}
    text = json.dumps(description | {"sha256": _digest(description, weights)}, sort_keys=True)
    write_atomically(path, save(weights, {KEY: text}))


def read_policy_file(path: str | os.PathLike[str]) -> PolicyFile:
    text, weights = _read(path)
    description = _parse(path, text)
    if description.pop("sha256") != _digest(description, weights):
        raise InputError(f"{path}: damaged or changed: its checksum does not fit\n  Get or save the policy again.")
    del description["format"]
    options = description["encoder_options"]
    if isinstance(options.get("without"), list):
        options["without"] = tuple(options["without"])  # JSON has no tuples
    try:
        domain = parse_domain(description.pop("domain"), f"{path}, domain")
        policy_file = PolicyFile(domain=domain, weights=weights, **description)
        _check_weights(policy_file)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    return policy_file


def _read(path: str | os.PathLike[str]) -> tuple[str, Weights]:
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - it is no mapping
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file\n  Check the path, or name a bundled policy.") from None
    except (SafetensorError, OSError, ValueError, TypeError, AttributeError) as error:
        raise InputError(f"{path}: not a policy, or cut short: {error}\n  Get or save the policy again.") from error
    if KEY not in metadata:
        raise InputError(f"{path}: a safetensors file, but not a policy of liftq\n  Make one with liftq train.")
    return metadata[KEY], weights


def _parse(path: str | os.PathLike[str], text: str) -> dict[str, Any]:
    try:
        description = json.loads(text)
        version = description["format"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{path}: its description cannot be read: {error!r}\n  Get the policy again.") from error
    if version != FORMAT:
        raise InputError(f"{path}: format {version}; this liftq reads format {FORMAT}\n  Use another version of liftq.")
    if description.keys() != FIELDS.keys() or any(type(description[name]) is not kind for name, kind in FIELDS.items()):
        raise InputError(f"{path}: its description does not have the fields {', '.join(FIELDS)}\n  Get it again.")
    return dict(description)


def _check_weights(policy_file: PolicyFile) -> None:
    part = policy_file
    shapes = weight_shapes(part.domain, part.encoder, part.encoder_options, part.model, part.model_options)
    if shapes.keys() != part.weights.keys():
        odd = sorted(shapes.keys() ^ part.weights.keys())
        raise InputError(f"weights missing or too many: {', '.join(odd[:5])}\n  Save the policy again.")
    for name, shape in shapes.items():
        weight = part.weights[name]
        if weight.dtype != np.float32 or weight.shape != shape:
            found = f"{weight.dtype} {list(weight.shape)}"
            raise InputError(f"the weight {name} is {found}, not float32 {list(shape)}\n  Save the policy again.")
        if not np.isfinite(weight).all():
            raise InputError(f"the weight {name} is not finite\n  The training diverged; take an earlier checkpoint.")


def _digest(description: Mapping[str, Any], weights: Mapping[str, NDArray[np.float32]]) -> str:
    digest = hashlib.sha256(json.dumps(description, sort_keys=True).encode())
    for name in sorted(weights):
        weight = np.ascontiguousarray(weights[name])
        digest.update(f"\0{name} {weight.dtype} {weight.shape}\0".encode())
        digest.update(weight.tobytes())
    return digest.hexdigest()
