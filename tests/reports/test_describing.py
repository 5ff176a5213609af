"""A run is described by what was loaded, and by what of it is judged."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.commands import Command

RUN = """q1 Q0 a 1 9 t
q1 Q0 b 2 9 t
q1 Q0 c 3 8 t
q2 Q0 a 1 1 t
q3 Q0 z 1 1 t
"""
QRELS = "q1 0 a 1\nq1 0 c -1\nq2 0 x 1\nq4 0 a 1\n"


def described(ndcg: Command, *options: str) -> dict[str, Any]:
    """Return the description of the run."""
    result = ndcg("describe", "base", "--format", "json", *options)
    assert (result.code, result.err) == (0, "")
    [row] = json.loads(result.out)
    return row


@pytest.mark.slow
def test_depth_ties_tags_and_coverage_are_counted(ndcg: Command) -> None:
    Path("base").write_text(RUN)
    Path("qrels").write_text(QRELS)
    assert ndcg("load", "judgments", "qrels").code == 0
    assert ndcg("load", "run", "base", "--tag", "model=x").code == 0
    row = described(ndcg)
    assert (
        row.items()
        >= {
            "run": "base",
            "dataset": "default",
            "source": "base",
            "position_rule": "score",
            "tags": ["model=x"],
            "queries": 3,
            "documents": 5,
            "least_documents": 1,
            "median_documents": 1.0,
            "most_documents": 3,
            "tied_documents": 2,
            "tied_queries": 1,
            "judgment_set": "qrels",
            "answered": 2,
            "unanswered": 1,
            "unjudged_queries": 1,
            "judged_share_at_10": 0.25,
            "judged_share": 0.25,
        }.items()
    )
    shown = ndcg("describe", "base").out
    assert "tied documents       2\n" in shown.replace(" " * 60, "")
    assert "median documents     1\n" in shown
    assert "judged share         0.2500\n" in shown
    # Grades of a judgment set are written as judges gave them.
    assert "least grade       -1\n" in ndcg("describe", "qrels").out
    Path("half").write_text("q1 0 a 0.5\nq1 0 b 0\n")
    assert ndcg("load", "judgments", "half", "--no-evaluate").code == 0
    assert "greatest grade    0.5000\n" in ndcg("describe", "half").out
    assert "run at" not in shown


@pytest.mark.slow
def test_given_positions_have_no_ties_and_single_floats_more(ndcg: Command) -> None:
    Path("base").write_text("q1 Q0 a 1 0.1 t\nq1 Q0 b 2 0.10000000001 t\n")
    ties = {}
    for rule in ("score", "score32", "given"):
        assert ndcg("load", "run", "base", "--positions", rule, "--replace").code == 0
        ties[rule] = described(ndcg)["tied_documents"]
    assert ties == {"score": 0, "score32": 2, "given": 0}


@pytest.mark.slow
def test_the_share_of_known_documents_is_described(ndcg: Command) -> None:
    deep = "".join(f"q1 Q0 d{rank} {rank} {20 - rank} t\n" for rank in range(1, 13))
    Path("base").write_text(deep)
    Path("known.csv").write_text("query_id,doc_id\nq1,d1\nq1,d2\nq1,d12\nq2,d3\n")
    ndcg("load", "run", "base")
    ndcg("load", "known", "known.csv", "--dataset", "other")
    row = described(ndcg)
    assert row["known_share_at_10"] is row["known_share"] is None
    assert "known share" not in ndcg("describe", "base").out
    ndcg("load", "known", "known.csv")
    row = described(ndcg)
    assert (row["known_share_at_10"], row["known_share"]) == (0.2, 0.25)


def test_without_judgments_there_is_no_coverage(ndcg: Command) -> None:
    Path("base").write_text(RUN)
    assert ndcg("load", "run", "base").code == 0
    row = described(ndcg)
    assert row["judgment_set"] is row["answered"] is row["judged_share"] is None
    result = ndcg("describe", "base", "--judgments", "none")
    assert 'no judgment set "none"' in result.refusal
    wrong = 'no run or judgment set "bse"; did you mean "base"?\n'
    assert ndcg("describe", "bse").err == wrong


def test_an_unknown_name_is_told_what_can_be_described(ndcg: Command) -> None:
    Path("base").write_text(RUN)
    Path("judged").write_text(QRELS)
    ndcg("load", "judgments", "judged")
    ndcg("load", "run", "base")
    told = ndcg("describe", "nope")
    known = 'no run or judgment set "nope"; known: "base", "judged"\n'
    assert told.refusal == known
    told = ndcg("describe", "base", "--dataset", "shop")
    assert told.err == 'no dataset "shop"; known: "default"\n'
