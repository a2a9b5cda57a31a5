"""Milliseconds per training step at batch 256: eager, one compiled layer, and that as a CUDA graph; 1, 3 and 12 models.

python benchmarks/training.py [DOMAIN[:MODELS]...] > table.md
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence

import torch

from liftq.datasets.corpora import bundled_corpus
from liftq.datasets.lesson import lessons
from liftq.encoders import Relation
from liftq.encoders.relational import Relational
from liftq.models.rgnn import RGNN
from liftq.objectives import objective
from liftq.training.loop import shuffled_batches
from liftq.training.preparation import leave_out_unseen, training_set_of
from liftq.training.stack import Stack, StackedModel
from liftq.training.training_set import TrainingSet

OBJECTIVES = ("q_value", "q_explicit", "q_heuristic", "q_margin")
BATCH = 256


def stack_of(training_set: TrainingSet, relations: Sequence[Relation], models: int) -> Stack:
    seeds = range(max(1, models // len(OBJECTIVES)))
    members = [StackedModel(objective(name)(learning_rate=1e-3), seed) for name in OBJECTIVES for seed in seeds]
    return Stack(RGNN(), relations, members[:models], training_set, clip=0.1)


def milliseconds(step: Callable[[torch.Tensor], None], batches: list[torch.Tensor], repeat: int) -> float:
    step(batches[0])
    torch.cuda.synchronize()
    start = time.perf_counter()
    for number in range(repeat):
        step(batches[number % len(batches)])
    torch.cuda.synchronize()
    return 1000 * (time.perf_counter() - start) / repeat


def measure(domain: str, numbers: Sequence[int], device: torch.device) -> None:
    start = time.perf_counter()
    corpus = bundled_corpus(domain)
    lesson_sets = list(lessons(corpus.tasks()))
    encoder = leave_out_unseen(lesson_sets, Relational(), corpus.domain)
    training_set = training_set_of(lesson_sets, encoder, device)
    chosen = shuffled_batches(training_set.num_choices, BATCH, 0)
    shape = training_set.shape_for(list(chosen))
    batches = [torch.from_numpy(batch).to(device) for batch in chosen]
    print(
        f"\n{domain}: {training_set.num_choices} lessons prepared in {time.perf_counter() - start:.1f} s; a batch has"
    )
    print(f"{shape.nodes} nodes, {shape.candidates} candidates, {shape.slots} slots in {len(shape.groups)} groups\n")
    print("| models | eager | compiled | + CUDA graph | per model | compile + capture, s | GiB |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for models in numbers:
        stack = stack_of(training_set, encoder.relations(corpus.domain), models)
        with torch.compiler.set_stance("force_eager"):
            eager = milliseconds(lambda batch, s=stack: s.step(batch, shape), batches, 5)
        start = time.perf_counter()
        stack.step(batches[0], shape)
        torch.cuda.synchronize()
        compiled = milliseconds(lambda batch, s=stack: s.step(batch, shape), batches, 10)
        captured_step = stack.fast_step(chosen)
        ready = time.perf_counter() - start
        captured = milliseconds(captured_step, batches, 40)
        memory = torch.cuda.max_memory_allocated() / 2**30
        times = f"{eager:.1f} | {compiled:.1f} | {captured:.1f} | {captured / models:.2f}"
        print(f"| {models} | {times} | {ready:.0f} | {memory:.1f} |", flush=True)
        del captured_step, stack
        torch.cuda.empty_cache()


def main() -> None:
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, batch {BATCH}, width 32, 30 layers")
    for argument in sys.argv[1:] or ("blocksworld", "rovers", "childsnack"):
        domain, _, models = argument.partition(":")
        measure(domain, [int(models)] if models else (1, 3, 12), torch.device("cuda"))


if __name__ == "__main__":
    main()
