"""Each domain's problems have the distribution of the competition's generators; rovers has a file of its own."""

from itertools import combinations, pairwise, permutations, product
from math import comb

import pytest

from tests.domains.draws import drawn, places, symmetric
from tests.domains.uniformity import assert_distributed, assert_rate, assert_uniform


def test_blocksworld_has_few_tall_towers() -> None:
    blocks = 7
    problems = drawn("blocksworld", blocks=blocks)
    for towers in (
        [len(each.of("on-table")) for each in problems],
        [len(each.goals("on-table")) for each in problems],
    ):
        binomial = {k: comb(6, k - 1) * 0.1 ** (k - 1) * 0.9 ** (blocks - k) for k in range(1, 4)}
        rest = 1 - sum(binomial.values())
        assert_distributed([min(each, 4) for each in towers], binomial | {4: rest})
    assert all(each.of("arm-empty") and not each.goals("arm-empty") for each in problems)
    assert all(len(each.goals("on")) + len(each.goals("on-table")) == blocks for each in problems)
    assert all(len(each.goals("clear")) == len(each.goals("on-table")) for each in problems)


def test_blocksworld_orders_are_uniform() -> None:
    problems = drawn("blocksworld", 6000, blocks=3)
    for facts in (
        [dict(each.of("on")) for each in problems],
        [dict(each.goals("on")) for each in problems],
    ):
        towers = [each for each in facts if len(each) == 2]  # one tower: the order is all there is
        orders = [(a, b, c) for a, b, c in permutations(("b1", "b2", "b3"))]
        assert_uniform(
            [next(o for o in orders if on.items() == {o[0]: o[1], o[1]: o[2]}.items()) for on in towers], orders
        )


def test_childsnack() -> None:
    problems = drawn("childsnack", children=4, allergic_children=2, trays=2, sandwiches=5)
    tables = [f"table{number}" for number in (1, 2, 3)]
    assert_uniform([places(each.of("waiting"))["child3"] for each in problems], tables)
    together = [(places(each.of("waiting"))["child1"], places(each.of("waiting"))["child2"]) for each in problems]
    assert_uniform(together, list(product(tables, tables)))

    def pairs(noun: str) -> list[tuple[str, ...]]:
        return list(combinations([f"{noun}{number}" for number in range(1, 5)], 2))

    def subset(facts: list[tuple[str, ...]]) -> tuple[str, ...]:
        return tuple(sorted(name for (name,) in facts))

    assert_uniform([subset(each.of("allergic_gluten")) for each in problems], pairs("child"))
    free = [(subset(each.of("no_gluten_bread")), subset(each.of("no_gluten_content"))) for each in problems]
    assert_uniform(free, list(product(pairs("bread"), pairs("content"))))
    for each in problems:
        assert set(each.of("allergic_gluten")).isdisjoint(each.of("not_allergic_gluten"))
        assert len(each.of("allergic_gluten")) + len(each.of("not_allergic_gluten")) == 4
        assert set(places(each.of("at")).values()) == {"kitchen"}
        assert len(each.of("notexist")) == 5
        assert len(each.of("at_kitchen_bread")) == len(each.of("at_kitchen_content")) == len(each.goals("served")) == 4


@pytest.mark.parametrize(
    ("name", "parameters", "start", "end", "first"),
    [
        ("ferry", {"cars": 3, "locations": 4}, "at", "at", "car1"),
        ("transport", {"vehicles": 1, "packages": 2, "locations": 4, "max_capacity": 2}, "at", "at", "p1"),
        ("miconic", {"passengers": 2, "floors": 4}, "origin", "destin", "p1"),
    ],
)
def test_every_journey_is_uniform_and_leads_elsewhere(
    name: str, parameters: dict[str, int], start: str, end: str, first: str
) -> None:
    journeys = []
    for each in drawn(name, **parameters):
        ends = places(each.of(end) if end == "destin" else each.goals(end))
        starts = places(each.of(start))
        journeys.append((starts[first], ends[first]))
        assert all(starts[thing] != place for thing, place in ends.items())
    prefix = {"ferry": "loc", "transport": "l", "miconic": "f"}[name]
    assert_uniform(journeys, list(permutations([f"{prefix}{number}" for number in range(1, 5)], 2)))


