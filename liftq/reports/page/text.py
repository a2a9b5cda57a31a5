"""Cleans text from untrusted sources before it is drawn."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from liftq.errors import printable

Anything = TypeVar("Anything")


def cleaned(value: Anything) -> Anything:
    """The same value, with control characters escaped in all its texts."""
    return _cleaned(value)  # type: ignore[no-any-return]


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list | tuple):
        return type(value)(map(_cleaned, value))
    if isinstance(value, dict):
        return {_cleaned(key): _cleaned(each) for key, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{field_.name: _cleaned(getattr(value, field_.name)) for field_ in fields(value)})
    return value
