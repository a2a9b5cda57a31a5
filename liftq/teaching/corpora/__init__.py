"""The bundled corpora, one file per domain, and the teachers that were compared."""

from __future__ import annotations

from pathlib import Path

from liftq.errors import InputError
from liftq.teaching.corpus import Corpus

FOLDER = Path(__file__).parent


def _bisimulation(states: int, seconds: float = float("inf")) -> str:
    """Merge-and-shrink with bisimulation and the merge strategy DFP (Sievers et al., AAAI 2014)."""
    return (
        "merge_and_shrink(shrink_strategy=shrink_bisimulation(greedy=false),merge_strategy=merge_sccs("
        "order_of_sccs=topological,merge_selector=score_based_filtering(scoring_functions=[goal_relevance(),dfp(),"
        "total_order()])),label_reduction=exact(before_shrinking=true,before_merging=false),"
        f"max_states={states},threshold_before_merge=1"
        + (f",main_loop_max_time={seconds:g})" if seconds < float("inf") else ")")
    )


# Stubborn sets leave out orders of independent actions (Wehrle and Helmert, ICAPS 2014), as long as that pays.
_STUBBORN = "pruning=limited_pruning(pruning=atom_centric_stubborn_sets(),min_required_pruning_ratio=0.2)"

TEACHERS = {
    "orbit search": "orbit_search",
    "LM-cut": "astar(lmcut())",
    "LM-cut, stubborn sets": f"astar(lmcut(),{_STUBBORN})",
    "pattern databases": "astar(ipdb(max_time=4))",  # found by hill climbing (Haslum et al., AAAI 2007)
    "Cartesian abstractions": "astar(cegar(max_time=3))",  # Seipp and Helmert, JAIR 2018
    "merge-and-shrink": f"astar({_bisimulation(50_000)})",
    "LM-cut and merge-and-shrink": f"astar(max([lmcut(),{_bisimulation(10_000, seconds=1)}]))",
}


def bundled() -> tuple[str, ...]:
    """The domains that have a corpus here: the folder is the list."""
    return tuple(sorted(path.name.partition(".")[0] for path in FOLDER.glob("[a-z]*.jsonl.zst")))


def bundled_corpus(name: str) -> Corpus:
    """The optimal plans that come with liftq for one of its domains."""
    if name not in bundled():
        raise InputError(f"there is no bundled corpus of `{name}`\n  There are {', '.join(bundled())}.")
    return Corpus.read(FOLDER / f"{name}.jsonl.zst")
