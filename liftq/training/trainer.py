"""Trains one stack of models in the folder of a run: epochs, checkpoints, and validation meanwhile."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

import torch

from liftq.compute.provenance import commit
from liftq.encoders import Encoder
from liftq.objectives import OBJECTIVES, Objective
from liftq.policies.acting import KEY
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile, read_policy_file
from liftq.training.background import BackgroundValidation
from liftq.training.checkpoint import Checkpoint, Saver, read_checkpoint
from liftq.training.data import Data
from liftq.training.events import Diverged, Epoch, OutOfMemory, Validated
from liftq.training.log import Card, policy_name
from liftq.training.loop import Schedule, fit
from liftq.training.recipes.recipe import Recipe
from liftq.training.run_folder import RunFolder
from liftq.training.stack import Stack, StackedModel
from liftq.training.tensorboard import TensorBoard
from liftq.training.training_set import TrainingSet
from liftq.training.validation import curve
from liftq.zoo import load_policy

Events = Iterator[Epoch | Validated]


@dataclass(frozen=True)
class Trainer:
    folder: RunFolder
    data: Data
    objectives: Sequence[Objective]  # all for Q-values, or all for state-values
    device: torch.device
    nominated: set[str] = field(default_factory=set)  # names of policies that are validated, or will be

    def train(self) -> Events:
        """Continues where an earlier call stopped."""
        path = self.folder.path / f"checkpoint-{self.values}.safetensors"
        saved = read_checkpoint(path)
        self.folder.log.forget_epochs(self.values, after=saved.epoch if saved else 0)
        workers = self.recipe.validation.workers
        with closing(BackgroundValidation(self.data.validation, workers, device=str(self.device))) as background:
            self.submit_waiting(background)
            if not saved or not self.is_finished(saved):
                yield from self.fit(Saver(path), saved, background)
            yield from self.settled(background.remaining())

    def fit(self, saver: Saver, saved: Checkpoint | None, background: BackgroundValidation) -> Events:
        started = time.perf_counter()
        stack = self.stack()
        if saved:
            saved.restore(stack, saver.path)
        done, seconds = (saved.epoch, saved.seconds) if saved else (0, 0.0)
        board = TensorBoard(self.folder.path / "tensorboard" / self.values, done)
        try:
            schedule = self.fitted(stack.training_set)
            submitted: float | None = None  # seconds of training at which validation was last begun ...
            validating = 0.0  # ... and that it took
            for epoch in fit(stack, schedule, done, seconds):
                if epoch.number == done + 1:
                    waited = time.perf_counter() - started - epoch.step_seconds
                    self.folder.log.append({"prepared": {"values": self.values, "seconds": waited}})
                self.note(stack, epoch, board)
                if epoch.last:
                    self.nominate(background, stack, epoch.number)
                saver.keep(Checkpoint.of(stack, epoch.number, epoch.seconds, finished=epoch.last))
                yield epoch
                yield from self.settled(background.finished(), board)
                if not background.idle:
                    continue
                if submitted is not None:
                    validating, submitted = epoch.seconds - submitted, None
                if (
                    not schedule.seconds or epoch.seconds + validating < schedule.seconds
                ):  # leaves time for the last models
                    self.nominate(background, stack, epoch.number)
                    submitted = epoch.seconds
        except Diverged as error:
            raise Diverged(f"{error}\n  The last good weights are in {saver.path}; try a lower rate.") from error
        except torch.OutOfMemoryError as error:
            fix = "Make batches smaller with --batch-size or --batch-rows, or the network with --layers."
            raise OutOfMemory(f"no room on {device_name(self.device)} for a step\n  {fix}") from error
        finally:  # also after Ctrl-C
            saver.save()

    def is_finished(self, saved: Checkpoint) -> bool:
        """A run that reached its time limit continues under a larger one."""
        return saved.finished and self.schedule().is_last(saved.epoch, saved.seconds)

    @property
    def recipe(self) -> Recipe:
        return self.data.recipe

    @property
    def values(self) -> str:
        return "q" if self.objectives[0].with_actions else "v"

    @cached_property
    def prepared(self) -> tuple[Encoder, TrainingSet]:
        """The lessons, and the encoder without relations that occur in none of them, as their weights would stay
        random. Relations known to the policy that training begins with are kept."""
        every = replace(self.recipe.encoder, with_actions=self.objectives[0].with_actions)
        needs_bounds = any(objective.needs_bounds for objective in self.objectives)
        encoded = self.data.encoded(every, needs_bounds, self.teacher_policy)
        domain = self.data.corpus.domain
        relations = every.relations(domain)
        encoder = every.without_others(encoded.seen(relations), domain)
        if self.begun_with and self.begun_with.encoder.knows_more_than(encoder):
            encoder = self.begun_with.encoder
        return encoder, TrainingSet(*encoded.only(relations, encoder.relations(domain)), self.device)

    @property
    def encoder(self) -> Encoder:
        return self.prepared[0]

    @cached_property
    def begun_with(self) -> PolicyFile | None:
        path = self.recipe.training.begin_with
        return read_policy_file(path) if path else None

    @cached_property
    def teacher_policy(self) -> Greedy | None:
        names = {objective.teacher_policy for objective in self.objectives} - {""}
        return load_policy(names.pop()) if names else None

    @cached_property
    def origin(self) -> dict[str, str | None]:
        return {"commit": commit(), "date": date.today().isoformat(), "device": device_name(self.device)}

    def schedule(self) -> Schedule:
        options = self.recipe.training
        seconds = options.seconds or None
        return Schedule(options.epochs, options.batch_size, options.cosine, options.epoch_lessons, seconds)

    def fitted(self, training_set: TrainingSet) -> Schedule:
        most = self.recipe.training.batch_rows
        return self.schedule().fitted(training_set.rows, most) if most else self.schedule()

    def stack(self) -> Stack:
        options = self.recipe.training
        seeds = range(options.first_seed, options.first_seed + options.seeds)
        members = [StackedModel(objective, seed) for objective in self.objectives for seed in seeds]
        encoder, training_set = self.prepared
        relations = encoder.relations(self.data.corpus.domain)
        stack = Stack(self.recipe.model, relations, members, training_set, options.clip, options.average)
        if self.begun_with:
            self.begin_with(self.begun_with, stack)
        return stack

    def begin_with(self, policy: PolicyFile, stack: Stack) -> None:
        """The number of layers may differ, since layers share their weights."""
        if self.fits(policy, stack):
            stack.adam.begin_with(policy.weights, stack.layout)
        else:
            warnings.warn("training begins with random weights: the policy to begin with is another", stacklevel=2)

    def fits(self, policy: PolicyFile, stack: Stack) -> bool:
        shapes = {name: weight.shape for name, weight in policy.weights.items()}
        return policy.encoder == self.encoder and shapes == stack.layout.shapes

    def note(self, stack: Stack, epoch: Epoch, board: TensorBoard) -> None:
        names = [f"{objective_name(member.objective)}-{member.seed}" for member in stack.members]
        losses = dict(zip(names, (round(float(loss), 5) for loss in epoch.losses), strict=True))
        line = {"epoch": epoch.number, "values": self.values, "seconds": epoch.seconds, "losses": losses}
        pace = {"steps": epoch.steps, "step_seconds": epoch.step_seconds, "models": len(names)}
        self.folder.log.append(line | pace)
        board.add("loss", losses, epoch.number)

    def submit_waiting(self, background: BackgroundValidation) -> None:
        """Resumes what an earlier call left. If the log has a score already, only the steps after it are missing."""
        cards = self.folder.log.cards("validation")
        self.nominated.update(cards)
        for policy in self.folder.waiting.policies([objective_name(objective) for objective in self.objectives]):
            name = policy_name(policy.card)
            self.nominated.add(name)
            if name in cards:
                self.place(replace(policy, card=cards[name]))
            else:
                background.submit(policy)

    def nominate(self, background: BackgroundValidation, stack: Stack, epoch: int) -> None:
        """Saves the current models, then plays them. None is played twice, even after a kill."""
        for index in range(len(stack.members)):
            policy = self.policy(stack, index, epoch)
            if policy_name(policy.card) not in self.nominated:
                self.nominated.add(policy_name(policy.card))
                self.folder.waiting.add(policy)
                background.submit(policy)

    def settled(self, results: Iterator[Validated], board: TensorBoard | None = None) -> Iterator[Validated]:
        for result in results:
            card, score = result.policy.card, result.score
            card.update(score=score.total, plan_length=score.plan_length, coverage=curve(score))
            self.folder.log.append({"validation": card})
            self.place(result.policy)
            if board:
                board.add("score", {f"{card['objective']}-{card['seed']}": card["score"]}, card["epoch"])
            yield result

    def place(self, policy: PolicyFile) -> None:
        self.folder.finalists(policy.card["objective"]).enter(policy)
        self.folder.waiting.remove(policy.card)

    def policy(self, stack: Stack, index: int, epoch: int) -> PolicyFile:
        card = self.card(stack, stack.members[index], epoch)
        return PolicyFile(self.data.corpus.domain, self.encoder, stack.model, stack.member_weights(index), card)

    def card(self, stack: Stack, member: StackedModel, epoch: int) -> Card:
        teacher = self.teacher_policy.policy_file.card if self.teacher_policy else {}
        sizes = [entry.size for entry in self.data.learned]
        if self.begun_with and self.fits(self.begun_with, stack):  # including what that policy has seen
            sizes += self.begun_with.card.get("sizes", [])
        return {
            "objective": objective_name(member.objective),
            "seed": member.seed,
            "epoch": epoch,
            "learning_rate": member.objective.learning_rate,
            "recipe": self.recipe.tables(),
            "plans": len(self.data.learned),
            "held_out": len(self.data.held_out),
            "corpus_sha256": self.data.digest,
            "lessons": stack.training_set.num_choices,
            "sizes": [min(sizes), max(sizes)],
            "origin": self.origin,
            **({KEY: teacher[KEY]} if KEY in teacher else {}),  # equal values allow as many actions from one pass
        }


def device_name(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"


def objective_name(objective: Objective) -> str:
    return OBJECTIVES.name_of(type(objective))
