"""A scaling evaluation as a user asks for it: a solver, where problems come from, and which sizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from liftq.compute import Piece, StartCompute
from liftq.compute.local import Local
from liftq.errors import InputError
from liftq.evaluation.result import Exhausted, Results, ScalingAttempt
from liftq.evaluation.scaling.attempts import Settings, attempts_at, with_the_crash
from liftq.evaluation.scaling.curve import (
    Curve,
    counted_sizes,
    coverages_of,
    curve,
    next_size,
    outcomes_at,
    refined_sizes,
)
from liftq.evaluation.scaling.protocol import Scaling, ScalingRecord, every
from liftq.evaluation.scaling.side_by_side import SizesSideBySide
from liftq.evaluation.solvers import (
    SolverCopy,
    architecture,
    digest,
    is_policy,
    load_solver,
    own_domain,
    policy_file,
)
from liftq.policies.greedy import Greedy
from liftq.policies.side_by_side import SideBySide
from liftq.problems.structure import UpToNames
from liftq.teaching.corpus import Corpus

SUBJECT = ("kind", "solver", "domain", "seed")  # attempts that agree in these count towards the same coverage ...
MANNER = ("digest", "steps_beyond", "without", "kept_apart")  # ... so they must agree in these
ON_CARDS = (
    "objective",
    "seed",
    "epoch",
    "learning_rate",
    "plans",
    "lessons",
    "sizes",
    "corpus_sha256",
    "origin",
    "recipe",
)


@dataclass(frozen=True)
class ScalingEvaluation:
    solver: str
    domain: str | None = None  # as `load_domain` knows it; by default the policy's own
    sizes_asked: tuple[int, int] | None = None
    stride: int = 1  # evaluate only every nth size
    seed: int = 0
    steps_beyond: int = 0
    without: Path | None = None  # a corpus, or a run, whose problems are left out
    jobs: int = 1
    import_from: Path | None = None  # a folder of Python modules, for a solver `module:name`
    refine: bool = False  # then evaluate the sizes between, except where the coverages on both sides are 1 or both 0
    seen: UpToNames = field(default_factory=UpToNames)  # more problems that are left out
    training: Mapping[str, Any] | None = None  # facts that are not on the policy's card, such as epochs trained
    compute: StartCompute = Local
    device: str | None = None  # where PyTorch values the states of many attempts together; by default, no PyTorch

    @cached_property
    def scaling(self) -> Scaling:
        return self._piece_settings.scaling()

    @cached_property
    def _piece_settings(self) -> Settings:
        solver = SolverCopy.of(self.solver)
        return Settings(solver, self._domain, self.seed, self.steps_beyond, self._kept_apart, self.import_from)

    @cached_property
    def all_sizes(self) -> list[int]:
        return self.scaling.sizes(*self.sizes_asked) if self.sizes_asked else self.scaling.sizes()

    @property
    def sizes(self) -> list[int]:
        return every(self.stride, self.all_sizes)

    def settings(self) -> dict[str, Any]:
        card = policy_file(self.solver).card if is_policy(self.solver) else {}
        return {
            "kind": "scaling",
            "solver": self.solver,
            "domain": self.scaling.source.name,
            "seed": self.seed,
            "digest": digest(self.solver),
            "steps_beyond": self.steps_beyond,
            "without": str(self.without) if self.without else None,
            "sizes": self.sizes,
            "all_sizes": self.all_sizes,
            "jobs": self.jobs,
            "device": self.device,
            "architecture": architecture(self.solver),
            "refine": self.refine,
            "kept_apart": len(self._kept_apart),
            "card": {key: card[key] for key in ON_CARDS if key in card},
            "training": self.training,
        }

    def conflict(self, earlier: Mapping[str, Any]) -> str | None:
        now = self.settings()
        if any(earlier.get(key) != now[key] for key in SUBJECT):
            return None
        other = [key for key in MANNER if key in earlier and earlier[key] != now[key]]
        if "digest" in other:
            return f"{self.solver} is another policy now"
        return f"{self.solver} was run with other {', '.join(other)}" if other else None

    def evaluate(self, known: Results) -> Iterator[ScalingRecord]:
        """Sizes ahead of the smallest unsettled one are evaluated while there is nothing else to do; `curve` leaves
        out those past the stop."""
        records, running = self.records(known), set[int]()
        if self.device:
            yield from SizesSideBySide(self.scaling, self._wanted, records).evaluate(self._player(self.device))
            return

        def take() -> Piece[int, list[str | ScalingRecord]] | None:
            size = next_size(self._wanted(records), coverages_of(records), running)
            if size is None:
                return None
            running.add(size)
            solved = outcomes_at(size, records)
            if_lost = partial(with_the_crash, size=size, attempts_before=len(solved), scaling=self.scaling)
            return Piece(size, attempts_at, (size, solved, settings), if_lost)

        with self.compute(self.jobs) as compute:
            settings = compute.share(self._piece_settings)
            for size, items in compute.run(take):
                running.remove(size)
                new = [each for each in items if not isinstance(each, str)]
                records += new
                yield from new
                if next_size(self._wanted(records), coverages_of(records)) is None:
                    return  # whatever still runs lies past the stop

    def _player(self, device: str) -> SideBySide:
        solver = load_solver(self.solver, judged=True)
        if not isinstance(solver, Greedy):
            raise InputError(f"{self.solver} is not a policy, so it cannot play on a device\n  Leave out --device.")
        return SideBySide(solver, device)

    def _wanted(self, records: Iterable[ScalingRecord]) -> list[int]:
        return refined_sizes(self.sizes, self.all_sizes, coverages_of(records)) if self.refine else self.sizes

    def records(self, results: Results) -> list[ScalingRecord]:
        everything: list[ScalingRecord] = [*results.of(ScalingAttempt), *results.of(Exhausted)]
        key = self.solver, self.scaling.source.name, self.seed
        return [each for each in everything if (each.solver, each.domain, each.seed) == key]

    def curve(self, results: Results) -> Curve:
        coverages = coverages_of(self.records(results))
        return curve(counted_sizes(self.sizes, coverages, self.refine), coverages, self.all_sizes)

    @property
    def _domain(self) -> str:
        if self.domain:
            return self.domain
        if is_policy(self.solver) and (name := own_domain(policy_file(self.solver))):
            return name
        cure = "Say where problems come from with --domain."
        raise InputError(f"{self.solver}: there is no bundled domain for it\n  {cure}")

    @cached_property
    def _kept_apart(self) -> UpToNames:
        if self.without is None or self.without.is_dir():
            return self.seen
        corpus = Corpus.read(self.without)
        return self.seen | UpToNames.of(map(corpus.problem, corpus.entries))
