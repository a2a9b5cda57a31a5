"""Parts of open rooms: every file of a room is one, other packages add theirs, and bad names are explained."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, is_dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from msgspec import Meta

from liftq.domains import DOMAINS, legal_range
from liftq.encoders import ENCODERS
from liftq.errors import InputError
from liftq.models import MODELS
from liftq.objectives import OBJECTIVES
from liftq.parts import Room
from liftq.parts.code import trust
from liftq.parts.options import KINDS, build, options
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
    with pytest.raises(InputError, match=f"there is no encoder `zzz`\n  There are {ENCODERS.names()[0]}, "):
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
def test_code_that_is_no_part_is_rejected(
    reference: str, problem: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    width: Annotated[int, Meta(ge=1, le=1024, description="of a row")] = 32
    rate: Annotated[float, Meta(ge=0, le=10, description="of change")] = 0.5
    order: Annotated[Literal["rising", "falling"], Meta(description="which way")] = "rising"
    without: tuple[str, ...] = ()


def test_options_from_outside() -> None:
    assert build(Sorter, "sorter", {}) == Sorter()
    made = build(Sorter, "sorter", {"width": 8, "rate": 2, "order": "falling", "without": ["a"]})
    assert made == Sorter(8, 2.0, "falling", ("a",))


@pytest.mark.parametrize("options", [{"width": 1}, {"width": 1024}, {"rate": 0.0}, {"rate": 10}])
def test_both_ends_of_a_range_are_within(options: dict[str, Any]) -> None:
    assert build(Sorter, "sorter", options) == Sorter(**options)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"widht": 3}, "sorter has no option `widht`\n  It has the options width, rate, order, without"),
        ({"width": 2.0}, r"width=2\.0 is not allowed\n  It must be a whole number from 1 to 1,024\."),
        ({"width": True}, "width=True is not allowed"),
        ({"width": 0}, "width=0 is not allowed"),
        ({"width": 1025}, "width=1025 is not allowed"),
        ({"width": 10**30}, "width=1000.* is not allowed"),
        ({"width": 10**5000}, "width=.too large. is not allowed"),
        ({"rate": float("nan")}, r"rate=nan is not allowed\n  It must be a number from 0 to 10\."),
        ({"rate": float("inf")}, "rate=inf is not allowed"),
        ({"rate": 10**400}, "rate=1000.*... is not allowed"),
        ({"rate": "1"}, "rate='1' is not allowed"),
        ({"without": "a"}, r"without='a' is not allowed\n  It must be a list of printable texts\."),
        ({"without": [1]}, "without=.1,?. is not allowed"),
        ({"without": ["a\x1b"]}, r"without=.'a.x1b',?. is not allowed"),
        ({"order": "random"}, r"order='random' is not allowed\n  It must be one of rising, falling\."),
        ({"order": 1}, "order=1 is not allowed"),
    ],
)
def test_options_that_a_part_cannot_have(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        build(Sorter, "sorter", options)


ROOMS_OF_RECIPES = [each for each in BUNDLED if each[0] in ("liftq.encoders", "liftq.models", "liftq.objectives")]


@pytest.mark.parametrize(("package", "name"), ROOMS_OF_RECIPES)
def test_an_option_has_a_help_text_and_a_legal_default(package: str, name: str) -> None:
    for option in options(ROOMS[package].part(name)).values():
        assert option.help[0].islower() and not option.help.endswith(".")
        assert option.type in KINDS
        assert option.type not in (int, float) or option.least <= option.default <= option.most
        assert not option.choices or option.default in option.choices


@pytest.mark.parametrize("name", DOMAINS.bundled())
def test_a_parameter_has_a_legal_range(name: str) -> None:
    for parameter in options(DOMAINS.part(name)).values():
        assert parameter.type is int and re.search(f" <= {parameter.name}( <= |$)", legal_range(parameter))
