"""The native network of a policy file, and the graphs of tasks that it reads."""

from __future__ import annotations

from functools import lru_cache

from liftq import _core
from liftq.engine.task import Task
from liftq.errors import InputError
from liftq.policies.compatibility import mismatch
from liftq.policies.policy_file import PolicyFile


class Runtime:
    """May be used by many threads at a time, each with its own tasks."""

    def __init__(self, policy_file: PolicyFile) -> None:
        self.domain, self.encoder = policy_file.domain, policy_file.encoder
        relations = self.encoder.relations(self.domain)
        self.network = policy_file.model.native(policy_file.weights, relations, self.encoder.with_actions)

    def builder(self, task: Task) -> _core.GraphBuilder:
        """An InputError if the policy does not fit the task's domain."""
        if task.domain is not self.domain and (reason := _mismatch(self.domain, task.domain)):
            raise InputError(f"the policy does not fit the domain {task.domain.name}: {reason}")
        return self.encoder.builder(self.domain, task)


_mismatch = lru_cache(maxsize=64)(mismatch)
