"""What holds wherever one publishes: all of it is there, and only changes are sent."""

from pathlib import Path

import duckdb
import pytest

from ndcg_sql.database.relations import relations
from ndcg_sql.publishing import databases, plan
from support.commands import Command, Once
from support.files import RUN
from support.published import assert_equal, listed

pytestmark = pytest.mark.slow
LARGE = {name for name, found in relations().items() if found.may_be_left_out}
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
            assert f"warning: omitted {name}: up to " in result.err
        assert "is up to date" in ndcg("publish", target).err
    assert ndcg("publish", target).code == 0
    assert listed(target) == {*relations()}