def test_ferry_starts_empty_and_anywhere() -> None:
    problems = drawn("ferry", cars=2, locations=5)
    assert_uniform([each.of("at-ferry")[0][0] for each in problems], [f"loc{number}" for number in range(1, 6)])
    assert all(each.of("empty-ferry") == [()] and len(each.goals("at")) == 2 for each in problems)


def test_miconic_floors_are_in_order() -> None:
    problems = drawn("miconic", passengers=2, floors=5)
    floors = [f"f{number}" for number in range(1, 6)]
    assert_uniform([each.of("lift-at")[0][0] for each in problems], floors)
    assert all(each.of("above") == list(combinations(floors, 2)) for each in problems)
    assert all(each.goals("served") == [("p1",), ("p2",)] for each in problems)


def test_floortile() -> None:
    problems = drawn("floortile", rows=2, columns=3, robots=2)
    tiles = {f"tile_{row}_{column}": (row, column) for row in range(3) for column in range(1, 4)}
    starts = []
    for each in problems:
        robots = {robot: tiles[tile] for robot, tile in each.of("robot-at")}
        assert robots["robot1"][1] != robots["robot2"][1]
        starts.append((robots["robot1"], robots["robot2"]))
        assert {tile for (tile,) in each.of("clear")} == set(tiles) - set(places(each.of("robot-at")).values())
        assert dict(each.goals("painted")) == {
            tile: "white" if (row + column) % 2 == 0 else "black" for tile, (row, column) in tiles.items() if row
        }
        assert len(each.of("up")) == len(each.of("down")) == 6 and len(each.of("left")) == len(each.of("right")) == 6
        assert all(tiles[a] == (tiles[b][0] + 1, tiles[b][1]) for a, b in each.of("up"))
        assert all(tiles[a] == (tiles[b][0], tiles[b][1] + 1) for a, b in each.of("right"))
        assert set(each.of("down")) == {(b, a) for a, b in each.of("up")}
        assert set(each.of("left")) == {(b, a) for a, b in each.of("right")}
    cells = list(tiles.values())
    assert_uniform(starts, [(a, b) for a, b in product(cells, cells) if a[1] != b[1]])
    assert_rate([dict(each.of("robot-has"))["robot2"] == "white" for each in problems], 0.5)


def test_satellite() -> None:
    problems = drawn("satellite", satellites=2, instruments=3, modes=2, directions=3)
    directions = [f"dir{number}" for number in (1, 2, 3)]
    assert_rate([len(each.goals("pointing")) == 2 for each in problems], 1 / 4)
    assert_rate(
        [satellite in places(each.goals("pointing")) for each in problems for satellite in ("sat1", "sat2")], 0.5
    )
    assert_uniform([place for each in problems for _, place in each.goals("pointing")], directions)
    assert_uniform([places(each.of("pointing"))["sat1"] for each in problems], directions)
    assert_uniform([len(each.goals("have_image")) for each in problems], range(1, 7))
    hosts = [dict(each.of("on_board")) for each in problems]
    assert_uniform([(host["ins1"], host["ins2"]) for host in hosts], [("sat1", "sat2"), ("sat2", "sat1")])
    assert_uniform([host["ins3"] for host in hosts], ("sat1", "sat2"))
    assert_uniform([dict(each.of("calibration_target"))["ins2"] for each in problems], directions)
    assert all(each.of("power_avail") == [("sat1",), ("sat2",)] for each in problems)


def test_satellite_modes_stop_once_all_are_covered() -> None:
    """Two instruments and two modes: the second of the four pairs covers all with 1/3, else the third does."""
    problems = drawn("satellite", satellites=1, instruments=2, modes=2, directions=2)
    assert_distributed([len(each.of("supports")) for each in problems], {2: 1 / 3, 3: 2 / 3})
    one_mode = drawn("satellite", 50, satellites=1, instruments=4, modes=1, directions=2)
    assert all(len(each.of("supports")) == 4 for each in one_mode)


