"""Files that are no warehouse of this version are neither read nor written."""

import os
import signal
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from ndcg_sql import Warehouse
from ndcg_sql.database.connections import translated
from ndcg_sql.errors import NdcgSqlError
from support.commands import Command
from support.files import RUN
from support.scripts import scripted
from support.systems import posix

READING = (["report"], ["list"], ["query", "from runs"], ["load", "run", "run.txt"])


def begin(path: str) -> None:
    """Make a file that was killed before all of its headers were written."""
    duckdb.connect(path).close()
    os.truncate(path, 8192)


def leave_log(path: str) -> None:
    """Make a DuckDB file with a table of our name, and a log that a kill left."""
    with duckdb.connect(path) as connection:
        connection.execute("create table runs as select 1 as amount")
        connection.execute("checkpoint")
        connection.execute("insert into runs values (2)")
        copies = [Path(path).read_bytes(), Path(f"{path}.wal").read_bytes()]
    Path(path).write_bytes(copies[0])
    Path(f"{path}.wal").write_bytes(copies[1])


test_script = scripted(__file__, begin, leave_log, Warehouse)


@pytest.mark.parametrize(
    "error",
    [
        duckdb.IOException('IO Error: Cannot open file "/w.db": Permission denied'),
        duckdb.TransactionException(
            "TransactionContext Error: Failed to commit: Cannot open file"
            ' "/w.db.wal": Permission denied'
        ),
    ],
)
def test_a_file_that_may_not_be_written_is_told(error: duckdb.Error) -> None:
    assert str(translated(error, "w.db")) == (
        "w.db: permission denied for the file or its directory; ask its owner"
    )


def test_a_warehouse_that_may_not_be_read_is_told(ndcg: Command, loaded: Path) -> None:
    loaded.chmod(0)
    if os.access(loaded, os.R_OK):
        pytest.skip("this user may read anything")
    Path("qrels").write_text("q1 0 a 1\n")
    Path("base").write_text(RUN)
    for command in READING[:3]:
        assert ndcg(*command).refusal == "ndcg.duckdb: not readable\n"
    # What does without it does not look at it.
    assert ndcg("eval", "qrels", "base").code == 0


def fifo(path: Path) -> None:
    """Make a named pipe."""
    os.mkfifo(path)


def device(path: Path) -> None:
    """Make a name of a device."""
    path.symlink_to("/dev/zero")


@posix
@pytest.mark.slow
@pytest.mark.parametrize("make", [fifo, device])
def test_a_pipe_or_a_device_is_refused_at_once(
    ndcg: Command, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    path = tmp_path / "w.duckdb"
    make(path)
    (tmp_path / "run.txt").write_text(RUN)
    line = "w.duckdb: a pipe or a device, not a warehouse file"
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    for command in (*READING, ["check"], ["publish", "copy"]):
        # To wait for a writer would end the tests.
        signal.alarm(60)
        result = ndcg(*command, "-w", "w.duckdb")
        assert (result.code, result.out) == (2, ""), command
        assert result.err == f"{line}\n", command
    opened: list[Callable[[], object]] = [
        lambda: Warehouse.read("w.duckdb"),
        lambda: Warehouse.write("w.duckdb"),
        lambda: Warehouse("w.duckdb").report(),
    ]
    for attempt in opened:
        with pytest.raises(NdcgSqlError) as raised:
            attempt()
        assert str(raised.value) == line
    signal.alarm(0)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.txt", "w.duckdb"]
