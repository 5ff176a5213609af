"""Kills of a first load, and what they left in logs; benchmarks/faults.py has more."""

import re
import shutil
import signal
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.comparison.answers import Context
from ndcg_sql.database import opening
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.values import refill
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.reports import integrity
from ndcg_sql.system.messages import Messages
from support import exploring
from support.commands import Command
from support.files import RUN
from support.kills import (
    LOGGING,
    killed,
    killed_before_checkpoint,
    moments,
    sampled,
    untraceable,
    warm,
)

# How many of each kind of system call, beside the last two.
KILLS = exploring.amount(1, 1000)
State = dict[str, int] | None
# More rows than one group of DuckDB, which it writes to the file before the commit.
QUERIES, DEPTH = 130, 1000
LARGE = QUERIES * DEPTH
# What was left by an older command that was killed before the end of its log.
TORN = ("load", "run", "late", "--name", "torn", "--threads", "1")


BOTH = {"base": 4, "qrels": 4, "other": LARGE}
CREATE = ("load", "run", "late", "--threads", "1")
MERGE = ("rename", "run", "base", "first", "--threads", "1")
FILE = "ndcg.duckdb"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a warehouse of two runs, and files to load."""
    if why := untraceable():
        pytest.skip(why)
    folder = tmp_path_factory.mktemp("made")
    pairs = [(f"q{q}", f"d{d}", d) for q in range(QUERIES) for d in range(DEPTH)]
    for name in ("late", "other"):
        (folder / name).write_text(
            "".join(f"{q} Q0 {d} 0 -{n} t\n" for q, d, n in pairs)
        )
    (folder / "base").write_text(RUN)
    (folder / "qrels").write_text("q1 0 a 1\nq1 0 b 2\nq2 0 a 0\nq3 0 x 1\n")
    with opening.write(folder / FILE, refill) as warehouse:
        load(warehouse, "judgments", [folder / "qrels"], Options(), Messages())
        for name in ("base", "other"):
            load(warehouse, "run", [folder / name], Options(), Messages())
    return folder


def restore(folder: Path, made: Path) -> None:
    """Make a folder as it was."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(made, folder, dirs_exist_ok=True)
    (folder / "err").touch()


def state(path: Path) -> State:
    """Return what a file holds, nothing in part; None if it holds nothing."""
    try:
        warehouse = opening.read(path)
    except NdcgSqlError as error:
        if re.search(
            "no such warehouse|not a (warehouse|DuckDB file)|a file without data",
            str(error),
        ):
            return None
        raise
    with warehouse:
        integrity.check(Context(warehouse, Messages()))
        runs = warehouse.execute("select name, document_count from runs")
        sets = warehouse.execute("select name, judgment_count from judgment_sets")
        pairs = warehouse.execute("select count(*) from evaluations")
        assert pairs == [(len(runs) * len(sets),)]
        documents = warehouse.execute(
            "select 'documents', count(*) from documents having count(*) > 0"
        )
        return dict(runs + sets + documents) or None


@pytest.mark.slow
def test_a_kill_of_a_first_load_leaves_nothing_or_all(
    tmp_path: Path, made: Path
) -> None:
    path, after = tmp_path / FILE, {"late": LARGE}
    seen: set[bool] = set()
    with warm(tmp_path) as command:
        restore(tmp_path, made)
        path.unlink()
        every = moments(command, CREATE, tmp_path)
        assert state(path) == after
        for moment in sampled(every, KILLS):
            restore(tmp_path, made)
            path.unlink()
            assert killed(command, CREATE, moment) == -signal.SIGKILL, moment
            left = state(path)
            is_told = (tmp_path / "err").read_text().startswith("loaded")
            assert left in ([after] if is_told else [None, after])
            seen.add(left == after)
            # What was made in part is made good by the same command; a file that was
            # only begun must be removed first, as it says.
            if left is None:
                if command(CREATE) != 0:
                    fault = (tmp_path / "err").read_text()
                    assert re.search("a file without data|not a DuckDB file", fault), (
                        fault
                    )
                    path.unlink()
                    assert command(CREATE) == 0
                assert state(path) == after
    assert seen == {False, True}


