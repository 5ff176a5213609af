"""Threads, memory and temporary files have limits; what does not fit is spilled."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import Mock

import duckdb
import pytest

from ndcg_sql.database import opening
from ndcg_sql.database.connections import in_memory
from ndcg_sql.database.opening import limited
from ndcg_sql.evaluation.values import refill
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.system.limits import MEMORY, Limits
from ndcg_sql.system.messages import Messages
from support import exploring
from support.commands import Command
from support.files import QRELS, RUN, digest, tables
from support.processes import begun
from support.scripts import scripted

QUERIES, DEPTH = 6000, 100
# Too little for a run of 600,000 rows, and enough for its parts.
LITTLE = ("--memory-limit", "180MB", "--threads", "1", "--temp-directory", "spill")
OF_VALUES = "select query_id, measure, value from query_values order by all"


def settings(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return what DuckDB may take."""
    names = ("threads", "memory_limit", "temp_directory")
    sql = ", ".join(f"current_setting('{name}')" for name in names)
    row = connection.execute(f"select {sql}").fetchall()[0]
    return {name: str(value) for name, value in zip(names, row, strict=True)}


test_script = scripted(__file__)


@pytest.mark.parametrize(
    ("folder", "message"),
    [("\x1b", "'\\x1b': no such directory"), ("locked", "locked: not writable\n")],
)
def test_wrong_folders_are_refused(
    ndcg: Command, loaded: Path, folder: str, message: str
) -> None:
    Path("locked").mkdir(mode=0o500)
    if folder == "locked" and os.access("locked", os.W_OK):
        pytest.skip("this user may write anywhere")
    before = digest(loaded), sorted(Path().iterdir())
    result = ndcg("list", "--temp-directory", folder)
    assert result.refusal.startswith(f"--temp-directory {message}")
    assert (digest(loaded), sorted(Path().iterdir())) == before


def test_a_file_that_is_opened_again_and_again_has_the_same_limit(loaded: Path) -> None:
    with opening.read(loaded) as held:
        before = settings(held.connection)["memory_limit"]
        for _ in range(3):
            with opening.read(loaded) as again:
                assert settings(again.connection)["memory_limit"] == before
                assert again.execute("select name from runs") == [("base",)]
        assert settings(held.connection)["memory_limit"] == before


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    "name",
    exploring.sampled(["WAREHOUSE", "THREADS", "MEMORY_LIMIT", "TEMP_DIRECTORY"], 4),
)
def test_an_empty_variable_of_the_environment_says_nothing(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    expected = ndcg("report")
    assert expected.code == 0
    monkeypatch.setenv(f"NDCG_SQL_{name}", "")
    assert ndcg("report") == expected


def test_limits_are_those_of_every_connection(loaded: Path, tmp_path: Path) -> None:
    limits = Limits(threads=1, memory=3 * 2**30, temporary=tmp_path)
    for open_it in (
        lambda: opening.read(loaded, limits=limits),
        lambda: opening.write(loaded, refill, limits=limits),
        lambda: opening.scratch(limits),
    ):
        with open_it() as warehouse:
            found = settings(warehouse.connection)
            assert (found["threads"], found["memory_limit"]) == ("1", "3.0 GiB")
            assert Path(found["temp_directory"]).parent == tmp_path
        assert list(tmp_path.glob("*ndcg-sql-*")) == []


def test_left_alone_duckdb_takes_less_than_a_container_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connection = in_memory()
    usual = "ndcg_sql.database.opening._usual_memory"
    monkeypatch.setattr(usual, Mock(return_value=64 * 10**9))
    with limited(connection, Limits(), None):
        assert settings(connection)["memory_limit"] == f"{MEMORY / 2**30:.1f} GiB"
    monkeypatch.setattr(usual, Mock(return_value=2**30))
    monkeypatch.setattr("ndcg_sql.database.opening.processors", lambda: 3)
    with limited(connection, Limits(), None):
        found = settings(connection)
        assert (found["threads"], found["memory_limit"]) == ("3", "768.0 MiB")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="not on this system")
