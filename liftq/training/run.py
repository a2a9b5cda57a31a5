"""A training run: a folder with its recipe, its log, its checkpoint and the best policies so far."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from typing import Any

import torch

from liftq.datasets.corpora import bundled_corpus
from liftq.datasets.corpus import Corpus
from liftq.datasets.lesson import lessons_of
from liftq.encoders import encoder
from liftq.errors import InputError
from liftq.models import Model, model
from liftq.objectives import OBJECTIVES, Objective, Regularized, objective
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile, read_policy_file, save_policy
from liftq.provenance import commit
from liftq.recipe import Recipe
from liftq.sources.loading import load_domain
from liftq.training.board import Board
from liftq.training.checkpoint import read_checkpoint, save_checkpoint
from liftq.training.finalists import Finalists
from liftq.training.loop import Diverged, Epoch, Schedule, fit
from liftq.training.preparation import leave_out_unseen, material_of
from liftq.training.referee import Candidacy, Referee, Verdict
from liftq.training.stack import Member, Stack
from liftq.training.validation import Course, curve

CHECKPOINT_SECONDS = 120
FINALS_SEED = 1  # other problems than during training


@dataclass(frozen=True)
class Run:
    folder: Path
    recipe: Recipe

    def train(self, device: torch.device) -> Iterator[Epoch | Verdict]:
        """One stack for Q-values, one for state-values, if both are asked for. Continues what was begun."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "recipe.toml").write_text(self.recipe.dump())
        corpus = self.corpus()
        course = self.course(corpus)
        for with_actions in (True, False):
            chosen = [o for o in self.objectives() if o.with_actions == with_actions]
            if chosen:
                yield from _Training(self, corpus, course, chosen, device).go()
        if self.recipe.final_per_size:
            yield from self.finals()

    def finals(self) -> Iterator[Verdict]:
        """The best few of each objective play again, on more and fresh problems; the best is the run's policy."""
        course = self.course(self.corpus(), FINALS_SEED, self.recipe.final_per_size, self.recipe.far_seconds)
        referee = Referee(course, _pure_policy, self.recipe.validation_workers)
        for name in self.recipe.objectives:
            for member, path in enumerate(Finalists(self.folder, name).paths()):
                policy = read_policy_file(path)
                referee.consider(Candidacy(policy.card["epoch"], member, policy))
        best: dict[str, tuple[float, int, float]] = {}
        for verdict in referee.verdicts(wait=True):
            card, score = verdict.candidacy.policy.card, verdict.score
            card.update(final_score=score.total, final_plan_length=score.plan_length, final_coverage=curve(score))
            card["final_far"] = f"{sum(score.far)} of {len(score.far)}"
            card["validation_curve"] = self.validation_curve(card["objective"], card["seed"])
            self.log({"final": card})
            rank = (score.total, sum(score.far), -score.plan_length)
            if rank > best.get(card["objective"], (-1.0, 0, 0.0)):
                best[card["objective"]] = rank
                save_policy(self.folder / f"{card['objective']}.safetensors", verdict.candidacy.policy)
            yield verdict
        referee.close()

    def corpus(self) -> Corpus:
        return Corpus.read(Path(self.recipe.corpus)) if self.recipe.corpus else bundled_corpus(self.recipe.domain)

    def course(self, corpus: Corpus, seed: int = 0, per_size: int = 0, far_seconds: float = 0.0) -> Course:
        sizes = [entry.size for entry in corpus.entries if self.admits(entry.size)]
        if not sizes:
            raise InputError("the corpus has no plans to learn from\n  Make some with liftq teach, or raise the size.")
        known = {entry.fingerprint for entry in corpus.attempts}
        source = load_domain(self.recipe.domain)
        whole = [entry.size for entry in corpus.entries if entry.is_whole(corpus.header) and self.admits(entry.size)]
        per_size = per_size or self.recipe.validation_per_size
        return Course(source, max(whole or sizes), per_size, seed, known, far_seconds)

    def admits(self, size: int) -> bool:
        return not self.recipe.largest_size or size <= self.recipe.largest_size

    def objectives(self) -> list[Objective]:
        kinds = [objective(name) for name in self.recipe.objectives]
        weight, rivals = self.recipe.weight, self.recipe.rivals
        return [kind(weight, rivals) if issubclass(kind, Regularized) else kind() for kind in kinds]

    def validation_curve(self, objective: str, seed: int) -> list[tuple[int, float]]:
        """By epoch: the score of this member's checkpoint, from the log."""
        lines = (self.folder / "log.jsonl").read_text().splitlines()
        cards = [line["validation"] for line in map(json.loads, lines) if "validation" in line]
        own = [card for card in cards if (card["objective"], card["seed"]) == (objective, seed)]
        return [(card["epoch"], round(card["score"], 2)) for card in own]

    def log(self, line: dict[str, Any]) -> None:
        with (self.folder / "log.jsonl").open("a") as file:
            file.write(json.dumps(line) + "\n")


