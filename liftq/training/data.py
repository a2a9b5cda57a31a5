"""The problems that a run learns from and those that it is validated on. No problem is in both."""

from __future__ import annotations

import hashlib
import time
from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from liftq.encoders import Encoder
from liftq.errors import InputError
from liftq.pddl.structures import Problem
from liftq.policies import Policy
from liftq.policies.compatibility import mismatch
from liftq.problems import ProblemSource
from liftq.problems.folder import ProblemFolder
from liftq.problems.loading import load_domain
from liftq.problems.structure import UpToNames
from liftq.teaching.attempt import Attempt
from liftq.teaching.corpora import bundled, bundled_corpus
from liftq.teaching.corpus import Corpus
from liftq.teaching.kept_bounds import KeptBounds, key_of
from liftq.training.encoded import Encoded, Encoding
from liftq.training.pooled import Pool
from liftq.training.recipes.recipe import Recipe
from liftq.training.validation import STRIDE, ValidationSet

REMEMBERED = 50_000  # plans that stay encoded in memory, for the next training of this process
WORTH_KEEPING = 5.0  # seconds that lessons with bounds took
HELD_OUT = 4  # of the problems of a folder, one in this many is kept for validation
FINALS_SEED = 1  # draws other problems than during training, if there are enough


@dataclass(frozen=True)
class Data:
    recipe: Recipe
    corpus: Corpus

    def __post_init__(self) -> None:
        if difference := mismatch(self.corpus.domain, self.source.domain):
            raise InputError(
                f"{self.corpus.path} has plans of a domain other than {self.recipe.domain}: {difference}\n"
                "  Give a corpus of this domain with --corpus, or make one with liftq teach."
            )
        if not self.learned:
            raise InputError("the corpus has no plans to learn from\n  Make some with liftq teach, or raise the size.")

    @cached_property
    def source(self) -> ProblemSource:
        return load_domain(self.recipe.domain)

    @cached_property
    def held_out(self) -> frozenset[str]:
        """Fingerprints. A folder has no problems but its own, so every fourth with a plan is kept for validation, in
        the order of sizes and, within a size, of fingerprints, so that file names do not matter."""
        if not isinstance(self.source, ProblemFolder):
            return frozenset()
        in_folder = {
            instance.fingerprint for size in self.source.sizes(0, 10**9) for instance in self.source.instances(size)
        }
        shared = sorted((each.size, each.fingerprint) for each in self.admitted if each.fingerprint in in_folder)
        if len(shared) < HELD_OUT:
            return frozenset()
        return frozenset(fingerprint for _, fingerprint in shared[1::HELD_OUT])

    @cached_property
    def admitted(self) -> list[Attempt]:
        """Plans that the recipe admits."""
        options = self.recipe.training
        return self.corpus.admitted(options.largest_size, options.whole_per_size, options.visited)

    @cached_property
    def learned(self) -> list[Attempt]:
        return self._not_held_out(self.admitted)

    def _not_held_out(self, entries: Sequence[Attempt]) -> list[Attempt]:
        if not self.held_out:
            return list(entries)
        held_out = UpToNames.of(self.corpus.problem(entry) for entry in entries if entry.fingerprint in self.held_out)
        return [entry for entry in entries if self.corpus.problem(entry) not in held_out]

    def encoded(self, encoder: Encoder, with_bounds: bool, policy: Policy | None = None) -> Encoded:
        """`policy`: whose values are learned."""
        options = self.recipe.training
        encoding = Encoding(
            self.corpus,
            encoder,
            with_bounds,
            options.tie_states,
            options.relaxed_dropout,
            options.unproven_states,
            policy,
        )
        parts = _remembered(encoding)
        left = [each for each in self.learned if key_of(each) not in parts]
        parts |= self._encode(encoding, left)
        return Encoded.united([parts[key] for each in self.learned if (key := key_of(each)) in parts])

    def _encode(self, encoding: Encoding, attempts: Sequence[Attempt]) -> dict[str, Encoded]:
        """By key, until the recipe's time is up, in an order that favours no kind or size."""
        options = self.recipe.training
        kept = KeptBounds.of(self.corpus.header.line(), options.tie_states)
        known = kept.read() if encoding.with_bounds and attempts else {}
        started, parts, with_bounds = time.perf_counter(), {}, {}
        in_order = sorted(attempts, key=lambda each: each.fingerprint)
        with closing(encoding.encode_each(in_order, known, options.processes)) as results:
            for attempt, part in results:
                parts[key_of(attempt)] = part
                if encoding.with_bounds and not encoding.samples(attempt):
                    with_bounds[key_of(attempt)] = part.bounds
                if options.preparation and time.perf_counter() - started > options.preparation:
                    break
        if with_bounds and time.perf_counter() - started > WORTH_KEEPING:
            of_corpus = map(key_of, self.learned)
            kept.keep({key: known[key] for key in of_corpus if key in known} | with_bounds)
        return parts

    @cached_property
    def validation(self) -> ValidationSet | Pool:
        if seconds := self.recipe.validation.pool_seconds:
            return Pool(self.source, seconds)
        return self._validation(0, self.recipe.validation.per_size, 0.0)

    @cached_property
    def finals(self) -> ValidationSet:
        return self._validation(FINALS_SEED, self.recipe.validation.final_per_size, self.recipe.validation.far_seconds)

    @cached_property
    def digest(self) -> str:
        """Identifies the corpus."""
        lines = [self.corpus.header.line(), *(attempt.line() for attempt in self.corpus.attempts)]
        return hashlib.sha256("\n".join(lines).encode()).hexdigest()

    def _validation(self, seed: int, per_size: int, far_seconds: float) -> ValidationSet:
        learned = Learned(self.corpus, self._not_held_out(self.corpus.entries))
        whole = [entry.size for entry in self.admitted if entry.is_whole(self.corpus.header)]
        largest = max(whole or [entry.size for entry in self.admitted])
        is_folder = isinstance(self.source, ProblemFolder)
        stride = 1 if is_folder else STRIDE  # a folder has few problems, so all are played
        return ValidationSet(self.source, largest, per_size, seed, learned, far_seconds, not is_folder, stride)


