"""Copies of a warehouse: a backup is complete, and appears at once or not at all.

Of a private copy nothing is left, and its file is free.
"""

import gc
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from ndcg_sql.database import opening
from ndcg_sql.errors import DiskFullError, NdcgSqlError
from ndcg_sql.evaluation.values import refill
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command
from support.files import in_folder, tables
from support.kills import killed_before_checkpoint
from support.processes import ran

pytestmark = pytest.mark.mostly_slow

NAMES = "select run from runs order by run"


def renamed(path: Path, old: str, new: str) -> "subprocess.CompletedProcess[str]":
    """Rename a run in another process, which does not wait."""
    command = [sys.executable, "-m", "ndcg_sql", "--timeout", "0", "rename", "run"]
    return ran([*command, old, new], path.parent)


def test_others_write_while_a_copy_is_open_and_it_stays_as_it_was(loaded: Path) -> None:
    with Warehouse.read(loaded, copy=True) as own:
        values = own.report("RR").to_dicts()
        written = renamed(loaded, "base", "other")
        assert written.returncode == 0, written.stderr
        assert own.connection.execute(NAMES).fetchall() == [("base",)]
        assert own.report("RR").to_dicts() == values
        with pytest.raises(NdcgSqlError, match=r"^\S+/ndcg.duckdb: opened read-only"):
            own.load_run({"q": {"d": 1}}, "more")
    assert list(loaded.parent.iterdir()) == [loaded]
    with Warehouse.read(loaded, copy=True) as own:
        assert own.connection.execute(NAMES).fetchall() == [("other",)]


def test_a_copy_that_is_forgotten_leaves_nothing(loaded: Path) -> None:
    own = Warehouse.read(loaded, copy=True)
    assert list(loaded.parent.iterdir()) != [loaded]
    del own
    gc.collect()
    assert list(loaded.parent.iterdir()) == [loaded]


@pytest.mark.parametrize(
    "end", exploring.mostly_slow(["", "; raise SystemExit(3)", "; 1 / 0"], "; 1 / 0")
)
def test_a_copy_that_is_open_when_python_ends_leaves_nothing(
    loaded: Path, end: str
) -> None:
    code = (
        "import sys; from ndcg_sql import Warehouse\n"
        "kept = Warehouse.read(sys.argv[1], copy=True)\n"
        f"print(kept.connection.execute('{NAMES}').fetchall()){end}\n"
    )
    command = [sys.executable, "-c", code, str(loaded)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.stdout == "[('base',)]\n"
    assert "ndcg" not in result.stderr
    assert list(loaded.parent.iterdir()) == [loaded]


def test_a_copy_has_what_a_killed_command_left_in_the_log(
    ndcg: Command, loaded: Path
) -> None:
    killed_before_checkpoint(loaded.parent, "rename", "run", "base", "late")
    linked = loaded.with_name("linked.duckdb")
    linked.symlink_to(loaded)
    with Warehouse.read(loaded, copy=True) as own:
        assert own.connection.execute(NAMES).fetchall() == [("late",)]
    with Warehouse.read(linked) as direct, Warehouse.read(linked, copy=True) as own:
        stored = direct.connection.execute(NAMES).fetchall()
        assert own.connection.execute(NAMES).fetchall() == stored
    assert loaded.with_name("ndcg.duckdb.wal").exists()
    assert ndcg("check").code == 0


@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_second_opening_in_a_process_keeps_the_lock_of_the_first(
    loaded: Path, mode: str
) -> None:
    """The system drops all locks on a file that a process has opened and closes."""
    first = opening.read if mode == "read" else partial(opening.write, refill=refill)
    with first(loaded):
        if mode == "read":
            opening.read(loaded).close()
            opening.read(loaded, copy=True).close()
        else:
            with pytest.raises(NdcgSqlError, match="already open in this process"):
                opening.read(loaded, copy=True)
        assert renamed(loaded, "base", "other").returncode == 2
    assert renamed(loaded, "base", "other").returncode == 0


@pytest.mark.quick
def test_no_space_for_a_copy_is_a_message(
    loaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ndcg_sql.database.connections.shutil.copyfile", full)
    loaded.with_name("ndcg.duckdb.wal").touch()
    with pytest.raises(DiskFullError, match=f"^{loaded.parent}: no space left"):
        Warehouse.read(loaded, copy=True)
    loaded.with_name("ndcg.duckdb.wal").unlink()
    assert list(loaded.parent.iterdir()) == [loaded]


def test_what_a_killed_process_committed_is_in_the_backup(
    ndcg: Command, loaded: Path
) -> None:
    killed_before_checkpoint(loaded.parent, "rename", "run", "base", "late")
    assert ndcg("backup", "copy.duckdb").code == 0
    # The log stays where it is, and none is beside the copy.
    assert in_folder(Path()) == ["copy.duckdb", "ndcg.duckdb", "ndcg.duckdb.wal"]
    [run] = tables(Path("copy.duckdb"))["runs"]
    assert "late" in run


def test_a_warehouse_that_is_held_open_is_backed_up_too(loaded: Path) -> None:
    with Warehouse.read(loaded) as own:
        own.backup("first.duckdb")
    with Warehouse.write(loaded) as own:
        own.tag("base", {"a": "b"})
        own.backup("second.duckdb")
        assert len(own.report("AP").df()) == 1
    assert tables(Path("second.duckdb")) == tables(loaded)
