"""What was loaded, as values: names, counts, outcomes and warnings."""

import pickle
from pathlib import Path

import pytest

from ndcg_sql import Loaded, LoadedItem, NdcgSqlError, Warehouse
from support.libraries import library

pd = library("pandas")

JUDGED = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}
RANKED = {"q1": {"a": 2.0, "c": 1.0}}


@pytest.mark.slow
def test_names_and_counts_are_values(here: Path) -> None:
    warehouse = Warehouse(here / "w.duckdb")
    judged = warehouse.load_judgments(JUDGED, "people", dataset="shop")
    assert judged == Loaded(
        "shop",
        (LoadedItem("judgment set", "people", "loaded", 3, 2),),
        'loaded judgment set "people": 2 queries, 3 judgments',
    )
    first = warehouse.load_run(RANKED, "first", dataset="shop")
    [item] = first.items
    assert (item.kind, item.name, item.queries, item.rows) == ("run", "first", 1, 2)
    assert warehouse.report("RR", runs=first.name)["run"] == ["first"]
    again = warehouse.load_run(RANKED, "first", dataset="shop")
    assert again.items == (LoadedItem("run", "first", "unchanged", 2, 1),)
    other = {"q1": {"a": 2.0}}
    replaced = warehouse.load_run(other, "first", dataset="shop", replace=True)
    assert replaced.items == (LoadedItem("run", "first", "replaced", 1, 1),)


def test_what_is_printed_is_the_sentence_of_the_command() -> None:
    with Warehouse.memory() as warehouse:
        loaded = warehouse.load_run(RANKED, "first")
    told = 'loaded run "first": 1 query, 2 documents; no judgments yet'
    assert str(loaded) == repr(loaded) == told
    assert pickle.loads(pickle.dumps(loaded)) == loaded
    with pytest.raises(AttributeError):
        loaded.dataset = "other"  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.slow
def test_warnings_are_apart_and_in_the_text() -> None:
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments(JUDGED)
        loaded = warehouse.load_run({"x": {"y": 1.0}}, "strange")
    [warning] = loaded.warnings
    assert warning.startswith('run "strange" and its judgments have no query in common')
    assert str(loaded).splitlines()[1] == f"warning: {warning}"


@pytest.mark.slow
def test_a_frame_of_several_runs_has_no_single_name() -> None:
    rows = [
        ("bm25", "q1", "a", 2.0),
        ("dense", "q1", "b", 1.0),
        ("dense", "q2", "c", 1),
    ]
    frame = pd.DataFrame(rows, columns=["model", "query_id", "doc_id", "score"])
    with Warehouse.memory() as warehouse:
        loaded = warehouse.load_run(frame)
        assert loaded.names == ("bm25", "dense")
        assert [item.rows for item in loaded.items] == [1, 2]
        with pytest.raises(NdcgSqlError, match=r'several: "bm25", "dense"; use names'):
            _ = loaded.name
        queries = warehouse.load_queries(frame[["query_id"]].drop_duplicates())
        assert queries.items == (LoadedItem("queries", None, "loaded", 2, 2),)
        assert queries.names == ()
        with pytest.raises(NdcgSqlError, match="nothing has one"):
            _ = queries.name
        titles = pd.DataFrame({"doc_id": ["a"], "title": ["A"]})
        documents = warehouse.load_documents(titles, replace=True)
        assert documents.items == (LoadedItem("documents", None, "replaced", 1),)
