"""What a load changes, and what it leaves as it was."""

import shlex
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command, Result
from support.files import QRELS, RUN, tables
from support.scripts import scripted

test_script = scripted(__file__)


@pytest.mark.slow
def test_a_second_judgment_set_leaves_every_old_value_to_the_bit(
    ndcg: Command, loaded: Path
) -> None:
    old = {name: found for name, found in tables(loaded).items() if found}
    Path("better").write_text("q1 0 a 0.3\nq1 0 u 3\nq3 0 a 1\n")
    assert ndcg("load", "judgments", "better").code == 0
    new = tables(loaded)
    for name, found in old.items():
        assert set(map(repr, found)) <= set(map(repr, new[name])), name
    assert (len(new["judgment_sets"]), len(new["evaluations"])) == (2, 2)


# Commands, and one that takes back what they did.
TAKEN_BACK = {
    "a run": ("load run deep --tag a=b", "remove run deep"),
    "judgments": ("load judgments newer", "remove judgments newer"),
    "a dataset": (
        "load queries queries.csv --dataset shop|load judgments qrels --dataset shop"
        "|load run base --dataset shop|measures add P@3 --dataset shop",
        "remove dataset shop",
    ),
    "a name": ("rename run base bm25", "rename run bm25 base"),
    "a name of judgments": (
        "rename judgments qrels other",
        "rename judgments other qrels",
    ),
    "a name of a dataset": ("rename dataset default x", "rename dataset x default"),
    "tags and a time": (
        "tag run base model=bm25 --run-at 2026-01-31",
        "tag run base model= --run-at ''",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", TAKEN_BACK)
def test_what_is_taken_back_leaves_no_row(
    ndcg: Command, loaded: Path, case: str
) -> None:
    texts = {"qrels": QRELS, "base": RUN, "newer": "q1 0 a 3\n"}
    texts["deep"] = "".join(f"q1 Q0 {d} 1 {9 - n} t\n" for n, d in enumerate("abcde"))
    texts["queries.csv"] = "query_id,text,device\nq1,x,phone\nq2,,desktop\n"
    for name, text in texts.items():
        Path(name).write_text(text)
    before, report = tables(loaded), ndcg("report", "--format", "csv").out
    done, taken_back = TAKEN_BACK[case]
    for command in done.split("|"):
        assert ndcg(*shlex.split(command)).code == 0
    assert tables(loaded) != before
    assert ndcg("check", "--quiet").code == 0
    assert ndcg(*shlex.split(taken_back)).code == 0
    after = tables(loaded)
    # Measures share positions.
    del before["positions"], after["positions"]
    assert after == before
    assert ndcg("report", "--format", "csv").out == report


@pytest.mark.slow
def test_a_dataset_is_renamed_with_all_that_is_in_it(
    ndcg: Command, loaded: Path
) -> None:
    Path("queries.csv").write_text("query_id,text,device\nq1,apple,phone\n")
    Path("documents.csv").write_text("doc_id,title\na,Apple\n")
    for kind in ("queries", "documents"):
        assert ndcg("load", kind, f"{kind}.csv").code == 0
    assert ndcg("measures", "add", "P@5", "--dataset", "default").code == 0
    before = tables(loaded)
    report = ndcg("report", "--by", "device", "--format", "csv").out
    result = ndcg("rename", "dataset", "default", "shop")
    assert result == Result(0, "", 'renamed dataset "default" to "shop"\n')
    named = {
        table: [tuple("shop" if x == "default" else x for x in row) for row in rows]
        for table, rows in before.items()
    }
    assert tables(loaded) == {k: sorted(rows, key=repr) for k, rows in named.items()}
    own = ndcg("report", "--by", "device", "--format", "csv").out
    assert own == report.replace("default", "shop")
    assert ndcg("check", "--quiet").code == 0


@pytest.mark.slow
def test_removing_and_loading_again_and_again_keeps_the_file_small(here: Path) -> None:
    lines = (
        f"q{q} Q0 d{d * 7 % 997 + q} 0 {d}.5 t\n" for q in range(97) for d in range(99)
    )
    (here / "base").write_text("".join(lines))
    for n in range(exploring.amount(8, 100)):
        warehouse = Warehouse("ndcg.duckdb")
        if n:
            warehouse.remove("run", "base")
        warehouse.load_run("base")
    with duckdb.connect() as connection:
        connection.execute("attach 'ndcg.duckdb' as old (read_only)")
        connection.execute("attach 'copy.duckdb' as new (storage_version 'v1.0.0')")
        connection.execute("copy from database old to new")
    assert Path("ndcg.duckdb").stat().st_size <= 3 * Path("copy.duckdb").stat().st_size
