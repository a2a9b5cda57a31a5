"""The validator: replays a plan on sets of atoms. It shares no code with the C++ engine, so it can check it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import fsum

from liftq.engine.solver import Action, Ending, Plan, Trajectory
from liftq.engine.task import Task
from liftq.engine.truth import Binding, Truth, Universe
from liftq.engine.vocabulary import Vocabulary
from liftq.errors import InputError, listed, plural
from liftq.pddl.structures import Atom, Domain, Formula, Number, Problem, Schema
from liftq.pddl.trees import substituted


@dataclass(frozen=True, slots=True)
class Validation:
    valid: bool
    length: int  # steps of the plan
    cost: Number | None = None  # None if the plan is invalid
    step: int | None = None  # the first that is not applicable, from 1
    action: Action | None = None  # of that step
    failed: Formula | None = None  # its first precondition that does not hold
    missing_goals: tuple[Formula, ...] = ()  # after the last step, if all steps are applicable

    def __str__(self) -> str:
        steps = plural(self.length, "step")
        if self.valid:
            return f"valid: {steps}, cost {self.cost}"
        if self.step is not None:
            return f"invalid: step {self.step} of {self.length}, {self.action}: its precondition {self.failed} fails"
        return f"invalid: after {steps} the goal still lacks {listed(self.missing_goals, ' ')}"


def validate(domain: Domain, problem: Problem, plan: Plan) -> Validation:
    """Replay a plan. If it is not valid, the result names the first step or the goals that fail."""
    replayer = Replayer(domain, problem)
    costs = []
    for number, action in enumerate(plan, start=1):
        failed = replayer.failed_precondition(number, action)
        if failed is not None:
            return Validation(False, len(plan), step=number, action=action, failed=failed)
        costs.append(replayer.cost(action))
        replayer.apply(action)
    missing = tuple(goal for goal in problem.goal if not replayer.truth.holds(goal, {}))
    if missing:
        return Validation(False, len(plan), missing_goals=missing)
    exact = all(isinstance(cost, int) for cost in costs)
    return Validation(True, len(plan), sum(costs) if exact else fsum(costs))


def checked(trajectory: Trajectory, task: Task) -> Trajectory:
    """The trajectory with its validated cost, or with the ending `invalid-plan`."""
    if not trajectory.solved:
        return trajectory
    try:
        validation = validate(task.domain, task.problem, trajectory.plan)
    except InputError as error:
        return replace(trajectory, ending=Ending.INVALID_PLAN, message=str(error))
    if not validation.valid:
        return replace(trajectory, ending=Ending.INVALID_PLAN, message=str(validation))
    return replace(trajectory, cost=validation.cost)


class Replayer:
    """A state as a set of atoms, to which actions are applied."""

    def __init__(self, domain: Domain, problem: Problem) -> None:
        self.vocabulary = Vocabulary(domain, problem)
        self.truth = Truth(Universe(domain, problem), problem.init)
        self.values = dict(problem.values)
        self.minimize_cost = problem.minimize_cost

    def failed_precondition(self, number: int, action: Action) -> Formula | None:
        """`number` is the step, for error messages."""
        if fault := self.vocabulary.fault(action):
            raise InputError(f"step {number}, {action}: {fault.problem}\n  {fault.fix}")
        schema, binding = self._bind(action)
        failed = (formula for formula in schema.preconditions if not self.truth.holds(formula, binding))
        return next((substituted(formula, binding) for formula in failed), None)

    def apply(self, action: Action) -> None:
        """Conditions of effects refer to the state before. Atoms that are both deleted and added end up true."""
        schema, binding = self._bind(action)
        adds = [_ground(atom, binding) for atom in schema.adds]
        deletes = [_ground(atom, binding) for atom in schema.deletes]
        for effect in schema.conditional_effects:
            for each in self.truth.bindings(effect.parameters, effect.condition, binding):
                adds += (_ground(atom, each) for atom in effect.adds)
                deletes += (_ground(atom, each) for atom in effect.deletes)
        self.truth.change(deletes, adds)

    def cost(self, action: Action) -> Number:
        """An action that does not increase the total cost is free, as in Fast Downward."""
        if not self.minimize_cost:
            return 1
        schema, binding = self._bind(action)
        if not isinstance(schema.cost, Atom):
            return schema.cost or 0
        term = _ground(schema.cost, binding)
        if term not in self.values:
            raise InputError(f"the cost of {action} is {term}, which has no value\n  Add `(= {term} 1)` to `:init`.")
        return self.values[term]

    def _bind(self, action: Action) -> tuple[Schema, dict[str, str]]:
        schema = self.vocabulary.schemas[action.schema]
        variables = (parameter.name for parameter in schema.parameters)
        return schema, dict(zip(variables, action.arguments, strict=True))


def _ground(atom: Atom, binding: Binding) -> Atom:
    return Atom(atom.predicate, tuple(binding.get(term, term) for term in atom.arguments))
