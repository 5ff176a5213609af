"""In whatever system call a command is killed, the old state is left or the new one."""

import re
import shutil
import signal
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.database import opening
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.values import refill
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.publishing.plan import Publication
from ndcg_sql.publishing.publish import publish
from ndcg_sql.reports import integrity
from ndcg_sql.system.messages import Silent
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


@dataclass(frozen=True)
class Phase:
    """A command, how it begins to tell of its success, and what a file holds."""

    command: str
    told: str
    before: State
    after: dict[str, int]
    file: str = "ndcg.duckdb"


ONE = {"base": 4, "qrels": 4}
BOTH = ONE | {"other": LARGE}
PHASES = {
    "load run": Phase("load run late", "loaded", BOTH, BOTH | {"late": LARGE}),
    "load judgments": Phase(
        "load judgments many", "loaded", BOTH, BOTH | {"many": LARGE}
    ),
    "load judgments --replace": Phase(
        "load judgments many --name qrels --replace",
        "replaced",
        BOTH,
        BOTH | {"qrels": LARGE},
    ),
    "load documents": Phase(
        "load documents titles.csv", "loaded", BOTH, BOTH | {"documents": LARGE}
    ),
    "remove run": Phase("remove run other", "removed", BOTH, ONE),
    "create": Phase("load run late", "loaded", None, {"late": LARGE}),
    "publish": Phase("publish copy.duckdb", "published", ONE, BOTH, "copy.duckdb"),
    "backup": Phase("backup kept.duckdb", "backed up", None, BOTH, "kept.duckdb"),
    "merge a log": Phase("rename run base first", "renamed", BOTH, {}),
}


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
    (folder / "many").write_text("".join(f"{q} 0 {d} {n % 2}\n" for q, d, n in pairs))
    (folder / "base").write_text(RUN)
    (folder / "qrels").write_text("q1 0 a 1\nq1 0 b 2\nq2 0 a 0\nq3 0 x 1\n")
    rows = (f"{q}-{d},{n}\n" for q, d, n in pairs)
    (folder / "titles.csv").write_text("doc_id,title\n" + "".join(rows))
    path = folder / "ndcg.duckdb"
    with opening.write(path, refill) as warehouse:
        load(warehouse, "judgments", [folder / "qrels"], Options(), Silent())
        load(warehouse, "run", [folder / "base"], Options(), Silent())
    publish(
        lambda copy: opening.read(path, copy=copy),
        Publication(target=str(folder / "copy.duckdb")),
        0,
        Silent(),
    )
    with opening.write(path, refill) as warehouse:
        load(warehouse, "run", [folder / "other"], Options(), Silent())
    return folder


def restored(folder: Path, made: Path, phase: Phase) -> None:
    """Make a folder as it was."""
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(made, folder, dirs_exist_ok=True)
    (folder / "err").touch()
    if phase.before is None:
        (folder / phase.file).unlink(missing_ok=True)


def state(path: Path) -> State:
    """Return what a file holds, nothing in part; None if it holds nothing."""
    if path.name == "copy.duckdb":
        return published_state(path)
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
        integrity.check(warehouse, Silent())
        runs = warehouse.execute("select name, document_count from runs")
        sets = warehouse.execute("select name, judgment_count from judgment_sets")
        pairs = warehouse.execute("select count(*) from evaluations")
        assert pairs == [(len(runs) * len(sets),)]
        documents = warehouse.execute(
            "select 'documents', count(*) from documents having count(*) > 0"
        )
        return dict(runs + sets + documents) or None


def published_state(path: Path) -> State:
    """Return what a published file holds; its relations are of one state."""
    with duckdb.connect(str(path), read_only=True) as connection:
        counted = dict(
            connection.execute(
                "select run, count(*) from rankings group by all union all"
                " select judgment_set, count(*) from judgments group by all"
            ).fetchall()
        )
        names = "select list_sort(list(distinct run)) from"
        for relation in ("runs", "evaluations", "query_values", "run_values"):
            found = connection.execute(f"{names} {relation}").fetchone()
            assert found == (sorted(counted.keys() - {"qrels"}),)
        return counted


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in PHASES if name != "merge a log"])
def test_a_kill_leaves_the_old_state_or_the_new_one(
    tmp_path: Path, made: Path, name: str
) -> None:
    phase = PHASES[name]
    arguments = [*phase.command.split(), "--threads", "1"]
    path = tmp_path / phase.file
    seen: set[bool] = set()
    with warm(tmp_path) as command:
        restored(tmp_path, made, phase)
        every = moments(command, arguments, tmp_path)
        assert state(path) == phase.after
        for moment in sampled(every, KILLS):
            restored(tmp_path, made, phase)
            assert killed(command, arguments, moment) == -signal.SIGKILL, moment
            left = state(path)
            told = (tmp_path / "err").read_text().startswith(phase.told)
            assert left in ([phase.after] if told else [phase.before, phase.after])
            seen.add(left == phase.after)
            # What was made in part is made good by the same command; a file that was
            # only begun must be removed first, as it says.
            if left is None:
                if command(arguments) != 0:
                    fault = (tmp_path / "err").read_text()
                    assert re.search("a file without data|not a DuckDB file", fault), (
                        fault
                    )
                    path.unlink()
                    assert command(arguments) == 0
                assert state(path) == phase.after
    assert seen == {False, True} or (len(seen) == 1 and name == "backup"), seen


def torn(folder: Path, made: Path, phase: Phase) -> None:
    """Leave the log of a load without its end, and rows of a run that is not there."""
    with warm(folder, LOGGING) as command:
        restored(folder, made, phase)
        every = moments(command, TORN, folder)
        [*_, last] = (moment for moment in every if moment[0] == "fsync")
        for number in range(1, last[1] + 1):
            restored(folder, made, phase)
            assert killed(command, TORN, ("fsync", number)) == -signal.SIGKILL
            with duckdb.connect(str(folder / phase.file), read_only=True) as connection:
                sql = "select count(*), (select count(*) from store.runs)"
                found = connection.execute(f"{sql} from store.rankings").fetchall()
                if found == [(2 * LARGE + 4, 2)]:
                    return
    pytest.skip("this DuckDB keeps no rows of a log that was cut off")


def test_rows_of_a_log_without_its_end_are_removed(
    ndcg: Command, tmp_path: Path, made: Path
) -> None:
    torn(tmp_path, made, PHASES["merge a log"])
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
    phase = PHASES["merge a log"]
    torn(tmp_path, made, phase)
    start = tmp_path.with_name("start")
    shutil.copytree(tmp_path, start)
    arguments = [*phase.command.split(), "--threads", "1"]
    with warm(tmp_path) as command:
        for moment in sampled(moments(command, arguments, tmp_path), KILLS):
            restored(tmp_path, start, phase)
            assert killed(command, arguments, moment) == -signal.SIGKILL, moment
            assert ndcg("evaluate").code == 0
            renamed = {
                "first" if name == "base" else name: n for name, n in BOTH.items()
            }
            assert state(tmp_path / phase.file) in (BOTH, renamed)


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
    assert ndcg("check").err.endswith("keep the two files together\n")
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
