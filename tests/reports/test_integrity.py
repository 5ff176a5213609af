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
from support.files import RUN, change, digest, tables
from support.kills import killed_before_checkpoint
from support.subtopics import OF_JUDGMENTS

pytestmark = pytest.mark.mostly_slow

FLIPS, LOGS = 100, 30
SEED = 4711


def test_a_sound_warehouse_is_read_and_proven(ndcg: Command, loaded: Path) -> None:
    before = digest(loaded)
    found = records(ndcg, "check")
    read = {row["checked"]: row["rows"] for row in found if row["outcome"] == "read"}
    assert set(read) == {f"table {table}" for table in tables(loaded)}
    assert (read["table rankings"], read["table judgments"]) == (4, 4)
    [found_views] = [row["rows"] for row in found if row["checked"] == "views"]
    assert found_views > 100
    proven = [row["checked"] for row in found if row["outcome"] == "proven"]
    assert set(proven) == {row["proof"] for row in sql_files.rows("proofs")}
    assert {row["select"] for row in sql_files.rows("proofs")} == {
        Path(name).name for name in sql_files.names("proofs")
    }
    assert digest(loaded) == before
    result = ndcg("check")
    assert "table rankings " in result.out
    version = f"storage version v1.0.0, read by DuckDB {duckdb.__version__}\n"
    assert result.err == f"ndcg.duckdb: {version}"


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
    with duckdb.connect(str(loaded), read_only=True) as connection:
        found = connection.execute(
            "select table_name, column_name from duckdb_columns() where schema_name ="
            " 'store' and table_name in (select table_name from duckdb_tables())"
        ).fetchall()
    owned = {
        (table, column)
        for table, column in found
        if column in owners and owners[column] != table
    }
    # Rows of an evaluation belong to a run and a judgment set besides.
    keys = {(row["relation"], row["key"]) for row in proofs}
    assert {(table, key) for table, key in keys if " " not in key} == owned


def test_weighted_values_are_proven(ndcg: Command, loaded: Path) -> None:
    load_texts(ndcg, {"queries weights.csv": "query_id,weight\nq1,3\nq2,1\n"})
    assert ndcg("check").code == 0
    sql = "update store.stored_weighted_values set weighted_n = 7 where measure = 'AP'"
    change(loaded, sql)
    told = (
        SET + "stored_weighted_values differs from the weighted means of stored_values"
        " in 2 rows; remove the run, and load it again"
    )
    assert ndcg("check").refusal.splitlines()[1:] == [told]


def test_every_family_is_proven_beside_other_runs(ndcg: Command) -> None:
    # Last bits must not depend on what else is valued at the same time.
    chance = random.Random(SEED)
    queries, depths = range(300), range(60)
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


