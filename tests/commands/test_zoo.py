"""`liftq zoo`: bundled policies are listed, cards are shown whole, and what is damaged or boasts is found out."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from liftq.domains import domain as bundled_domain
from liftq.pddl import parse_domain
from liftq.policies.policy_file import save_policy
from liftq.zoo.bundled import bundled
from tests.command_line import Called, Liftq
from tests.policies.untrained import LAMPS, policy_of

FERRY = bundled_domain("ferry").domain()
FULL_CARD = {
    "objective": "q_heuristic",
    "seed": 3,
    "epoch": 7,
    "learning_rate": 0.002,
    "recipe": {"clip": 0.1, "objectives": ["q_value", "q_heuristic"]},
    "plans": 555,
    "lessons": 9119,
    "sizes": [3, 24],
    "learned": {"derived": {"goals": 7, "walk": 9}, "minutes": 1.5, "held_out": ["0e5e", "3bf2"], "sizes": [4, 6]},
    "score": 83.75,
    "coverage": [[5, 1.0], [6, 1.0], [10, 0.75]],
    "plan_length": 21.5,
    "validation_curve": [[1, 12.5], [7, 83.75]],
    "final_score": 80.25,
    "final_coverage": [[5, 1.0], [10, 0.5]],
    "origin": {"commit": "0123abc", "machine": "a desk, 2 cores", "date": "2026-01-02"},
    "mood": {"weather": [1, None, "fine"]},
}


Zoo = Callable[..., Called]


@pytest.fixture
def zoo(monkeypatch: pytest.MonkeyPatch, liftq: Liftq) -> Zoo:
    monkeypatch.setenv("COLUMNS", "200")  # so that no table folds
    return partial(liftq, "zoo")


@pytest.fixture
def ignorant(tmp_path: Path) -> Callable[[dict[str, Any]], Path]:
    """A policy file for ferry with random weights and a card of one's own."""

    def write(card: dict[str, Any]) -> Path:
        path = tmp_path / "mine.safetensors"
        save_policy(path, replace(policy_of(FERRY), card=card))
        return path

    return write


def test_list(zoo: Zoo) -> None:
    result = zoo("list")
    assert result.code == 0
    assert [line.split()[0] for line in result.output.splitlines()] == ["policy", *bundled()]
    rows = json.loads(zoo("list", "--json").output)
    assert [row["policy"] for row in rows] == list(bundled())
    assert all(row["measured_on"] in ("final", "validation") and row["bytes"] > 0 for row in rows)


def test_list_says_how_far_policies_reach(zoo: Zoo) -> None:
    rows = {row["policy"]: row for row in json.loads(zoo("list", "--json").output)}
    assert (rows["blocksworld"]["all_solved_to"], rows["blocksworld"]["half_solved_to"]) == (43, 44)
    assert "all solved to" in zoo("list").output and "score" not in zoo("list").output


def test_show_says_what_a_policy_is_for_and_where_it_fails(
    zoo: Zoo, ignorant: Callable[[dict[str, Any]], Path]
) -> None:
    shown = " ".join(zoo("show", "blocksworld").output.split())
    assert "goals clear on-table on; negated: none" in shown
    assert "solves all validation problems up to size 43 fails some problems of 44 objects or more" in shown
    assert "meaning the lowest resembles the cost of the teaching policy's plan; the others only rank actions" in shown
    plain = " ".join(zoo("show", ignorant({"objective": "q_value", "coverage": [[3, 0.5], [4, 0.25]]})).output.split())
    assert "solves not even all of the smallest fails some problems of 3 objects or more, and over half" in plain
    assert "meaning the expected cost to the goal" in plain and "made for files domains" in plain


def test_list_and_show_need_no_torch() -> None:
    script = "import sys; sys.modules['torch'] = None; from liftq.__main__ import main; main()"
    for arguments in (["list"], ["show", "ferry"]):
        command = [sys.executable, "-c", script, "zoo", *arguments]
        run = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True)
        assert run.returncode == 0 and "q_" in run.stdout, run.stderr


def test_show(zoo: Zoo, ignorant: Callable[[dict[str, Any]], Path]) -> None:
    result = zoo("show", ignorant(FULL_CARD))
    shown = " ".join(result.output.split())
    assert result.code == 0
    for line in (
        "domain name ferry 4 predicates at-ferry/1 at/2 empty-ferry/0 on/1 3 actions sail/2 board/2 debark/2",
        "values actions (Q)",
        "model name rgnn",
        "data plans 555 lessons 9119 sizes 3-24",
        "learned derived.goals 7 derived.walk 9 held_out 0e5e 3bf2 minutes 1.5 sizes 4-6",
        "training objective q_heuristic seed 3 epoch 7 learning_rate 0.002",
        "recipe clip 0.1 objectives q_value q_heuristic",
        "validation score 83.75 plan_length 21.5 coverage 5-6: 1, 10: 0.75 validation_curve 1: 12.5, 7: 83.75"
        " step limit 100 plus one per object",
        "final final_score 80.25 final_coverage 5: 1, 10: 0.5 step limit 100 plus one per object",
        "origin commit 0123abc date 2026-01-02 machine a desk, 2 cores",
        'other mood {"weather": [1, null, "fine"]}',
    ):
        assert line in shown