def test_a_process_confined_to_a_processor_takes_one_thread(loaded: Path) -> None:
    code = (
        "import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))]);"
        " from ndcg_sql.__main__ import main; main()"
    )
    sql = "select current_setting('threads') as threads"
    command = [sys.executable, "-c", code, "query", sql, "--format", "csv"]
    result = subprocess.run(command, cwd=loaded.parent, capture_output=True, text=True)
    assert result.stdout == "threads\n1\n"


@pytest.fixture(autouse=True)
def unlimited(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have no variable limit the threads."""
    monkeypatch.delenv("NDCG_SQL_THREADS", raising=False)
    return here


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a warehouse of judgments, and a large run."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "spill").mkdir()
    chance = random.Random(7)
    with (folder / "large").open("w") as run, (folder / "qrels").open("w") as qrels:
        for query in range(QUERIES):
            document = ""
            for rank in range(DEPTH):
                document = f"document{chance.randrange(10**9):012}x{rank:03}"
                score = DEPTH - rank + chance.random()
                # Two blanks, so that it is staged before it is stored.
                run.write(f"q{query:06}  Q0 {document} {rank} {score!r} t\n")
            qrels.write(f"q{query:06} 0 {document} 1\n")
    with opening.write(folder / "ndcg.duckdb", refill) as warehouse:
        load(warehouse, "judgments", [folder / "qrels"], Options(), Messages())
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """Put the warehouse and the large run into an empty folder."""
    return Path(shutil.copytree(made, tmp_path / "copy"))


def spilling(folder: Path) -> "subprocess.Popen[str]":
    """Start to load the large run, and wait until not all of it fits into memory."""
    process = begun(
        [sys.executable, "-m", "ndcg_sql", "load", "run", "large", *LITTLE], folder
    )
    while not list((folder / "spill").glob("ndcg-sql-*/duckdb_temp*")):
        assert process.poll() is None, process.communicate()[1]
        time.sleep(0.001)
    return process


@pytest.mark.slow
def test_what_does_not_fit_into_memory_is_spilled(folder: Path) -> None:
    process = spilling(folder)
    out, err = process.communicate()
    assert (process.returncode, out) == (0, "")
    assert err.startswith('loaded run "large": 6000 queries, 600000 documents')
    assert list((folder / "spill").iterdir()) == []
    with opening.read(folder / "ndcg.duckdb") as warehouse:
        little = warehouse.execute(OF_VALUES)
    with opening.memory() as warehouse:
        load(warehouse, "judgments", [folder / "qrels"], Options(), Messages())
        load(warehouse, "run", [folder / "large"], Options(), Messages())
        assert warehouse.execute(OF_VALUES) == little


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_nothing_spilled_outlives_an_interrupt_or_the_command_after_a_kill(
    folder: Path, ndcg: Command, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    before, is_killed = tables(folder / "ndcg.duckdb"), number == signal.SIGKILL
    process = spilling(folder)
    process.send_signal(number)
    told = "" if is_killed else "interrupted; the warehouse is unchanged\n"
    assert process.communicate() == ("", told)
    assert process.returncode == (-number if is_killed else 130)
    assert bool(list((folder / "spill").iterdir())) == is_killed
    assert tables(folder / "ndcg.duckdb") == before
    monkeypatch.chdir(folder)
    assert ndcg("list", "--temp-directory", "spill").code == 0
    assert list((folder / "spill").iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "asked",
    [
        ("nDCG", "nDCG(dcg='exp-log2')@5", "P(rel=2)@5", "ERR@5", "Compat"),
        pytest.param(("all_trec",), marks=pytest.mark.slow),
    ],
    ids=["some", "all"],
)
def test_a_run_is_valued_alike_at_once_and_in_parts(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch, asked: tuple[str, ...]
) -> None:
    Path("qrels").write_text(QRELS)
    Path("base").write_text(RUN)
    command = ["eval", "qrels", "base", "-q", "--format", "csv"]
    command += [part for measure in asked for part in ("-m", measure)]
    at_once = ndcg(*command)
    monkeypatch.setattr("ndcg_sql.evaluation.values.MANY", 0)
    assert ndcg(*command) == at_once
    assert at_once.code == 0
