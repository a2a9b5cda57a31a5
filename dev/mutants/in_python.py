"""Mutations of Python, from its syntax tree: comparisons, arithmetic, constants, conditions, results and calls."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from dev.mutants.change import Change

COMPARISONS = {
    ast.Lt: (r"<", "<="), ast.LtE: (r"<=", "<"), ast.Gt: (r">", ">="), ast.GtE: (r">=", ">"),
    ast.Eq: (r"==", "!="), ast.NotEq: (r"!=", "=="), ast.In: (r"\bin\b", "not in"), ast.NotIn: (r"\bnot\s+in\b", "in"),
    ast.Is: (r"\bis\b", "is not"), ast.IsNot: (r"\bis\s+not\b", "is"),
}  # fmt: skip
ARITHMETIC = {
    ast.Add: (r"\+", "-"), ast.Sub: (r"-", "+"), ast.Mult: (r"\*", "+"), ast.Div: (r"/", "*"),
    ast.FloorDiv: (r"//", "*"), ast.Mod: (r"%", "*"), ast.BitAnd: (r"&", "|"), ast.BitOr: (r"\|", "&"),
}  # fmt: skip
CONNECTIVES = {ast.And: (r"\band\b", "or"), ast.Or: (r"\bor\b", "and")}
# Messages, types and f-strings (whose positions Python 3.11 does not know) are no behaviour that tests should hold.
SKIPPED = (ast.Raise, ast.JoinedStr, ast.Import, ast.ImportFrom)
Operator = tuple[str, str]  # what to look for, and what takes its place


class Mutator:
    def __init__(self, file: str, source: bytes) -> None:
        self.file, self.source = file, source
        self._line_starts = [0, *(match.end() for match in re.finditer(b"\n", source))]

    def changes(self) -> Iterator[Change]:
        yield from self._within(ast.parse(self.source), in_function=False)

    def _within(self, node: ast.AST, in_function: bool) -> Iterator[Change]:
        if isinstance(node, SKIPPED) or _is_for_type_checkers(node):
            return
        if in_function or isinstance(node, ast.Constant):
            yield from self._of(node)
        for name, field in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list"):
                continue
            for child in field if isinstance(field, list) else [field]:
                if isinstance(child, ast.AST):
                    yield from self._within(child, in_function or isinstance(node, ast.FunctionDef | ast.Lambda))

    def _of(self, node: ast.AST) -> Iterator[Change]:
        match node:
            case ast.Compare(left, operators, comparators):
                for operator, (before, after) in zip(operators, pairwise([left, *comparators]), strict=True):
                    yield self._between(before, after, COMPARISONS[type(operator)])
            case ast.BoolOp(operator, values):
                for before, after in pairwise(values):
                    yield self._between(before, after, CONNECTIVES[type(operator)])
            case ast.BinOp(left, operator, right) if type(operator) in ARITHMETIC and not _is_text(left, right):
                yield self._between(left, right, ARITHMETIC[type(operator)])
            case ast.UnaryOp(operator) if isinstance(operator, ast.Not | ast.USub):
                word = "not" if isinstance(operator, ast.Not) else "-"
                yield self._change(self._start(node), self._start(node) + len(word), "")
            case ast.Constant(value) if (text := _other(value)) is not None:
                yield self._replaced(node, text)
            case ast.If(test) | ast.IfExp(test):
                yield self._negated(test)
            case ast.comprehension():
                yield from map(self._negated, node.ifs)
            case ast.Return(value) if value is not None and not isinstance(value, ast.Constant):
                yield self._replaced(value, "None")
            case ast.Expr(ast.Call()) | ast.Break():
                yield self._replaced(node, "pass")
            case ast.Continue():
                yield self._replaced(node, "break")

    def _between(self, left: ast.expr, right: ast.expr, operator: Operator) -> Change:
        first, last = self._end(left), self._start(right)
        found = re.compile(operator[0].encode()).search(self.source, first, last)
        assert found, f"{self.file}: no {operator[0]} in {self.source[first:last]!r}"
        return self._change(found.start(), found.end(), operator[1])

    def _negated(self, test: ast.expr) -> Change:
        text = self.source[self._start(test) : self._end(test)].decode()
        return self._replaced(test, f"(not ({text}))")

    def _replaced(self, node: ast.expr | ast.stmt, text: str) -> Change:
        return self._change(self._start(node), self._end(node), text)

    def _change(self, start: int, end: int, text: str) -> Change:
        return Change.of(self.file, self.source, start, end, text)

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._line_starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._line_starts[node.end_lineno - 1] + node.end_col_offset


def _is_for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _is_text(*operands: ast.expr) -> bool:
    return any(
        isinstance(each, ast.JoinedStr) or (isinstance(each, ast.Constant) and isinstance(each.value, str | bytes))
        for each in operands
    )


def _other(value: object) -> str | None:
    if isinstance(value, bool):
        return str(not value)
    return str(value + 1) if isinstance(value, int) else repr(2 * value or 1.0) if isinstance(value, float) else None
