"""`liftq train`."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from liftq.errors import InputError
from liftq.recipe import Recipe, read_recipe

Domain = Annotated[
    str | None,
    typer.Argument(help="A bundled domain, a folder of problems or a Python file. Not needed with --recipe."),
]
RecipeFile = Annotated[Path | None, typer.Option("--recipe", help="A TOML file with these options and more.")]
Objectives = Annotated[
    list[str] | None,
    typer.Option("--objective", help="What to learn: state_value, q_value, q_explicit, q_heuristic, q_margin."),
]


def train(
    domain: Domain = None,
    recipe: RecipeFile = None,
    corpus: Annotated[str, typer.Option(help="Optimal plans, from liftq teach. Default: bundled.")] = "",
    encoder: Annotated[str, typer.Option(help="relational, object or object_atom.")] = "relational",
    objective: Objectives = None,
    goal_split: Annotated[bool, typer.Option(help="Tell goal atoms that hold from those that do not.")] = False,
    seeds: Annotated[int, typer.Option(min=1, help="Models per objective, trained together.")] = 3,
    epochs: Annotated[int, typer.Option(min=1, help="Times that each lesson is seen.")] = 100,
    largest_size: Annotated[int, typer.Option(min=0, help="Leave out larger problems; 0: none.")] = 0,
    layers: Annotated[int, typer.Option(min=1, help="Rounds of messages.")] = 30,
    workers: Annotated[int, typer.Option(min=1, help="Threads that validate beside the training.")] = 1,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto.")] = "auto",
    out: Annotated[Path | None, typer.Option(help="Folder of the run. Default: runs/DOMAIN.")] = None,
) -> None:
    """Train a policy from a corpus of optimal plans.

    Models of several seeds and objectives are trained together. Beside the training, each is validated by playing on
    ever larger problems; the best of each objective is kept as OBJECTIVE.safetensors in the run's folder. A run that
    was killed continues when the same command is given again.

    Example: liftq train ferry --objective q_heuristic --seeds 3 --out runs/ferry
    """
    made = _recipe(
        recipe,
        domain=domain,
        corpus=corpus,
        encoder=encoder,
        objectives=tuple(objective or ("q_heuristic",)),
        goal_split=goal_split,
        seeds=seeds,
        epochs=epochs,
        largest_size=largest_size,
        layers=layers,
        validation_workers=workers,
    )
    _run(made, out or Path("runs") / Path(made.domain).stem, device)


def _recipe(path: Path | None, domain: str | None, **options: object) -> Recipe:
    if path:
        recipe = read_recipe(path)
        return dataclasses.replace(recipe, domain=domain) if domain else recipe
    if not domain:
        raise InputError("no domain to train for\n  Name one, or give --recipe FILE.")
    return Recipe(domain, **options)  # type: ignore[arg-type]


def _run(recipe: Recipe, folder: Path, device: str) -> None:
    try:
        import torch
    except ImportError as error:
        raise InputError("training needs PyTorch\n  Install it with: pip install 'liftq[train]'") from error
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from liftq.training.loop import Epoch
    from liftq.training.run import Run

    chosen = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns) as bar:
        job = bar.add_task("preparing", total=recipe.epochs)
        best = 0.0
        loss = float("nan")
        for event in Run(folder, recipe).train(torch.device(chosen)):
            if isinstance(event, Epoch):
                loss = float(event.losses.min())
            else:
                best = max(best, event.score.total)
            done = event.number if isinstance(event, Epoch) else None
            bar.update(job, completed=done, description=f"loss {loss:.3f}, validation {best:.1f}")
    typer.echo(f"best validation score {best:.1f}; policies are in {folder}")