def test_transport() -> None:
    problems = drawn("transport", vehicles=2, packages=1, locations=4, max_capacity=3)
    assert_uniform([places(each.of("capacity"))["v2"] for each in problems], ("c1", "c2", "c3"))
    assert_uniform([places(each.of("at"))["v1"] for each in problems], ("l1", "l2", "l3", "l4"))
    assert_uniform([len(each.of("road")) // 2 for each in problems], range(3, 7))
    assert all(symmetric(each.of("road")) for each in problems)
    assert all(each.of("capacity-predecessor") == [("c0", "c1"), ("c1", "c2"), ("c2", "c3")] for each in problems)


def test_gripper() -> None:
    problems = drawn("gripper", balls=6)
    misplaced = [sum(room == "rooma" for _, room in each.of("at")) for each in problems]
    assert_uniform(misplaced, range(1, 7))
    assert_uniform([each.of("at-robby")[0][0] for each in problems], ("rooma", "roomb"))
    assert all(set(places(each.goals("at")).values()) == {"roomb"} and len(each.goals("at")) == 6 for each in problems)


def test_logistics() -> None:
    problems = drawn("logistics", 2500, airplanes=2, cities=2, city_size=2, packages=2)
    everywhere = ["l0-0", "l0-1", "l1-0", "l1-1"]
    starts = [places(each.of("at")) for each in problems]
    journeys = [(start["p1"], places(each.goals("at"))["p1"]) for each, start in zip(problems, starts, strict=True)]
    assert_uniform(journeys, list(product(everywhere, everywhere)))
    assert_uniform([start["t1"] for start in starts], ("l1-0", "l1-1"))
    assert_uniform([(start["a0"], start["a1"]) for start in starts], list(product(("l0-0", "l1-0"), repeat=2)))
    assert all(each.of("airport") == [("l0-0",), ("l1-0",)] and len(each.goals("at")) == 2 for each in problems)
    assert all(set(each.of("in-city")) == {(f"l{c}-{p}", f"c{c}") for c in (0, 1) for p in (0, 1)} for each in problems)


def test_visitall() -> None:
    problems = drawn("visitall", side=3)
    cells = [f"loc-x{x}-y{y}" for x in range(3) for y in range(3)]
    assert_uniform([each.of("at-robot")[0][0] for each in problems], cells)
    for each in problems:
        assert each.of("visited") == each.of("at-robot")
        assert [cell for (cell,) in each.goals("visited")] == cells
        assert len(each.of("connected")) == 4 * 3 * 2 and symmetric(each.of("connected"))


def test_spanner() -> None:
    problems = drawn("spanner", spanners=3, nuts=2, locations=4)
    inner = [f"location{number}" for number in range(1, 5)]
    for spanner in ("spanner1", "spanner3"):
        assert_uniform([places(each.of("at"))[spanner] for each in problems], inner)
    path = ["shed", *inner, "gate"]
    for each in problems:
        assert each.of("link") == list(pairwise(path))
        assert places(each.of("at"))["bob"] == "shed" and places(each.of("at"))["nut2"] == "gate"
        assert each.goals("tightened") == each.of("loose") == [("nut1",), ("nut2",)]


def test_sokoban() -> None:
    moved = []
    for each in drawn("sokoban", 400, grid_size=6, boxes=1):
        moved.append(each.of("at") != each.goals("at"))
        cells = {cell for (cell,) in each.of("clear")} | {place for _, place in each.of("at")}
        assert {tuple(map(int, cell.split("_")[1:])) for cell in cells} <= set(product(range(2, 6), repeat=2))
        assert each.of("at-robot")[0] in each.of("clear")
        assert 16 - len(cells) >= 1
        back = {"down": "up", "up": "down", "left": "right", "right": "left"}
        assert {(b, a, back[d]) for a, b, d in each.of("adjacent")} == set(each.of("adjacent"))
        assert {a for a, _, _ in each.of("adjacent")} <= cells
    assert_rate(moved, 0.86)  # 14 % are solved at the start


def test_sokoban_boxes_start_apart_and_inside() -> None:
    for each in drawn("sokoban", 60, grid_size=10, boxes=5):
        starts, ends = ([place for _, place in facts] for facts in (each.of("at"), each.goals("at")))
        assert len(set(starts)) == len(set(ends)) == 5
        core = set(product(range(3, 9), repeat=2))
        assert {tuple(map(int, cell.split("_")[1:])) for cell in starts + ends} <= core
        assert not {(cell,) for cell in starts} & set(each.of("clear"))
