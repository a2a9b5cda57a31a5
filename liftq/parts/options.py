"""The options of parts: annotated fields of frozen dataclasses, such as

    width: Annotated[int, Meta(ge=1, le=1024, description="width of an embedding")] = 32

The annotation is the only place of an option's type, range and help. Checks, command-line flags and the manual are
generated from it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from liftq.errors import InputError

SHORT = 60  # characters of a wrong value that are shown
KINDS = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "printable text",
    tuple: "a list of printable texts",
}
Part = TypeVar("Part")


@dataclass(frozen=True)
class Option:
    name: str
    annotation: Any
    default: Any
    type: Any  # without parameters; `str` if there are choices
    choices: tuple[str, ...]  # empty if any value of the type is allowed
    least: Any
    most: Any
    help: str
    marks: tuple[Any, ...]  # everything in the annotation besides the type

    @staticmethod
    def of(name: str, annotation: Any, default: Any) -> Option:
        plain, *marks = get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)
        choices = get_args(plain) if get_origin(plain) is Literal else ()
        type = str if choices else get_origin(plain) or plain

        def noted(key: str) -> Any:
            return next((value for mark in marks if (value := getattr(mark, key, None)) is not None), None)

        limits = noted("ge"), noted("le")
        return Option(name, annotation, default, type, choices, *limits, noted("description") or "", tuple(marks))

    @property
    def legal(self) -> str:
        """What a value must be."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        return KINDS[self.type] + (f" from {self.least:,.10g} to {self.most:,.10g}" if self.most is not None else "")


def options(part: Any) -> dict[str, Option]:
    return _options(part)


@cache
def _options(part: Hashable) -> dict[str, Option]:
    hints = get_type_hints(part, include_extras=True)
    return {field_.name: Option.of(field_.name, hints[field_.name], field_.default) for field_ in fields(part)}  # type: ignore[arg-type]


def build(part: type[Part], place: str, values: Mapping[str, Any]) -> Part:
    """A part with options from a user or a file. Other options keep their defaults."""
    known = options(part)
    for name in values:
        if name not in known:
            raise InputError(f"{place} has no option `{name}`\n  It has the options {', '.join(known) or 'none'}.")
    return part(**{name: _checked(f"{place}: {name}", value, known[name]) for name, value in values.items()})


def check(place: str, part: Any) -> None:
    """Check a part that was constructed in Python."""
    for name, option in options(type(part)).items():
        _checked(f"{place}: {name}", getattr(part, name), option)


def _checked(place: str, value: Any, option: Option) -> Any:
    try:
        converted = msgspec.convert(value, option.annotation)
        texts = converted if option.type is tuple else (converted,)
        if all(text.isprintable() for text in texts if isinstance(text, str)):
            return converted
    except (msgspec.ValidationError, RecursionError):
        pass
    raise InputError(f"{place}={_short(value)} is not allowed\n  It must be {option.legal}.")


def _short(value: Any) -> str:
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of too many digits, a list too deep
        text = "(too large)"
    return text if len(text) <= SHORT else f"{text[:SHORT]}..."