def tear(folder: Path, made: Path) -> None:
    """Leave the log of a load without its end, and rows of a run that is not there."""
    with warm(folder, LOGGING) as command:
        restore(folder, made)
        every = moments(command, TORN, folder)
        [*_, last] = (moment for moment in every if moment[0] == "fsync")
        for number in range(1, last[1] + 1):
            restore(folder, made)
            assert killed(command, TORN, ("fsync", number)) == -signal.SIGKILL
            with duckdb.connect(str(folder / FILE), read_only=True) as connection:
                sql = "select count(*), (select count(*) from store.runs)"
                found = connection.execute(f"{sql} from store.rankings").fetchall()
                if found == [(2 * LARGE + 4, 2)]:
                    return
    pytest.skip("this DuckDB keeps no rows of a log that was cut off")


@pytest.mark.slow
def test_rows_of_a_log_without_its_end_are_removed(
    ndcg: Command, tmp_path: Path, made: Path
) -> None:
    tear(tmp_path, made)
    path = tmp_path / "ndcg.duckdb"
    fault = ndcg("check").err.splitlines()[2:]
    assert fault == [
        f'table "rankings": {LARGE} rows belong to the "run" number "3", which does not'
        " exist; the next command that writes, such as evaluate, removes them"
    ]
    shown = "select count(*) as n from rankings"
    assert ndcg("query", shown, "--format", "csv").out == f"n\n{LARGE + 4}\n"
    assert ndcg("evaluate").err.splitlines()[0] == (
        f"ndcg.duckdb: removed {LARGE} rows that an interrupted command left behind"
    )
    assert not path.with_name("ndcg.duckdb.wal").exists()
    assert state(path) == BOTH
    assert "removed" not in ndcg("evaluate").err


@pytest.mark.slow
def test_a_kill_while_such_a_log_is_merged_loses_nothing(
    ndcg: Command, tmp_path: Path, made: Path
) -> None:
    tear(tmp_path, made)
    start = tmp_path.with_name(f"{tmp_path.name}-start")
    shutil.copytree(tmp_path, start)
    with warm(tmp_path) as command:
        for moment in sampled(moments(command, MERGE, tmp_path), KILLS):
            restore(tmp_path, start)
            # Not every merge takes as many calls.
            assert killed(command, MERGE, moment) in (-signal.SIGKILL, 0), moment
            assert ndcg("evaluate").code == 0
            renamed = {
                "first" if name == "base" else name: n for name, n in BOTH.items()
            }
            assert state(tmp_path / FILE) in (BOTH, renamed)


@pytest.mark.slow
def test_a_first_load_that_is_killed_after_its_commit_is_there(
    ndcg: Command, tmp_path: Path
) -> None:
    (tmp_path / "base").write_text(RUN)
    (tmp_path / "late").write_text(RUN)
    killed_before_checkpoint(tmp_path, "load", "run", "base")
    names = "select run, document_count from runs order by run_id"
    path, log = tmp_path / "ndcg.duckdb", tmp_path / "ndcg.duckdb.wal"

    # Read only, by ndcg-sql and by any client: the log is read, and stays.
    assert state(path) == {"base": 4}
    assert "keep the two files together\n" in ndcg("check").err
    with duckdb.connect(str(path), read_only=True) as connection:
        assert connection.execute(names).fetchall() == [("base", 4)]
    assert log.exists()

    # For writing: it is folded in.
    own = tmp_path / "own"
    own.mkdir()
    for file in (path, log):
        shutil.copyfile(file, own / file.name)
    with duckdb.connect(str(own / path.name)) as connection:
        assert connection.execute(names).fetchall() == [("base", 4)]
    assert ndcg("load", "run", "late").code == 0
    assert not log.exists()
    assert state(path) == {"base": 4, "late": 4}
