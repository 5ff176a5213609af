"""A copy of a warehouse is complete, and appears at once or not at all."""

import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command
from support.files import digest, in_folder, tables

pytestmark = pytest.mark.mostly_slow

# Commits without folding the log into the file, as a kill would leave it.
KILLED = """
import os, sys, duckdb
connection = duckdb.connect(sys.argv[1])
connection.execute("set checkpoint_threshold = '1GB'")
connection.execute("update store.runs set source = 'killed'")
os._exit(9)
"""


def test_a_backup_is_the_warehouse_as_it_is(ndcg: Command, loaded: Path) -> None:
    before = digest(loaded)
    result = ndcg("backup", "copy.duckdb")
    assert (result.code, result.out) == (0, "")
    assert result.err.startswith('backed up "ndcg.duckdb" to "copy.duckdb" (')
    assert tables(Path("copy.duckdb")) == tables(loaded)
    assert digest(loaded) == before
    assert in_folder(Path()) == ["copy.duckdb", "ndcg.duckdb"]
    report = ndcg("report", "--format", "csv").out
    assert ndcg("-w", "copy.duckdb", "report", "--format", "csv").out == report


def test_what_a_killed_process_committed_is_in_the_backup(
    ndcg: Command, loaded: Path
) -> None:
    command = [sys.executable, "-c", KILLED, str(loaded)]
    subprocess.run(command, check=False)
    assert Path(f"{loaded}.wal").exists()
    assert ndcg("backup", "copy.duckdb").code == 0
    # The log stays where it is, and none is beside the copy.
    assert in_folder(Path()) == ["copy.duckdb", "ndcg.duckdb", "ndcg.duckdb.wal"]
    [run] = tables(Path("copy.duckdb"))["runs"]
    assert "killed" in run


def test_an_earlier_backup_is_replaced_only_if_told(
    ndcg: Command, loaded: Path
) -> None:
    shutil.copyfile(loaded, "copy.duckdb")
    assert ndcg("tag", "run", "base", "a=b").code == 0
    before = digest(Path("copy.duckdb"))
    assert ndcg("backup", "copy.duckdb").refusal == (
        "copy.duckdb: already there; name another file, or replace it: --force\n"
    )
    with pytest.raises(NdcgSqlError, match=r"or replace it: force=True$"):
        Warehouse(loaded).backup("copy.duckdb")
    assert digest(Path("copy.duckdb")) == before
    assert ndcg("backup", "copy.duckdb", "--force").code == 0
    assert tables(Path("copy.duckdb")) == tables(loaded)
    told = Warehouse(loaded).backup("copy.duckdb", force=True)
    assert told.startswith('backed up "ndcg.duckdb" to "copy.duckdb" (')


@pytest.mark.quick
@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("ndcg.duckdb", "the warehouse itself; name another file"),
        ("notes.txt", "not a warehouse; name another file"),
        ("busy.duckdb", "the log of a change to that file; name another file"),
        ("folder", "a directory"),
        ("nix/copy.duckdb", "the directory does not exist"),
    ],
)
def test_no_other_file_is_ever_replaced(
    ndcg: Command, loaded: Path, target: str, told: str, force: bool
) -> None:
    Path("notes.txt").write_text("mine")
    Path("busy.duckdb.wal").write_text("")
    Path("folder").mkdir()
    before = digest(loaded)
    result = ndcg("backup", target, *(["--force"] if force else []))
    assert result.refusal.endswith(f": {told}\n")
    with pytest.raises(NdcgSqlError, match=f": {told}$"):
        Warehouse(loaded).backup(target, force=force)
    assert digest(loaded) == before
    assert Path("notes.txt").read_text() == "mine"
    assert len(in_folder(Path())) == 4


def test_only_a_warehouse_is_backed_up(ndcg: Command) -> None:
    result = ndcg("backup", "copy.duckdb")
    assert result.refusal.startswith("ndcg.duckdb: no such warehouse; ")
    duckdb.connect("foreign.duckdb").close()
    result = ndcg("-w", "foreign.duckdb", "backup", "copy.duckdb")
    assert result.err.startswith("foreign.duckdb: a DuckDB file, but not a warehouse")
    with pytest.raises(NdcgSqlError, match=r"^backup: a warehouse in memory has no"):
        Warehouse.memory().backup("copy.duckdb")
    assert in_folder(Path()) == ["foreign.duckdb"]


def test_a_warehouse_that_is_held_open_is_backed_up_too(loaded: Path) -> None:
    with Warehouse.read(loaded) as own:
        own.backup("first.duckdb")
    with Warehouse.write(loaded) as own:
        own.tag("base", {"a": "b"})
        own.backup("second.duckdb")
        assert len(own.report("AP").df()) == 1
    assert tables(Path("second.duckdb")) == tables(loaded)