_encoded: dict[Encoding, dict[str, Encoded]] = {}


def _remembered(encoding: Encoding) -> dict[str, Encoded]:
    """By key: plans that an earlier training of this process has encoded in the same way."""
    if encoding.policy or not REMEMBERED:
        return {}
    bare = replace(encoding.bare, corpus=Corpus(Path(), encoding.corpus.header, ()))
    if bare not in _encoded or len(_encoded[bare]) > REMEMBERED:
        _encoded.clear()
    return _encoded.setdefault(bare, {})


class Learned(Container[Problem]):
    """Problems of a corpus, up to the names of objects. Those of a size are drawn on the first lookup."""

    def __init__(self, corpus: Corpus, entries: Iterable[Attempt]) -> None:
        self._corpus = corpus
        self._entries: dict[int, list[Attempt]] = defaultdict(list)
        for entry in entries:
            self._entries[entry.size].append(entry)
        self._by_size: dict[int, UpToNames] = {}

    def __contains__(self, problem: object) -> bool:
        assert isinstance(problem, Problem)
        if problem.size not in self._by_size:
            entries = self._entries[problem.size]
            self._by_size[problem.size] = UpToNames.of(map(self._corpus.problem, entries))
        return problem in self._by_size[problem.size]


def with_taught_corpus(recipe: Recipe) -> Recipe:
    """If no corpus is named, takes the one that `liftq teach` writes by default, if it exists."""
    taught = taught_corpus(recipe)
    return replace(recipe, corpus=str(taught)) if not recipe.corpus and Corpus.is_begun(taught) else recipe


def corpus_of(recipe: Recipe) -> Corpus:
    """The one that is named, or the bundled one."""
    if recipe.corpus:
        return Corpus.read(Path(recipe.corpus))
    if recipe.domain in bundled():
        return bundled_corpus(recipe.domain)
    missing = f"there are no plans to learn from: no {taught_corpus(recipe)} here, and no bundled corpus"
    raise InputError(f"{missing}\n  Make some with liftq teach, or name a corpus with --corpus.")


def taught_corpus(recipe: Recipe) -> Path:
    return Path(f"{load_domain(recipe.domain).name}.jsonl.zst")
