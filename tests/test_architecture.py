"""Who imports whom, read from the sources: rooms form layers, and the planning side knows nothing of torch."""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from itertools import chain
from pathlib import Path

import pytest
from typer.testing import CliRunner

from liftq import commands
from liftq.__main__ import make_app
from liftq.engine.heuristics import heuristics

PACKAGE = Path(__file__).parents[1] / "liftq"

PAGE = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
ABOVE_ALL = {"__init__", "__main__"}
NAMES = 40  # columns of the drawings; what rooms hold stands to the right


def layers(heading: str) -> list[list[str]]:
    """Of the first drawing below a heading of the page, from top to bottom: names, then what they hold."""
    drawing = PAGE.split(f"\n## {heading}\n")[1].split("```text\n")[1].split("\n```")[0]
    return [line[:NAMES].split() for line in drawing.splitlines()]


def below(drawing: list[list[str]]) -> dict[str, set[str]]:
    return {name: set(chain(*drawing[number + 1 :])) for number, names in enumerate(drawing) for name in names}


MAY_IMPORT = below(layers("Layers"))
NEED_TORCH = ("models/networks/", "objectives/", "training/")
ONLY_WITHIN_FUNCTIONS = {"evaluation"}  # may use torch, but importing the module must not


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path, nested: bool = True) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = ast.walk(tree) if nested else iter(tree.body)
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module == "liftq":
            found |= {f"liftq.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def rooms_imported(path: Path) -> set[str]:
    inner = {name.split(".")[1] for name in imports(path) if name.startswith("liftq.")}
    return inner - {room_of(path), "_core"}


def test_every_room_is_drawn_once() -> None:
    rooms = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert sorted(chain(*layers("Layers"))) == sorted(rooms - ABOVE_ALL)


def test_rooms_import_only_those_drawn_below() -> None:
    wrong = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        if (room := room_of(path)) not in ABOVE_ALL:
            wrong[str(path.relative_to(PACKAGE))] = rooms_imported(path) - MAY_IMPORT[room] - ABOVE_ALL
    assert {path: rooms for path, rooms in wrong.items() if rooms} == {}


def test_the_drawing_has_a_direction() -> None:
    assert MAY_IMPORT["errors"] == set() and MAY_IMPORT["pddl"] == {"errors", "files", "parts"}
    assert "training" not in MAY_IMPORT["zoo"] and "commands" not in MAY_IMPORT["pipeline"]
    assert below([["top"], ["left", "right"], ["bottom"]]) == {
        "top": {"left", "right", "bottom"},
        "left": {"bottom"},
        "right": {"bottom"},
        "bottom": set(),
    }


def test_only_learning_imports_torch() -> None:
    guilty = set()
    for path in PACKAGE.rglob("*.py"):
        room, place = room_of(path), str(path.relative_to(PACKAGE))
        if place.startswith(NEED_TORCH) and not place.startswith("training/recipes/"):
            continue
        lazily = room in ABOVE_ALL or room in ONLY_WITHIN_FUNCTIONS
        if any(name.split(".")[0] == "torch" for name in imports(path, nested=not lazily)):
            guilty.add(place)
    assert guilty == set()


def branches(tree: ast.AST) -> set[str]:
    """Words that something is compared with or looked up by."""
    found: set[ast.expr | None] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            found |= {node.left, *node.comparators}
        elif isinstance(node, ast.MatchValue):
            found.add(node.value)
        elif isinstance(node, ast.Dict):
            found |= set(node.keys)
    words = {inner for node in found if node for inner in ast.walk(node) if isinstance(inner, ast.Constant)}
    return {word.value for word in words if isinstance(word.value, str)}


def test_nothing_depends_on_the_name_of_a_model_or_an_encoder() -> None:
    names = {path.stem for room in ("models", "encoders") for path in (PACKAGE / room).glob("[a-z]*.py")}
    assert {"rgnn", "object_atom"} <= names
    names -= {"object"}  # which is also a type of PDDL
    guilty = {path.name for path in PACKAGE.rglob("*.py") if branches(ast.parse(path.read_text())) & names}
    assert guilty == set()
    assert branches(ast.parse('x = 1 if encoder in ("a", "b") else {"c": "d"}')) == {"a", "b", "c"}


def test_no_file_is_named_for_a_role() -> None:
    banned = {"utils", "helpers", "common", "base", "misc", "factory", "manager"}
    assert not [path for path in PACKAGE.rglob("*.py") if path.stem in banned]


CORE = PACKAGE.parent / "core"
MAY_INCLUDE = below(layers("The core"))


def test_folders_of_the_core_include_only_what_they_may() -> None:
    wrong = set()
    for path in CORE.glob("*/*.*"):
        folder = path.parent.name
        for included in re.findall(r'^#include "(.*)"$', path.read_text(), re.MULTILINE):
            if included.split("/")[0] not in {folder, *MAY_INCLUDE[folder]}:
                wrong.add(f"{folder}/{path.name}: {included}")
    assert wrong == set()


def test_only_bindings_know_python() -> None:
    others = (path for path in CORE.glob("*/*.*") if path.parent.name != "bindings")
    assert [path.name for path in others if "nanobind" in path.read_text()] == []


def test_no_test_imports_a_test() -> None:
    tests = Path(__file__).parent
    for path in tests.rglob("*.py"):
        assert not re.search(r"^\s*(from|import) tests\.(\w+\.)*test_", path.read_text(), re.MULTILINE), path


def test_a_heuristic_is_one_file_that_registers_itself() -> None:
    """To add one is to add this file: the bindings, the package and the contract tests read the registry."""
    registering = {path for path in CORE.glob("*/*.*") if "Registry<HeuristicKind> " in path.read_text()}
    assert registering == {CORE / "heuristics" / f"{name}.cc" for name in heuristics()}


def test_a_command_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = (
        '"""`liftq greet`: say hello."""\nEPILOG = "Example: liftq greet"\ndef greet() -> None:\n    print("hello")\n'
    )
    (tmp_path / "greet.py").write_text(source)
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    app = make_app()
    assert "Say hello." in CliRunner().invoke(app, ["--help"]).stdout
    assert CliRunner().invoke(app, ["greet"]).stdout == "hello\n"
    assert "Exit codes" in CliRunner().invoke(app, ["greet", "--help"]).stdout
    del sys.modules["liftq.commands.greet"]
