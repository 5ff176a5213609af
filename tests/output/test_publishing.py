"""A published file is whole, whatever happens meanwhile, and replaces only its kind."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.output import publishing
from support.commands import Command
from support.files import RUN, digest, tables
from support.locks import held

DESCRIBED = [
    "select view_name, comment, sql from duckdb_views() where not internal",
    "select table_name, comment from duckdb_tables() where table_name <> 'sql_files'",
    "select table_name, column_name, data_type, column_index, comment"
    " from duckdb_columns() where not internal",
    "select sequence_name, start_value from duckdb_sequences()",
]


VIEWS_OF = "select view_name from duckdb_views() where schema_name = ? and not internal"


def rows(path: Path, sql: str) -> list[Any]:
    """Return the rows of a select on a file, in order."""
    with duckdb.connect(str(path), read_only=True) as connection:
        return sorted(connection.execute(sql).fetchall(), key=repr)


def beside(path: Path) -> list[str]:
    """Return the names of all files in a file's folder."""
    return sorted(file.name for file in path.parent.iterdir())


@pytest.mark.slow
# The public relations show what the views behind them compute.
@pytest.mark.parametrize(
    "schema", ["main", pytest.param("store", marks=pytest.mark.slow)]
)
def test_all_that_the_warehouse_holds_is_there(
    ndcg: Command, tmp_path: Path, schema: str
) -> None:
    assert ndcg("demo").code == 0
    published = tmp_path / "bi.duckdb"
    result = ndcg("publish", "bi.duckdb")
    assert (result.code, result.out) == (0, "")
    assert result.err == 'published "bi.duckdb"\n'
    assert beside(published) == ["bi.duckdb", "ndcg.duckdb"]
    own = tmp_path / "ndcg.duckdb"
    for sql in DESCRIBED:
        assert rows(published, sql) == rows(own, sql) != []
    assert tables(published) == tables(own)
    with (
        duckdb.connect(str(published), read_only=True) as copy,
        duckdb.connect(str(own), read_only=True) as original,
    ):
        names = original.execute(VIEWS_OF, [schema]).fetchall()
        assert len(names) > 25
        for (view,) in names:
            sql = f"from {schema}.{view} order by all"
            assert copy.execute(sql).fetchall() == original.execute(sql).fetchall()
    for command in (["report"], ["explain", "hybrid", "q18"], ["list"]):
        report = ndcg("-w", "bi.duckdb", *command)
        assert report == ndcg(*command)
        assert report.code == 0


def test_every_client_opens_it(ndcg: Command, loaded: Path) -> None:
    assert ndcg("publish", "bi").code == 0
    sql = "select tags['storage_version'] from duckdb_databases() where not internal"
    assert str(rows(loaded.parent / "bi", sql)[0][0]).strip("[]'") == "v1.0.0+"


def test_a_published_file_can_become_a_warehouse(ndcg: Command, loaded: Path) -> None:
    assert ndcg("publish", "bi").code == 0
    (loaded.parent / "late").write_text(RUN)
    assert ndcg("-w", "bi", "load", "run", "late").code == 0
    assert rows(loaded.parent / "bi", "select run_id, run from runs") == [
        (1, "base"),
        (2, "late"),
    ]


def test_what_others_added_comes_along(ndcg: Command, loaded: Path) -> None:
    with duckdb.connect(str(loaded)) as connection:
        for statement in (
            "create schema shop",
            "create table shop.revenue as select 'q1' as query_id, 7 as euros",
            "create view priced as select * from query_values"
            " inner join shop.revenue using (query_id)",
        ):
            connection.execute(statement)
    assert ndcg("publish", "bi").code == 0
    select = "select distinct euros from priced"
    assert rows(loaded.parent / "bi", select) == [(7,)]


def test_a_second_one_takes_the_place_of_the_first(ndcg: Command, loaded: Path) -> None:
    published = loaded.parent / "bi"
    assert ndcg("publish", "bi").code == 0
    published.chmod(0o640)
    link = loaded.parent / "link"
    link.symlink_to("bi")
    before = published.read_bytes()
    (loaded.parent / "late").write_text(RUN)
    assert ndcg("load", "run", "late").code == 0
    with published.open("rb") as reader:
        assert ndcg("publish", "link").code == 0
        # Who has the old one open goes on reading it.
        assert reader.read() == before
    assert rows(published, "select count(*) from runs") == [(2,)]
    assert link.is_symlink()
    assert published.stat().st_mode & 0o777 == 0o640


