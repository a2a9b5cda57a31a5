"""The C++ core as Python sees it (core/bindings)."""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy
from numpy.typing import NDArray

class Stopped(BaseException):
    pass

class Watch:
    """Limits on what the thread does within a `with` statement."""

    def __init__(self, seconds: float | None, memory_bytes: float | None) -> None: ...
    def __enter__(self) -> Watch: ...
    def __exit__(self, *exception: object) -> None: ...
    @property
    def ending(self) -> str | None:
        """Of whatever was stopped; none if nothing was."""

    @property
    def seconds(self) -> float:
        """Since it was entered."""

class Status:
    """How far searches of the thread come within a `with` statement."""

    def __init__(self) -> None: ...
    def __enter__(self) -> Status: ...
    def __exit__(self, *exception: object) -> None: ...
    @property
    def steps(self) -> int: ...
    @property
    def passes(self) -> int: ...
    @property
    def best_value(self) -> float | None: ...
    @property
    def states(self) -> int: ...
    @property
    def best_h_ff(self) -> float | None: ...

def raise_overdue() -> int:
    """Number of watches that are not left yet."""

def resident_bytes() -> int:
    """Of this process."""

def bytes_left() -> int:
    """That this thread may still take."""

class Orbits:
    """
    Applicable actions of a state up to twins, sorted by schema and arguments.
    """

    def __len__(self) -> int: ...
    @property
    def sizes(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]:
        """actions in each orbit"""

    def action(self, orbit: int) -> tuple[int, list[int]]: ...
    def part(self, first: int, last: int) -> Orbits:
        """Those from `first` to before `last`."""

class Engine:
    """States, orbits and successors of one task; one engine per thread."""

    @property
    def initial_state(self) -> int: ...
    @property
    def predicate_arity(self) -> list[int]: ...
    @property
    def num_states(self) -> int: ...
    def is_goal(self, state: int) -> bool: ...
    def hash(self, state: int) -> int: ...
    def orbits(self, state: int, compress: bool = True) -> Orbits: ...
    def members(self, state: int, schema: int, arguments: Sequence[int]) -> NDArray[numpy.int32]: ...
    def twin_classes(self, state: int) -> NDArray[numpy.int32]: ...
    def representative(self, state: int, schema: int, arguments: Sequence[int]) -> list[int]: ...
    def applicable(self, state: int, schema: int, arguments: Sequence[int]) -> bool: ...
    def successor(self, state: int, schema: int, arguments: Sequence[int]) -> int: ...
    def successor_by(self, state: int, orbits: Orbits, orbit: int) -> int: ...
    def cost(self, schema: int, arguments: Sequence[int]) -> float: ...
    def state_of(self, atoms: Sequence[tuple[int, Sequence[int]]]) -> int: ...
    def atoms(self, states: Sequence[int]) -> list[tuple[NDArray[numpy.int32], NDArray[numpy.int32]]]:
        """
        By predicate: arguments of its atoms, and the place of each atom's state among those asked for.
        """

    def static_atoms(self) -> list[NDArray[numpy.int32]]:
        """By predicate; of those that are not static, none."""

class TaskBuilder:
    """Puts a task together; what refers to something comes after it."""

    def __init__(self, object_type: Sequence[int], num_constants: int) -> None: ...
    def add_type(self, objects: Sequence[int]) -> int: ...
    def add_predicate(self, arity: int, is_static: bool) -> int: ...
    def add_function(
        self,
        arguments: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ) -> int: ...
    def add_initial_atoms(
        self,
        predicate: int,
        rows: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    ) -> None: ...
    def add_goal(self, predicate: int, arguments: Sequence[int], positive: bool) -> None: ...
    def reject_goal(self) -> None: ...
    def add_schema(
        self,
        parameter_types: Sequence[int],
        positive: Sequence[tuple[int, Sequence[int]]],
        negative: Sequence[tuple[int, Sequence[int]]],
        equalities: Sequence[tuple[int, int, bool]],
        adds: Sequence[tuple[int, Sequence[int]]],
        deletes: Sequence[tuple[int, Sequence[int]]],
        cost: float,
        cost_function: int,
        cost_terms: Sequence[int],
    ) -> None: ...
    def add_conditional_effect(
        self,
        parameter_types: Sequence[int],
        positive: Sequence[tuple[int, Sequence[int]]],
        negative: Sequence[tuple[int, Sequence[int]]],
        equalities: Sequence[tuple[int, int, bool]],
        adds: Sequence[tuple[int, Sequence[int]]],
        deletes: Sequence[tuple[int, Sequence[int]]],
    ) -> None: ...
    def add_rule(
        self,
        stratum: int,
        is_static: bool,
        parameter_types: Sequence[int],
        positive: Sequence[tuple[int, Sequence[int]]],
        negative: Sequence[tuple[int, Sequence[int]]],
        equalities: Sequence[tuple[int, int, bool]],
        head: tuple[int, Sequence[int]],
    ) -> None: ...
    def add_goal_form(self, form: int, objects: Sequence[int]) -> None: ...
    def add_mentioned(self, predicate: int, arguments: Sequence[int], positive: bool) -> None: ...
    def finish(self) -> Engine: ...

