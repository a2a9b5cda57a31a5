"""Mutation testing: what mutants are generated, that samples are reproducible, and that the listed mistakes apply."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from dev.mutants import in_cpp
from dev.mutants.in_python import Mutator
from dev.mutants.mistakes import REPOSITORY, Mistake, read_mistakes
from dev.mutants.room import read_rooms, sampled


@pytest.mark.parametrize(
    ("code", "mutants"),
    [
        ("a < b <= c", {"a <= b <= c", "a < b < c"}),
        ("x not in y", {"x in y"}),
        ("a and (b or c)", {"a or (b or c)", "a and (b and c)"}),
        ("n - 1", {"n + 1", "n - 2"}),
        ("'a' + b", set()),
        ("not (a)", {" (a)"}),
        ("f(True, 0.25)", {"f(False, 0.25)", "f(True, 0.5)"}),
        ("[x for x in y if x]", {"[x for x in y if (not (x))]"}),
        ("f'{a + 1}'", set()),
    ],
)
def test_mutants_of_an_expression(code: str, mutants: set[str]) -> None:
    source = f"def f():\n    return {code}\n".encode()
    made = {
        change.applied(source).decode().split("return ")[1].rstrip("\n") for change in Mutator("", source).changes()
    }
    assert made == mutants | {"None"}


def test_mutants_of_statements() -> None:
    source = b"def f(a: int = 0) -> None:\n    for b in a:\n        if b:\n            continue\n        b.close()\n"
    made = {str(change).partition(": ")[2] for change in Mutator("", source).changes()}
    assert made == {"0 becomes 1", "b becomes (not (b))", "continue becomes break", "b.close() becomes pass"}


def test_what_only_says_is_not_mutated() -> None:
    source = b'"""1 < 2"""\nfrom a import b\ndef f(x: "1 + 1") -> 3:\n    """2"""\n    raise ValueError(x + 1)\n'
    assert list(Mutator("", source).changes()) == []


def test_mutants_of_cpp() -> None:
    source = b"""#if 1 < 2
template <int N>
int f(std::vector<int> x) {  // 1 + 1
  if (x.size() < 3 && true) return std::min(a - 1, '+');
  x.clear();
}
"""
    lines = source.decode().splitlines()
    made = set()
    for change in in_cpp.changes("", source):
        (line,) = (
            new for new, old in zip(change.applied(source).decode().splitlines(), lines, strict=True) if new != old
        )
        made.add(line.strip())
    assert made == {
        "if (x.size() <= 3 && true) return std::min(a - 1, '+');",
        "if (x.size() < 4 && true) return std::min(a - 1, '+');",
        "if (x.size() < 3 || true) return std::min(a - 1, '+');",
        "if (x.size() < 3 && false) return std::min(a - 1, '+');",
        "if (x.size() < 3 && true) return std::max(a - 1, '+');",
        "if (x.size() < 3 && true) return std::min(a + 1, '+');",
        "if (x.size() < 3 && true) return std::min(a - 2, '+');",
        "if (!(x.size() < 3 && true)) return std::min(a - 1, '+');",
        ";",
    }


def test_every_mutant_of_python_is_python() -> None:
    for name, mutants in read_rooms().items():
        assert mutants, name
        for mutant in sampled({name: mutants}, 10, 0):
            if not mutant.is_native:
                ast.parse(mutant.change.applied((REPOSITORY / mutant.change.file).read_bytes()))


def test_a_sample_is_reproducible_and_has_as_many_of_each_room() -> None:
    rooms = read_rooms(["orbits", "objectives"])
    assert sampled(rooms, 8, seed=1) == sampled(rooms, 8, seed=1) != sampled(rooms, 8, seed=2)
    assert [mutant.room for mutant in sampled(rooms, 4, seed=1)].count("orbits") == 2


def test_a_file_belongs_to_one_room() -> None:
    rooms = {room: {mutant.change.file for mutant in mutants} for room, mutants in read_rooms().items()}
    del rooms["mistakes"]
    assert len(set().union(*rooms.values())) == sum(map(len, rooms.values()))
    assert "core/planning/twins.cc" in rooms["orbits"]


def test_tests_of_rooms_exist() -> None:
    tests = {test for mutants in read_rooms().values() for mutant in mutants for test in mutant.tests}
    assert [test for test in tests if not (REPOSITORY / test).exists()] == []


@pytest.mark.parametrize("mistake", read_mistakes(), ids=lambda mistake: mistake.name)
def test_listed_mistakes_apply_to_the_source(mistake: Mistake) -> None:
    assert mistake.change(), f"`{mistake.find}` does not match once in {mistake.file}: adapt dev/mutants/mistakes.toml"


def test_a_mistake_changes_only_its_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text("def f():\n    return 1\n\n\ndef g():\n    return 1\n")
    monkeypatch.setattr("dev.mutants.mistakes.REPOSITORY", tmp_path)
    change = Mistake("", "a.py", "return 1", "return 2", (), "g").change()
    assert change and change.line == 6
    assert Mistake("", "a.py", "return 1", "return 2", ()).change() is None
