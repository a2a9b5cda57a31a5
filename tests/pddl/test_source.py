"""Files that are no text, or no files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from liftq.pddl import Domain, InputError, PDDLError, read_domain, read_problem
from liftq.pddl.source import Source


@pytest.mark.parametrize(
    ("content", "line", "column"), [(b"\xff\xfe(\x00", 1, 1), (b"(define\n \xe9", 2, 2), (b"(define\n \xc3\xa9", 2, 2)]
)
def test_characters_that_names_cannot_have(tmp_path: Path, content: bytes, line: int, column: int) -> None:
    file = tmp_path / "binary.pddl"
    file.write_bytes(content)
    with pytest.raises(PDDLError, match="outside a comment") as caught:
        read_domain(file)
    assert str(caught.value).startswith(f"{file}:{line}:{column}: ")


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_comments_in_any_language(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "accents.pddl"
    file.write_bytes("; un café, s'il vous plaît\n(define (domain d))".encode(encoding))
    assert read_domain(file).name == "d"


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    file = tmp_path / "mark.pddl"
    file.write_bytes(b"\xef\xbb\xbf(define (domain d))")
    assert read_domain(str(file)).name == "d"


@pytest.mark.parametrize("name", ["missing.pddl", ".", "a\0b", "x" * 5000])
def test_files_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    with pytest.raises(InputError, match=re.escape(f"{path}: ")):
        read_domain(path)
    with pytest.raises(InputError, match=re.escape(f"{path}: ")):
        read_problem(path, Domain("d", (), (), (), (), ()))


def test_words_are_the_same_in_pieces_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "(define (problem a)\n  (:objects  bb ccc)) ; dddd"
    whole = Source(text, "p").words
    assert whole == ["(", "define", "(", "problem", "a", ")", "(", ":objects", "bb", "ccc", ")", ")"]
    for size in range(1, len(text)):
        monkeypatch.setattr("liftq.pddl.source.CHUNK", size)
        assert Source(text, "p").words == whole
