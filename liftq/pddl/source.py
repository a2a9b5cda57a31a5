"""A PDDL text as tokens, sections and small trees; positions are token numbers until an error needs line and column."""

from __future__ import annotations

import re
import warnings
from copy import copy
from itertools import chain, islice
from os import PathLike
from typing import NamedTuple, NoReturn

from liftq._core import find_section
from liftq.errors import PDDLError, PDDLWarning
from liftq.files import read_bytes

COMMENT = re.compile(r";[^\r\n]*")
LINE_END = re.compile(r"\r\n|\r|\n")
READABLE = "\t\n\x0b\x0c\r" + "".join(map(chr, range(0x20, 0x7F)))
WORD = re.compile(r"[()]|[^\s()][^\s()?]*")  # a variable begins a word of its own: `aircraft?a` is two
BLANK = re.compile(r"\s")
CHUNK = 2**20  # characters split at once; limits and Ctrl-C take effect between chunks
DEEPEST = 100  # levels of parentheses; all that liftq supports needs 6, and the tree is walked recursively


class Word(NamedTuple):
    text: str
    at: int  # token number


class Group(NamedTuple):
    items: list[Word | Group]
    at: int  # token number of the opening parenthesis


Node = Word | Group
Piece = tuple[int, int]  # of a text: offsets


class Span(NamedTuple):
    """Of a section of the file."""

    keyword: Word  # `:init`
    start: int  # token number of the opening parenthesis
    end: int  # token number of the closing parenthesis


