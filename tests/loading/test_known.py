"""Loading what queries know: forms of files, refusals, and what becomes of it."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.frames import database_rows
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command
from support.files import shown
from support.libraries import library
from support.refusals import CORRECT, remedy

ALL = "select query_id, doc_id, known_count, known_at from known_documents order by all"
PLAIN = [("q1", "a", 1, None), ("q1", "b", 1, None), ("q2", "a", 1, None)]
LOADED = 'loaded 3 known documents of 2 queries of dataset "default"\n'
FORMS = {
    "k.csv": "user_id,item_id\nq1,a\nq1,b\nq2,a\n",
    "k.tsv": "query_id\tdoc_id\nq1\ta\nq1\tb\nq2\ta\n",
    "k.inter": "user_id:token\titem_id:token\trating:float\n"
    "q1\ta\t5\nq1\tb\t0\nq2\ta\t1\n",
    "k.txt": "q1 0 a 1\nq1 0 b 0\nq2 0 a 2\n",
    "lists": "q1\ta,b\nq2\ta\n",
    "k.json": json.dumps({"q1": ["a", "b"], "q2": ["a"]}),
    "counts.json": json.dumps({"q1": {"a": 1, "b": 1}, "q2": {"a": 1}}),
    "k.jsonl": '{"user_id": "q1", "history": ["a", "b"]}\n'
    '{"user_id": "q2", "known": [{"id": "a"}]}\n',
}

UNTIMED = (
    "Write times like that in the file, or rename their column, to load it without"
    " them."
)


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("name", FORMS)
def test_every_format_is_read(ndcg: Command, name: str) -> None:
    Path(name).write_text(FORMS[name])
    result = ndcg("load", "known", name)
    assert (result.code, result.err.startswith(LOADED)) == (0, True)
    assert shown(ALL) == PLAIN


@pytest.mark.usefixtures("loaded")
def test_grades_that_are_not_read_are_warned_of(ndcg: Command) -> None:
    rows = "q1,a,5\nq1,b,0\nq2,a,1\n"
    for name, text in (
        ("k l.csv", f"query_id,doc_id,rating\n{rows}"),
        ("k l.txt", FORMS["k.txt"]),
    ):
        Path(name).write_text(text)
        told = ndcg("load", "known", name, "--dataset", "my shop").err
        assert "1 row has a grade of 0 or less; grades are not read here" in told
        assert f"ndcg-sql load judgments '{name}' --dataset 'my shop'\n" in told
    # Whoever rated a document knows it.
    Path("k.csv").write_text(f"query_id,doc_id,rating\n{rows.replace('0', '2')}")
    ignored = "ignored columns: rating\n"
    assert ndcg("load", "known", "k.csv").err == LOADED + ignored


@pytest.mark.usefixtures("loaded")
def test_counts_and_times_are_kept(ndcg: Command) -> None:
    Path("k.csv").write_text(
        "user,item,plays,timestamp\n"
        "q1,a,2,2024-01-31T23:59+01:00\nq1,a,,1700000000\nq1,b,3.0,1700000000.5\n"
        "q2,a,1e3,1700000000123\nq2,b,,\n"
    )
    result = ndcg("load", "known", "k.csv")
    assert result.err == (
        'loaded 4 known documents of 2 queries of dataset "default"\n'
        "1 row repeats a document of a query; its rows are counted together\n"
    )
    assert [(*row[:3], str(row[3])) for row in shown(ALL)] == [
        ("q1", "a", 3, "2024-01-31 22:59:00"),
        ("q1", "b", 3, "2023-11-14 22:13:20.500000"),
        ("q2", "a", 1000, "2023-11-14 22:13:20.123000"),
        ("q2", "b", 1, "None"),
    ]
    # The same file again changes nothing.
    before = shown(ALL)
    ndcg("load", "known", "k.csv")
    assert shown(ALL) == before


@pytest.mark.usefixtures("loaded")
def test_a_file_replaces_what_it_names_or_everything(ndcg: Command) -> None:
    Path("old.csv").write_text("query_id,doc_id,count\nq1,a,1\nq1,b,2\n")
    Path("new.csv").write_text("query_id,doc_id,count\nq1,b,5\nq2,c,1\n")
    ndcg("load", "known", "old.csv")
    ndcg("load", "known", "new.csv")
    added = [("q1", "a", 1, None), ("q1", "b", 5, None), ("q2", "c", 1, None)]
    assert shown(ALL) == added
    told = ndcg("load", "known", "new.csv", "--replace").err
    assert told.endswith('of dataset "default", which replace the others\n')
    assert shown(ALL) == added[1:]


@pytest.mark.usefixtures("loaded")
def test_rows_of_unknown_queries_are_counted(ndcg: Command) -> None:
    Path("k.csv").write_text("query_id,doc_id\nz,a\ny,a\nz,b\nq1,a\n")
    assert ndcg("load", "known", "k.csv").err.splitlines()[1:] == [
        "warning: 3 rows are of 2 queries that are in no run and no judgment set of the"
        ' dataset: "z", "y"'
    ]
    assert ndcg("load", "known", "k.csv", "--dataset", "shp").err.splitlines()[1:] == [
        'warning: dataset "shp" has no judgments and no runs yet; is its name misspelt?'
    ]
    # They are kept: how many queries know a document is its popularity.
    assert len(shown(ALL)) == 8


HEADER = "query_id,doc_id,count,time\n"
BAD = {
    "count": (
        HEADER + "q1,a,0,\nq1,b,1.5,\nq1,c,x,\nq1,d,2,\n",
        [
            f'k.csv:{line}: query "q1", document "{document}": count "{count}" is not a'
            " whole number from 1 to 1e9"
            for line, document, count in ((2, "a", "0"), (3, "b", "1.5"), (4, "c", "x"))
        ],
        4,
    ),
    "time": (
        HEADER + "q1,a,,soon\nq1,b,,2024\n",
        [
            f'k.csv:{line}: query "q1", document "{document}": "{time}" is not a time'
            " like 2026-01-31T23:59"
            for line, document, time in ((2, "a", "soon"), (3, "b", "2024"))
        ],
        2,
    ),
    "ids": (
        HEADER + ",a,,\nq1,,,\n",
        [
            "k.csv:2: the query id is empty",
            'k.csv:3: query "q1": the document id is empty',
        ],
        2,
    ),
}


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(("text", "lines", "rows"), BAD.values(), ids=BAD)
def test_bad_rows_are_refused(
    ndcg: Command, text: str, lines: list[str], rows: int
) -> None:
    Path("k.csv").write_text(text)
    result = ndcg("load", "known", "k.csv")
    assert result.code == 2
    advice = UNTIMED if "is not a time" in lines[0] else CORRECT
    assert result.err.splitlines() == [*lines, remedy(len(lines), rows, advice)]
    assert shown(ALL) == []


@pytest.mark.usefixtures("loaded")
def test_columns_rows_and_the_query_can_be_named(ndcg: Command) -> None:
    Path("k.csv").write_text("who,what,kind\nq1,a,bought\nq1,b,seen\n")
    columns = ("--column", "query_id=who", "--column", "doc_id=what")
    ndcg("load", "known", "k.csv", *columns, "--where", "kind=bought")
    assert shown(ALL) == PLAIN[:1]
    Path("one.csv").write_text("doc_id\na\nb\n")
    ndcg("load", "known", "one.csv", "--query", "q1", "--replace")
    assert shown(ALL) == PLAIN[:2]


def test_known_documents_come_from_memory_and_from_databases(tmp_path: Path) -> None:
    pandas: Any = library("pandas")
    frame = pandas.DataFrame(
        {"user_id": ["q1", "q1", "q2"], "item_id": ["a", "b", "a"]}
    )
    with sqlite3.connect(tmp_path / "shop.db") as shop:
        shop.execute("create table bought (user_id, item_id)")
        rows = [("q1", "a"), ("q1", "b"), ("q2", "a")]
        shop.executemany("insert into bought values (?, ?)", rows)
    url = f"sqlite:///{tmp_path / 'shop.db'}"
    with Warehouse.memory() as warehouse:
        for content in (
            frame,
            {"q1": ["a", "b"], "q2": {"a"}},
            {"q1": {"a": 1, "b": 1}, "q2": {"a": 1.0}},
            database_rows(url, table="bought"),
        ):
            loaded = warehouse.load_known(content, replace=True)
            assert "is its name misspelt" in loaded.warnings[0]
            [item] = loaded.items
            assert (item.kind, item.rows, item.queries) == ("known", 3, 2)
            assert warehouse.connection.execute(ALL).fetchall() == PLAIN
        warehouse.load_known({"q1": ["a", "b", "a"], "q2": ["a"]}, replace=True)
        assert warehouse.connection.execute(ALL).fetchall()[0][2] == 2
        message = (
            'known: query "q": int is neither a dict of documents and their counts'
        )
        with pytest.raises(NdcgSqlError, match=message):
            warehouse.load_known({"q": 1})  # pyright: ignore[reportArgumentType]


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
def test_known_documents_are_removed(ndcg: Command) -> None:
    Path("k.csv").write_text(FORMS["k.csv"])
    assert ndcg("remove", "known").refusal == (
        'no known documents were loaded into dataset "default"; ndcg-sql load known'
        " FILE loads them\n"
    )
    ndcg("load", "known", "k.csv")
    ndcg("rename", "dataset", "default", "shop")
    told = ndcg("remove", "known", "--dataset", "shop").err
    assert told == 'removed 3 known documents of dataset "shop"\n'
    assert shown(ALL) == []
    ndcg("load", "known", "k.csv", "--dataset", "shop")
    assert ndcg("remove", "dataset", "shop").err.endswith(", 3 known documents\n")
    assert shown(ALL) == []
    # A dataset may have nothing else.
    ndcg("load", "known", "k.csv", "--dataset", "news")
    assert ndcg("rename", "dataset", "news", "old").code == 0
    assert ndcg("remove", "known", "--dataset", "old").code == 0
    assert shown(ALL) == []


@pytest.mark.usefixtures("loaded")
def test_known_documents_come_from_a_database(ndcg: Command) -> None:
    with sqlite3.connect("shop.db") as shop:
        shop.execute("create table bought (user_id, item_id)")
        rows = [("q1", "a"), ("q1", "b"), ("q2", "a")]
        shop.executemany("insert into bought values (?, ?)", rows)
    source = ("--from", "sqlite:///shop.db")
    result = ndcg("load", "known", *source, "--table", "bought")
    assert (result.code, result.err, shown(ALL)) == (0, LOADED, PLAIN)
    select = "select user_id, item_id, 0 as count from bought"
    assert ndcg("load", "known", *source, "--select", select).refusal.startswith(
        'sqlite:///shop.db: row 1: query "q1", document "a": count "0" is not a whole'
    )
    assert shown(ALL) == PLAIN
