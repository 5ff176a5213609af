"""What a command changes or lists, a method of Warehouse does, with the same words."""

import shutil
from datetime import datetime
from pathlib import Path

import pytest

import ndcg_sql
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command
from support.files import tables as all_tables
from support.files import write_run
from support.tables import read_calls

PANEL = "query_id,doc_id,assessor,grade\nq1,a,ann,1\nq1,a,bob,2\nq1,b,ann,0\n"


@pytest.fixture
def twins(ndcg: Command, loaded: Path) -> tuple[Path, Path]:
    """Make two warehouses that hold the same, and what the commands name."""
    Path("panel.csv").write_text(PANEL)
    Path("queries.csv").write_text("query_id,device\nq1,mobile\n")
    Path("corpus.csv").write_text("doc_id,title\na,Apple\n")
    Path("log.csv").write_text(
        "query,document,action,position\nq1,a,impression,1\nq1,a,buy,1\n"
    )
    folder = Path("beir")
    (folder / "qrels").mkdir(parents=True)
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\ta\t1\n")
    (folder / "queries.jsonl").write_text('{"_id": "q1", "text": "apple"}\n')
    (folder / "corpus.jsonl").write_text('{"_id": "a", "title": "Apple"}\n')
    assert ndcg("load", "run", write_run(Path("other"), {"q1": {"c": 1}})).code == 0
    for kind, name in (
        *(("assessments", "panel.csv"), ("queries", "queries.csv")),
        ("documents", "corpus.csv"),
    ):
        assert ndcg("load", kind, name).code == 0
    return loaded, Path(shutil.copyfile(loaded, "other.duckdb"))


# A command, and what Python calls in its place, one after the other.
CHANGES = read_calls(Path(__file__).with_suffix(".txt"))


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_what_a_command_changes_python_changes_with_the_same_words(
    ndcg: Command, twins: tuple[Path, Path]
) -> None:
    one, other = twins
    warehouse = Warehouse(other)
    for command, call in CHANGES:
        result = ndcg("-w", str(one), *command.split())
        assert (result.code, result.out) == (0, ""), result.err
        # Hints, which follow on lines of their own, name options or arguments.
        told = str(eval(f"warehouse.{call}", {"warehouse": warehouse}))
        assert result.err.splitlines()[0] == told.splitlines()[0]
    assert _content(one) == _content(other)


def _content(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows of all tables, without the times of loading."""
    return {
        name: [tuple(v for v in row if not isinstance(v, datetime)) for row in rows]
        for name, rows in all_tables(path).items()
    }


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_a_script_for_another_engine_is_the_same(ndcg: Command) -> None:
    tables = ("--rankings", "shop.results", "--judgments", "shop.grades")
    asked = ("emit", "--dialect", "postgres", "-m", "nDCG@5", *tables)
    printed = ndcg(*asked, "--column", "query_id=search_id", "--one-select")
    assert printed.code == 0, printed.err
    emitted = ndcg_sql.emit(
        "postgres",
        "nDCG@5",
        rankings="shop.results",
        judgments="shop.grades",
        columns={"query_id": "search_id"},
        one_select=True,
    )
    assert "search_id" in emitted
    assert printed.out == emitted
    with pytest.raises(NdcgSqlError, match="dialect"):
        ndcg_sql.emit(
            "oracle",  # pyright: ignore[reportArgumentType]
            "AP",
            rankings="r",
            judgments="j",
        )
