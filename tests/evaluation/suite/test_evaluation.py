"""Suites: every way to go wrong has its ending, and none stops the others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from shutil import copytree
from typing import Any
from unittest.mock import patch

import pytest

from liftq.compute.worker import Lost
from liftq.domains import domain
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.errors import InputError
from liftq.evaluation.result import Results, SuiteAttempt
from liftq.evaluation.suite.evaluation import SuiteEvaluation
from liftq.evaluation.suite.problems import find_problems
from liftq.problems import Purpose
from liftq.problems.generated import Generated
from liftq.problems.problem_set import ProblemSet, of_size
from liftq.teachers.fast_downward import find_driver
from liftq.teachers.orbit_search import OrbitSearch
from tests.evaluation.stand_ins import MARK
from tests.here import Here

NOTHING = Results(())
STAND_INS = "tests.evaluation.stand_ins"
Called = Callable[..., tuple[int, str, str]]


@pytest.fixture
def ferry(tmp_path: Path) -> Path:
    source = Generated(domain("ferry"))
    drawn = of_size(source, 6, 3, 0, Purpose.TRAINING)
    list(ProblemSet(tmp_path / "ferry", source, drawn, 0, Purpose.TRAINING).write())
    return tmp_path / "ferry"


def test_problems_are_found_in_the_layout_of_the_competition(ipc23: Path) -> None:
    files = find_problems([ipc23 / "ferry"])
    assert files[0].name == "ferry/easy/p01.pddl" and files[0].domain == "ferry"
    assert {file.name.split("/")[1] for file in files} == {"easy", "medium", "hard"}
    assert files[0].path == ipc23 / "ferry" / "easy" / "p01.pddl"
    assert find_problems([ipc23 / "ferry" / "easy"]) == [file for file in files if file.path.parent.name == "easy"]
    assert find_problems([ipc23 / "ferry" / "training"])[0].name.startswith("ferry/training/")


def test_domains_are_looked_for_above(ferry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    easy = ferry / "testing" / "easy"
    easy.mkdir(parents=True)
    for file in ferry.glob("p*.pddl"):
        file.rename(easy / file.name)
    expected = [f"ferry/testing/easy/p0{number}.pddl" for number in (1, 2, 3)]
    for folder in (ferry, ferry / "testing", easy):
        files = find_problems([folder])
        assert [file.name for file in files] == expected and {file.domain_path for file in files} == {
            ferry / "domain.pddl"
        }
    monkeypatch.chdir(easy)
    assert [file.name for file in find_problems([Path()])] == expected
    assert [file.name for file in find_problems([Path("../easy")])] == expected


def test_a_domain_can_be_named_or_belong_to_one_problem(ferry: Path, tmp_path: Path) -> None:
    (ferry / "domain.pddl").rename(tmp_path / "boats.pddl")
    files = find_problems([ferry], tmp_path / "boats.pddl")
    assert files[0].name == f"{tmp_path.name}/ferry/p01.pddl" and files[0].domain_path == tmp_path / "boats.pddl"
    elsewhere = tmp_path / "domains"
    elsewhere.mkdir()
    (tmp_path / "boats.pddl").rename(elsewhere / "boats.pddl")
    assert find_problems([ferry], elsewhere / "boats.pddl")[0].name == "ferry/p01.pddl"
    for name in ("domain_p01.pddl", "p02-domain.pddl", "domain03.pddl"):
        (ferry / name).write_text((elsewhere / "boats.pddl").read_text())
    assert [file.domain_path.name for file in find_problems([ferry])] == [
        "domain_p01.pddl",
        "p02-domain.pddl",
        "domain03.pddl",
    ]


def test_collections_with_the_same_problems_are_told_apart(ferry: Path, tmp_path: Path) -> None:
    for collection in ("agile", "optimal"):
        copytree(ferry, tmp_path / "all" / collection / "ferry")
    copytree(ferry, tmp_path / "all" / "agile" / "boats")
    names = [file.name for file in find_problems([tmp_path / "all"])]
    assert names[::3] == ["boats/p01.pddl", "ferry/agile/p01.pddl", "ferry/optimal/p01.pddl"]
    assert find_problems([tmp_path / "all" / "agile" / "ferry"])[0].name == "ferry/p01.pddl"


def test_problems_of_the_same_name_are_refused(ferry: Path, tmp_path: Path) -> None:
    for folder in ("one", "other"):
        copytree(ferry, tmp_path / folder / "agile" / "ferry")
    with pytest.raises(InputError, match=r"would both be ferry/agile/p01\.pddl"):
        find_problems([tmp_path / "one", tmp_path / "other"])


def test_links_and_odd_names_do_not_stop_a_suite(ferry: Path, tmp_path: Path, liftq: Called) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (ferry / "p01.pddl").rename(elsewhere / "q.pddl")
    (ferry / "p01.pddl").symlink_to(elsewhere / "q.pddl")
    (ferry / "p02.pddl").rename(os.fsdecode(os.fsencode(ferry) + b"/p\xff.pddl"))
    (ferry / "p04.pddl").symlink_to("nowhere")
    (ferry / "more").symlink_to(elsewhere)
    (elsewhere / "back").symlink_to(ferry)
    out = str(tmp_path / "r.jsonl")
    command = ("evaluate", "suite", f"{STAND_INS}:Ferryman", "--problems", str(ferry), "--out", out)
    first = liftq(*command)
    assert first.code == 0, first.errors
    endings = {each.problem: str(each.ending) for each in Results.read([Path(out)]).of(SuiteAttempt)}
    assert endings == {
        "ferry/more/q.pddl": "solved",
        "ferry/p01.pddl": "solved",
        "ferry/p03.pddl": "solved",
        "ferry/p04.pddl": "invalid-input",
        "ferry/p\\xff.pddl": "solved",
    }
    assert liftq(*command).output.count("\n") == 2  # nothing is done again


def test_folders_without_problems_or_domains_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no problems"):
        find_problems([tmp_path])
    with pytest.raises(InputError, match="no such folder"):
        find_problems([tmp_path / "x"])
    (tmp_path / "p.pddl").write_text("")
    with pytest.raises(InputError, match=r"no domain\.pddl"):
        find_problems([tmp_path])


@pytest.mark.parametrize(
    ("name", "ending", "says"),
    [
        ("Ferryman", Ending.SOLVED, ""),
        ("Crash", Ending.SOLVER_ERROR, "exit code -11"),
        ("Raise", Ending.SOLVER_ERROR, "ZeroDivisionError: of all things"),
        ("Hang", Ending.TIME_LIMIT, ""),
        ("Hog", Ending.MEMORY_LIMIT, ""),
        ("Liar", Ending.INVALID_PLAN, "goal still lacks"),
        ("Babbler", Ending.INVALID_PLAN, "unknown action `fly`"),
    ],
)
def test_endings(ferry: Path, name: str, ending: Ending, says: str) -> None:
    seconds = 2.0 if name == "Hang" else 60.0
    suite = SuiteEvaluation([f"{STAND_INS}:{name}"], find_problems([ferry])[:1], Limits(seconds, 2 << 30))
    (attempt,) = suite.evaluate(NOTHING)
    assert attempt.ending is ending and says in attempt.message
    assert (attempt.length is not None) == (attempt.cost is not None) == attempt.solved


@pytest.mark.parametrize(
    ("error", "ending"), [(MemoryError(), Ending.MEMORY_LIMIT), (RecursionError("too deep"), Ending.SOLVER_ERROR)]
)
def test_a_failure_outside_of_the_solver_has_an_ending(ferry: Path, error: Exception, ending: Ending) -> None:
    suite = SuiteEvaluation([f"{STAND_INS}:Ferryman"], find_problems([ferry]), Limits(60.0, 2 << 30), compute=Here)
    with patch("liftq.evaluation.suite.single_solve.checked", side_effect=[error, *[Trajectory(Ending.SOLVED)] * 2]):
        assert [attempt.ending for attempt in suite.evaluate(NOTHING)] == [ending, Ending.SOLVED, Ending.SOLVED]


def test_a_process_that_is_lost_has_an_ending(ferry: Path) -> None:
    class Losing(Here):
        def submit(self, function: Callable[..., Any], *arguments: Any, gpu: bool = False) -> Future[Any]:
            future: Future[Any] = Future()
            future.set_exception(Lost(Ending.MEMORY_LIMIT, "the process ended", []))
            return future

    suite = SuiteEvaluation(["greedy_search"], find_problems([ferry])[:1], Limits(60.0), compute=Losing)
    (attempt,) = suite.evaluate(NOTHING)
    assert (attempt.problem, attempt.ending, attempt.message) == (
        "ferry/p01.pddl",
        Ending.MEMORY_LIMIT,
        "the process ended",
    )


def test_a_solver_that_was_used_before_is_not_missing(ferry: Path) -> None:
    suite = SuiteEvaluation([f"{STAND_INS}:Ferryman"], find_problems([ferry])[:2], Limits(60.0), compute=Here)
    missing = Trajectory(Ending.SOLVER_MISSING)
    with patch(
        "liftq.evaluation.suite.single_solve._solve_alone", side_effect=[Trajectory(Ending.TIME_LIMIT), missing]
    ):
        assert [attempt.ending for attempt in suite.evaluate(NOTHING)] == [Ending.TIME_LIMIT, Ending.SOLVER_MISSING]


@pytest.mark.parametrize(
    ("solver", "says"),
    [
        (f"{STAND_INS}:Broken", "RuntimeError: no luck today"),
        (f"{STAND_INS}:Nobody", "has no attribute 'Nobody'"),
        (f"{STAND_INS}:MARK", "has no solve"),
        ("tests.evaluation.crashes_when_imported:Anything", "exit code 9"),
        ("no_such_module:Anything", "--import-from FOLDER"),
        ("ferry.safetensors", "No such file"),
        ("lama", "Fast Downward is not installed"),
    ],
)
def test_a_solver_that_cannot_be_used_stops_it_at_once(
    ferry: Path, liftq: Called, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, solver: str, says: str
) -> None:
    monkeypatch.setenv("LIFTQ_FAST_DOWNWARD", str(tmp_path / "nowhere"))
    out = tmp_path / "r.jsonl"
    called = liftq("evaluate", "suite", solver, "--problems", str(ferry), "--out", str(out))
    assert called.code == 2 and says in called.errors
    assert not out.exists() or Results.read([out]).of(SuiteAttempt) == []


def test_an_unknown_alias_is_not_recorded(ferry: Path, liftq: Called, tmp_path: Path) -> None:
    if find_driver() is None:
        pytest.skip("no Fast Downward")
    for name in ("seq-opt-nothing", "astar(nothing())"):
        called = liftq("evaluate", "suite", name, "--problems", str(ferry), "--out", str(tmp_path / "r"))
        assert called.code == 2 and f"{name} cannot be used" in called.errors


def test_attempts_without_a_solver_are_repeated(ferry: Path) -> None:
    """Results of earlier versions may hold such attempts."""
    suite = SuiteEvaluation(["lama"], find_problems([ferry]), Limits(60.0))
    endings = (Ending.SOLVER_MISSING, Ending.TIME_LIMIT, Ending.INTERRUPTED)
    known = [
        SuiteAttempt("lama", "ferry", 6, ending, 1.0, f"ferry/p0{number}.pddl", 60.0, None)
        for number, ending in enumerate(endings, start=1)
    ]
    assert [file.name for _, file in suite.pairs(known)] == ["ferry/p01.pddl", "ferry/p03.pddl"]


def test_a_folder_of_modules_counts_only_when_named(
    ferry: Path, liftq: Called, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text("from tests.evaluation.stand_ins import Ferryman\n")
    (tmp_path / "json.py").write_text("raise SystemExit('the json.py of the current folder')\n")
    monkeypatch.chdir(tmp_path)
    suite = ("evaluate", "suite", "mine:Ferryman", "--problems", str(ferry), "--out", "r")
    refused = liftq(*suite)
    assert refused.code == 2 and "No module named 'mine'\n  " in refused.errors
    assert "3 solved" in liftq(*suite, "--import-from", ".").output
    scaling = ("evaluate", "scaling", "mine:Ferryman", "--domain", "ferry", "--sizes", "3", "--out", "r")
    refused = liftq(*scaling)
    assert refused.code == 2 and "No module named 'mine'\n  " in refused.errors
    assert "size 3: 4 of 4 solved" in liftq(*scaling, "--import-from", ".").output


def test_a_teacher_of_ours_gets_a_process_too(ferry: Path) -> None:
    suite = SuiteEvaluation(["orbit_search"], find_problems([ferry])[:1], Limits(60.0, 4 << 30))
    with patch.object(OrbitSearch, "solve", side_effect=AssertionError("in this process")):
        (attempt,) = suite.evaluate(NOTHING)
    assert attempt.ending is Ending.SOLVED


def test_a_bundled_policy_is_not_taken_for_a_folder(
    ferry: Path, liftq: Called, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ferry.parent)
    assert "ferry: 3 solved" in liftq("evaluate", "suite", "ferry", "--problems", "ferry", "--out", "r").output


def test_a_problem_that_cannot_be_read_is_counted(ferry: Path) -> None:
    (ferry / "p02.pddl").write_text("(define (problem")
    suite = SuiteEvaluation([f"{STAND_INS}:Ferryman"], find_problems([ferry]), Limits(60.0))
    assert [each.ending for each in suite.evaluate(NOTHING)] == ["solved", "invalid-input", "solved"]


def test_the_reason_is_printed_and_no_name_reaches_the_terminal_raw(ferry: Path, liftq: Called, tmp_path: Path) -> None:
    folder = tmp_path / "do\x1b[31mx"
    ferry.rename(folder)
    (folder / "p\x071.pddl").write_text("(define (problem p) (:domain ferry) (:objects) (:goal (a b)))")
    out = str(tmp_path / "r\x1b")
    _, output, _ = liftq("evaluate", "suite", "greedy_search", "--problems", str(folder), "--out", out)
    (line,) = [each for each in output.splitlines() if "invalid-input" in each and ".pddl" in each]
    assert line.startswith(r"do\x1b[31mx/p\x071.pddl greedy_search: invalid-input")
    assert "there is no `(:init ...)`" in line and output.replace("\n", "").isprintable()


def test_a_stopped_command_continues(ferry: Path, liftq: Called, tmp_path: Path) -> None:
    out = tmp_path / "r.jsonl"
    common = ("evaluate", "suite", "--problems", str(ferry), "--memory-limit", "2G", "--out", str(out), "--jobs", "2")
    first = liftq(*common, f"{STAND_INS}:Ferryman")
    assert first.code == 0 and f"{STAND_INS}:Ferryman: 3 solved" in first.output
    both = liftq(*common, f"{STAND_INS}:Ferryman", f"{STAND_INS}:Liar")
    assert f"{STAND_INS}:Liar: 3 invalid-plan" in both.output
    attempts = Results.read([out]).of(SuiteAttempt)
    assert [each.solver.split(":")[1] for each in attempts] == ["Ferryman"] * 3 + ["Liar"] * 3
    assert {(each.split, each.size) for each in attempts} == {("", 6)}
    assert {each.problem for each in attempts[:3]} == {f"ferry/p0{number}.pddl" for number in (1, 2, 3)}


def test_killed_and_resumed(ferry: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MARK, str(tmp_path / "mark"))
    out = tmp_path / "r.jsonl"
    arguments = ["--problems", str(ferry), "--memory-limit", "2G", "--out", str(out)]
    command = [sys.executable, "-m", "liftq", "evaluate", "suite", f"{STAND_INS}:Slow", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    while not out.exists() or out.read_bytes().count(b"\n") < 2:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = out.read_bytes()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    assert out.read_bytes().startswith(before)
    assert sorted(each.problem for each in Results.read([out]).of(SuiteAttempt)) == [
        "ferry/p01.pddl",
        "ferry/p02.pddl",
        "ferry/p03.pddl",
    ]


def test_lama_on_problems_of_the_competition(ipc23: Path, liftq: Called, tmp_path: Path) -> None:
    if find_driver() is None:
        pytest.skip("no Fast Downward")
    folder = tmp_path / "ferry" / "easy"
    folder.mkdir(parents=True)
    for name in ("domain.pddl", "easy/p01.pddl", "easy/p02.pddl"):
        (tmp_path / "ferry" / name).write_bytes((ipc23 / "ferry" / name).read_bytes())
    out = tmp_path / "r.jsonl"
    solvers = ("lama", "lama-first", f"{STAND_INS}:Ferryman")
    assert liftq("evaluate", "suite", *solvers, "--problems", str(tmp_path / "ferry"), "--out", str(out)).code == 0
    attempts = Results.read([out]).of(SuiteAttempt)
    assert len(attempts) == 6 and all(each.solved and each.split == "easy" for each in attempts)
    lengths = {(each.solver, each.problem): each.length for each in attempts}
    assert lengths["lama", "ferry/easy/p02.pddl"] == lengths["lama-first", "ferry/easy/p02.pddl"]


def attempt(solver: str, problem: str, length: int | None, seconds: float = 1.0) -> SuiteAttempt:
    ending = Ending.TIME_LIMIT if length is None else Ending.SOLVED
    return SuiteAttempt(solver, "d", 5, ending, seconds, problem, 60.0, None, length=length)


@pytest.mark.parametrize(
    ("seconds", "memory_bytes", "left"), [(10.0, 2**30, 2), (20.0, 2**30, 3), (10.0, 2**31, 3), (None, None, 3)]
)
def test_what_was_done_under_other_limits_is_done_again(
    ferry: Path, seconds: float | None, memory_bytes: int | None, left: int
) -> None:
    done = SuiteAttempt("lama", "ferry", 6, Ending.TIME_LIMIT, 10.0, "ferry/p02.pddl", 10.0, 2**30)
    suite = SuiteEvaluation(["lama"], find_problems([ferry]), Limits(seconds, memory_bytes))
    assert len(suite.pairs([done])) == left
    assert len(suite.pairs([])) == 3
