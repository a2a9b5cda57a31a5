"""How a policy turns the values of one pass into actions: a setting that belongs to the policy, and is on its card."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any

from liftq.errors import InputError
from liftq.policies.policy_file import PolicyFile

KEY = "acting"  # of a card


@dataclass(frozen=True, kw_only=True)
class Acting:
    """After the best action of a pass come others, in order of value: those that are independent of all before them,
    are for another purpose, and lead to a new state."""

    gap: float = 0.0  # to the best value: what is worse by more is not taken
    relative_gap: float = 0.0  # the same as a share of the best value; the larger one counts
    most: int = 1  # actions from one pass
    share: float = 0.1  # the same as a share of the best value: in a short plan, a needless action weighs more
    price: float = 0.0  # on an action's value for each time that it was taken since the best value last improved
    searching: bool = False  # best-first from the start, with h_FF and landmarks beside its values

    def __post_init__(self) -> None:
        if type(self.most) is not int or self.most < 1:
            raise InputError(f"acting: {self.most!r} actions at most from one pass\n  It is a whole number from 1 up.")
        if type(self.searching) is not bool:
            raise InputError(f"acting: searching is {self.searching!r}\n  It is true or false.")
        for name in ("gap", "relative_gap", "share", "price"):
            value = getattr(self, name)
            if type(value) not in (int, float) or not isfinite(value) or value < 0:
                raise InputError(f"acting: {name} is {value!r}\n  It is a number from 0 up.")

    @classmethod
    def of(cls, policy_file: PolicyFile) -> Acting:
        """One action per pass where the card does not say otherwise."""
        entry: Any = policy_file.card.get(KEY, {})
        if not isinstance(entry, dict) or entry.keys() - {each.name for each in fields(cls)}:
            raise InputError(f"the card's {KEY} is not understood: {entry!r}\n  Use another version of liftq.")
        return cls(**entry)

    def __str__(self) -> str:
        return ", ".join(f"{name} {value:g}" for name, value in asdict(self).items())


ONE_BY_ONE = Acting()
