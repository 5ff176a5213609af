"""A published file is whole, whatever happens meanwhile, and replaces only its kind."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.database import opening, views
from ndcg_sql.publishing import files
from ndcg_sql.publishing.plan import Publication, plan
from support.commands import Command, Once
from support.files import RUN, digest
from support.locks import held
from support.published import assert_equal
from support.scripts import scripted

pytestmark = pytest.mark.mostly_slow

PUBLIC = sorted(views.public())
DESCRIBED = (
    "select table_name, column_name, data_type, column_index, comment"
    " from duckdb_columns() where schema_name = 'main' and not internal"
)
COMMENTS = (
    "select view_name, comment from duckdb_views() where schema_name = 'main'"
    " and not internal union all"
    " select table_name, comment from duckdb_tables() where schema_name = 'main'"
)
EVERYTHING = (
    "select table_name from duckdb_tables() union all select view_name"
    " from duckdb_views() where not internal"
)


def rows(path: Path, sql: str) -> list[Any]:
    """Return the rows of a select on a file, in order."""
    with duckdb.connect(str(path), read_only=True) as connection:
        return sorted(connection.execute(sql).fetchall(), key=repr)


def beside(path: Path) -> list[str]:
    """Return the names of all files in a file's folder."""
    return sorted(file.name for file in path.parent.iterdir())


@pytest.fixture
def bi(
    ndcg: Command,
    loaded: Path,  # noqa: ARG001 - what is published
    once: Once,
) -> None:
    """Publish a warehouse."""

    def publish() -> None:
        assert ndcg("publish", "bi").code == 0

    once(publish)


def test_the_public_relations_are_there_as_tables_and_nothing_else(
    ndcg: Command,
) -> None:
    assert ndcg("demo").code == 0
    published = Path("bi.duckdb")
    result = ndcg("publish", "bi.duckdb")
    assert (result.code, result.out) == (0, "")
    assert result.err == 'published "bi.duckdb": a DuckDB file\n'
    assert beside(published) == ["bi.duckdb", "ndcg.duckdb"]
    own = Path("ndcg.duckdb")
    assert rows(published, EVERYTHING) == [
        (name,) for name in sorted([*PUBLIC, "parts"])
    ]
    for sql in (DESCRIBED, COMMENTS):
        assert rows(published, sql) == rows(own, sql) != []
    assert_equal("bi.duckdb")
    select = ("query", "from run_values order by all", "--format", "json")
    assert ndcg("-w", "bi.duckdb", *select) == ndcg(*select)


@pytest.mark.usefixtures("bi")
def test_what_has_not_changed_is_not_written_again(ndcg: Command, loaded: Path) -> None:
    folder = loaded.parent
    before = (folder / "bi").stat()
    was = (before.st_ino, before.st_mtime_ns)
    result = ndcg("publish", "bi")
    assert result.err == '"bi" is up to date; nothing to publish\n'
    after = (folder / "bi").stat()
    assert (after.st_ino, after.st_mtime_ns) == was


