"""A copy of the working tree with an environment of its own, in which mistakes are made and tests are run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import venv
from pathlib import Path

import liftq._core
from mutants.mutant import REPOSITORY, Mutant

SECONDS = 300  # a mistake may make a test run forever
EXTENSION = Path(liftq._core.__file__)
PYTEST_OPTIONS = ("-p", "no:cacheprovider", "--hypothesis-profile", "first-failure")


class Scratch:
    def __init__(self, folder: Path) -> None:
        self.root, self.build_folder, self.python = folder / "liftq", folder / "build", folder / "venv/bin/python"
        self._copy_tree()
        shutil.copy(EXTENSION, self.root / "liftq")
        venv.create(folder / "venv", with_pip=False)
        packages = [path for path in sys.path if path.endswith("-packages")]
        site = next((folder / "venv/lib").glob("python*/site-packages"))
        (site / "scratch.pth").write_text("\n".join([str(self.root), *packages]))
        self.environment = {
            "LIFTQ_IPC23": str(REPOSITORY.parent / "shared" / "ipc23"),
            **os.environ,
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),  # CMake, Ninja
            "OMP_NUM_THREADS": "1",
            "PYTHONDONTWRITEBYTECODE": "1",  # bytecode is told by its second: two mistakes may be made in one
        }

    def _copy_tree(self) -> None:
        listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        names = subprocess.run(listing, cwd=REPOSITORY, capture_output=True, text=True, check=True).stdout
        for name in filter(None, names.split("\0")):
            if (REPOSITORY / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(REPOSITORY / name, self.root / name)

    def apply(self, mutant: Mutant) -> None:
        path = self.root / mutant.file
        self._original = path.read_text(encoding="utf-8")
        path.write_text(self._original.replace(mutant.text, mutant.becomes), encoding="utf-8")

    def restore(self, mutant: Mutant) -> None:
        (self.root / mutant.file).write_text(self._original, encoding="utf-8")

    def build(self) -> bool:
        """What has changed since the last build, with few optimizations: it takes a third of the time."""
        if not (self.build_folder / "build.ninja").exists():
            options = ["-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1", f"-DPython_EXECUTABLE={sys.executable}"]
            command = ["cmake", "-G", "Ninja", "-S", self.root, "-B", self.build_folder, *options]
            subprocess.run(command, env=self.environment, check=True, stdout=subprocess.DEVNULL)
        built = subprocess.run(["ninja", "-C", self.build_folder], env=self.environment, capture_output=True)
        if built.returncode == 0:
            shutil.copy(self.build_folder / EXTENSION.name, self.root / "liftq")
        return built.returncode == 0

    def test(self, tests: list[str]) -> tuple[int, str]:
        """pytest's exit code, and the test that failed first or the end of the output."""
        command = [self.python, "-m", "pytest", "-x", "-rfE", *PYTEST_OPTIONS, *tests]
        with subprocess.Popen(
            command, cwd=self.root, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            errors="replace", start_new_session=True,
        ) as process:  # fmt: skip
            try:
                output, _ = process.communicate(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return -signal.SIGKILL, f"nothing within {SECONDS} s"
        failed = [line.split()[1] for line in output.splitlines() if line.startswith(("FAILED tests", "ERROR tests"))]
        return process.returncode, failed[0] if failed else output[-2000:]
