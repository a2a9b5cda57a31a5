from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

import pytest

from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.engine.task import Task
from liftq.errors import InputError
from liftq.pddl.structures import Problem
from liftq.problems.loading import load_domain
from liftq.teachers.fast_downward import find_driver
from liftq.teaching.attempt import Attempt
from liftq.teaching.corpus import Corpus, journal_of
from liftq.teaching.journal import Journal
from liftq.teaching.teach import OneOf, Quota, Row, Teaching, lower_bound
from tests.here import Here

REPOSITORY = Path(__file__).parents[2]


@dataclass
class Scripted:
    """A teacher that solves problems up to a size, all of them in the same time."""

    largest: int = 100
    seconds: float = 0.1
    ending: Ending = Ending.TIME_LIMIT
    optimal: bool = True
    name: str = "scripted"
    asked: list[Problem] = field(default_factory=list)

    def solve(self, task: Task, limits: Limits) -> Trajectory:
        self.asked.append(task.problem)
        ending = Ending.SOLVED if task.problem.size <= self.largest else self.ending
        return Trajectory(ending, cost=0 if ending is Ending.SOLVED else None, seconds=self.seconds, message="why")


def lessons(teacher: Scripted, least: int, most: int, quota: Quota, seconds: float = 10.0, jobs: int = 1) -> Teaching:
    return Teaching(load_domain("ferry"), teacher, Limits(seconds), quota, least, most, jobs=jobs, compute=Here)


def learn(path: Path, given: Teaching) -> list[Attempt]:
    with Journal(path, given.source) as journal:
        return [each.attempt for each in given.teach(given.rows(journal.attempts), journal)]


