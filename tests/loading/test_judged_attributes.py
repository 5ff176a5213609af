"""Columns of a sheet of judgments that become attributes of its queries."""

from pathlib import Path

import pytest

from ndcg_sql import NdcgSqlError, Warehouse
from support.commands import Command
from support.libraries import library

HEADER = "query_id,doc_id,grade,Land,price\n"
SHEET = HEADER + "q1,a,1,AT,2\nq1,b,0,,2\nq2,a,2,DE,\nq3,a,0,,\n"
IGNORED = "ignored columns: {}; to keep one of queries: --attribute NAME\n"


def _attributes(path: str = "ndcg.duckdb") -> list[tuple[str, str, str]]:
    with Warehouse.read(path) as warehouse:
        sql = "select query_id, attribute, attribute_value from query_attributes"
        return warehouse.connection.execute(f"{sql} order by all").fetchall()


@pytest.mark.parametrize("options", [(), ("--label", "x=1"), ("--duplicates", "max")])
def test_a_column_becomes_an_attribute(
    ndcg: Command, here: Path, options: tuple[str, ...]
) -> None:
    (here / "s.csv").write_text(SHEET)
    both = ("--attribute", "Land", "--attribute", "price")
    assert ndcg("load", "judgments", "s.csv", *both, *options).err == (
        'loaded judgment set "s": 3 queries, 4 judgments\n'
        'attributes of 2 queries: "Land", "price"\n'
    )
    assert _attributes() == [
        ("q1", "Land", "AT"),
        ("q1", "price", "2"),
        ("q2", "Land", "DE"),
    ]


def test_what_is_stored_stays_and_what_changes_is_told(
    ndcg: Command, here: Path
) -> None:
    (here / "s.csv").write_text(SHEET)
    (here / "q.csv").write_text("query_id,Land,text\nq2,FR,hello\nq3,CH,\n")
    told = 'loaded judgment set "s": 3 queries, 4 judgments\n'
    loaded = ndcg("load", "judgments", "s.csv")
    assert loaded.err == told + IGNORED.format("Land, price")
    ndcg("load", "queries", "q.csv")
    # The judgments are there already.
    assert ndcg("load", "judgments", "s.csv", "--attribute", "Land").err == (
        'judgment set "s" of dataset "default" already exists with this content;'
        ' nothing to do\nattribute of 2 queries: "Land"\n'
        'attribute "Land" of 1 query replaced, such as "DE" in place of "FR" of "q2"\n'
        + IGNORED.format("price")
    )
    assert _attributes() == [
        ("q1", "Land", "AT"),
        ("q2", "Land", "DE"),
        ("q3", "Land", "CH"),
    ]
    with Warehouse.read("ndcg.duckdb") as warehouse:
        rows = warehouse.connection.execute("from queries order by query_id").fetchall()
    assert [row[1:3] for row in rows] == [("q1", None), ("q2", "hello"), ("q3", "")]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        (
            "Land",
            't.csv:4: query "q1": "Land" is "CH", but "AT" on line 2\n1 bad line of 4;'
            " nothing was loaded. Correct the file and load it again.\n",
        ),
        ("land", 's.csv: no column "land"; did you mean "Land"?\n'),
        ("", 'attribute "": a name has 1 to 200 characters\n'),
    ],
)
def test_two_values_of_a_query_are_refused(
    ndcg: Command, here: Path, name: str, told: str
) -> None:
    (here / "s.csv").write_text(SHEET)
    (here / "t.csv").write_text(
        HEADER + "q1,a,1,AT,\nq1,b,1,AT,\nq1,c,1,CH,\nq2,a,1,,\n"
    )
    done = ndcg("load", "judgments", "s.csv", "t.csv", "--attribute", name)
    assert done.refusal == told
    assert not (here / "ndcg.duckdb").exists() or _attributes() == []


def test_frames_have_attributes_too() -> None:
    frame = library("polars").DataFrame(
        {"query_id": ["q1"], "doc_id": ["b"], "grade": [0], "top": [True]}
    )
    with Warehouse.memory() as warehouse:
        loaded = warehouse.load_judgments(frame, attributes=["top"])
        assert str(loaded).endswith('\nattribute of 1 query: "top"')
        sql = "select query_id, attribute_value from query_attributes"
        assert warehouse.connection.execute(sql).fetchall() == [("q1", "true")]
        with pytest.raises(NdcgSqlError, match='no column "Land"'):
            warehouse.load_judgments(frame, "b", attributes=["Land"])
