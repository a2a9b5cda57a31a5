"""Loads sources of problems: bundled domains, folders, Python files and modules."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from types import ModuleType

from liftq.domains import DOMAINS, Dice, Generator, domain
from liftq.errors import InputError, PDDLError, plural
from liftq.parts.code import OUTSIDE, load
from liftq.pddl import parse_problem
from liftq.pddl.structures import Problem
from liftq.pddl.writer import write_problem
from liftq.problems import ProblemSource
from liftq.problems.folder import ProblemFolder
from liftq.problems.generated import Generated
from liftq.problems.thinned import PREFIX, Thinned

LARGEST_TRIED = 200  # generators with no problems up to this size are rejected


@dataclass(frozen=True)
class FromFile(Generated):
    """A generator that cannot be imported by name: each process loads its file."""

    file: Path

    def __reduce__(self) -> tuple[Callable[[Path], ProblemSource], tuple[Path]]:
        return load_domain, (self.file,)


def load_domain(name: str | Path, domain_file: Path | None = None) -> ProblemSource:
    """A folder's domain is the nearest `domain.pddl` unless a file is given. After `thinned:`, goals are dropped."""
    text, path = str(name), Path(name)
    if text.startswith(PREFIX):
        source = load_domain(text.removeprefix(PREFIX))
        if not isinstance(source, Generated):
            fix = "`liftq learn` thins the goals of a folder itself."
            raise InputError(f"{text}: {PREFIX} goes with a generator\n  {fix}")
        return Thinned(source)
    if domain_file is not None:
        if not path.is_dir():
            raise InputError(f"{path} is not a folder\n  --domain goes with a folder of problems.")
        return ProblemFolder(path, domain_file)
    if text in DOMAINS.bundled():
        return Generated(domain(text))
    if OUTSIDE.fullmatch(text) or text in DOMAINS:
        return Generated(_checked(domain(text)))
    if path.is_dir():
        return ProblemFolder(path)
    if path.suffix == ".py":
        return FromFile(_checked(_generator_in(load(text), text)), path.absolute())
    if "/" in text or path.exists():
        raise InputError(f"{text}: neither a folder nor a Python file\n  Give a folder with a domain.pddl in it.")
    if "." in text:
        return Generated(_checked(_generator_in(load(text), text)))
    return Generated(domain(text))


def _generator_in(module: ModuleType, name: str) -> type[Generator]:
    found = [
        each
        for _, each in inspect.getmembers(module, inspect.isclass)
        if issubclass(each, Generator) and each.__module__ == module.__name__
    ]
    if len(found) != 1:
        named = f" ({', '.join(generator.__name__ for generator in found)})" if found else ""
        raise InputError(
            f"{name}: {plural(len(found), 'generator')}{named}\n  Define one subclass of liftq.domains.Generator."
        )
    return found[0]


def _checked(generator: type[Generator]) -> type[Generator]:
    """Draws a problem of the smallest size, to catch mistakes before hours of work depend on the generator."""
    if missing := sorted(generator.__abstractmethods__ | {name for name in _TEXTS if not hasattr(generator, name)}):
        raise _broken(generator, f"has no {', '.join(missing)}", "See liftq.domains.Generator for what they mean.")
    if not is_dataclass(generator) or "__dataclass_params__" not in vars(generator):
        raise _broken(generator, "is not a dataclass", "Put @dataclass(frozen=True) above it.")
    for size in range(1, LARGEST_TRIED + 1):
        parameters = generator.of_size(size, Dice("check"))
        if parameters is not None:
            _check_problem(generator, parameters, size)
            return generator
    raise _broken(generator, f"has no problems of size 1 to {LARGEST_TRIED}", "Let of_size return parameters for some.")


_TEXTS = {"pddl", "formula"}


def _check_problem(generator: type[Generator], parameters: Generator, size: int) -> None:
    if not isinstance(parameters, generator) or parameters.size != size:
        raise _broken(generator, f"gave {parameters} for size {size}", "of_size must return an instance of that size.")
    problem = parameters.sample(Dice("check"))
    if not isinstance(problem, Problem) or problem.size != size:
        fix = "sample must return a Problem with as many objects as `size` says."
        raise _broken(generator, f"drew a wrong problem with {parameters}", fix)
    try:
        parse_problem(write_problem(problem), generator.domain(), f"<a problem of {parameters}>")
    except PDDLError as error:
        raise _broken(generator, f"drew a problem that does not fit its domain: {error.problem}", error.fix) from error


def _broken(generator: type[Generator], problem: str, fix: str) -> InputError:
    return InputError(f"{generator.__module__}.{generator.__qualname__} {problem}\n  {fix}")
