"""Files that are no warehouse of this version are neither read nor written."""

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from ndcg_sql import Warehouse
from ndcg_sql.database.connections import translated
from ndcg_sql.errors import NdcgSqlError
from support import exploring
from support.commands import Command
from support.files import RUN, digest
from support.systems import posix


def empty(path: Path) -> None:
    """Make an empty file."""
    path.touch()


def begun(path: Path) -> None:
    """Make a file that was killed before all of its headers were written."""
    duckdb.connect(str(path)).close()
    os.truncate(path, 8192)


def foreign(path: Path) -> None:
    """Make a file of something else."""
    path.write_text("q1 0 a 2\n" * 5000)


def other_database(path: Path) -> None:
    """Make a DuckDB file with somebody else's table."""
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table sales as select 1 as amount")


NO_FILE = "w.duckdb: no such warehouse; ndcg-sql load judgments FILE creates one"
NO_DUCKDB = "w.duckdb: not a DuckDB file; name the file of a warehouse"
EMPTY = (
    "w.duckdb: a file without data; remove it, so that a warehouse can be made, or"
    " restore it from a copy"
)
NO_WAREHOUSE = (
    "w.duckdb: a DuckDB file, but not a warehouse; ndcg-sql load judgments FILE makes"
    " it one"
)
LOAD_RUN = ["load", "run", "run.txt"]
READING = [
    ["report"],
    ["explain", "base", "q1"],
    ["list"],
    ["measures"],
    ["query", "from runs"],
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "line"),
    [
        (None, NO_FILE),
        # It may be one that another process has just begun: it is waited for.
        (empty, EMPTY),
        (begun, EMPTY),
        (foreign, NO_DUCKDB),
        (other_database, NO_WAREHOUSE),
        (Path.mkdir, "w.duckdb: a directory, not a warehouse file"),
    ],
    ids=["missing", "empty", "begun", "foreign", "other database", "directory"],
)
def test_what_is_no_warehouse_is_not_read_and_not_touched(
    ndcg: Command, make: Callable[[Path], None] | None, line: str
) -> None:
    path = Path("w.duckdb")
    if make:
        make(path)
    before = digest(path) if path.is_file() else None
    line = line.replace("ndcg-sql load", "ndcg-sql -w w.duckdb load")
    for command in READING:
        assert ndcg(*command, "-w", "w.duckdb").refusal == line + "\n"
    assert (digest(path) if path.is_file() else None) == before


def test_nothing_is_removed_from_a_warehouse_that_is_not_there(
    ndcg: Command, tmp_path: Path
) -> None:
    for command in (["measures", "remove", "AP"], ["gains", "remove", "esci"]):
        no_file = NO_FILE.replace("ndcg-sql", "ndcg-sql -w w.duckdb")
        assert ndcg(*command, "-w", "w.duckdb").refusal == no_file + "\n"
    assert not list(tmp_path.iterdir())


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
    for command in READING:
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
    line = "w.duckdb: a pipe or a device, not a warehouse file; a warehouse is"
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    for command in (*READING, ["check"], ["publish", "copy"], LOAD_RUN):
        # To wait for a writer would end the tests.
        signal.alarm(60)
        result = ndcg(*command, "-w", "w.duckdb")
        assert (result.code, result.out) == (2, ""), command
        assert result.err == f"{line} named with --warehouse\n", command
    opened: list[Callable[[], object]] = [
        lambda: Warehouse.read("w.duckdb"),
        lambda: Warehouse.write("w.duckdb"),
        lambda: Warehouse("w.duckdb").report(),
    ]
    for attempt in opened:
        with pytest.raises(NdcgSqlError) as raised:
            attempt()
        assert str(raised.value) == f"{line} opened with Warehouse.read(path)"
    signal.alarm(0)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.txt", "w.duckdb"]


def logged(path: Path) -> None:
    """Make a DuckDB file with a table of our name, and a log that a kill left."""
    with duckdb.connect(str(path)) as connection:
        connection.execute("create table runs as select 1 as amount")
        connection.execute("checkpoint")
        connection.execute("insert into runs values (2)")
        copies = [path.read_bytes(), Path(f"{path}.wal").read_bytes()]
    path.write_bytes(copies[0])
    Path(f"{path}.wal").write_bytes(copies[1])


