"""The file that each release made is opened, upgraded and answers as it did."""

import math
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.database import opening, sql_files, views
from ndcg_sql.evaluation.values import refill
from ndcg_sql.measures.names import parse
from support import exploring, released
from support.commands import Command
from support.files import digest, shown, stored, tables
from support.released import Rows

VERSIONS = released.versions()
# What was loaded, and the values of it.
CORE = frozenset(
    ("runs", "judgments", "rankings", "queries", "query_values", "run_values")
)
SEED = 20260301
KILLS = exploring.amount(5, 100)
# Upgrades a file by migrations of which each takes some time, to other views; tells
# which one it begins.
UPGRADE = """
import sys
from pathlib import Path
from ndcg_sql.database import opening, schema, sql_files, views
from ndcg_sql.database.sql_files import Migration
from ndcg_sql.evaluation.values import refill

texts = [
    "alter table runs add column mu double; update runs set mu = run_id",
    "create table copies as from hits, range(2000); alter table hits add nu double",
    "create table more_copies as from copies",
]
known = [
    *sql_files.migrations(),
    *(Migration(f"more/{n}", text, text) for n, text in enumerate(texts)),
]
sql_files.migrations = lambda: known
views.checksum = lambda: "changed"
usual = schema._apply
def told(database, migration):
    print(migration.path, flush=True)
    usual(database, migration)
schema._apply = told
print("ready", flush=True)
opening.write(Path("ndcg.duckdb"), refill).close()
"""
# What it tells; the views follow the last one.
STEPS = ("ready", "more/0", "more/1", "more/2")
# The tables and the column of each of these migrations.
MADE = ("mu", "nu", "more_copies")


def assert_same(found: Rows, kept: Rows, name: str) -> None:
    """Assert that rows have what was kept; a later version may have more columns.

    Values may differ in their last digits: versions of DuckDB add in another order.
    Counts that were doubles may be integers.
    """
    columns = sorted(kept[0]) if kept else []
    assert len(found) == len(kept), name

    def order(row: dict[str, Any]) -> list[str]:
        exact = [repr(row[c]) for c in columns if not isinstance(row[c], int | float)]
        near = [f"{row[c]:.9f}" for c in columns if isinstance(row[c], int | float)]
        return exact + near

    pairs = zip(sorted(found, key=order), sorted(kept, key=order), strict=True)
    for row, before in pairs:
        for column in columns:
            now, then = row[column], before[column]
            if isinstance(now, float) and isinstance(then, float):
                same = math.isclose(now, then, rel_tol=1e-12, abs_tol=1e-15)
            else:
                same = now == then
            assert same, (name, column, row, before)


def records(path: Path) -> dict[str, str]:
    """Return the checksums of the migrations and views of a file."""
    return dict(stored("select path, checksum from sql_files", path))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_released_file_is_upgraded_and_keeps_its_values(
    tmp_path: Path, version: str
) -> None:
    path = released.unpack(version, tmp_path / "ndcg.duckdb")
    opening.write(path, refill).close()
    kept = released.expected(version)["relations"]
    for name, rows in released.relations(path, CORE).items():
        assert kept[name]
        assert_same(rows, kept[name], name)
    applied = records(path).keys() - {"sql/views"}
    assert applied == {migration.path for migration in sql_files.migrations()}
    facts = "measure, higher_is_better, reads_judgments"
    for name, *row in stored(f"select {facts} from measures", path):
        [measure] = parse(name)
        assert row == [measure.row[fact] for fact in facts.split(", ")[1:]]


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
def test_an_upgraded_file_answers_as_it_did(ndcg: Command, version: str) -> None:
    path = released.unpack(version, Path("ndcg.duckdb"))
    opening.write(path, refill).close()
    kept = released.expected(version)
    names = frozenset(kept["relations"])
    for name, rows in released.relations(path, names).items():
        assert_same(rows, kept["relations"][name], name)
    answers = released.answers(path)
    assert answers.keys() == kept["answers"].keys()
    for name, rows in answers.items():
        assert_same(rows, kept["answers"][name], name)
    assert ndcg("check").code == 0


@pytest.mark.parametrize("version", VERSIONS)
def test_a_released_file_that_is_only_read_is_answered_or_told(
    ndcg: Command, version: str
) -> None:
    path = released.unpack(version, Path("ndcg.duckdb"))
    before = digest(path)
    known = {migration.path: migration.checksum for migration in sql_files.migrations()}
    is_complete = records(path).keys() - {"sql/views"} == known.keys()
    is_present = records(path) == known | {"sql/views": views.checksum()}
    result = ndcg("list", "--format", "csv")
    assert digest(path) == before
    if is_present:
        assert (result.code, result.err) == (0, "")
        return
    reason = (
        "its views are from another version of ndcg-sql; the next command that writes,"
        if is_complete
        else "made by an older ndcg-sql; the next command that writes,"
    )
    assert result.refusal.startswith(f"ndcg.duckdb: {reason}")
    assert result.err.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS[-1:])
def test_a_kill_in_an_upgrade_leaves_whole_migrations(
    tmp_path: Path, version: str
) -> None:
    path = tmp_path / "ndcg.duckdb"
    kept = released.expected(version)["relations"]
    released.unpack(version, path)
    before = tables(path)
    applied = records(path)

    def upgrade(step: str, seconds: float | None) -> float:
        """Upgrade, or be killed some seconds after a step began.

        Returns how long it took from that step.
        """
        process = subprocess.Popen(
            [sys.executable, "-c", UPGRADE],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        assert f"{step}\n" in iter(process.stdout.readline, "")
        start = time.monotonic()
        if seconds is not None:
            time.sleep(seconds)
            process.kill()
        _, fault = process.communicate()
        ends = (0,) if seconds is None else (0, -signal.SIGKILL)
        assert process.returncode in ends, fault
        return time.monotonic() - start

    duration = upgrade(STEPS[-1], None)
    chance = random.Random(SEED)
    reached: set[int] = set()
    for n in range(KILLS):
        path.with_name("ndcg.duckdb.wal").unlink(missing_ok=True)
        released.unpack(version, path)
        step = STEPS[n % len(STEPS)]
        upgrade(step, chance.uniform(0, duration if step == STEPS[-1] else 0.2))
        more = sorted(records(path).keys() - applied.keys())
        assert all(name.startswith(("more/", "migrations/")) for name in more), more
        own = [name for name in more if name.startswith("more/")]
        assert own == [f"more/{n}" for n in range(len(own))]
        names = "select {0}_name from duckdb_{0}s() where schema_name = 'store'"
        there = {
            name
            for kind in ("table", "column")
            for (name,) in shown(names.format(kind), path)
        }
        assert [name in there for name in MADE] == [n < len(own) for n in range(3)]
        reached.add(len(own))
        now = tables(path)
        for table in before.keys() - {"sql_files"}:
            assert len(now[table]) == len(before[table]), table
        # The next command that writes does what is left.
        upgrade("ready", None)
        assert records(path)["sql/views"] == "changed"
        for name, rows in released.relations(path, CORE).items():
            assert_same(rows, kept[name], name)
    assert len(reached) > 1
