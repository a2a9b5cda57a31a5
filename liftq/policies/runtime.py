"""The native network of a policy file, and the graphs of tasks that it reads."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache
from weakref import WeakKeyDictionary

from liftq import _core
from liftq.encoders import Relation
from liftq.engine.task import Task
from liftq.errors import InputError, listed
from liftq.pddl.forms.facts import Facts
from liftq.pddl.forms.form import Misfit
from liftq.pddl.structures import Atom, Literal
from liftq.policies.compatibility import fit, form_of, mismatch, unseen_goals
from liftq.policies.goals import presumed_goals
from liftq.policies.policy_file import PolicyFile
from liftq.policies.view import View

LOG = logging.getLogger(__name__)


class Runtime:
    """May be used by many threads at a time, each with its own tasks."""

    def __init__(self, policy_file: PolicyFile) -> None:
        self.domain, self.encoder = policy_file.domain, policy_file.encoder
        relations = self.encoder.relations(self.domain)
        self._forms: WeakKeyDictionary[Task, View] = WeakKeyDictionary()
        self._presumed: WeakKeyDictionary[Task, list[Atom]] = WeakKeyDictionary()  # goals, by task that is seen
        self._valuers: WeakKeyDictionary[Task, dict[tuple[bool, int], _core.Valuer]] = WeakKeyDictionary()
        self.network = policy_file.model.native(policy_file.weights, relations, self.encoder.with_actions)

    def view(self, task: Task) -> View:
        """What the policy sees of a task. An InputError if it does not fit."""
        if task.domain is self.domain:
            return View(task)
        relations = self.encoder.rows(self.domain)
        if (renaming := _fit(self.domain, relations, task.domain)) is not None:
            if renaming.names:
                changed = [f"{own} is {name}" for (_, own), name in renaming.names.items() if own != name]
                LOG.info("the policy fits up to names: %s", listed(changed))
            return View(task, renaming)
        if task not in self._forms:
            self._forms[task] = self._in_form(task, relations)
        return self._forms[task]

    def _in_form(self, task: Task, relations: Sequence[Relation]) -> View:
        try:
            form = form_of(self.domain, relations, Facts(task.domain, task.problem))
        except Misfit as misfit:
            reason = str(misfit) or mismatch(self.domain, task.domain)
            raise InputError(f"the policy does not fit the domain {task.domain.name}: {reason}") from None
        if form.stricter:
            LOG.info("the policy's actions do more than they need to: %s", form.stricter)
        return View(Task(form.domain, form.problem), form=form)

    def builder(self, view: View) -> _core.GraphBuilder:
        if view.task not in self._presumed:
            self._presumed[view.task] = self._presumed_in(view)
        return self.encoder.builder(self.domain, view.task, view.renaming, self._presumed[view.task])

    def unseen_goals(self, view: View) -> list[str]:
        """Predicates of the goal for which the policy has learned nothing."""
        return unseen_goals(self.encoder.without, view.task.problem.goal, view.renaming)

    def _presumed_in(self, view: View) -> list[Atom]:
        """None if the policy does not say which goals it has seen: then no predicate is left out."""
        domain, problem = view.task.domain, view.task.problem
        names = {predicate.name for predicate in domain.predicates}
        unseen = unseen_goals(self.encoder.without, (Literal(Atom(name, ())) for name in names), view.renaming)
        return presumed_goals(domain, problem, names - set(unseen)) if unseen else []

    def valuer(self, view: View, compress: bool, threads: int) -> _core.Valuer:
        """Kept as long as the task, since what one pass computed may serve the next."""
        known = self._valuers.setdefault(view.task, {})
        if (compress, threads) not in known:
            builder = self.builder(view)
            known[compress, threads] = _core.Valuer(self.network, view.task.engine, builder, compress, threads)
        return known[compress, threads]


_fit = lru_cache(maxsize=64)(fit)
