"""`liftq zoo calibrate`: measure how many actions a policy can take from one pass of its network."""

from __future__ import annotations

from dataclasses import asdict

from liftq import pipeline
from liftq.commands.arguments import PolicyName, ProblemSeed
from liftq.commands.output import result
from liftq.evaluation.calibration import best
from liftq.zoo.bundled import policy_path


def calibrate(
    policy: PolicyName,
    seed: ProblemSeed = 0,
) -> None:
    """Measure how many actions a policy can take from one pass of its network, and record the setting on its card.

    Tries wider and wider gaps to the best value, and prices on repeated actions, on problems larger than those of
    training. Among the settings that solve as many problems as one action per pass, with plans at most 5 % longer on
    average, the one with the fewest passes wins. Several actions per pass must save a tenth of the passes. The weights
    stay as they are.
    """
    path = policy_path(policy)
    trials = []
    for trial in pipeline.calibrate(path, seed):
        trials.append(trial)
        passes, length = trial.passes(trials[0]), trial.length(trials[0])
        words = f"{trial.acting}: {trial.solved} solved, {passes:.2f} of the passes, plans {length:.3f} as long"
        result(words, acting=asdict(trial.acting), solved=trial.solved, passes=passes, length=length)
    acting = best(trials).acting
    result(f"{path} acts with {acting}", policy=path, acting=asdict(acting))
