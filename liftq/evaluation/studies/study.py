"""A study as its folder describes it: recipes crossed with domains. A cell of its table is one objective of one recipe
in one domain."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from liftq.errors import InputError
from liftq.files import read_bytes
from liftq.objectives import OBJECTIVES, Objective
from liftq.training.recipes.options import recipe_with
from liftq.training.recipes.recipe import Recipe, read_tables

FILE = "study.toml"
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
        """Those of the domain that the recipe leaves open."""
        tables = read_tables(self.recipe_file(name)).values()
        said = {option for table in tables if isinstance(table, dict) for option in table}
        return {option: value for option, value in self.domains[domain].items() if option not in said}

    def recipe_file(self, name: str) -> Path:
        return self.folder / f"{name}.toml"

    def restricted(
        self, recipes: Collection[str] = (), domains: Collection[str] = (), objectives: Collection[str] = ()
    ) -> Study:
        """To those named; to all where none is."""
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
        """The folder of its training; Q-values and state-values are trained apart, as they learn from other graphs."""
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
