"""The tables of results/paper/README.md: the paper's cells, and what explains them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from dev.tables.markdown import written
from dev.tables.seen import played
from dev.tables.validations import Score, by_part, kept_scores
from liftq.engine.solver import Ending
from liftq.evaluation.ledger import packed_and_plain
from liftq.evaluation.paper import ENOUGH, VALUES, Verdict, theirs, values_of, verdict
from liftq.evaluation.result import Invocation, Results
from liftq.evaluation.scaling.curve import Stop
from liftq.evaluation.scaling.reading import Reading, readings_of
from liftq.evaluation.studies.study import read_study
from liftq.reports.cells import section as cells_section
from liftq.reports.gaps import section as gap_section
from liftq.reports.page.document import Section, Table, flat

PAPER, ABLATION = (Path(__file__).parents[2] / "results" / name for name in ("paper", "ablation"))
NONE = "-"
NETWORKS = ("R-GNN", "OE", "OAE")


def claims() -> str:
    """How many cells are reached, and how often the paper's claims hold."""
    return "\n".join(f"- {fact.figure} {fact.meaning}." for fact in _section().facts)


def verdicts() -> str:
    """Cells by network and values."""
    counts: dict[tuple[str, str], Counter[Verdict]] = {}
    for reading in readings_of(_results()):
        if cell := theirs(reading):
            place = (reading.headers[-1].settings["architecture"], values_of(reading))
            counts.setdefault(place, Counter())[verdict(reading, cell)] += 1
    rows = [["network", *VALUES.values()]]
    for network in NETWORKS:
        of_network = [counts[network, values] for values in VALUES.values()]
        rows.append([network, *(", ".join(f"{each[v]} {v}" for v in Verdict if each[v]) for each in of_network)])
    return written(rows)


def cells() -> str:
    """The paper's main table, as far as it is filled."""
    return "\n\n".join(_markdown(block) for block in flat(_section().blocks) if isinstance(block, Table))


def _section() -> Section:
    section = cells_section(_results())
    assert section is not None, "no cell has been evaluated"
    return section


@cache
def _results() -> Results:
    recipes = read_study(PAPER, Path("runs")).recipes
    return Results.read(sorted(file for recipe in recipes for file in (PAPER / recipe).glob("*.jsonl*")))


def gaps() -> str:
    """The paper's Table 2, over the domains that are measured."""
    section = gap_section(_results())
    assert section is not None, "no gaps have been measured"
    table = next(block for block in section.blocks if isinstance(block, Table) and block.title == "Means over domains")
    return _markdown(table)


def _markdown(table: Table) -> str:
    return written([[column.full_title for column in table.columns], *table.shown()])


def pace() -> str:
    """How fast the trainings were whose policies are in the table of cells."""
    headers = [each.settings for each in _results().of(Invocation)]
    paces = {
        (training["recipe"], each["domain"], "V" if each["card"]["objective"] == "state_value" else "Q"): training
        for each in headers
        if (training := each.get("training")) and "model_step_ms" in training
    }
    rows = [["recipe", "domain", "values", "epochs", "ms per model and step", "time in steps"]]
    for key, training in sorted(paces.items()):
        epochs, speed = f"{training['epochs']} of {training['of']}", f"{training['model_step_ms']:.1f}"
        rows.append([*key, epochs, speed, f"{training['working']:.0%}"])
    return written(rows)


def learning() -> str:
    """How validation went on where a cell has less SCov than is enough: whether it still rose when the time was up."""
    rows = [["domain", "recipe", "values", "a quarter", "half", "three quarters", "all", "of epochs"]]
    scores = kept_scores()
    for reading in readings_of(_results()):
        training, card = reading.headers[-1].settings["training"], reading.headers[-1].settings["card"]
        cell = (training["recipe"], reading.domain, card["objective"])
        enough = ENOUGH * (theirs(reading) or {"scov": 0.0})["scov"]
        if reading.curve.scov < enough and (validated := [each for each in scores if each[:3] == cell]):
            means = [f"{mean:.1f}" for mean in by_part(validated, 4)]
            rows.append(
                [
                    reading.domain,
                    training["recipe"],
                    VALUES[cell[2]],
                    *means,
                    str(max(each.epoch for each in validated)),
                ]
            )
    return written(sorted(rows[1:]), rows[0])


def finals() -> str:
    """What the best few of a training scored in validation, by few problems, and what by others and more of them."""
    finalists: dict[tuple[str, ...], list[Score]] = {}
    for each in kept_scores():
        if each.final is not None:
            finalists.setdefault((each.domain, each.recipe, VALUES[each.objective]), []).append(each)
    rows = [["domain", "recipe", "values", "finalists", "in validation", "in the finals"]]
    for cell, scores in sorted(finalists.items()):
        spans = [_span([each.score for each in scores]), _span([each.final or 0.0 for each in scores])]
        rows.append([*cell, str(len(scores)), *spans])
    return written(rows)


def _span(numbers: Sequence[float]) -> str:
    return f"{min(numbers):.1f} to {max(numbers):.1f}"


def endings() -> str:
    """How plays ended in floortile that did not end well. Later ones are given up before they come to their end."""
    rows = [["recipe", "values", "plays", "solved", "no way on", "too many steps"]]
    for recipe in ("rgnn",):
        for reading in readings_of(Results.read(packed_and_plain(PAPER / recipe / "floortile.jsonl"))):
            counted = Counter(each.ending for each in played(reading))
            ends = [counted[each] for each in (Ending.SOLVED, Ending.NO_UNVISITED_SUCCESSOR, Ending.STEP_LIMIT)]
            values = VALUES[reading.headers[-1].settings["card"]["objective"]]
            rows.append([recipe, values, *map(str, (counted.total(), *ends))])
    return written(rows)


def ablation() -> str:
    """SCov by recipe and domain."""
    study = read_study(ABLATION, Path("runs"))
    titles = ("Scale", "SCov", "epochs")
    rows = [["recipe", *(f"{domain}: {title}" for domain in study.domains for title in titles)]]
    for recipe in study.recipes:
        row = [recipe]
        for domain in study.domains:
            readings = readings_of(Results.read(packed_and_plain(ABLATION / recipe / f"{domain}.jsonl")))
            row += _shown(readings[-1]) if readings else [NONE] * len(titles)
        rows.append(row)
    return written(rows)


def _shown(reading: Reading) -> list[str]:
    curve, training = reading.curve, reading.headers[-1].settings["training"]
    ended = "" if curve.stop is not Stop.UNFINISHED else " (unfinished)"
    return [f"{curve.scale}{ended}", f"{curve.scov:.1f} ± {curve.scov_error:.1f}", str(training["epochs"])]


PARTS = (claims, verdicts, cells, ablation, learning, finals, endings, gaps, pace)
