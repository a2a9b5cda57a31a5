"""`liftq solve`: exit codes, what goes where, and interrupts."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from liftq.__main__ import app
from liftq.engine.delivery import cheaper_plans
from liftq.engine.solver import Limits
from liftq.models.rgnn import RGNN
from liftq.pddl import InputError, write_domain, write_problem
from liftq.policies.policy_file import save_policy
from liftq.problems.loading import load_domain
from tests.engine.tasks import DELIVERY, PARCELS
from tests.policies.untrained import LAMPS, policy_of


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Domain, problem, and the option that names a policy."""
    source = load_domain("ferry")
    save_policy(tmp_path / "policy.safetensors", policy_of(source.domain))
    (tmp_path / "domain.pddl").write_text(write_domain(source.domain))
    (tmp_path / "problem.pddl").write_text(write_problem(next(source.instances(6, seed=1)).problem))
    names = [str(tmp_path / name) for name in ("domain.pddl", "problem.pddl", "policy.safetensors")]
    return [*names[:2], "--policy", names[2]]


def test_the_plan_is_valid(files: list[str], tmp_path: Path) -> None:
    plan = tmp_path / "plan"
    run = CliRunner().invoke(app, ["solve", *files, "--plan", str(plan)])
    assert (run.exit_code, run.stdout) == (0, "")
    assert run.stderr.startswith("solved: ")
    assert CliRunner().invoke(app, ["validate", *files[:2], str(plan)]).exit_code == 0
    assert CliRunner().invoke(app, ["solve", *files]).stdout == plan.read_text()
    assert CliRunner().invoke(app, ["solve", *files, "--threads", "3"]).stdout == plan.read_text()


