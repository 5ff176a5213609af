"""A document twice in a list: refused, or one of its places kept."""

import json
from pathlib import Path
from typing import Any

import pytest
from ir_measures import Qrel, ScoredDoc

import ndcg_sql
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command
from support.files import shown

KEEP = "To keep one row of each document: "


# A ranking of a, b, a: in each form that a list has, what its lists are in Python, and
# the positions that remain by rule.
LISTS: dict[str, tuple[str, dict[str, str]]] = {
    "f.json": ('{"q1": ["a", "b", "a"]}', {"first": "ab", "last": "ba", "max": "ab"}),
    "f.jsonl": (
        '{"query_id": "q1", "ranking": ["a", "b", "a"]}',
        {"first": "ab", "last": "ba", "max": "ab"},
    ),
    "scored.jsonl": (
        '{"query_id": "q1", "results": [{"id": "a", "score": 1},'
        ' {"id": "b", "score": 2}, {"id": "a", "score": 3}]}',
        {"first": "ba", "last": "ab", "max": "ab"},
    ),
    "f.tsv": ("q1\ta,b,a\n", {"first": "ab", "last": "ba", "max": "ab"}),
    "f.csv": (
        "query_id,doc_id,score\nq1,a,1\nq1,b,2\nq1,a,3\n",
        {"first": "ba", "last": "ab", "max": "ab"},
    ),
}


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("name", LISTS)
def test_later_documents_of_a_list_move_up(ndcg: Command, name: str) -> None:
    text, kept = LISTS[name]
    Path(name).write_text(text)
    Path("j").write_text("q1 0 a 1\n")
    for command in (("load", "run", name), ("eval", "j", name)):
        refused = ndcg(*command)
        assert refused.code == 2
        assert f"{KEEP}--duplicates first, --duplicates last or" in refused.err
    for rule, documents in kept.items():
        chosen = ("--duplicates", rule)
        loaded = ndcg("load", "run", name, *chosen, "--name", rule)
        assert f"; 1 duplicate dropped (--duplicates {rule})\n" in loaded.err
        sql = "select string_agg(doc_id, '' order by position) from rankings"
        assert shown(f"{sql} where run = '{rule}'") == [(documents,)]
        told = ndcg("eval", "j", name, *chosen, "-m", "RR", "--format", "json")
        assert json.loads(told.out)[0]["value"] == 1 / (1 + documents.index("a"))


@pytest.mark.parametrize(
    ("run", "kept"),
    [
        ({"q": ["c", "a", "c", "b"]}, {"first": "cab", "last": "acb", "max": "cab"}),
        (
            [ScoredDoc("q", d, s) for d, s in (("a", 1), ("b", 2), ("a", 3))],
            {"first": "ba", "last": "ab", "max": "ab"},
        ),
    ],
    ids=["list", "ScoredDoc"],
)
def test_python_keeps_one_place_too(run: Any, kept: dict[str, str]) -> None:
    with pytest.raises(NdcgSqlError, match='each document: duplicates="first"'):
        ndcg_sql.evaluate({"q": {"a": 1}}, run, "RR")
    for rule, documents in kept.items():
        chosen: Any = {"duplicates": rule}
        values = ndcg_sql.evaluate({"q": {"a": 1}}, run, "RR", **chosen)
        assert values["RR"] == 1 / (1 + documents.index("a"))
        with Warehouse.memory() as warehouse:
            warehouse.load_run(run, **chosen)
            ranked = warehouse.connection.execute(
                "select string_agg(doc_id, '' order by position) from rankings"
            )
            assert ranked.fetchall() == [(documents,)]


def test_python_keeps_one_judgment() -> None:
    judgments = [Qrel("q", "a", 1), Qrel("q", "a", 3), Qrel("q", "b", 2)]
    values = ndcg_sql.evaluate(judgments, {"q": ["a"]}, "DCG@1", duplicates="max")
    assert values["DCG@1"] == 3
