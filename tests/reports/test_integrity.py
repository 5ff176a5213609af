"""A check finds what is damaged or was changed, and says what to do."""

import os
import random
import shlex
import shutil
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.database import sql_files
from ndcg_sql.reports import integrity
from support.commands import Command, load_texts, records
from support.files import RUN, change, digest, shown, tables
from support.kills import killed_before_checkpoint
from support.subtopics import OF_JUDGMENTS
from support.tables import read_cases

pytestmark = pytest.mark.mostly_slow

FLIPS, LOGS = 40, 12
SEED = 4711


SET = 'run "base", judgment set "qrels": table '


def test_a_sound_warehouse_is_read_and_proven(ndcg: Command, loaded: Path) -> None:
    before = digest(loaded)
    found = records(ndcg, "check")
    read = {row["checked"]: row["rows"] for row in found if row["outcome"] == "read"}
    assert set(read) == {f"table {table}" for table in tables(loaded)}
    assert (read["table rankings"], read["table judgments"]) == (4, 4)
    assert [row["rows"] > 100 for row in found if row["checked"] == "views"] == [True]
    proven = {row["checked"] for row in found if row["outcome"] == "proven"}
    proofs = sql_files.rows("proofs")
    assert proven == {row["proof"] for row in proofs}
    selects = {Path(name).name for name in sql_files.names("proofs")}
    assert {row["select"] for row in proofs} == selects
    assert digest(loaded) == before
    result = ndcg("check")
    assert "table rankings " in result.out
    version = f"storage version v1.0.0, read by DuckDB {duckdb.__version__}\n"
    assert result.err == f"ndcg.duckdb: {version}no fault found\n"
    # Weighted values are proven, too.
    load_texts(ndcg, {"queries weights.csv": "query_id,weight\nq1,3\nq2,1\n"})
    assert ndcg("check").code == 0
    sql = "update store.stored_weighted_values set weighted_n = 7 where measure = 'AP'"
    change(loaded, sql)
    told = (
        SET + "stored_weighted_values differs from the weighted means of stored_values"
        " in 2 rows; remove the run, and load it again"
    )
    assert ndcg("check").refusal.splitlines()[1:] == [told]


@pytest.mark.parametrize(
    "commands",
    [
        ["remove run run"],
        ["measures add alpha_DCG@5", "measures add alpha_nDCG@5"],
        ["measures add 'alpha_DCG@5 alpha_nDCG@5'", "measures remove alpha_nDCG@5"],
    ],
    ids=["the last run", "one ideal after another", "one ideal of two"],
)
def test_what_commands_leave_is_proven(ndcg: Command, commands: list[str]) -> None:
    judged = "q s1 a 1\nq s2 b 1\n"
    texts = {"judgments qrels": judged, "run run": "q Q0 a 1 2 t\nq Q0 b 2 1 t\n"}
    load_texts(ndcg, texts)
    for command in commands:
        assert ndcg(*shlex.split(command)).code == 0
    assert ndcg("check").code == 0


@pytest.mark.quick
def test_every_table_with_the_id_of_an_owner_is_proven(loaded: Path) -> None:
    proofs = [r for r in sql_files.rows("proofs") if r["select"] == "owners_of_rows"]
    owners = {row["key"]: row["other"] for row in proofs}
    columns = shown(
        "select table_name, column_name from duckdb_columns() where schema_name ="
        " 'store' and table_name in (select table_name from duckdb_tables())",
        loaded,
    )
    owned = {(t, c) for t, c in columns if c in owners and owners[c] != t}
    # Rows of an evaluation belong to a run and a judgment set besides.
    keys = {(row["relation"], row["key"]) for row in proofs}
    assert {(table, key) for table, key in keys if " " not in key} == owned


