"""A training run: a folder with its recipe, its log, its checkpoint and the best policies so far."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import torch

from liftq.datasets.corpora import bundled_corpus
from liftq.datasets.corpus import Corpus
from liftq.datasets.lesson import lessons_of
from liftq.domains.sources.loading import load_domain
from liftq.encoders import Encoder, encoder
from liftq.models import Model, model
from liftq.objectives import Objective, objective
from liftq.pddl.errors import InputError
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import PolicyFile, save_policy
from liftq.recipe import Recipe
from liftq.training.checkpoint import read_checkpoint, save_checkpoint
from liftq.training.loop import Diverged, Epoch, Schedule, fit
from liftq.training.preparation import material_of
from liftq.training.referee import Candidacy, Referee, Verdict
from liftq.training.stack import Member, Stack
from liftq.training.validation import Course, curve

CHECKPOINT_SECONDS = 120


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

    def corpus(self) -> Corpus:
        return Corpus.read(Path(self.recipe.corpus)) if self.recipe.corpus else bundled_corpus(self.recipe.domain)

    def course(self, corpus: Corpus) -> Course:
        sizes = [entry.size for entry in corpus.entries if self.admits(entry.size)]
        if not sizes:
            raise InputError("the corpus has no plans to learn from\n  Make some with liftq teach, or raise the size.")
        known = {entry.fingerprint for entry in corpus.attempts}
        source = load_domain(self.recipe.domain)
        return Course(source, max(sizes), self.recipe.validation_per_size, known=known)

    def admits(self, size: int) -> bool:
        return not self.recipe.largest_size or size <= self.recipe.largest_size

    def objectives(self) -> list[Objective]:
        made = []
        for name in self.recipe.objectives:
            kind = objective(name)
            options = {"weight": self.recipe.weight} if "weight" in kind.__dataclass_fields__ else {}
            made.append(kind(**options))
        return made

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
    best: dict[str, float] = field(default_factory=dict)  # by objective

    def go(self) -> Iterator[Epoch | Verdict]:
        stack = self.stack()
        checkpoint = self.run.folder / f"checkpoint-{'q' if stack.with_actions else 'v'}.safetensors"
        saved = read_checkpoint(checkpoint, stack)
        if saved:
            stack.weights.load({name: tensor.to(self.device) for name, tensor in saved.tensors.items()})
        self.best = self.earlier_scores()
        recipe = self.run.recipe
        schedule = Schedule(recipe.epochs, recipe.batch_size, recipe.cosine, recipe.seconds or None)
        referee = Referee(self.course, Greedy, recipe.validation_workers)
        last_save = time.monotonic()
        try:
            for epoch in fit(stack, schedule, saved.epoch if saved else 0):
                self.run.log({"epoch": epoch.number, "seconds": epoch.seconds, "losses": self.by_member(stack, epoch)})
                yield epoch
                yield from self.settle(referee, wait=False)
                if referee.idle:
                    self.nominate(referee, stack, epoch.number)
                if time.monotonic() - last_save > CHECKPOINT_SECONDS:
                    save_checkpoint(checkpoint, stack, epoch.number)
                    last_save = time.monotonic()
            save_checkpoint(checkpoint, stack, epoch.number)
            yield from self.settle(referee, wait=True)
            self.nominate(referee, stack, epoch.number)
            yield from self.settle(referee, wait=True)
        except Diverged as error:
            raise InputError(f"{error}\n  The last good weights are in {checkpoint}; try a lower rate.") from error
        finally:
            referee.close()

    def stack(self) -> Stack:
        recipe = self.run.recipe
        with_actions = self.objectives[0].with_actions
        encoder = self.encoder(with_actions)
        lessons = (lessons_of(*each) for each in self.corpus.tasks() if self.run.admits(each[1].size))
        material = material_of(lessons, encoder, self.device)
        seeds = range(recipe.first_seed, recipe.first_seed + recipe.seeds)
        members = [Member(o, s, recipe.learning_rate or o.learning_rate) for o in self.objectives for s in seeds]
        return Stack(self.model(), encoder.relations(self.corpus.domain), members, material, recipe.clip)

    def encoder(self, with_actions: bool) -> Encoder:
        return encoder(self.run.recipe.encoder)(with_actions, self.run.recipe.goal_split)

    def model(self) -> Model:
        return model(self.run.recipe.model)(self.run.recipe.width, self.run.recipe.layers)

    def nominate(self, referee: Referee, stack: Stack, epoch: int) -> None:
        for index in range(len(stack.members)):
            referee.consider(Candidacy(epoch, index, self.policy(stack, index, epoch)))

    def settle(self, referee: Referee, wait: bool) -> Iterator[Verdict]:
        for verdict in referee.verdicts(wait):
            card, total = verdict.candidacy.policy.card, verdict.score.total
            line = {"validation": card | {"score": total, "coverage": curve(verdict.score)}}
            self.run.log(line)
            name = card["objective"]
            if total > self.best.get(name, -1.0):
                self.best[name] = total
                kept = verdict.candidacy.policy
                kept.card.update(score=total, coverage=curve(verdict.score))
                save_policy(self.run.folder / f"{name}.safetensors", kept)
            yield verdict

    def policy(self, stack: Stack, index: int, epoch: int) -> PolicyFile:
        member, recipe = stack.members[index], self.run.recipe
        card = {
            "objective": objective_name(member.objective),
            "seed": member.seed,
            "epoch": epoch,
            "learning_rate": member.learning_rate,
            "recipe": asdict(recipe) | {"objectives": list(recipe.objectives)},
            "plans": sum(self.run.admits(entry.size) for entry in self.corpus.entries),
            "lessons": stack.material.num_choices,
        }
        encoder = self.encoder(stack.with_actions)
        weights = stack.member_weights(index)
        return PolicyFile(
            self.corpus.domain, recipe.encoder, asdict(encoder), recipe.model, asdict(stack.model), weights, card
        )

    def earlier_scores(self) -> dict[str, float]:
        """Of policies that this run has kept: a resumed run replaces them only by better ones."""
        from liftq.policies.policy_file import read_policy_file

        names = [objective_name(each) for each in self.objectives]
        files = {name: self.run.folder / f"{name}.safetensors" for name in names}
        return {name: read_policy_file(path).card["score"] for name, path in files.items() if path.exists()}

    def by_member(self, stack: Stack, epoch: Epoch) -> dict[str, float]:
        names = [f"{objective_name(member.objective)}-{member.seed}" for member in stack.members]
        return dict(zip(names, (round(float(loss), 5) for loss in epoch.losses), strict=True))


def objective_name(objective: Objective) -> str:
    return type(objective).__module__.rsplit(".", 1)[1]
