"""Another process that holds the warehouse is waited for, then named."""

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.database import opening
from ndcg_sql.database.database import Database
from ndcg_sql.errors import LockedError, NdcgSqlError
from ndcg_sql.evaluation.values import refill
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.system.messages import Messages
from support.commands import Command
from support.files import RUN, write_run
from support.locks import held

pytestmark = pytest.mark.mostly_slow
CONNECT = duckdb.connect


def load_one(database: Database, path: Path) -> None:
    """Load a run of one document, which is written to a file."""
    files = [write_run(path, {"q": {"d": 1}})]
    load(database, "run", files, Options(), Messages())


@pytest.mark.parametrize(
    "open_file", [opening.read, partial(opening.write, refill=refill)]
)
def test_a_writer_elsewhere_is_waited_for_and_then_named(
    loaded: Path, open_file: Callable[..., Database]
) -> None:
    with held(loaded, "write", 60) as pid:
        start = time.monotonic()
        with pytest.raises(LockedError) as error:
            open_file(loaded, wait=0.4)
        waited = time.monotonic() - start
    assert str(error.value).startswith(f"{loaded}: in use by ")
    assert f" (PID {pid}); close it there" in str(error.value)
    assert "wait=SECONDS" in str(error.value)
    assert "publish(FILE) writes a copy for readers" in str(error.value)
    assert 0.4 <= waited < 5


def test_a_writer_that_is_done_in_time_is_no_fault(loaded: Path) -> None:
    with held(loaded, "write", 0.3), opening.write(loaded, refill, wait=20) as own:
        assert own.execute("select count(*) from runs") == [(1,)]


def test_readers_do_not_wait_for_each_other(loaded: Path) -> None:
    with held(loaded, "read", 60), opening.read(loaded, wait=0) as own:
        assert own.execute("select count(*) from runs") == [(1,)]


def test_a_reader_elsewhere_holds_up_a_writer(loaded: Path) -> None:
    with (
        held(loaded, "read", 60) as pid,
        pytest.raises(LockedError, match=rf"\(PID {pid}\), which reads it; close"),
    ):
        opening.write(loaded, refill, wait=0.1)


@pytest.mark.quick
def test_a_connection_in_this_process_is_told_apart_from_another(
    ndcg: Command, loaded: Path
) -> None:
    Path("late").write_text(RUN)
    with duckdb.connect(str(loaded)):
        for command in (["report"], ["load", "run", "late"]):
            assert ndcg(*command).refusal == (
                "ndcg.duckdb: already open in this process; close it there\n"
            )
    assert ndcg("report").code == 0


def test_first_loads_by_several_processes_at_once_all_succeed(tmp_path: Path) -> None:
    names = [f"run{n}" for n in range(4)]
    for name in names:
        (tmp_path / name).write_text(RUN)
    command = [sys.executable, "-m", "ndcg_sql", "load", "run"]
    loads = [
        subprocess.Popen(
            [*command, name], cwd=tmp_path, stderr=subprocess.PIPE, text=True
        )
        for name in names
    ]
    told = [process.communicate(timeout=60)[1] for process in loads]
    assert [process.returncode for process in loads] == [0] * 4, told
    with opening.read(tmp_path / "ndcg.duckdb") as own:
        stored = own.execute("select name from runs order by name")
        assert stored == [(name,) for name in names]
        assert own.execute("select count(distinct run_id) from rankings") == [(4,)]


def test_a_file_that_another_process_has_just_begun_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB finds an empty file where there was none a moment before."""
    path = tmp_path / "ndcg.duckdb"
    faults: list[str] = []

    def begun(*arguments: Any, **given: Any) -> duckdb.DuckDBPyConnection:
        if not faults:
            path.touch()
        try:
            return CONNECT(*arguments, **given)
        except duckdb.IOException as error:
            faults.append(str(error))
            path.unlink()
            raise

    monkeypatch.setattr(duckdb, "connect", begun)
    with opening.write(path, refill, wait=0) as own:
        load_one(own, tmp_path / "base")
    assert len(faults) == 1
    assert "not a valid DuckDB database" in faults[0]
    with opening.read(path) as left:
        assert left.execute("select name from runs") == [("base",)]


@pytest.mark.quick
def test_a_file_that_another_process_made_meanwhile_is_never_removed(
    tmp_path: Path, loaded_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ndcg.duckdb"
    connect = opening.connect

    def late(*arguments: Any, **given: Any) -> duckdb.DuckDBPyConnection:
        shutil.copyfile(loaded_file, path)
        return connect(*arguments, **given)

    monkeypatch.setattr(opening, "connect", late)
    with pytest.raises(NdcgSqlError, match="refused"), opening.write(path, refill):
        raise NdcgSqlError("refused")
    with opening.read(path) as left:
        assert left.execute("select name from runs") == [("base",)]


@pytest.mark.parametrize(
    ("command", "seconds"), [("report", 3), ("report", 0), ("remove run base", 0)]
)
def test_a_command_says_what_it_waits_for_as_long_as_it_may(
    ndcg: Command, loaded: Path, command: str, seconds: int
) -> None:
    with held(loaded, "write", 60) as pid:
        start = time.monotonic()
        result = ndcg(*command.split(), "--timeout", str(seconds))
        waited = time.monotonic() - start
    *announced, last = result.err.splitlines()
    waiting = rf"ndcg\.duckdb: in use by .+ \(PID {pid}\); waiting up to 3 seconds"
    assert len(announced) == bool(seconds)
    assert all(re.fullmatch(waiting, line) for line in announced)
    assert f" (PID {pid}); close it there (an open notebook" in last
    assert (result.code, result.out) == (2, "")
    assert seconds <= waited < 0.9 + 2.7 * seconds


@pytest.mark.quick
@pytest.mark.parametrize("timeout", ["-1", "nan", "soon", ""])
def test_a_timeout_that_is_none_is_refused(ndcg: Command, timeout: str) -> None:
    result = ndcg("report", "--timeout", timeout)
    assert "--timeout" in result.refusal


def test_a_file_that_is_replaced_while_it_is_opened_is_not_written(
    loaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is at the path afterwards is opened, not what was there before."""
    copies = [Path(shutil.copyfile(loaded, Path(f"copy{n}"))) for n in range(2)]

    def replaced(*arguments: Any, **given: Any) -> duckdb.DuckDBPyConnection:
        connection = CONNECT(*arguments, **given)
        if copies:
            copies.pop().replace(loaded)
        return connection

    monkeypatch.setattr(duckdb, "connect", replaced)
    with opening.write(loaded, refill) as own:
        load_one(own, Path("late"))
    assert copies == []
    with opening.read(loaded) as left:
        assert left.execute("select count(*) from runs") == [(2,)]


@pytest.mark.quick
def test_a_file_that_is_always_removed_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ndcg.duckdb"

    def removed(*arguments: Any, **given: Any) -> duckdb.DuckDBPyConnection:
        connection = CONNECT(*arguments, **given)
        path.unlink()
        return connection

    monkeypatch.setattr(duckdb, "connect", removed)
    with pytest.raises(NdcgSqlError, match="removed or replaced meanwhile"):
        opening.write(path, refill, wait=0.2)