def test_it_is_compact(ndcg: Command, loaded: Path) -> None:
    with duckdb.connect(str(loaded)) as connection:
        connection.execute("create table big as select random() from range(1000000)")
        connection.execute("checkpoint")
        connection.execute("drop table big")
        connection.execute("checkpoint")
    assert ndcg("publish", "bi").code == 0
    assert (loaded.parent / "bi").stat().st_size < loaded.stat().st_size / 1.5


def others(folder: Path) -> Iterator[tuple[str, str]]:
    """Make targets that are nobody's to replace; give each with the reason."""
    taken = (
        "exists and is not a published copy, or was changed since; name another file,"
        " or remove it"
    )
    warehouse = folder / "ndcg.duckdb"
    (folder / "text").write_text("precious")
    yield "text", taken
    (folder / "empty").touch()
    yield "empty", taken
    with duckdb.connect(str(folder / "duck")) as connection:
        connection.execute("create table precious as select 1")
    yield "duck", taken
    shutil.copyfile(warehouse, folder / "other")
    yield "other", taken
    (folder / "soft").symlink_to("ndcg.duckdb")
    os.link(warehouse, folder / "hard")
    for name in ("ndcg.duckdb", "soft", "hard"):
        yield name, "the warehouse itself; name another file"
    os.mkfifo(folder / "pipe")
    for name in (".", "pipe", "/dev/null"):
        yield name, "not a regular file; name another"
    yield "no/bi", "the directory does not exist"


def test_nothing_else_is_replaced(ndcg: Command, loaded: Path) -> None:
    folder = loaded.parent
    for name, reason in others(folder):
        before = {file: digest(file) for file in folder.iterdir() if file.is_file()}
        result = ndcg("publish", name)
        assert (result.code, result.out) == (2, "")
        assert result.err == f"{name}: {reason}\n"
        after = {file: digest(file) for file in folder.iterdir() if file.is_file()}
        assert after == before


