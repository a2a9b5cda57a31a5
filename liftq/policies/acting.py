"""How a policy turns the values of one pass into actions: a setting that belongs to the policy, and is on its card."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

from msgspec import Meta

from liftq.errors import InputError
from liftq.parts.options import build, check
from liftq.policies.policy_file import PolicyFile

KEY = "acting"  # of a card
Amount = Annotated[float, Meta(ge=0, le=1e9)]


@dataclass(frozen=True, kw_only=True)
class Acting:
    """After the best action of a pass come others, in order of value: those that are independent of all before them,
    are for another purpose, and lead to a new state."""

    gap: Amount = 0.0  # to the best value: what is worse by more is not taken
    relative_gap: Amount = 0.0  # the same as a share of the best value; the larger one counts
    most: Annotated[int, Meta(ge=1, le=10**9)] = 1  # actions from one pass
    share: Amount = 0.1  # the same as a share of the best value: in a short plan, a needless action weighs more
    price: Amount = 0.0  # on an action's value for each time that it was taken since the best value last improved
    searching: bool = False  # best-first from the start, with h_FF and landmarks beside its values

    def __post_init__(self) -> None:
        check(KEY, self)

    @classmethod
    def of(cls, policy_file: PolicyFile) -> Acting:
        """One action per pass where the card does not say otherwise."""
        entry: Any = policy_file.card.get(KEY, {})
        if not isinstance(entry, dict):
            raise InputError(f"the card's {KEY} is not a table: {entry!r}\n  Get or save the policy again.")
        return build(cls, KEY, entry)

    def __str__(self) -> str:
        return ", ".join(f"{name} {value:g}" for name, value in asdict(self).items())


ONE_BY_ONE = Acting()
# Of policies that are learned from problems. They are less accurate than those with generators, and wander in large
# problems unless that has a price.
FROM_PROBLEMS = Acting(gap=1.0, most=10, price=2.0)