class Source:
    def __init__(self, text: str, file: str, apart: str = "") -> None:
        """`apart`: the keyword of a large section, which the core reads."""
        self.file = file
        # Comments become blanks, which keeps every offset.
        self.text = COMMENT.sub(lambda comment: " " * len(comment[0]), text) if ";" in text else text
        self.apart = find_section(self.text, apart) if apart and self.text.isascii() else None
        if self.apart is None:
            self._check_characters()
        first, last = self.apart or (len(self.text), len(self.text))
        self._take([(0, first), (last, len(self.text))])
        self._warned: set[tuple[str, ...]] = set()

    def part(self, pieces: list[Piece]) -> Source:
        """Some pieces of the same text."""
        part = copy(self)
        part._take(pieces)
        return part

    def _take(self, pieces: list[Piece]) -> None:
        self._pieces = pieces
        self.words = [word for piece in pieces for word in _words(self.text, *piece)]

    def error(self, at: int, problem: str, fix: str) -> PDDLError:
        """Scans again for the offset of the token, which is cheaper than keeping offsets for every file."""
        tokens = chain.from_iterable(WORD.finditer(self.text, *piece) for piece in self._pieces)
        token = next(islice(tokens, at, None), None)
        return self._error_at(token.start() if token else len(self.text.rstrip()), problem, fix)

    def warn(self, at: int, problem: str, fix: str, category: type[PDDLWarning], about: tuple[str, ...] = ()) -> None:
        """Warns once for each `about`."""
        if about in self._warned:
            return
        if about:
            self._warned.add(about)
        warnings.warn(str(self.error(at, problem, fix)), category, stacklevel=5)

    def _error_at(self, offset: int, problem: str, fix: str) -> PDDLError:
        lines = LINE_END.split(self.text[:offset])
        return PDDLError(self.file, len(lines), len(lines[-1]) + 1, problem, fix)

    def _check_characters(self) -> None:
        if self.text.isascii() and not self.text.encode().translate(None, READABLE.encode()):
            return
        offset = next(offset for offset, character in enumerate(self.text) if character not in READABLE)
        problem = f"the character {self.text[offset]!r} outside a comment"
        raise self._error_at(offset, problem, "Write names in ASCII letters, digits, `-` and `_`.")

    def group(self, at: int) -> tuple[Group, int]:
        """The tree that opens at token `at`, and the number of the token after it."""
        group = Group([], at)
        opened = [group]
        while opened:
            at += 1
            word = self.words[at]
            if word == "(":
                child = Group([], at)
                opened[-1].items.append(child)
                opened.append(child)
            elif word == ")":
                opened.pop()
            else:
                opened[-1].items.append(Word(word, at))
        return group, at + 1

    def body(self, section: Span) -> list[Node]:
        return self.group(section.start)[0].items[1:]

    def definition(self, kind: str) -> tuple[str, list[Span]]:
        """Check `(define (KIND NAME) SECTION ...)` and return the name and the sections."""
        if self.words[:2] != ["(", "define"]:
            problem = "not a PDDL definition" if self.words else "the file is empty"
            raise self.error(0, problem, f"A {kind} begins with `(define ({kind} NAME)`.")
        (start, _), *spans = self._spans()
        head = self.group(start)[0].items
        if not head or not isinstance(head[0], Word) or head[0].text not in ("domain", "problem"):
            raise self.error(start, f"expected `({kind} NAME)`", f"Begin with `(define ({kind} my-{kind})`.")
        if head[0].text != kind:
            fix = "Give the domain first, then the problem." if kind == "domain" else "The problem comes second."
            raise self.error(start, f"this is a {head[0].text}, and a {kind} was expected", fix)
        if len(head) != 2 or not isinstance(head[1], Word):
            raise self.error(start, f"the {kind} needs exactly one name", f"Write `({kind} my-{kind})`.")
        return head[1].text, [self._section(start, end) for start, end in spans]

    def content(self, keyword: str) -> Span:
        """The text as the content of a section, with or without `(KEYWORD ...)` around it."""
        if self.words[:2] == ["(", "define"]:
            raise self.error(0, "a whole definition", "Give the atoms of its `:init` alone.")
        depth, ends = 0, []
        for at, word in enumerate(self.words):
            depth += (word == "(") - (word == ")")
            if depth < 0:
                raise self.error(at, "this parenthesis closes nothing", "Remove the `)`.")
            if depth == 0:
                if word != ")":
                    raise self.error(at, f"`{word}` outside of parentheses", "An atom is a text such as `(on a b)`.")
                ends.append(at)
        if depth:
            raise self.error(len(self.words), "a parenthesis is never closed", "Add the missing `)`.")
        if self.words[:2] != ["(", keyword]:
            return Span(Word(keyword, 0), -2, len(self.words))
        if len(ends) > 1:
            raise self.error(ends[0] + 1, f"text after `({keyword} ...)`", "Put it inside.")
        return Span(Word(keyword, 1), 0, ends[0])

    def _section(self, start: int, end: int) -> Span:
        keyword = self.words[start + 1]
        if not keyword.startswith(":"):
            raise self.error(start, "expected a section", "Sections begin with a keyword: `(:init ...)`.")
        return Span(Word(keyword, start + 1), start, end)

    def _spans(self) -> list[tuple[int, int]]:
        """The groups directly below `define`. After this, parentheses are balanced and not too deep."""
        spans: list[tuple[int, int]] = []
        depth = start = 0
        for at, word in enumerate(self.words):
            if word == "(":
                depth += 1
                if depth == 2:
                    start = at
                elif depth > DEEPEST:
                    raise self.error(at, f"parentheses nested over {DEEPEST} deep", "Flatten nested `and`s.")
            elif word == ")":
                depth -= 1
                if depth == 1:
                    spans.append((start, at))
                elif depth == 0:
                    break
            elif depth == 1 and at > 1:
                raise self.error(at, f"`{word}` stands outside every section", "Check the parentheses before it.")
        if depth:
            self._refuse_unclosed()
        if at + 1 < len(self.words):
            raise self.error(
                at + 1, "text after the end of the definition", "Remove it, or the `)` too many before it."
            )
        if not spans:
            raise self.error(at, "the definition is empty", "Write `(define (domain NAME) ...)`.")
        return spans

    def _refuse_unclosed(self) -> NoReturn:
        """Sections stand directly below `define`, so one that opens inside another shows where a `)` is missing."""
        opened: list[int] = []
        for at, word in enumerate(self.words):
            if word == "(":
                outer = self.words[opened[1] + 1] if len(opened) > 1 else ""
                inner = self.words[at + 1] if at + 1 < len(self.words) else ""
                if outer.startswith(":") and inner.startswith(":"):
                    line = self.error(opened[1], "", "").line
                    problem = f"`({inner}` opens inside `({outer}` of line {line}"
                    raise self.error(at, problem, f"A `)` is missing before it, in `({outer}`.")
                opened.append(at)
            elif word == ")":
                opened.pop()
        raise self.error(opened[-1], "this parenthesis is never closed", "Add the missing `)`.")


def read_text(path: str | PathLike[str]) -> str:
    """Read UTF-8, or else Latin-1, as in old files. Only comments may have characters beyond ASCII."""
    content = read_bytes(path)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _words(text: str, start: int, last: int) -> list[str]:
    words: list[str] = []
    while start < last:
        blank = BLANK.search(text, start + CHUNK, last)
        end = blank.start() if blank else last
        words += WORD.findall(text[start:end].lower())
        start = end
    return words
