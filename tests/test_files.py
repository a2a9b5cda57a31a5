from __future__ import annotations

import fcntl
import io
import itertools
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import zstandard

from liftq.engine.solver import Ending, Limits
from liftq.engine.watch import within
from liftq.errors import InputError
from liftq.files import SMALL, open_locked, read_bytes, read_compressed, write_all, write_atomically
from liftq.teaching.corpus import compress


def test_what_is_written_is_there_and_nothing_else(tmp_path: Path) -> None:
    write_atomically(tmp_path / "new", "ä")
    write_atomically(tmp_path / "new", b"again")
    assert (tmp_path / "new").read_bytes() == b"again"
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_atomically(path, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left") as caught:
        write_atomically(path, "new")
    assert caught.value.filename == str(path)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]


def test_permissions_follow_the_umask_and_then_the_old_file(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "file", "")
        assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640
        (tmp_path / "file").chmod(0o600)
        write_atomically(tmp_path / "file", "")
        assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600
    finally:
        os.umask(before)


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "target").write_text("old")
    (tmp_path / "link").symlink_to("folder/target")
    write_atomically(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink() and (tmp_path / "folder" / "target").read_text() == "new"


def test_the_temporary_name_cannot_be_guessed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    real = os.open

    def spy(path: Path, flags: int, mode: int = 0o777) -> int:
        names.append(Path(path).name)
        assert flags & os.O_EXCL and flags & os.O_NOFOLLOW
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", spy)
    for _ in range(2):
        write_atomically(tmp_path / "file", "")
    assert len(set(names)) == 2 and "file" not in names


def test_a_device_stays_a_device() -> None:
    write_atomically("/dev/null", "nothing")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_full_device_is_reported() -> None:
    with pytest.raises(OSError, match="No space left on device: '/dev/full'"):
        write_atomically("/dev/full", "text")


def test_a_pipe_is_written_in_place(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(tmp_path / "pipe", "text")
    assert os.read(reader, 10) == b"text"
    os.close(reader)
    assert stat.S_ISFIFO(os.stat(tmp_path / "pipe").st_mode)


def test_our_own_output_is_not_replaced(tmp_path: Path) -> None:
    script = "import sys, liftq.files as f; print('a'); f.write_atomically('/dev/stdout', 'b\\n'); print('c')"
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", script], stdout=out, check=True)
    assert (tmp_path / "out").read_text() == "a\nb\nc\n"


@pytest.mark.parametrize("place", [".", "missing/file", "file/below", "x" * 300])
def test_a_bad_place_is_bad_input(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="Choose a place"):
        write_atomically(tmp_path / place, "")
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "file"
    with open_locked(path, "Wait."), pytest.raises(InputError, match=r"in use\n  Wait\."):
        open_locked(path, "Wait.")
    with open_locked(path, "Wait.") as file:
        write_all(file, b"line\n")
    with open_locked(path, "Wait.") as file:
        write_all(file, b"line\n")
        file.seek(0)
        assert file.read() == b"line\nline\n"


class ShortWrites(io.RawIOBase):
    """Takes a few bytes at a time, and now and then none."""

    def __init__(self) -> None:
        self.content, self.sizes = b"", itertools.cycle([3, None, 1, 0])

    def write(self, data: Any) -> int | None:
        size = next(self.sizes)
        self.content += bytes(data[: size or 0])
        return size and min(size, len(data))


def test_a_partial_write_is_continued() -> None:
    file: Any = ShortWrites()
    write_all(file, b"a line of results\n")
    assert file.content == b"a line of results\n"


def test_a_lock_on_a_removed_file_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = fcntl.flock
    left = [True]

    def removed_meanwhile(file: object, operation: int) -> None:
        real(file, operation)  # type: ignore[arg-type]
        if left:
            left.pop()
            (tmp_path / "file").unlink()

    monkeypatch.setattr(fcntl, "flock", removed_meanwhile)
    with open_locked(tmp_path / "file", "") as file:
        assert os.path.samestat(os.fstat(file.fileno()), (tmp_path / "file").stat())


@pytest.mark.parametrize("place", [".", "pipe"])
def test_only_regular_files_are_locked(tmp_path: Path, place: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="not a regular file"):
        open_locked(tmp_path / place, "")


@pytest.mark.parametrize(
    ("place", "said"),
    [("/dev/zero", "a device"), ("/dev/full", "a device"), ("/", "a folder"), ("missing", "no such file")],
)
def test_truncated_files_are_bad_input(place: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        read_bytes(place)


def test_unpacking_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("liftq.files.MOST_UNPACKED", SMALL)
    text = b"a" * (SMALL + 1)
    for sized in (True, False):
        (tmp_path / "bomb").write_bytes(zstandard.ZstdCompressor(write_content_size=sized).compress(text))
        with pytest.raises(InputError, match="unpack"):
            read_compressed(tmp_path / "bomb")
    (tmp_path / "fair").write_bytes(zstandard.ZstdCompressor().compress(text[:SMALL]))
    assert len(read_compressed(tmp_path / "fair")) == SMALL


def test_whatever_we_pack_we_unpack(tmp_path: Path) -> None:
    """However much alike its lines are."""
    lines = [str(number % 7) * 2**19 for number in range(140)]
    compress(tmp_path / "corpus", lines)
    assert (tmp_path / "corpus").stat().st_size * 1000 < 140 * 2**19
    assert len(read_compressed(tmp_path / "corpus").splitlines()) == 140


def test_a_size_that_lies_allocates_nothing(tmp_path: Path) -> None:
    packed = bytearray(zstandard.ZstdCompressor().compress(os.urandom(2**17)))
    assert packed[4] >> 6 == 2  # four bytes of content size follow the descriptor
    packed[4] |= 3 << 6
    packed[5:9] = (2**60).to_bytes(8, "little")
    (tmp_path / "liar").write_bytes(packed)
    with pytest.raises(InputError, match=f"unpack to {2**60}"):
        read_compressed(tmp_path / "liar")


@pytest.mark.parametrize("content", [b"", b"text", zstandard.ZstdCompressor().compress(b"text" * 99)[:-3]])
def test_files_that_cannot_be_unpacked_are_bad_input(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(InputError, match="cannot be unpacked"):
        read_compressed(tmp_path / "file")


def test_a_file_that_memory_has_no_room_for_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(300 << 20)  # takes no room on disk
    assert within(Limits(memory_bytes=500 << 20), lambda: read_bytes(path)) is Ending.MEMORY_LIMIT
