"""The paper's Table 3, cell by cell: our policies beside the paper's for the same network and values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from liftq.evaluation.paper import ENOUGH, VALUES, Score, Verdict, bounds, paper, scores, theirs, values_of, verdict
from liftq.evaluation.result import Results
from liftq.evaluation.scaling.reading import Reading, readings_of
from liftq.reports.page.charts import VERDICTS, beside_chart
from liftq.reports.page.document import Block, Cell, Column, Fact, Figure, Key, Section, Table, Text, folded, runs_of

REGULARIZED = ("Q explicit", "Q heuristic")
SUMMARY = (
    "SCov, the sum of coverages over sizes, of policies trained by the paper's recipes (coloured), beside the paper's "
    "(ticks): by network, by what is learned, and by domain."
)
EXPLANATION = (
    f"A cell is reached if its SCov is at least {ENOUGH:.0%} of the paper's even at the lower end of its 90 % interval "
    "(that of drawing problems), behind if it is less even at the upper end, and undecided otherwise. A size left out "
    "counts as unsolved for the lower end and like the better of its neighbours for the upper one, unless both are "
    "always solved, or both never. The intervals do not cover the choice of seeds for training. A size counts as seen "
    "if it has so few problems that some of those played were seen in training."
)


@dataclass(frozen=True)
class StudyCell:
    """One policy of a study, for which the paper has a figure."""

    reading: Reading
    papers: Score

    @property
    def place(self) -> tuple[str, str, str]:
        """Network, domain and values."""
        return str(self.reading.settings["architecture"]), self.reading.domain, values_of(self.reading)

    @property
    def scov(self) -> float:
        return self.reading.curve.scov

    @cached_property
    def verdict(self) -> Verdict:
        return verdict(self.reading, self.papers)


def section(results: Results) -> Section | None:
    """Compares the policies that a study has trained."""
    cells = cells_of(results)
    if not cells:
        return None
    runs = runs_of(record for cell in cells for record in cell.reading.records)
    blocks: list[Block] = [Text(SUMMARY), Key(VERDICTS), *_figures(cells), _side_by_side(cells, runs)]
    blocks += [Text(EXPLANATION), folded(_in_full(cells, runs))]
    return Section("The paper's main table", tuple(blocks), (*_facts(cells), *_claims(cells)))


def cells_of(results: Results) -> list[StudyCell]:
    """In the paper's order."""
    networks, kinds = _networks(), list(VALUES.values())

    def rank(cell: StudyCell) -> tuple[int, str, int]:
        network, domain, values = cell.place
        return networks.index(network), domain, kinds.index(values)

    found = (StudyCell(reading, papers) for reading in readings_of(results) if (papers := theirs(reading)))
    return sorted((cell for cell in found if cell.reading.curve.coverages), key=rank)


def _networks() -> list[str]:
    return list(next(iter(paper()["scaling"]["figures"].values())))


def _figures(cells: Sequence[StudyCell]) -> Iterator[Figure]:
    most = max(max(cell.scov, cell.papers["scov"]) for cell in cells)
    for network in _networks():
        for values in VALUES.values():
            drawn = [
                cell
                for cell in cells
                if cell.reading.is_finished and (cell.place[0], cell.place[2]) == (network, values)
            ]
            rows = [
                {"domain": cell.place[1], "ours": cell.scov, "paper": cell.papers["scov"], "verdict": str(cell.verdict)}
                for cell in drawn
            ]
            if rows:
                runs = runs_of(record for cell in drawn for record in cell.reading.records)
                yield Figure(
                    f"SCov: {network}, {values}", beside_chart(rows, "SCov", most), runs, f"{network}, {values}"
                )


def _side_by_side(cells: Sequence[StudyCell], runs: frozenset[str]) -> Table:
    """A table like the paper's: a row for each network and domain."""
    by_place = {cell.place: cell for cell in cells if cell.reading.is_finished}
    rows = []
    for network, domain in dict.fromkeys(place[:2] for place in by_place):
        row: list[Cell] = [network, domain]
        for values in VALUES.values():
            cell = by_place.get((network, domain, values))
            papers = scores(domain, network)[values]["scov"]
            row += [cell.scov if cell else None, papers, str(cell.verdict if cell else Verdict.UNDECIDED)]
        rows.append(tuple(row))
    titles = (("ours", 1), ("paper", 1), ("verdict", 0))
    columns = (Column(title, digits, values) for values in VALUES.values() for title, digits in titles)
    return Table("SCov beside the paper's", (Column("network"), Column("domain"), *columns), tuple(rows), runs)


def _facts(cells: Sequence[StudyCell]) -> Iterator[Fact]:
    counted = Counter(cell.verdict for cell in cells)
    every = sum(len(values) for networks in paper()["scaling"]["figures"].values() for values in networks.values())
    undecided = every - counted[Verdict.REACHED] - counted[Verdict.BEHIND]
    words = f"cells of the paper's main table reached, {counted[Verdict.BEHIND]} behind, {undecided} undecided"
    yield Fact(f"{counted[Verdict.REACHED]} of {every}", f"{words}, by its own recipes")


def _claims(cells: Sequence[StudyCell]) -> Iterator[Fact]:
    """Whether our table supports what the paper says about its own."""
    ours = {cell.place: cell.scov for cell in cells if cell.reading.is_finished}
    papers = {cell.place: cell.papers["scov"] for cell in cells if cell.reading.is_finished}
    for values, name in (("Q", "plain ones"), ("V", "state-values")):
        needed = (values, *REGULARIZED)
        places = [
            place for place in {place[:2] for place in ours} if all((*place, values) in ours for values in needed)
        ]
        better = [
            sum(max(scov[*place, values] for values in REGULARIZED) > scov[*place, values] for place in places)
            for scov in (ours, papers)
        ]
        if places:
            where = f"networks and domains in which regularized Q-values do better than {name}"
            yield Fact(f"{better[0]} of {len(places)}", f"{where}; in the paper {better[1]}")


def _in_full(cells: Sequence[StudyCell], runs: frozenset[str]) -> Table:
    titles = [Column("domain"), Column("recipe"), Column("values"), Column("Scale"), Column("SCov", 1), Column("±", 1)]
    titles += [Column("at least", 1), Column("at most", 1), Column("Scale", 0, "paper"), Column("SCov", 1, "paper")]
    rest = ("verdict", "epochs", "chosen epoch", "largest size seen", "sizes left out", "sizes seen")
    rows = sorted((_row(cell) for cell in cells), key=lambda row: (str(row[0]), str(row[1])))  # stable: values in order
    return Table("Cells of the main table", (*titles, *map(Column, rest)), tuple(rows), runs)


def _row(cell: StudyCell) -> tuple[Cell, ...]:
    curve, training, card = cell.reading.curve, cell.reading.settings["training"], cell.reading.settings["card"]
    ours = (cell.reading.domain, training["recipe"], cell.place[2], curve.scale, curve.scov, curve.scov_error)
    beside = (*bounds(curve), cell.papers["scale"], cell.papers["scov"], str(cell.verdict))
    seen = max(card.get("sizes", [0])) or None
    trained = (f"{training['epochs']} of {training['of']}", card.get("epoch"), seen)
    return (*ours, *beside, *trained, len(curve.left_out), len(cell.reading.sizes_seen))
