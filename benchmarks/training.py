"""Milliseconds per training step, eager and as a CUDA graph, of the networks and corpora of results/paper on a GPU.

python benchmarks/training.py [RECIPE/DOMAIN[:MODELS]...] > table.md
KERNELS=20 in the environment also lists the kernels that take most of the time.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

import torch
from torch.profiler import ProfilerActivity, profile

from liftq.evaluation.studies.study import read_study
from liftq.objectives import objective
from liftq.teaching.corpus import Corpus
from liftq.training.encoded import Encoded, Encoding
from liftq.training.loop import Schedule, all_batches, batches_of_seeds
from liftq.training.stack import Stack, StackedModel
from liftq.training.training_set import TrainingSet

STUDY = Path(__file__).parent.parent / "results" / "paper"
OBJECTIVES = ("q_value", "q_explicit", "q_heuristic", "q_margin")
DEFAULT = ("rgnn/blocksworld", "rgnn/childsnack", "rgnn/rovers", "oe/rovers", "oae/childsnack")


def milliseconds(step: Callable[[torch.Tensor], None], batches: list[torch.Tensor], repeat: int) -> float:
    step(batches[0])
    torch.cuda.synchronize()
    start = time.perf_counter()
    for batch in islice(cycle(batches), repeat):
        step(batch)
    torch.cuda.synchronize()
    return 1000 * (time.perf_counter() - start) / repeat


def measure(name: str, models: int, device: torch.device) -> None:
    recipe = read_study(STUDY, Path("runs")).recipe(*name.split("/"))
    corpus = Corpus.read(Path(recipe.corpus))
    options, every = recipe.training, recipe.encoder.relations(corpus.domain)
    admitted = corpus.admitted(options.largest_size, options.whole_per_size, options.visited)
    encoding = Encoding(corpus, recipe.encoder, relaxed_dropout=options.relaxed_dropout)  # without bounds
    encoded = Encoded.united([part for _, part in encoding.encode_each(admitted, {})])
    encoder = recipe.encoder.without_others(encoded.seen(every), corpus.domain)
    training_set = TrainingSet(*encoded.only(every, encoder.relations(corpus.domain)), device)
    seeds = range(math.ceil(models / len(OBJECTIVES)))
    members = [StackedModel(objective(each)(learning_rate=1e-3), seed) for each in OBJECTIVES for seed in seeds]
    stack = Stack(recipe.model, encoder.relations(corpus.domain), members[:models], training_set, clip=0.1)
    schedule = Schedule(epochs=1, batch_size=recipe.training.batch_size)
    drawn = batches_of_seeds(training_set.num_choices, schedule, 0, stack.seeds)
    chosen = list(all_batches(training_set.num_choices, schedule, stack.seeds))
    shape = training_set.shape_for(chosen)
    batches = list(torch.from_numpy(drawn).to(device))
    eager = milliseconds(lambda batch: stack.step(batch, [shape] * len(stack.seeds)), batches, 5)
    start = time.perf_counter()
    step = stack.fast_step(chosen)
    ready = time.perf_counter() - start
    captured = milliseconds(step, batches, 40)
    memory = torch.cuda.max_memory_allocated() / 2**30
    sizes = f"{training_set.num_choices:,} | {shape.slots:,} | {models}"
    times = f"{eager:.1f} | {captured:.1f} | {captured / models:.2f} | {ready:.0f} | {memory:.1f}"
    print(f"| {name} | {sizes} | {times} |", flush=True)
    if rows := int(os.environ.get("KERNELS", "0")):
        with profile(activities=[ProfilerActivity.CUDA]) as seen:
            step(batches[0])
            torch.cuda.synchronize()
        print(seen.key_averages().table(sort_by="cuda_time_total", row_limit=rows), file=sys.stderr)


def main() -> None:
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}\n")
    print(
        "| recipe and domain | lessons | slots of a batch | models | eager | CUDA graph | per model | ready, s | GiB |"
    )
    print("| --- | --: | --: | --: | --: | --: | --: | --: | --: |")
    for argument in sys.argv[1:] or DEFAULT:
        name, _, models = argument.partition(":")
        torch.cuda.reset_peak_memory_stats()
        measure(name, int(models or 12), torch.device("cuda"))


if __name__ == "__main__":
    main()