@pytest.mark.slow
@pytest.mark.parametrize("make", [empty, foreign, logged, Path.mkdir])
def test_nothing_is_loaded_into_what_is_no_database(
    ndcg: Command, make: Callable[[Path], None]
) -> None:
    make(Path("w.duckdb"))
    Path("run.txt").write_text(RUN)
    files = [path for path in Path().glob("w.duckdb*") if path.is_file()]
    before = [digest(path) for path in files]
    assert ndcg(*LOAD_RUN, "-w", "w.duckdb").refusal.startswith("w.duckdb: ")
    assert [digest(path) for path in files] == before


@pytest.mark.slow
def test_a_warehouse_of_a_newer_version_is_refused(ndcg: Command, loaded: Path) -> None:
    Path("run.txt").write_text(RUN)
    with duckdb.connect(str(loaded)) as connection:
        connection.execute(
            "insert into store.sql_files values ('migrations/0999_x.sql', 'x', now())"
        )
    before = digest(loaded)
    for command in (*READING, LOAD_RUN, ["measures", "add", "P@5"]):
        result = ndcg(*command)
        assert result.refusal.startswith(
            "ndcg.duckdb: made by a newer ndcg-sql (schema "
        )
        assert result.err.endswith("): pip install -U ndcg-sql\n")
        assert result.err.count("\n") == 1
    assert digest(loaded) == before


def test_a_warehouse_in_memory_is_refused_for_it_would_be_lost(ndcg: Command) -> None:
    Path("run.txt").write_text(RUN)
    assert ndcg(*LOAD_RUN, "-w", ":memory:").code == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    exploring.mostly_slow(
        ["md:x", "sqlite:x", "postgres:x", "x?a=b", "x.db"], "md:x", "x?a=b"
    ),
)
def test_a_name_with_a_prefix_is_that_of_a_plain_file(ndcg: Command, name: str) -> None:
    Path("run.txt").write_text(RUN)
    assert ndcg(*LOAD_RUN, "-w", name).code == 0
    assert Path(name).stat().st_size > 0
    assert ndcg("list", "-w", name).out.count("run.txt") == 1


@pytest.mark.parametrize("name", ["http://127.0.0.1:9/x", "s3://bucket/x"])
def test_an_address_is_no_file(ndcg: Command, name: str) -> None:
    Path("run.txt").write_text(RUN)
    result = ndcg(*LOAD_RUN, "-w", name)
    assert result.refusal.endswith(": only local files are read; download it first\n")


def test_a_folder_that_is_not_there_is_made_as_told(ndcg: Command) -> None:
    Path("run.txt").write_text(RUN)
    absent = (
        "my data/new/w.duckdb: the directory does not exist; make it: mkdir -p"
        " 'my data/new'\n"
    )
    for command in (("report",), LOAD_RUN, ("backup", "copy.duckdb")):
        assert ndcg("-w", "my data/new/w.duckdb", *command).refusal == absent
    subprocess.run("mkdir -p 'my data/new'", shell=True, check=True)
    assert ndcg("-w", "my data/new/w.duckdb", *LOAD_RUN).code == 0
    below = ndcg("-w", "run.txt/w.duckdb", "report").refusal
    assert below == "run.txt/w.duckdb: the directory does not exist\n"


@pytest.mark.slow
def test_a_refused_first_load_leaves_a_database_of_the_user_as_it_was(
    ndcg: Command,
) -> None:
    path = Path("own.db")
    other_database(path)
    Path("run.txt").write_text(RUN + "q1 Q0 a 1 nan t\n")
    before = digest(path)
    for command in (LOAD_RUN, ["measures", "remove", "P@5"]):
        result = ndcg(*command, "-w", "own.db")
        assert (result.code, result.out) == (2, "")
        assert digest(path) == before
    Path("run.txt").write_text(RUN)
    assert ndcg(*LOAD_RUN, "-w", "own.db").code == 0
    assert ndcg("check", "-w", "own.db").code == 0
    with duckdb.connect(str(path)) as connection:
        assert connection.execute("from sales").fetchall() == [(1,)]
