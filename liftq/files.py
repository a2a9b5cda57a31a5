"""Files on disk: atomic writing, locks, bounded unpacking, and checks that protect the user's own files."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

import zstandard

from liftq import _core
from liftq.errors import InputError, listed

AnyPath = str | os.PathLike[str]

SMALL = 64 * 2**20  # bytes that any file may unpack to
MOST_EXPANSION = 2**15  # times its size that a larger file may unpack to: zstandard packs no more tightly
MOST_UNPACKED = 2**31  # bytes; corpora of similar problems unpack to 1000 times their size

# Errors that another path would avoid. Others, such as a full disk, are not the user's mistake.
AVOIDABLE = {errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.EACCES, errno.EPERM, errno.EROFS}
AVOIDABLE |= {errno.ELOOP, errno.ENAMETOOLONG, errno.ENXIO}
OUT_OF_PROPORTION = "liftq writes no such files: do not trust it, and create it again."
FIX = "Choose a place that exists and that you may write to."
TEMPORARY = re.compile(r"\.liftq-[0-9a-f]{16}\.tmp")  # too unusual for a user's file
MARK = ".liftq"
MARK_TEXT = re.compile(r"This folder belongs to `liftq (\w+)`\.\n")


@dataclass(frozen=True)
class OwnFolder:
    """A folder that one command writes, marked by a file that is written first. A folder without the mark that is not
    empty belongs to the user, and liftq never writes there."""

    path: Path
    command: str  # `learn`

    def claim(self) -> None:
        """Creates the folder and its mark."""
        if self._owner == self.command:
            return
        names = self._names()
        if self._owner:
            what = f"belongs to `liftq {self._owner}`"
        elif names:
            what = f"has files that `liftq {self.command}` did not write: {listed(names)}"
        else:
            make_folder(self.path)
            write_atomically(self.path / MARK, f"This folder belongs to `liftq {self.command}`.\n")
            return
        raise InputError(f"{self.path} {what}\n  Give a new or an empty folder with --out.")

    def sweep(self) -> None:
        """Removes temporary files of processes that were killed while writing."""
        for stray in [path for path in self.path.rglob(".liftq-*.tmp") if TEMPORARY.fullmatch(path.name)]:
            if stray.is_dir() and not stray.is_symlink():
                shutil.rmtree(stray)
            else:
                stray.unlink(missing_ok=True)

    @property
    def _owner(self) -> str | None:
        try:
            match = MARK_TEXT.fullmatch((self.path / MARK).read_text())
        except (OSError, ValueError):
            return None
        return match[1] if match else None

    def _names(self) -> list[str]:
        """Names in the folder, without temporary files of killed processes."""
        with _naming(self.path), suppress(FileNotFoundError):
            return sorted(name for name in os.listdir(self.path) if not TEMPORARY.fullmatch(name))
        return []


def temporary_beside(path: Path) -> Path:
    return path.with_name(f".liftq-{secrets.token_hex(8)}.tmp")


def within(folder: Path, name: str) -> Path:
    """The path of an untrusted name, which must not lead out of the folder."""
    path, root = Path(os.path.realpath(folder / name)), Path(os.path.realpath(folder))
    if root not in path.parents:
        raise InputError(f"{name!r} is not the name of a file in {folder}\n  Do not trust where it comes from.")
    return folder / name


def refuse_foreign(path: AnyPath, is_ours: Callable[[str], bool], what: str) -> None:
    """Rejects a file with content that liftq did not write. Devices, pipes and our own output are never replaced."""
    if not os.path.isfile(path) or _own_output(os.stat(path)) is not None:
        return
    if (content := read_bytes(path)) and not is_ours(content.decode(errors="replace")):
        raise InputError(f"{path} is there already, and is not {what}\n  Give another file.")


def begins_with(path: AnyPath, start: bytes) -> bool:
    """Also true if the file is a prefix of `start`, since a kill may have truncated it."""
    with open(path, "rb") as file:
        content = file.read(len(start))
    return content == start[: len(content)]


def write_atomically(path: AnyPath, data: str | bytes) -> None:
    """A reader sees the old file or the new one, whenever we are killed.

    A symbolic link stays and its target is replaced. A device or a pipe, such as /dev/null, is written in place.
    """
    content = data.encode() if isinstance(data, str) else data
    with _naming(path):
        found = os.stat(path) if os.path.exists(path) else None
        if (descriptor := _in_place(path, found)) is not None:
            with FileIO(descriptor, "wb") as file:
                write_all(file, content)
        else:
            _replace(Path(os.path.realpath(path)), content, found)


def open_locked(path: AnyPath, fix: str) -> FileIO:
    """Opens a file for appending and reading; an error, with this fix, if another process holds it. Closing unlocks."""
    with _naming(path):
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        while True:
            if os.path.exists(path) and not os.path.isfile(path):  # a pipe would block
                raise InputError(f"{path} is not a regular file\n  Choose another.")
            file = FileIO(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666), "r+b")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                raise InputError(f"{path} is in use\n  {fix}") from None
            with suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                    return file
            file.close()  # the last writer removed the file just before we got the lock


def make_folder(path: AnyPath) -> None:
    with _naming(path):
        Path(path).mkdir(parents=True, exist_ok=True)


def write_all(file: FileIO, data: bytes) -> None:
    """An unbuffered write may be partial, and a buffer would be lost if the process is killed."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) or 0 :]


