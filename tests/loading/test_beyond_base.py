"""New judgments on a base: what nothing else has, and grades that differ."""

import re
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command
from support.files import stored

BASE = {"Grill": {"001": 3, "002": 1}, "Fön": {"001": 3}}
RUN = {"Grill": {"001": 9.0, "003": 1.0}, "Zelt": {"004": 1.0}}


def told(ids: list[str], noun: str, nouns: str) -> str:
    """Return the warning about these ids."""
    are = f"1 {noun} of the new judgments is"
    if len(ids) > 1:
        are = f"{len(ids)} {nouns} of the new judgments are"
    named = ", ".join(f'"{one}"' for one in ids[:5]) + ", ..." * (len(ids) > 5)
    return f'{are} neither in "base" nor in any run of the dataset: {named}'


@pytest.mark.slow
def test_unknown_queries_and_documents_are_told() -> None:
    added = {
        "FÃ¶n": {"002": 2},
        "Grill": {"7": 2, "003": 1, "8": 0},
        "Zelt": {"004": 1},
    }
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments(BASE, "base")
        # What another dataset has says nothing.
        warehouse.load_run({"FÃ¶n": {"7": 1.0}}, "far", dataset="other")
        assert warehouse.load_judgments(added, "early", base="base").warnings == ()
        warehouse.load_run(RUN, "run")
        loaded = warehouse.load_judgments(added, "new", base="base")
        assert loaded.warnings == (
            told(["FÃ¶n"], "query", "queries"),
            told(["7", "8"], "document", "documents"),
        )
        again, new = {"Topf": {"001": 1}}, told(["Topf"], "query", "queries")
        assert warehouse.load_judgments(again, "n", base="base").warnings == (new,)
        with pytest.raises(NdcgSqlError, match=re.escape(new)):
            warehouse.load_judgments(again, "s", base="base", strict=True)


@pytest.mark.slow
def test_a_grade_that_differs_from_the_base_is_refused(ndcg: Command) -> None:
    Path("qrels").write_text("q0 0 d0 0\nq0 0 d7 1\nq1 0 d7 2\n")
    assert ndcg("load", "judgments", "qrels").code == 0
    new = Path("new")
    new.write_text("q0 0 d1 1\nq0 0 d7 0\nq9 0 x 1\n")
    before = stored("from judgment_sets")
    result = ndcg("load", "judgments", "new", "--base", "qrels")
    assert result.refusal.startswith(
        'new:2: query "q0", document "d7": grade "0", but 1.0 in the base judgment'
        " set\n1 bad line of 3; nothing was loaded."
    )
    assert stored("from judgment_sets") == before
    new.write_text("q0 0 d1 1\nq0 0 d7 1\nq9 0 x 1\n")
    result = ndcg("load", "judgments", "new", "--base", "qrels")
    assert '"new", 2 more than "qrels": 3 queries, 5 judgments' in result.err
    again = ndcg("load", "judgments", "new", "--base", "qrels")
    assert "already exists with this content" in again.err
    for base, message in {
        "qrel": 'no judgment set "qrel"; did you mean "qrels"?',
        "new": "--base new: a judgment set cannot be its own base; choose another"
        " name: --name NAME",
    }.items():
        result = ndcg("load", "judgments", "new", "--base", base)
        assert result.refusal == message + "\n"
    # What nobody judged yet is no judgment.
    Path("half").write_text("q0 0 d1 -1\nq9 0 x 1\n")
    result = ndcg("load", "judgments", "half", "--base", "qrels")
    assert '"half", 1 more than "qrels": ' in result.err
    Path("rest").write_text("q0 0 d1 1\n")
    result = ndcg("load", "judgments", "rest", "--base", "half")
    assert '"rest", 1 more than "half": ' in result.err
