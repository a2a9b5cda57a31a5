"""Where passes are cheap, a policy that takes several actions from one also plays one by one."""

from __future__ import annotations

from dataclasses import replace

from liftq.engine.task import Task
from liftq.policies.acting import Acting
from liftq.problems.loading import load_domain
from liftq.zoo import load_policy


def test_the_shorter_plan_counts() -> None:
    source, acting = load_domain("satellite"), Acting(gap=2, most=50, share=1, price=2)
    policy = replace(load_policy("satellite"), acting=acting)
    together, alone, both = [], [], []
    for seed in range(20):
        task = Task(source.domain, next(source.instances(20, seed)).problem)
        alone.append(len(replace(policy, acting=replace(acting, most=1)).solve(task).plan))
        together.append(len(replace(policy, again=False).solve(task).plan))
        trajectory = policy.solve(task)
        assert trajectory.passes > len(trajectory.plan)
        both.append(len(trajectory.plan))
    assert both == [min(each) for each in zip(together, alone, strict=True)]
    assert any(map(int.__lt__, together, alone)) and any(map(int.__gt__, together, alone))  # both ways count


def test_where_passes_are_dear_it_does_not() -> None:
    source, policy = load_domain("rovers"), load_policy("rovers")
    task = Task(source.domain, next(source.instances(80, seed=1)).problem)
    trajectory = policy.solve(task)
    assert trajectory.solved and trajectory.passes == replace(policy, again=False).solve(task).passes
