"""liftq through the interface of Unified Planning: its example problems, and problems read by its PDDL reader."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import unified_planning.shortcuts as up
from unified_planning.engines import PlanGenerationResultStatus as Status
from unified_planning.engines.results import FailedValidationReason
from unified_planning.environment import Environment
from unified_planning.exceptions import UPUsageError
from unified_planning.io import PDDLReader
from unified_planning.model import Problem
from unified_planning.plans import SequentialPlan

from liftq.errors import InputError
from liftq.pddl import parse_domain, parse_problem
from liftq.policies.policy_file import save_policy
from liftq.unified_planning import engine, register
from liftq.unified_planning.engine import LiftqEngine
from liftq.unified_planning.translation import Translation
from liftq.zoo import solver
from tests.policies.untrained import policy_of
from tests.unified_planning.examples import EXAMPLES, SUPPORTED, files, is_valid


def solve(problem: Problem, timeout: float | None = None, **options: Any) -> Any:
    with up.OneshotPlanner(name="liftq", params=options) as planner:
        return planner.solve(problem, timeout=timeout)


def untrained_policy(problem: Problem, folder: Path) -> str:
    path = folder / "untrained.safetensors"
    save_policy(path, policy_of(parse_domain(Translation(problem).domain_text)))
    return str(path)


def readable(problem: Problem) -> bool:
    try:
        translation = Translation(problem)
        parse_problem(translation.problem_text, parse_domain(translation.domain_text))
    except InputError:
        return False
    return True


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_supported_kind_is_what_can_be_read(name: str) -> None:
    problem = EXAMPLES[name].problem
    undefined = "UNDEFINED_INITIAL_SYMBOLIC" in problem.kind.features  # PDDL would take that for false
    assert LiftqEngine.supports(problem.kind) == (readable(problem) and not undefined)


@pytest.mark.parametrize("name", SUPPORTED)
def test_examples_of_unified_planning(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    result = solve(example.problem, policy=untrained_policy(example.problem, tmp_path))
    assert result.status == (Status.SOLVED_SATISFICING if example.solvable else Status.UNSOLVABLE_PROVEN)
    if example.solvable:
        assert is_valid(example.problem, result.plan)


def test_without_a_policy_there_is_a_search(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="no bundled policy fits"):
        result = solve(EXAMPLES["robot_loader"].problem)
    assert (result.status, result.metrics["policy"]) == (Status.SOLVED_SATISFICING, "none")
    paths = files("ferry", 8, tmp_path)
    result = solve(PDDLReader().parse_problem(*map(str, paths)), policy="none")
    assert result.metrics["policy"] == "none"
    direct, _ = solver.solve(*paths, policy="none")
    assert len(result.plan.actions) == len(direct.plan)


@pytest.mark.parametrize("name", SUPPORTED)
def test_validator_on_examples(name: str) -> None:
    example = EXAMPLES[name]
    with up.PlanValidator(name="liftq") as validator, up.PlanValidator(name="sequential_plan_validator") as other:
        for plan in (*example.valid_plans, *example.invalid_plans):
            own, theirs = validator.validate(example.problem, plan), other.validate(example.problem, plan)
            assert (own.status, own.reason) == (theirs.status, theirs.reason)
            assert str(own.inapplicable_action) == str(theirs.inapplicable_action)
            assert (own.metric_evaluations or None) == (theirs.metric_evaluations or None)
            assert (plan in example.valid_plans) == bool(own.status)


@pytest.mark.parametrize("name", ["blocksworld", "ferry", "satellite", "logistics", "transport"])
def test_same_plans_as_without_unified_planning(name: str, tmp_path: Path) -> None:
    paths = files(name, 18, tmp_path)
    result = solve(PDDLReader().parse_problem(*map(str, paths)))
    direct, _ = solver.solve(*paths)
    assert result.status == Status.SOLVED_SATISFICING
    plan = [f"({' '.join([each.action.name, *map(str, each.actual_parameters)])})" for each in result.plan.actions]
    assert plan == [str(action) for action in direct.plan]
    assert result.metrics["policy"] == direct.policy and direct.policy.removesuffix("-2") == name
    assert int(result.metrics["passes"]) == direct.passes


def test_plans_get_better(tmp_path: Path) -> None:
    """Until one is proven to be a shortest."""
    problem = PDDLReader().parse_problem(*map(str, files("logistics", 14, tmp_path, number=1)))
    with up.AnytimePlanner(name="liftq", params={"policy": "none"}) as planner:
        *earlier, last = planner.get_solutions(problem)
    lengths = [len(result.plan.actions) for result in earlier]
    assert len(lengths) > 2
    assert lengths == sorted(set(lengths), reverse=True) and {each.status for each in earlier} == {Status.INTERMEDIATE}
    assert (last.status, len(last.plan.actions)) == (Status.SOLVED_OPTIMALLY, lengths[-1])
    assert is_valid(problem, last.plan)


def test_options_and_the_time_that_is_left_reach_the_solver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    problem = PDDLReader().parse_problem(*map(str, files("ferry", 10, tmp_path)))
    solved, improved, plain = [], [], solver.solve

    def solve(*arguments: Any, **options: Any) -> Any:
        solved.append((*arguments[2:], options))
        return plain(*arguments, **options)

    monkeypatch.setattr(solver, "solve", solve)
    monkeypatch.setattr(engine, "cheaper_plans", lambda *given: improved.append(given[2:]) or iter(()))
    options = {"policy": "ferry", "threads": 2, "memory_bytes": 2**31}
    with up.AnytimePlanner(name="liftq", params=options) as planner:
        list(planner.get_solutions(problem, timeout=1000))
    ((policy, limits, others),), ((later, bound),) = solved, improved
    assert (policy, limits.memory_bytes, others) == ("ferry", 2**31, {"threads": 2, "old_plan": None})
    assert 0 < later.seconds < limits.seconds < 1000 and later.memory_bytes == 2**31
    assert bound > 0  # the formula of ferry


def test_faulty_plans(tmp_path: Path) -> None:
    problem = PDDLReader().parse_problem(*map(str, files("ferry", 10, tmp_path)))
    plan = solve(problem).plan
    first, *rest = plan.actions
    with up.PlanValidator(name="liftq") as validator:
        missing = validator.validate(problem, SequentialPlan(plan.actions[:-1]))
        assert (bool(missing.status), missing.reason) == (False, FailedValidationReason.UNSATISFIED_GOALS)
        doubled = validator.validate(problem, SequentialPlan([first, first, *rest]))
        assert doubled.reason == FailedValidationReason.INAPPLICABLE_ACTION
        assert doubled.inapplicable_action is first


def test_limits_and_refusals(tmp_path: Path) -> None:
    problem = PDDLReader().parse_problem(*map(str, files("ferry", 200, tmp_path)))
    result = solve(problem, timeout=1e-6)
    assert (result.status, result.plan) == (Status.TIMEOUT, None)
    assert solve(problem, memory_bytes=1000).status == Status.MEMOUT
    wrong = solve(problem, policy="blocksworld")
    assert wrong.status == Status.UNSUPPORTED_PROBLEM
    assert "does not fit" in wrong.log_messages[0].message
    with pytest.raises(UPUsageError, match="no bundled policy `fery`"):
        up.OneshotPlanner(name="liftq", params={"policy": "fery"})


@pytest.mark.parametrize(
    "name", ["basic_numeric", "basic_oversubscription", "robot_fluent_of_user_type", "matchcellar"]
)
def test_unsupported_problems_are_reported(name: str) -> None:
    with pytest.warns(UserWarning, match="cannot establish"):
        result = solve(EXAMPLES[name].problem)
    assert (result.status, result.plan) == (Status.UNSUPPORTED_PROBLEM, None)
    assert result.log_messages


def test_output_and_ignored_heuristic(tmp_path: Path) -> None:
    problem = PDDLReader().parse_problem(*map(str, files("ferry", 10, tmp_path)))
    stream = StringIO()
    with up.OneshotPlanner(name="liftq") as planner, pytest.warns(UserWarning, match="ignores the heuristic"):
        planner.solve(problem, heuristic=lambda state: 0.0, output_stream=stream)
    assert "solved" in stream.getvalue()


def test_each_environment_registers_the_engine_once() -> None:
    environment = Environment()
    assert "liftq" not in environment.factory.engines
    register(environment)
    register(environment)
    assert environment.factory.preference_list.count("liftq") == 1


def test_the_example_of_the_documentation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    files("blocksworld", 6, tmp_path)
    monkeypatch.chdir(tmp_path)
    text = (Path(__file__).parents[2] / "docs" / "unified_planning.md").read_text()
    exec(text.partition("```python\n")[2].partition("```")[0], {})
    assert "SOLVED_SATISFICING" in (printed := capsys.readouterr().out)
    assert "VALID" in printed.splitlines()[-1]
