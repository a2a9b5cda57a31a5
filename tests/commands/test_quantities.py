"""Ranges and amounts of memory as users write them."""

from __future__ import annotations

import pytest

from liftq.commands.arguments import parse_bytes, parse_range
from liftq.errors import InputError


@pytest.mark.parametrize(("text", "expected"), [("5", (5, 5)), ("2-100", (2, 100)), ("7-7", (7, 7))])
def test_ranges(text: str, expected: tuple[int, int]) -> None:
    assert parse_range("--sizes", text) == expected


@pytest.mark.parametrize("text", ["", "few", "5-", "-5", "1,2", "2-3-4", "9" * 5000, "٣"])
def test_invalid_ranges_are_rejected(text: str) -> None:
    with pytest.raises(InputError, match=r"--sizes .* is not a range of numbers up to 9999"):
        parse_range("--sizes", text)


def test_a_range_that_ends_before_it_begins() -> None:
    with pytest.raises(InputError, match=r"--sizes `6-5` ends before it begins\n  Write 5-6\."):
        parse_range("--sizes", "6-5")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("4G", 4 << 30), ("500M", 500 << 20), ("1.5k", 1536), ("2 GiB", 2 << 30), ("9" * 15 + "T", 1 << 60)],
)
def test_amounts_of_memory(text: str, expected: int) -> None:
    assert parse_bytes("--memory-limit", text) == expected


@pytest.mark.parametrize("text", ["", "much", "-1G", "4X", "1e9", "9" * 400, "inf"])
def test_invalid_amounts_are_rejected(text: str) -> None:
    with pytest.raises(InputError, match="not an amount of memory"):
        parse_bytes("--memory-limit", text)
