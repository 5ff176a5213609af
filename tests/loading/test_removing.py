"""What is removed is gone with all that hangs on it, and nothing else is."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.database import opening
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.values import refill
from ndcg_sql.loading.removing import remove_named
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.system.messages import Silent
from support import exploring
from support.commands import Command, Once
from support.files import QRELS, RUN, digest
from support.files import tables as all_tables

pytestmark = pytest.mark.slow

DEEP = "q1 Q0 a 1 9 t\nq1 Q0 b 1 8 t\nq1 Q0 c 1 7 t\nq1 Q0 d 1 6 t\nq1 Q0 e 1 5 t\n"


def tables(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table but positions, which measures share."""
    found = all_tables(path)
    del found["positions"]
    return found


@pytest.fixture
def files(ndcg: Command, loaded: Path, once: Once) -> Path:
    """Put a warehouse of two runs, and files to load, into place."""

    def fill() -> None:
        for name, text in (("qrels", QRELS), ("base", RUN), ("deep", DEEP)):
            (loaded.parent / name).write_text(text)
        assert ndcg("load", "run", "deep", "--tag", "a=b").code == 0

    once(fill)
    return loaded


def test_a_run_is_removed_with_all_that_hangs_on_it(
    ndcg: Command, files: Path, loaded_file: Path
) -> None:
    result = ndcg("remove", "run", "deep")
    assert (result.code, result.out) == (0, "")
    assert result.err == (
        'removed run "deep" of dataset "default": 1 query, 5 documents, 1 evaluation\n'
    )
    assert tables(files) == tables(loaded_file)
    assert ndcg("check", "--quiet").code == 0


def test_positions_stay_as_deep_as_the_runs_and_measures_that_are_left(
    ndcg: Command, files: Path
) -> None:
    Path("deeper").write_text("".join(f"q Q0 d{n} 0 {n} t\n" for n in range(500)))
    Path("last").write_text("".join(f"q Q0 d{n} 0 {n} t\n" for n in range(200)))
    depths: list[int] = []
    assert ndcg("measures", "add", "SDCG(max_rel=3)@100").code == 0
    assert ndcg("load", "run", "deeper", "last").code == 0
    for name in ("deeper", "last"):
        depths.append(len(all_tables(files)["positions"]))
        assert ndcg("remove", "run", name).code == 0
        assert ndcg("check", "--quiet").code == 0
    assert [*depths, len(all_tables(files)["positions"])] == [500, 200, 100]


def test_judgments_are_removed_and_reports_take_those_before(
    ndcg: Command, files: Path
) -> None:
    before = tables(files)
    report = ndcg("report", "--format", "csv").out
    Path("newer").write_text("q1 0 a 3\n")
    assert ndcg("load", "judgments", "newer").code == 0
    assert ",newer," in ndcg("report", "--format", "csv").out
    result = ndcg("remove", "judgments", "newer")
    assert result.err == (
        'removed judgment set "newer" of dataset "default":'
        " 1 query, 1 judgment, 2 evaluations\n"
    )
    assert tables(files) == before
    assert ndcg("report", "--format", "csv").out == report


def test_a_dataset_is_removed_with_what_is_known_of_its_queries(
    ndcg: Command, files: Path
) -> None:
    before = tables(files)
    Path("queries.csv").write_text("query_id,text,device\nq1,x,phone\nq2,,desktop\n")
    shop = ("--dataset", "shop")
    assert ndcg("load", "queries", "queries.csv", *shop).code == 0
    assert ndcg("load", "judgments", "qrels", *shop).code == 0
    assert ndcg("load", "run", "base", *shop).code == 0
    # Without its only dataset, it would be registered for every one.
    assert ndcg("measures", "add", "P@3", *shop).code == 0
    result = ndcg("remove", "dataset", "shop")
    assert result.err == ('removed dataset "shop": 1 run, 1 judgment set, 2 queries\n')
    assert tables(files) == before


