"""Queries of judgments without documents: they leave no mean silently."""

import json
from pathlib import Path

import pytest

from support.commands import Command

LINES = (
    '{"query_id": "1", "relevant": ["a"]}\n'
    '{"query_id": "7", "relevant": []}\n'
    '{"query_id": "9", "relevant": []}\n'
)
TWO = (
    'without documents are not judged, and no mean counts them: "7", "9"; to count them'
    " as 0, judge a document with grade 0"
)
JUDGED = {"1": {"a": 1}, "7": {}, "9": {}}
ONE = ["--grade", "1"]
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
        (
            "j.jsonl",
            LINES.replace("relevant", "mine"),
            ["--column", "doc_id=mine", *ONE],
        ),
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


@pytest.mark.usefixtures("empty")
def test_runs_may_answer_nothing(ndcg: Command) -> None:
    """An empty ranking is an unanswered query, which counts 0 where it is judged."""
    Path("j.jsonl").write_text('{"query_id": "1", "relevant": ["a"]}\n')
    run = '{"query_id": "2", "ranking": ["a"]}\n{"query_id": "1", "ranking": []}\n'
    Path("r.jsonl").write_text(run)
    assert ndcg("load", "judgments", "j.jsonl").code == 0
    assert "without documents" not in ndcg("load", "run", "r.jsonl").err
