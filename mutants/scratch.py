"""A copy of the working tree with an environment of its own, in which mistakes are made and tests are run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import liftq._core
from liftq.engine.process import run
from liftq.engine.solver import Limits
from mutants.mutant import REPOSITORY, Mutant

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
            "LIFTQ_IPC23": os.environ.get("LIFTQ_IPC23", str(REPOSITORY.parent / "shared" / "ipc23")),
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
        environment = os.environ | self.environment
        if not (self.build_folder / "build.ninja").exists():
            options = ["-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O1", f"-DPython_EXECUTABLE={sys.executable}"]
            command = ["cmake", "-G", "Ninja", "-S", self.root, "-B", self.build_folder, *options]
            subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
        built = subprocess.run(["ninja", "-C", self.build_folder], env=environment, capture_output=True)
        if built.returncode == 0:
            shutil.copy(self.build_folder / EXTENSION.name, self.root / "liftq")
        return built.returncode == 0

    def test(self, tests: list[str], seconds: float | None = None) -> tuple[int | None, str]:
        """pytest's exit code (None if it did not end in time), and the test that failed first or the last words."""
        variables = [f"{name}={value}" for name, value in self.environment.items()]
        pytest = [str(self.python), "-m", "pytest", "-x", "-rfE", *PYTEST_OPTIONS, *tests]
        finished = run(["env", *variables, *pytest], self.root, Limits(seconds))
        lines = finished.output.splitlines()
        failed = [line.split()[1] for line in lines if line.startswith(("FAILED tests", "ERROR tests"))]
        return finished.code, failed[0] if failed else "\n".join(lines[-20:])