class Lessons:
    """
    A plan replayed: its states, their candidates and what is known of them.
    """

    @property
    def states(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), writable=False)]: ...
    @property
    def h_star(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """by state"""

    @property
    def teacher(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """by state: the plan's candidate, counted within the state"""

    @property
    def first_candidate(self) -> Annotated[NDArray[numpy.uint32], dict(shape=(None,), writable=False)]:
        """by state, with one past the end"""

    @property
    def candidates(self) -> Orbits:
        """of all states in succession"""

    @property
    def bounds(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,), writable=False)]:
        """by candidate: its cost + LM-cut of its successor; for the plan's, h*"""

    @property
    def is_rival(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,), writable=False)]:
        """by candidate: neither the plan's nor proven to be as good"""

def heuristics() -> dict[str, tuple[bool, str]]:
    """By name: whether it is a lower bound, and what it is."""

class Heuristics:
    """
    Heuristics of one task on its delete relaxation; one object per thread.
    """

    def __init__(self, engine: Engine, count_actions: bool = False, most_steps: int = 20000000) -> None: ...
    @property
    def num_operators(self) -> int: ...
    def values(self, name: str, states: Sequence[int]) -> NDArray[numpy.float64]: ...
    def relaxed_plan(self, name: str, state: int) -> list[tuple[int, list[int]]]: ...
    def landmarks(self, state: int) -> list[tuple[float, list[tuple[int, list[int]]]]]: ...
    def conditions(self, state: int, predicates: Sequence[int]) -> list[tuple[int, list[int], bool, float]]:
        """
        Atoms of these predicates that matter and are in reach: predicate, arguments, whether it is to hold, cost.
        """

    def replay(
        self, plan: Sequence[tuple[int, Sequence[int]]], tie_states: int = 0, bounds: bool = True, dead_end: float = 0.0
    ) -> Lessons:
        """
        `tie_states`: how many states a search for an equally good plan may expand per candidate.
        """