@pytest.mark.usefixtures("files")
def test_a_dataset_of_nothing_but_queries_is_removed(ndcg: Command) -> None:
    Path("queries.csv").write_text("query_id,text\nq1,x\n")
    assert ndcg("load", "queries", "queries.csv", "--dataset", "shop").code == 0
    assert ndcg("remove", "dataset", "shop").err == (
        'removed dataset "shop": 0 runs, 0 judgment sets, 1 query\n'
    )
    assert ndcg("remove", "dataset", "shop").code == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("run", "bsae"), 'no run "bsae"; did you mean "base"?'),
        (("run", "base", "nix"), 'no run "nix"; known: "base", "deep"'),
        (("run", "qrels"), 'no run "qrels"; known: "base", "deep"'),
        (("judgments", "qrel"), 'no judgment set "qrel"; did you mean "qrels"?'),
        (("dataset", "defualt"), 'no dataset "defualt"; did you mean "default"?'),
        (
            ("run", "base", "--dataset", "shop"),
            'no dataset "shop"; known: "default"',
        ),
    ],
)
def test_a_name_that_is_not_there_is_told_and_nothing_is_removed(
    ndcg: Command, files: Path, arguments: tuple[str, ...], told: str
) -> None:
    before = digest(files)
    assert ndcg("remove", *arguments).refusal == told + "\n"
    assert digest(files) == before


def test_tables_of_the_user_keep_their_rows(ndcg: Command, files: Path) -> None:
    with duckdb.connect(str(files)) as connection:
        connection.execute("create table own as select 1 as run_id, 'default' dataset")
        connection.execute("create schema shop")
        connection.execute("create table shop.runs as select 1 as run_id")
    assert ndcg("remove", "dataset", "default").code == 0
    with duckdb.connect(str(files)) as connection:
        assert connection.execute("from own").fetchall() == [(1, "default")]
        assert connection.execute("from shop.runs").fetchall() == [(1,)]


@pytest.mark.parametrize(
    "command", [("remove", "run", "base"), ("remove", "dataset", "a"), ("evaluate",)]
)
@pytest.mark.usefixtures("bare")
def test_where_there_is_no_warehouse_none_is_made(
    ndcg: Command, command: tuple[str, ...]
) -> None:
    assert ndcg(*command).refusal == (
        "ndcg.duckdb: no such warehouse; ndcg-sql load judgments FILE creates one\n"
    )
    with duckdb.connect(str(Path("ndcg.duckdb"))) as connection:
        connection.execute("create table sales as select 1 as amount")
    before = digest(Path("ndcg.duckdb"))
    assert "but not a warehouse" in ndcg(*command).err
    assert digest(Path("ndcg.duckdb")) == before


@pytest.mark.parametrize("times", [exploring.amount(8, 100)])
def test_removing_and_loading_again_and_again_keeps_the_file_small(
    tmp_path: Path, times: int
) -> None:
    path, copy = tmp_path / "ndcg.duckdb", tmp_path / "copy.duckdb"
    lines = (
        f"q{q} Q0 d{d * 7 % 997 + q} 0 {d}.5 t\n" for q in range(97) for d in range(99)
    )
    (tmp_path / "base").write_text("".join(lines))
    for n in range(times):
        with opening.write(path, refill) as warehouse:
            load(warehouse, "run", [tmp_path / "base"], Options(), Silent())
        if n < times - 1:
            with opening.write(path, refill) as warehouse:
                remove_named(warehouse, Silent(), "run", ("base",), None, is_dry=False)
    with duckdb.connect() as connection:
        connection.execute(f"attach '{path}' as old (read_only)")
        connection.execute(f"attach '{copy}' as new (storage_version 'v1.0.0')")
        connection.execute("copy from database old to new")
    assert path.stat().st_size <= 3 * copy.stat().st_size


def test_what_is_not_evaluated_yet_is_evaluated_once(
    ndcg: Command, files: Path
) -> None:
    Path("newer").write_text("q1 0 a 3\n")
    assert ndcg("load", "judgments", "newer", "--no-evaluate").code == 0
    report = ndcg("report", "--format", "csv").out
    result = ndcg("evaluate", "--run", "deep")
    assert (result.code, result.out) == (0, "")
    assert result.err == 'evaluated run "deep" with "newer"\n'
    assert ndcg("evaluate").err == 'evaluated run "base" with "newer"\n'
    before = digest(files)
    assert ndcg("evaluate").err == "all of these are already evaluated; nothing to do\n"
    assert digest(files) == before
    assert len(tables(files)["evaluations"]) == 4
    assert ndcg("report", "--format", "csv").out == report
    assert ndcg("check", "--quiet").code == 0


