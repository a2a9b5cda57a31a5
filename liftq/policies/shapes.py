"""Which weights a policy must have, from its domain and options: what `liftq.models` lays out, without torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from liftq.encoders import Relation, encoder
from liftq.encoders.graphs.relations import Vocabulary
from liftq.errors import InputError
from liftq.pddl.structures import Domain

Shapes = dict[str, tuple[int, ...]]

ENCODERS = {"rgnn": ("relational",), "rgcn": ("object", "object_atom")}  # by model: what it can read
LARGEST = {"width": 1024, "layers": 1000}  # what a file may ask for
OPTIONS: dict[str, dict[str, type]] = {
    "rgnn": {"width": int, "layers": int, "alpha": float, "normalize": bool},
    "rgcn": {"width": int, "layers": int},
}


def weight_shapes(
    domain: Domain, encoder_name: str, encoder_options: Mapping[str, Any], model: str, model_options: Mapping[str, Any]
) -> Shapes:
    """An InputError if the options are not those of such an encoder and such a model."""
    check_model(model, model_options)
    if encoder_name not in ENCODERS[model]:
        raise InputError(f"{model} cannot read `{encoder_name}`\n  It reads {' and '.join(ENCODERS[model])}.")
    encoding = encoder(encoder_name)
    expected: dict[str, type] = dict.fromkeys(encoding.__dataclass_fields__, bool)
    _check_options(encoder_name, encoder_options, expected | {"without": tuple})
    _check_left_out(encoding(**{**encoder_options, "without": ()}).vocabulary(domain), encoder_options["without"])
    relations = encoding(**encoder_options).relations(domain)
    width, layers = model_options["width"], model_options["layers"]
    body = _rgnn(relations, width) if model == "rgnn" else _rgcn(relations, width, layers)
    inputs = 2 * width if encoder_options["with_actions"] else width
    return {**body, **_mlp("readout", inputs, inputs, 1)}


def check_model(model: str, options: Mapping[str, Any]) -> None:
    if model not in OPTIONS:
        raise InputError(f"there is no model `{model}`\n  Choose one of {', '.join(OPTIONS)}.")
    _check_options(model, options, OPTIONS[model])
    for name, largest in LARGEST.items():
        if not 1 <= options[name] <= largest:
            raise InputError(f"{model}: {name}={options[name]} is out of range\n  It must be 1 <= {name} <= {largest}.")
    if not 0 < options.get("alpha", 1) < 1e6:
        raise InputError(f"{model}: alpha={options['alpha']} is out of range\n  It must be positive; 12 is usual.")


def _check_options(part: str, options: Mapping[str, Any], types: Mapping[str, type]) -> None:
    if options.keys() != types.keys():
        raise InputError(f"{part} has the options {', '.join(types)}, not {', '.join(options) or 'none'}")
    for name, expected in types.items():
        if type(options[name]) is not expected:
            raise InputError(f"{part}: {name}={options[name]!r} is not of type {expected.__name__}")


def _check_left_out(vocabulary: Vocabulary, names: tuple[Any, ...]) -> None:
    known = {relation.name for relation in vocabulary.relations if not relation.is_action}
    if odd := [name for name in names if name not in known]:
        raise InputError(f"relations cannot be left out that the domain does not have: {', '.join(map(repr, odd))}")


def _rgnn(relations: Sequence[Relation], width: int) -> Shapes:
    shapes: Shapes = {}
    for arity in sorted({relation.arity for relation in relations}):
        count, size = sum(relation.arity == arity for relation in relations), arity * width
        shapes |= _mlp(f"message.{arity}", size, size, size, count)
    return shapes | _mlp("update", 2 * width, 2 * width, width)


def _rgcn(relations: Sequence[Relation], width: int, layers: int) -> Shapes:
    features = max(1, sum(relation.arity == 1 for relation in relations))
    labels = sum(relation.arity == 2 for relation in relations)
    shapes = _linear("lift", features, width) | _linear("self", width, width, layers)
    return {**shapes, "label.weight": (layers, labels, width, width)}


def _linear(name: str, inputs: int, outputs: int, *stack: int) -> Shapes:
    return {f"{name}.weight": (*stack, outputs, inputs), f"{name}.bias": (*stack, outputs)}


def _mlp(name: str, inputs: int, hidden: int, outputs: int, *stack: int) -> Shapes:
    return _linear(f"{name}.inner", inputs, hidden, *stack) | _linear(f"{name}.outer", hidden, outputs, *stack)
