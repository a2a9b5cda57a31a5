"""A task as a policy sees it: as it is, or put in the words of the policy's own domain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from liftq.engine.solver import Action, Trajectory
from liftq.engine.task import Choice, Task
from liftq.pddl.forms.form import Form
from liftq.pddl.renaming import UNCHANGED, Renaming

Values = NDArray[np.float32]


@dataclass(frozen=True)
class View:
    task: Task  # that is seen
    renaming: Renaming = UNCHANGED  # to the policy's words, if these are not the task's
    form: Form | None = None  # that the task was put in

    @property
    def is_stricter(self) -> bool:
        """Whether there may be fewer plans than in the own task."""
        return self.form is not None and bool(self.form.stricter)

    def in_own_words(self, trajectory: Trajectory, own: Task) -> Trajectory:
        """A trajectory in the own task, from one in the task that is seen."""
        if self.form is None:
            return trajectory
        plan = tuple(Action(*self.form.own_action(*each)) for each in trajectory.plan)
        return replace(trajectory, plan=plan, cost=sum(map(own.cost, plan)) if trajectory.solved else None)

    def values(self, choice: Choice, values: Callable[[Choice], Values]) -> Values:
        """Of a choice in the own task, from those of the same choice in the task that is seen. Actions that change
        nothing may be none there."""
        if self.form is None:
            return values(choice)
        seen = self._choice(choice, self.form)
        orbits = map(seen.orbits.action, range(len(seen)))
        number = {(schema, tuple(arguments)): candidate for candidate, (schema, arguments) in enumerate(orbits)}
        of_seen = np.append(values(seen), np.float32(np.inf))
        return of_seen[[number.get(self._key(seen, action, self.form), len(seen)) for action in choice.actions()]]

    def _choice(self, choice: Choice, form: Form) -> Choice:
        moved = [form.atom(atom) for atom in choice.task.atoms(choice.state) if atom.predicate in form.predicates]
        changing = {name for name, _ in form.predicates.values()}
        others = [atom for atom in self.task.atoms(self.task.initial_state) if atom.predicate not in changing]
        return Choice(self.task, self.task.state_of((*moved, *others)), compress=choice.compress)

    def _key(self, seen: Choice, action: Action, form: Form) -> tuple[int, tuple[int, ...]]:
        schema, arguments = self.task.numbered_action(Action(*form.action(*action)))
        if seen.compress:
            arguments = self.task.engine.representative(seen.state, schema, arguments)
        return schema, tuple(arguments)