@dataclass
class _Training:
    run: Run
    corpus: Corpus
    course: Course
    objectives: Sequence[Objective]
    device: torch.device
    nominated: int = 0  # the last epoch whose models went into validation

    def __post_init__(self) -> None:
        recipe, with_actions = self.run.recipe, self.objectives[0].with_actions
        admitted = (each for each in self.corpus.tasks() if self.run.admits(each[1].size))
        with ThreadPoolExecutor() as pool:  # nearly all of it is done in the core
            self.lessons = list(pool.map(lambda each: lessons_of(*each), admitted))
        encoding = encoder(recipe.encoder)(with_actions, recipe.goal_split)
        self.encoder = leave_out_unseen(self.lessons, encoding, self.corpus.domain)
        self.origin = {"commit": commit(), "date": date.today().isoformat(), "device": device_name(self.device)}

    def go(self) -> Iterator[Epoch | Verdict]:
        stack = self.stack()
        checkpoint = self.run.folder / f"checkpoint-{'q' if stack.with_actions else 'v'}.safetensors"
        saved = read_checkpoint(checkpoint, stack)
        if saved:
            stack.weights.load({name: tensor.to(self.device) for name, tensor in saved.tensors.items()})
        recipe = self.run.recipe
        schedule = Schedule(recipe.epochs, recipe.batch_size, recipe.cosine, recipe.seconds or None)
        referee = Referee(self.course, _pure_policy, recipe.validation_workers)
        board = Board(self.run.folder / "tensorboard")
        last_save = time.monotonic()
        try:
            for epoch in fit(stack, schedule, saved.epoch if saved else 0):
                losses = self.by_member(stack, epoch)
                self.run.log({"epoch": epoch.number, "seconds": epoch.seconds, "losses": losses})
                board.add("loss", losses, epoch.number)
                yield epoch
                for verdict in self.settle(referee, wait=False):
                    card = verdict.candidacy.policy.card
                    board.add("score", {f"{card['objective']}-{card['seed']}": card["score"]}, card["epoch"])
                    yield verdict
                if referee.idle:
                    self.nominate(referee, stack, epoch.number)
                if time.monotonic() - last_save > CHECKPOINT_SECONDS:
                    save_checkpoint(checkpoint, stack, epoch.number)
                    last_save = time.monotonic()
            save_checkpoint(checkpoint, stack, epoch.number)
            yield from self.settle(referee, wait=True)
            if self.nominated != epoch.number:
                self.nominate(referee, stack, epoch.number)
                yield from self.settle(referee, wait=True)
        except Diverged as error:
            raise InputError(f"{error}\n  The last good weights are in {checkpoint}; try a lower rate.") from error
        finally:
            referee.close()

    def stack(self) -> Stack:
        recipe = self.run.recipe
        material = material_of(self.lessons, self.encoder, self.device)
        seeds = range(recipe.first_seed, recipe.first_seed + recipe.seeds)
        members = [Member(each, seed, self.learning_rate(each)) for each in self.objectives for seed in seeds]
        relations = self.encoder.relations(self.corpus.domain)
        return Stack(self.model(), relations, members, material, recipe.clip, recipe.average)

    def learning_rate(self, objective: Objective) -> float:
        recipe, regularized = self.run.recipe, isinstance(objective, Regularized)
        return (recipe.learning_rate if regularized else recipe.plain_learning_rate) or objective.learning_rate

    def model(self) -> Model:
        recipe = self.run.recipe
        options = {"alpha": recipe.alpha, "normalize": recipe.normalize} if recipe.model == "rgnn" else {}
        return model(recipe.model)(recipe.width, recipe.layers, **options)

    def nominate(self, referee: Referee, stack: Stack, epoch: int) -> None:
        self.nominated = epoch
        for index in range(len(stack.members)):
            referee.consider(Candidacy(epoch, index, self.policy(stack, index, epoch)))

    def settle(self, referee: Referee, wait: bool) -> Iterator[Verdict]:
        for verdict in referee.verdicts(wait):
            card, total = verdict.candidacy.policy.card, verdict.score.total
            card.update(score=total, plan_length=verdict.score.plan_length, coverage=curve(verdict.score))
            self.run.log({"validation": card})
            Finalists(self.run.folder, card["objective"]).enter(verdict.candidacy.policy)
            yield verdict

    def policy(self, stack: Stack, index: int, epoch: int) -> PolicyFile:
        member, recipe = stack.members[index], self.run.recipe
        sizes = [each.task.problem.size for each in self.lessons]
        card = {
            "objective": objective_name(member.objective),
            "seed": member.seed,
            "epoch": epoch,
            "learning_rate": member.learning_rate,
            "recipe": asdict(recipe) | {"objectives": list(recipe.objectives)},
            "plans": len(self.lessons),
            "lessons": stack.material.num_choices,
            "sizes": [min(sizes), max(sizes)],
            "origin": self.origin,
        }
        weights, options = stack.member_weights(index), asdict(self.encoder)
        return PolicyFile(self.corpus.domain, recipe.encoder, options, recipe.model, asdict(stack.model), weights, card)

    def by_member(self, stack: Stack, epoch: Epoch) -> dict[str, float]:
        names = [f"{objective_name(member.objective)}-{member.seed}" for member in stack.members]
        return dict(zip(names, (round(float(loss), 5) for loss in epoch.losses), strict=True))


def _pure_policy(policy_file: PolicyFile) -> Greedy:
    return Greedy(policy_file, fallback="none")


def device_name(device: torch.device) -> str:
    return torch.cuda.get_device_name(device) if device.type == "cuda" else "CPU"


def objective_name(objective: Objective) -> str:
    return OBJECTIVES.name_of(type(objective))
