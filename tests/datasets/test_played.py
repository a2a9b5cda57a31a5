"""Plans of a policy in the place of a teacher's: large problems, and corpora that say so."""

from __future__ import annotations

from pathlib import Path

from liftq.datasets.corpus import Corpus
from liftq.datasets.journal import Journal
from liftq.datasets.played import PolicyAsTeacher
from liftq.datasets.teach import Quota, Teaching
from liftq.engine.solver import Limits
from liftq.policies import load_policy
from liftq.sources.loading import load_domain


def test_a_corpus_of_a_policys_plans(tmp_path: Path) -> None:
    source, path = load_domain("ferry"), tmp_path / "played.jsonl.zst"
    teaching = Teaching(source, PolicyAsTeacher(load_policy("ferry")), Limits(60), Quota(1), 60, 61, any_plans=True)
    with Journal(path, source) as journal:
        attempts = [each.attempt for each in teaching.teach(teaching.rows([]), journal)]
    assert [attempt.size for attempt in attempts] == [60, 61] and all(attempt.plan for attempt in attempts)
    assert {entry.teacher for entry in Corpus.read(path).entries} == {"policy"}