# What somebody changed in the file, and what is told of it.
SET = 'run "base", judgment set "qrels": table '
CHANGES = {
    "update stored_values set value = value + 1e-15 where query_id = 'q1'": (
        SET + "stored_values differs from view computed_values in 8 rows; remove the"
        " run, and load it again"
    ),
    "update stored_run_values set value = null where measure = 'AP'": (
        SET + "stored_run_values differs from view computed_run_values in 2 rows"
    ),
    "delete from hits where doc_id = 'a'": (
        SET + "hits differs from view all_hits in 1 rows"
    ),
    "insert into hits select * from hits where doc_id = 'a'": (
        SET + "hits differs from view all_hits in 1 rows"
    ),
    "insert into misfits values (1, 'AP', 'above', [2])": (
        'judgment set "qrels": table misfits differs from view computed_misfits for'
        ' measure "AP"; load the judgments again'
    ),
    "update evaluations set answered = 2": (
        SET + "evaluations differs from view computed_evaluations in 2 rows"
    ),
    "update run_queries set retrieved = 9 where query_id = 'q3'": (
        'run "base": table run_queries differs from view all_run_queries in 2 rows'
    ),
    "delete from positions where position = 2": (
        "table positions: 2 rows, the last one 3, but the deepest run has 3; restore"
    ),
    "delete from rankings where query_id = 'q3'": (
        'run "base": 2 queries and 4 documents were loaded, but 1 and 3 are stored;'
    ),
    "delete from judgments where doc_id = 'c'": (
        'set "qrels": 2 queries and 4 judgments were loaded, but 2 and 3 are stored;'
    ),
    "insert into judgments select * from judgments where query_id = 'q2'": (
        'judgment set "qrels", query "q2": document "a" is judged twice; remove the'
    ),
    "insert into subtopic_judgments values (1, 'q1', 't', 'c', 2, null)": (
        'query "q1": the grade of document "c" is not the largest of its subtopics;'
    ),
    "insert into known_documents values"
    " ('d', 'q', 'a', 1, null), ('d', 'q', 'a', 2, null)": (
        "table \"known_documents\": ['d', 'q', 'a'] is stored 2 times; restore the file"
    ),
    "update rankings set position = 7 where query_id = 'q3'": (
        'run "base", query "q3": a document is ranked twice, or the positions are'
    ),
    "insert into run_tags values (9, 'a', 'b')": (
        'table "run_tags": 1 rows belong to the "run" number "9", which does not exist;'
    ),
    "delete from evaluations": (
        'table "hits": 2 rows belong to the "evaluation" number "1, 1", which does not'
    ),
    "insert into runs select 2, * exclude (run_id) from runs": (
        "table \"runs\": ['default', 'base'] is stored 2 times; restore the file"
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_somebody_changed_is_found(
    ndcg: Command, loaded: Path, change: str
) -> None:
    with duckdb.connect(str(loaded)) as connection:
        connection.execute("set schema = 'store'")
        connection.execute(change)
    assert CHANGES[change] in ndcg("check").refusal


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


def test_dropped_views_are_found_and_restored_by_the_next_command_that_writes(
    ndcg: Command, loaded: Path
) -> None:
    comments = "select comment from duckdb_views() where view_name = 'runs'"
    with duckdb.connect(str(loaded)) as connection:
        before = connection.execute(comments).fetchall()
        connection.execute("drop view main.runs")
        connection.execute("drop view store.computed_hits")
    way = "missing; the next command that writes, such as evaluate, restores it"
    assert ndcg("check").refusal.splitlines()[1:] == [
        f'view "store.computed_hits": {way}',
        f'view "main.runs": {way}',
    ]
    told = 'ndcg.duckdb: restored the views "store.computed_hits", "main.runs", which'
    assert ndcg("evaluate").err.startswith(told)
    assert ndcg("check").code == 0
    with duckdb.connect(str(loaded)) as connection:
        assert connection.execute(comments).fetchall() == before
        assert connection.execute("select run from runs").fetchall() == [("base",)]
    assert "restored" not in ndcg("evaluate").err


def test_a_table_in_place_of_a_dropped_view_is_named(
    ndcg: Command, loaded: Path
) -> None:
    change(loaded, "drop view main.runs", "create table main.runs as select 1 as x")
    before = digest(loaded)
    result = ndcg("evaluate")
    assert result.refusal.startswith(
        'ndcg.duckdb: view "main.runs" cannot be restored: '
    )
    assert result.err.endswith("; drop or rename what has that name\n")
    assert digest(loaded) == before


def test_many_faults_are_counted_and_the_first_ten_told(
    ndcg: Command, loaded: Path
) -> None:
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


def test_a_flipped_bit_is_found_by_a_check_or_does_no_harm(
    ndcg: Command, larger: Path
) -> None:
    whole, right = larger.read_bytes(), ndcg(*REPORT).out
    chance = random.Random(SEED)
    found = 0
    for n in range(FLIPS):
        place = chance.randrange(4096 * 3 if n < 15 else len(whole))
        flipped = bytearray(whole)
        flipped[place] ^= 1 << chance.randrange(8)
        Path("flipped.duckdb").write_bytes(flipped)
        report = ndcg(*REPORT, "-w", "flipped.duckdb")
        assert (report.code, report.out) in ((0, right), (2, ""))
        check = ndcg("check", "-w", "flipped.duckdb")
        assert check.code in (0, 2)
        assert check.code == 2 or report.code == 0
        damaged = "flipped.duckdb: the file is damaged; restore it from a copy\n"
        assert check.err.endswith(damaged) == (check.code == 2)
        found += check.code == 2
    assert found > FLIPS / 2


def test_a_log_that_is_damaged_is_found_or_gives_the_last_whole_commits(
    ndcg: Command, larger: Path
) -> None:
    before = ndcg(*REPORT).out
    killed_before_checkpoint(larger.parent, "load", "run", "late")
    after = ndcg(*REPORT).out
    assert len(after.splitlines()) == 2 * len(before.splitlines()) - 1
    log = Path("ndcg.duckdb.wal").read_bytes()
    chance = random.Random(SEED)
    mutations = [b"", b"no log", os.urandom(5000)]
    while len(mutations) < LOGS:
        place = chance.randrange(len(log))
        flipped = bytearray(log)
        flipped[place] ^= 1 << chance.randrange(8)
        mutations += [bytes(flipped), log[:place]]
    refused = 0
    for mutation in mutations:
        shutil.copyfile(larger, "copy.duckdb")
        Path("copy.duckdb.wal").write_bytes(mutation)
        report = ndcg(*REPORT, "-w", "copy.duckdb")
        assert (report.code, report.out) in ((0, before), (0, after), (2, ""))
        check = ndcg("check", "-w", "copy.duckdb")
        assert check.code == report.code
        assert "copy.duckdb.wal: " in check.err
        refused += check.code == 2
    assert refused >= LOGS / 4


def test_the_log_of_another_warehouse_is_found_by_a_check(
    ndcg: Command, larger: Path, loaded_file: Path
) -> None:
    other = Path("other")
    other.mkdir()
    (other / "base").write_text(RUN)
    shutil.copyfile(loaded_file, other / "ndcg.duckdb")
    killed_before_checkpoint(other, "load", "run", "base", "--name", "alien")
    shutil.copyfile(other / "ndcg.duckdb.wal", f"{larger}.wal")
    result = ndcg("check")
    assert "ndcg.duckdb.wal: " in result.refusal


def test_a_log_that_was_left_is_told(ndcg: Command, loaded: Path) -> None:
    Path("late").write_text(RUN)
    killed_before_checkpoint(loaded.parent, "load", "run", "late")
    result = ndcg("check")
    assert result.code == 0
    told = "ndcg.duckdb.wal: left by a command that was ended; the next command that"
    assert result.err.splitlines()[1].startswith(told)
    assert ndcg("load", "run", "late", "--name", "more").code == 0
    assert len(ndcg("check").err.splitlines()) == 1
