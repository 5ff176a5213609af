"""Lists of documents under names of the user's, as RAG pipelines write them."""

import json
import shlex
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.reading.columns import Kind
from support.commands import Command
from support.files import json_lines, stored

ROWS = [
    {
        "question": "what is a",
        "retrieved_chunk_ids": ["c1", "c2"],
        "similarities": [0.1, 0.9],
        "gold_chunk_ids": ["c2"],
    },
    {
        "question": "what is b",
        "retrieved_chunk_ids": ["c3"],
        "similarities": [0.5],
        "gold_chunk_ids": ["c3", "c4"],
    },
]
RANKED = "select query_id, doc_id, position from rankings order by query_id, position"


@pytest.mark.slow
@pytest.mark.parametrize("form", ["jsonl", "json"])
def test_lists_under_own_names_are_offered_and_loaded(ndcg: Command, form: str) -> None:
    name = f"rag.{form}"
    Path(name).write_text(json_lines(ROWS) if form == "jsonl" else json.dumps(ROWS))
    for kind in ("judgments", "run"):
        told = ndcg("load", kind, name)
        assert "guessed" not in told.refusal
        given = shlex.split(told.err.rpartition("if this is right: ")[2])
        assert given[:4] == ["ndcg-sql", "load", kind, name]
        assert ndcg(*given[1:]).code == 0
    judged = stored("select query_id, doc_id, grade from judgments order by all")
    assert judged == [
        ("what is a", "c2", 1.0),
        ("what is b", "c3", 1.0),
        ("what is b", "c4", 1.0),
    ]
    assert stored(RANKED) == [
        ("what is a", "c1", 1),
        ("what is a", "c2", 2),
        ("what is b", "c3", 1),
    ]


@pytest.mark.slow
def test_scores_stand_in_a_list_beside(ndcg: Command) -> None:
    Path("rag.jsonl").write_text(json_lines(ROWS))
    given = ["--column", "query_id=question", "--column", "doc_id=retrieved_chunk_ids"]
    scored = [*given, "--column", "score=similarities"]
    assert ndcg("load", "run", "rag.jsonl", *scored).code == 0
    assert stored(RANKED)[:2] == [("what is a", "c2", 1), ("what is a", "c1", 2)]
    Path("bad.jsonl").write_text(json_lines([{**ROWS[0], "similarities": [0.1]}]))
    told = ndcg("load", "run", "bad.jsonl", *scored)
    assert told.err.startswith(
        'bad.jsonl:1: "retrieved_chunk_ids": 2 documents, but "similarities" has 1'
        " value\n"
    )


OBJECTS = {
    "id": "q1",
    "hits": [{"chunk": "c1", "sim": 0.5}, {"chunk": "c2", "sim": 0.7}],
    "gold": [{"id": "c1", "relevance": 2}, {"id": "c2", "relevance": 0}],
}


@pytest.mark.slow
def test_items_are_objects_with_names_of_their_own(ndcg: Command) -> None:
    Path("o.jsonl").write_text(json_lines([OBJECTS]))
    query = ("--column", "query_id=id")
    judging = ndcg("load", "judgments", "o.jsonl", *query, "--column", "doc_id=gold")
    assert judging.code == 0
    judged = stored("select doc_id, grade from judgments order by doc_id")
    assert judged == [("c1", 2.0), ("c2", 0.0)]
    told = ndcg("load", "run", "o.jsonl", *query, "--column", "doc_id=hits")
    assert told.err.startswith(
        'o.jsonl:1: "hits": expected ids of documents, or objects with an id; name the'
        ' id of such an object as hits.NAME, where NAME is one of "chunk", "sim"\n'
    )
    named = ("--column", "doc_id=hits.chunk", "--column", "score=hits.sim")
    assert ndcg("load", "run", "o.jsonl", *query, *named).code == 0
    assert stored(RANKED) == [("q1", "c2", 1), ("q1", "c1", 2)]


# Lists that name a document twice, by what keeps one of them, and what is left.
TWICE = {
    "first": [("q", "a", 1), ("q", "b", 2)],
    "last": [("q", "b", 1), ("q", "a", 2)],
}


@pytest.mark.parametrize("kept", TWICE)
def test_a_document_twice_in_a_list_is_refused_or_dropped(
    ndcg: Command, kept: str
) -> None:
    Path("f.jsonl").write_text(json_lines([{"q": "q", "hits": ["a", "b", "a"]}]))
    given = ("--column", "query_id=q", "--column", "doc_id=hits")
    told = ndcg("load", "run", "f.jsonl", *given)
    assert told.refusal.startswith('f.jsonl:1: query "q", document "a": already on')
    assert f"--duplicates {kept}" in told.err
    assert ndcg("load", "run", "f.jsonl", *given, "--duplicates", kept).code == 0
    assert stored(RANKED) == TWICE[kept]


IDS: list[tuple[Kind, dict[str, object], dict[str, str]]] = [
    # A list of documents, or no document: the id is the query's, not its text.
    (
        "judgments",
        {"id": "q1", "question": "what", "gold": ["d1"]},
        {"query_id": "id", "doc_id": "gold"},
    ),
    # Beside a query: the document's.
    ("run", {"query": "what", "id": "d1"}, {"doc_id": "id"}),
    # Another column is an id, or the rows are pairs with a number of their own.
    (
        "run",
        {"id": 1, "search_id": "q1", "hits": ["d1"]},
        {"query_id": "search_id", "doc_id": "hits"},
    ),
    (
        "run",
        {"id": 1, "question": "what", "product": "d1"},
        {"query_id": "question", "doc_id": "product"},
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "row", "columns"), IDS)
def test_a_column_called_id_is_proposed_for_what_it_is_likely_to_be(
    ndcg: Command, kind: Kind, row: dict[str, object], columns: dict[str, str]
) -> None:
    Path("rows.jsonl").write_text(json_lines([row, row]))
    told = ndcg("load", kind, "rows.jsonl").err
    given = " ".join(f"--column {column}={name}" for column, name in columns.items())
    assert given in told
    with Warehouse.memory() as warehouse:
        load = warehouse.load_run if kind == "run" else warehouse.load_judgments
        with pytest.raises(NdcgSqlError) as error:
            load(Path("rows.jsonl"))
    said = ", ".join(f'"{column}": "{name}"' for column, name in columns.items())
    assert said in str(error.value)
