"""The scaling evaluation with solvers whose coverage is known."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from liftq.domains import domain
from liftq.engine.solver import Ending, Limits
from liftq.errors import InputError
from liftq.evaluation.result import Exhausted, Invocation, Record, Results, ScalingAttempt
from liftq.evaluation.scaling.curve import Stop, coverages_of, curve
from liftq.evaluation.scaling.evaluation import ScalingEvaluation
from liftq.evaluation.scaling.interval import is_precise, is_settled
from liftq.evaluation.scaling.protocol import Scaling
from liftq.problems import Purpose
from liftq.problems.coverage import Coverage
from liftq.problems.fingerprint import fingerprint
from liftq.problems.generated import Generated
from liftq.problems.structure import UpToNames
from liftq.teaching.attempt import Attempt
from liftq.teaching.journal import Journal
from tests.evaluation.stand_ins import MARK, Coin, Ferryman, chance, timeless

FERRY = Generated(domain("ferry"))
SIZES = range(6, 40)
STAND_INS = "tests.evaluation.stand_ins"
NOTHING = Results(())
Called = Callable[..., tuple[int, str, str]]


def evaluation(name: str, sizes: tuple[int, int] = (6, 39), jobs: int = 1) -> ScalingEvaluation:
    return ScalingEvaluation(f"{STAND_INS}:{name}", "ferry", sizes, jobs=jobs)


@pytest.fixture(scope="module")
def coin() -> list[Record]:
    return list(Scaling(FERRY, f"{STAND_INS}:Coin").evaluate(Coin(), SIZES))


def test_sizes_stop_at_100_but_for_visitall() -> None:
    assert Scaling(FERRY, "p").sizes() == list(range(3, 101))
    assert Scaling(Generated(domain("visitall")), "p").sizes()[-2:] == [900, 961]
    assert Scaling(FERRY, "p").sizes(5, 7) == [5, 6, 7]
    with pytest.raises(InputError, match=r"ferry has no problems of these sizes\n  It has 3, 4, 5"):
        Scaling(FERRY, "p").sizes(1, 2)


def test_sizes_are_settled_by_just_enough_runs(coin: list[Record]) -> None:
    coverages = coverages_of(coin)
    made = curve(SIZES, coverages)
    assert made.stop is Stop.FAILED and made.scale is not None and 17 <= made.scale <= 21
    assert made.coverages[-1].share < 0.3 and made.coverages[-2].share < 0.3
    for size, coverage in coverages.items():
        before = [each for each in coin if each.size == size][:-1]
        assert is_settled(coverage) and not is_precise(sum(each.solved for each in before), len(before))
        assert abs(coverage.share - chance(size)) < 0.2
    assert made.scov == pytest.approx(sum(each.share for each in made.coverages))
    assert coverages[6].runs == 14


def test_attempts_can_be_repeated_from_their_records(coin: list[Record]) -> None:
    record = next(each for each in coin if isinstance(each, ScalingAttempt) and each.number == 5 and each.solved)
    generator = domain("ferry").with_parameters(record.parameters)
    drawn = FERRY.draw(generator, record.index, record.seed, Purpose.EVALUATION)
    assert fingerprint(drawn) == record.fingerprint and record.step_limit == 100 + record.size
    again = Scaling(FERRY, record.solver).instances(record.size, start=5)
    assert next(again).fingerprint == record.fingerprint


@pytest.mark.parametrize("jobs", [1, 3])
def test_several_processes_give_the_same_results(coin: list[Record], jobs: int) -> None:
    records = list(evaluation("Coin", jobs=jobs).evaluate(NOTHING))
    made = curve(SIZES, coverages_of(records))
    assert made == curve(SIZES, coverages_of(coin))
    within = [each for each in records if each.size <= made.scale]
    assert timeless(within) == timeless(coin)


def test_known_results_are_not_measured_again(coin: list[Record]) -> None:
    some = [each for each in coin if each.size < 9 or (each.size == 12 and each.number < 8)]
    new = list(evaluation("Coin", jobs=2).evaluate(Results(tuple(some))))
    last = max(each.size for each in coin)
    assert timeless([*some, *(each for each in new if each.size <= last)]) == timeless(coin)


def test_small_sizes_run_out_of_problems() -> None:
    records = list(Scaling(FERRY, "p").evaluate(Ferryman(), [3]))
    assert isinstance(records[-1], Exhausted)
    assert len({each.fingerprint for each in records[:-1]}) == len(records) - 1 < 14
    assert curve([3], coverages_of(records)).scov == 1


def test_known_problems_do_not_come_up() -> None:
    first = next(Scaling(FERRY, "p").instances(5))
    others = Scaling(FERRY, "p", seen=UpToNames.of([first.problem])).instances(5)
    assert next(others).fingerprint != first.fingerprint


def test_known_problems_are_played_where_there_are_no_others() -> None:
    every = {each.fingerprint: each.problem for each in Scaling(FERRY, "p").instances(3)}
    first, *others = sorted(every)
    seen = [every[digest] for digest in others]
    records = list(Scaling(FERRY, "p", seen=seen).evaluate(Ferryman(), [3]))
    attempts = [each for each in records if isinstance(each, ScalingAttempt)]
    assert [each.seen for each in attempts] == [False, *[True] * len(others)]
    assert attempts[0].fingerprint == first and {each.fingerprint for each in attempts} == every.keys()
    up_to_names = list(Scaling(FERRY, "p", seen=UpToNames.of(seen)).evaluate(Ferryman(), [3]))
    assert all(each.seen for each in up_to_names if isinstance(each, ScalingAttempt))


def test_problems_of_a_corpus_and_others_that_were_seen_are_left_out(tmp_path: Path) -> None:
    drawn = Scaling(FERRY, "p").instances(9)
    learned = next(FERRY.instances(9))
    seen = UpToNames.of(each.problem for each in islice(drawn, 1, 2))
    plan = {"ending": Ending.SOLVED, "seconds": 1.0, "cost": 0, "seed": 0, "index": learned.index}
    with Journal(tmp_path / "plans.zst", FERRY) as journal:
        attempt = Attempt(9, learned.fingerprint, "orbit_search", Limits(), parameters=learned.parameters, **plan)
        journal.append(attempt)
    asked = evaluation("Ferryman", (9, 9))
    careful = replace(asked, without=tmp_path / "plans.zst", seen=seen)
    assert careful.scaling.seen == seen | UpToNames.of([learned.problem])
    assert careful.settings()["kept_apart"] == 2
    first, second, *_ = asked.evaluate(NOTHING)
    numbers = {each.index for each in careful.evaluate(NOTHING)}
    assert first.index in numbers and second.index not in numbers


def test_coverages_are_counted_by_size() -> None:
    def attempt(size: int, number: int, ending: Ending, length: int | None = None, late: bool = False) -> Record:
        end = (number, 0, number, {}, 100 + size, 0, late)
        return ScalingAttempt("p", "ferry", size, ending, 0.1, *end, length=length)

    records = [
        attempt(5, 0, Ending.SOLVED, 10),
        attempt(5, 1, Ending.SOLVED, 20),
        attempt(5, 2, Ending.STEP_LIMIT, 120, late=True),
        attempt(5, 3, Ending.DEAD_END),
        attempt(5, 1, Ending.DEAD_END),  # once more: the first one counts
        attempt(7, 0, Ending.SOLVED, 9),
        Exhausted("p", "ferry", 7, 0),
        Exhausted("p", "ferry", 6, 0),
    ]
    assert coverages_of(records) == {
        5: Coverage(5, solved=2, runs=4, plan_length=15.0, late=1),
        6: Coverage(6, 0, 0, exhausted=True),
        7: Coverage(7, 1, 1, 9.0, exhausted=True),
    }


def test_seed_and_patience_reach_the_processes_that_solve() -> None:
    asked = replace(evaluation("Dawdler", (8, 8)), seed=3, steps_beyond=1000)
    first = next(iter(asked.evaluate(NOTHING)))
    assert isinstance(first, ScalingAttempt) and (first.seed, first.late) == (3, True)
    drawn = [next(Scaling(FERRY, "p", seed).instances(8)).fingerprint for seed in (3, 0)]
    assert first.fingerprint == drawn[0] != drawn[1]


def test_a_crash_is_an_attempt_and_does_not_stop_the_others() -> None:
    records = list(evaluation("SometimesCrash", (6, 7), jobs=2).evaluate(NOTHING))
    endings = Counter(each.ending for each in records)
    assert endings.keys() == {Ending.SOLVED, Ending.SOLVER_ERROR}
    crashed = next(each for each in records if not each.solved)
    assert "code 7" in crashed.message and int(crashed.fingerprint, 16) % 16 == 0
    assert curve([6, 7], coverages_of(records)).stop is Stop.LAST_SIZE


@pytest.mark.parametrize(
    ("name", "says"),
    [("Broken", "RuntimeError: no luck today"), ("Nobody", "has no attribute"), ("MARK", "has no solve")],
)
def test_a_solver_that_cannot_be_loaded_is_an_error(name: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        list(evaluation(name, (6, 6)).evaluate(NOTHING))


def test_command(tmp_path: Path, liftq: Called) -> None:
    arguments = ("evaluate", "scaling", f"{STAND_INS}:Coin", "--domain", "ferry", "--sizes", "6-30")
    out = ("--out", str(tmp_path / "r.jsonl"))
    result = liftq(*arguments, *out, "--jobs", "2")
    assert result.code == 0 and "size 6: 14 of 14 solved (81-100 %)" in result.output
    assert "coverage below 30 % twice; results in" in result.output.splitlines()[-1]
    size = (tmp_path / "r.jsonl").stat().st_size
    assert liftq(*arguments, *out).output == result.output.splitlines()[-1] + "\n"
    assert (tmp_path / "r.jsonl").stat().st_size == size
    (header,) = Results.read([tmp_path / "r.jsonl"]).of(Invocation)
    assert header.settings["sizes"] == list(range(6, 31)) and "--sizes 6-30" in header.command
    refused = liftq(*arguments, *out, "--steps-beyond", "9")
    assert refused.code == 2 and "was run with other steps_beyond" in refused.errors


def test_only_the_same_solver_domain_and_seed_can_contradict_earlier_results() -> None:
    asked = evaluation("Coin")
    other = {"steps_beyond": 9, "without": "plans.zst", "kept_apart": 7}
    earlier = asked.settings()
    assert asked.conflict(earlier) is None
    for key, value in other.items():
        assert f"was run with other {key}" in str(asked.conflict(earlier | {key: value}))
    assert "is another policy now" in str(asked.conflict(earlier | {"digest": "0123"}))
    for elsewhere in ({"kind": "suite"}, {"solver": "ferry"}, {"domain": "gripper"}, {"seed": 1}):
        assert asked.conflict(earlier | other | elsewhere) is None


def test_a_process_that_dies_while_loading_is_an_error() -> None:
    dying = ScalingEvaluation("tests.evaluation.crashes_when_imported:Anything", "ferry", (6, 6))
    with pytest.raises(InputError, match="cannot be loaded: the process ended with exit code 9"):
        list(dying.evaluate(NOTHING))


def test_modules_of_the_current_folder_are_not_run(tmp_path: Path) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('the json.py of the current folder')\n")
    command = [sys.executable, "-P", "-m", "liftq", "evaluate", "scaling", "ferry", "--sizes", "3"]
    called = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert called.returncode == 0, called.stderr


def test_killed_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MARK, str(tmp_path / "mark"))
    out = tmp_path / "r.jsonl"
    arguments = [
        "scaling",
        f"{STAND_INS}:Slow",
        "--domain",
        "ferry",
        "--sizes",
        "8-12",
        "--jobs",
        "2",
        "--out",
        str(out),
    ]
    command = [sys.executable, "-m", "liftq", "evaluate", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while not out.exists() or out.read_bytes().count(b"\n") < 10:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = out.read_bytes()
    wait_for_silence(tmp_path / "mark")
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    assert out.read_bytes().startswith(before)
    records = Results.read([out]).of(ScalingAttempt)
    assert len({(each.size, each.number) for each in records}) == len(records)
    alone = list(Scaling(FERRY, "p").evaluate(Coin(), range(8, 13)))
    key = [(each.size, each.number, each.fingerprint, each.ending) for each in timeless(records)]
    assert key == [(each.size, each.number, each.fingerprint, each.ending) for each in timeless(alone)]


def wait_for_silence(mark: Path) -> None:
    """No worker outlives its caller by more than the solve that it is at."""
    for _ in range(100):
        before = mark.stat().st_size
        time.sleep(0.3)
        if mark.stat().st_size == before:
            return
    pytest.fail("workers go on without anyone to work for")
