"""What holds wherever one publishes: all of it is there, and only changes are sent."""

from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.database.relations import relations
from ndcg_sql.publishing import attributes, databases, plan
from ndcg_sql.publishing.attributes import NAME
from support.commands import Command, Once, load_texts
from support.files import RUN
from support.published import assert_equal, listed, table

pytestmark = pytest.mark.slow
LARGE = {name for name, found in relations().items() if found.may_be_left_out}
FIXED = ["dataset", "query_id", "text", "weight", "weight_share"]
ODD = ("\\N", 'a "quoted" id, with a comma', "line", " blank ", "NULL", "ÄÖ≠🎈")
# Ids and a name of a dataset that a statement must quote.
HOSTILE = """
    copy (select id as query_id, id as doc_id, n % 3 as grade, n as score
    from (select unnest($ids) as id, unnest(range(7)) as n)) to 'odd.parquet'
"""
CHANGES = (
    *("tag run base model=a", "rename run base first", "measures add P@1"),
    *("measures remove P@1", "gains add own 1=3", "load queries queries.csv"),
    *("load queries attributes.csv", "load documents documents.csv"),
    *("load judgments more", "load assessments said.csv", "load run late"),
    *("remove run first", "remove dataset odd"),
)
FILES = {
    "late": RUN,
    "infinite": "q1 Q0 a 1 inf t\nq1 Q0 b 2 -inf t\n",
    "more": "q1 0 c 1\n",
    "queries.csv": "query_id,text,weight\nq1,shoes,2\n",
    "attributes.csv": "query_id,device\nq1,phone\n",
    "documents.csv": "doc_id,title\na,A title\n",
    "said.csv": "query_id,doc_id,assessor,grade\nq1,a,Ann,1\nq1,a,Bob,0\n",
}


@pytest.fixture
def world(ndcg: Command, loaded: Path, once: Once) -> Path:
    """Fill a warehouse, and write what changes it."""

    def fill() -> None:
        for name, text in FILES.items():
            Path(name).write_text(text)
        ids = ["q1'; drop table runs; --", *ODD]
        duckdb.execute(HOSTILE, {"ids": ids})
        for dataset in ("it's odd", "odd"):
            for kind in ("judgments", "run"):
                words = ("load", kind, "odd.parquet", "--dataset", dataset)
                assert ndcg(*words).code == 0

    once(fill)
    return loaded


@pytest.mark.usefixtures("world")
def test_every_change_is_published(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    monkeypatch.setattr(databases, "_ROWS_AT_ONCE", 29)
    # Each is compared with a file; a server takes seconds for that.
    steps = CHANGES if target == "bi.duckdb" else (*CHANGES[:2], " ", CHANGES[-1])
    if not target.startswith("mysql"):
        assert ndcg("load", "run", "infinite").code == 0
    told = ndcg("publish", target)
    assert told.code == 0, told.err
    assert_equal(target)
    for step in steps:
        assert not step.strip() or ndcg(*step.split()).code == 0, step
        told = ndcg("publish", target)
        is_same = f'"{target}" is up to date; nothing to publish\n'
        assert told.code == 0, told.err
        if "://" not in target or target.startswith("sqlite"):
            assert (told.err == is_same) == (not step.strip()), (step, told.err)
        assert_equal(target, what=step)


def test_only_what_changed_is_computed_again(
    ndcg: Command, world: Path, computed: list[tuple[str, str]], target: str
) -> None:
    assert ndcg("publish", target).code == 0
    assert ndcg("load", "run", "late").code == 0
    computed.clear()
    assert ndcg("publish", target).code == 0
    parts = {part for name, part in computed if name in ("rankings", "query_values")}
    assert parts == {"4"}
    # No judgment changed, and so no ideal.
    for name in ("judgments", "ideal_rankings", "subtopic_judgments"):
        assert name not in [relation for relation, _ in computed]
    assert world.exists()


@pytest.mark.usefixtures("loaded")
def test_what_is_too_large_is_absent(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    assert ndcg("publish", target).code == 0
    assert listed(target) == {*relations()}
    with monkeypatch.context() as patched:
        patched.setattr(plan, "MOST_ROWS", 0)
        result = ndcg("publish", target)
        assert result.code == 0, result.err
        left_out = {*relations()} - listed(target)
        assert {"ndcg_steps"} <= left_out <= LARGE
        for name in left_out:
            assert f"warning: left out {name}: up to " in result.err
        assert "is up to date" in ndcg("publish", target).err
    assert ndcg("publish", target).code == 0
    assert listed(target) == {*relations()}


def load(ndcg: Command, header: str, *lines: str, dataset: str = "default") -> None:
    """Load queries of a dataset, which has no others."""
    text = "\n".join([header, *lines]) + "\n"
    load_texts(ndcg, {f"queries q.csv --dataset {dataset} --replace": text})


def queries(target: str) -> tuple[list[str], dict[Any, tuple[Any, ...]]]:
    """Return the columns of queries with attributes, and what each query has."""
    names, rows = table(target, NAME)
    return names, {row[:2]: row[2:] for row in rows}


@pytest.mark.usefixtures("loaded")
def test_each_attribute_is_a_column(ndcg: Command, target: str) -> None:
    assert ndcg("publish", target).code == 0
    nothing = {("default", query): (None, None, None) for query in ("q1", "q2", "q3")}
    assert queries(target) == (FIXED, nothing)
    header = "query_id,text,weight,device,O'Neil %"
    load(ndcg, header, "q1,one,3,phone,a", "q2,two,1,,b")
    told = ndcg("publish", target)
    assert told.code == 0, told.err
    assert told.err.splitlines()[1:] == [f'columns of {NAME}: "O\'Neil %" is o_neil']
    names, found = queries(target)
    assert names == [*FIXED, "device", "o_neil"]
    assert found == {
        ("default", "q1"): ("one", 3, 0.75, "phone", "a"),
        ("default", "q2"): ("two", 1, 0.25, None, "b"),
        ("default", "q3"): (None, None, None, None, None),
    }
    assert "is up to date" in ndcg("publish", target).err
    # Another dataset's attributes are columns of all: also of what did not change.
    load(ndcg, "query_id,country", "x,AT", dataset="other")
    assert ndcg("publish", target).code == 0
    names, found = queries(target)
    values = {key: dict(zip(names[2:], row, strict=True)) for key, row in found.items()}
    assert values["other", "x"]["country"] == "AT"
    assert values["default", "q1"]["country"] is None
    assert values["default", "q1"]["device"] == "phone"
    # What no query has any more is gone, or empty where tables stay.
    load(ndcg, "query_id,text", "q1,one")
    assert ndcg("publish", target).code == 0
    names, found = queries(target)
    assert ("device" in names) == ("://" in target)
    assert found["default", "q1"][:3] == ("one", None, None)
    assert {*found["default", "q1"][3:]} == {None}


@pytest.mark.usefixtures("loaded")
def test_of_very_many_attributes_the_most_frequent_have_columns(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attributes, "MOST", 2)
    load(ndcg, "query_id,a,b,c,d", "q1,1,1,,1", "q2,,1,,1", "q3,,,1,")
    told = ndcg("publish", "bi.duckdb")
    assert told.code == 0
    assert told.err.splitlines()[1:] == [
        f"warning: {NAME} has columns for the 2 attributes that most queries have, not"
        ' for "a", "c"; select these from query_attributes'
    ]
    assert queries("bi.duckdb")[0] == [*FIXED, "b", "d"]
