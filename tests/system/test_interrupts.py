"""A load that is interrupted leaves the warehouse as it was, and says so."""

import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.database import opening
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.values import refill
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.system import interrupts
from ndcg_sql.system.messages import Messages
from support import exploring
from support.commands import Command
from support.files import made_tables, tables
from support.libraries import library
from support.processes import begun

pytestmark = pytest.mark.mostly_slow

QUERIES, DEPTH = 800, 100
ROWS = QUERIES * DEPTH
ORPHANS = "select count(*) from {} where run_id not in (select run_id from runs)"
PARTIAL = (
    "select count(*) from runs where document_count <>"
    " (select count(*) from rankings where rankings.run_id = runs.run_id)"
)
OF_RUNS = ("rankings", "run_queries", "hits", "evaluations", "stored_values")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a warehouse that holds a run, and a large run to load."""
    folder = tmp_path_factory.mktemp("made")
    queries, depths = range(QUERIES), range(DEPTH)
    run = (f"q{q} Q0 d{d} {d} {DEPTH - d}.5 t\n" for q in queries for d in depths)
    (folder / "large").write_text("".join(run))
    qrels = (f"q{q} 0 d{d} 1\n" for q in queries for d in depths[::9])
    (folder / "qrels").write_text("".join(qrels))
    (folder / "base").write_text("q1 Q0 d1 1 1 t\n")
    with opening.write(folder / "ndcg.duckdb", refill) as warehouse:
        load(warehouse, "judgments", [folder / "qrels"], Options(), Messages())
        load(warehouse, "run", [folder / "base"], Options(), Messages())
    return folder


@pytest.fixture
def files(tmp_path: Path, made: Path) -> Path:
    """Put the warehouse and the large run into an empty folder."""
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path / "ndcg.duckdb"


def started(folder: Path, *arguments: str) -> "subprocess.Popen[str]":
    """Start a command in a process of its own."""
    return begun([sys.executable, "-m", "ndcg_sql", *arguments], folder)


def loading(folder: Path, process: "subprocess.Popen[str]") -> None:
    """Wait until a process has begun to read, which a folder of its own shows."""
    left = set(folder.glob("ndcg-sql-*"))
    while process.poll() is None and left >= set(folder.glob("ndcg-sql-*")):
        time.sleep(0.001)


def whole_runs(path: Path) -> list[str]:
    """Return the runs of a warehouse that was left; fail if any is in part there."""
    with opening.read(path) as warehouse:
        for table in OF_RUNS:
            assert warehouse.execute(ORPHANS.format(table)) == [(0,)], table
        assert warehouse.execute(PARTIAL) == [(0,)]
        counts = warehouse.execute("select distinct document_count from runs")
        assert {count for (count,) in counts} <= {1, ROWS}
        runs = warehouse.execute("select count(*) from runs")[0][0]
        values = warehouse.execute("select count(*) from run_values")
        assert values == [(4 * runs,)]
    return whole_names(path)


def whole_names(path: Path) -> list[str]:
    """Return the names of the runs of a warehouse."""
    with opening.read(path) as warehouse:
        names = warehouse.execute("select name from runs order by run_id")
        return [name for (name,) in names]


@pytest.fixture
def interruptible(files: Path) -> list[str]:
    """Name the large run several times, so that it takes seconds to load."""
    names = [f"late{n}" for n in range(6)]
    for name in names:
        (files.parent / name).hardlink_to(files.parent / "large")
    return names


@pytest.mark.parametrize(
    "number",
    exploring.mostly_slow([signal.SIGINT, signal.SIGTERM], signal.SIGINT),
)
@pytest.mark.parametrize(
    "delay",
    [
        pytest.param(0.0, marks=pytest.mark.slow),
        0.1,
        pytest.param(0.8, marks=pytest.mark.slow),
    ],
)
def test_an_interrupted_load_says_so_and_stores_nothing(
    files: Path, interruptible: list[str], delay: float, number: signal.Signals
) -> None:
    process = started(files.parent, "load", "run", *interruptible)
    loading(files.parent, process)
    time.sleep(delay)
    process.send_signal(number)
    out, err = process.communicate()
    assert process.returncode == 128 + number
    assert (out, err) == ("", "interrupted; the warehouse is unchanged\n")
    assert whole_runs(files) == ["base"]
    names = sorted(path.name for path in files.parent.iterdir())
    assert names == ["base", "large", *interruptible, "ndcg.duckdb", "qrels"]


def test_an_interrupted_first_load_leaves_no_file(
    files: Path, interruptible: list[str]
) -> None:
    files.unlink()
    process = started(files.parent, "load", "run", *interruptible)
    loading(files.parent, process)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert err == "interrupted; the warehouse is unchanged\n"
    assert not files.exists()


@pytest.mark.parametrize(
    "told",
    [
        pytest.param(0, marks=pytest.mark.slow),
        1,
        pytest.param(2, marks=pytest.mark.slow),
    ],
)
def test_a_demo_that_was_interrupted_goes_on_the_next_time(
    ndcg: Command, tmp_path: Path, told: int
) -> None:
    process = started(tmp_path, "demo")
    assert process.stderr is not None
    if told == 0:
        loading(tmp_path, process)
    lines = [process.stderr.readline() for _ in range(told)]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    names = [path.name for path in tmp_path.iterdir()]
    assert names == ["ndcg.duckdb"] or not (names or told)
    state = "the change is committed" if names else "the warehouse is unchanged"
    assert (process.returncode, out) == (130, "")
    assert err.endswith(f"interrupted; {state}\n")
    again = ndcg("demo")
    assert again.code == 0
    assert again.err.count("nothing to do") >= bool(lines)
    assert "0.8517" in again.out


def ran(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a script of Python."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_nothing_is_imported_that_swallows_an_interrupt(files: Path) -> None:
    # DuckDB 1.5 imports pandas when it first sees a parameter, and takes an
    # interrupt meanwhile for a sign that there is no pandas.
    library("pandas")
    code = (
        "import sys; from ndcg_sql.cli.main import main\n"
        "sys.argv = ['ndcg-sql', 'load', 'run', 'base', '--name', 'late']\n"
        "try: main()\n"
        "except SystemExit: print(bool(sys.modules.get('pandas')))"
    )
    result = ran(code, files.parent)
    assert result.stdout == "False\n"
    assert result.stderr.startswith('loaded run "late"')


def test_an_interrupt_that_python_drops_is_heard_without_noise(files: Path) -> None:
    # What a finalizer raises is printed and forgotten.
    code = (
        "import signal, sys; from ndcg_sql.cli.main import main\n"
        "from ndcg_sql.database.database import Database\n"
        "class Finalized:\n"
        "    def __del__(self): signal.raise_signal(signal.SIGINT)\n"
        "execute = Database.execute\n"
        "def interrupted(*arguments):\n"
        "    Finalized()\n"
        "    return execute(*arguments)\n"
        "Database.execute = interrupted\n"
        "sys.argv = ['ndcg-sql', 'load', 'run', 'base', '--name', 'late']\n"
        "main()"
    )
    result = ran(code, files.parent)
    assert (result.returncode, result.stdout) == (130, "")
    assert result.stderr == "interrupted; the warehouse is unchanged\n"
    assert whole_names(files) == ["base"]


def test_a_log_left_by_a_kill_is_read_and_folded_in(files: Path) -> None:
    code = (
        "import os, sys, duckdb; c = duckdb.connect(sys.argv[1]);"
        "c.execute('set checkpoint_threshold = \\'1TB\\'');"
        "c.execute('create table own as select 42 as x'); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", code, str(files)], check=False)
    log = Path(f"{files}.wal")
    assert log.exists()
    assert whole_runs(files) == ["base"]
    assert log.exists()
    with opening.write(files, refill) as warehouse:
        load(warehouse, "run", [files.parent / "base"], Options(name="b"), Messages())
    assert not log.exists()
    with duckdb.connect(str(files), read_only=True) as connection:
        assert connection.execute("from own").fetchall() == [(42,)]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("command", "place"),
    [
        (("eval", "qrels", "run"), "ndcg_sql.reports.one_shot.answer"),
        (("trec_eval", "qrels", "run"), "ndcg_sql.trec_eval.evaluation.evaluate"),
    ],
)
def test_a_command_without_a_warehouse_says_nothing_of_one(
    ndcg: Command,
    monkeypatch: pytest.MonkeyPatch,
    command: tuple[str, ...],
    place: str,
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(place, interrupted)
    result = ndcg(*command)
    assert (result.code, result.err) == (130, "interrupted\n")


def test_the_size_of_the_file_returns_when_it_is_closed(files: Path) -> None:
    size = files.stat().st_size
    rows = "99, 'q' || i, md5(cast(i as varchar)), 1, random() from range(1500000) t(i)"

    def interrupted() -> None:
        with opening.write(files, refill) as warehouse, warehouse.transaction():
            warehouse.execute(f"insert into rankings select {rows}")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert files.stat().st_size < size + 4_000_000
    (files.parent / "next").write_text("q1 Q0 d1 1 1 t\n")
    with opening.write(files, refill) as warehouse:
        load(warehouse, "run", [files.parent / "next"], Options(), Messages())
    assert files.stat().st_size < size + 4_000_000
    assert whole_runs(files) == ["base", "next"]
    assert set(tables(files)) == made_tables()


@pytest.fixture
def heeding() -> Generator[None]:
    """Let Ctrl-C end what the test does, even where a shell started it with &."""
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, usual)


@pytest.mark.usefixtures("heeding")
def test_an_interrupt_of_a_call_in_python_says_what_became_of_it(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = Warehouse(files)
    rows = [(f"q{i % 500}", f"d{i}", float(i)) for i in range(400_000)]
    data: Any = library("pandas").DataFrame(
        rows, columns=["query_id", "doc_id", "score"]
    )
    run = Database.run

    def slowly(self: Database, file: str, *parameters: Any) -> Any:
        if file.startswith("store/rankings_"):
            threading.Timer(0.02, signal.raise_signal, [signal.SIGINT]).start()
        return run(self, file, *parameters)

    monkeypatch.setattr(Database, "run", slowly)
    with pytest.raises(KeyboardInterrupt, match="the warehouse is unchanged"):
        warehouse.load_run(data, "large")
    monkeypatch.undo()
    assert whole_names(files) == ["base"]
    # The file is free again.
    warehouse.load_run(data, "large")
    assert whole_names(files) == ["base", "large"]
    close = Database.close

    def closed(database: Database) -> None:
        close(database)
        raise KeyboardInterrupt

    monkeypatch.setattr(Database, "close", closed)
    with pytest.raises(KeyboardInterrupt, match="the change is committed"):
        warehouse.load_run(data, "again")


@pytest.mark.quick
@pytest.mark.usefixtures("heeding")
def test_an_interrupt_before_a_statement_begins_ends_it_all_the_same() -> None:
    endless = "select count(*) from range(200000) a, range(200000) b where a <> b"

    def ask(connection: duckdb.DuckDBPyConnection) -> None:
        with interrupts.statement(connection):
            signal.raise_signal(signal.SIGINT)
            connection.execute(endless)

    with duckdb.connect() as connection:
        with pytest.raises(KeyboardInterrupt):
            ask(connection)
        assert connection.execute("select 42").fetchall() == [(42,)]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
