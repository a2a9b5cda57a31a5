"""The paper's Table 3, cell by cell: policies trained here, each beside the paper's for the same network and values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from liftq.evaluation.paper import ENOUGH, VALUES, Verdict, bounds, paper, theirs, values_of, verdict
from liftq.evaluation.result import Results
from liftq.evaluation.scaling.curve import Stop
from liftq.evaluation.scaling.reading import Reading, readings_of
from liftq.reports.page.document import Cell, Column, Fact, Section, Table, Text, runs_of

REGULARIZED = ("Q explicit", "Q heuristic")
SUMMARY = (
    "SCov, the sum of coverages over sizes, of policies trained by the paper's recipes, beside the paper's: by "
    "network, domain and what is learned. The table below has the errors, and all else about each cell."
)
EXPLANATION = (
    f"A cell is reached if its SCov is at least {ENOUGH:.0%} of the paper's even at the lower end of its 90 % interval "
    "(that of drawing problems), behind if it is less even at the upper end, and undecided otherwise. A size left out "
    "counts as unsolved for the lower end and like the better of its neighbours for the upper one, unless both are "
    "always solved, or both never. Other seeds would give other policies, which no interval covers. Sizes of which the "
    "policy had seen some of the problems played, for want of others, are counted as seen."
)


def section(results: Results) -> Section | None:
    """Of policies that a study has trained."""
    found = [each for each in readings_of(results) if theirs(each) is not None and each.curve.coverages]
    if not found:
        return None
    rows = sorted(map(_row, found), key=lambda row: (str(row[0]), str(row[1]), _order(row[2])))
    runs = runs_of(record for each in found for record in each.records)
    titles = [Column("domain"), Column("recipe"), Column("values"), Column("Scale"), Column("SCov", 1), Column("±", 1)]
    titles += [Column("at least", 1), Column("at most", 1)]
    titles += [Column("Scale", 0, "paper"), Column("SCov", 1, "paper"), Column("verdict")]
    titles += [
        Column("epochs"),
        Column("chosen epoch"),
        Column("largest size seen"),
        Column("sizes left out"),
        Column("sizes seen"),
    ]
    table = Table("Cells of the main table", tuple(titles), tuple(rows), runs, folded=True)
    blocks = (Text(SUMMARY), _side_by_side(found, runs), Text(EXPLANATION), table)
    return Section("The paper's main table", blocks, (*_facts(found), *_claims(found)))


def _side_by_side(found: Sequence[Reading], runs: frozenset[str]) -> Table:
    """As in the paper: a row for each network and domain, with all that was learned there."""
    by_cell = {_place(each): each for each in found if each.curve.stop is not Stop.UNFINISHED}
    rows = []
    for network, domain in sorted({place[:2] for place in by_cell}, key=lambda place: (_rank(place[0]), place[1])):
        row: list[Cell] = [network, domain]
        for values in VALUES.values():
            reading = by_cell.get((network, domain, values))
            cell = paper()["scaling"]["figures"][domain][network][values]
            row += [reading.curve.scov if reading else None, cell["scov"], str(verdict(reading, cell))]
        rows.append(tuple(row))
    titles = (("ours", 1), ("paper", 1), ("verdict", 0))
    told = (Column(title, digits, values) for values in VALUES.values() for title, digits in titles)
    return Table("SCov beside the paper's", (Column("network"), Column("domain"), *told), tuple(rows), runs)


def _facts(found: Sequence[Reading]) -> tuple[Fact, ...]:
    counted = Counter(verdict(each, cell) for each in found if (cell := theirs(each)))
    cells = sum(len(values) for networks in paper()["scaling"]["figures"].values() for values in networks.values())
    undecided = cells - counted[Verdict.REACHED] - counted[Verdict.BEHIND]
    meaning = f"cells of the paper's main table reached, {counted[Verdict.BEHIND]} behind, {undecided} undecided"
    return (Fact(f"{counted[Verdict.REACHED]} of {cells}", meaning),)


def _claims(found: Sequence[Reading]) -> Iterator[Fact]:
    """What the paper says of its table: whether ours says so too, wherever it can tell."""
    finished = [each for each in found if each.curve.stop is not Stop.UNFINISHED]
    ours = {_place(each): each.curve.scov for each in finished}
    figures = paper()["scaling"]["figures"]
    papers = {place: figures[place[1]][place[0]][place[2]]["scov"] for place in ours}
    for values, name in (("Q", "plain ones"), ("V", "state-values")):
        needed = (values, *REGULARIZED)
        places = [place for place in {each[:2] for each in ours} if all((*place, each) in ours for each in needed)]
        better = [
            sum(max(scov[*place, each] for each in REGULARIZED) > scov[*place, values] for place in places)
            for scov in (ours, papers)
        ]
        if places:
            where = f"networks and domains in which regularized Q-values do better than {name} (SCov)"
            yield Fact(f"{better[0]} of {len(places)}", f"{where}; in the paper {better[1]} of these")


def _place(reading: Reading) -> tuple[str, str, str]:
    return str(reading.headers[-1].settings["architecture"]), reading.domain, values_of(reading)


def _rank(network: str) -> int:
    """In the paper's order."""
    return list(next(iter(paper()["scaling"]["figures"].values()))).index(network)


def _row(reading: Reading) -> tuple[Cell, ...]:
    curve, cell, settings = reading.curve, theirs(reading) or {}, reading.headers[-1].settings
    training, card = settings["training"], settings["card"]
    ours: tuple[Cell, ...] = (reading.domain, training["recipe"], values_of(reading), curve.scale, curve.scov)
    beside = (*bounds(curve), cell["scale"], cell["scov"], str(verdict(reading, cell)))
    trained = (_epochs(settings), card.get("epoch"), max(card.get("sizes", [0])) or None)
    return (*ours, curve.scov_error, *beside, *trained, len(curve.left_out), len(reading.sizes_seen))


def _epochs(settings: dict[str, Any]) -> str:
    """Trained, of those that the recipe asks for; the policy is that of an epoch among them, the best in validation."""
    return f"{settings['training']['epochs']} of {settings['training']['of']}"


def _order(values: Cell) -> int:
    return list(VALUES.values()).index(str(values))
