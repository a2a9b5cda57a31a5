"""A policy as one file: weights, the domain that it is for, and how it was made. Reading one runs no code of
its own: it names its encoder and its model, which must be installed.

The file is a safetensors file. Its metadata hold one JSON text with all but the weights, and a SHA-256 over everything.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from liftq.encoders import ENCODERS, Encoder
from liftq.errors import InputError
from liftq.files import write_atomically
from liftq.models import MODELS, Arrays, Model
from liftq.parts import Room
from liftq.parts.options import build
from liftq.pddl import parse_domain
from liftq.pddl.structures import Domain
from liftq.pddl.writer import write_domain

FORMAT = 1
KEY = "liftq"  # the only key of the metadata: safetensors does not keep the order of several
FIELDS = {"format": int, "domain": str, "encoder": str, "encoder_options": dict, "model": str, "model_options": dict}
FIELDS |= {"card": dict, "sha256": str}

HALF = np.float16  # for storing weights that it represents exactly; in memory they are float32

# Former options that older files may set. No value depends on them.
RETIRED = {"encoder_options": {"compress"}}


@dataclass(frozen=True)
class PolicyFile:
    """A policy as it is stored. `card` says how it was trained and how well it does; `load_policy` makes it act."""

    domain: Domain
    encoder: Encoder
    model: Model
    weights: Arrays  # named and shaped as in the model's layout
    card: dict[str, Any] = field(default_factory=dict)  # training and scores, as JSON

    @property
    def with_actions(self) -> bool:
        """Whether it values actions (Q) or states (V)."""
        return self.encoder.with_actions

    def __repr__(self) -> str:
        kind = "Q-values" if self.with_actions else "state-values"
        count = sum(weight.size for weight in self.weights.values())
        return f"<PolicyFile for {self.domain.name}: {kind} of {self.model}, {count} weights>"


def save_policy(path: str | os.PathLike[str], policy_file: PolicyFile) -> None:
    """Writes the file atomically."""
    _check(policy_file)
    description = {
        "format": FORMAT,
        "domain": write_domain(policy_file.domain),
        "encoder": ENCODERS.name_of(type(policy_file.encoder)),
        "encoder_options": asdict(policy_file.encoder),
        "model": MODELS.name_of(type(policy_file.model)),
        "model_options": asdict(policy_file.model),
        "card": policy_file.card,
    }
    weights = {name: np.ascontiguousarray(weight) for name, weight in _stored(policy_file.weights).items()}
    text = json.dumps(description | {"sha256": _digest(description, weights)}, sort_keys=True)
    write_atomically(path, save(weights, {KEY: text}))


def halved(policy_file: PolicyFile) -> PolicyFile:
    """With weights that are rounded to half precision, so that its file takes half the space."""
    weights = {name: _half(weight).astype(np.float32) for name, weight in policy_file.weights.items()}
    return replace(policy_file, weights=weights)


def read_policy_file(path: str | os.PathLike[str]) -> PolicyFile:
    """Checked against its own checksum, domain and layout; an InputError if something is amiss."""
    text, weights = _read(path)
    description = _parse(path, text)
    if description.pop("sha256") != _digest(description, weights):
        raise InputError(f"{path}: damaged or changed: its checksum does not fit\n  Get or save the policy again.")
    whole = {name: weight.astype(np.float32) if weight.dtype == HALF else weight for name, weight in weights.items()}
    policy_file = _described(path, description, whole)
    try:
        _check(policy_file)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    return policy_file


def read_description(path: str | os.PathLike[str]) -> PolicyFile:
    """Without weights, and unchecked: to see whether a policy is worth reading as a whole."""
    return _described(path, _parse(path, _read(path, with_weights=False)[0]), {})


def read_card(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Alone and unchecked, which takes far less time."""
    card: dict[str, Any] = _parse(path, _read(path, with_weights=False)[0])["card"]
    return card


def _described(path: str | os.PathLike[str], description: Mapping[str, Any], weights: Arrays) -> PolicyFile:
    try:
        domain = parse_domain(description["domain"], f"{path}, domain")
        parts = (_part(ENCODERS, "encoder", description), _part(MODELS, "model", description))
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    return PolicyFile(domain, *parts, weights, description["card"])


def _part(room: Room[Any], kind: str, description: Mapping[str, Any]) -> Any:
    name, options = description[kind], description[f"{kind}_options"]
    kept = {key: value for key, value in options.items() if key not in RETIRED.get(f"{kind}_options", ())}
    return build(room.part(name), name, kept)


def _read(path: str | os.PathLike[str], with_weights: bool = True) -> tuple[str, Arrays]:
    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            weights = {name: file.get_tensor(name) for name in (file.keys() if with_weights else ())}
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


def _check(policy_file: PolicyFile) -> None:
    domain, encoder, model, weights = policy_file.domain, policy_file.encoder, policy_file.model, policy_file.weights
    if not model.reads(type(encoder)):
        names = MODELS.name_of(type(model)), ENCODERS.name_of(type(encoder))
        raise InputError("{} cannot read `{}`\n  Use {} for it.".format(*names, encoder.model))
    known = {relation.name for relation in replace(encoder, without=()).rows(domain) if not relation.is_action}
    if odd := [name for name in encoder.without if name not in known]:
        raise InputError(f"relations cannot be left out that the domain does not have: {', '.join(map(repr, odd))}")
    shapes = model.layout(encoder.relations(domain), encoder.with_actions).shapes
    if shapes.keys() != weights.keys():
        odd = sorted(shapes.keys() ^ weights.keys())
        raise InputError(f"weights missing or too many: {', '.join(odd[:5])}\n  Save the policy again.")
    for name, shape in shapes.items():
        _check_weight(name, weights[name], shape)


def _check_weight(name: str, weight: NDArray[np.float32], shape: tuple[int, ...]) -> None:
    if weight.dtype != np.float32 or weight.shape != shape:
        found = f"{weight.dtype} {list(weight.shape)}"
        raise InputError(f"the weight {name} is {found}, not float32 {list(shape)}\n  Save the policy again.")
    if not np.isfinite(weight).all():
        raise InputError(f"the weight {name} is not finite\n  The training diverged; take an earlier checkpoint.")


def _stored(weights: Arrays) -> Mapping[str, NDArray[Any]]:
    halves = {name: _half(weight) for name, weight in weights.items()}
    return halves if all(np.array_equal(weights[name], halves[name]) for name in weights) else weights


def _half(weight: NDArray[np.float32]) -> NDArray[np.float16]:
    with np.errstate(over="ignore"):  # too large numbers become infinite, and are rejected or kept as they are
        return weight.astype(HALF)


def _digest(description: Mapping[str, Any], weights: Mapping[str, NDArray[Any]]) -> str:
    digest = hashlib.sha256(json.dumps(description, sort_keys=True).encode())
    for name in sorted(weights):
        weight = np.ascontiguousarray(weights[name])
        digest.update(f"\0{name} {weight.dtype} {weight.shape}\0".encode())
        digest.update(weight.tobytes())
    return digest.hexdigest()
