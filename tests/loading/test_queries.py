"""What is known of queries comes from every format of its own."""

from pathlib import Path
from typing import Any

import duckdb

from support.commands import Command
from support.files import json_lines, stored

QUERIES = "select query_id, text, weight from queries order by 1"
ATTRIBUTES = (
    "select query_id, attribute, attribute_value from query_attributes order by all"
)


def test_queries_come_as_json_lines_of_beir(ndcg: Command, loaded: Path) -> None:
    rows: list[Any] = [
        {"_id": "q1", "text": "one", "metadata": {"a": 1}, "device": "phone"},
        {"_id": 2, "text": "two", "metadata": {}, "new": True, "weight": 0.5},
    ]
    (loaded.parent / "queries.jsonl").write_text(json_lines(rows))
    result = ndcg("load", "queries", "queries.jsonl")
    assert result.err.splitlines() == [
        'loaded 2 queries of dataset "default"',
        'omitted "metadata": an attribute is a single text or number',
        "warning: 1 of these queries is in no run and no judgment set of the dataset:"
        ' "2"',
    ]
    assert stored(QUERIES) == [("2", "two", 0.5), ("q1", "one", None)]
    assert stored(ATTRIBUTES) == [("2", "new", "true"), ("q1", "device", "phone")]


def test_queries_come_as_json_by_id_and_as_parquet(ndcg: Command, loaded: Path) -> None:
    (loaded.parent / "q.json").write_text('{"q1": "one"}')
    result = ndcg("load", "queries", "q.json")
    assert result.err == 'loaded 1 query of dataset "default"\n'
    assert stored(QUERIES) == [("q1", "one", None)]
    duckdb.execute(
        "copy (select 5 as country, 'uno' as text, 'q1' as query_id, [1] as list,"
        f" 0.1::float as weight) to '{loaded.parent}/q.parquet' (format parquet)"
    )
    result = ndcg("load", "queries", "q.parquet")
    assert 'omitted "list": an attribute is a single text or number' in result.err
    assert stored(QUERIES) == [("q1", "uno", 0.10000000149011612)]
    assert stored(ATTRIBUTES) == [("q1", "country", "5")]


def test_queries_of_ms_marco_have_no_header(ndcg: Command, loaded: Path) -> None:
    (loaded.parent / "queries.tsv").write_text('1\twhat is "x"\n2\ttwo\n')
    assert ndcg("load", "queries", "queries.tsv", "--format-in", "msmarco").code == 0
    assert stored(QUERIES) == [("1", 'what is "x"', None), ("2", "two", None)]


def test_queries_of_an_unknown_dataset_are_loaded_with_a_warning(
    ndcg: Command, loaded: Path
) -> None:
    (loaded.parent / "q.csv").write_text("query_id,text\nq1,one\n")
    result = ndcg("load", "queries", "q.csv", "--dataset", "shopp")
    assert result.code == 0
    assert result.err.splitlines() == [
        'loaded 1 query of dataset "shopp"',
        'warning: dataset "shopp" has no judgments and no runs yet; is its name'
        " misspelt?",
    ]
    assert stored("select dataset from queries") == [("shopp",)]


def test_queries_that_nothing_else_knows_are_loaded_with_a_warning(
    ndcg: Command, loaded: Path
) -> None:
    names = ["q1", "x", *(f"new {n}" for n in range(6)), "q3"]
    (loaded.parent / "known.csv").write_text("query_id\nq1\nq2\nq3\n")
    known = ndcg("load", "queries", "known.csv")
    assert known.err == 'loaded 3 queries of dataset "default"\n'
    (loaded.parent / "q.csv").write_text("query_id\n" + "\n".join(names))
    result = ndcg("load", "queries", "q.csv")
    assert result.code == 0
    assert result.err.splitlines() == [
        'loaded 9 queries of dataset "default"',
        "warning: 7 of these queries are in no run and no judgment set of the dataset:"
        ' "x", "new 0", "new 1", "new 2", "new 3" and 2 more',
    ]
    assert stored("select count(*) from queries") == [(10,)]
