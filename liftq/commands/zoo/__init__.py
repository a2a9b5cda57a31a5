"""`liftq zoo`: list the bundled policies, show their cards, check them, and calibrate how they act."""

from __future__ import annotations

import typer

from liftq.commands.exit_codes import epilog
from liftq.commands.zoo.calibrate import calibrate
from liftq.commands.zoo.cards import list_policies, show
from liftq.commands.zoo.verify import verify

VERIFY = "Example: liftq zoo verify ferry gripper --per-size 5"

zoo = typer.Typer(
    help="List the bundled policies, show their cards, check them, and calibrate how they act.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)
zoo.command("list", epilog="Example: liftq zoo list")(list_policies)
zoo.command(epilog="Examples: liftq zoo show ferry; liftq zoo show runs/ferry/q_heuristic.safetensors")(show)
zoo.command(epilog=epilog(VERIFY, done="all do what their cards say", no="one of them does not"))(verify)
zoo.command(epilog="Example: liftq zoo calibrate runs/ferry/q_heuristic.safetensors")(calibrate)