class Graph:
    """Choices as rows of nodes, relation by relation."""

    @property
    def multiplicity(self) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), writable=False)]: ...
    @property
    def first_node(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...
    @property
    def candidate_node(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]: ...
    @property
    def first_candidate(self) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...
    @property
    def num_relations(self) -> int: ...
    def nodes(self, relation: int) -> Annotated[NDArray[numpy.int32], dict(shape=(None,), writable=False)]:
        """The nodes of its rows, one row after the other."""

    def counts(self, relation: int) -> Annotated[NDArray[numpy.float32], dict(shape=(None,), writable=False)]: ...
    def first(self, relation: int) -> Annotated[NDArray[numpy.int64], dict(shape=(None,), writable=False)]: ...

class GraphBuilder:
    """Turns choices of a task into graphs."""

    def __init__(
        self,
        form: str,
        arity: Sequence[int],
        atom: Sequence[int],
        goal_true: Sequence[int],
        goal_false: Sequence[int],
        forbidden_true: Sequence[int],
        forbidden_false: Sequence[int],
        types: Sequence[Sequence[int]],
        action: Sequence[int],
        relaxed: Sequence[int],
        predicate_order: Sequence[Sequence[int]],
        schema_order: Sequence[Sequence[int]],
        helpful: int,
        dead_end: int,
        too_large: int,
        heuristics: Heuristics | None,
        presumed: Sequence[tuple[int, Sequence[int]]] = [],
    ) -> None: ...
    @property
    def arity(self) -> list[int]:
        """by relation of its graphs"""

    def graph(self) -> Graph:
        """A new one, without choices."""

    def append(
        self,
        engine: Engine,
        state: int,
        compress: bool,
        orbits: Orbits | None,
        graph: Graph,
        knows_relaxed: bool = True,
    ) -> None: ...
    def relation(
        self, graph: Graph, relation: int
    ) -> tuple[NDArray[numpy.int32], NDArray[numpy.float32], NDArray[numpy.int64]]: ...

class Acting:
    """How the values of one pass are turned into actions."""

    def __init__(
        self,
        *,
        gap: float = 0.0,
        relative_gap: float = 0.0,
        most: int = 1,
        share: float = 1.0,
        price: float = 0.0,
        searching: bool = False,
        search: bool = True,
        again: bool = False,
        give_up: bool = False,
    ) -> None: ...

class Network:
    """A trained network: values candidates and acts by them."""

    @staticmethod
    def rgnn(
        weights: Mapping[str, Annotated[NDArray[numpy.float32], dict(order="C", device="cpu", writable=False)]],
        arity: Sequence[int],
        with_actions: bool,
        width: int,
        layers: int,
        alpha: float,
        normalize: bool,
        hidden: int,
    ) -> Network: ...
    @staticmethod
    def rgcn(
        weights: Mapping[str, Annotated[NDArray[numpy.float32], dict(order="C", device="cpu", writable=False)]],
        arity: Sequence[int],
        with_actions: bool,
        width: int,
        layers: int,
    ) -> Network: ...
    def solve(
        self, engine: Engine, builder: GraphBuilder, acting: Acting, steps: int | None = None, threads: int = 1
    ) -> Solution: ...

class Valuer:
    """
    Values candidates, state after state: what a pass computed may serve the next.
    """

    def __init__(
        self, network: Network, engine: Engine, builder: GraphBuilder, compress: bool = True, threads: int = 1
    ) -> None: ...
    def values(self, state: int) -> NDArray[numpy.float32]: ...
    @property
    def multiply_adds(self) -> int:
        """Of all passes so far, read-outs not counted."""

def kernels() -> str:
    """The instruction set that the networks run on."""

class Solution:
    """How a solve ended, and what it took."""

    @property
    def ending(self) -> str: ...
    @property
    def plan(self) -> list[tuple[int, list[int]]]: ...
    @property
    def valued(self) -> list[bool]: ...
    @property
    def passes(self) -> int: ...
    @property
    def states_valued(self) -> int: ...
    @property
    def multiply_adds(self) -> int: ...
    @property
    def times_lost(self) -> int: ...
    @property
    def states_searched(self) -> int: ...

def orbit_search(heuristics: Heuristics) -> Solution: ...
def greedy_search(engine: Engine, steps: int | None = None) -> Solution: ...
def novelty_search(engine: Engine, steps: int | None = None) -> Solution: ...
def shorten(engine: Engine, plan: Sequence[tuple[int, Sequence[int]]]) -> list[tuple[int, list[int]]]:
    """A valid plan without loops and needless actions."""

def gather_steps(engine: Engine, plan: Sequence[tuple[int, Sequence[int]]]) -> list[tuple[int, list[int]]]:
    """
    A valid plan in an order where steps that build on each other stand together.
    """

def gather_window(
    engine: Engine, plan: Sequence[tuple[int, Sequence[int]]], chosen: Sequence[int]
) -> tuple[list[tuple[int, list[int]]], int, int]:
    """
    A valid plan in which the chosen steps stand together, and from where to where.
    """

def hand_over(engine: Engine, plan: Sequence[tuple[int, Sequence[int]]]) -> list[tuple[int, list[int]]]:
    """
    A cheaper plan in which one object does the work of another, or the same plan.
    """

def independent_actions(engine: Engine, state: int, actions: Sequence[tuple[int, Sequence[int]]]) -> list[bool]:
    """
    Whether each action can be taken together with those before it, if these were taken.
    """

def solve_window(engine: Engine, plan: Sequence[tuple[int, Sequence[int]]], first: int, last: int) -> Solution:
    """
    Some steps of a valid plan again: `solved` with a cheaper plan, `unsolvable` if there is none.
    """

class Plays:
    """Plays of a policy side by side, whose states are valued together."""

    def __init__(self, arity: Sequence[int], with_actions: bool) -> None: ...
    def start(self, engine: Engine, builder: GraphBuilder, acting: Acting, steps: int | None = None) -> int:
        """The number of a new play."""

    def take(self, most_nodes: int) -> Graph:
        """
        The graphs of plays that wait for values, united; none if one has ended, or none is left.
        """

    def give(
        self, values: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> None:
        """Of what was taken."""

    def ended(self) -> tuple[int, Solution] | None:
        """One that has ended, by number."""

    def close(self) -> None:
        """Stops the plays that go on."""

def find_section(text: str, keyword: str) -> tuple[int, int] | None:
    """
    What a section holds: first offset, and the one after the last. None if the text is not well-formed.
    """

def read_facts(
    text: str,
    span: tuple[int, int],
    objects: Sequence[str],
    types: Sequence[Sequence[int]],
    predicates: Sequence[tuple[str, Sequence[int]]],
) -> tuple[list[NDArray[numpy.int32]], NDArray[numpy.int32], list[tuple[int, int]]]:
    """
    Rows of objects by predicate, the predicate of each atom in order, and spans of what is no atom.
    """
