"""Work on this machine: as many pieces at once as asked for, results as they come, and an end when it is wanted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from liftq.compute import Piece
from liftq.compute.file_copy import FileCopy
from liftq.compute.local import Local
from liftq.domains import domain
from liftq.engine.solver import Ending, Limits, Trajectory
from liftq.problems.generated import Generated
from liftq.teachers import Statement, teacher


def taking(pieces: Iterator[Piece[int, int]]) -> Callable[[], Piece[int, int] | None]:
    return lambda: next(pieces, None)


def test_all_results_come_with_their_keys() -> None:
    with Local(3) as compute:
        found = dict(compute.run(taking(Piece(n, pow, (n, 2)) for n in range(20))))
    assert found == {n: n * n for n in range(20)}


def test_no_more_pieces_at_once_than_jobs() -> None:
    now, most, lock = 0, 0, threading.Lock()
    together = threading.Barrier(2)

    def count(number: int) -> int:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        together.wait(30)
        with lock:
            now -= 1
        return number

    with Local(2) as compute:
        assert len(list(compute.run(taking(Piece(n, count, (n,)) for n in range(8))))) == 8
    assert most == 2


def test_what_results_make_possible_is_taken() -> None:
    """Nothing to take now is not the end as long as something runs."""
    chain = [Piece(0, pow, (0, 1))]
    with Local(2) as compute:
        for key, _ in compute.run(lambda: chain.pop() if chain else None):
            if key < 5:
                chain.append(Piece(key + 1, pow, (0, 1)))
            last = key
    assert last == 5


def test_no_piece_is_taken_before_there_is_room() -> None:
    """What is taken may depend on the results so far."""
    taken: list[int] = []

    def take() -> Piece[int, int] | None:
        taken.append(len(taken))
        return Piece(taken[-1], pow, (0, 1)) if len(taken) <= 10 else None

    with Local(2) as compute:
        next(iter(compute.run(take)))
    assert taken == [0, 1]


def test_a_failure_is_the_stages_to_handle() -> None:
    with pytest.raises(ZeroDivisionError), Local(1) as compute:
        list(compute.run(taking(iter([Piece(0, divmod, (1, 0))]))))


def test_stopping_ends_solvers() -> None:
    source = Generated(domain("logistics"))
    statement = Statement(source.domain, next(source.instances(80)).problem)  # beyond any optimal search
    with Local(1) as compute:
        future = compute.submit(teacher("orbit_search").solve, statement, Limits(600))
        never = compute.submit(pow, 1, 1)
    trajectory: Trajectory = future.result(timeout=0)
    assert trajectory.ending is Ending.INTERRUPTED
    assert never.cancelled()


def test_files_travel(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("one")
    copy = FileCopy.of(file)
    assert copy.here() == file
    file.write_text("two")
    assert copy.here() != file and copy.here().read_text() == "one" and copy.here().name == "a.txt"
    file.unlink()
    assert copy.here().read_text() == "one"
    assert FileCopy.of(file).here() == file  # which says for itself that it is not there


def test_copies_of_several_states_of_a_file_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    copies = []
    for text in ("one", "two"):
        file.write_text(text)
        copies.append(FileCopy.of(file))
    file.unlink()
    assert [copy.here().read_text() for copy in copies] == ["one", "two"]
