"""The tables of results/README.md and results/paper/README.md, from the results files. These pages hold no other
figures of results."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean, geometric_mean

from dev.tables import learn
from dev.tables import paper as paper_tables
from dev.tables.headline import largest_seen
from dev.tables.markdown import short, written
from dev.tables.paper import NETWORKS
from dev.tables.seen import by_floor, in_corpus, learned
from liftq.domains import domains
from liftq.evaluation.paper import paper, verdict
from liftq.evaluation.result import Invocation, Results, SuiteAttempt, Timing
from liftq.evaluation.scaling.curve import Stop
from liftq.evaluation.scaling.reading import Reading, readings_of
from liftq.policies.policy_file import read_policy_file
from liftq.reports.solvers.suites import SPLITS, Suite, latest, suites_of
from liftq.teaching.corpora import bundled
from liftq.zoo.bundled import CARD
from liftq.zoo.bundled import bundled as bundled_policies

FOLDER = Path(__file__).parents[2] / "results"
PAGES = (FOLDER / "README.md", FOLDER / "paper" / "README.md")
NONE = "-"
ZOO = "zoo+search"  # what `liftq solve` does

Attempts = Sequence[SuiteAttempt]


def results(*names: str) -> Results:
    return Results.read([FOLDER / name for name in names])


def scaling() -> str:
    """The bundled policies; of the paper, the best of its R-GNN."""
    head = ["domain", "Scale", "SCov", "paper: Scale", "SCov", "verdict", "sizes evaluated", "largest seen"]
    rows = [[*head, "problems in the corpus"]]
    for domain, networks in sorted(paper()["scaling"]["figures"].items()):
        (reading,) = readings_of(results(f"scaling/{domain}.jsonl.zst"))
        best = max(networks["R-GNN"].values(), key=lambda each: each["scov"])
        theirs = [str(best["scale"]), str(best["scov"])]
        judged = [*theirs, str(verdict(reading, best)), _evaluated(reading), largest_seen(domain), in_corpus(reading)]
        rows.append([domain, str(reading.curve.scale), _scov(reading), *judged])
    return written(rows)


def policies() -> str:
    """How the bundled policies of domains with generators were trained, from their cards."""
    head = ["domain", "objective", "learning rate", "layers", "epoch", "seed", "plans", "lessons", "largest size"]
    rows = [[*head, "commit"]]
    for domain in sorted(bundled_policies().keys() & domains()):
        path = bundled_policies()[domain]
        policy = read_policy_file(path)
        training = [str(policy.card.get(key, NONE)) for key in ("epoch", "seed", "plans", "lessons")]
        options = [policy.card["objective"], str(policy.card["learning_rate"]), str(policy.model.layers)]
        rows.append([domain, *options, *training, largest_seen(domain), str(policy.card["origin"]["commit"])[:7]])
    return written(rows)


def from_problems() -> str:
    """What the cards say of the bundled policies that `liftq learn` has made from problems alone."""
    head = [
        "policy",
        "minutes",
        "plans",
        "sizes learned from",
        "MB",
        "problems",
        "policy",
        "and search",
        "search alone",
    ]
    rows = [head]
    for name, path in bundled_policies().items():
        card = read_policy_file(path).card
        if found := card.get(CARD):
            test, sizes = found["held_out"], "-".join(map(str, card["sizes"]))
            learned = [f"{found['seconds'] / 60:.1f}", str(card["plans"]), sizes, f"{path.stat().st_size / 1e6:.1f}"]
            tried = [str(test[key]) for key in ("problems", "policy", "policy and search", "search alone")]
            rows.append([name, *learned, *tried])
    return written(rows)


def floors() -> str:
    """Whether it helps in floortile to have learned from the same map and goal."""
    rows = [["map and goal", "problems", "solved", "coverage"]]
    (reading,) = readings_of(results("scaling/floortile.jsonl.zst"))
    for title, attempts in by_floor(reading):
        solved = sum(each.solved for each in attempts)
        rows.append([title, str(len(attempts)), str(solved), f"{solved / len(attempts):.0%}"])
    return written(rows)


def architectures() -> str:
    """Not bundled; trained with `q_heuristic` and `goal_split`."""
    rows = [["domain", "network", "Scale", "SCov", "paper: Scale", "SCov", "verdict", "sizes evaluated"]]
    for path in sorted(FOLDER.glob("scaling/*-object*.jsonl*")):
        (reading,) = readings_of(Results.read([path]))
        network = reading.headers[-1].settings["architecture"]
        theirs = paper()["scaling"]["figures"][reading.domain][network]["Q heuristic"]
        judged = [str(theirs["scale"]), str(theirs["scov"]), str(verdict(reading, theirs)), _evaluated(reading)]
        rows.append([reading.domain, network, str(reading.curve.scale), _scov(reading), *judged])
    return written(rows)


def objectives() -> str:
    rows = [["domain", "objective", "up to size", "SCov", "ended", "sizes evaluated"]]
    for reading in readings_of(results("objectives/blocksworld.jsonl.zst", "objectives/ferry.jsonl.zst")):
        curve, name = reading.curve, Path(reading.solver).stem
        rows.append([reading.domain, name, str(curve.scale), _scov(reading), str(curve.stop), _evaluated(reading)])
    return written(sorted(rows[1:]), rows[0])


def suite() -> str:
    ours, lama = (latest(results(f"ipc23/{name}.jsonl.zst").of(SuiteAttempt)) for name in ("policies", "lama"))
    head = ["domain", *(title for split in SPLITS for title in (split, "LAMA"))]
    rows = [[*head, "length / LAMA's", "score", "LAMA", "longest s", "in the corpus"]]
    domains = sorted({each.domain for each in ours})
    files = (f"ipc23/{name}.jsonl.zst" for name in ("policies", "lama", "search"))
    (known,) = suites_of(results(*files).of(SuiteAttempt))
    for domain in [*domains, None]:
        own, other = ([each for each in attempts if domain in (each.domain, None)] for attempts in (ours, lama))
        rows.append([domain or "all", *_solved(own, other), *_quality(own, other, known), *_beside(own)])
    return written(rows)


def searched() -> str:
    """The same policies alone and helped by search where they are lost."""
    alone, helped = (latest(results(f"ipc23/{name}.jsonl.zst").of(SuiteAttempt)) for name in ("policies", "search"))
    rows = [["domain", "problems", "alone", "with search", "length, with / alone", "time, with / alone"]]
    for domain in [*sorted({each.domain for each in helped}), None]:
        old, new = ([each for each in attempts if domain in (each.domain, None)] for attempts in (alone, helped))
        counts = [str(sum(each.solved for each in attempts)) for attempts in (old, new)]
        both = _both(new, old)
        ratios = [_ratio(both, lambda each: each.length or 0), _ratio(both, lambda each: each.seconds)]
        rows.append([domain or "all", str(len(new)), *counts, *ratios])
    return written(rows)


def layers() -> str:
    """Policies of fewer layers against those of 30, on the same problems."""
    rows = [["domain", "problems like", "solved, 30 layers", "fewer", "of", "length", "time"]]
    for split in ("medium", "hard"):
        attempts = latest(results(f"layers/{split}.jsonl.zst").of(SuiteAttempt))
        for domain in sorted({each.domain for each in attempts}):
            own = [each for each in attempts if each.domain == domain]
            new, old = ([each for each in own if each.solver.startswith(start)] for start in ("device", "liftq"))
            both = _both(new, old)
            length = _ratio(both, lambda each: each.length or 0)
            counts = [str(sum(each.solved for each in attempts)) for attempts in (old, new)]
            rows.append([domain, split, *counts, str(len(new)), length, _ratio(both, lambda each: each.seconds)])
    return written(rows)


def sokoban() -> str:
    """LAMA, search alone, and search guided by the policy, on generated problems."""
    attempts = latest(results("sokoban/like-easy.jsonl.zst").of(SuiteAttempt))
    rows = [["solver", "solved", "of", "length / LAMA's", "longest s", "in the corpus"]]
    known = learned("sokoban")
    lama = [each for each in attempts if each.solver == "lama"]
    for solver in ("lama", "greedy_search", "sokoban+search"):
        own = [each for each in attempts if each.solver == solver]
        solved = [each for each in own if each.solved]
        length = _ratio(_both(own, lama), lambda each: each.length or 0)
        longest = f"{max(each.seconds for each in solved):.0f}"
        seen = str(sum(each.fingerprint in known for each in own))
        rows.append([solver, str(len(solved)), str(len(own)), length, longest, seen])
    return written(rows)


def autoscale() -> str:
    """Policies with search, and alone where that was tried."""
    files = [f"autoscale/{name}.jsonl.zst" for name in ("agile", "learned", "again")]
    attempts = latest(results(*files).of(SuiteAttempt))
    names = sorted({each.domain for each in attempts})
    rows = [["domain", "problems", "policy", "and search", "longest s"]]
    for title, those in [*((domain, [domain]) for domain in names), ("all", names)]:
        own = [each for each in attempts if each.domain in those]
        by = {solver: [each for each in own if each.solver == solver] for solver in ("zoo", ZOO)}
        tried = len(by[ZOO])
        counts = [_count(solved) if len(solved) == tried else NONE for solved in by.values()]
        longest = max((each.seconds for each in by[ZOO] if each.solved), default=None)
        rows.append([title, str(tried), *counts, NONE if longest is None else f"{longest:.0f}"])
    return written(rows)


def _count(attempts: Attempts) -> str:
    return str(sum(each.solved for each in attempts))


def efficiency() -> str:
    """Milliseconds per state, the mean over sizes; V values one successor per orbit of actions."""
    timings = [each for each in results("efficiency/networks.jsonl.zst").of(Timing) if each.states]
    titles = [f"{network}: {title}" for network in NETWORKS for title in ("V", "Q", "V / Q")]
    rows = [["domain", "sizes", *titles, "paper, R-GNN: V / Q"]]
    for domain in sorted({each.domain for each in timings}):
        own = [each for each in timings if each.domain == domain]
        shown: list[str] = []
        for network in NETWORKS:
            v, q = (_milliseconds(own, network, values) for values in ("V", "Q"))
            shown += [f"{v:.2f}", f"{q:.2f}", f"{v / q:.1f}"]
        theirs = paper()["efficiency"]["figures"][domain]["R-GNN"]
        sizes = sorted({each.size for each in own})
        ends = f"{len(sizes)}, {sizes[0]} to {sizes[-1]}"
        rows.append([domain, ends, *shown, f"{theirs['V'] / theirs['Q']:.1f}"])
    return written(rows)


def _milliseconds(timings: Sequence[Timing], network: str, values: str) -> float:
    own = [each for each in timings if (each.architecture, each.values) == (network, values)]
    return fmean(1000 * each.seconds / each.states for each in own)


def origin() -> str:
    """Every file, with the commits it was measured at; with local changes, what was measured is in no commit."""
    rows = [["file", "date", "measured at commit", "with changes that are in no commit", "processor"]]
    for path in sorted(FOLDER.glob("**/*.jsonl*")):
        if path.parent.name == "corpora":
            continue
        headers = Results.read([path]).of(Invocation)
        commits = dict.fromkeys((each.commit or "unknown").removesuffix("-dirty")[:7] for each in headers)
        dirty = sum(each.commit is None or each.commit.endswith("-dirty") for each in headers)
        dates = sorted({each.date[:10] for each in headers})
        machines = dict.fromkeys(short(each.machine["processor"]) for each in headers)
        changed = f"{dirty} of {len(headers)} runs" if dirty else "none"
        when = " to ".join(dict.fromkeys((dates[0], dates[-1])))
        rows.append([str(path.relative_to(FOLDER)), when, ", ".join(commits), changed, ", ".join(machines)])
    return written(rows)


def _evaluated(reading: Reading) -> str:
    evaluated = len(reading.curve.coverages)
    ended = "" if reading.curve.stop is not Stop.UNFINISHED else ", unfinished"
    return f"{evaluated} of {evaluated + len(reading.curve.left_out)}{ended}"


def _scov(reading: Reading) -> str:
    return f"{reading.curve.scov:.1f} ± {reading.curve.scov_error:.1f}"


def _solved(ours: Attempts, lama: Attempts) -> Iterable[str]:
    for split in SPLITS:
        own = [each for each in ours if each.split == split]
        yield f"{sum(each.solved for each in own)} of {len(own)}"
        yield str(sum(each.solved for each in lama if each.split == split))


def _both(ours: Attempts, others: Attempts) -> list[tuple[SuiteAttempt, SuiteAttempt]]:
    """The problems that both solve."""
    solved = {each.problem: each for each in others if each.solved}
    return [(each, solved[each.problem]) for each in ours if each.solved and each.problem in solved]


def _quality(ours: Attempts, lama: Attempts, known: Suite) -> list[str]:
    """Lengths on common problems, in the geometric mean, and the scores of IPC."""
    ratio = geometric_mean((a.length or 1) / (b.length or 1) for a, b in _both(ours, lama))
    return [f"{ratio:.2f}", f"{known.score(ours):.1f}", f"{known.score(lama):.1f}"]


def _beside(ours: Attempts) -> list[str]:
    """The longest solve, and how many of the problems are in the corpus that the policy may have learned from."""
    corpora = [learned(domain) for domain in {each.domain for each in ours} & set(bundled())]
    known = frozenset[str]().union(*corpora)
    longest = max(each.seconds for each in ours if each.solved)
    return [f"{longest:.0f}", str(sum(each.fingerprint in known for each in ours))]


def _ratio(both: Sequence[tuple[SuiteAttempt, SuiteAttempt]], what: Callable[[SuiteAttempt], float]) -> str:
    """Totals over the problems that both solve, new divided by old."""
    return f"{sum(what(new) for new, _ in both) / sum(what(old) for _, old in both):.2f}" if both else NONE


PARTS = (
    policies,
    from_problems,
    scaling,
    floors,
    architectures,
    objectives,
    suite,
    searched,
    layers,
    sokoban,
    autoscale,
    efficiency,
    origin,
    *learn.PARTS,
    *paper_tables.PARTS,
)
TABLES: dict[str, Callable[[], str]] = {each.__name__: each for each in PARTS}
BLOCK = re.compile(r"(<!-- begin of (\w+) -->\n).*?(\n<!-- end of \2 -->)", re.DOTALL)


def renewed(page: str) -> str:
    return BLOCK.sub(lambda match: match[1] + TABLES[match[2]]() + match[3], page)


def renew() -> None:
    for path in PAGES:
        path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")
