"""`liftq train`: train a policy from a corpus of optimal plans."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from liftq import pipeline
from liftq.commands.output import ReportingCommand, news, options_of, result, shows_progress
from liftq.commands.place import RayAddress, place
from liftq.commands.process import terminated_as_interrupted
from liftq.compute import StartCompute
from liftq.errors import plural
from liftq.parts.options import Option
from liftq.policies.policy_file import read_policy_file
from liftq.training.events import Begun, Epoch, Validated
from liftq.training.log import Log
from liftq.training.recipes.options import all_options, override
from liftq.training.recipes.recipe import Recipe, read_tables, recipe_of

FLAGS = "liftq.flags"  # their key in the context
EPILOG = "Example: liftq train ferry --recipe cpu --seeds 2 --out runs/ferry"
Domain = Annotated[
    str | None,
    typer.Argument(help="A bundled domain, a folder of problems, or a Python file. A recipe may name it instead."),
]
RecipeName = Annotated[
    str | None,
    typer.Option(
        metavar="NAME|FILE",
        help="best (the default on a GPU), cpu (the default otherwise), paper, or a TOML file. Flags override it.",
    ),
]


def train(
    context: typer.Context,
    domain: Domain = None,
    recipe: RecipeName = None,
    device: Annotated[str, typer.Option(help="cpu, cuda, or auto.")] = "auto",
    out: Annotated[Path | None, typer.Option(help="Folder of the run. Default: runs/DOMAIN.")] = None,
    ray: RayAddress = None,
) -> None:
    """Train a policy from a corpus of optimal plans.

    Models with several seeds and objectives are trained together, and validated meanwhile by playing larger and larger
    problems. The best of each objective is kept as OBJECTIVE.safetensors in the run's folder. --recipe paper is the
    paper's set-up, which takes hours without a GPU. After Ctrl-C or a kill, the same command continues. Defaults hold
    where the recipe does not say otherwise.
    """
    chosen = recipe_from(recipe or default_recipe(device), {"domain": domain, **context.meta[FLAGS]})
    folder = out or Path("runs") / Path(chosen.domain).stem
    with terminated_as_interrupted():
        watch(chosen, folder, device, place(ray, None)[1] if ray else None)
    print_policies(chosen, folder)


def default_recipe(device: str) -> str:
    """The recipe for such a device."""
    try:
        from liftq.training.device import find_device  # with PyTorch, which takes a second
    except ImportError:
        return "cpu"  # training will report that PyTorch is missing
    return "best" if find_device(device).type == "cuda" else "cpu"


def recipe_from(name: str | None, flags: dict[str, Any]) -> Recipe:
    given = {flag: value for flag, value in flags.items() if value is not None and value != ()}
    tables = read_tables(name) if name else {}
    return recipe_of(override(tables, given), name if name and not given else "liftq train")


def watch(recipe: Recipe, folder: Path, device: str, elsewhere: StartCompute | None = None) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    events = pipeline.train(recipe, folder, device, elsewhere)
    with closing(events), Progress(*columns, disable=not shows_progress()) as progress:
        try:
            if not show(events, progress, recipe.training.epochs):
                news("nothing left to do: this run is finished")
        except KeyboardInterrupt:
            news(f"interrupted: what is done is saved in {folder}, and the same command continues from there")
            raise


def show(events: Iterator[Begun | Epoch | Validated], progress: Progress, epochs: int) -> int:
    """Shows events as they come, and counts those after the first."""
    bars: dict[str, TaskID] = {}
    best, count = 0.0, 0

    def bar(name: str, total: int) -> TaskID:
        return bars[name] if name in bars else bars.setdefault(name, progress.add_task(name, total=total))

    for event in events:
        if isinstance(event, Epoch):
            description = f"{event.values.upper()}-values, loss {event.losses.min():.3f}, validation {best:.1f}"
            total = event.number if event.last else epochs
            progress.update(bar(event.values, epochs), completed=event.number, total=total, description=description)
        elif isinstance(event, Validated) and event.final:
            progress.advance(bar("finals", event.left + 1))
        elif isinstance(event, Validated):
            best = max(best, event.score.total)
        else:
            progress.console.print(begun_line(event), highlight=False)
            continue
        count += 1
    return count


def begun_line(begun: Begun) -> str:
    line = f"{plural(begun.plans, 'plan')} of {begun.corpus or 'the bundled corpus'}"
    return f"{line}; {begun.held_out} more are held out for validation" if begun.held_out else line


def print_policies(recipe: Recipe, folder: Path) -> None:
    for pace in Log(folder / "log.jsonl").paces():
        news(f"{pace.values.upper()}-values: {pace}")
    for name in recipe.objective_names:
        path = folder / f"{name}.safetensors"
        card = read_policy_file(path).card
        played = "final" if "final_score" in card else "validation"
        score = card.get("final_score", card["score"])
        words = f"{path}: {played} score {score:.1f}, seed {card['seed']}, epoch {card['epoch']}"
        figures = {"score": score, "seed": card["seed"], "epoch": card["epoch"]}
        result(words, policy=path, objective=name, measured_on=played, **figures)


class TrainCommand(ReportingCommand):
    """Looks up its flags when called: they are options of parts, which take time to import."""

    def get_params(self, ctx: Any) -> list[Any]:
        *options, help = super().get_params(ctx)
        return [*options, *flags(), help]

    def invoke(self, ctx: Any) -> Any:
        declared = {parameter.name for parameter in self.params}
        ctx.meta[FLAGS] = {name: ctx.params.pop(name) for name in list(ctx.params) if name not in declared}
        return super().invoke(ctx)


def flags() -> list[Any]:
    def declared(**_: Any) -> None: ...

    options = [option for option in all_options() if option[1].name != "domain"]
    declared.__signature__ = inspect.Signature([_parameter(*option) for option in options])  # type: ignore[attr-defined]
    return options_of(declared)


def _parameter(table: str, option: Option) -> inspect.Parameter:
    flag = f"--{option.name.replace('_', '-')}"
    kind: Any = list[str] if option.type is list else option.type
    if kind is bool:
        flag = f"{flag}/--no-{flag[2:]}"
    help = f"{option.help[:1].upper()}{option.help[1:]}{f' ({chr(44).join(option.choices)})' * bool(option.choices)}."
    default = str(option.default) if option.default not in ("", False) else False
    about = typer.Option(flag, help=help, show_default=default, rich_help_panel=table.capitalize() or "Data")
    annotation = Annotated[kind | None, about]
    return inspect.Parameter(option.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


COMMAND = TrainCommand