def test_a_log_beside_the_target_is_never_taken_for_that_of_the_new_one(
    ndcg: Command, loaded: Path
) -> None:
    assert ndcg("publish", "bi").code == 0
    code = (
        "import duckdb, os; connection = duckdb.connect('bi');"
        "connection.execute('create table changed as select 1');"
        "os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=loaded.parent, check=True)
    before = digest(loaded.parent / "bi")
    (loaded.parent / "to_bi").symlink_to("bi")
    for target in ("bi", "to_bi"):
        result = ndcg("publish", target)
        assert (result.code, result.out) == (2, "")
        assert result.err == (
            f"{'' if target == 'bi' else f'{loaded.parent}/'}bi.wal: the log of a"
            " change to the published file; name another target, or remove both"
            " files\n"
        )
    assert digest(loaded.parent / "bi") == before


def test_a_table_that_cannot_be_copied_is_named(ndcg: Command, loaded: Path) -> None:
    with duckdb.connect(str(loaded)) as connection:
        connection.execute("create table parents (a integer primary key)")
        connection.execute("create table children (a integer references parents (a))")
        connection.execute("insert into parents values (1)")
        connection.execute("insert into children values (1)")
    result = ndcg("publish", "bi")
    # DuckDB 2.0 copies tables in the order of their keys, 1.5 does not.
    if result.code == 0:
        assert rows(loaded.parent / "bi", "from children") == [(1,)]
        return
    assert result.code == 2
    assert result.err.startswith(
        "bi: DuckDB cannot copy a table that ndcg-sql did not make: Constraint Error"
    )
    assert beside(loaded) == ["ndcg.duckdb"]


@pytest.mark.slow
def test_a_writer_of_the_target_is_waited_for(ndcg: Command, loaded: Path) -> None:
    published = loaded.parent / "bi"
    assert ndcg("publish", "bi").code == 0
    with held(published, "write", 0.5):
        assert ndcg("publish", "bi").code == 0
    with held(published, "write", 60) as pid:
        result = ndcg("publish", "bi", "--timeout", "0.1")
    assert result.code == 2
    assert result.err.startswith("bi: in use by ")
    assert f"(PID {pid})" in result.err


@pytest.mark.parametrize("fault", [KeyboardInterrupt, OSError(28, "No space left")])
def test_a_failure_leaves_the_old_one(
    ndcg: Command,
    loaded: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: BaseException | type[BaseException],
) -> None:
    assert ndcg("publish", "bi").code == 0
    before, names = digest(loaded.parent / "bi"), beside(loaded)
    copy = publishing._copy  # pyright: ignore[reportPrivateUsage]

    def fail(*arguments: Any) -> None:
        copy(*arguments)
        raise fault

    monkeypatch.setattr(publishing, "_copy", fail)
    result = ndcg("publish", "bi")
    assert (result.code, result.out) == (130 if fault is KeyboardInterrupt else 2, "")
    assert digest(loaded.parent / "bi") == before
    assert beside(loaded) == names


@pytest.mark.slow
def test_an_interrupt_or_kill_at_any_time_leaves_a_whole_one(
    ndcg: Command, loaded: Path
) -> None:
    folder = loaded.parent
    with duckdb.connect(str(loaded)) as connection:
        connection.execute("create table big as select random() from range(2000000)")
    assert ndcg("publish", "bi").code == 0
    whole = rows(folder / "bi", "select run_id, run from runs")
    ended: list[int] = []
    for n in range(9):
        process = subprocess.Popen(
            [sys.executable, "-m", "ndcg_sql", "publish", "bi"],
            cwd=folder,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(0.3 + n / 8)
        process.send_signal(signal.SIGINT if n % 3 else signal.SIGKILL)
        ended.append(process.wait(timeout=60))
        assert rows(folder / "bi", "select run_id, run from runs") == whole
        assert not (folder / "bi.wal").exists()
    assert any(code != 0 for code in ended)
    assert ndcg("publish", "bi").code == 0


READER = """
import time, duckdb
answers = 0
while True:
    with duckdb.connect("bi", read_only=True) as connection:
        runs, = connection.execute("select count(*) from runs").fetchone()
        ranked, = connection.execute(
            "select count(distinct run_id) from rankings").fetchone()
        valued, = connection.execute(
            "select count(distinct run) from query_values").fetchone()
    assert runs == ranked == valued >= 1, (runs, ranked, valued)
    answers += 1
    if runs == 21:
        break
    time.sleep(0.02)
print(answers)
"""


@pytest.mark.slow
def test_readers_see_whole_states_while_loads_and_publishes_go_by(
    ndcg: Command, loaded: Path
) -> None:
    folder = loaded.parent
    assert ndcg("publish", "bi").code == 0
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", READER],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    try:
        for n in range(20):
            (folder / f"run{n}").write_text(RUN)
            assert ndcg("load", "run", f"run{n}").code == 0
            assert ndcg("publish", "bi").code == 0
        for reader in readers:
            answers, fault = reader.communicate(timeout=60)
            assert fault == ""
            # Each has looked many times while the file was replaced.
            assert int(answers) > 5
    finally:
        for reader in readers:
            reader.kill()
            reader.wait()


def test_what_was_loaded_into_a_published_file_is_never_replaced(
    ndcg: Command, loaded: Path
) -> None:
    assert ndcg("publish", "bi").code == 0
    (loaded.parent / "late").write_text(RUN)
    assert ndcg("-w", "bi", "load", "run", "late").code == 0
    before = digest(loaded.parent / "bi")
    result = ndcg("publish", "bi")
    assert result.code == 2
    assert "not a published copy, or was changed since; name another" in result.err
    assert digest(loaded.parent / "bi") == before


def test_a_change_of_a_published_copy_is_told_once_it_is_made(
    ndcg: Command, loaded: Path
) -> None:
    assert ndcg("publish", "bi").code == 0
    told = (
        "warning: bi: a published copy, which now differs from its warehouse; publish"
        " no longer replaces it\n"
    )
    (loaded.parent / "late").write_text(RUN)
    (loaded.parent / "bad").write_text("q1 Q0 a\n")
    assert told not in ndcg("-w", "bi", "load", "run", "bad").err
    assert told not in ndcg("-w", "bi", "report").err
    assert told in ndcg("-w", "bi", "load", "run", "late").err
    assert told not in ndcg("-w", "bi", "remove", "run", "late").err
