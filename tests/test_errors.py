from __future__ import annotations

from liftq.errors import listed, plural, printable


def test_plural() -> None:
    assert [plural(count, "plan") for count in (0, 1, 2)] == ["0 plans", "1 plan", "2 plans"]


def test_long_lists_are_cut() -> None:
    assert listed(range(3)) == "0, 1, 2"
    assert listed(range(10), " ") == "0 1 2 3 4 5 6 7 8 9"
    assert listed(range(500), " ") == "0 1 2 3 4 5 6 7 8 9 and 490 more"


def test_text_cannot_steer_a_terminal() -> None:
    assert printable("\x1b[2Jä\nb\r\x9b\u202e\x07") == r"\x1b[2Jä" + "\n" + r"b\r\x9b\u202e\x07"
