"""Queries of judgments without documents: they leave no mean silently."""

import json
from pathlib import Path

import numpy as np
import pytest

import ndcg_sql
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command
from support.files import shown

LINES = (
    '{"query_id": "1", "relevant": ["a"]}\n'
    '{"query_id": "7", "relevant": []}\n'
    '{"query_id": "9", "relevant": []}\n'
)
TWO = (
    'without documents are not judged, and no mean counts them: "7", "9"; to count them'
    " as 0, judge a document with grade 0"
)
MINE, ONE = ["--column", "doc_id=mine"], ["--grade", "1"]
JUDGED = {"1": {"a": 1}, "7": {}, "9": {}}
RATINGS = {
    "judgmentRatings": [
        {"query": query, "ratings": [{"docId": d, "rating": 1} for d in documents]}
        for query, documents in JUDGED.items()
    ]
}


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("j.jsonl", LINES, []),
        ("j.jsonl", LINES.replace("relevant", "mine"), [*MINE, *ONE]),
        ("j.json", json.dumps({"1": ["a"], "7": [], "9": []}), ONE),
        ("j.json", json.dumps(JUDGED), []),
        ("j.json", json.dumps(RATINGS), []),
    ],
)
def test_queries_without_documents_are_named(
    ndcg: Command, name: str, text: str, options: list[str]
) -> None:
    """The load message counts and names what a judgment set cannot hold."""
    Path(name).write_text(text)
    result = ndcg("load", "judgments", name, *options)
    assert result.code == 0
    assert f"{name}: 2 queries {TWO}" in result.err
    assert 'judgment set "j": 1 query, 1 judgment' in result.err


@pytest.mark.usefixtures("empty")
def test_a_query_with_documents_elsewhere_is_judged(ndcg: Command) -> None:
    """An empty list beside other judgments of the same query says nothing."""
    more = '{"query_id": "7", "relevant": ["b"]}\n'
    Path("j.jsonl").write_text(LINES + more)
    result = ndcg("load", "judgments", "j.jsonl")
    assert '1 query without documents is not judged, and no mean counts it: "9"' in (
        result.err
    )


@pytest.mark.usefixtures("empty")
def test_strict_loading_refuses_them(ndcg: Command) -> None:
    """Who is strict gets no judgments without their queries."""
    Path("j.jsonl").write_text(LINES)
    result = ndcg("load", "judgments", "j.jsonl", "--strict")
    assert "nothing was loaded" in result.refusal
    assert "no mean counts them" in result.err


ANSWERS = [("1", 1.0, 1), ("2", 0.0, 0), ("3", 0.0, None)]
RUN = {"1": ["a"], "2": [], "9": []}
RUNS: dict[str, tuple[str, tuple[str, ...]]] = {
    "r.json": (json.dumps(RUN), ()),
    "scores.json": (json.dumps({"1": {"a": 1}, "2": {}, "9": {}}), ()),
    "r.jsonl": (
        "".join(
            json.dumps({"query_id": query, "ranking": documents}) + "\n"
            for query, documents in RUN.items()
        ),
        (),
    ),
    "mine.jsonl": (
        '{"q": "2", "hits": []}\n{"q": "1", "hits": ["a"]}\n{"q": 9, "hits": []}\n',
        ("--column", "doc_id=hits", "--column", "query_id=q"),
    ),
    "lists": ("1\ta,\n2\t\n9\t \n".replace(",", ""), ("--format-in", "lists")),
}
VALUES = (
    "select query_id, value, retrieved from query_values"
    " where run = 'r' and measure = 'RR' order by query_id"
)


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize("name", RUNS)
def test_runs_may_answer_nothing(ndcg: Command, name: str) -> None:
    """Their empty answers are kept; where they are judged, they count 0."""
    Path("j").write_text("1 0 a 1\n2 0 a 1\n3 0 a 1\n")
    assert ndcg("load", "judgments", "j").code == 0
    text, options = RUNS[name]
    Path(name).write_text(text)
    told = ndcg("load", "run", name, "--name", "r", *options)
    assert told.err == 'loaded run "r": 3 queries, 1 document; evaluated with "j"\n'
    assert shown(VALUES) == ANSWERS
    counts = "select answered, unanswered, unjudged_queries from run_values"
    assert shown(f"{counts} where measure = 'RR'") == [(1, 2, 1)]
    assert ndcg("check").code == 0
    # Another run is one without these answers.
    Path("other.json").write_text('{"1": ["a"], "2": []}')
    assert "other content" in ndcg("load", "run", "other.json", "--name", "r").err
    if name != "lists":
        told = ndcg("eval", "j", name, *options, "-m", "RR", "--format", "csv")
        assert (told.code, told.err) == (0, "")


def test_python_keeps_empty_answers() -> None:
    judged = {query: {"a": 1} for query in "123"}
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments(judged)
        for run in (RUN, {"1": {"a": 1}, "2": {}, "9": np.array([])}, RUN):
            warehouse.load_run(run, "r", replace=True)
            assert warehouse.connection.sql(VALUES).fetchall() == ANSWERS
    with pytest.warns(UserWarning, match="2 of 3 judged queries without an answer"):
        values = ndcg_sql.evaluate(judged, RUN, "RR AP")
    assert (values["RR"], values.unanswered) == (1 / 3, 2)


@pytest.mark.usefixtures("empty")
def test_empty_answers_belong_to_their_run(ndcg: Command) -> None:
    """One run has documents elsewhere for the query, another has none at all."""
    lines = [
        f'{{"model": "{model}", "query_id": "1", "ranking": {documents}}}'
        for model, documents in (("x", '["a"]'), ("x", "[]"), ("y", "[]"))
    ]
    Path("r.jsonl").write_text("\n".join(lines))
    told = ndcg("load", "run", "r.jsonl", "--prefix", "w/")
    assert 'run "w/x": 1 query, 1 document' in told.err
    assert 'run "w/y": 1 query, 0 documents' in told.err
    assert ndcg("check").code == 0
    Path("e.json").write_text('{"1": [], "2": []}')
    assert ndcg("load", "run", "e.json").refusal == (
        "e.json: no rows; is this the right file?\n"
    )
    Path("bad.jsonl").write_text('{"query_id": "", "ranking": []}\n' + lines[0])
    assert ndcg("load", "run", "bad.jsonl").err.startswith(
        "bad.jsonl:1: the query id is empty"
    )
