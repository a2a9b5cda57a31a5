"""Who imports whom, read from the sources: rooms form layers, and the planning side knows nothing of torch."""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from pathlib import Path

import pytest
from typer.testing import CliRunner

from liftq import commands
from liftq.__main__ import make_app
from liftq.engine.heuristics import heuristics

PACKAGE = Path(__file__).parents[1] / "liftq"

# Each room with the rooms it may import. What is not listed here does not exist, or is a mistake.
MAY_IMPORT = {
    "errors": set(),
    "files": {"errors"},
    "parts": {"errors"},
    "pddl": {"errors", "files"},
    "engine": {"errors", "pddl"},
    "compute": {"engine", "errors", "files", "parts"},
    "domains": {"errors", "engine", "parts", "pddl"},
    "problems": {"domains", "errors", "files", "engine", "parts", "pddl"},
    "teachers": {"errors", "engine", "parts", "pddl"},
    "encoders": {"errors", "engine", "parts", "pddl"},
    "models": {"encoders", "errors", "parts", "pddl"},
    "policies": {"encoders", "errors", "files", "engine", "models", "parts", "pddl"},
    "zoo": {"engine", "errors", "pddl", "policies"},
    "objectives": {"errors", "parts", "pddl"},
    "teaching": {"compute", "domains", "errors", "files", "engine", "pddl", "policies", "problems", "teachers", "zoo"},
    "training": {
        "compute", "encoders", "engine", "errors", "files", "models", "objectives", "parts", "pddl", "policies",
        "problems", "teaching", "zoo",
    },
    "evaluation": {
        "compute", "domains", "encoders", "engine", "errors", "files", "models", "objectives", "pddl", "policies",
        "problems", "teachers", "teaching", "training", "zoo",
    },
    "learning": {
        "compute", "domains", "encoders", "engine", "errors", "evaluation", "files", "models", "objectives", "pddl",
        "policies", "problems", "teachers", "teaching", "training", "zoo",
    },
    "reports": {"engine", "errors", "evaluation", "files", "parts", "pddl", "policies", "zoo"},
}  # fmt: skip
ABOVE_ALL = {"commands", "pipeline", "unified_planning", "__init__", "__main__"}
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


def test_rooms_import_only_what_they_may() -> None:
    wrong = defaultdict(set)
    for path in PACKAGE.rglob("*.py"):
        room = room_of(path)
        if room in ABOVE_ALL:
            continue
        wrong[str(path.relative_to(PACKAGE))] = rooms_imported(path) - MAY_IMPORT[room]
    assert {path: rooms for path, rooms in wrong.items() if rooms} == {}


def test_layers_have_no_cycle() -> None:
    placed: set[str] = set()
    while len(placed) < len(MAY_IMPORT):
        free = {room for room, below in MAY_IMPORT.items() if room not in placed and below <= placed}
        assert free, f"a cycle among {set(MAY_IMPORT) - placed}"
        placed |= free


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
MAY_INCLUDE = {
    "basics": set(),
    "planning": {"basics"},
    "heuristics": {"basics", "planning"},
    "networks": {"basics", "heuristics", "planning"},
    "search": {"basics", "heuristics", "networks", "planning"},
    "bindings": {"basics", "heuristics", "networks", "planning", "search"},
}  # fmt: skip


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
    (tmp_path / "greet.py").write_text('EPILOG = "Example: liftq greet"\ndef greet() -> None:\n    print("hello")\n')
    monkeypatch.setattr(commands, "__path__", [*commands.__path__, str(tmp_path)])
    app = make_app()
    assert CliRunner().invoke(app, ["greet"]).stdout == "hello\n"
    assert "Exit codes" in CliRunner().invoke(app, ["greet", "--help"]).stdout
    del sys.modules["liftq.commands.greet"]
