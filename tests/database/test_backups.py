"""A copy of a warehouse is complete, and appears at once or not at all."""

import subprocess
import sys
from pathlib import Path

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command
from support.files import in_folder, tables

pytestmark = pytest.mark.mostly_slow

# Commits without folding the log into the file, as a kill would leave it.
KILLED = """
import os, sys, duckdb
connection = duckdb.connect(sys.argv[1])
connection.execute("set checkpoint_threshold = '1GB'")
connection.execute("update store.runs set source = 'killed'")
os._exit(9)
"""


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


def test_a_warehouse_that_is_held_open_is_backed_up_too(loaded: Path) -> None:
    with Warehouse.read(loaded) as own:
        own.backup("first.duckdb")
    with Warehouse.write(loaded) as own:
        own.tag("base", {"a": "b"})
        own.backup("second.duckdb")
        assert len(own.report("AP").df()) == 1
    assert tables(Path("second.duckdb")) == tables(loaded)
