"""Mutations of C++, from its tokens: clang-format has put spaces around binary operators, and only around these."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dev.mutants.change import Change

# What is not code to mutate: comments, text, preprocessor lines, template heads, and checks at compile time.
MASKED = re.compile(
    rb'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\''
    rb"|^\s*#[^\n]*|\btemplate <[^\n]*|\bstatic_assert\([^;]*;",
    re.DOTALL | re.MULTILINE,
)
SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
    "+": "-", "-": "+", "*": "+", "/": "*", "%": "*", "+=": "-=", "-=": "+=",
}  # fmt: skip
OPERATOR = re.compile(rb"(?<= )(?:" + b"|".join(re.escape(each).encode() for each in SWAPS) + rb")(?= |\n)")
WORDS = {"true": "false", "false": "true", "std::min": "std::max", "std::max": "std::min", "continue": "break"}
WORD = re.compile(rb"\b(?:" + "|".join(WORDS).encode() + rb")\b")
NUMBER = re.compile(rb"(?<![\w.'<])\d+(?![\w.'>])")
CONDITION = re.compile(rb"\bif \(")
CALL = re.compile(rb"^ +(?!return\b|throw\b|delete\b|using\b)[\w:.>\[\]-]+\([^;{}]*\);$", re.MULTILINE)


def changes(file: str, source: bytes) -> Iterator[Change]:
    code = MASKED.sub(lambda match: re.sub(rb"[^\n]", b"~", match[0]), source)

    def change(start: int, end: int, text: str) -> Change:
        return Change.of(file, source, start, end, text)

    for found in OPERATOR.finditer(code):
        yield change(*found.span(), SWAPS[found[0].decode()])
    for found in WORD.finditer(code):
        yield change(*found.span(), WORDS[found[0].decode()])
    for found in NUMBER.finditer(code):
        yield change(*found.span(), str(int(found[0]) + 1))
    for found in CALL.finditer(code):
        yield change(*found.span(), ";")
    for found in CONDITION.finditer(code):
        end = _closing(code, found.end())
        if b";" not in code[found.end() : end]:  # `if (auto x = f(); x)`
            yield change(found.end(), end, f"!({source[found.end() : end].decode()})")


def _closing(code: bytes, start: int) -> int:
    """Where the parenthesis opened just before `start` is closed."""
    depth = 1
    for place in range(start, len(code)):
        depth += {ord("("): 1, ord(")"): -1}.get(code[place], 0)
        if depth == 0:
            return place
    raise ValueError("a parenthesis is not closed")
