"""Planning as a Gymnasium environment: `gymnasium.make("liftq.environment:liftq/Planning-v0", source="ferry")`."""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any, Literal

import numpy as np

from liftq.encoders import encoder
from liftq.engine.solver import Action
from liftq.engine.task import Choice, State, Task
from liftq.errors import InputError
from liftq.pddl.structures import Problem
from liftq.problems.loading import load_domain

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise ImportError("liftq.environment needs Gymnasium: pip install 'liftq[gym]'") from error

LONGEST = 100_000  # characters of an atom or a goal
PROBLEM_SEEDS = 2**31


class Planning(gymnasium.Env):  # type: ignore[misc]
    """Each reset draws a problem. Action i is the i-th that can be applied in the current state: `actions` lists them,
    and `info["action_mask"]` masks the others, which change nothing and cost 1.

    A step's reward is minus its cost, and `goal_reward` comes on top at the goal. A state without actions ends the
    episode, at the price of all steps that are left.

    Observations are `atoms`, those of the state and the goal as text, or a `graph`: nodes are objects, actions and
    atoms, with features for types and predicates, and edges labelled with the position of an argument. Action i is the
    node `info["action_nodes"][i]`.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        source: str | Path,  # a bundled domain, a generator, or a folder of problems
        sizes: tuple[int, int] = (1, 20),
        observations: Literal["atoms", "graph"] = "atoms",
        most_actions: int = 1000,  # in a state
        most_steps: int = 1000,
        goal_reward: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        self.source = load_domain(source)
        self.sizes = self.source.sizes(*sizes)
        if not self.sizes:
            raise InputError(f"{source} has no problems of sizes {sizes[0]} to {sizes[1]}\n  Ask for other `sizes`.")
        self.most_actions, self.most_steps, self.goal_reward = most_actions, most_steps, goal_reward
        self.render_mode = render_mode
        self.encoder = encoder("object_atom")() if observations == "graph" else None
        self.action_space = spaces.Discrete(most_actions)
        self.observation_space = self._graphs() if self.encoder else spaces.Sequence(_TEXT)

    @property
    def actions(self) -> list[Action]:
        return self.choice.actions()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self.task = Task(self.source.domain, self._draw())
        self._always = [f"(goal {each})" for each in self.task.problem.goal]
        self._always += [str(each) for each in self.task.problem.init if each.predicate not in self.task.domain.fluents]
        self.steps = 0
        self._enter(self.task.initial_state)
        return self._observation(), self._info()

    def step(self, action: int | np.int64) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        reward = -1.0
        if action < len(self.choice):
            reward = -float(self.task.cost(self.choice.action(int(action))))
            self._enter(self.choice.successor(int(action)))
        self.steps += 1
        left = self.most_steps - self.steps
        is_goal = self.task.is_goal(self.choice.state)
        is_stuck = not is_goal and not len(self.choice)
        reward += self.goal_reward if is_goal else -left if is_stuck else 0
        return self._observation(), reward, is_goal or is_stuck, left <= 0, self._info()

    def render(self) -> str | None:
        return "\n".join(self._atoms()) if self.render_mode == "ansi" else None

    def _draw(self) -> Problem:
        for size in self.np_random.permutation(self.sizes).tolist():
            if found := next(self.source.instances(size, int(self.np_random.integers(PROBLEM_SEEDS))), None):
                return found.problem
        raise InputError(f"{self.source.name}: all problems are solved at the start\n  Ask for larger `sizes`.")

    def _enter(self, state: State) -> None:
        self.choice = Choice(self.task, state, compress=False)
        if len(self.choice) > self.most_actions:
            problem = f"a state has {len(self.choice)} actions, and there is room for {self.most_actions}"
            raise InputError(f"{problem}\n  Set `most_actions` higher, or ask for smaller `sizes`.")

    def _info(self) -> dict[str, Any]:
        mask = np.zeros(self.most_actions, np.int8)
        mask[: len(self.choice)] = 1
        if not self.encoder:
            return {"action_mask": mask}
        nodes = np.full(len(mask), -1)
        nodes[: len(self.choice)] = self._graph.candidate_node
        return {"action_mask": mask, "action_nodes": nodes}

    def _observation(self) -> Any:
        return self._as_graph() if self.encoder else self._atoms()

    def _atoms(self) -> tuple[str, ...]:
        return (*self._always, *sorted(map(str, self.task.atoms(self.choice.state))))

    def _graphs(self) -> spaces.Graph:
        assert self.encoder
        arities = [relation.arity for relation in self.encoder.relations(self.source.domain)]
        return spaces.Graph(spaces.Box(0, 1, (arities.count(1),)), spaces.Discrete(max(1, arities.count(2))))

    def _as_graph(self) -> spaces.GraphInstance:
        assert self.encoder
        self._graph = self.encoder.encode([self.choice])
        features = [rows.nodes for rows in self._graph.relations if rows.nodes.shape[1] == 1]
        edges = [rows.nodes for rows in self._graph.relations if rows.nodes.shape[1] == 2]
        nodes = np.zeros((len(self._graph.multiplicity), len(features)), np.float32)
        for feature, rows in enumerate(features):
            nodes[rows[:, 0], feature] = 1
        labels = np.repeat(np.arange(len(edges)), [len(rows) for rows in edges])
        return spaces.GraphInstance(nodes, labels, np.concatenate([np.zeros((0, 2), np.int64), *edges]))


_TEXT = spaces.Text(LONGEST, charset=string.printable)
gymnasium.register("liftq/Planning-v0", entry_point="liftq.environment:Planning")
