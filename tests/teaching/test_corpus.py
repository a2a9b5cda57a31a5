from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from liftq.engine.solver import Action, Ending, Limits
from liftq.errors import InputError
from liftq.pddl.writer import write_domain, write_problem
from liftq.problems import ProblemSource
from liftq.problems.loading import load_domain
from liftq.teaching.attempt import Attempt, Header
from liftq.teaching.corpus import Corpus, compress, journal_of
from liftq.teaching.journal import Journal
from tests.examples import examples, json_value

LIMITS = Limits(10.0, 2**30)


def attempts(source: ProblemSource, size: int, count: int) -> list[Attempt]:
    """Not real plans: a corpus does not look into them."""
    drawn = source.instances(size)
    return [
        Attempt(
            size=size,
            fingerprint=each.fingerprint,
            teacher="astar(lmcut())",
            limits=LIMITS,
            ending=Ending.SOLVED if number % 2 == 0 else Ending.TIME_LIMIT,
            seconds=0.5,
            cost=2 if number % 2 == 0 else None,
            plan=(Action("sail", ("l1", "l2")), Action("wait", ())) if number % 2 == 0 else (),
            parameters=each.parameters,
            seed=0,
            index=each.index,
        )
        for number, each in zip(range(count), drawn, strict=False)
    ]


@pytest.fixture
def ferry() -> ProblemSource:
    return load_domain("ferry")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ferry.jsonl.zst"


def write(path: Path, source: ProblemSource, *wanted: Attempt) -> None:
    with Journal(path, source) as journal:
        for attempt in wanted:
            journal.append(attempt)


def test_what_is_written_is_read(path: Path, ferry: ProblemSource) -> None:
    wanted = attempts(ferry, 5, 6)
    write(path, ferry, *wanted)
    corpus = Corpus.read(path)
    assert list(corpus.attempts) == wanted
    assert corpus.entries == tuple(wanted[::2])
    assert sorted(path.parent.iterdir()) == [path]  # neither a journal nor a temporary file is left


def test_problems_are_drawn_again(path: Path, ferry: ProblemSource) -> None:
    write(path, ferry, *attempts(ferry, 7, 5))
    drawn = [instance.problem for instance, _ in zip(ferry.instances(7), range(5), strict=False)]
    assert [problem for _, problem, _ in Corpus.read(path).tasks()] == drawn[::2]


def test_a_changed_generator_is_noticed(path: Path, ferry: ProblemSource) -> None:
    write(path, ferry, replace(attempts(ferry, 5, 1)[0], fingerprint="0" * 32))
    with pytest.raises(InputError, match="generator has changed"):
        list(Corpus.read(path).tasks())


def test_a_folder_is_stored_as_text(tmp_path: Path, ferry: ProblemSource) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "domain.pddl").write_text(write_domain(ferry.domain))
    instance = next(ferry.instances(4))
    (tmp_path / "own" / "p1.pddl").write_text(write_problem(instance.problem))
    own = load_domain(tmp_path / "own")
    attempt = replace(attempts(ferry, 4, 1)[0], parameters=None, seed=None, index=None)
    write(tmp_path / "own.zst", own, replace(attempt, pddl=write_problem(instance.problem)))
    corpus = Corpus.read(tmp_path / "own.zst")
    assert Header.of(own).pddl is not None
    assert [(domain, problem) for domain, problem, _ in corpus.tasks()] == [(ferry.domain, instance.problem)]


def test_a_problem_is_read_once_and_errors_tell_where(tmp_path: Path, ferry: ProblemSource) -> None:
    """Each run of a learning reads a copy of the corpus."""
    (attempt,) = attempts(ferry, 5, 1)
    text = write_problem(next(ferry.instances(5)).problem)
    for name in ("one.zst", "two.zst"):
        write(tmp_path / name, ferry, replace(attempt, pddl=text))
    one, two = (Corpus.read(tmp_path / name) for name in ("one.zst", "two.zst"))
    assert one.problem(one.entries[0]) is two.problem(two.entries[0])
    for corpus in (one, two):
        with pytest.raises(InputError, match=f"{corpus.path}: problem"):
            corpus.problem(replace(attempt, pddl="(define"))


def test_an_unfinished_journal_counts(path: Path, ferry: ProblemSource) -> None:
    wanted = attempts(ferry, 5, 4)
    write(path, ferry, *wanted[:2])
    lines = [Header.of(ferry).line(), wanted[1].line(), wanted[2].line(), wanted[3].line()[:40]]
    journal_of(path).write_text("\n".join(lines))  # one is in both files, the last is cut off
    assert list(Corpus.read(path).attempts) == wanted[:3]
    with Journal(path, ferry) as journal:
        assert journal.attempts == wanted[:3]
        assert journal_of(path).read_bytes() == b""
    assert list(Corpus.read(path).attempts) == wanted[:3]


def test_a_corpus_can_be_read_while_it_is_written(path: Path, ferry: ProblemSource) -> None:
    wanted = attempts(ferry, 5, 2)
    with Journal(path, ferry) as journal:
        for number, attempt in enumerate(wanted, start=1):
            journal.append(attempt)
            assert list(Corpus.read(path).attempts) == wanted[:number] and not path.exists()
    assert list(Corpus.read(path).attempts) == wanted and not journal_of(path).exists()


def test_a_journal_that_was_cut_off_in_its_first_line_is_nothing(path: Path, ferry: ProblemSource) -> None:
    journal_of(path).write_text('{"corpus":1,"dom')
    assert not Corpus.is_begun(path)
    with pytest.raises(InputError, match="there is no corpus"):
        Corpus.read(path)
    wanted = attempts(ferry, 5, 2)
    write(path, ferry, *wanted)
    assert Corpus.is_begun(path) and list(Corpus.read(path).attempts) == wanted


