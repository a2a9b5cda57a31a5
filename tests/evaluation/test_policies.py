"""Evaluations of networks: their values on plans, their speed, and policies as solvers like any other."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from liftq.datasets.corpora import bundled_corpus
from liftq.datasets.corpus import Corpus
from liftq.domains import domain
from liftq.engine.solver import Ending
from liftq.engine.task import Choice
from liftq.errors import InputError
from liftq.evaluation.efficiency import NETWORKS, Efficiency, random_policy
from liftq.evaluation.gaps import measure, run_policies
from liftq.evaluation.result import Gap, Header, Results, ScalingAttempt, SuiteAttempt, Timing
from liftq.evaluation.solvers import architecture, digest, load_solver
from liftq.policies import Policy
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import save_policy
from liftq.recipe import Recipe
from liftq.sources.generated import Generated

Called = Callable[..., tuple[int, str, str]]
FERRY = domain("ferry")


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Knows nothing: its weights are random."""
    path = tmp_path_factory.mktemp("policies") / "ferry.safetensors"
    save_policy(path, random_policy(FERRY.domain(), "relational", True, seed=1))
    return str(path)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    """The smallest plans of a bundled corpus."""
    full = bundled_corpus("ferry")
    return Corpus(full.path, full.header, tuple(each for each in full.attempts if each.size <= 5))


class Oracle(Policy):
    """Knows one plan by heart, is off by a half, and calls every other action three worse."""

    def __init__(self, corpus: Corpus) -> None:
        self.lengths: dict[int, tuple[int, int]] = {}
        for lesson in lessons(corpus):
            self.lengths[lesson.choice.task.state_hash(lesson.state)] = (lesson.teacher, int(lesson.h_star))

    def values(self, choice: Choice) -> np.ndarray:
        teacher, h_star = self.lengths[choice.task.state_hash(choice.state)]
        values = np.full(len(choice), h_star + 3.5, dtype=np.float32)
        values[teacher] = h_star + 0.5
        return values

    def solve(self, task, limits=None):
        raise NotImplementedError


def lessons(corpus: Corpus) -> Iterable:
    from liftq.datasets.lesson import lessons_of

    return (lesson for task in corpus.tasks() for lesson in lessons_of(*task))


def test_gaps_of_an_oracle(corpus: Corpus) -> None:
    one = Corpus(corpus.path, corpus.header, corpus.entries[-1:])
    gap = measure(Oracle(one), "oracle", one)
    found = list(lessons(one))
    pairs = [(each, other) for each in found for other in range(len(each.choice)) if other != each.teacher]
    assert (gap.states, gap.pairs) == (len(found), len(pairs))
    assert (gap.error, gap.difference, gap.chosen) == (0.5, 3.0, 1.0)
    assert gap.tighter == sum(each.bounds[other] > each.h_star + 1 for each, other in pairs) / len(pairs)


def test_gaps_command(tmp_path: Path, liftq: Called) -> None:
    with pytest.raises(InputError, match="no policies yet"):
        run_policies(tmp_path)
    (tmp_path / "recipe.toml").write_text(Recipe("ferry", largest_size=4).dump())
    for name, with_actions in (("q_value", True), ("state_value", False), ("checkpoint-q", True)):
        drawn = random_policy(FERRY.domain(), "relational", with_actions, seed=0)
        save_policy(tmp_path / f"{name}.safetensors", drawn)
    result = liftq("evaluate", "gaps", str(tmp_path), "--out", str(tmp_path / "r"))
    names = [line.partition(":")[0] for line in result.output.splitlines()[:-1]]
    assert result.code == 0 and names == ["q_value", "state_value"]
    gaps = Results.read([tmp_path / "r"]).of(Gap)
    assert all(each.domain == "ferry" and each.error > 0 and 0 <= each.tighter < 1 for each in gaps)
    again = liftq("evaluate", "gaps", str(tmp_path), "--out", str(tmp_path / "r"))
    assert again.output == f"results in {tmp_path / 'r'}\n" and Results.read([tmp_path / "r"]).of(Gap) == gaps
    save_policy(tmp_path / "q_value.safetensors", random_policy(FERRY.domain(), "relational", True, seed=7))
    refused = liftq("evaluate", "gaps", str(tmp_path), "--out", str(tmp_path / "r"))
    assert refused.code == 2 and "q_value.safetensors is another policy now" in refused.errors