def counts(attempts: list[Attempt]) -> dict[int, int]:
    return {size: sum(each.size == size for each in attempts) for size in {each.size for each in attempts}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "corpus.jsonl.zst"


def test_all_sizes_get_a_few_before_any_gets_more(path: Path) -> None:
    sizes = [each.size for each in learn(path, lessons(Scripted(), 5, 7, Quota(per_size=12)))]
    assert sizes == [5] * 5 + [6] * 5 + [7] * 5 + [5] * 5 + [6] * 5 + [7] * 5 + [5] * 2 + [6] * 2 + [7] * 2


@pytest.mark.parametrize("hardest", [False, True])
def test_the_teacher_gets_one_of_each_group(path: Path, hardest: bool) -> None:
    teacher = Scripted()
    given = replace(lessons(teacher, 9, 9, Quota(per_size=4)), group=OneOf(3, hardest))
    learn(path, given)
    drawn = [instance.problem for instance in islice(given.source.instances(9), 12)]
    bounds = [lower_bound(given.source.domain, problem) for problem in drawn]
    of_groups = [(max if hardest else min)(bounds[start : start + 3]) for start in range(0, 12, 3)]
    assert [lower_bound(given.source.domain, problem) for problem in teacher.asked] == of_groups
    assert set(of_groups) != set(bounds)  # else it makes no difference here

    learn(path, replace(given, quota=Quota(per_size=6)))  # goes on with the next group, not with a group's second best
    assert teacher.asked[4] not in drawn


def test_small_sizes_end_when_all_their_problems_are_known(path: Path) -> None:
    assert counts(learn(path, lessons(Scripted(), 2, 4, Quota(per_size=8))))[3] == 4


def test_slow_sizes_get_less(path: Path) -> None:
    quota = Quota(per_size=20, slow_per_size=7, slow_seconds=2.0)
    assert counts(learn(path, lessons(Scripted(seconds=3.0), 5, 6, quota))) == {5: 7, 6: 7}


def test_failures_do_not_count_where_problems_are_slow() -> None:
    quota = Quota(per_size=20, slow_per_size=7, slow_seconds=2.0)
    solved = Attempt(5, "", "scripted", Limits(10.0), Ending.SOLVED, seconds=3.0, cost=0)
    failed = replace(solved, ending=Ending.TIME_LIMIT, cost=None)
    assert quota.of([solved] * 4 + [failed] * 6) == 13
    assert quota.of([failed] * 19) == 20


def test_hard_sizes_are_given_up_and_larger_ones_not_tried(path: Path) -> None:
    found = learn(path, lessons(Scripted(largest=6), 5, 20, Quota(per_size=15)))
    assert counts(found) == {5: 15, 6: 15, 7: 5, 8: 5}


@pytest.mark.parametrize("jobs", [1, 3])
def test_more_problems_go_on_where_the_last_lesson_ended(path: Path, jobs: int) -> None:
    teacher = Scripted(largest=6)
    first = learn(path, lessons(teacher, 5, 7, Quota(per_size=6), jobs=jobs))
    assert learn(path, lessons(teacher, 5, 7, Quota(per_size=6), jobs=jobs)) == []
    more = learn(path, lessons(teacher, 5, 7, Quota(per_size=9), jobs=jobs))
    assert counts(more) == {5: 3, 6: 3}
    assert len(set(teacher.asked)) == len(teacher.asked) == len(first) + len(more)


@pytest.mark.parametrize("group", [OneOf(), OneOf(2, hardest=True)])
def test_another_seed_draws_other_problems_which_the_corpus_can_draw_again(path: Path, group: OneOf) -> None:
    asked = {}
    for seed in (0, 7):
        teacher = Scripted()
        learn(path, replace(lessons(teacher, 9, 9, Quota(per_size=3)), seed=seed, group=group, any_plans=True))
        asked[seed] = teacher.asked
        path.rename(path.with_name(f"{seed}.zst"))
    assert not set(asked[0]) & set(asked[7])
    assert [problem for _, problem, _ in Corpus.read(path.with_name("7.zst")).tasks()] == asked[7]


def test_a_size_is_given_up_if_less_than_a_tenth_is_solved() -> None:
    solved = Attempt(5, "", "scripted", Limits(10.0), Ending.SOLVED, seconds=3.0, cost=0)
    failed = replace(solved, ending=Ending.TIME_LIMIT, cost=None)
    tried = {
        count: Row(5, iter(()), [solved] * count[0] + [failed] * count[1])
        for count in ((0, 4), (0, 5), (1, 9), (1, 10))
    }
    assert [count for count, row in tried.items() if row.given_up] == [(0, 5), (1, 10)]


def test_how_many_attempts_there_will_be(path: Path) -> None:
    """All sizes are to get 6; when 7 and 8 are given up after 5, nothing more is to come."""
    given = lessons(Scripted(largest=6), 5, 9, Quota(per_size=6))
    with Journal(path, given.source) as journal:
        progress = list(given.teach(given.rows(journal.attempts), journal))
    assert [(each.tried, each.solved, each.planned) for each in progress[::7]] == [
        (1, 1, 30), (8, 8, 30), (15, 10, 29), (22, 12, 22)
    ]  # fmt: skip


def test_larger_limits_try_failures_again(path: Path) -> None:
    learn(path, lessons(Scripted(largest=5), 5, 6, Quota(per_size=5)))
    again = learn(path, lessons(Scripted(largest=6), 5, 6, Quota(per_size=5), seconds=20.0))
    assert counts(again) == {6: 5}
    assert len(Corpus.read(path).entries) == len(Corpus.read(path).attempts) == 10


@pytest.mark.parametrize("ending", [Ending.SOLVER_MISSING, Ending.INVALID_INPUT])
def test_a_useless_teacher_ends_the_lesson(path: Path, ending: Ending) -> None:
    teacher = Scripted(largest=0, ending=ending)
    with pytest.raises(InputError, match="why"):
        learn(path, lessons(teacher, 5, 9, Quota()))
    assert len(teacher.asked) == 1
    assert not path.exists() and not journal_of(path).exists()


def test_who_stops_listening_loses_nothing(path: Path) -> None:
    given = lessons(Scripted(), 5, 7, Quota(per_size=12))
    with Journal(path, given.source) as journal:
        heard = [each.attempt for each in islice(given.teach(given.rows([]), journal), 8)]
    assert list(Corpus.read(path).attempts) == sorted(heard, key=lambda each: (each.size, each.index))


@pytest.fixture
def counted(tmp_path: Path) -> Path:
    """Fast Downward behind a script that notes each problem it is asked."""
    driver = find_driver()
    if driver is None:
        pytest.skip("Fast Downward is not installed")
    script = tmp_path / "planner.py"
    note = f"open({str(tmp_path / 'asked')!r}, 'a').write(open('problem.pddl').read().replace('\\n', ' ') + '\\n')"
    script.write_text(f"import os, sys\n{note}\nos.execv({driver[0]!r}, [*{driver!r}, *sys.argv[1:]])")
    return script


def start(path: Path, planner: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "liftq", "teach", "ferry", "--sizes", "3-6", "--per-size", "6", "--out", str(path)]
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY), "LIFTQ_FAST_DOWNWARD": str(planner)}
    return subprocess.Popen(
        [*command, "--teacher", "astar(blind())", *options],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def await_lines(process: subprocess.Popen[str], journal: Path, lines: int) -> None:
    while not journal.exists() or journal.read_bytes().count(b"\n") < lines:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def test_a_kill_loses_nothing_and_nothing_is_done_twice(tmp_path: Path, path: Path, counted: Path) -> None:
    kills = (3, 6)  # lines in the journal, its header included
    for lines in kills:
        process = start(path, counted)
        await_lines(process, journal_of(path), lines)
        process.kill()
        process.wait()
    output, _ = start(path, counted).communicate()
    corpus = Corpus.read(path)
    assert f"{len(corpus.entries)} plans, sizes 3-6" in output
    assert counts(list(corpus.entries)) == {3: 4, 4: 6, 5: 6, 6: 6}
    asked = (tmp_path / "asked").read_text().splitlines()
    assert len(set(asked)) == len(corpus.attempts)
    assert len(asked) - len(set(asked)) <= len(kills)  # at most what was running when the kill came
    assert not journal_of(path).exists()


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_says_how_to_continue(path: Path, counted: Path, sign: signal.Signals) -> None:
    process = start(path, counted, "--jobs", "2")
    await_lines(process, journal_of(path), 3)
    process.send_signal(sign)
    output, _ = process.communicate()
    assert process.returncode == 130
    assert "the same command continues" in output
    assert not journal_of(path).exists()
    assert len(Corpus.read(path).entries) >= 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ferry", "--teacher", "lama"], "not known to give optimal plans"),
        (["ferry", "--sizes", "ten"], "not a range"),
        (["ferry", "--easiest-of", "2", "--hardest-of", "2"], "exclude each other"),
        (["ferry", "--teacher", "orbit_search", "--played-by", "ferry"], "exclude each other"),
        (["ferry", "--memory-limit", "much"], "not an amount of memory"),
        (["fery"], "Did you mean ferry"),
    ],
)
def test_bad_options_are_refused(tmp_path: Path, arguments: list[str], said: str) -> None:
    command = [sys.executable, "-m", "liftq", "teach", *arguments]
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert said in done.stderr
    assert not list(tmp_path.iterdir())
