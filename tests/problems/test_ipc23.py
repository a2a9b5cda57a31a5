"""Our domains and schedules against the files of the 2023 competition, where they are present."""

import re
from pathlib import Path

import pytest

from liftq.domains import domain, domains
from liftq.errors import InputError
from liftq.pddl import parse_domain, parse_problem, read_domain, read_problem
from liftq.pddl.structures import Atom, Domain, Parameter, Schema
from liftq.pddl.writer import write_problem
from liftq.problems.generated import Generated
from liftq.problems.ipc23 import Ipc23, schedule

IN_COMPETITION = [name for name in domains() if domain(name).ipc23]

every_set = pytest.mark.parametrize(("name", "split"), [(name, split) for name in IN_COMPETITION for split in Ipc23])


def folder_of(ipc23: Path, name: str) -> Path:
    if not (ipc23 / name / "domain.pddl").is_file():
        pytest.skip(f"no {name} among the benchmarks")
    return ipc23 / name


def structure(read: Domain) -> object:
    """All that matters: the order of declarations and conditions does not, nor do the names of variables."""
    return (
        read.name,
        set(read.types),
        set(read.constants),
        {(each.name, types(each.parameters)) for each in read.predicates},
        read.functions,
        {renamed(schema) for schema in read.schemas},
    )


def types(parameters: tuple[Parameter, ...]) -> tuple[tuple[str, ...], ...]:
    return tuple(each.types for each in parameters)


def renamed(schema: Schema) -> object:
    number = {each.name: f"?{index}" for index, each in enumerate(schema.parameters)}

    def name(atom: Atom) -> Atom:
        return Atom(atom.predicate, tuple(number.get(term, term) for term in atom.arguments))

    conditions = frozenset((name(atom), positive) for atom, positive in schema.preconditions)
    adds, deletes = frozenset(map(name, schema.adds)), frozenset(map(name, schema.deletes))
    return schema.name, types(schema.parameters), conditions, adds, deletes, schema.cost


@pytest.mark.parametrize("name", IN_COMPETITION)
def test_domains_are_the_competition_s(name: str, ipc23: Path) -> None:
    published = read_domain(folder_of(ipc23, name) / "domain.pddl")
    assert structure(published) == structure(domain(name).domain())


@pytest.mark.parametrize("name", IN_COMPETITION)
def test_each_reads_the_problems_of_the_other(name: str, ipc23: Path) -> None:
    folder = folder_of(ipc23, name)
    for file in sorted((folder / "easy").glob("*.pddl"))[::7]:
        assert read_problem(file, domain(name).domain()) == read_problem(file, read_domain(folder / "domain.pddl"))
    _, parameters = schedule(domain(name), Ipc23.EASY)[0]
    ours = next(Generated(domain(name)).instances_with(parameters)).problem
    assert parse_problem(write_problem(ours), read_domain(folder / "domain.pddl")) == ours


@every_set
def test_schedules_are_the_competition_s(name: str, split: Ipc23, ipc23: Path) -> None:
    """The first line of a published file names its parameters; hand-written problems have no such line."""
    rows = dict(schedule(domain(name), split))
    folder = folder_of(ipc23, name) / split.removeprefix("ipc23-")
    compared = 0
    for file in folder.glob("p*.pddl"):
        number = int(file.stem[1:])
        with file.open() as lines:
            header = dict(re.findall(r"(\w+)=(\d+)", lines.readline()))
        if number in rows and "seed" in header:
            ours = rows[number]
            assert {each: int(header[each]) for each in ours.parameters} == ours.parameters, file
            if ours.size <= 200:
                assert read_problem(file, domain(name).domain()).size == ours.size, file
            compared += 1
    assert compared >= 3


SETTLED = {  # predicates whose atoms the parameters alone decide
    "childsnack": {"at", "notexist", "at_kitchen_bread", "at_kitchen_content", "served"},
    "ferry": {"empty-ferry"},
    "floortile": {"up", "down", "left", "right", "available-color", "painted"},
    "miconic": {"above", "served"},
    "rovers": {"store_of", "empty"},
    "satellite": {"power_avail"},
    "spanner": {"link", "usable", "loose", "tightened"},
    "transport": {"capacity-predecessor"},
}


