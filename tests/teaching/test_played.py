"""Plans of a policy in the place of a teacher's: large problems, and corpora that say so."""

from __future__ import annotations

from pathlib import Path

from liftq.engine.solver import Limits
from liftq.problems.loading import load_domain
from liftq.teaching.corpus import Corpus
from liftq.teaching.journal import Journal
from liftq.teaching.played import PolicyAsTeacher
from liftq.teaching.teach import Quota, Teaching
from liftq.zoo import load_policy


def test_a_corpus_of_a_policys_plans(tmp_path: Path) -> None:
    source, path = load_domain("ferry"), tmp_path / "played.jsonl.zst"
    teaching = Teaching(source, PolicyAsTeacher(load_policy("ferry")), Limits(60), Quota(1), 60, 61, any_plans=True)
    with Journal(path, source) as journal:
        attempts = [each.attempt for each in teaching.teach(teaching.rows([]), journal)]
    assert [attempt.size for attempt in attempts] == [60, 61] and all(attempt.plan for attempt in attempts)
    assert {entry.teacher for entry in Corpus.read(path).entries} == {"policy"}
