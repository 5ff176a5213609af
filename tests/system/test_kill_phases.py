"""Whatever a command is killed in, the old state is left or the new one."""

import random
import re
import shutil
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.database import opening
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.values import refill
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.output.publishing import files
from ndcg_sql.output.publishing.parts import Compared
from ndcg_sql.reports import integrity
from ndcg_sql.requests.shared import Request
from ndcg_sql.system.messages import Silent
from support import exploring
from support.commands import Command
from support.files import RUN
from support.kills import Warm, killed_before_checkpoint, warm

# Of each phase.
KILLS = exploring.amount(5, 60)
SEED = 4711
QUERIES, DEPTH = 100, 50
State = dict[str, int] | None


@dataclass(frozen=True)
class Phase:
    """A command, how it begins to tell of its success, and what a file holds."""

    arguments: list[str]
    told: str
    before: State
    after: dict[str, int]
    file: str = "ndcg.duckdb"


LARGE = QUERIES * DEPTH
ONE = {"base": LARGE // 2, "qrels": QUERIES * 3}
BOTH = ONE | {"other": LARGE}
PHASES = {
    "load": Phase(["load", "run", "late"], "loaded", BOTH, BOTH | {"late": LARGE}),
    "replace": Phase(
        ["load", "run", "late", "--name", "base", "--replace"],
        "replaced",
        BOTH,
        BOTH | {"base": LARGE},
    ),
    "remove": Phase(["remove", "run", "other"], "removed", BOTH, ONE),
    "create": Phase(["load", "run", "late"], "loaded", None, {"late": LARGE}),
    "publish": Phase(["publish", "copy.duckdb"], "published", ONE, BOTH, "copy.duckdb"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder with a warehouse of two runs, and a run to load."""
    folder = tmp_path_factory.mktemp("made")
    queries, depths = range(QUERIES), range(DEPTH)
    for name, shown in (("late", depths), ("other", depths), ("base", depths[::2])):
        lines = (f"q{q} Q0 d{d} 0 {d * 7 % 50}.5 t\n" for q in queries for d in shown)
        (folder / name).write_text("".join(lines))
    lines = (f"q{q} 0 d{d} 1\n" for q in queries for d in (1, 8, 99))
    (folder / "qrels").write_text("".join(lines))
    with opening.write(folder / "ndcg.duckdb", refill) as warehouse:
        load(warehouse, "judgments", [folder / "qrels"], Options(), Silent())
        load(warehouse, "run", [folder / "base"], Options(), Silent())
    files.publish(
        lambda copy: opening.read(folder / "ndcg.duckdb", copy=copy),
        folder / "copy.duckdb",
        Compared(),
        0,
        Silent(),
    )
    with opening.write(folder / "ndcg.duckdb", refill) as warehouse:
        load(warehouse, "run", [folder / "other"], Options(), Silent())
    return folder


def state(path: Path) -> State:
    """Return what a file holds, nothing in part; None if it holds nothing."""
    if path.name == "copy.duckdb":
        return published_state(path)
    try:
        warehouse = opening.read(path)
    except NdcgSqlError as error:
        if re.search(
            "no such warehouse|not a (warehouse|DuckDB file)|an empty file", str(error)
        ):
            return None
        raise
    with warehouse:
        integrity.answer(warehouse, Silent(), Request())
        runs = warehouse.execute("select name, document_count from runs")
        sets = warehouse.execute("select name, judgment_count from judgment_sets")
        pairs = warehouse.execute("select count(*) from evaluations")
        assert pairs == [(len(runs) * len(sets),)]
        return dict(runs + sets) or None


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
@pytest.mark.parametrize("name", PHASES)
def test_a_kill_leaves_the_old_state_or_the_new_one(
    tmp_path: Path, made: Path, name: str
) -> None:
    with warm(tmp_path) as command:
        check_phase(PHASES[name], tmp_path, made, command)


def check_phase(phase: Phase, tmp_path: Path, made: Path, command: Warm) -> None:
    """Kill a command at random moments, and look at what it left."""
    path = tmp_path / phase.file
    chance = random.Random(SEED)

    def restored() -> None:
        shutil.rmtree(tmp_path)
        shutil.copytree(made, tmp_path)
        (tmp_path / "err").touch()
        if phase.before is None:
            path.unlink()

    restored()
    assert command(None, phase.arguments) == 0
    restored()
    start = time.monotonic()
    assert command(None, phase.arguments) == 0
    duration = time.monotonic() - start
    assert state(path) == phase.after

    killed = reported = 0
    for n in range(KILLS):
        restored()
        moment = chance.uniform(0, duration)
        code = command(moment, phase.arguments)
        assert code in (0, -signal.SIGKILL)
        # It was done before: the first run, which told how long it takes, was slow.
        if code == 0:
            duration = min(duration, moment)
        killed += code == -signal.SIGKILL
        told = (tmp_path / "err").read_text().startswith(phase.told)
        reported += told
        left = state(path)
        new = told or code == 0
        assert left in ([phase.after] if new else [phase.before, phase.after])
        # What was made in part is made good by the same command.
        if left is None or (n % 10 == 0 and left == phase.before):
            assert command(None, phase.arguments) == 0
            assert state(path) == phase.after
    assert killed > KILLS / 2
    assert reported < KILLS


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
