"""What every bundled domain must do."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import textwrap
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from liftq.domains import Dice, Generator, domain, domains
from liftq.engine.plan_file import read_plan
from liftq.engine.validator import validate
from liftq.errors import InputError
from liftq.pddl import parse_domain, parse_problem
from liftq.pddl.writer import write_domain, write_problem
from liftq.problems import Purpose
from liftq.problems.fingerprint import fingerprint, solved_at_start
from liftq.problems.generated import Generated
from tests.examples import examples

every_domain = pytest.mark.parametrize("name", domains())

SMALLEST = {"blocksworld": 2, "childsnack": 8, "ferry": 3, "floortile": 7, "rovers": 10, "satellite": 5, "transport": 6}
SMALLEST |= {"gripper": 1, "logistics": 6, "visitall": 4, "miconic": 3, "spanner": 6, "sokoban": 37}

# Sizes of the training problems in the paper on Q-value policies, Table 5.
PAPER = {"blocksworld": (2, 16), "childsnack": (8, 38), "ferry": (3, 25), "floortile": (7, 18), "rovers": (10, 26)}
PAPER |= {"satellite": (5, 31), "transport": (6, 38), "gripper": (2, 25), "logistics": (6, 40)}


def sizes(name: str, most: int = 70) -> list[int]:
    return Generated(domain(name)).sizes(1, most)


@pytest.mark.parametrize("name", SMALLEST)
def test_the_smallest_size_is_that_of_the_manual(name: str) -> None:
    assert sizes(name)[0] == SMALLEST[name]


@every_domain
def test_there_are_problems_of_the_smallest_size(name: str) -> None:
    smallest = sizes(name)[0]
    assert next(Generated(domain(name)).instances(smallest)).problem.size == smallest


@pytest.mark.parametrize("name", PAPER)
def test_the_sizes_of_the_paper_are_attainable(name: str) -> None:
    least, most = PAPER[name]
    assert Generated(domain(name)).sizes(least, most) == list(range(least, most + 1))


def test_visitall_has_the_sizes_of_the_paper() -> None:
    assert Generated(domain("visitall")).sizes(1, 81) == [4, 9, 16, 25, 36, 49, 64, 81]


@every_domain
@examples(40)
def test_drawn_problems_have_the_given_parameters(name: str, rng: Random) -> None:
    size, seed = rng.choice(sizes(name)), rng.getrandbits(32)
    generator = domain(name)
    parameters = generator.of_size(size, Dice(seed))
    assert parameters is not None and parameters.size == size
    assert parameters == generator.with_parameters(parameters.parameters)
    assert eval(generator.formula, {}, parameters.parameters) == size
    problem = parameters.sample(Dice(seed))
    assert problem.size == len({each.name for each in problem.objects}) == size
    assert len(set(problem.init)) == len(problem.init)
    assert len(set(problem.goal)) == len(problem.goal)
    again = parse_problem(write_problem(problem), generator.domain())
    assert fingerprint(again) == fingerprint(problem)
    assert again.objects == problem.objects and again.domain_name == problem.domain_name


@every_domain
def test_a_stream_has_no_problem_twice_and_none_solved(name: str) -> None:
    for size in sizes(name)[:4]:
        source = Generated(domain(name))
        instances = list(islice(source.instances(size), 60))
        assert instances
        assert not any(solved_at_start(source.domain, each.problem) for each in instances)
        assert len({each.fingerprint for each in instances}) == len(instances)
        assert all(each.fingerprint == fingerprint(each.problem) for each in instances)


@every_domain
def test_an_instance_can_be_drawn_again(name: str) -> None:
    source = Generated(domain(name))
    for instance in islice(source.instances(sizes(name)[3], 7, Purpose.EVALUATION), 5):
        parameters = source.generator.with_parameters(instance.parameters)
        assert source.draw(parameters, instance.index, 7, Purpose.EVALUATION) == instance.problem


@every_domain
def test_seeds_and_purposes_differ(name: str) -> None:
    source, size = Generated(domain(name)), sizes(name)[3]
    streams = [
        tuple(each.fingerprint for each in islice(source.instances(size, seed, purpose), 4))
        for seed in range(3)
        for purpose in Purpose
    ]
    assert len(set(streams)) == len(streams)


@every_domain
def test_the_text_of_the_domain_survives(name: str) -> None:
    parsed = domain(name).domain()
    assert parse_domain(write_domain(parsed)) == parsed


@every_domain
def test_large_problems(name: str) -> None:
    source = Generated(domain(name))
    size = source.sizes(100 if name == "rovers" else 900, 1000)[0]  # rovers' atoms grow with the cube of the size
    assert next(source.instances(size)).problem.size == size


@every_domain
def test_parameters_out_of_range_are_refused(name: str) -> None:
    smallest = domain(name).of_size(sizes(name)[0], Dice())
    assert smallest is not None
    for parameter in smallest.parameters:
        with pytest.raises(InputError, match=f"{parameter}=-1 is out of range"):
            domain(name).with_parameters(smallest.parameters | {parameter: -1})


def digests(seed: int) -> dict[str, list[str]]:
    return {
        name: [each.fingerprint for each in islice(Generated(domain(name)).instances(sizes(name)[5], seed), 3)]
        for name in domains()
    }


def test_the_same_seed_gives_the_same_problems_in_another_process() -> None:
    program = """
        import json
        from itertools import islice
        from liftq.domains import domain, domains
        from liftq.problems.generated import Generated

        found = {}
        for name in domains():
            source = Generated(domain(name))
            stream = source.instances(source.sizes(1, 70)[5], 11)
            found[name] = [each.fingerprint for each in islice(stream, 3)]
        print(json.dumps(found))
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    paths = os.pathsep.join(sys.path)
    for hash_seed in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": paths}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert json.loads(done.stdout) == digests(11)


@pytest.fixture(scope="session")
def fast_downward() -> Path:
    spec = importlib.util.find_spec("up_fast_downward")
    if spec is None or not spec.submodule_search_locations:
        pytest.skip("up-fast-downward is not installed")
    return Path(spec.submodule_search_locations[0]) / "downward" / "fast-downward.py"


@every_domain
def test_small_problems_are_solvable(name: str, fast_downward: Path, tmp_path: Path) -> None:
    source = Generated(domain(name))
    (tmp_path / "domain.pddl").write_text(source.pddl)
    for size in (sizes(name)[0], sizes(name)[1], sizes(name)[4]):
        problem = next(source.instances(size, seed=size)).problem
        (tmp_path / "problem.pddl").write_text(write_problem(problem))
        command = [sys.executable, str(fast_downward), "--plan-file", "plan", "--overall-time-limit", "60s"]
        command += ["--alias", "lama-first", "domain.pddl", "problem.pddl"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-2000:]
        plan = read_plan(tmp_path / "plan", source.domain, problem)
        assert validate(source.domain, problem, plan).valid


def test_a_generator_is_looked_up_by_name() -> None:
    assert issubclass(domain("ferry"), Generator)
    with pytest.raises(InputError, match="Did you mean ferry"):
        domain("fery")
    with pytest.raises(InputError, match="There are blocksworld, childsnack"):
        domain("xyzzy")
