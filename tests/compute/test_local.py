"""Work on this machine: as many pieces at once as asked for, results as they come, and an end when it is wanted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from liftq.compute import Piece
from liftq.compute.file_copy import FileCopy
from liftq.compute.local import Local
from liftq.compute.worker import Lost, alone
from liftq.domains import domain
from liftq.engine.solver import Ending, Limits
from liftq.engine.task import Task
from liftq.engine.watch import within
from liftq.errors import InputError, PDDLWarning
from liftq.problems.generated import Generated
from liftq.teachers import teacher
from liftq.teaching.teach import solve
from tests.processes import await_end


def taking(pieces: Iterator[Piece[int, int]]) -> Callable[[], Piece[int, int] | None]:
    return lambda: next(pieces, None)


def test_all_results_come_with_their_keys() -> None:
    with Local(3) as compute:
        found = dict(compute.run(taking(Piece(n, pow, (n, 2)) for n in range(20))))
    assert found == {n: n * n for n in range(20)}


def test_pieces_at_the_same_time_are_at_most_the_jobs(tmp_path: Path) -> None:
    with Local(2) as compute:
        found = dict(compute.run(taking(Piece(n, met, (tmp_path, n)) for n in range(8))))
    assert set(found.values()) == {2}


def met(folder: Path, number: int) -> int:
    """How many pieces there were at most while this one waited for another."""
    own = folder / f"{number}.running"
    own.touch()
    while len(together := list(folder.glob("*.running"))) < 2 and number < 6:
        time.sleep(0.01)
    time.sleep(0.1)
    own.unlink()
    return max(2, len(together))


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


def test_whoever_leaves_ends_what_is_running() -> None:
    source = Generated(domain("logistics"))
    task = Task(source.domain, next(source.instances(80)).problem)  # beyond any optimal search
    with Local(1) as compute:
        process = compute.submit(os.getpid).result()
        future = compute.submit(solve, teacher("orbit_search"), task, Limits(600))
        never = compute.submit(pow, 1, 1)
        time.sleep(0.5)  # until it is deep in the core
    assert isinstance(future.exception(timeout=0), Lost)
    assert never.cancelled()
    await_end([process])


def test_shared_values_are_sent_once() -> None:
    with Local(1) as compute:
        shared = compute.share(Unpickled())
        counts = [compute.submit(unpicklings, shared).result() for _ in range(3)]
    assert counts == [1, 1, 1]


class Unpickled:
    count = 0  # in this process

    def __setstate__(self, _: object) -> None:
        Unpickled.count += 1

    def __getstate__(self) -> str:
        return "something"


def unpicklings(_: Unpickled) -> int:
    return Unpickled.count


def test_items_of_a_generator_come_as_a_list() -> None:
    with Local(1) as compute:
        assert compute.submit(counting, 3, 9).result() == [0, 1, 2]
        assert compute.submit(counting, 0, 9).result() == []


def counting(count: int, then: int) -> Iterator[int]:
    yield from range(count)
    if then < 9:
        os._exit(then)


def test_a_lost_process_is_a_result_and_its_place_is_taken() -> None:
    pieces = [Piece(then, counting, (3, then), lambda lost: [lost.message, *lost.items]) for then in (9, 7, 9, 8, 9)]
    with Local(1) as compute:
        found = list(compute.run(taking(iter(pieces))))
        with pytest.raises(Lost, match="exit code 7"):
            compute.submit(counting, 3, 7).result()
    assert [len(items) for _, items in found] == [3, 4, 3, 4, 3]
    assert found[1] == (7, ["the process ended with exit code 7", 0, 1, 2])


def test_warnings_and_errors_come_back() -> None:
    with Local(1) as compute:
        with pytest.warns(PDDLWarning, match="odd"):
            compute.submit(warnings.warn, "odd", PDDLWarning).result()
        with pytest.raises(InputError, match="cannot be"):
            compute.submit(refuse, "cannot be").result()
        with pytest.raises(ZeroDivisionError) as caught:
            compute.submit(divmod, 1, 0).result()
    assert "Traceback" in caught.value.__notes__[0]


def refuse(message: str) -> None:
    raise Particular("refused", message)


class Particular(InputError):
    """Cannot be pickled, as its argument is not what it is made from."""

    def __init__(self, verb: str, message: str) -> None:
        super().__init__(f"{verb}: {message}")


@pytest.mark.parametrize(
    ("limits", "function", "ending"),
    [
        (Limits(seconds=1.0), time.sleep, Ending.TIME_LIMIT),
        (Limits(memory_bytes=2 << 30), bytearray, Ending.MEMORY_LIMIT),
    ],
)
def test_limits_of_a_process_of_ones_own(limits: Limits, function: Callable[[int], None], ending: Ending) -> None:
    with pytest.raises(Lost) as caught, alone(limits) as worker:
        worker.call(function, 3 << 30)
    assert caught.value.ending is ending


CALLER = """
import os, time
from liftq.compute.worker import Worker
worker = Worker()
print(worker.call(os.getpid), worker.call(os.getppid), flush=True)
worker.call(time.sleep, 600)
"""


def test_a_process_ends_with_its_caller_even_without_its_guard() -> None:
    caller = subprocess.Popen([sys.executable, "-c", CALLER], stdout=subprocess.PIPE, text=True)
    assert caller.stdout is not None
    process, guard = map(int, caller.stdout.readline().split())
    os.kill(guard, signal.SIGKILL)
    caller.kill()
    caller.communicate()
    await_end([process, guard])


def test_a_limit_ends_even_the_wait_for_a_piece() -> None:
    """Nobody looks at a clock where a thread waits for ever."""

    def wait() -> None:
        with Local(1) as compute:
            list(compute.run(taking(iter([Piece(0, time.sleep, (600,))]))))

    assert within(Limits(seconds=0.5), wait) is Ending.TIME_LIMIT


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
