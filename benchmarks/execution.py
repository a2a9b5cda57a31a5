"""Reaching the goal in a world that does not follow the plan: a policy in a loop, against planning again.

At each step, with the given rate, the action has no effect, or somebody else takes two random actions instead. Seconds
are CPU time, child processes included.

    OMP_NUM_THREADS=1 python benchmarks/execution.py run benchmarks/execution.jsonl [DOMAIN ...] [--seconds 60]
    python benchmarks/execution.py table benchmarks/execution.jsonl docs/execution.svg

What a decision of `liftq act` takes, from the line that says what changed to the answer: of ten steps, eight have the
effect of the action, one that of two random actions, and one is reported as a whole state. At the goal, the first state
is reported again.

    OMP_NUM_THREADS=1 python benchmarks/execution.py act [DOMAIN ...] [--steps 1000]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from problems import problems

from liftq.compute import provenance
from liftq.engine.repair import repair
from liftq.engine.solver import Action, Limits, Plan, Trajectory
from liftq.engine.task import Choice, Task
from liftq.engine.world import World
from liftq.pddl import write_domain, write_problem
from liftq.pddl.structures import Atom, Domain, Problem
from liftq.policies.actor import Actor
from liftq.policies.greedy import Greedy
from liftq.problems.ipc23 import Ipc23
from liftq.teachers.fast_downward import FastDownward
from liftq.zoo import load_policy

DOMAINS = ("blocksworld", "ferry", "miconic", "satellite", "transport")
FILES = (3, 12)
RATES = (0.0, 0.02, 0.1)
SEED = 4711
MOST_STEPS = 5000
PATIENCE = 10  # seconds of wall time for one of CPU time, as the machine is shared

Line = dict[str, Any]


class Lama(FastDownward):
    """Its first iteration, limited in CPU time."""

    def _arguments(self, task: Task, limits: Limits) -> list[str]:
        seconds = max(1, int((limits.seconds or 0) / PATIENCE))
        return ["--overall-time-limit", f"{seconds}s", *super()._arguments(task, limits)]


class Replanner:
    """Follows a plan as long as the world does, and then asks for another."""

    def __init__(self, world: World, replan: Callable[[Task, Plan, Limits], Trajectory]) -> None:
        self.world, self.replan = world, replan
        self.plan: Plan = ()
        self.done = 0  # steps of it
        self.expected: int | None = None
        self.times = 0

    def __call__(self, seconds: float) -> Action | None:
        task, state = self.world.task, self.world.state
        if state != self.expected:
            self.times += 1
            rest = self.plan[max(0, self.done - 1) :]  # with the last action, which may have had no effect
            found = self.replan(task.begun_at(state), rest, Limits(PATIENCE * seconds))
            self.plan, self.done = found.plan if found.solved else (), 0
        if self.done == len(self.plan):
            return None
        action = self.plan[self.done]
        self.done += 1
        self.expected = task.successor(state, action)
        return action


class Loop:
    def __init__(self, world: World, policy: Greedy) -> None:
        self.actor = Actor(policy, world, seconds=10 * PATIENCE)
        self.times = 0

    def __call__(self, seconds: float) -> Action | None:
        self.times += 1
        decision = self.actor.decide()
        return decision.action if decision else None


def executors(world: World, policy: Greedy) -> dict[str, Callable[[], Any]]:
    lama = Lama("lama-first")
    return {
        "policy in a loop": lambda: Loop(world, policy),
        "liftq solve again": lambda: Replanner(world, lambda task, _, limits: policy.solve(task, limits)),
        "liftq repairs the plan": lambda: Replanner(
            world, lambda task, plan, limits: repair(task, plan, policy.solve, limits)
        ),
        "LAMA again": lambda: Replanner(world, lambda task, _, limits: lama.solve(task, limits)),
    }


def cpu_seconds() -> float:
    of_children = os.times()
    return process_time() + of_children.children_user + of_children.children_system


def execute(domain: Domain, problem: Problem, policy: Greedy, name: str, rate: float, budget: float) -> Line:
    world = World(domain, problem)
    decide = executors(world, policy)[name]()
    waits: list[float] = []
    disturbances = steps = 0
    while not world.is_goal and steps < MOST_STEPS and sum(waits) < budget:
        started = cpu_seconds()
        action = decide(budget - sum(waits))
        waits.append(cpu_seconds() - started)
        if action is None:
            break
        dice = random.Random(f"{problem.name} {rate} {steps}")  # the same for all, however long they take
        is_disturbed = dice.random() < rate
        steps, disturbances = steps + 1, disturbances + is_disturbed
        if not is_disturbed:
            world.apply(action)
        elif dice.random() < 0.5:
            for _ in range(2):
                world.apply(dice.choice(Choice(world.task, world.state).actions()))
    figures = {"reached": world.is_goal, "steps": steps, "disturbances": disturbances, "times": decide.times}
    return figures | {"seconds": round(sum(waits), 3), "longest": round(max(waits, default=0), 3)}


def run(out: Path, domains: Sequence[str], budget: float) -> None:
    known = {_key(line) for line in read(out)}
    if not out.exists():
        origin = {"commit": provenance.commit(), "machine": provenance.machine(), "date": str(date.today())}
        _append(out, {"command": f"benchmarks/execution.py run, {budget:g} s", **origin})
    for domain in domains:
        policy = load_policy(domain)
        for number, problem in problems(domain, Ipc23.MEDIUM, FILES, SEED):
            for rate in RATES:
                for name in executors(World(policy.policy_file.domain, problem), policy):
                    line = {"domain": domain, "problem": number, "objects": problem.size, "rate": rate, "by": name}
                    if _key(line) not in known:
                        figures = execute(policy.policy_file.domain, problem, policy, name, rate, budget)
                        _append(out, line | figures)


class Acting:
    """`liftq act` in a process of its own."""

    def __init__(self, domain: Domain, problem: Problem, name: str, folder: Path) -> None:
        files = folder / "domain.pddl", folder / "problem.pddl"
        for file, text in zip(files, (write_domain(domain), write_problem(problem)), strict=True):
            file.write_text(text)
        command = [sys.executable, "-m", "liftq", "act", *map(str, files), "--policy", name]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.answer()

    def answer(self) -> Line:
        assert self.process.stdout
        answer = json.loads(self.process.stdout.readline())
        assert "error" not in answer, answer
        self.last = answer
        return answer

    def tell(self, **report: Any) -> float:
        """Milliseconds to the answer."""
        assert self.process.stdin
        line = json.dumps(report) + "\n"
        started = perf_counter()
        self.process.stdin.write(line)
        self.process.stdin.flush()
        self.answer()
        return 1000 * (perf_counter() - started)

    @property
    def cpu_milliseconds(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return 1000 * sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def report_of(world: World, action: Action | None, beginning: set[Atom], dice: random.Random) -> Line:
    """What happens in the world, as a line for `liftq act`."""
    before, die = world.atoms, dice.random()
    if action is None:
        world.observe(beginning)
    elif die < 0.9:
        world.apply(action)
    else:
        for _ in range(2):
            world.apply(dice.choice(Choice(world.task, world.state).actions()))
    if action and die < 0.8:
        return {"executed": True}
    if action and die >= 0.9:
        return {"add": [*map(str, world.atoms - before)], "delete": [*map(str, before - world.atoms)]}
    return {"state": [str(atom) for atom in world.atoms if atom.predicate in world.domain.fluents]}


def act(domains: Sequence[str], steps: int) -> None:
    print("| domain | objects | true atoms that change | CPU ms per decision | ms, median | longest | by search |")
    print("| :-- " + "| --: " * 6 + "|")
    for name in domains:
        domain = load_policy(name).policy_file.domain
        ((_, problem),) = problems(name, Ipc23.MEDIUM, FILES[-1:], SEED)
        world, dice = World(domain, problem), random.Random(SEED)
        beginning = world.atoms
        with TemporaryDirectory() as folder:
            acting = Acting(domain, problem, name, Path(folder))
            used, waits, searched = acting.cpu_milliseconds, [], 0
            for _ in range(steps):
                words = (acting.last["action"] or "").strip("()").split()
                action = Action(words[0], tuple(words[1:])) if words else None
                waits.append(acting.tell(**report_of(world, action, beginning, dice)))
                searched += acting.last.get("searched", False)
            used = (acting.cpu_milliseconds - used) / steps
            acting.process.communicate()
        fluent = sum(atom.predicate in domain.fluents for atom in beginning)
        cells = (name, problem.size, fluent, f"{used:.2f}", f"{median(waits):.2f}", f"{max(waits):.0f}", searched)
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


def read(path: Path) -> list[Line]:
    """Without the first line, which says where the others come from."""
    return [json.loads(line) for line in path.read_text().splitlines()[1:]] if path.exists() else []


def _key(line: Line) -> tuple[Any, ...]:
    return tuple(line[name] for name in ("domain", "problem", "rate", "by"))


def _append(path: Path, line: Line) -> None:
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")


def of(lines: Sequence[Line], **wanted: Any) -> list[Line]:
    return [line for line in lines if all(line[name] == value for name, value in wanted.items())]


def table(lines: Sequence[Line]) -> str:
    rows = ["| domain | rate | by | goals reached | steps | deciding, s | longest wait, s |"]
    rows.append("| :-- | --: | :-- | --: | --: | --: | --: |")
    for domain in dict.fromkeys(line["domain"] for line in lines):
        for rate in dict.fromkeys(line["rate"] for line in lines):
            for name in dict.fromkeys(line["by"] for line in lines):
                own = of(lines, domain=domain, rate=rate, by=name)
                reached = [line for line in own if line["reached"]]
                steps = f"{sum(line['steps'] for line in reached)}" if len(reached) == len(own) else ""
                seconds, longest = sum(line["seconds"] for line in own), max(line["longest"] for line in own)
                cells = (domain, f"{rate:g}", name, f"{len(reached)}/{len(own)}", steps, f"{seconds:.2f}")
                rows.append(f"| {' | '.join(cells)} | {longest:.2f} |")
    return "\n".join(rows)


def figure(lines: Sequence[Line]) -> str:
    """Seconds of deciding for all problems of a rate; whoever missed a goal is left out there."""
    from liftq.reports.page.charts import colours_of, line_chart
    from liftq.reports.page.document import Figure
    from liftq.reports.page.figures import svg

    rows = []
    for name in dict.fromkeys(line["by"] for line in lines):
        for rate in dict.fromkeys(line["rate"] for line in lines):
            own = of(lines, by=name, rate=rate)
            rows.append({"solver": name, "x": 100 * rate, "y": sum(line["seconds"] for line in own)})
    titles = ("disturbed steps, percent", "seconds of deciding")
    chart = line_chart(rows, titles, colours_of(row["solver"] for row in rows), log="y")
    return svg(Figure("Seconds of deciding against the rate of disturbances", chart)) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=("run", "table", "act"))
    parser.add_argument("rest", nargs="*", help="the file of results, if any; then domains or the file of the figure")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--steps", type=int, default=1000)
    options = parser.parse_args()
    if options.command == "act":
        act(options.rest or DOMAINS, options.steps)
        return
    results, *rest = options.rest
    if options.command == "run":
        run(Path(results), rest or DOMAINS, options.seconds)
    else:
        print(table(read(Path(results))))
        Path(rest[0]).write_text(figure(read(Path(results))))


if __name__ == "__main__":
    main()
