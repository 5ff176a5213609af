"""Families of measures are rows: formulas that parse, and one chain that they share."""

import json
import re
from functools import reduce
from operator import add
from pathlib import Path

import duckdb
import pytest

from ndcg_sql.database import chain, opening, sql_files, views
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.values import Batch, Measuring, refill
from support import everything
from support.commands import Command

ROWS = {row["family"]: row for row in sql_files.rows("measures")}
# What a formula may name, and where its column is.
COLUMNS = {"term": "terms", "value": "query_counts"}
IS_SO = {"no", "yes"}
# The words that a column may have.
WORDS = {
    "gain": {
        *("", "attribute", "binary", "judged", "linear", "not relevant", "novel"),
        *("novelty", "popularity", "satisfaction", "scaled", "shown"),
        *("subtopic precision", "tail"),
    },
    "ideal": {"", "greedy", "judged", "perfect"},
    "cutoff": {"level", "none", "optional", "required"},
    "summary": {"geometric", "mean", "none", "sum"},
    "best": {"", "highest"},
    "needs": {"attributes", "documents", "known", "rankings", "subtopics"}
    | {"negative", "not_relevant"},
    **{"always_counts": IS_SO, "bounded": IS_SO},
    **{"ideal_is_one": IS_SO, "monotone": IS_SO},
}
# From tables to the mean of a run: what nDCG@10 reads.
MOST_VIEWS, MOST_LINES = 17, 260


def test_a_formula_names_columns_that_there_are(memory: Database) -> None:
    for column, relation in COLUMNS.items():
        # To plan the relation, even for no rows, takes seconds; its types do not.
        types = "select column_name, data_type from duckdb_columns()"
        columns = memory.execute(f"{types} where table_name = '{relation}'")
        declared = ", ".join(f'"{name}" {kind}' for name, kind in columns)
        memory.execute(f"create temp table read ({declared})")
        for family, row in ROWS.items():
            formula = row[column] or "null"
            try:
                memory.execute(f"select cast({formula} as double) from read")
            except duckdb.Error as error:
                pytest.fail(f"sql/measures.csv, {family}, {column}: {error}")
        memory.execute("drop table temp.read")


def test_a_row_says_how_a_family_is_computed() -> None:
    totals = views.reads(views.computing()["sums"].select)
    for family, row in ROWS.items():
        for column, words in WORDS.items():
            value = row[column]
            used = {*value.split()} if column == "needs" else {value}
            assert used <= words, f"{family}: {column} is {value}"
        own, is_of_runs = row["relation"], row["summary"] == "none"
        assert bool(row["value"]) != is_of_runs, family
        # A relation that sums does not read would give 0 without a word.
        assert not own or own in (views.computing() if is_of_runs else totals), family
        assert own or row["term"] or family in ("NumQ", "NumRel"), family
        assert row["term"] or row["ideal"] not in ("judged", "greedy"), family
        assert row["ideal"] or "ideal_total" not in row["value"], family


def test_the_views_of_a_family_have_at_most_60_lines() -> None:
    for row in ROWS.values():
        if row["relation"] and row["summary"] != "none":
            select = sql_files.read(f"{chain.FOLDER}/{row['relation']}")
            assert len(select.splitlines()) <= 60, row["relation"]


def test_ndcg_is_a_short_chain(memory: Database) -> None:
    measuring = Measuring(memory, {"nDCG@10": "nDCG"})
    sql = measuring.values(Batch(1, (1,)), stored_ideals=False)
    parts = re.split(r"(\w+) as (?:not )?materialized \(", sql)
    named = [name for name in parts[1::2] if name in views.computing()]
    lines = sum(len(text.rstrip("), \n").splitlines()) for text in parts[2::2])
    assert (len(named) <= MOST_VIEWS, lines <= MOST_LINES) == (True, True), (
        named,
        lines,
    )


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> Database:
    """Return a warehouse of two datasets with the same ids, and every family."""
    path = tmp_path_factory.mktemp("every") / "every.duckdb"
    everything.fill(path)
    return opening.write(path, refill)


# Each has a statement of its own, which takes half a second.
@pytest.mark.slow
@pytest.mark.parametrize("family", [f for f in ROWS if ROWS[f]["summary"] != "none"])
def test_a_family_alone_has_the_values_that_it_has_among_all(
    every: Database, family: str
) -> None:
    sql = "select measure, family from measures where family = $family"
    measures = dict(every.execute(sql, {"family": family}))
    pairs = every.execute("select run_id, judgment_set_id from evaluations")
    set_id = max(set_id for _, set_id in pairs)
    runs = tuple(run_id for run_id, other in pairs if other == set_id)
    alone = Measuring(every, measures).values(Batch(set_id, runs), False)
    compared = "select run_id, query_id, measure, value, nothing_relevant"
    stored = every.execute(
        f"{compared} from stored_values where judgment_set_id = $set_id"
        " and measure in (select unnest($names)) order by all",
        {"set_id": set_id, "names": [*measures]},
    )
    assert stored
    assert every.execute(f"{compared} from ({alone}) order by all") == stored


def test_ranges_of_queries_have_the_values_of_all(every: Database) -> None:
    measures = dict(every.execute("select measure, family from measures"))
    measuring = Measuring(every, measures)
    [(run_id, set_id), *_] = every.execute(
        "select run_id, judgment_set_id from evaluations"
    )
    whole = Batch(set_id, (run_id,))
    ranges = ["query_id < 'q3'", "query_id >= 'q3'"]
    parts = [measuring.values(whole._replace(queries=which), False) for which in ranges]
    found = every.execute(f"({parts[0]}) union all ({parts[1]}) order by all")
    assert found == every.execute(f"{measuring.values(whole, False)} order by all")
    assert found


def test_sums_are_added_in_order(memory: Database) -> None:
    numbers = [1e16, 1.0, -1e16, 3.0, 1e-3]
    rows = ", ".join(f"({x!r}::double, {i})" for i, x in enumerate(numbers))
    sums = "select sum_in_order(x, -i), sum_in_order(x, i)"
    both = memory.execute(f"{sums} from (values {rows}) as numbers (x, i)")
    [(last_first, first_last)] = both
    # One after the other; sum() would compensate for rounding.
    assert first_last == reduce(add, numbers)
    assert last_first == reduce(add, numbers[::-1])


def test_a_multiple_of_r_may_be_deeper_than_any_cutoff(ndcg: Command) -> None:
    judged = "".join(f"q 0 d{n} 1\n" for n in range(1500))
    Path("qrels").write_text(judged)
    Path("run").write_text("q Q0 d7 1 1 t\n")
    asked = ("-m", "Rprec_mult@1000000", "--format", "json")
    (row,) = json.loads(ndcg("eval", "qrels", "run", *asked).out)
    assert row["value"] == 1 / (1500 * 1_000_000)