def test_every_family_is_proven_beside_other_runs(ndcg: Command) -> None:
    # Last bits must not depend on what else is valued at the same time.
    chance = random.Random(SEED)
    queries, depths = range(100), range(60)
    qrels = (
        f"q{q} 0 d{d} {chance.choice((0, 0.1, 1, 1.5, 2))}\n"
        for q in queries
        for d in depths[:: 1 + q % 3]
    )
    load_texts(ndcg, {"judgments qrels": "".join(qrels)})
    for run in "abc":
        lines = (
            f"q{q} Q0 d{d} 0 {chance.random()} t\n" for q in queries for d in depths
        )
        load_texts(ndcg, {f"run {run}": "".join(lines)})
    every = [family.example for family in OF_JUDGMENTS.values()]
    assert ndcg("measures", "add", *every).code == 0
    outcomes = {row["checked"]: row["outcome"] for row in records(ndcg, "check")}
    assert outcomes["stored values as computed"] == "proven"


DAMAGES = read_cases(Path(__file__).with_name("damages.txt"))


@pytest.mark.parametrize(("_", "sql", "told"), DAMAGES)
def test_what_somebody_changed_is_found(
    ndcg: Command, loaded: Path, _: str, sql: str, told: str
) -> None:
    change(loaded, "set schema = 'store'", sql)
    assert ndcg("check").refusal.partition("\n")[2] == told


