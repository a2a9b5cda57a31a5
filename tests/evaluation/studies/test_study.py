"""What a study's folder says there is to fill."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from liftq.domains import DOMAINS
from liftq.errors import InputError
from liftq.evaluation.studies.study import Study, read_study
from liftq.training.recipes.recipe import flatten

ROOT = Path(__file__).parents[3]
PAPER = ROOT / "results" / "paper"


def test_cells(study: Study) -> None:
    cells = list(study.cells())
    assert len(cells) == 2 * 2 * 2
    assert str(cells[0]) == "small gripper state_value"
    assert cells[0].policy == study.runs / "small/gripper/v/state_value.safetensors"
    assert cells[1].policy == study.runs / "small/gripper/q/q_explicit.safetensors"
    assert cells[1].results == study.folder / "small/gripper.jsonl"
    assert study.recipe("plain", "ferry").training.largest_size == 4


def test_a_recipe_overrides_what_domains_set(study: Study) -> None:
    recipe = study.recipe_file("plain")
    recipe.write_text(recipe.read_text().replace("[training]", "[training]\nlargest_size = 0"))
    assert study.recipe("plain", "ferry").training.largest_size == 0
    assert study.recipe("small", "ferry").training.largest_size == 4
    assert study.options("plain", "ferry") == {}


def test_parts_of_a_study(study: Study) -> None:
    assert {str(cell) for cell in study.restricted(["plain"], ["ferry"]).cells()} == {
        "plain ferry state_value",
        "plain ferry q_explicit",
    }
    assert [str(cell) for cell in study.restricted(["plain"], ["ferry"], ["q_explicit"]).cells()] == [
        "plain ferry q_explicit"
    ]
    with pytest.raises(InputError, match="no visitall"):
        study.restricted([], ["visitall"])
    with pytest.raises(InputError, match="no q_margin\n  There are state_value, q_explicit"):
        study.restricted(objectives=["q_margin"])


def test_results_elsewhere_leave_those_of_the_study_alone(study: Study, tmp_path: Path) -> None:
    elsewhere = read_study(study.folder, tmp_path / "mine/runs", results=tmp_path / "mine")
    cell = next(elsewhere.cells())
    assert cell.results == tmp_path / "mine/small/gripper.jsonl" and cell.run == tmp_path / "mine/runs/small/gripper/v"
    assert elsewhere.recipe_file("small") == study.recipe_file("small")


def test_corpora_of_ones_own(study: Study, tmp_path: Path) -> None:
    (tmp_path / "ferry.jsonl.zst").write_bytes(b"")
    own = read_study(study.folder, study.runs, tmp_path)
    assert own.recipe("small", "ferry").corpus == str(tmp_path / "ferry.jsonl.zst")
    assert own.recipe("small", "gripper").corpus == ""


@pytest.mark.parametrize(
    "text", ["", "recipes = [1]\n[domains]\n", 'recipes = ["a"]\ndomains = 3', "=", "domains = {a = 1}"]
)
def test_files_that_are_no_study_are_rejected(tmp_path: Path, text: str) -> None:
    (tmp_path / "study.toml").write_text(text)
    with pytest.raises(InputError, match="not a study"):
        read_study(tmp_path, tmp_path)


def test_the_papers_study_is_the_papers() -> None:
    """Three architectures, ten domains, four objectives; the sizes, rates and epochs that it names."""
    study = read_study(PAPER, Path("runs"))
    assert len(list(study.cells())) == 120
    for cell in study.cells():
        recipe = study.recipe(cell.recipe, cell.domain)
        training = recipe.training
        assert DOMAINS.part(cell.domain).in_paper and training.largest_size == DOMAINS.part(cell.domain).taught_sizes[1]
        assert training.largest_size < DOMAINS.part(cell.domain).last_size
        assert cell.objective.learning_rate == (2e-4 if cell.name in ("state_value", "q_value") else 2e-3)
        assert (training.seeds, training.batch_size, training.whole_per_size) == (3, 256, 100)
        assert training.epochs >= 100  # as many updates as full corpora would have
        assert not (training.visited or training.cosine or recipe.encoder.goal_split or training.average > 1)
        assert recipe.validation.final_per_size == 8


def test_the_ablation_adds_one_thing_after_the_other() -> None:
    study = read_study(ROOT / "results" / "ablation", Path("runs"))
    assert {"blocksworld", "floortile", "logistics"} <= set(study.domains)
    for domain in study.domains:
        tables = [dict(flatten(study.recipe(name, domain).tables())) for name in study.recipes if name != "rate"]
        added = [
            {option for option, value in after.items() if before[option] != value} for before, after in pairwise(tables)
        ]
        assert added == [
            {"encoder.goal_split"},
            {"training.visited"},
            {"training.largest_size"},
            {"training.cosine", "training.average"},
        ]
    first = study.recipe("paper", "ferry" if "ferry" in study.domains else "blocksworld")
    assert first.objective_names == ["q_heuristic"] and first.training.whole_per_size == 100


def test_the_ablation_has_the_paper_s_state_values_at_a_higher_rate() -> None:
    paper, study = (read_study(ROOT / "results" / name, Path("runs")) for name in ("paper", "ablation"))
    for domain in study.domains:
        theirs, ours = paper.recipe("rgnn", domain), study.recipe("rate", domain)
        training = replace(theirs.training, epochs=ours.training.epochs)
        assert (ours.encoder, ours.model, ours.training) == (theirs.encoder, theirs.model, training)
        (values,) = ours.objectives
        assert values == replace(theirs.objectives[0], learning_rate=5 * theirs.objectives[0].learning_rate)