@pytest.mark.usefixtures("files")
def test_evaluating_takes_the_judgments_and_the_dataset_that_are_named(
    ndcg: Command,
) -> None:
    assert ndcg("load", "run", "base", "--dataset", "shop").code == 0
    Path("newer").write_text("q1 0 a 3\n")
    assert ndcg("load", "judgments", "newer").code == 0
    assert ndcg("load", "run", "base", "--name", "late").code == 0
    result = ndcg("evaluate", "--judgments", "qrels", "--dataset", "default")
    assert result.err == 'evaluated run "late" with "qrels"\n'
    assert ndcg("evaluate").err.splitlines() == [
        'dataset "shop" has no judgments; its runs are omitted',
        "all of these are already evaluated; nothing to do",
    ]
    result = ndcg("evaluate", "--judgments", "qerls")
    assert result.refusal == 'no judgment set "qerls"; did you mean "qrels"?\n'


@pytest.mark.usefixtures("files")
def test_runs_that_the_named_judgments_leave_out_are_told(ndcg: Command) -> None:
    Path("other").write_text(QRELS)
    for command in (["run", "base"], ["judgments", "other"]):
        assert ndcg("load", *command, "--dataset", "shop").code == 0
    result = ndcg("report", "--judgments", "qrels", "--format", "csv")
    assert result.code == 0
    assert result.err == (
        'dataset "shop" has no judgment set "qrels"; its runs are omitted\n'
    )
    assert ",shop," not in result.out
    # What is wrong is told alone.
    assert ndcg("report", "--judgments", "qrels", "--by", "x").err.startswith("--by x")


@pytest.fixture
def exports(ndcg: Command, files: Path) -> Path:
    """Load runs whose names follow a pattern, with a tag, a time and given ranks."""
    Path("bm25-w1").write_text(RUN)
    Path("bm25-w2").write_text(RUN)
    weekly = ("load", "run", "bm25-w1", "bm25-w2")
    given = ("--tag", "week=W 1", "--run-at", "2026-01-31T23:59:00")
    assert ndcg(*weekly, *given, "--positions", "given").code == 0
    return files


def test_a_pattern_removes_what_matches_after_a_dry_run(
    ndcg: Command, exports: Path
) -> None:
    before = digest(exports)
    result = ndcg("remove", "run", "bm25-*", "deep", "--dry-run")
    assert (result.code, result.out) == (0, "")
    counts = "2 queries, 4 documents, 1 evaluation\n"
    assert result.err == (
        f'would remove run "bm25-w1" of dataset "default": {counts}'
        f'would remove run "bm25-w2" of dataset "default": {counts}'
        'would remove run "deep" of dataset "default": 1 query, 5 documents,'
        " 1 evaluation\n"
    )
    own = Warehouse(exports)
    assert own.remove("run", ["bm25-*", "deep"], dry_run=True) == result.err.rstrip()
    assert digest(exports) == before
    assert ndcg("remove", "run", "bm25-*").err.count("removed run") == 2
    assert [row[2] for row in all_tables(exports)["runs"]] == ["base", "deep"]


def test_a_pattern_in_several_datasets_needs_one(ndcg: Command, exports: Path) -> None:
    assert ndcg("load", "run", "bm25-w1", "--dataset", "shop").code == 0
    for arguments in (("tag", "run", "bm25-*", "a=b"), ("remove", "run", "bm25-*")):
        before = digest(exports)
        for options in ((), ("--dry-run",)):
            assert ndcg(*arguments, *options).refusal == (
                'run "bm25-*" is in several datasets; choose one with --dataset:'
                ' "default", "shop"\n'
            )
        assert digest(exports) == before
        assert ndcg(*arguments, "--dataset", "shop").code == 0
    with pytest.raises(NdcgSqlError, match=r'^no run "x\*"; '):
        Warehouse(exports).remove("run", "x*")
