"""The bundled corpora, one file a domain, and how each was made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from liftq.datasets.corpus import Corpus
from liftq.pddl.errors import InputError

FOLDER = Path(__file__).parent


def _abstraction(states: int) -> str:
    """Merge-and-shrink with bisimulation and the DFP merge strategy (Sievers et al., AAAI 2014)."""
    return (
        "astar(merge_and_shrink(shrink_strategy=shrink_bisimulation(greedy=false),"
        "merge_strategy=merge_sccs(order_of_sccs=topological,merge_selector=score_based_filtering("
        "scoring_functions=[goal_relevance(),dfp(),total_order()])),"
        "label_reduction=exact(before_shrinking=true,before_merging=false),"
        f"max_states={states},threshold_before_merge=1))"
    )


LMCUT = "astar(lmcut())"
LMCUT_STUBBORN = (  # leaves out orders of independent actions (Wehrle and Helmert, ICAPS 2014)
    "astar(lmcut(),pruning=limited_pruning(pruning=atom_centric_stubborn_sets(),min_required_pruning_ratio=0.2))"
)
PATTERNS = "astar(ipdb(max_time=4))"  # pattern databases found by hill climbing (Haslum et al., AAAI 2007)
ABSTRACTION = _abstraction(50_000)


@dataclass(frozen=True, slots=True)
class Setting:
    paper: tuple[int, ...]  # the sizes of the training problems in the paper; none where it leaves the domain out
    sizes: tuple[int, int]  # that `liftq teach` tries unless told otherwise, both included
    teacher: str  # the fastest of those that were compared, see docs/corpora.md


def _paper(least: int, most: int) -> tuple[int, ...]:
    return tuple(range(least, most + 1))


SETTINGS = {
    "blocksworld": Setting(_paper(2, 16), (2, 16), PATTERNS),
    "childsnack": Setting(_paper(8, 38), (8, 38), LMCUT_STUBBORN),
    "ferry": Setting(_paper(3, 25), (3, 25), ABSTRACTION),
    "floortile": Setting(_paper(7, 18), (7, 18), ABSTRACTION),
    "gripper": Setting(_paper(2, 25), (2, 25), ABSTRACTION),
    "logistics": Setting(_paper(6, 40), (6, 40), LMCUT),
    "miconic": Setting((), (3, 30), LMCUT),
    "rovers": Setting(_paper(10, 26), (10, 26), LMCUT_STUBBORN),
    "satellite": Setting(_paper(5, 31), (5, 31), LMCUT_STUBBORN),
    "spanner": Setting((), (6, 30), LMCUT),
    "transport": Setting(_paper(6, 38), (6, 38), LMCUT),
    "visitall": Setting(tuple(side**2 for side in range(2, 10)), (4, 81), LMCUT),
}
OTHERWISE = Setting((), (2, 100), LMCUT)  # for domains that are not bundled


def bundled(name: str) -> Corpus:
    path = FOLDER / f"{name}.jsonl.zst"
    if not path.exists():
        present = ", ".join(sorted(each.name.partition(".")[0] for each in FOLDER.glob("*.zst")))
        raise InputError(f"there is no bundled corpus of `{name}`\n  There are {present}.")
    return Corpus.read(path)
