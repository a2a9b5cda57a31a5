"""The sections of a definition by keyword, in any order."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from liftq.pddl.refusals import Feature, refuse
from liftq.pddl.source import Node, Source, Span
from liftq.pddl.suggestion import suggest


class Sections:
    def __init__(
        self,
        source: Source,
        spans: list[Span],
        known: Collection[str],
        unsupported: Mapping[str, Feature],  # by keyword
        repeatable: Collection[str],
    ) -> None:
        self.source = source
        self._sections: dict[str, list[Span]] = {keyword: [] for keyword in known}
        for section in spans:
            keyword, at = section.keyword
            if keyword in unsupported:
                raise refuse(source, at, unsupported[keyword])
            if keyword not in self._sections:
                raise source.error(at, f"unknown section `{keyword}`", suggest(keyword, known, "sections"))
            if self._sections[keyword] and keyword not in repeatable:
                raise source.error(at, f"a second `{keyword}` section", "Merge the two.")
            self._sections[keyword].append(section)

    def all(self, keyword: str) -> list[Span]:
        return self._sections[keyword]

    def body(self, keyword: str) -> list[Node]:
        """The content of a section that may occur once; empty if the file has none."""
        return [node for section in self._sections[keyword] for node in self.source.body(section)]

    def needed(self, keyword: str, example: str) -> Span:
        if not self._sections[keyword]:
            raise self.source.error(0, f"there is no `({keyword} ...)`", f"Add one: `{example}`.")
        return self._sections[keyword][0]
