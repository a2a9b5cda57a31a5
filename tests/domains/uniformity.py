"""Statistical tests of what was drawn. Seeds are fixed, so a test that passes once passes always."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping

from scipy.stats import binomtest, chisquare

TOO_UNLIKELY = 1e-3


def assert_uniform(drawn: Iterable[Hashable], support: Collection[Hashable]) -> None:
    assert_distributed(drawn, {each: 1 / len(support) for each in support})


def assert_distributed(drawn: Iterable[Hashable], probability: Mapping[Hashable, float]) -> None:
    counts = Counter(drawn)
    assert set(counts) <= set(probability), f"outside of the support: {set(counts) - set(probability)}"
    assert min(probability.values()) * counts.total() > 5, "too few draws for a chi-square test"
    if len(probability) > 1:
        observed = [counts[each] for each in probability]
        expected = [share * counts.total() for share in probability.values()]
        assert chisquare(observed, expected).pvalue > TOO_UNLIKELY, dict(counts)


def assert_rate(drawn: Iterable[bool], rate: float) -> None:
    outcomes = list(drawn)
    assert len(outcomes) > 200
    assert binomtest(sum(outcomes), len(outcomes), rate).pvalue > TOO_UNLIKELY, sum(outcomes) / len(outcomes)
