"""Dicts and named tuples of Python: what is loaded from them, and what is refused."""

import math
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from ir_measures import Qrel, ScoredDoc

import ndcg_sql
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.system.limits import Limits
from support.files import Rows


def ranked(memory: Database) -> Rows:
    return memory.execute(
        "select query_id, doc_id, position, score from rankings"
        " where run_id = (select max(run_id) from runs) order by query_id, position"
    )


def judged(memory: Database) -> Rows:
    return memory.execute(
        "select query_id, doc_id, grade, label from judgments where judgment_set_id ="
        " (select max(judgment_set_id) from judgment_sets) order by all"
    )


def generated() -> Iterator[ScoredDoc]:
    yield ScoredDoc("1", "é", 0.5)
    yield ScoredDoc("1", "b", 2)
    yield ScoredDoc("q", "7", math.inf)


@pytest.mark.parametrize(
    "run",
    [
        {1: {"é": 0.5, "b": np.float32(2)}, "q": {7: math.inf}},
        list(generated()),
        tuple(generated()),
        generated,
    ],
    ids=["dict", "list", "tuple", "generator"],
)
def test_scores_rank(memory: Database, dataset: str, run: Any) -> None:
    given: Any = run() if callable(run) else run
    told = Warehouse(":memory:").holding(memory).load_run(given, "r", dataset=dataset)
    assert str(told) == 'loaded run "r": 2 queries, 3 documents; no judgments yet'
    assert ranked(memory) == [
        ("1", "b", 1, 2),
        ("1", "é", 2, 0.5),
        ("q", "7", 1, math.inf),
    ]


@pytest.mark.parametrize("documents", [["b", "a"], ("b", "a"), np.array(["b", "a"])])
def test_the_order_of_a_list_is_its_ranking(
    memory: Database, dataset: str, documents: Any
) -> None:
    run = {"p": documents, "q": ["c"], "empty": []}
    Warehouse(":memory:").holding(memory).load_run(run, "r", dataset=dataset)
    assert ranked(memory) == [
        ("p", "b", 1, None),
        ("p", "a", 2, None),
        ("q", "c", 1, None),
    ]


@pytest.mark.parametrize(
    ("judgments", "rows"),
    [
        ({"q": {"a": 2, "b": True}}, [("q", "a", 2, None), ("q", "b", 1, None)]),
        ({"q": {"b", "a"}}, [("q", "a", 1, None), ("q", "b", 1, None)]),
        (
            [Qrel("q", "a", 0), Qrel("p", "a", -1)],
            [("p", "a", -1, None), ("q", "a", 0, None)],
        ),
        (
            {"q": {"a": "Good", "b": 0.1}},
            [("q", "a", 2, "Good"), ("q", "b", 0.1, None)],
        ),
    ],
    ids=["dict", "sets", "Qrel", "labels"],
)
def test_judgments_come_from_dicts_and_tuples(
    memory: Database, dataset: str, judgments: Any, rows: Rows
) -> None:
    labels = {"Good": 2}
    Warehouse(":memory:").holding(memory).load_judgments(
        judgments, "j", dataset=dataset, labels=labels
    )
    assert judged(memory) == rows


AT = 'query "q", document "a"'
BAD: dict[str, tuple[str, Any, str]] = {
    "nan": ("run", {"q": {"a": math.nan}}, f"{AT}: score nan is not a number"),
    "none": ("run", {"q": {"a": None}}, f"{AT}: score None is not a number"),
    "text": ("run", {"q": {"a": "1"}}, f'{AT}: score "1" is not a number'),
    "infinite": (
        "judgments",
        [Qrel("q", "a", 10**400)],
        f"{AT}: grade .* is not a finite number",
    ),
    "no document": (
        "run",
        {"q": {None: 1}},
        'query "q", document None: the document id is NoneType; ids are text or',
    ),
    "no query": ("run", {None: ["a"]}, "query None: the query id is NoneType"),
    "fraction": ("run", {"q": [1.5]}, "document 1.5: the document id is float; ids"),
    "empty": ("run", {"q": [""]}, 'document "": the document id is empty'),
    "surrogate": ("run", {"q": {"\ud800": 1}}, "half a character"),
    "NUL": ("judgments", {"q": ["a\0"]}, "the document id contains a NUL"),
    "twice": ("run", {"q": ["a", "b", "a"]}, f"{AT}: occurs twice"),
    "tuple twice": ("judgments", [Qrel("q", "a", 1)] * 2, f"{AT}: occurs twice"),
    "query twice": ("run", {1: ["a"], "1": ["b"]}, 'query "1" occurs twice'),
    "mixed": ("run", {"p": {"b": 1}, "q": ["a"]}, f"{AT}: no score; other queries"),
    "number": ("run", {"q": 1}, 'query "q": int is neither a dict of documents and'),
    "set": ("run", {"q": {"a", "b"}}, 'query "q": set is neither a dict of documents'),
    "judged as a run": (
        "run",
        [Qrel("q", "a", 1)],
        "Qrel is not a ScoredDoc: it has no",
    ),
    "numbers": ("judgments", [1, 2], "int is not a Qrel: it has no query_id"),
    "nothing": ("run", {}, "no rows"),
    "no tuples": ("judgments", [], "no rows"),
}


@pytest.mark.parametrize(("kind", "given", "reason"), BAD.values(), ids=BAD)
def test_bad_rows_are_refused_by_query_and_document(
    memory: Database, dataset: str, kind: str, given: Any, reason: str
) -> None:
    load = getattr(Warehouse(":memory:").holding(memory), f"load_{kind}")
    with pytest.raises(NdcgSqlError, match=f"^(?:{kind}: .*)?{reason}"):
        load(given, "bad", dataset=dataset)
    counts = "select count(*) from runs where dataset = $dataset"
    assert memory.execute(counts, {"dataset": dataset}) == [(0,)]


def test_warehouse_is_listed_without_loading_duckdb() -> None:
    assert {"NdcgSqlError", "Warehouse", "__version__"} <= set(dir(ndcg_sql))
    code = "import ndcg_sql, sys; dir(ndcg_sql); sys.exit('duckdb' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.slow
def test_a_little_run_leaves_the_number_of_threads_as_it_was() -> None:
    threads = "select current_setting('threads')"
    with Warehouse.memory(limits=Limits(threads=3)) as warehouse:
        warehouse.load_run({"q1": {"a": 1.0}})
        # One is refused by the name, the other by its rows.
        for other in ({"q1": {"a": 2.0}}, {"q1": {"a": math.nan}}):
            with pytest.raises(NdcgSqlError):
                warehouse.load_run(other)
        assert warehouse.connection.execute(threads).fetchall() == [(3,)]
