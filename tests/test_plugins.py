"""The package of docs/plugins.md: one part for each open room, each in a file of its own, used from end to end."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from liftq.__main__ import main
from liftq.domains import DOMAINS
from liftq.encoders import ENCODERS
from liftq.encoders.relational import Relational
from liftq.engine.task import Task
from liftq.errors import InputError
from liftq.models import MODELS
from liftq.models.networks import network_of
from liftq.models.networks.batch import batch_of
from liftq.models.networks.weights import initial, views
from liftq.objectives import OBJECTIVES
from liftq.parts import Room
from liftq.parts.options import build
from liftq.policies.policy_file import PolicyFile, read_policy_file, save_policy
from liftq.problems.loading import load_domain
from liftq.reports import SECTIONS, sections
from liftq.teachers import TEACHERS
from liftq.training.recipes.recipe import read_recipe
from liftq.zoo import load_policy

MANUAL = (Path(__file__).parents[1] / "docs" / "plugins.md").read_text(encoding="utf-8")
ROOMS: list[Room[Any]] = [DOMAINS, ENCODERS, MODELS, OBJECTIVES, SECTIONS, TEACHERS]


def entry_points() -> dict[str, dict[str, str]]:
    (project,) = re.findall(r"```toml\n(.*?)```", MANUAL, re.DOTALL)
    found: dict[str, dict[str, str]] = tomllib.loads(project)["project"]["entry-points"]
    return found


@pytest.fixture
def garden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder to work in where the package can be imported, as if it were installed."""
    site = tmp_path / "site"
    for file, code in re.findall(r"```python\n# (garden/\w+\.py)\n(.*?)```", MANUAL, re.DOTALL):
        (site / file).parent.mkdir(parents=True, exist_ok=True)
        (site / file).write_text(code)
    install(site, "garden", entry_points())
    monkeypatch.syspath_prepend(site)
    monkeypatch.setenv("PYTHONPATH", str(site))  # of processes that are started
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for name in [name for name in sys.modules if name.split(".")[0] == "garden"]:
        del sys.modules[name]


def install(site: Path, name: str, groups: dict[str, dict[str, str]]) -> None:
    info = site / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines: list[str] = []
    for group, parts in groups.items():
        lines += [f"[{group}]", *(f"{part} = {reference}" for part, reference in parts.items())]
    (info / "entry_points.txt").write_text("\n".join(lines))


def liftq(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    monkeypatch.setattr(sys, "argv", ["liftq", *command.split()])
    with pytest.raises(SystemExit) as caught:
        main()
    assert not caught.value.code, command


@pytest.mark.parametrize("room", ROOMS, ids=[room.package for room in ROOMS])
def test_every_room_takes_a_part_of_one_file(room: Room[Any], garden: Path) -> None:
    ((name, reference),) = entry_points()[room.package].items()
    assert name in room and name in room.names() and name not in room.bundled()
    part = room.part(name)
    assert part is room.part(reference) and room.name_of(part) == name
    assert part.__module__ == reference.split(":")[0]


def test_from_the_first_problem_to_the_report(garden: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    liftq(monkeypatch, "generate lamps --size 6 --count 2 --out problems")
    liftq(monkeypatch, "teach lamps --teacher breadth_first --sizes 2-5 --per-size 3 --out plans.jsonl.zst")
    parts = "--encoder untyped --model forgetful --objective q_squared"
    liftq(monkeypatch, f"train lamps --corpus plans.jsonl.zst {parts} --epochs 1 --seeds 1 --layers 2 --out run")
    policy = read_policy_file("run/q_squared.safetensors")
    assert ENCODERS.name_of(type(policy.encoder)) == "untyped" and MODELS.name_of(type(policy.model)) == "forgetful"
    assert policy.card["objective"] == "q_squared"
    assert not [name for name in policy.weights if name.startswith("type")]
    liftq(monkeypatch, "solve problems/domain.pddl problems/p01.pddl --policy run/q_squared.safetensors --plan plan")
    assert Path("plan").read_text().startswith("(switch ")
    liftq(monkeypatch, "evaluate scaling run/q_squared.safetensors --domain lamps --sizes 2-3 --out results.jsonl")
    pytest.importorskip("altair")
    liftq(monkeypatch, "report results.jsonl --out report")
    assert "The slowest attempt" in Path("report/report.md").read_text()
    assert sections()[-2:] == ("endings", "origin") and "slowest" in sections()
    liftq(monkeypatch, "report results.jsonl --section garden.slowest:section --out short")
    assert "Where this comes from" not in Path("short/report.md").read_text()


def test_a_model_of_two_files_learns_and_acts(garden: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = load_domain("lamps")
    task = Task(source.domain, next(source.instances(6)).problem)
    choice, encoder = task.choice(task.initial_state), Relational()
    model = build(MODELS.part("forgetful"), "forgetful", {"width": 4, "layers": 2, "rate": 0.5})
    relations = encoder.relations(source.domain)
    layout = model.layout(relations, with_actions=True)
    in_torch = views(layout, initial(layout, [1]))
    batch = batch_of(encoder.encode([choice]))
    first, second = (network_of(model).values(in_torch, relations, batch) for _ in range(2))
    assert not torch.equal(first, second)  # as messages get lost
    weights = {name: weight[0].numpy() for name, weight in in_torch.items()}
    save_policy("forgetful.safetensors", PolicyFile(source.domain, encoder, model, weights))
    policy = load_policy("forgetful.safetensors")
    assert policy.policy_file.model == model
    assert np.array_equal(policy.values(choice), load_policy("forgetful.safetensors").values(choice))
    monkeypatch.setattr(sys, "path", [each for each in sys.path if each != str(garden / "site")])
    with pytest.raises(InputError, match="no model `forgetful`"):
        load_policy("forgetful.safetensors")


def test_bundled_names_cannot_be_taken_over(garden: Path) -> None:
    install(garden / "site", "weeds", {"liftq.encoders": {"relational": "garden.encoder:Untyped"}})
    assert ENCODERS.part("relational") is Relational
    assert ENCODERS.names().count("relational") == 1


RECIPE = """
domain = "lamps"
[encoder]
name = "garden.encoder:Untyped"
[model]
name = "forgetful"
rate = 0.3
[[objective]]
name = "garden.objective:QSquared"
"""


def test_recipes_name_parts_of_other_packages(garden: Path) -> None:
    Path("recipe.toml").write_text(RECIPE)
    recipe = read_recipe(Path("recipe.toml"))
    assert type(recipe.encoder) is ENCODERS.part("untyped")
    assert recipe.model == MODELS.part("forgetful")(rate=0.3)  # type: ignore[call-arg]
    assert recipe.objectives == (OBJECTIVES.part("q_squared")(),)
    Path("again.toml").write_text(recipe.dump())
    assert read_recipe(Path("again.toml")) == recipe
    Path("recipe.toml").write_text(RECIPE.replace("0.3", "3.0"))
    with pytest.raises(InputError, match=r"rate=3\.0 is not allowed"):
        read_recipe(Path("recipe.toml"))
