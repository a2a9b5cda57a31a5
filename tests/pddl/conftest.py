"""How the tests of errors mark, in a text, the place that the error must name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from liftq.pddl import PDDLError

HERE = "@"


@pytest.fixture(scope="session")
def refused() -> Callable[[Callable[[str], object], str, str], None]:
    def check(parse: Callable[[str], object], marked: str, says: str) -> None:
        before, mark, after = marked.partition(HERE)
        assert mark, "the text must mark the place"
        lines = before.split("\n")
        with pytest.raises(PDDLError) as caught:
            parse(before + after)
        error = caught.value
        assert (error.line, error.column) == (len(lines), len(lines[-1]) + 1), str(error)
        assert says.lower() in str(error).lower()
        assert error.problem and error.fix
        assert str(error).startswith(f"{error.file}:{error.line}:{error.column}: ")

    return check
