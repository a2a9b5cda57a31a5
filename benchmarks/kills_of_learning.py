"""What a learning holds that was killed and repeated: the same kind of end, nothing lost, no problem in two parts.

Its problems are split as in the whole run, none that is held out was taught, every attempt of the teacher is in the
corpus, and the policy is tested on every held-out problem, once. `kills.py` does the killing.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from liftq.evaluation.result import Learned, Results, SuiteAttempt
from liftq.learning.budget import stages
from liftq.learning.split import PARTS, Split
from liftq.policies.policy_file import read_policy_file
from liftq.problems.fingerprint import fingerprint
from liftq.teaching.corpus import Corpus

MINUTES = 2.0  # two rounds, so that every kind of stage comes up


def arguments(problems: str) -> tuple[str, ...]:
    return "learn", problems, "--minutes", str(MINUTES), "--jobs", "1", "--device", "cpu", "--test-seconds", "20"


def phase(folder: Path) -> str:
    """Which stage it has come to."""
    path = folder / "clock.json"
    if not path.exists():
        return "split"
    done = json.loads(path.read_text())["stages"]
    names = [stage.name for stage in stages(MINUTES)]
    return names[done] if done < len(names) else "test"


def split_of(folder: Path) -> Split:
    (found,) = (folder / "problems").iterdir()
    return Split(found)


def faults(folder: Path, whole: Path) -> list[str]:
    split, found = split_of(folder), []
    parts = {part: {fingerprint(each) for each in split.parts[part].problems} for part in PARTS}
    if sum(map(len, parts.values())) != len(set.union(*parts.values())):
        found.append("a problem is in two parts")
    if parts != {part: {fingerprint(each) for each in split_of(whole).parts[part].problems} for part in PARTS}:
        found.append("split in another way")
    corpus, results = Corpus.read(folder / "corpus.jsonl.zst"), Results.read([folder / "results.jsonl"])
    if split.held_out & {each.fingerprint for each in corpus.attempts}:
        found.append("a held-out problem was taught")
    if len(results.of(Learned)) != 1 or results.of(Learned)[0].optimal + results.of(Learned)[0].not_optimal == 0:
        found.append("not one summary, or no plans")
    tests = Counter((each.solver, each.problem) for each in results.of(SuiteAttempt))
    expected = Counter(each.problem for each in Results.read([whole / "results.jsonl"]).of(SuiteAttempt))
    if max(tests.values()) > 1 or Counter(problem for _, problem in tests) != expected:
        found.append("tested otherwise")
    if read_policy_file(folder / "policy.safetensors").card["learned"]["held_out"] != sorted(split.held_out):
        found.append("the card does not tell what was held out")
    return found + [f"left over: {path}" for path in folder.rglob(".liftq-*")]
