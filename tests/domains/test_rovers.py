"""Rovers' problems have the distribution of the competition's generator."""

from collections import Counter

from tests.domains.draws import drawn, places, symmetric
from tests.domains.uniformity import assert_rate, assert_uniform


def test_rovers_ground() -> None:
    problems = drawn("rovers", 800, rovers=2, waypoints=5, cameras=2, objectives=2)
    waypoints = [f"waypoint{number}" for number in range(1, 6)]
    assert_rate([(each,) in problem.of("at_rock_sample") for problem in problems for each in waypoints], 0.5)
    assert_rate([(each,) in problem.of("at_soil_sample") for problem in problems for each in waypoints], 0.5)
    assert_uniform([places(each.of("at_lander"))["general"] for each in problems], waypoints)
    assert_uniform([len(each.of("visible")) // 2 for each in problems], range(4, 11))
    assert all(symmetric(each.of("visible")) for each in problems)


def test_rovers_share_a_tree_and_have_other_edges_by_chance() -> None:
    """Edges of the tree belong to all 12 rovers; another edge does with a chance of one in two millions."""
    extra = []
    for each in drawn("rovers", 150, rovers=12, waypoints=5, cameras=1, objectives=1):
        visible = {(a, b) for a, b in each.of("visible")}
        owners = Counter((a, b) for _, a, b in each.of("can_traverse"))
        assert set(owners) <= visible and all(owners[a, b] == owners[b, a] for a, b in owners)
        tree = {(a, b) for (a, b), number in owners.items() if number == 12}
        assert len(tree) == 2 * 4
        traversable = set(each.of("can_traverse"))
        others = sorted(edge for edge in visible - tree if edge[0] < edge[1])
        extra += [(f"rover{number}", *edge) in traversable for number in range(1, 13) for edge in others]
    assert_rate(extra, 0.3)


def test_rovers_equipment() -> None:
    problems = drawn("rovers", 800, rovers=3, waypoints=4, cameras=2, objectives=2)
    for equipment in ("soil_analysis", "rock_analysis", "imaging"):
        assert_uniform([len(each.of(f"equipped_for_{equipment}")) for each in problems], (1, 2, 3))
    waypoints = {f"waypoint{number}" for number in range(1, 5)}
    for each in problems:
        imaging = {rover for (rover,) in each.of("equipped_for_imaging")}
        assert {rover for _, rover in each.of("on_board")} <= imaging
        assert {mode for _, mode in each.of("supports")} == {"colour", "high_res", "low_res"}
        assert {rover for rover, _ in each.of("at")} == {"rover1", "rover2", "rover3"}
        assert each.of("store_of") == [(f"rover{number}store", f"rover{number}") for number in (1, 2, 3)]
        assert {place for _, place in each.of("visible_from")} <= waypoints
    seen = [sum(objective == "objective1" for objective, _ in each.of("visible_from")) for each in problems]
    assert_uniform(seen, (1, 2, 3, 4))
    assert_uniform([dict(each.of("calibration_target"))["camera2"] for each in problems], ("objective1", "objective2"))


def test_cameras_of_the_rovers_support_one_to_three_modes() -> None:
    """With 12 cameras, a mode that none of them chose, which would be given to some, is next to impossible."""
    problems = drawn("rovers", 400, rovers=1, waypoints=2, cameras=12, objectives=1)
    assert_uniform([sum(camera == "camera1" for camera, _ in each.of("supports")) for each in problems], (1, 2, 3))


def test_a_single_camera_of_the_rovers_supports_every_mode() -> None:
    for each in drawn("rovers", 50, rovers=1, waypoints=2, cameras=1, objectives=1):
        assert len(each.of("supports")) == 3


def test_rovers_goals() -> None:
    problems = drawn("rovers", 1500, rovers=1, waypoints=3, cameras=1, objectives=2)
    assert_uniform([len(each.goals("communicated_image_data")) for each in problems], range(7))
    for noun in ("rock", "soil"):
        for samples in range(1, 4):
            chosen = [each for each in problems if len(each.of(f"at_{noun}_sample")) == samples]
            assert_uniform([len(each.goals(f"communicated_{noun}_data")) for each in chosen], range(samples + 1))
        assert all(
            set(each.goals(f"communicated_{noun}_data")) <= set(each.of(f"at_{noun}_sample")) for each in problems
        )