def test_limits_count_from_the_start_of_the_process(files: list[str]) -> None:
    script = "import time; time.sleep(1); from liftq.__main__ import main; main()"
    command = [sys.executable, "-c", script, "solve", *files, "--time-limit", "1"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (23, "")  # nothing was left of the limit


def test_json(files: list[str]) -> None:
    run = CliRunner().invoke(app, ["solve", *files, "--json"])
    found = json.loads(run.stdout)
    assert found["ending"] == "solved" and found["steps"] == found["cost"] == len(found["plan"]) > 0


def test_plans_say_whether_costs_count(files: list[str], tmp_path: Path) -> None:
    for name, text in (("delivery.pddl", DELIVERY), ("parcels.pddl", PARCELS)):
        (tmp_path / name).write_text(text)
    costly = [str(tmp_path / "delivery.pddl"), str(tmp_path / "parcels.pddl"), "--policy", "none"]
    for task, kind in ((files, "unit"), (costly, "general")):
        assert CliRunner().invoke(app, ["solve", *task]).stdout.endswith(f" ({kind} cost)\n")


def test_who_searches_from_the_start_is_not_called_lost(files: list[str]) -> None:
    save_policy(files[-1], replace(policy_of(load_domain("ferry").domain), card={"acting": {"searching": True}}))
    run = CliRunner().invoke(app, ["solve", *files])
    assert re.search(r"policy \S+ and search \(\d+ states\)$", run.stderr.strip()), run.stderr


def test_goals_that_the_policy_has_never_seen(files: list[str], tmp_path: Path) -> None:
    save_policy(files[-1], policy_of(load_domain("ferry").domain, without=("goal:on", "goal:at-ferry")))
    with warnings.catch_warnings(action="error"):
        assert CliRunner().invoke(app, ["solve", *files, "--step-limit", "1"]).exit_code == 13
    problem = Path(files[1])
    problem.write_text(problem.read_text().replace("(:goal (and", "(:goal (and (at-ferry loc1)"))
    with pytest.warns(UserWarning, match="the policy has never seen goals with at-ferry and"):
        CliRunner().invoke(app, ["solve", *files, "--step-limit", "1"])


@pytest.mark.parametrize(
    ("options", "ending", "code"),
    [
        (["--step-limit", "1"], "step-limit", 13),
        (["--time-limit", "0"], "time-limit", 23),
        (["--memory-limit", "1M"], "memory-limit", 22),
    ],
)
def test_every_limit_has_an_exit_code(
    files: list[str], tmp_path: Path, options: list[str], ending: str, code: int
) -> None:
    run = CliRunner().invoke(app, ["solve", *files, *options, "--plan", str(tmp_path / "plan")])
    assert (run.exit_code, run.stdout) == (code, "")
    assert run.stderr.startswith(ending)
    assert not (tmp_path / "plan").exists()
    found = json.loads(CliRunner().invoke(app, ["solve", *files, *options, "--json"]).stdout)
    assert (found["ending"], found["plan"], found["steps"]) == (ending, None, None)


@pytest.mark.parametrize(
    "change", [["--policy", "fery"], ["--memory-limit", "much"], ["--policy", "missing.safetensors"]]
)
def test_bad_input(files: list[str], change: list[str]) -> None:
    run = CliRunner().invoke(app, ["solve", *files, *change])
    assert isinstance(run.exception, InputError)  # which `main` prints, and exits with 2


@pytest.mark.parametrize("place", ["/no/such/folder/plan", ".", ""])
def test_an_unwritable_plan_file_is_bad_input(files: list[str], place: str) -> None:
    run = CliRunner().invoke(app, ["solve", *files, "--plan", place])
    assert isinstance(run.exception, InputError)
    if place.startswith("/no"):  # which is noticed when the plan is there: it is not lost
        assert run.stdout == CliRunner().invoke(app, ["solve", *files]).stdout
        as_json = CliRunner().invoke(app, ["solve", *files, "--plan", place, "--json"])
        assert json.loads(as_json.stdout)["plan"]


def test_a_device_may_stand_for_the_plan(files: list[str]) -> None:
    assert CliRunner().invoke(app, ["solve", *files, "--plan", os.devnull]).exit_code == 0
    assert Path(os.devnull).is_char_device()


@pytest.mark.parametrize(
    "options",
    [["--time-limit", "inf"], ["--time-limit", "nan"], ["--step-limit", f"1{'0' * 30}"], ["--threads", "0"]],
    ids=" ".join,
)
def test_limits_are_finite(files: list[str], options: list[str]) -> None:
    assert CliRunner().invoke(app, ["solve", *files, *options]).exit_code == 2


def test_unsolvable_and_gave_up(files: list[str]) -> None:
    problem = Path(files[1])
    problem.write_text(problem.read_text().replace("(empty-ferry)", ""))
    assert CliRunner().invoke(app, ["solve", *files]).exit_code == 11
    assert CliRunner().invoke(app, ["solve", *files, "--fallback", "none"]).exit_code == 12


def test_without_a_policy_on_request(files: list[str], tmp_path: Path) -> None:
    plan = tmp_path / "plan"
    run = CliRunner().invoke(app, ["solve", *files[:2], "--policy", "none", "--plan", str(plan)])
    assert run.exit_code == 0
    assert run.stderr.startswith("solved: ") and run.stderr.endswith("valued, search without a policy\n")
    assert CliRunner().invoke(app, ["validate", *files[:2], str(plan)]).exit_code == 0
    found = json.loads(CliRunner().invoke(app, ["solve", *files[:2], "--policy", "none", "--json"]).stdout)
    assert (found["policy"], found["searched"], found["passes"]) == (None, True, 0)
    assert found["states_valued"] > 0


def test_a_plan_is_improved(files: list[str], tmp_path: Path) -> None:
    command = ["solve", *files[:2], "--policy", files[3], "--json"]
    before = json.loads(CliRunner().invoke(app, command).stdout)
    plan = tmp_path / "plan"
    run = CliRunner().invoke(app, [*command, "--improve", "30", "--plan", str(plan)])
    after = json.loads(run.stdout)
    assert before["cost_before_improvement"] == before["cost"] == after["cost_before_improvement"] > after["cost"]
    assert f"optimal cost {after['cost']} (before: {before['cost']})" in run.stderr
    assert (before["optimal"], after["optimal"]) == (False, True)
    assert after["steps"] == len(after["plan"]) == after["cost"]
    assert CliRunner().invoke(app, ["validate", *files[:2], str(plan)]).exit_code == 0


def test_the_time_limit_holds_for_the_improvement_too(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Limits] = []
    monkeypatch.setattr("liftq.commands.solve.cheaper_plans", lambda *given: asked.append(given[2]) or iter(()))
    for options in (["--time-limit", "1e6", "--improve", "2e6"], ["--time-limit", "1e6", "--improve", "3"]):
        assert CliRunner().invoke(app, ["solve", *files, *options]).exit_code == 0
    assert 0 < (asked[0].seconds or 0) <= 1e6 and asked[1].seconds == 3
    assert all(each.memory_bytes for each in asked)


def test_ctrl_c_ends_the_improvement_with_the_best_plan(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:

    def interrupted(*arguments: Any) -> Iterator[Any]:
        yield next(cheaper_plans(*arguments))
        raise KeyboardInterrupt

    monkeypatch.setattr("liftq.commands.solve.cheaper_plans", interrupted)
    run = CliRunner().invoke(app, ["solve", *files, "--improve", "30"])
    assert run.exit_code == 0 and "(before: " in run.stderr


@pytest.fixture
def unknown(tmp_path: Path) -> list[str]:
    """A domain and a problem that no bundled policy fits."""
    (tmp_path / "domain.pddl").write_text(LAMPS)
    text = """(define (problem p) (:domain lamps) (:objects one two - bulb)
      (:init (at one hall) (at two hall) (dark)) (:goal (and (on one) (on two))))"""
    (tmp_path / "problem.pddl").write_text(text)
    return [str(tmp_path / name) for name in ("domain.pddl", "problem.pddl")]


def test_without_a_fitting_policy_it_searches_and_says_so(unknown: list[str]) -> None:
    with pytest.warns(UserWarning) as warned:
        run = CliRunner().invoke(app, ["solve", *unknown])
    assert (run.exit_code, run.stdout.count("(switch ")) == (0, 2)
    reason, policies = str(warned[0].message).splitlines()
    assert reason == (
        "no bundled policy fits the domain lamps, so this is a search without one; `liftq learn` makes one"
    )
    assert policies.startswith("  There are barman, ")
    assert run.stderr.startswith("solved: 2 steps, cost 2, ")


def test_without_a_fitting_policy_and_without_search_it_refuses(unknown: list[str]) -> None:
    run = CliRunner().invoke(app, ["solve", *unknown, "--fallback", "none"])
    assert isinstance(run.exception, InputError) and "no bundled policy fits" in str(run.exception)


def test_search_without_a_policy_proves_that_there_is_no_plan(unknown: list[str]) -> None:
    problem = Path(unknown[1])
    problem.write_text(problem.read_text().replace("(at two hall)", ""))
    run = CliRunner().invoke(app, ["solve", *unknown])
    assert run.exit_code == 11
    assert "unsolvable: search saw every reachable state" in run.stderr


INTERRUPTED_SOON = """
import signal, sys
from liftq.__main__ import main
signal.signal(signal.SIGALRM, signal.default_int_handler)  # as Ctrl-C
signal.setitimer(signal.ITIMER_REAL, 1.0)
main()
"""


def test_interrupt(tmp_path: Path) -> None:
    source = load_domain("blocksworld")
    save_policy(tmp_path / "policy.safetensors", policy_of(source.domain, model=RGNN()))
    (tmp_path / "domain.pddl").write_text(write_domain(source.domain))
    (tmp_path / "problem.pddl").write_text(write_problem(next(source.instances(100, seed=1)).problem))
    names = [str(tmp_path / name) for name in ("domain.pddl", "problem.pddl", "policy.safetensors")]
    command = [sys.executable, "-c", INTERRUPTED_SOON, "solve", *names[:2], "--policy", names[2]]
    run = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (130, "")
    assert "Traceback" not in run.stderr


def test_one_by_one_takes_one_action_per_pass(tmp_path: Path) -> None:
    source = load_domain("satellite")
    card = {"acting": {"gap": 100.0, "most": 50, "share": 100.0}}
    save_policy(tmp_path / "policy.safetensors", replace(policy_of(source.domain), card=card))
    (tmp_path / "domain.pddl").write_text(write_domain(source.domain))
    (tmp_path / "problem.pddl").write_text(write_problem(next(source.instances(12, seed=1)).problem))
    names = [str(tmp_path / name) for name in ("domain.pddl", "problem.pddl", "policy.safetensors")]
    command = ["solve", *names[:2], "--policy", names[2], "--json", "--fallback", "none", "--step-limit", "40"]
    several, single = (
        json.loads(CliRunner().invoke(app, [*command, *option]).stdout) for option in ([], ["--one-by-one"])
    )
    assert several["passes"] < 40 == single["passes"]


def test_options(asked: Callable[..., tuple[Any, ...]], files: list[str]) -> None:
    flags = {"policy": "ferry", "fallback": "none", "threads": 3, "step-limit": 9}
    words = [word for name, value in flags.items() for word in (f"--{name}", value)]
    given = asked("solve", "solve", *files[:2], *words, "--one-by-one")
    assert given[:3] == (*map(Path, files[:2]), "ferry") and given[3].steps == 9
    assert given[4:] == ("none", 3, True, None, None)
    assert asked("solve", "solve", *files[:2])[4:] == ("search", 1, False, None, None)
