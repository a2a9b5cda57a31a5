"""Acting in a loop, in a world that does not always follow the plan."""

from __future__ import annotations

from dataclasses import dataclass, field

from liftq.engine.solver import Limits, Plan
from liftq.engine.task import State
from liftq.engine.world import World
from liftq.policies import Policy
from liftq.policies.decision import Decision


@dataclass
class Actor:
    """Decides again and again. As long as the world does what the actions say, it avoids states it has been in, as a
    policy may go to and fro. Where every action leads back, it looks for a plan and follows that."""

    policy: Policy
    world: World
    seconds: float | None = None  # for finding such a plan; 0: never search
    _been: set[State] = field(default_factory=set, init=False)
    _plan: Plan = field(default=(), init=False)  # the rest of it
    _expected: tuple[object, State] | None = field(default=None, init=False)  # task and state after the last action

    def decide(self) -> Decision | None:
        """None if the goal holds or no way to it was found."""
        task, state = self.world.task, self.world.state
        if self._expected != (task, state):
            self._been.clear()
            self._plan = ()
        self._been.add(state)
        if self.world.is_goal:
            return None
        decision = self._follow() or self.policy.act(task, state, self._been) or self._search()
        self._expected = (task, task.successor(state, decision.action)) if decision else None
        return decision

    def _search(self) -> Decision | None:
        if self.seconds == 0:
            return None
        found = self.policy.solve_from(self.world.task, self.world.state, Limits(self.seconds))
        self._plan = found.plan if found.solved else ()
        return self._follow()

    def _follow(self) -> Decision | None:
        if not self._plan:
            return None
        action, cost = self._plan[0], sum(map(self.world.task.cost, self._plan))
        self._plan = self._plan[1:]
        return Decision(action, float(cost), searched=True)
