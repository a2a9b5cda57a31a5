"""Products in bfloat16: rounded where they should be and nowhere else, and only where that is asked for."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from torch import Tensor
from torch.nn.functional import mish

from liftq import _core
from liftq.models.networks.readout import apply_linear
from liftq.models.networks.rgnn import TorchRGNN
from liftq.models.rgnn import RGNN
from liftq.policies.greedy import Greedy
from tests.policies.in_torch import torch_values
from tests.policies.untrained import policy_of, small_task

CAN = pytest.mark.skipif(not _core.has_bfloat16(), reason="this machine has no arithmetic in bfloat16")


def rounded(tensor: Tensor) -> Tensor:
    return tensor.bfloat16().to(tensor.dtype)


def rounded_messages(self: TorchRGNN, weights: Sequence[Tensor], inputs: Tensor) -> Tensor:
    """As in the network, with weights and inputs of message networks in bfloat16 and sums in float32."""
    w1, b1, w2, b2 = weights
    models, relations, _, size = w1.shape
    rows = inputs.view(models, relations, -1, size)
    hidden = mish(apply_linear(rounded(w1), b1, rounded(rows)))
    return apply_linear(rounded(w2), b2, rounded(hidden)).view(models, -1, self.model.width)


@CAN
@pytest.mark.parametrize("model", [RGNN(32, 3), RGNN(24, 3, hidden=40), RGNN(300, 2)], ids=str)
@pytest.mark.parametrize("name", ["rovers", "blocksworld"])
def test_weights_and_inputs_are_rounded_and_sums_are_not(
    name: str, model: RGNN, monkeypatch: pytest.MonkeyPatch
) -> None:
    task = small_task(name)
    choice = task.choice(task.initial_state)
    policy_file = policy_of(task.domain, model=model)
    exact = torch_values(policy_file, choice)
    monkeypatch.setattr(TorchRGNN, "messages", rounded_messages)
    expected = torch_values(policy_file, choice)
    found = Greedy(policy_file, precision="bfloat16").values(choice)
    # A sum that differs in its last bits may be rounded to the next number, now and then.
    assert np.abs(found - expected).max() < 0.2 * np.abs(exact - expected).max()


@CAN
def test_the_card_asks_for_it_and_an_option_overrides_it() -> None:
    task = small_task("rovers")
    choice = task.choice(task.initial_state)
    silent = policy_of(task.domain, model=RGNN(16, 4))
    asking = replace(silent, card={**silent.card, "precision": "bfloat16"})
    narrow = Greedy(silent, precision="bfloat16").values(choice)
    wide = Greedy(silent).values(choice)
    assert (narrow != wide).any()
    np.testing.assert_array_equal(Greedy(asking).values(choice), narrow)
    np.testing.assert_array_equal(Greedy(asking, precision="float32").values(choice), wide)
    np.testing.assert_array_equal(Greedy(asking).plain.values(choice), wide)


def test_without_instructions_for_it_numbers_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    task = small_task("ferry")
    monkeypatch.setattr(_core, "has_bfloat16", lambda: False)
    with pytest.warns(UserWarning, match="no arithmetic in bfloat16"):
        Greedy(policy_of(task.domain), precision="bfloat16").values(task.choice(task.initial_state))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Greedy(policy_of(task.domain)).values(task.choice(task.initial_state))
