"""How far limits are exceeded: hostile problems for `liftq solve` and for the teacher of `liftq teach`.

    python benchmarks/limits.py [SECONDS [MEGABYTES [NAME ...]]]

Each input makes another part of liftq take long or much memory: reading, building the task, twins, one expansion,
grounding, one pass of a network, the search. `solve` is the whole command, start of Python included. For `teach`, the
problem is read first and then given to orbit search, as the command does; memory is what the process grows by.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from rich.console import Console
from rich.table import Table

from liftq.encoders import encoder
from liftq.models import Model
from liftq.models.networks.weights import initial, views
from liftq.models.rgcn import RGCN
from liftq.models.rgnn import RGNN
from liftq.pddl import parse_domain
from liftq.policies.policy_file import PolicyFile, save_policy

PEAK = """
def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) * 1024
"""
SOLVE = f"""{PEAK}
import atexit
from liftq.__main__ import main
atexit.register(lambda: print(peak()))
main()
"""
TEACH = f"""{PEAK}
import sys, time
from liftq import _core
from liftq.engine.solver import Limits
from liftq.pddl import read_domain, read_problem
from liftq.teachers.orbit_search import OrbitSearch

domain = read_domain(sys.argv[1])
question = Task(domain, read_problem(sys.argv[2], domain))
open("/proc/self/clear_refs", "w").write("5")
before, started = _core.resident_bytes(), time.monotonic()
ending = OrbitSearch().solve(question, Limits(float(sys.argv[3]), int(sys.argv[4]))).ending
print(ending, time.monotonic() - started, max(0, peak() - before))
"""


def names(count: int, prefix: str = "o") -> list[str]:
    return [f"{prefix}{number}" for number in range(count)]


def pairs(left: list[str], right: list[str]) -> Iterator[str]:
    return (f"{a} {b}" for a in left for b in right)


def atoms(predicate: str, arguments: Iterator[str] | list[str]) -> str:
    return " ".join(f"({predicate} {each})" for each in arguments)


def chain(objects: list[str]) -> str:
    """Tells all objects apart, so that none are twins."""
    return atoms("next", [f"{a} {b}" for a, b in pairwise(objects)])


def domain(actions: str, predicates: str = "", types: str = "", functions: str = "") -> str:
    return f"""(define (domain hostile) {types}
  (:predicates (p ?x ?y) (q ?x ?y ?z) (next ?x ?y) (edge ?x ?y) (done) {predicates}) {functions} {actions})"""


def problem(objects: str, init: str, goal: str = "(done)", metric: str = "") -> str:
    return f"""(define (problem hostile) (:domain hostile) (:objects {objects}) (:init {init}) (:goal (and {goal}))
{metric})"""


STEP = "(:action step :parameters (?x ?y) :precondition (next ?x ?y) :effect (p ?x ?y))"
NEVER = "(:action never :parameters (?x) :precondition (and (p ?x ?x) (next ?x ?x)) :effect (done))"
TRIPLES = "(:action triple :parameters (?x ?y ?z) :effect (q ?x ?y ?z))"


def many_goals() -> tuple[str, str]:
    objects = names(1000)
    return domain(STEP), problem(" ".join(objects), chain(objects), atoms("p", pairs(objects, objects)))


def many_static_atoms() -> tuple[str, str]:
    objects = names(1500)
    init = atoms("edge", pairs(objects, objects)) + chain(objects)
    return domain(STEP + NEVER), problem(" ".join(objects), init)


def many_fluent_atoms() -> tuple[str, str]:
    objects = names(1200)
    init = atoms("p", pairs(objects[:-1], objects)) + chain(objects)
    undo = "(:action undo :parameters (?x ?y) :precondition (p ?x ?y) :effect (not (p ?x ?y)))"
    return domain(undo + NEVER), problem(" ".join(objects), init)


def many_objects() -> tuple[str, str]:
    objects = names(1_000_000)
    return domain(STEP + NEVER), problem(" ".join(objects), chain(objects))


def many_twins() -> tuple[str, str]:
    return domain(TRIPLES + NEVER), problem(" ".join(names(1_000_000)), "")


def pairs_of_twins() -> tuple[str, str]:
    objects = names(200_000)
    init = atoms("edge", [f"{a} {b} ) (edge {b} {a}" for a, b in zip(objects[::2], objects[1::2], strict=True)])
    return domain(STEP + NEVER), problem(" ".join(objects), init)


def all_pairs_of_twins() -> tuple[str, str]:
    objects = names(1200)
    return domain(STEP + NEVER), problem(" ".join(objects), atoms("edge", pairs(objects, objects)))


def many_actions() -> tuple[str, str]:
    objects = names(500)
    return domain(TRIPLES + NEVER), problem(" ".join(objects), chain(objects))


def fruitless_join() -> tuple[str, str]:
    objects = names(400)
    join = """(:action join :parameters (?a ?b ?c ?d ?e) :precondition (and (edge ?a ?b) (edge ?b ?c) (edge ?c ?d)
      (edge ?d ?e) (not (next ?e ?a))) :effect (done))"""
    closed = chain(objects) + atoms("next", pairs(objects, objects))
    return domain(join), problem(" ".join(objects), atoms("edge", pairs(objects, objects)) + closed)


def pigeons() -> tuple[str, str]:
    holes = [f"?h{number}" for number in range(14)]
    apart = " ".join(f"(not (= {a} {b}))" for i, a in enumerate(holes) for b in holes[:i])
    place = f"(:action place :parameters ({' '.join(holes)}) :precondition (and {apart}) :effect (done))"
    objects = names(13)
    return domain(place), problem(" ".join(objects), chain(objects))


def wide_schema() -> tuple[str, str]:
    variables = [f"?v{number}" for number in range(30)]
    conditions = " ".join(f"(edge {a} {b})" for a, b in pairwise(variables))
    walk = f"(:action walk :parameters ({' '.join(variables)}) :precondition (and {conditions}) :effect (p ?v0 ?v29))"
    objects = names(40)
    init = atoms("edge", pairs(objects[:39], objects[:39])) + chain(objects)
    return domain(walk), problem(" ".join(objects), init)


def huge_grounding() -> tuple[str, str]:
    objects = names(2000)
    move = """(:action move :parameters (?x ?y ?z) :precondition (and (p ?x ?y) (p ?y ?z)) :effect (and (p ?x ?z)
      (not (p ?x ?y))))"""
    init = atoms("p", [f"{a} {b}" for a, b in pairwise(objects)]) + chain(objects)
    return domain(move + NEVER), problem(" ".join(objects), init)


def costly_grounding() -> tuple[str, str]:
    objects = names(1000)
    drive = """(:action drive :parameters (?x ?y) :precondition (next ?x ?x) :effect (and (p ?x ?y)
      (increase (total-cost) (length ?x ?y))))"""
    lengths = " ".join(f"(= (length {each}) 7)" for each in pairs(objects, objects))
    functions = "(:functions (length ?x ?y) (total-cost))"
    text = problem(" ".join(objects), f"(= (total-cost) 0) {lengths}", metric="(:metric minimize (total-cost))")
    return domain(drive + NEVER, functions=functions), text


def deep_types() -> tuple[str, str]:
    kinds = names(8000, "t")
    declared = " ".join(f"{a} - {b}" for a, b in zip(kinds, [*kinds[1:], "object"], strict=True))
    return domain(STEP + NEVER, types=f"(:types {declared})"), problem("a b - t0", "(next a b)")


def many_schemas() -> tuple[str, str]:
    actions = " ".join(TRIPLES.replace("triple", f"triple{number}") for number in range(500))
    objects = names(60)
    return domain(actions), problem(" ".join(objects), chain(objects))


def long_names() -> tuple[str, str]:
    objects = [f"{name}-{'x' * 100_000}" for name in names(2000)]
    return domain(STEP + NEVER), problem(" ".join(objects), "")


def long_comments() -> tuple[str, str]:
    objects = names(20)
    text = problem(" ".join(objects), chain(objects))
    return domain(STEP + NEVER), text + f"\n; {'comment ' * 30}" * 1_000_000


def heavy_rows() -> tuple[str, str]:
    objects = names(120)
    init = " ".join(f"(fixed {a} {b} {c})" for a in objects for b in objects for c in objects) + chain(objects)
    return domain(STEP + NEVER, predicates="(fixed ?x ?y ?z)"), problem(" ".join(objects), init)


def long_search() -> tuple[str, str]:
    objects = names(40)
    undo = "(:action undo :parameters (?x ?y) :precondition (p ?x ?y) :effect (not (p ?x ?y)))"
    both = "(:action both :parameters (?x ?y) :precondition (and (p ?x ?y) (p ?y ?x) (next ?x ?x)) :effect (done))"
    return domain(STEP.replace("next", "edge") + undo + both), problem(
        " ".join(objects), atoms("edge", pairs(objects, objects)) + chain(objects)
    )


INPUTS = [
    many_goals,
    many_static_atoms,
    many_fluent_atoms,
    many_objects,
    many_twins,
    pairs_of_twins,
    all_pairs_of_twins,
    many_actions,
    fruitless_join,
    pigeons,
    wide_schema,
    huge_grounding,
    costly_grounding,
    deep_types,
    many_schemas,
    long_names,
    long_comments,
    heavy_rows,
    long_search,
]
NETWORKS: dict[str, tuple[str, Model, bool]] = {  # where it is not the R-GNN that values actions
    "many_static_atoms": ("object", RGCN(width=8, layers=4), True),
    "heavy_rows": ("object_atom", RGCN(width=8, layers=4), True),
    "many_schemas": ("relational", RGNN(width=8, layers=4), False),
}


def write_policy(path: Path, name: str, text: str) -> None:
    """Random weights."""
    parts, model, with_actions = NETWORKS.get(name, ("relational", RGNN(width=8, layers=4), True))
    read, encoding = parse_domain(text), encoder(parts)(with_actions=with_actions)
    layout = model.layout(encoding.relations(read), with_actions)
    weights = {key: weight[0].numpy() for key, weight in views(layout, initial(layout, [1])).items()}
    save_policy(path, PolicyFile(read, encoding, model, weights, {"seed": 1}))


def run(script: str, arguments: list[str]) -> tuple[list[str], float]:
    """Lines of output, and seconds."""
    started = time.monotonic()
    command = [sys.executable, "-c", script, *arguments]
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
    return output.strip().splitlines(), time.monotonic() - started


def measure(name: str, folder: Path, seconds: float, memory: int) -> list[str]:
    files = [str(folder / "domain.pddl"), str(folder / "problem.pddl")]
    limits = ["--time-limit", str(seconds), "--memory-limit", f"{memory >> 20}M", "--policy", str(folder / "policy")]
    (*_, said, peak), took = run(SOLVE, ["solve", *files, *limits])
    row = [name, said.split(":")[0], *excess(took, seconds, int(peak), memory)]
    (*_, said), _ = run(TEACH, [*files, str(seconds), str(memory)])
    ending, took_alone, growth = said.split()
    return [*row, ending, *excess(float(took_alone), seconds, int(growth), memory)]


def excess(took: float, seconds: float, peak: int, memory: int) -> tuple[str, str]:
    return f"{took - seconds:+.2f}", f"{(peak / memory - 1) * 100:+.1f}"


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    memory = int(sys.argv[2]) << 20 if len(sys.argv) > 2 else 1 << 30
    headings = ("input", "solve", "s over", "memory over, %", "teach", "s over", "memory over, %")
    table = Table(*headings, title=f"Limits of {seconds} s and {memory >> 20} MiB")
    for make in INPUTS:
        if sys.argv[3:] and make.__name__ not in sys.argv[3:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder)
            texts = make()
            for file, text in zip(("domain.pddl", "problem.pddl"), texts, strict=True):
                (path / file).write_text(text)
            write_policy(path / "policy", make.__name__, texts[0])
            row = measure(make.__name__, path, seconds, memory)
        print(*row, sep="\t", flush=True)
        table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()
