"""Which bundled policies fit other people's files of their domain, and how far they come there alone.

    python benchmarks/forms.py autoscale/optimal --seconds 10

takes problems p01 to p10 of each folder that is named after a bundled policy, and prints a table.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from liftq.engine.solver import Limits
from liftq.errors import InputError
from liftq.pddl import read_domain, read_problem
from liftq.pddl.forms.facts import Facts
from liftq.pddl.forms.form import Misfit
from liftq.policies.compatibility import fit, form_of, mismatch
from liftq.policies.policy_file import PolicyFile, read_description
from liftq.zoo.bundled import bundled
from liftq.zoo.solver import solve


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--problems", type=int, default=10)
    given = parser.parse_args()
    print("| domain | as it is | in another form | solved alone | longest (s) |\n| :-- | :-- | :-- | --: | --: |")
    for name, path in bundled().items():
        problems = sorted((given.folder / name).glob("p*.pddl"))[: given.problems]
        if problems:
            print(row(name, read_description(path), problems, given.seconds), flush=True)


def row(name: str, policy: PolicyFile, problems: list[Path], seconds: float) -> str:
    domain_file = problems[0].parent / "domain.pddl"
    domain = read_domain(domain_file)
    relations = policy.encoder.rows(policy.domain)
    as_it_is = fit(policy.domain, relations, domain) is not None
    form = "" if as_it_is else "; ".join(dict.fromkeys(form_in_words(policy, domain_file, path) for path in problems))
    if not as_it_is and form.startswith("no: "):
        return f"| {name} | no | {form} | | |"
    solved = []
    for path in problems:
        try:
            trajectory, _ = solve(domain_file, path, name, Limits(seconds), "none")
        except InputError:
            continue
        if trajectory.solved:
            solved.append(trajectory.seconds)
    longest = f"{max(solved):.1f}" if solved else ""
    return f"| {name} | {'yes' if as_it_is else 'no'} | {form} | {len(solved)} of {len(problems)} | {longest} |"


def form_in_words(policy: PolicyFile, domain_file: Path, path: Path) -> str:
    domain = read_domain(domain_file)
    try:
        form = form_of(policy.domain, policy.encoder.rows(policy.domain), Facts(domain, read_problem(path, domain)))
    except Misfit as misfit:
        return f"no: {str(misfit) or mismatch(policy.domain, domain)}"
    return f"yes, but {form.stricter}" if form.stricter else "yes"


if __name__ == "__main__":
    main()