@pytest.mark.parametrize("name", IN_COMPETITION)
def test_problems_look_like_the_competition_s(name: str, ipc23: Path) -> None:
    """With the same parameters: the same objects, the same predicates, and the same atoms where nothing is random."""
    folder = folder_of(ipc23, name)
    for number, parameters in schedule(domain(name), Ipc23.EASY)[::3]:
        published = read_problem(folder / "easy" / f"p{number:02}.pddl", domain(name).domain())
        ours = next(Generated(domain(name)).instances_with(parameters)).problem
        assert set(published.objects) == set(ours.objects)
        for theirs, mine in (
            (published.init, ours.init),
            ([goal.atom for goal in published.goal], [goal.atom for goal in ours.goal]),
        ):
            settled = SETTLED.get(name, set())
            assert {each for each in theirs if each.predicate in settled} == {
                each for each in mine if each.predicate in settled
            }
        assert {each.predicate for each in published.init} ^ {each.predicate for each in ours.init} <= ABSENT_BY_CHANCE


ABSENT_BY_CHANCE = {"at_soil_sample", "at_rock_sample", "allergic_gluten", "not_allergic_gluten"}


def test_files_that_were_written_by_hand_are_not_drawn() -> None:
    numbers = {name: [number for number, _ in schedule(domain(name), Ipc23.TRAINING)] for name in IN_COMPETITION}
    assert (numbers["ferry"][0], numbers["satellite"][0], numbers["transport"][0]) == (12, 11, 11)
    assert {each[-1] for each in numbers.values()} == {99}


@every_set
def test_test_sets_have_thirty_problems(name: str, split: Ipc23) -> None:
    numbers = [number for number, _ in schedule(domain(name), split)]
    assert numbers[-1] == (99 if split is Ipc23.TRAINING else 30)
    assert numbers == list(range(numbers[0], numbers[-1] + 1))
    assert split is Ipc23.TRAINING or numbers[0] == 1


SIZES = {  # of the smallest and the largest problem in training, easy, medium and hard
    "blocksworld": [(5, 29), (5, 29), (35, 146), (160, 488)],
    "childsnack": [(20, 51), (20, 51), (65, 187), (207, 1326)],
    "ferry": [(6, 35), (7, 35), (30, 146), (300, 1461)],
    "floortile": [(15, 45), (15, 37), (116, 283), (667, 1022)],
    "miconic": [(5, 30), (5, 30), (50, 137), (130, 681)],
    "rovers": [(12, 36), (12, 36), (49, 249), (294, 596)],
    "satellite": [(11, 43), (11, 43), (48, 153), (145, 402)],
    "sokoban": [(65, 173), (65, 173), (405, 2435), (3640, 9880)],
    "spanner": [(9, 28), (9, 28), (63, 184), (203, 833)],
    "transport": [(14, 45), (12, 39), (40, 109), (111, 354)],
}


@pytest.mark.parametrize("name", IN_COMPETITION)
def test_sizes_of_the_sets(name: str) -> None:
    for split, (least, most) in zip(Ipc23, SIZES[name], strict=True):
        sizes = [parameters.size for _, parameters in schedule(domain(name), split)]
        assert (min(sizes), max(sizes)) == (least, most)


def test_floortile_grids_follow_a_priority_queue() -> None:
    rows = [tuple(each.parameters.values()) for _, each in schedule(domain("floortile"), Ipc23.MEDIUM)]
    assert rows[:8] == [(10, 10, 4), (10, 13, 4), (13, 10, 4), (10, 16, 5), (16, 10, 5), *[(13, 13, 6)] * 3]
    assert rows[20:22] == [(10, 22, 12), (22, 10, 10)]  # at most one robot a column


def test_domains_without_a_set_are_refused() -> None:
    with pytest.raises(InputError, match="IPC 2023 has no set for gripper"):
        schedule(domain("gripper"), Ipc23.EASY)


# Not in the competition: their structure as written down from the generators' own domain files.
def test_domains_of_the_older_collections() -> None:
    gripper = parse_domain(domain("gripper").pddl)
    assert gripper.name == "gripper-strips" and len(gripper.constants) == 4
    assert [schema.name for schema in gripper.schemas] == ["move", "pick", "drop"]
    logistics = parse_domain(domain("logistics").pddl)
    assert logistics.name == "logistics-strips" and len(logistics.predicates) == 9
    arity = {schema.name: len(schema.parameters) for schema in logistics.schemas}
    assert arity == {
        "load-truck": 3,
        "load-airplane": 3,
        "unload-truck": 3,
        "unload-airplane": 3,
        "drive-truck": 4,
        "fly-airplane": 3,
    }
    assert parse_domain(domain("visitall").pddl).name == "grid-visit-all"
