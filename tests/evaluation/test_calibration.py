"""Calibration: the fewest passes among what solves as much by plans hardly longer, on a policy made up for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from liftq import pipeline
from liftq.domains import domain
from liftq.engine.solver import Action, Ending, Trajectory
from liftq.errors import InputError
from liftq.evaluation import calibration
from liftq.evaluation.calibration import Trial, best, problems_for, trials, with_acting
from liftq.pddl.structures import Problem
from liftq.policies.acting import ONE_BY_ONE, Acting
from liftq.policies.greedy import Greedy
from liftq.policies.policy_file import read_policy_file, save_policy
from liftq.problems import Purpose
from liftq.problems.fingerprint import fingerprint
from liftq.problems.generated import Generated
from liftq.problems.ipc23 import schedule
from liftq.problems.loading import load_domain
from liftq.zoo import load_policy
from tests.policies.corridor import CORRIDOR
from tests.policies.untrained import policy_of


def trial(acting: Acting, *plays: tuple[int, int] | None) -> Trial:
    """Passes and steps of each problem that was solved."""
    failed, step = Trajectory(Ending.STEP_LIMIT, passes=1000), Action("sail", ())
    return Trial(
        acting,
        tuple(Trajectory(Ending.SOLVED, (step,) * play[1], passes=play[0]) if play else failed for play in plays),
    )


PLAIN = trial(ONE_BY_ONE, (100, 100), (200, 200), None)
PATH = Path("ferry.safetensors")
WIDE, WIDER, WIDEST = (Acting(gap=gap, most=50, price=2) for gap in (1, 2, 4))


def test_figures() -> None:
    other = trial(WIDE, (50, 110), None, (1000, 10))
    assert other.solved == 2 and other.length(PLAIN) == pytest.approx(1.1)
    assert other.passes(PLAIN) == pytest.approx((0.5 * 5 * 1) ** (1 / 3))


def test_the_fewest_passes_that_keep_up() -> None:
    fine = trial(WIDE, (60, 104), (120, 210), None)
    long = trial(WIDER, (30, 104), (60, 220), None)
    losing = trial(WIDEST, (20, 100), None, None)
    assert best([PLAIN, fine, long, losing]) == fine
    assert best([PLAIN, long, losing]) == PLAIN
    assert best([PLAIN, fine, trial(WIDER, (40, 150), (60, 100), (900, 900))]).acting == WIDER  # 1.0 in the mean
    dear = trial(Acting(gap=1, most=50, price=5), (60, 104), (120, 210), None)
    assert best([PLAIN, dear, fine]) == fine


def test_several_actions_that_save_hardly_any_passes_are_not_worth_it() -> None:
    hardly = trial(WIDE, (95, 100), (190, 200), None)
    assert best([PLAIN, hardly]) == PLAIN
    priced = trial(replace(ONE_BY_ONE, price=2.0), (95, 100), (190, 200), None)
    assert best([PLAIN, hardly, priced]) == priced


def test_every_setting_is_tried_until_gaps_are_too_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """This one needs half the passes at each wider gap; beyond 1 its plans are too long. A price of 5 helps it."""

    def play(policy: Greedy, acting: Acting, problems: list[Problem]) -> Trial:
        gap = max(acting.gap, 100 * acting.relative_gap)
        steps = 100 if gap <= 1 else 120
        return trial(acting, (int(1000 / (1 + 4 * gap) / (1 + 0.01 * acting.price)), steps))

    monkeypatch.setattr(calibration, "trial", play)
    made = list(trials(Greedy(policy_of(domain("ferry").domain())), []))
    assert made[0].acting == ONE_BY_ONE and max(each.acting.gap for each in made) == 3.0  # the second too wide
    assert best(made).acting == Acting(gap=1.0, most=50, price=5.0)
    assert {each.acting.share for each in made} == {ONE_BY_ONE.share}


def test_a_policy_continues_searching_from_the_start() -> None:
    drawn = policy_of(CORRIDOR)
    for searching in (False, True):
        drawn.card["acting"] = {"searching": searching}
        assert Acting.of(with_acting(drawn, WIDER)) == replace(WIDER, searching=searching)


def test_only_the_card_changes(tmp_path: object) -> None:
    path = f"{tmp_path}/ferry.safetensors"
    drawn = policy_of(domain("ferry").domain())
    save_policy(path, with_acting(drawn, WIDER))
    found = read_policy_file(path)
    assert Acting.of(found) == WIDER and found.card == drawn.card | {"acting": found.card["acting"]}
    assert all((found.weights[name] == weight).all() for name, weight in drawn.weights.items())


@pytest.mark.parametrize(("name", "sizes"), [("ferry", [17, 29, 38, 62, 86, 110]), ("logistics", [40, 40, 60, 60])])
def test_the_same_problems_each_time(name: str, sizes: list[int]) -> None:
    policy_file = policy_of(domain(name).domain())
    drawn = problems_for(policy_file, PATH, seed=5)
    assert drawn == problems_for(policy_file, PATH, seed=5) != problems_for(policy_file, PATH, seed=6)
    assert [each.size for each in drawn] == sizes  # without a card, larger than 20


def test_problems_are_drawn_for_calibration_not_from_those_of_the_evaluation() -> None:
    policy_file, source = policy_of(domain("ferry").domain()), Generated(domain("ferry"))
    drawn = set(map(fingerprint, problems_for(policy_file, PATH, seed=5)))
    for split, numbers in calibration.FILES.items():
        rows = [dict(schedule(source.generator, split))[number] for number in numbers]
        for purpose in (Purpose.TRAINING, Purpose.EVALUATION):
            assert drawn.isdisjoint(next(source.instances_with(row, 5, purpose)).fingerprint for row in rows)


def test_who_does_not_solve_a_problem_has_used_all_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or a policy that soon gets stuck would seem to be fast."""
    problem = next(Generated(domain("ferry")).instances(9)).problem
    policy = Greedy(policy_of(domain("ferry").domain()))
    for ending, passes in ((Ending.DEAD_END, 190), (Ending.SOLVED, 3)):
        found = Trajectory(ending, (Action("sail", ()),), passes=3)
        monkeypatch.setattr(Greedy, "solve", lambda *_, found=found: found)
        assert [play.passes for play in calibration.trial(policy, WIDE, [problem]).plays] == [passes]


def test_a_domain_that_is_not_bundled_is_refused() -> None:
    with pytest.raises(InputError, match=r"ferry\.safetensors: its domain is not bundled"):
        problems_for(policy_of(CORRIDOR), PATH, seed=5)


def test_the_best_is_written_to_the_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "GAPS", (0.25,))
    monkeypatch.setattr(calibration, "RELATIVE_GAPS", ())
    seeds: list[int] = []
    monkeypatch.setattr(pipeline, "problems_for", lambda policy, path, seed: seeds.append(seed) or [])
    for module in (calibration, pipeline):
        monkeypatch.setattr(module, "best", lambda trials: trials[1])
    path = tmp_path / "ferry.safetensors"
    save_policy(path, policy_of(domain("ferry").domain()))
    tried = list(pipeline.calibrate(path, seed=4))
    assert seeds == [4]
    assert Acting.of(read_policy_file(path)) == tried[1].acting != ONE_BY_ONE


def test_passes_are_those_of_playing_once() -> None:
    source, policy = load_domain("satellite"), load_policy("satellite")
    problem = next(source.instances(24, seed=1)).problem
    (play,) = calibration.trial(policy, Acting(gap=2, most=50, share=1), [problem]).plays
    assert play.solved and play.passes < len(play.plan)
