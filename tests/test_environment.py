"""The Gymnasium environment: by Gymnasium's own checker, and against tasks and the validator."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from liftq.engine.solver import Limits
from liftq.engine.validator import validate
from liftq.errors import InputError
from liftq.teachers.orbit_search import OrbitSearch
from liftq.zoo import load_policy

gymnasium = pytest.importorskip("gymnasium")
ID = "liftq.environment:liftq/Planning-v0"

DOMAIN = """(define (domain d) (:predicates (at ?x) (next ?x ?y)) (:functions (total-cost) (length ?x))
  (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))
   :effect (and (at ?y) (not (at ?x)) (increase (total-cost) (length ?y)))))"""
FORK = """(define (problem fork) (:domain d) (:objects a b c e)
  (:init (at a) (next a b) (next a c) (next c e) (= (length b) 1) (= (length c) 3) (= (length e) 4))
  (:goal (at e)) (:metric minimize (total-cost)))"""


def made(**options: Any) -> Any:
    return gymnasium.make(ID, **options).unwrapped


@pytest.fixture
def fork(tmp_path: Path) -> Path:
    """A folder with one problem: from a, b is a dead end, and the goal lies behind c."""
    (tmp_path / "domain.pddl").write_text(DOMAIN)
    (tmp_path / "fork.pddl").write_text(FORK)
    return tmp_path


@pytest.mark.parametrize("observations", ["atoms", "graph"])
@pytest.mark.parametrize("source", ["ferry", "blocksworld", "rovers"])
def test_the_checker_of_gymnasium_has_no_complaint(source: str, observations: str) -> None:
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(made(source=source, observations=observations, render_mode="ansi"))


def test_a_policy_acts_in_it_and_rewards_are_what_its_plan_costs() -> None:
    policy = load_policy("ferry")
    environment = made(source="ferry", sizes=(10, 12), goal_reward=100)
    for seed in range(3):
        environment.reset(seed=seed)
        problem, taken, rewards, is_over = environment.task.problem, [], 0.0, False
        while not is_over:
            action = int(np.argmin(policy.values(environment.choice)))
            taken.append(environment.actions[action])
            _, reward, is_over, _, _ = environment.step(action)
            rewards += reward
        validation = validate(environment.task.domain, problem, tuple(taken))
        assert validation.valid and rewards == 100 - float(validation.cost or 0)


def test_costs_dead_ends_and_masked_actions(fork: Path) -> None:
    environment = made(source=fork, most_steps=50, most_actions=5, goal_reward=7)
    start, info = environment.reset(seed=1)
    assert info["action_mask"].tolist() == [1, 1, 0, 0, 0]
    assert list(map(str, environment.actions)) == ["(go a b)", "(go a c)"]
    after, reward, is_over, is_cut, _ = environment.step(4)
    assert (after, reward, is_over, is_cut) == (start, -1, False, False)
    assert environment.step(1)[1:4] == (-3, False, False)
    assert environment.step(0)[1:4] == (-4 + 7, True, False)
    environment.reset(seed=1)
    assert environment.step(0)[1:4] == (-1 - 49, True, False)


def test_an_episode_is_cut_at_the_limit(fork: Path) -> None:
    environment = made(source=fork, most_steps=2)
    environment.reset(seed=1)
    assert [environment.step(9)[3] for _ in range(2)] == [False, True]


def test_atoms_tell_state_and_goal(fork: Path) -> None:
    environment = made(source=fork)
    state, _ = environment.reset(seed=1)
    assert state == ("(goal (at e))", "(next a b)", "(next a c)", "(next c e)", "(at a)")
    assert environment.step(1)[0][-1] == "(at c)"


def test_a_graph_has_a_node_for_each_action_with_its_arguments(fork: Path) -> None:
    environment = made(source=fork, observations="graph", most_actions=4)
    graph, info = environment.reset(seed=1)
    features = [relation.name for relation in environment.encoder.relations(environment.task.domain)]
    links = sorted(zip(graph.edges.tolist(), graph.edge_links.tolist(), strict=True))
    assert info["action_nodes"][2:].tolist() == [-1, -1]
    places = []
    for node in info["action_nodes"][:2].tolist():
        (row,) = (target for _, (origin, target) in links if origin == node)
        assert graph.nodes[row, features.index("action:go")] == 1
        places.append([target for _, (origin, target) in links if origin == row])
    (first, *go_b), (second, *go_c) = places
    assert [first, second] == info["action_nodes"][:2].tolist()
    assert go_b[0] == go_c[0] and graph.nodes[go_b[0], features.index("atom:at")] == 1 and go_b[1] != go_c[1]


def test_seeds_determine_the_problems() -> None:
    environment = made(source="ferry", sizes=(5, 15))
    problems = [environment.reset(seed=seed) and environment.task.problem for seed in (1, 1, 2)]
    assert problems[0] == problems[1] != problems[2]
    assert environment.reset() and environment.task.problem != problems[2]


def test_misfits_are_rejected(fork: Path) -> None:
    with pytest.raises(InputError, match="no problems of sizes 7 to 9"):
        made(source=fork, sizes=(7, 9))
    with pytest.raises(InputError, match="2 actions, and there is room for 1"):
        made(source=fork, most_actions=1).reset(seed=1)


def test_without_gymnasium_the_extra_is_named() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import liftq.environment"
    failed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'liftq[gym]'" in failed.stderr


def test_the_example_of_the_documentation_learns_a_shortest_plan(capsys: pytest.CaptureFixture[str]) -> None:
    text = (Path(__file__).parents[1] / "docs" / "environment.md").read_text()
    names: dict[str, Any] = {}
    exec(text.partition("```python\n")[2].partition("```")[0], names)
    shortest = OrbitSearch().solve(names["environment"].unwrapped.task, Limits())
    assert capsys.readouterr().out == f"steps to the goal: {float(shortest.cost or 0)}\n"
