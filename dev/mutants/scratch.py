"""A copy of the working tree with an environment of its own, in which mutations are made and tests are run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import venv
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import liftq._core
from dev.mutants.change import Change
from dev.mutants.mistakes import REPOSITORY

EXTENSION = Path(liftq._core.__file__)
PYTEST_OPTIONS = ("-p", "no:cacheprovider")


class Scratch:
    def __init__(self, folder: Path) -> None:
        self.root, self.build_folder, self.python = folder / "liftq", folder / "build", folder / "venv/bin/python"
        self._copy_tree()
        shutil.copy(EXTENSION, self.root / "liftq")
        venv.create(folder / "venv", with_pip=False)
        packages = [path for path in sys.path if path.endswith("-packages")]
        site = next((folder / "venv/lib").glob("python*/site-packages"))
        (site / "scratch.pth").write_text("\n".join([str(self.root), *packages]))
        shared = REPOSITORY.parent / "shared"
        self.environment = os.environ | {
            "LIFTQ_IPC23": os.environ.get("LIFTQ_IPC23", str(shared / "ipc23")),
            "LIFTQ_CLASSICAL": os.environ.get("LIFTQ_CLASSICAL", str(shared / "classical")),
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),  # CMake, Ninja
            "OMP_NUM_THREADS": "1",
            "PYTHONDONTWRITEBYTECODE": "1",  # bytecode is dated by the second, and a second may see two mutations
        }

    def _copy_tree(self) -> None:
        listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        names = subprocess.run(listing, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
        for name in filter(None, names.split("\0")):
            if (REPOSITORY / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(REPOSITORY / name, self.root / name)

    def apply(self, change: Change) -> None:
        path = self.root / change.file
        self._original = path.read_bytes()
        path.write_bytes(change.applied(self._original))

    def restore(self, change: Change) -> None:
        (self.root / change.file).write_bytes(self._original)

    def build(self) -> bool:
        """Compile what changed since the last build, with few optimizations: that takes a third of the time."""
        if not (self.build_folder / "build.ninja").exists():
            options = ["-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1", f"-DPython_EXECUTABLE={sys.executable}"]
            command = ["cmake", "-G", "Ninja", "-S", str(self.root), "-B", str(self.build_folder), *options]
            subprocess.run(command, env=self.environment, check=True, stdout=subprocess.DEVNULL)
        built = subprocess.run(["ninja", "-C", self.build_folder], env=self.environment, capture_output=True)
        if built.returncode == 0:
            shutil.copy(self.build_folder / EXTENSION.name, self.root / "liftq")
        return built.returncode == 0

    def test(self, tests: Sequence[str], seconds: float) -> tuple[int | None, str]:
        """pytest's exit code (None if it did not end in time), and the first test that failed or the last words."""
        command = [str(self.python), "-m", "pytest", "-x", "-rfE", *PYTEST_OPTIONS, *tests]
        process = subprocess.Popen(
            command,
            cwd=self.root,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,  # so that processes that tests have started end with them
        )
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            return None, f"no end after {seconds:.0f} s"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if process.returncode < 0:
            return process.returncode, f"crashed: {signal.Signals(-process.returncode).name}"
        lines = output.splitlines()
        failed = [line.split()[1] for line in lines if line.startswith(("FAILED tests", "ERROR tests"))]
        return process.returncode, failed[0] if failed else "\n".join(lines[-20:])