@pytest.mark.parametrize("missing", [*FULL_CARD, None])
def test_show_works_with_any_part_of_the_card_missing(
    zoo: Zoo, ignorant: Callable[[dict[str, Any]], Path], missing: str | None
) -> None:
    card = {key: value for key, value in FULL_CARD.items() if missing not in (key, None)}
    result = zoo("show", ignorant(card))
    assert result.code == 0 and "predicates" in result.output
    assert ("q_heuristic" in result.output) == bool(card)


def test_show_odd_values(zoo: Zoo, ignorant: Callable[[dict[str, Any]], Path]) -> None:
    odd = {"score": None, "coverage": 1.0, "sizes": "some", "origin": "a desk", "recipe": ["[bold]"], "plans": {"a": 1}}
    result = zoo("show", ignorant(odd))
    assert result.code == 0
    assert all(text in result.output for text in ("null", "some", "a desk", "[bold]", '{"a": 1}'))


def test_a_card_cannot_steer_the_terminal(zoo: Zoo, ignorant: Callable[[dict[str, Any]], Path]) -> None:
    steering = {"objective": "\x1b[2J", "a\x07key": ["\x1b]0;title", {"\x9b": "\r"}], "recipe": {"\x1b": "\u202e"}}
    result = zoo("show", ignorant(steering))
    assert result.code == 0 and r"\x1b[2J" in result.output
    assert all(each.isprintable() or each == "\n" for each in result.output)


def test_relations_left_out_are_shown_by_kind(zoo: Zoo) -> None:
    shown = " ".join(zoo("show", "ferry").output.split())
    assert "without goal-true: at-ferry empty-ferry on goal-false: at-ferry empty-ferry on forbidden-true:" in shown


def test_verify_a_bundled_policy(zoo: Zoo) -> None:
    result = zoo("verify", "ferry", "--sizes", "3-4", "--per-size", "1")
    assert (result.code, result.errors) == (0, "")
    assert result.output == "ferry: 2 of 2 solved, 2.0 expected, all plans valid: ok\n"


def test_verify_a_card_that_claims_little(zoo: Zoo, ignorant: Callable[[dict[str, Any]], Path]) -> None:
    modest = {"coverage": [[4, 1.0], [16, 1.0]], "final_coverage": [[4, 0.0], [6, 0.0]]}  # the final one counts
    result = zoo("verify", ignorant(modest))
    assert result.code == 0 and "of 4 solved, 0.0 expected, all plans valid: ok" in result.output
    result = zoo("verify", ignorant({"coverage": "high"}), "--sizes", "4", "--per-size", "3")
    assert result.code == 0 and "of 3 solved, its card claims nothing" in result.output


def test_verify_a_boaster(zoo: Zoo, ignorant: Callable[[dict[str, Any]], Path]) -> None:
    path = ignorant({"coverage": [[5, 1.0], [30, 1.0]], "recipe": {"validation_per_size": 4}})
    result = zoo("verify", path, "--sizes", "30", "--per-size", "4", "--seed", "1")
    assert result.code == 1
    assert result.output == f"{path}: 0 of 4 solved, 4.0 expected, all plans valid: FAILED\n"
    assert f"{path} does less than its card says" in result.errors


def test_verify_damaged_files(zoo: Zoo, ignorant: Callable[[dict[str, Any]], Path], tmp_path: Path) -> None:
    content = bytearray(ignorant(FULL_CARD).read_bytes())
    content[-1] ^= 1
    changed, cut = tmp_path / "changed.safetensors", tmp_path / "cut.safetensors"
    changed.write_bytes(content)
    cut.write_bytes(content[:1000])
    result = zoo("verify", changed, "ferry", cut)
    assert (result.code, result.output) == (2, "")
    assert f"{changed}: damaged or changed" in result.errors and f"{cut}: not a policy, or cut short" in result.errors


def test_verify_a_bundled_policy_of_another_domain(zoo: Zoo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "gripper.safetensors"
    save_policy(path, policy_of(FERRY))
    assert zoo("verify", path, "--sizes", "3").code == 0  # a file of one's own may have any name
    monkeypatch.setattr("liftq.evaluation.scaling.verification.bundled", lambda: {"gripper": path})
    result = zoo("verify", path)
    assert result.code == 2 and "does not fit the bundled domain gripper: other predicates" in result.errors


def test_verify_a_policy_of_a_domain_that_is_not_bundled(zoo: Zoo, tmp_path: Path) -> None:
    save_policy(tmp_path / "lamps.safetensors", policy_of(parse_domain(LAMPS)))
    result = zoo("verify", tmp_path / "lamps.safetensors", "--sizes", "3")
    assert result.code == 0 and "the file is intact; no bundled domain fits it" in result.output


@pytest.mark.parametrize("command", ["show", "verify"])
def test_the_error_for_an_unknown_name_lists_the_known_ones(zoo: Zoo, command: str) -> None:
    result = zoo(command, "fery")
    assert (result.code, result.output) == (2, "")
    assert "there is no bundled policy `fery`\n  There are barman" in result.errors


def test_impossible_sizes_are_rejected(zoo: Zoo) -> None:
    result = zoo("verify", "ferry", "--sizes", "1")
    assert result.code == 2 and "ferry has no problems of these sizes\n  It has 3, 4, 5 ..." in result.errors
    assert zoo("verify", "ferry", "--sizes", "few").code == 2


@pytest.mark.parametrize("command", ["list", "show", "verify"])
def test_help_teaches_an_example(zoo: Zoo, command: str) -> None:
    assert f": liftq zoo {command}" in zoo(command, "--help").output