def test_runs_are_proven_some_after_others(
    ndcg: Command, loaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("more", "most"):
        load_texts(ndcg, {f"run {name}": f"q1 Q0 a 0 2 t\nq1 Q0 {name} 0 1 t\n"})
    change(
        loaded,
        "update store.stored_values set value = value + 1e-15 where run_id <> 2",
        "update store.rankings set position = 7 where run_id = 3",
    )
    together = ndcg("check")
    assert (together.code, together.out) == (2, "")
    for name in ("base", "most"):
        assert f'run "{name}", ' in together.err
    assert 'run "more", ' not in together.err
    monkeypatch.setattr(integrity, "_AT_ONCE", 1)
    assert ndcg("check") == together


def test_dropped_views_are_found_and_restored(ndcg: Command, loaded: Path) -> None:
    comments = "select comment from duckdb_views() where view_name = 'runs'"
    before = shown(comments)
    change(loaded, "drop view main.runs", "drop view store.computed_hits")
    names = '"store.computed_hits"', '"main.runs"'
    way = "missing; the next command that writes, such as evaluate, restores it"
    told = [f"view {name}: {way}" for name in names]
    assert ndcg("check").refusal.splitlines()[1:] == told
    told = f"ndcg.duckdb: restored the views {', '.join(names)}, which"
    assert ndcg("evaluate").err.startswith(told)
    assert ndcg("check").code == 0
    assert shown(comments) == before
    assert shown("select run from runs") == [("base",)]
    assert "restored" not in ndcg("evaluate").err
    # A table in its place is named.
    change(loaded, "drop view main.runs", "create table main.runs as select 1 as x")
    content = digest(loaded)
    told = ndcg("evaluate").refusal
    assert told.startswith('ndcg.duckdb: view "main.runs" cannot be restored: ')
    assert told.endswith("; drop or rename what has that name\n")
    assert digest(loaded) == content


def test_of_many_faults_ten_are_told(ndcg: Command, loaded: Path) -> None:
    change(loaded, "insert into store.run_tags select range, 'a', 'b' from range(99)")
    lines = ndcg("check", "--quiet").err.splitlines()
    assert (len(lines), lines[-1]) == (11, "and 88 more faults")


@pytest.mark.quick
@pytest.mark.usefixtures("bare")
def test_a_check_of_nothing_says_so(ndcg: Command) -> None:
    assert ndcg("check").refusal.startswith("ndcg.duckdb: no such warehouse; ")


@pytest.fixture
def larger(ndcg: Command, tmp_path: Path) -> Path:
    """Put a warehouse into place that fills more than a block of some columns."""
    queries, depths = range(60), range(40)
    run = (f"q{q} Q0 d{d} 0 {d * 7 % 40}.5 t\n" for q in queries for d in depths)
    qrels = (f"q{q} 0 d{d} {d % 3}\n" for q in queries for d in depths[::7])
    text = "".join(run)
    (tmp_path / "late").write_text(text)
    load_texts(ndcg, {"judgments qrels": "".join(qrels), "run base": text})
    return tmp_path / "ndcg.duckdb"


REPORT = ("report", "--format", "csv")


def flipped(chance: random.Random, whole: bytes, end: int) -> bytes:
    """Return bytes of which a bit before a place is another one."""
    place = chance.randrange(end)
    changed = bytearray(whole)
    changed[place] ^= 1 << chance.randrange(8)
    return bytes(changed)


def test_a_flipped_bit_is_found_or_harmless(ndcg: Command, larger: Path) -> None:
    whole, right = larger.read_bytes(), ndcg(*REPORT).out
    chance = random.Random(SEED)
    found = 0
    for n in range(FLIPS):
        end = 4096 * 3 if n < 15 else len(whole)
        Path("flipped.duckdb").write_bytes(flipped(chance, whole, end))
        report = ndcg(*REPORT, "-w", "flipped.duckdb")
        assert (report.code, report.out) in ((0, right), (2, ""))
        check = ndcg("check", "-w", "flipped.duckdb")
        assert check.code in (0, 2)
        assert check.code == 2 or report.code == 0
        damaged = "flipped.duckdb: the file is damaged; restore it from a copy\n"
        assert check.err.endswith(damaged) == (check.code == 2)
        found += check.code == 2
    assert found > FLIPS / 2


def test_a_damaged_log_is_found_or_harmless(ndcg: Command, larger: Path) -> None:
    before = ndcg(*REPORT).out
    killed_before_checkpoint(larger.parent, "load", "run", "late")
    after = ndcg(*REPORT).out
    assert len(after.splitlines()) == 2 * len(before.splitlines()) - 1
    log = Path("ndcg.duckdb.wal").read_bytes()
    chance = random.Random(SEED)
    mutations = [b"", b"no log", os.urandom(5000)]
    while len(mutations) < LOGS:
        mutations += [flipped(chance, log, len(log)), log[: chance.randrange(len(log))]]
    refused = 0
    for mutation in mutations:
        shutil.copyfile(larger, "copy.duckdb")
        Path("copy.duckdb.wal").write_bytes(mutation)
        report = ndcg(*REPORT, "-w", "copy.duckdb")
        assert (report.code, report.out) in ((0, before), (0, after), (2, ""))
        check = ndcg("check", "-w", "copy.duckdb")
        assert check.code == report.code
        assert "copy.duckdb.wal" in check.err
        refused += check.code == 2
    assert refused >= LOGS / 4


def test_the_log_of_another_is_found(
    ndcg: Command, larger: Path, loaded_file: Path
) -> None:
    other = Path("other")
    other.mkdir()
    (other / "base").write_text(RUN)
    shutil.copyfile(loaded_file, other / "ndcg.duckdb")
    killed_before_checkpoint(other, "load", "run", "base", "--name", "alien")
    shutil.copyfile(other / "ndcg.duckdb.wal", f"{larger}.wal")
    assert "ndcg.duckdb.wal: " in ndcg("check").refusal


def test_a_log_that_was_left_is_told(ndcg: Command, loaded: Path) -> None:
    Path("late").write_text(RUN)
    killed_before_checkpoint(loaded.parent, "load", "run", "late")
    result = ndcg("check")
    assert result.code == 0
    told = "ndcg.duckdb.wal: left by a command that was ended; the next command that"
    assert result.err.splitlines()[1].startswith(told)
    assert ndcg("load", "run", "late", "--name", "more").code == 0
    assert ndcg("check").err.splitlines()[1:] == ["no fault found"]