def test_a_view_that_reads_a_new_table_is_published_when_that_changes(
    ndcg: Command, loaded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changed_by(sql: str) -> set[tuple[str, str]]:
        """Return the parts that are published after a change."""
        request = Publication(target="bi")
        with opening.read(loaded) as database:
            before = plan(database, request).fingerprints
        with duckdb.connect(str(loaded)) as connection:
            connection.execute(sql)
        with opening.read(loaded) as database:
            after = plan(database, request).fingerprints
        return {part for part, mark in after.items() if before.get(part) != mark}

    Path("other").write_text(RUN)
    assert ndcg("load", "run", "other").code == 0
    with duckdb.connect(str(loaded)) as connection:
        connection.execute("create table store.notes (run_id integer, note varchar)")
    note = "insert into store.notes values ((select min(run_id) from store.runs), 'a')"
    assert changed_by(note) == set()
    for name in ("rankings", "runs"):
        view = views.public()[name]
        select = f"{view.select} left join store.notes using (run_id)"
        monkeypatch.setitem(views.public(), name, replace(view, select=select))
    assert changed_by(note) == {("rankings", "1"), ("runs", "default")}


@pytest.mark.quick
@pytest.mark.usefixtures("bi")
def test_every_client_opens_it() -> None:
    sql = "select tags['storage_version'] from duckdb_databases() where not internal"
    assert str(rows(Path("bi"), sql)[0][0]).strip("[]'") == "v1.0.0+"


test_script = scripted(__file__)


def others(folder: Path) -> Iterator[tuple[str, str]]:
    """Make targets that are nobody's to replace; give each with the reason."""
    taken = "exists and is not a published copy; name another file, or remove it"
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
    for name in ("pipe", "/dev/null"):
        yield name, "not a regular file; name another"
    yield ".", "exists and is not a published folder; name another, or remove it"
    yield "text/", "exists and is not a published folder; name another, or remove it"
    yield "no/bi", "the directory does not exist"


def test_nothing_else_is_replaced(ndcg: Command, loaded: Path) -> None:
    folder = loaded.parent
    for name, reason in others(folder):
        before = {file: digest(file) for file in folder.iterdir() if file.is_file()}
        assert ndcg("publish", name).refusal == f"{name.rstrip('/')}: {reason}\n"
        after = {file: digest(file) for file in folder.iterdir() if file.is_file()}
        assert after == before


@pytest.mark.usefixtures("bi")
def test_a_log_beside_the_target_is_never_taken_for_that_of_the_new_one(
    ndcg: Command, loaded: Path
) -> None:
    code = (
        "import duckdb, os; connection = duckdb.connect('bi');"
        "connection.execute('create table changed as select 1');"
        "os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=loaded.parent, check=True)
    before = digest(Path("bi"))
    Path("to_bi").symlink_to("bi")
    for target in ("bi", "to_bi"):
        assert ndcg("publish", target).refusal == (
            f"{'' if target == 'bi' else f'{loaded.parent}/'}bi.wal: the log of a"
            " change to the published file; name another target, or remove both"
            " files\n"
        )
    assert digest(Path("bi")) == before


@pytest.mark.usefixtures("bi")
def test_a_writer_of_the_target_is_waited_for(ndcg: Command) -> None:
    published = Path("bi")
    with held(published, "write", 0.5):
        assert ndcg("publish", "bi").code == 0
    with held(published, "write", 60) as pid:
        result = ndcg("publish", "bi", "--timeout", "0.1")
    assert result.refusal.startswith("bi: in use by ")
    assert f"(PID {pid})" in result.err


@pytest.mark.usefixtures("bi")
@pytest.mark.parametrize("fault", [KeyboardInterrupt, OSError(28, "No space left")])
def test_a_failure_leaves_the_old_one(
    ndcg: Command,
    loaded: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: BaseException | type[BaseException],
) -> None:
    before, names = digest(Path("bi")), beside(loaded)
    assert ndcg("tag", "run", "base", "model=a").code == 0
    names = beside(loaded)
    change = files._change  # pyright: ignore[reportPrivateUsage]

    def fail(*arguments: Any) -> None:
        change(*arguments)
        raise fault

    monkeypatch.setattr(files, "_change", fail)
    result = ndcg("publish", "bi")
    assert (result.code, result.out) == (130 if fault is KeyboardInterrupt else 2, "")
    assert digest(Path("bi")) == before
    assert beside(loaded) == names


@pytest.mark.usefixtures("bi")
def test_an_interrupt_or_kill_at_any_time_leaves_a_whole_one(
    ndcg: Command, loaded: Path
) -> None:
    folder = loaded.parent
    whole = rows(folder / "bi", "select run_id, run from runs")
    ended: list[int] = []
    for n in range(9):
        assert ndcg("tag", "run", "base", f"model={n}").code == 0
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
