"""Where results come from: command, commit, machine, versions."""

from __future__ import annotations

import os
import platform
import re
import shlex
import subprocess
import sys
import uuid
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from liftq.evaluation.result import Header

PACKAGES = ("liftq", "numpy", "torch", "up-fast-downward")


def new_header(settings: dict[str, Any]) -> Header:
    return Header(
        command=shlex.join(["liftq", *sys.argv[1:]]),
        date=datetime.now(UTC).isoformat(timespec="seconds"),
        commit=commit(),
        machine=machine(),
        versions={"python": platform.python_version(), **_versions()},
        settings=settings,
        run=uuid.uuid4().hex[:12],
    )


def commit() -> str | None:
    package = Path(__file__).parents[1]
    if not (package.parent / ".git").exists():  # else some other repository may lie around an installed liftq
        return None
    try:
        called = ["git", "-C", str(package), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
        return subprocess.run(called, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None


def machine() -> dict[str, str]:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "processor": _processor(),
        "cores": str(len(os.sched_getaffinity(0))) if hasattr(os, "sched_getaffinity") else str(os.cpu_count()),
        "memory": f"{memory / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.machine()}",
    }


def _processor() -> str:
    try:
        match = re.search(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    except OSError:
        match = None
    return match[1] if match else platform.processor() or "unknown"


def _versions() -> dict[str, str]:
    found = {}
    for package in PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    return found
