"""The native network of a policy file, and the graphs of tasks that it reads."""

from __future__ import annotations

import logging
from functools import lru_cache

from liftq import _core
from liftq.engine.task import Task
from liftq.errors import InputError, listed
from liftq.pddl.renaming import UNCHANGED, Renaming
from liftq.pddl.structures import Domain
from liftq.policies.compatibility import fit, mismatch
from liftq.policies.policy_file import PolicyFile

LOG = logging.getLogger(__name__)


class Runtime:
    """May be used by many threads at a time, each with its own tasks."""

    def __init__(self, policy_file: PolicyFile) -> None:
        self.domain, self.encoder = policy_file.domain, policy_file.encoder
        relations = self.encoder.relations(self.domain)
        self.network = policy_file.model.native(policy_file.weights, relations, self.encoder.with_actions)

    def renaming(self, domain: Domain) -> Renaming:
        """What the domain's symbols are called in the policy's. An InputError if the policy does not fit."""
        if domain is self.domain:
            return UNCHANGED
        renaming = _fit(self.domain, self.encoder.rows(self.domain), domain)
        if renaming is None:
            raise InputError(f"the policy does not fit the domain {domain.name}: {mismatch(self.domain, domain)}")
        if renaming.names:
            changed = [f"{own} is {name}" for (_, own), name in renaming.names.items() if own != name]
            LOG.info("the policy fits up to names: %s", listed(changed))
        return renaming

    def builder(self, task: Task) -> _core.GraphBuilder:
        return self.encoder.builder(self.domain, task, self.renaming(task.domain))


_fit = lru_cache(maxsize=64)(fit)
