"""On a GPU: steps captured as a CUDA graph change the weights as plain steps do."""

from __future__ import annotations

import pytest
import torch

from liftq.encoders.relational import Relational
from liftq.models.rgnn import RGNN
from liftq.objectives import objective
from liftq.teaching.corpora import bundled_corpus
from liftq.teaching.lesson import lessons
from liftq.training.stack import Stack, StackedModel
from tests.training.prepared import training_set_of

pytestmark = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")


def test_captured_steps_equal_plain_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch, "set_float32_matmul_precision", lambda _: None)  # TF32 would hide small differences
    corpus = bundled_corpus("ferry")
    small = [task for task in corpus.tasks() if task[1].size <= 5]
    encoder, model = Relational(), RGNN(8, 4)
    training_set = training_set_of(list(lessons(small)), encoder, torch.device("cuda"))
    members = [StackedModel(objective(name)(), seed) for name in ("q_heuristic", "q_margin") for seed in (1, 2)]
    plain, captured = (
        Stack(model, encoder.relations(corpus.domain), members, training_set, clip=0.1, average=4) for _ in range(2)
    )
    batches = [torch.stack([torch.arange(start, start + 8), torch.arange(8)]) for start in (0, 5, 9)]
    shape = training_set.shape_for(torch.cat(batches).numpy())
    step = captured.fast_step(torch.cat(batches).numpy())
    for batch in batches:
        plain.step(batch.to("cuda"), [shape, shape])
        step(batch.to("cuda"))
    assert captured.adam.steps == plain.adam.steps == len(batches)
    torch.testing.assert_close(captured.loss, plain.loss, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(captured.adam.mean, plain.adam.mean, atol=1e-5, rtol=1e-2)
    # On average: sums of a GPU come in any order, and Adam makes a full step of a gradient that is noise alone.
    for name in ("values", "average"):
        apart = captured.adam.tensors()[name] - plain.adam.tensors()[name]
        assert apart.abs().mean() < 1e-5, name
