"""Tables of `liftq learn`: the policy beside search alone and LAMA-first, and the effect of its own plans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import geometric_mean

from dev.tables.markdown import short, written
from liftq.evaluation.learning import Tried, tried_by
from liftq.evaluation.result import Invocation, Learned, Results, SuiteAttempt

FOLDER = Path(__file__).parents[2] / "results" / "learn"
NONE = "-"
OURS, LAMA = "policy and search", "LAMA-first"
SOLVERS = (OURS, "policy alone", "search alone", LAMA)


def learned_policies() -> str:
    """From folders of problems, on those held out."""
    beside = ["missed", "length / LAMA's", "optimal plans", "own plans", "chosen", "processor"]
    rows = [["folder", "to learn from", "held out", *SOLVERS, *beside]]
    for learned, processor, tried in _learnings(Results.read([FOLDER / "folders.jsonl.zst"])):
        given = [str(len(learned.problems[part])) for part in ("training", "test")]
        solved = [_solved(tried[name]) for name in SOLVERS]
        plans = [str(learned.optimal), str(learned.not_optimal)]
        quality = [_missed(tried), _length(tried)]
        rows.append([_folder(learned), *given, *solved, *quality, *plans, learned.choice, processor])
    return written(rows)


def own_plans() -> str:
    """With plans that policy and search find beyond the teacher, and without: the same seeds and the same time."""
    learning = ["optimal plans", "own plans", "best in validation", "held out"]
    head, rows = ["domain", "seed", *learning, *SOLVERS[:2], "steps", "processor"], []
    for seed in sorted(path.name.removeprefix("own-").split(".")[0] for path in FOLDER.glob("own-*")):
        for name in ("own", "taught"):
            for learned, processor, tried in _learnings(Results.read([FOLDER / f"{name}-{seed}.jsonl.zst"])):
                solved = [_solved(tried[solver]) for solver in SOLVERS[:2]]
                steps = str(sum(each.length or 0 for each in tried[OURS].values()))
                plans = [str(learned.optimal), str(learned.not_optimal)]
                best = max(score for _, score in learned.curve)
                figures = [*plans, f"{best:.1f}", str(len(learned.problems["test"]))]
                rows.append([_folder(learned), seed, *figures, *solved, steps, processor])
    return written([head, *sorted(rows, key=lambda row: row[:2])])  # with own plans first, as read


def _learnings(results: Results) -> Iterator[tuple[Learned, str, Mapping[str, Tried]]]:
    """By processor, then by folder. Every attempt at a held-out problem is named after the folder it comes from."""
    processors = {each.run: short(each.machine["processor"]) for each in results.of(Invocation)}
    for learned in sorted(results.of(Learned), key=lambda each: (processors[each.run], _folder(each))):
        own = [each for each in results.of(SuiteAttempt) if each.problem.split("/")[0] == _folder(learned)]
        yield learned, processors[learned.run], tried_by(learned, own)


def _folder(learned: Learned) -> str:
    return Path(learned.policy).parent.name


def _solved(tried: Tried) -> str:
    return str(sum(each.solved for each in tried.values())) if tried else NONE


def _missed(tried: Mapping[str, Tried]) -> str:
    """What LAMA-first solves and the policy with search does not."""
    ours = {name for name, each in tried[OURS].items() if each.solved}
    missed = [Path(name).stem for name, each in tried[LAMA].items() if each.solved and name not in ours]
    return ", ".join(sorted(missed)) or "none"


def _length(tried: Mapping[str, Tried]) -> str:
    """Where both solve, in the geometric mean."""
    lengths = {name: each.length for name, each in tried[LAMA].items() if each.solved and each.length}
    pairs = [(each.length, lengths[name]) for name, each in tried[OURS].items() if each.length and name in lengths]
    return f"{geometric_mean(own / other for own, other in pairs):.2f}" if pairs else NONE


PARTS = (learned_policies, own_plans)
