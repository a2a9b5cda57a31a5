"""Small mistakes in good files, drawn at random."""

from __future__ import annotations

import json
import random
from typing import Any

HOSTILE: list[Any] = [
    None, True, 0, -1, 1.5, -0.0, 1e308, 10**20, 10**400, "", "x", "\x1b[2J", "<script>", "ä" * 50, "(", "()", [], {},
    [[]], {"a": 1}, [1] * 100, "9" * 500, 2**63, -(2**63), "inf", "nan", "../../etc/passwd", "a\nb", "\u0000", "\ud800",
]  # fmt: skip


def damaged(text: bytes, dice: random.Random) -> bytes:
    """One to three small mistakes: in the bytes, among the lines, or in a value."""
    for _ in range(dice.choice([1, 1, 2, 3])):
        text = dice.choice([with_noise, with_noise, _lines, _value, _value, _value])(text, dice)
    return text


def with_noise(text: bytes, dice: random.Random) -> bytes:
    at, size = dice.randrange(len(text) + 1), dice.choice([1, 1, 2, 8, 64, 4096])
    noise = dice.choice([dice.randbytes(size), b'"' * size, b"[" * size * 50, b"{", b"9" * size, b"\n", b"\xff", b""])
    return text[:at] + noise + text[at + dice.choice([0, 1, size, len(text)]) :]


def _lines(text: bytes, dice: random.Random) -> bytes:
    lines = text.split(b"\n")
    at = dice.randrange(len(lines))
    return b"\n".join(dice.choice([lines[:at], lines[:at] + lines[at + 1 :], lines + lines[at:], lines[::-1]]))


def _value(text: bytes, dice: random.Random) -> bytes:
    lines = text.split(b"\n")
    at = dice.randrange(len(lines))
    try:
        whole = json.loads(lines[at])
    except (ValueError, RecursionError):  # a recipe, or damaged already
        name, equals, _ = lines[at].partition(b"=")
        lines[at] = name + equals + json.dumps(dice.choice(HOSTILE)).encode() if equals else lines[at]
        return b"\n".join(lines)
    place, key = whole, None
    while isinstance(place, dict | list) and place:
        parent, key = place, dice.choice(list(place) if isinstance(place, dict) else range(len(place)))
        place = place[key]
        if dice.random() < 0.5:
            break
    if key is not None:
        parent[key] = dice.choice(HOSTILE)
        if dice.random() < 0.2:
            del parent[key]
    lines[at] = json.dumps(whole).encode()
    return b"\n".join(lines)
