"""A document twice in a list: refused, or one of its places kept.

Ids that are nearly the same are named, whatever is loaded first.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ir_measures import Qrel, ScoredDoc

import ndcg_sql
from ndcg_sql import Loaded, NdcgSqlError, Warehouse
from support.commands import Command
from support.files import shown
from support.libraries import library

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
        told = ndcg(*command).refusal
        assert f"{KEEP}--duplicates first, --duplicates last or" in told
    for rule, documents in kept.items():
        chosen = ("--duplicates", rule)
        loaded = ndcg("load", "run", name, *chosen, "--name", rule)
        assert f"; 1 duplicate dropped (--duplicates {rule})\n" in loaded.err
        sql = "select string_agg(doc_id, '' order by position) from rankings"
        assert shown(f"{sql} where run = '{rule}'") == [(documents,)]
    chosen = ("--duplicates", "last", "-m", "RR", "--format", "json")
    [row] = json.loads(ndcg("eval", "j", name, *chosen).out)
    assert row["value"] == 1 / (1 + kept["last"].index("a"))


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
def test_python_keeps_one_place_too(
    own: Warehouse, dataset: str, run: Any, kept: dict[str, str]
) -> None:
    with pytest.raises(NdcgSqlError, match='each document: duplicates="first"'):
        ndcg_sql.evaluate({"q": {"a": 1}}, run, "RR")
    for rule, documents in kept.items():
        chosen: Any = {"duplicates": rule}
        values = ndcg_sql.evaluate({"q": {"a": 1}}, run, "RR", **chosen)
        assert values["RR"] == 1 / (1 + documents.index("a"))
        own.load_run(run, rule, dataset=dataset, **chosen)
        ranked = own.query(
            "select string_agg(doc_id, '' order by position) from rankings"
            f" where dataset = '{dataset}' and run = '{rule}'"
        )
        assert ranked.relation.fetchall() == [(documents,)]


def test_python_keeps_one_judgment() -> None:
    judgments = [Qrel("q", "a", 1), Qrel("q", "a", 3), Qrel("q", "b", 2)]
    values = ndcg_sql.evaluate(judgments, {"q": ["a"]}, "DCG@1", duplicates="max")
    assert values["DCG@1"] == 3


Load = Callable[[Warehouse, str, dict[str, Any]], Loaded]


def _frame(column: str, id_: str) -> Any:
    return library("polars").DataFrame({column: [id_], "text": ["a"]})


LOADS: dict[str, Load] = {
    "run": lambda own, id_, of: own.load_run({id_: {"d": 1.0}}, id_, **of),
    "judgments": lambda own, id_, of: own.load_judgments({id_: {"d": 1}}, id_, **of),
    "queries": lambda own, id_, of: own.load_queries(_frame("query_id", id_), **of),
    "documents": lambda own, id_, of: own.load_documents(_frame("doc_id", id_), **of),
    "judged": lambda own, id_, of: own.load_judgments({"q": {id_: 1}}, id_, **of),
    "knowing": lambda own, id_, of: own.load_known({id_: ["d"]}, **of),
    "known": lambda own, id_, of: own.load_known({"q": [id_]}, **of),
}
OF = {
    "queries": ("run", "judgments", "queries", "knowing"),
    "documents": ("documents", "judged", "known"),
}
ORDERS = [(n, one, two) for n in OF for one in OF[n] for two in OF[n]]
PAIRS = [("Ab c", "ab  C"), ("1", "1.0")]


@pytest.mark.parametrize(("noun", "first", "second"), ORDERS)
@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_a_pair_is_named(
    own: Warehouse,
    dataset: str,
    noun: str,
    first: str,
    second: str,
    one: str,
    other: str,
) -> None:
    told = (
        f'{noun} "{min(one, other)}" and "{max(one, other)}" of dataset "{dataset}"'
        " have nearly the same id"
    )
    if {first, second} == {"run", "judgments"}:
        told = "its judgments have no query in common; for example, the run has"
    of = {"dataset": dataset}
    assert not any("nearly" in line for line in LOADS[first](own, one, of).warnings)
    assert sum(told in line for line in LOADS[second](own, other, of).warnings) == 1
    # The pair was there before: once is enough.
    assert not any("nearly" in line for line in LOADS[second](own, one, of).warnings)


def test_pairs_within_a_file_are_counted_and_refused_if_strict() -> None:
    run = {id_: {"d": 1.0} for id_ in ("a", "A", "b", "B", "c")}
    told = (
        'queries "A" and "a" of dataset "default" have nearly the same id; likewise 1'
        " other"
    )
    with Warehouse.memory() as own:
        with pytest.raises(NdcgSqlError, match=told):
            own.load_run(run, "r", strict=True)
        assert own.load_run(run, "r").warnings == (told,)
        assert own.load_run(run, "again").warnings == ()
        # Datasets have queries of their own.
        assert own.load_run({"B ": {"d": 1.0}}, "r", dataset="other").warnings == ()
        with pytest.raises(NdcgSqlError, match='"B" and "b "'):
            own.load_queries(_frame("query_id", "b "), strict=True)
        assert own.connection.execute("from queries where text = 'a'").fetchall() == []
