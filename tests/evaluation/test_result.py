"""Results files: what is written comes back, and neither a kill nor a second writer does harm."""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from liftq.engine.solver import Ending
from liftq.errors import InputError
from liftq.evaluation.ledger import Ledger, pack, packed_and_plain, unpack
from liftq.evaluation.result import (
    Exhausted,
    Gap,
    Invocation,
    Record,
    Results,
    ScalingAttempt,
    SuiteAttempt,
    Timing,
    read_record,
)
from liftq.reports import make_document, write_report
from tests.examples import examples, json_value

RECORDS: list[Record] = [
    ScalingAttempt("p", "ferry", 5, Ending.SOLVED, 0.1, 0, 0, 3, {"cars": 2}, 105, length=7, cost=7, fingerprint="f"),
    ScalingAttempt("p", "ferry", 5, Ending.STEP_LIMIT, 0.1, 1, 0, 4, {}, 105, 900, True, length=107),
    Exhausted("p", "ferry", 5, 0),
    SuiteAttempt("ü (x)", "ferry", 5, Ending.SOLVER_ERROR, 2.5, "ferry/easy/p01.pddl", 60.0, None, message="a\nb"),
    Timing("ferry", 5, "OE", "Q", 10, 40, 0.25),
    Gap("p", "ferry", "c.jsonl.zst", 10, 40, 0.5, 2.0, 0.9, 0.17),
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_a_record_survives_its_line(record: Record) -> None:
    assert read_record(record.line().encode()) == record
    assert "\n" not in record.line()


def test_ledger_adds_and_never_overwrites(tmp_path: Path) -> None:
    path = tmp_path / "new" / "results.jsonl"
    for record in RECORDS:
        with Ledger(path, {"seed": 1}) as ledger:
            ledger.append(record)
    results = Results.read([path])
    assert len(results.of(Invocation)) == len(RECORDS) and len({each.run for each in results.of(Invocation)}) == len(
        RECORDS
    )
    assert [json.loads(each.line())["kind"] for each in results.records[1::2]] == [each.kind for each in RECORDS]
    header = results.of(Invocation)[0]
    assert header.settings == {"seed": 1} and header.machine["cores"] and header.versions["python"] and header.command
    assert results.records[1].run == header.run


def test_bytes_that_are_not_text_are_harmless(tmp_path: Path) -> None:
    with Ledger(tmp_path / "r", {}) as ledger:
        ledger.append(SuiteAttempt("p", "ferry", 5, Ending.SOLVER_ERROR, 1.0, "x", 60.0, None, message="a\udcffb"))
    (found,) = Results.read([tmp_path / "r"]).of(SuiteAttempt)
    assert found.message == "a?b"


def test_nothing_to_do_leaves_no_header(tmp_path: Path) -> None:
    with Ledger(tmp_path / "r", {}):
        pass
    assert (tmp_path / "r").read_bytes() == b""


def test_a_line_cut_short_is_counted_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "r"
    with Ledger(path, {}) as ledger:
        ledger.append(RECORDS[0])
        ledger.append(RECORDS[1])
    path.write_bytes(path.read_bytes()[:-20])
    assert (len(Results.read([path]).of(ScalingAttempt)), Results.read([path]).damaged) == (1, 1)
    with Ledger(path, {}) as ledger:
        assert len(ledger.known.of(ScalingAttempt)) == 1
        ledger.append(RECORDS[1])
    assert (len(Results.read([path]).of(ScalingAttempt)), Results.read([path]).damaged) == (2, 1)
    assert len(Results.read([path]).of(Invocation)) == 2  # each on a line of its own


def test_a_line_truncated_within_a_character_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "r"
    line = RECORDS[3].line().encode()
    path.write_bytes(line[: line.index("ü".encode()) + 1])
    assert Results.read([path]) == Results((), damaged=1)


def test_packed_results_are_read_and_unpacked_to_be_continued(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    for record in RECORDS[:2]:
        with Ledger(path, {}) as ledger:
            ledger.append(record)
        before = Results.read(packed_and_plain(path))
        packed = pack(path)
        assert not path.exists() and Results.read([packed]) == before
    assert [type(record) for record in before.records] == [Invocation, ScalingAttempt] * 2
    unpack(path)
    assert Results.read([path]).of(ScalingAttempt) == before.of(ScalingAttempt) and not packed.exists()


def test_a_kill_while_packing_doubles_nothing(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"1\n2\n")
    pack(path)
    path.write_bytes(b"1\n2\n3\n")
    unpack(path)
    assert path.read_bytes() == b"1\n2\n3\n"


def test_nothing_is_added_to_a_packed_file(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"")
    packed = pack(path)
    before = packed.read_bytes()
    with pytest.raises(InputError, match="cannot be added to a packed file\n  Unpack it"):
        Ledger(packed, {})
    assert packed.read_bytes() == before


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    with Ledger(tmp_path / "r", {}), pytest.raises(InputError, match="in use"):
        Ledger(tmp_path / "r", {})


@pytest.mark.parametrize(
    "text", ['{"kind":"poem"}\n', "[1]\n", '{"kind":"suite"}\n', '{"kind":"header","version":99}\n']
)
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "r").write_text(text)
    with pytest.raises(InputError, match="r:1: not a line of results"):
        Results.read([tmp_path / "r"])
    with pytest.raises(InputError):
        Results.read([tmp_path / "missing"])


@pytest.mark.parametrize(
    ("index", "changed"),
    [
        (0, {"size": -1}),
        (0, {"size": "5"}),
        (0, {"size": 10**400}),
        (0, {"seconds": None}),
        (0, {"ending": "sovled"}),
        (0, {"parameters": {"cars": []}}),
        (0, {"length": 2.5}),
        (3, {"time_limit": "long"}),
        (4, {"states": -1}),
        (5, {"chosen": 2}),
    ],
    ids=str,
)
def test_every_field_is_checked(tmp_path: Path, index: int, changed: dict[str, object]) -> None:
    line = json.dumps(json.loads(RECORDS[index].line()) | changed)
    (tmp_path / "r").write_text(f"{RECORDS[2].line()}\n{line}\n")
    with pytest.raises(InputError, match="r:2: not a line of results"):
        Results.read([tmp_path / "r"])


SETTINGS = {"kind": "scaling", "solver": "p", "domain": "ferry", "seed": 0, "sizes": [5]}
HEADER = Invocation("c", "d", None, {}, {}, SETTINGS, run="r")
PLACES = [(record, name) for record in (HEADER, *RECORDS) for name in json.loads(record.line())]


@examples(100)
def test_any_value_is_shown_or_refused(rng: Random) -> None:
    pytest.importorskip("altair")
    (record, name), value = rng.choice(PLACES), json_value(rng)
    values = json.loads(record.line())
    if rng.random() < 0.5 and isinstance(values[name], dict) and values[name]:
        values[name] |= {next(iter(values[name])): value}
    else:
        values[name] = value
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r"
        path.write_text("".join(f"{line}\n" for line in (HEADER.line(), json.dumps(values), RECORDS[0].line())))
        with suppress(InputError):
            write_report(make_document(Results.read([path]), "title"), Path(folder))


@pytest.mark.parametrize(
    "settings",
    [
        {"kind": "scaling"},
        {"kind": "scaling", "solver": "p", "domain": "ferry", "seed": 0, "sizes": "5"},
        {"kind": "suite", "digests": {"p": "d"}},
        {"kind": "gaps", "policies": []},
        {"kind": "efficiency", "steps": [25]},
    ],
    ids=str,
)
def test_settings_that_reports_read_are_checked(tmp_path: Path, settings: dict[str, object]) -> None:
    (tmp_path / "r").write_text(Invocation("c", "d", None, {}, {}, settings, run="r").line() + "\n")
    with pytest.raises(InputError, match="r:1: not a line of results"):
        Results.read([tmp_path / "r"])
