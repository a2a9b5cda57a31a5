"""Parts of open rooms: every file of a room is one, other packages add theirs, and bad names are explained."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from liftq.domains import DOMAINS
from liftq.encoders import ENCODERS
from liftq.errors import InputError
from liftq.models import MODELS
from liftq.objectives import OBJECTIVES
from liftq.parts import Room, build, choice, option, trust
from liftq.reports import SECTIONS
from liftq.teachers import TEACHERS

ROOMS: dict[str, Room[Any]] = {
    room.package: room for room in (DOMAINS, ENCODERS, MODELS, OBJECTIVES, SECTIONS, TEACHERS)
}
BUNDLED = [(package, name) for package, room in ROOMS.items() for name in room.bundled()]


@pytest.mark.parametrize(("package", "name"), BUNDLED)
def test_every_file_is_a_part_with_its_name(package: str, name: str) -> None:
    room = ROOMS[package]
    part = room.part(name)
    assert room.fulfils(part) and room.name_of(part) == name
    assert part.__module__ == f"{package}.{name}"


@pytest.mark.parametrize(("package", "name"), [each for each in BUNDLED if each[0] != "liftq.reports"])
def test_a_part_is_a_frozen_dataclass(package: str, name: str) -> None:
    part = ROOMS[package].part(name)
    assert is_dataclass(part) and part.__dataclass_params__.frozen  # type: ignore[attr-defined]
    if package != "liftq.domains":  # whose problems have parameters, which nobody can choose for the user
        assert part() == part()
        assert all(each.default == getattr(part(), each.name) for each in fields(part))


@pytest.mark.parametrize("room", ROOMS.values(), ids=list(ROOMS))
def test_a_misspelt_name_is_explained(room: Room[Any]) -> None:
    name = room.names()[-1]
    with pytest.raises(InputError, match=f"there is no {room.noun} `{name}x`\n  Did you mean {name}. There are "):
        room.part(f"{name}x")


def test_a_name_like_no_other_is_explained() -> None:
    with pytest.raises(InputError, match="there is no encoder `zzz`\n  There are object, "):
        ENCODERS.part("zzz")


@pytest.mark.parametrize(
    ("reference", "problem"),
    [
        ("no_such_package.module:Part", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_package'"),
        ("liftq.encoders:Nothing", "cannot be loaded: AttributeError: .*Nothing"),
        ("liftq.encoders:Encoder", "does not fulfil the contract of liftq.encoders"),  # it is abstract
        ("liftq.objectives.q_value:QValue", "does not fulfil the contract"),
        ("broken_part:Part", "cannot be loaded: ZeroDivisionError"),
    ],
)
def test_what_is_no_part(reference: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_part.py").write_text("1 / 0")
    monkeypatch.syspath_prepend(tmp_path)
    trust(reference)
    with pytest.raises(InputError, match=problem):
        ENCODERS.part(reference)


def test_a_bundled_name_means_the_same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    added = [EntryPoint(name, "elsewhere:Part", "liftq.encoders") for name in ("relational", "spiral")]
    monkeypatch.setattr("liftq.parts.entry_points", lambda group: added)
    assert ENCODERS.names() == (*ENCODERS.bundled(), "spiral")
    assert ENCODERS.part("relational").__module__ == "liftq.encoders.relational"


@dataclass(frozen=True)
class Sorter:
    width: int = option(32, "of a row", at_least=1, at_most=1024)
    rate: float = option(0.5, "of change", at_least=0)
    order: str = choice("rising", "falling", help="which way")
    without: tuple[str, ...] = ()
    share: float = option(0.5, "of all", at_most=1)


def test_options_from_outside() -> None:
    assert build(Sorter, "sorter", {}) == Sorter()
    made = build(Sorter, "sorter", {"width": 8, "rate": 2, "order": "falling", "without": ["a"]})
    assert made == Sorter(8, 2.0, "falling", ("a",))


@pytest.mark.parametrize("options", [{"width": 1}, {"width": 1024}, {"rate": 0.0}, {"share": 1.0}, {"share": -3.0}])
def test_both_ends_of_a_range_are_within(options: dict[str, Any]) -> None:
    assert build(Sorter, "sorter", options) == Sorter(**options)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"widht": 3}, "sorter has no option `widht`\n  It has the options width, rate, order, without, share"),
        ({"width": 2.0}, "sorter: width=2.0 is not of type int"),
        ({"width": True}, "width=True is not of type int"),
        ({"width": 0}, "width=0 is out of range\n  It must be from 1 to 1024"),
        ({"rate": float("nan")}, "rate=nan is out of range\n  It must be at least 0"),
        ({"share": 1.5}, "share=1.5 is out of range\n  It must be at most 1"),
        ({"width": 10**30}, "width=1000.* is out of range"),
        ({"without": "a"}, "without='a' is not of type tuple"),
        ({"without": [1]}, "without=.1,. is not of type tuple"),
        ({"without": ["a\x1b"]}, "characters that cannot be printed"),
        ({"order": "random"}, "order='random' is unknown\n  Choose one of rising, falling"),
    ],
)
def test_options_that_a_part_cannot_have(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        build(Sorter, "sorter", options)
