"""Families of measures: each has a view of its own; only those asked for are read."""

import json
from itertools import combinations
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.database import sql_files, views
from ndcg_sql.database.database import Database
from ndcg_sql.measures.families import families
from support.commands import Command
from support.subtopics import OF_JUDGMENTS

COLUMNS = [
    *("run_id", "judgment_set_id", "query_id", "measure"),
    *("retrieved", "value", "nothing_relevant"),
]
TYPES = [*("INTEGER",) * 2, *("VARCHAR",) * 2, "BIGINT", "DOUBLE", "BOOLEAN"]
VIEWS = {
    row["family"]: row["view"]
    for row in sql_files.rows("measures")
    if row["summary"] != "none"
}
OF_RUNS = {
    row["family"]: row["view"]
    for row in sql_files.rows("measures")
    if row["summary"] == "none"
}


def columns(database: Database, relation: str) -> dict[str, str]:
    """Return the columns of a view, with their types."""
    return {row[0]: row[1] for row in database.execute(f"describe {relation}")}


@pytest.mark.parametrize("family", VIEWS)
def test_the_view_of_a_family_has_the_columns_of_all(
    memory: Database, family: str
) -> None:
    assert views.of_families({family}) == [VIEWS[family]]
    assert VIEWS[family] in views.computing()
    assert set(COLUMNS) <= columns(memory, VIEWS[family]).keys()


@pytest.mark.parametrize("family", OF_RUNS)
def test_the_view_of_a_family_of_runs_has_the_columns_of_all(
    memory: Database, family: str
) -> None:
    assert views.of_run_families({family, "nDCG"}) == [OF_RUNS[family]]
    assert views.of_families({family}) == []
    found = columns(memory, OF_RUNS[family])
    assert found == columns(memory, "run_family_values")
    assert found == {
        **{"run_id": "INTEGER", "run": "VARCHAR", "judgment_set_id": "INTEGER"},
        **{"attribute": "VARCHAR", "slice": "VARCHAR", "measure": "VARCHAR"},
        **{"value": "DOUBLE", "n": "BIGINT"},
    }


def test_every_view_of_a_family_is_named_by_a_row() -> None:
    assert VIEWS.keys() | OF_RUNS.keys() == families().keys()
    for folder, named in (("families", VIEWS), ("run_families", OF_RUNS)):
        there = {Path(name).name for name in sql_files.names(f"views/{folder}")}
        assert there == set(named.values())


@pytest.mark.parametrize("family", VIEWS)
def test_the_union_of_one_family_reads_its_view_alone(family: str) -> None:
    assert views.reads(views.union_of({family})) == {VIEWS[family]}


def test_the_union_of_some_families_reads_just_their_views() -> None:
    some = list(VIEWS)[::9]
    for pair in combinations(some, 2):
        assert views.reads(views.union_of(pair)) == {VIEWS[name] for name in pair}
    assert views.reads(views.union_of(families())) == set(VIEWS.values())
    assert views.union_of(families()) == views.computing()["family_values"].select


def test_the_union_has_the_columns_of_a_family(memory: Database) -> None:
    found = columns(memory, "family_values")
    assert (list(found), list(found.values())) == (COLUMNS, TYPES)


@pytest.mark.parametrize("family", VIEWS)
def test_a_family_that_is_asked_for_alone_is_the_only_one_that_is_made(
    family: str,
) -> None:
    made = views.in_order([VIEWS[family]])
    others = set(VIEWS.values()) - {VIEWS[family]}
    read = views.reads_through([VIEWS[family]])
    assert {view.name for view in made} & others == read & others
    assert len({view.name for view in made} & others) <= 2


def test_a_multiple_of_r_may_be_deeper_than_any_cutoff(ndcg: Command) -> None:
    judged = "".join(f"q 0 d{n} 1\n" for n in range(1500))
    Path("qrels").write_text(judged)
    Path("run").write_text("q Q0 d7 1 1 t\n")
    asked = ("-m", "Rprec_mult@1000000", "--format", "json")
    (row,) = json.loads(ndcg("eval", "qrels", "run", *asked).out)
    assert row["value"] == 1 / (1500 * 1_000_000)


# The worked case would have other means, of the families that it has.
@pytest.mark.slow
def test_every_family_values_each_query_once(ndcg: Command, loaded: Path) -> None:
    every = [family.example for family in OF_JUDGMENTS.values()]
    assert ndcg("measures", "add", *every).code == 0
    valued = " union all ".join(
        f"select '{view}' as view, family, measure, run_id, query_id from {view}"
        " inner join measures using (measure)"
        for view in {VIEWS[name] for name in OF_JUDGMENTS}
    )
    with duckdb.connect(str(loaded), read_only=True) as connection:
        connection.execute("set schema = 'store'")
        rows = connection.execute(
            f"select view, family, count(*) from ({valued})"
            " group by view, family, measure, run_id, query_id"
        ).fetchall()
    assert set(rows) == {(VIEWS[name], name, 1) for name in OF_JUDGMENTS}
