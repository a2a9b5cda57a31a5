"""`liftq zoo calibrate`: how many actions a policy can take from one pass of its network."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from liftq.commands.output import result
from liftq.errors import InputError


def calibrate(
    policy: Annotated[
        str, typer.Argument(metavar="NAME|FILE", help="A bundled policy, or a policy file.", show_default=False)
    ],
    seed: Annotated[int, typer.Option(help="Another seed draws other problems.")] = 0,
) -> None:
    """Find out how many actions a policy can take from one pass of its network, and write that to its card.

    Tries wider and wider gaps to the best value, and prices on actions that are repeated, on problems larger than those
    of training. Keeps the setting with the fewest passes among those that solve as many problems as one action a pass
    does, by plans that are at most 5 % longer in the mean. The weights stay as they are.
    """
    from liftq.evaluation.calibration import best, calibrate, problems_for, with_acting
    from liftq.evaluation.solvers import own_domain
    from liftq.policies.greedy import Greedy
    from liftq.policies.policy_file import read_policy_file, save_policy
    from liftq.policies.zoo import policy_path

    path = policy_path(policy)
    policy_file = read_policy_file(path)
    domain = own_domain(policy_file)
    if domain is None:
        raise InputError(f"{path}: its domain is not bundled, so there are no problems to try\n  Set `acting` by hand.")
    trials = []
    for trial in calibrate(Greedy(policy_file), problems_for(policy_file, domain, seed)):
        trials.append(trial)
        passes, length = trial.passes(trials[0]), trial.length(trials[0])
        words = f"{trial.acting}: {trial.solved} solved, {passes:.2f} of the passes, plans {length:.3f} as long"
        result(words, acting=asdict(trial.acting), solved=trial.solved, passes=passes, length=length)
    acting = best(trials).acting
    save_policy(path, with_acting(policy_file, acting))
    result(f"{path} acts with {acting}", policy=path, acting=asdict(acting))