def read_bytes(path: AnyPath) -> bytes:
    """Reads a whole file or pipe. Devices are rejected, as they may have no end."""
    try:
        found = os.stat(path)
        if stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode):
            raise InputError(f"{path}: this is a device\n  Give a file.")
        if 2 * found.st_size > _core.bytes_left():  # for bytes and text; limits cannot interrupt reading
            raise MemoryError
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file\n  Check the path.") from None
    except IsADirectoryError:
        raise InputError(f"{path}: this is a folder\n  Name a file in it.") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: it cannot be read: {error}\n  Check the path and its permissions.") from None


def read_compressed(path: AnyPath) -> bytes:
    """Unpacks a file, unless it is a bomb: a few kilobytes can unpack to gigabytes."""
    packed = read_bytes(path)
    most = max(SMALL, min(MOST_UNPACKED, MOST_EXPANSION * len(packed)))
    try:
        declared = zstandard.get_frame_parameters(packed).content_size
        is_declared = declared < min(zstandard.CONTENTSIZE_UNKNOWN, zstandard.CONTENTSIZE_ERROR)  # as in our own files
        if is_declared and declared > most:
            raise InputError(f"{path}: {len(packed)} bytes that unpack to {declared}\n  {OUT_OF_PROPORTION}")
        return zstandard.ZstdDecompressor().decompress(packed, max_output_size=most if is_declared else SMALL)
    except zstandard.ZstdError as error:
        fix = "It is damaged, not a zstandard file, or unpacks to far too much. Create it again."
        raise InputError(f"{path}: cannot be unpacked: {error}\n  {fix}") from error


def _in_place(path: AnyPath, found: os.stat_result | None) -> int | None:
    """A descriptor if `path` must not be replaced: a device, a pipe, or our own output."""
    if found is None:
        return None
    if (own := _own_output(found)) is not None:
        sys.stdout.flush()
        return os.dup(own)
    return None if stat.S_ISREG(found.st_mode) else os.open(path, os.O_WRONLY | os.O_CLOEXEC)


def _own_output(found: os.stat_result) -> int | None:
    """Standard output or standard error, if the file is one of them."""
    for own in (1, 2):
        with suppress(OSError):  # closed
            if os.path.samestat(found, os.fstat(own)):
                return own
    return None


def _replace(path: Path, content: bytes, old: os.stat_result | None) -> None:
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    temporary = temporary_beside(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        with FileIO(os.open(temporary, flags, 0o666), "wb") as file:
            if old is not None:
                os.fchmod(file.fileno(), stat.S_IMODE(old.st_mode))
            write_all(file, content)
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def _naming(path: AnyPath) -> Iterator[None]:
    """Errors name the path that the user gave, not the temporary one."""
    try:
        yield
    except OSError as error:
        if error.errno in AVOIDABLE:
            raise InputError(f"{path}: {error.strerror}\n  {FIX}") from error
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error
