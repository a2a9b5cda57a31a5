"""`make aarch64`: a wheel for 64-bit ARM, cross-compiled, and tried under emulation: the values of all bundled policies
are compared with those on this machine, and a problem is solved.

On Debian, with g++-aarch64-linux-gnu and qemu-user. A Python for ARM is unpacked from Debian's packages into
build/aarch64, so nothing has to be installed for it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from dev.wheels.make import REPOSITORY, built, oldest_python, repaired, run

FOLDER = REPOSITORY / "build" / "aarch64"
ROOT = FOLDER / "root"  # the file system of the other machine
SITE = FOLDER / "site"  # liftq and its dependencies
VALUES = str(REPOSITORY / "dev" / "wheels" / "values.py")
APT = """APT::Architecture "arm64";
APT::Architectures {"arm64";};
APT::Sandbox::User "root";
Dir::State "%(folder)s/apt";
Dir::State::status "%(folder)s/apt/status";
Dir::Cache "%(folder)s/apt";
"""


def main() -> None:
    version = oldest_python()
    python = f"python{version}"
    if not ROOT.exists():
        unpack(python, f"lib{python}-dev", "libstdc++6")
    wheel = repaired(cross_compiled(version))
    print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB")
    install(wheel, version)
    emulated = ["qemu-aarch64", "-L", str(ROOT), "-E", f"PYTHONPATH={SITE}", str(ROOT / "usr" / "bin" / python), "-P"]
    for kernels in ("neon", "plain"):
        compare([*emulated[:3], "-E", f"LIFTQ_KERNELS={kernels}", *emulated[3:]], kernels)
    solve(emulated)


def unpack(*packages: str) -> None:
    """Debian's packages for ARM, with what they depend on."""
    for folder in ("apt/lists/partial", "apt/archives/partial"):
        (FOLDER / folder).mkdir(parents=True, exist_ok=True)
    (FOLDER / "apt" / "status").touch()  # nothing is installed there
    configuration = FOLDER / "apt" / "apt.conf"
    configuration.write_text(APT % {"folder": FOLDER})
    apt = {"APT_CONFIG": str(configuration)}
    run("apt-get", "update", **apt)
    run("apt-get", "install", "-y", "--no-install-recommends", "--download-only", *packages, **apt)
    unfinished = FOLDER / "unfinished"
    for package in sorted((FOLDER / "apt" / "archives").glob("*.deb")):
        run("dpkg-deb", "-x", str(package), str(unfinished))
    unfinished.rename(ROOT)


def cross_compiled(version: str) -> Path:
    headers = ROOT / "usr" / "include"
    options = {
        "CMAKE_TOOLCHAIN_FILE": f"{REPOSITORY}/dev/wheels/aarch64.cmake",
        "CMAKE_CXX_FLAGS": f"-idirafter {headers}",
        "Python_INCLUDE_DIR": f"{headers}/python{version}",
    }
    return built(version, options, _PYTHON_HOST_PLATFORM="linux-aarch64")


def install(wheel: Path, version: str) -> None:
    platforms = [f"--platform=manylinux_2_{minor}_aarch64" for minor in range(17, 37)]  # as of the unpacked system
    options = ["-q", "--upgrade", "--only-binary=:all:", f"--python-version={version}", f"--target={SITE}"]
    run(sys.executable, "-m", "pip", "install", *options, *platforms, str(wheel))


def compare(emulated: list[str], kernels: str) -> None:
    here, there = (json.loads(run(*python, VALUES)) for python in ([sys.executable, "-P"], emulated))
    if there["kernels"] != kernels:
        sys.exit(f"asked for the kernels {kernels}, it took {there['kernels']}")
    gap = 0.0
    for name, values in here["values"].items():
        actual, expected = np.array(there["values"][name]), np.array(values)
        gap = max(gap, float((abs(actual - expected) / np.maximum(1, abs(expected))).max()))
    of = f"{sum(map(len, here['values'].values()))} values of {len(here['values'])} policies"
    print(f"{of}, {kernels} against {here['kernels']}: {gap:.1e} apart at most")
    if gap > 1e-4:
        sys.exit("which is too much")


def solve(emulated: list[str]) -> None:
    """A small problem: emulation takes some fifty times as long."""
    liftq, folder = [sys.executable, "-m", "liftq"], FOLDER / "problem"
    run(*liftq, "generate", "blocksworld", "--size", "30", "--count", "1", "--out", str(folder))
    files = [str(folder / name) for name in ("domain.pddl", "p01.pddl")]
    run(*emulated, "-m", "liftq", "solve", *files, "--plan", str(folder / "plan"))
    verdict = run(*liftq, "validate", *files, str(folder / "plan")).strip()
    print(f"emulated: the plan for 30 blocks is {verdict}")


if __name__ == "__main__":
    main()
