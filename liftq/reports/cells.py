"""The paper's Table 3, cell by cell: policies trained here, each beside the paper's for the same network and values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import Any

from liftq.evaluation.result import Results
from liftq.evaluation.scaling.curve import Stop
from liftq.evaluation.scaling.interval import HALF_WIDTH
from liftq.evaluation.scaling.reading import Reading, readings_of
from liftq.reports import paper
from liftq.reports.page.document import Cell, Column, Fact, Section, Table, Text, runs_of

VALUES = {"state_value": "V", "q_value": "Q", "q_explicit": "Q explicit", "q_heuristic": "Q heuristic"}
REGULARIZED = ("Q explicit", "Q heuristic")
AHEAD, EQUAL, BEHIND = "ahead", "equal", "behind"
SUMMARY = (
    "SCov, the sum of coverages over sizes, of policies trained by the paper's recipes, beside the paper's: by "
    "network, domain and what is learned. Ours is equal where the difference is within the errors. The table below "
    "has the errors, and all else about each cell."
)
EXPLANATION = (
    "Errors are half of the 90 % interval of SCov, from drawing problems. The paper gives none; by its protocol each "
    f"coverage is within {HALF_WIDTH:g} with 90 %, so its SCov is taken to be within {HALF_WIDTH:g} times the root of "
    "the number of sizes up to its Scale. Ours is ahead or behind where the difference exceeds both errors together "
    "and what interpolating may be off by (for a size left out, half of the change from one side to the other). "
    "Other seeds would give other policies, which no error tells. Sizes left out are interpolated; sizes of which the "
    "policy had seen some of the problems played, for want of others, are counted as seen."
)


def section(results: Results) -> Section | None:
    """Of policies that a study has trained."""
    found = [each for each in readings_of(results) if _theirs(each) is not None and each.curve.coverages]
    if not found:
        return None
    rows = sorted(map(_row, found), key=lambda row: (str(row[0]), str(row[1]), _order(row[2])))
    runs = runs_of(record for each in found for record in each.records)
    titles = [Column("domain"), Column("recipe"), Column("values"), Column("Scale"), Column("SCov", 1), Column("±", 1)]
    titles += [Column("by sizes left out", 1, "±")]
    titles += [Column("Scale", 0, "paper"), Column("SCov", 1, "paper"), Column("ours is")]
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
    by_cell = {_place(each): each for each in found if verdict(each)}
    rows = []
    for network, domain in sorted({place[:2] for place in by_cell}, key=lambda place: (_rank(place[0]), place[1])):
        row: list[Cell] = [network, domain]
        for values in VALUES.values():
            reading = by_cell.get((network, domain, values))
            theirs = paper()["scaling"]["figures"][domain][network][values]["scov"]
            row += [reading.curve.scov, theirs, verdict(reading)] if reading else [None, theirs, None]
        rows.append(tuple(row))
    titles = (("ours", 1), ("paper", 1), ("ours is", 0))
    told = (Column(title, digits, values) for values in VALUES.values() for title, digits in titles)
    return Table("SCov beside the paper's", (Column("network"), Column("domain"), *told), tuple(rows), runs)


def verdict(reading: Reading) -> str | None:
    theirs = _theirs(reading)
    return compared(reading, theirs) if theirs is not None and reading.curve.stop is not Stop.UNFINISHED else None


def compared(reading: Reading, theirs: Mapping[str, float]) -> str:
    """With a cell of the paper's table."""
    sizes = [size for size in reading.all_sizes if size <= theirs["scale"]]
    error = sqrt(reading.curve.scov_error**2 + HALF_WIDTH**2 * len(sizes)) + reading.curve.gap_error
    difference = reading.curve.scov - theirs["scov"]
    return EQUAL if abs(difference) <= error else AHEAD if difference > 0 else BEHIND


def _facts(found: list[Reading]) -> tuple[Fact, ...]:
    counted = Counter(verdict(each) for each in found)
    cells = sum(len(values) for networks in paper()["scaling"]["figures"].values() for values in networks.values())
    told = f"{counted[AHEAD]} ahead, {counted[EQUAL]} equal within the error, {counted[BEHIND]} behind"
    done = sum(counted[name] for name in (AHEAD, EQUAL, BEHIND))
    return (Fact(f"{done} of {cells}", f"cells of the paper's main table measured: {told}"),)


def _claims(found: Sequence[Reading]) -> Iterator[Fact]:
    """What the paper says of its table: whether ours says so too, wherever it can tell."""
    ours = {_place(each): each.curve.scov for each in found if verdict(each)}
    figures = paper()["scaling"]["figures"]
    theirs = {place: figures[place[1]][place[0]][place[2]]["scov"] for place in ours}
    for values, name in (("Q", "plain ones"), ("V", "state-values")):
        needed = (values, *REGULARIZED)
        places = [place for place in {each[:2] for each in ours} if all((*place, each) in ours for each in needed)]
        better = [
            sum(max(scov[*place, each] for each in REGULARIZED) > scov[*place, values] for place in places)
            for scov in (ours, theirs)
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
    curve, theirs, settings = reading.curve, _theirs(reading) or {}, reading.headers[-1].settings
    recipe = settings["training"]["recipe"]
    ours: tuple[Cell, ...] = (reading.domain, recipe, values_of(reading), curve.scale, curve.scov)
    seen = max(settings["card"].get("sizes", [0])) or None
    rest = (theirs["scale"], theirs["scov"], verdict(reading), _epochs(settings), settings["card"].get("epoch"), seen)
    return (*ours, curve.scov_error, curve.gap_error, *rest, len(curve.left_out), len(reading.sizes_seen))


def _epochs(settings: dict[str, Any]) -> str:
    """Trained, of those that the recipe asks for; the policy is that of an epoch among them, the best in validation."""
    return f"{settings['training']['epochs']} of {settings['training']['of']}"


def values_of(reading: Reading) -> str:
    """What was learned by a training that the headers tell of; empty if there is none."""
    settings = reading.headers[-1].settings if reading.headers else {}
    return VALUES.get(str(settings["card"].get("objective")), "") if settings.get("training") else ""


def _theirs(reading: Reading) -> dict[str, float] | None:
    settings = reading.headers[-1].settings if reading.headers else {}
    if not settings.get("training") or not settings.get("card"):
        return None
    networks = paper()["scaling"]["figures"].get(reading.domain, {})
    found: dict[str, float] | None = networks.get(settings["architecture"], {}).get(values_of(reading))
    return found


def _order(values: Cell) -> int:
    return list(VALUES.values()).index(str(values))
