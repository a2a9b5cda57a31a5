"""Random examples for tests of properties: the same in every run, whichever other tests run."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any

SEED = os.environ.get("LIFTQ_TEST_SEED", "")  # any text, for other examples
TRIES = 20  # for each example, until one is suitable

SCALARS = [None, True, False, 0, 1, -1, 7, 2**31, -(2**63), 2**64, 10**400, 0.0, -0.0, 0.5, 1e-9, 1e308, -2.5, 5e-324]
TEXTS = ["", "a", "ferry", "os:path", "../x", "a b", "é", "\u202e", "\ufffe", "\0", "\x1b[2J", "\n", "'", "|", "<b>"]


class Unsuitable(Exception):
    """Not an example of what the test is about."""


def assume(condition: object) -> None:
    if not condition:
        raise Unsuitable


def examples(wanted: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Calls a test with `rng` until there were so many suitable examples. What is drawn depends on the test's name and
    the example's number alone."""

    def decorated(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def run(**fixtures: object) -> None:
            suitable = 0
            for number, rng in dice(f"{test.__module__} {test.__qualname__}"):
                assert number < TRIES * wanted, f"only {suitable} examples of {number} are suitable"
                try:
                    test(rng=rng, **fixtures)
                except Unsuitable:
                    continue
                except BaseException as error:
                    error.add_note(f"in example {number} of {test.__qualname__}")
                    raise
                suitable += 1
                if suitable == wanted:
                    return

        parameters = inspect.signature(test).parameters.values()
        run.__signature__ = inspect.Signature([p for p in parameters if p.name != "rng"])  # type: ignore[attr-defined]
        return run

    return decorated


def dice(name: str) -> Iterator[tuple[int, Random]]:
    return ((number, Random(f"{name} {number} {SEED}")) for number in count())


def json_value(rng: Random, depth: int = 2) -> Any:
    """Of any type, and often at an edge of what is allowed."""
    kind = rng.choice(["scalar", "scalar", "text", "list", "dict"] if depth else ["scalar", "text"])
    if kind == "scalar":
        return rng.choice([*SCALARS, rng.randint(-100, 100), rng.uniform(-10, 10)])
    if kind == "text":
        return text(rng)
    values = [json_value(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    return values if kind == "list" else {text(rng): value for value in values}


def text(rng: Random) -> str:
    blocks = [(0, 127), (0, 0xD7FF), (0xE000, 0x10FFFF)]
    letters = (chr(rng.randint(*rng.choice(blocks))) for _ in range(4))
    return rng.choice([*TEXTS, "".join(letters)])
