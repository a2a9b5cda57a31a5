"""Ranges and amounts of memory as users write them."""

from __future__ import annotations

import re

from liftq.errors import InputError


def parse_range(option: str, text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if match is None:
        raise InputError(f"{option} `{text}` is not a range\n  Write 5 or 2-100.")
    return int(match[1]), int(match[2] or match[1])


def parse_bytes(option: str, text: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?", text, re.IGNORECASE)
    if match is None:
        raise InputError(f"{option} `{text}` is not an amount of memory\n  Write 4G or 500M.")
    return int(float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " "))
