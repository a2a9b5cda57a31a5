"""Loads other people's code by name: a module, a class in it, or a Python file.

Loading code runs it, and not only users name code but files do, too. So code is loaded only if it is installed as an
entry point, imported already, or trusted by the user.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from liftq.errors import InputError

OUTSIDE = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")  # package.module:Class
TRUSTED = "LIFTQ_TRUSTED"  # environment variable: modules and files, one per line; processes that we start inherit it


def trust(*names: str) -> None:
    """Allow files to name this code: package, package.module, package.module:Class, or FILE.py."""
    os.environ[TRUSTED] = "\n".join(dict.fromkeys([*trusted(), *map(_code, names)]))


def trusted() -> list[str]:
    return os.environ.get(TRUSTED, "").splitlines()


def names_code(text: str) -> bool:
    """Whether the text names code rather than a file or a bundled part."""
    dotted = "." in text and all(map(str.isidentifier, text.split("."))) and not Path(text).exists()
    return text.endswith(".py") or dotted or OUTSIDE.fullmatch(text) is not None


def load(reference: str) -> Any:
    """Load `package.module:Class`, a module, or FILE.py, if it is trusted or imported already."""
    code = _code(reference)
    if code not in sys.modules and not any(code == name or code.startswith(f"{name}.") for name in trusted()):
        fix = f"If you know this code and trust it, add --trust {code}."
        raise InputError(f"{reference} is code that is not installed as a part of liftq\n  {fix}")
    return _load_file(Path(reference)) if reference.endswith(".py") else load_installed(reference)


def load_installed(reference: str) -> Any:
    module, _, name = reference.partition(":")
    try:
        found = importlib.import_module(module)
        return getattr(found, name) if name else found
    except Exception as error:  # another package's code may raise anything
        problem = f"{type(error).__name__}: {error}"
        raise InputError(f"{reference} cannot be loaded: {problem}\n  Is its package installed?") from error


def _code(name: str) -> str:
    """The module or file that must be trusted for it."""
    return str(Path(name).resolve()) if name.endswith(".py") else name.partition(":")[0]


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise InputError(f"{path}: there is no such file\n  Check the path.")
    spec = importlib.util.spec_from_file_location(f"liftq_user_domain.{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[module.__name__] = module  # dataclasses look up their module here
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise InputError(f"{path}: {type(error).__name__} while it was loaded: {error}\n  Correct the file.") from error
    return module