def test_efficiency_command(tmp_path: Path, liftq: Called) -> None:
    out = tmp_path / "r"
    command = ("evaluate", "efficiency", "ferry", "--sizes", "4-8", "--stride", "4", "--per-size", "2", "--steps", "3")
    assert liftq(*command, "--out", str(out)).code == 0
    timings = Results.read([out]).of(Timing)
    assert [each.size for each in timings] == [4] * NETWORKS + [8] * NETWORKS
    assert len({(each.architecture, each.values) for each in timings}) == NETWORKS
    assert all(each.states == 6 and each.candidates > 6 and each.seconds > 0 for each in timings)
    lines = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(b"".join(lines[:-3]))
    assert liftq(*command, "--out", str(out)).output.count("\n") == 3 + 1
    assert len(Results.read([out]).of(Timing)) == 2 * NETWORKS
    assert "was run with other steps" in liftq(*command[:-1], "9", "--out", str(out)).errors


def test_walks_are_walks_and_the_same_again() -> None:
    plan = Efficiency(Generated(FERRY), per_size=1, steps=10)
    (task,) = plan.tasks(6)
    walk = [choice.state for choice in plan.walk(task)]
    assert walk == [choice.state for choice in plan.walk(task)] and len(walk) == 10
    for before, after in pairwise(walk):
        choice = task.choice(before)
        assert after in {choice.successor(candidate) for candidate in range(len(choice))}


@pytest.mark.parametrize("encoder", ["relational", "object", "object_atom"])
def test_random_networks_have_values(encoder: str) -> None:
    drawn = random_policy(FERRY.domain(), encoder, True, 0)
    assert all(abs(weight).max() <= 1 for weight in drawn.weights.values())
    plan = Efficiency(Generated(FERRY))
    assert np.isfinite(Greedy(drawn).values(next(plan.walk(next(plan.tasks(6)))))).all()


def test_a_policy_is_a_solver(policy: str) -> None:
    alone, searching = load_solver(policy), load_solver(f"{policy}+search")
    assert isinstance(alone, Greedy) and isinstance(searching, Greedy)
    assert (alone.fallback, searching.fallback) == ("none", "search")
    assert architecture(policy) == "R-GNN" and len(digest(policy)) == 16 and digest("lama") == ""
    with pytest.raises(InputError, match="No such file"):
        digest("nowhere/ferry.safetensors")


def test_a_policy_knows_its_domain(policy: str, tmp_path: Path, liftq: Called) -> None:
    out = tmp_path / "r"
    result = liftq("evaluate", "scaling", policy, "--sizes", "3-4", "--out", str(out))
    assert result.code == 0 and "size 3: " in result.output
    assert {each.domain for each in Results.read([out]).of(ScalingAttempt)} == {"ferry"}
    assert Results.read([out]).of(Header)[0].settings["architecture"] == "R-GNN"
    save_policy(policy, random_policy(FERRY.domain(), "relational", True, seed=2))
    assert "is another policy now" in liftq("evaluate", "scaling", policy, "--sizes", "3-5", "--out", str(out)).errors
    refused = liftq("evaluate", "scaling", policy, "--domain", "gripper", "--out", str(tmp_path / "g"))
    assert refused.code == 2 and "does not fit the domain" in refused.errors


def test_a_policy_in_a_suite(policy: str, tmp_path: Path, liftq: Called) -> None:
    problems, out = tmp_path / "ferry", tmp_path / "r"
    liftq("generate", "ferry", "--size", "5", "--count", "2", "--out", str(problems))
    named = policy.replace("/ferry.", "/{domain}.")
    called = liftq("evaluate", "suite", f"{named}+search", "--problems", str(problems), "--out", str(out))
    assert called.code == 0, called.errors
    attempts = Results.read([out]).of(SuiteAttempt)
    assert [each.ending for each in attempts] == [Ending.SOLVED] * 2 and attempts[0].solver == f"{named}+search"
    liftq("generate", "gripper", "--size", "5", "--count", "1", "--out", str(tmp_path / "gripper"))
    liftq("evaluate", "suite", policy, "--problems", str(tmp_path / "gripper"), "--out", str(out))
    assert Results.read([out]).of(SuiteAttempt)[-1].ending is Ending.INVALID_INPUT


def test_evaluation_does_not_need_torch() -> None:
    modules = ("gaps", "efficiency", "scaling.evaluation", "suite.evaluation")
    imports = ", ".join(f"liftq.evaluation.{module}" for module in modules)
    script = f"import sys; sys.modules['torch'] = None; import {imports}"
    subprocess.run([sys.executable, "-c", script], check=True)
