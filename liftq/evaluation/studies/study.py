"""A study as its folder describes it: recipes crossed with domains. A cell of its table is one objective of one recipe
in one domain. Cells that read the same graphs train together."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from liftq.engine.watch import Countdown
from liftq.errors import InputError
from liftq.files import read_bytes
from liftq.objectives import OBJECTIVES, Objective
from liftq.training.log import Log
from liftq.training.recipes.options import recipe_with
from liftq.training.recipes.recipe import Recipe, read_tables

FILE = "study.toml"
SHARE = 2 / 3  # of limited time, for training steps; the rest is for validation and evaluation
CURE = "Name the recipes, and the domains with the options that each sets: [domains.ferry]."


@dataclass(frozen=True)
class Study:
    folder: Path  # with study.toml and its recipes
    results: Path  # the same folder, unless cells are filled anew elsewhere
    runs: Path  # where trainings are
    recipes: tuple[str, ...]
    domains: dict[str, dict[str, Any]]  # with the options that each sets, unless a recipe does
    corpora: Path  # DOMAIN.jsonl.zst in this folder are learned from instead of the bundled ones
    objectives: tuple[str, ...] = ()  # all of the recipes' if empty

    def recipe(self, name: str, domain: str) -> Recipe:
        corpus = self.corpora / f"{domain}.jsonl.zst"
        named = {"corpus": str(corpus)} if corpus.exists() else {}
        options = {"domain": domain, **named, **self.options(name, domain)}
        return recipe_with(options, read_tables(self.recipe_file(name)))

    def options(self, name: str, domain: str) -> dict[str, Any]:
        """The domain's options that the recipe does not set."""
        tables = read_tables(self.recipe_file(name)).values()
        chosen = {option for table in tables if isinstance(table, dict) for option in table}
        return {option: value for option, value in self.domains[domain].items() if option not in chosen}

    def recipe_file(self, name: str) -> Path:
        return self.folder / f"{name}.toml"

    def restricted(
        self, recipes: Collection[str] = (), domains: Collection[str] = (), objectives: Collection[str] = ()
    ) -> Study:
        """Restricted to these names; an empty collection means all."""
        learned = dict.fromkeys(cell.name for cell in self.cells()) if objectives else ()
        for chosen, known in ((recipes, self.recipes), (domains, self.domains), (objectives, learned)):
            if unknown := [each for each in chosen if each not in known]:
                raise InputError(f"{self.folder}: there is no {unknown[0]}\n  There are {', '.join(known)}.")
        kept = {name: options for name, options in self.domains.items() if not domains or name in domains}
        names = tuple(name for name in self.recipes if not recipes or name in recipes)
        return replace(self, recipes=names, domains=kept, objectives=tuple(objectives))

    def cells(self) -> Iterator[Cell]:
        for recipe in self.recipes:
            for domain in self.domains:
                for objective in self.recipe(recipe, domain).objectives:
                    cell = Cell(self, recipe, domain, objective)
                    if not self.objectives or cell.name in self.objectives:
                        yield cell


@dataclass(frozen=True)
class Cell:
    study: Study = field(repr=False, compare=False)
    recipe: str
    domain: str
    objective: Objective

    @property
    def name(self) -> str:
        return OBJECTIVES.name_of(type(self.objective))

    @property
    def run(self) -> Path:
        """The folder of its training. Q-values and state-values are trained separately, as their graphs differ."""
        return self.study.runs / self.recipe / self.domain / ("q" if self.objective.with_actions else "v")

    @property
    def policy(self) -> Path:
        return self.run / f"{self.name}.safetensors"

    @property
    def results(self) -> Path:
        return self.study.results / self.recipe / f"{self.domain}.jsonl"

    def __str__(self) -> str:
        return f"{self.recipe} {self.domain} {self.name}"


def read_study(folder: Path, runs: Path, corpora: Path | None = None, results: Path | None = None) -> Study:
    path = folder / FILE
    try:
        tables = tomllib.loads(read_bytes(path).decode())
        recipes, domains = tuple(tables["recipes"]), dict(tables["domains"])
    except (InputError, ValueError, RecursionError, KeyError, TypeError) as error:
        raise InputError(f"{path}: not a study: {error}\n  {CURE}") from error
    if not all(isinstance(each, str) for each in recipes) or not all(
        isinstance(each, dict) for each in domains.values()
    ):
        raise InputError(f"{path}: not a study\n  {CURE}")
    return Study(folder, results or folder, runs, recipes, domains, corpora or folder / "corpora")


@dataclass(frozen=True)
class Training:
    cells: tuple[Cell, ...]

    @property
    def folder(self) -> Path:
        return self.cells[0].run

    @property
    def log(self) -> Log:
        return Log(self.folder / "log.jsonl")

    @property
    def recipe(self) -> Recipe:
        """With the objectives of these cells alone."""
        whole = self.cells[0].study.recipe(self.cells[0].recipe, self.cells[0].domain)
        return replace(whole, objectives=tuple(cell.objective for cell in self.cells))

    def recipe_for(self, seconds: float | None) -> Recipe:
        """With `seconds` on top of those of earlier calls; None: without a limit."""
        recipe = self.recipe
        if seconds is None:
            return recipe
        return replace(recipe, training=replace(recipe.training, seconds=round(self.seconds_done + SHARE * seconds, 1)))

    @property
    def epochs(self) -> int:
        """How many the recipe asks for."""
        return self.recipe.training.epochs

    @property
    def epochs_done(self) -> int:
        return max((line["epoch"] for line in self._epochs()), default=0)

    @property
    def seconds_done(self) -> float:
        return max((line["seconds"] for line in self._epochs()), default=0.0)

    @property
    def finished(self) -> bool:
        """Whether it is trained to the end, and nothing waits for validation."""
        waiting = any((self.folder / "waiting").glob("*.safetensors"))
        return self.epochs_done >= self.epochs and not waiting and all(cell.policy.exists() for cell in self.cells)

    def _epochs(self) -> list[dict[str, Any]]:
        return [line for line in self.log.lines() if "epoch" in line]

    def __str__(self) -> str:
        return f"{self.cells[0].recipe} {self.cells[0].domain} {', '.join(cell.name for cell in self.cells)}"


def trainings(study: Study) -> list[Training]:
    by_folder: dict[Path, list[Cell]] = {}
    for cell in study.cells():
        by_folder.setdefault(cell.run, []).append(cell)
    return [Training(tuple(cells)) for cells in by_folder.values()]


def with_shares(trainings: Sequence[Training], countdown: Countdown) -> Iterator[tuple[Training, float | None]]:
    """Each with its seconds, if time is limited. Time that one leaves unused goes to those after it."""
    for number, training in enumerate(trainings):
        left = countdown.left.seconds
        yield training, None if left is None else left / (len(trainings) - number)