def test_the_solved_attempt_at_a_problem_wins(path: Path, ferry: ProblemSource) -> None:
    solved = attempts(ferry, 5, 1)[0]
    failed = replace(solved, ending=Ending.TIME_LIMIT, plan=(), cost=None)
    write(path, ferry, failed, solved, failed)
    assert Corpus.read(path).attempts == (solved,)


def test_the_cheapest_plan_for_a_problem_wins(path: Path, ferry: ProblemSource) -> None:
    dear, cheap, middling = (replace(attempts(ferry, 5, 1)[0], cost=cost) for cost in (70, 50, 60))
    write(path, ferry, dear, cheap, middling)
    assert Corpus.read(path).attempts == (cheap,)


def test_each_teacher_fails_for_itself(path: Path, ferry: ProblemSource) -> None:
    first = replace(attempts(ferry, 5, 2)[1], teacher="a")
    again, other = replace(first, limits=Limits(20.0, 2**30)), replace(first, teacher="b")
    write(path, ferry, first, other, again)
    assert Corpus.read(path).attempts == (again, other)


def test_there_is_one_writer(path: Path, ferry: ProblemSource) -> None:
    with Journal(path, ferry), pytest.raises(InputError, match="in use"):
        Journal(path, ferry)


def test_another_domain_is_refused(path: Path, ferry: ProblemSource) -> None:
    write(path, ferry, *attempts(ferry, 5, 1))
    with pytest.raises(InputError, match="another domain, ferry"):
        Journal(path, load_domain("gripper"))
    assert len(Corpus.read(path).attempts) == 1


@pytest.mark.parametrize("content", [b"", b"no corpus", Header("ferry").line().encode()])
def test_uncompressed_files_are_rejected(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"{path}: cannot be unpacked"):
        Corpus.read(path)


@pytest.mark.parametrize(
    "lines",
    [
        [],
        ['{"corpus":99,"domain":"ferry","pddl":null}'],
        [Header("ferry").line(), Header("gripper").line()],
        [Header("ferry").line(), "[" * 100_000],
        [Header("ferry").line(), "poem"],
        [Header("ferry").line(), "{}"],
    ],
)
def test_files_that_are_no_corpus_are_rejected(path: Path, lines: list[str]) -> None:
    compress(path, lines)
    with pytest.raises(InputError, match=r"not a (line of a )?corpus"):
        Corpus.read(path)


@pytest.mark.parametrize(
    "changed",
    [
        {"size": -1},
        {"size": "5"},
        {"size": 10**400},
        {"parameters": {"cars": 10**400}},
        {"parameters": {"cars": 1.5}},
        {"parameters": None},
        {"seconds": float("nan")},
        {"ending": "sovled"},
        {"cost": None},
        {"cost": -1},
        {"plan": ["sail l1 l2"]},
        {"plan": "(sail l1 l2)"},
        {"plan": [["sail"]]},
        {"fingerprint": 7},
    ],
    ids=str,
)
def test_every_field_is_checked(path: Path, ferry: ProblemSource, changed: dict[str, object]) -> None:
    good = attempts(ferry, 5, 1)[0].line()
    compress(path, [Header.of(ferry).line(), good, json.dumps(json.loads(good) | changed)])
    with pytest.raises(InputError, match=f"{path}:3: not a line of a corpus"):
        Corpus.read(path)


@examples(300)
def test_any_value_is_read_or_refused(rng: Random) -> None:
    good = json.loads(attempts(load_domain("ferry"), 5, 1)[0].line())
    name, value = rng.choice(list(good)), json_value(rng)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ferry.jsonl.zst"
        compress(path, [Header("ferry").line(), json.dumps(good | {name: value})])
        with suppress(InputError):
            list(Corpus.read(path).tasks())


@pytest.mark.parametrize("cars", [3, 10**6, 2**62])
def test_only_problems_of_the_given_size_are_drawn(path: Path, ferry: ProblemSource, cars: int) -> None:
    attempt = attempts(ferry, 5, 1)[0]
    changed = replace(attempt, parameters={"cars": cars, "locations": 3}, size=5 if cars == 3 else cars + 3)
    write(path, ferry, changed)
    with pytest.raises(InputError, match="ferry"):
        list(Corpus.read(path).tasks())


def test_a_missing_corpus_is_reported(path: Path) -> None:
    with pytest.raises(InputError, match="there is no corpus"):
        Corpus.read(path)


@pytest.mark.parametrize(
    ("ending", "teacher", "limits", "settled"),
    [
        (Ending.SOLVED, "another", Limits(), True),
        (Ending.UNSOLVABLE, "another", Limits(), True),
        (Ending.TIME_LIMIT, "same", LIMITS, True),
        (Ending.TIME_LIMIT, "same", Limits(5.0, 2**30), True),
        (Ending.TIME_LIMIT, "same", Limits(20.0, 2**30), False),
        (Ending.MEMORY_LIMIT, "same", Limits(10.0, 2**31), False),
        (Ending.TIME_LIMIT, "same", Limits(), False),
        (Ending.TIME_LIMIT, "another", LIMITS, False),
    ],
)
def test_failures_are_tried_again_with_more(
    ferry: ProblemSource, ending: Ending, teacher: str, limits: Limits, settled: bool
) -> None:
    attempt = replace(attempts(ferry, 5, 1)[0], ending=ending, teacher="same")
    assert attempt.settles(teacher, limits) == settled
