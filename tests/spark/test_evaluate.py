"""ndcg_sql.spark.evaluate in a session of the user's: the values of a warehouse."""

import contextlib
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd  # pyright: ignore[reportMissingTypeStubs]
import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.spark import evaluate
from support import subtopics as diversity
from support.engines import Rows, frame, rows_of
from support.expected import VALUES, check_equal, load
from support.worlds import FRACTIONS, World, world

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark
COLUMNS = {"query_id": "user_id", "doc_id": "item"}
RANKINGS = "user_id string, item string, score double, system string"
GRADES = "user_id string, item string, grade double"
# The exchanges of nDCG@10 without broadcasts, before Spark adapts its plan.
EXCHANGES = {"plain": 16, "bucketed": 14}


def frames(spark: "SparkSession", rankings: Rows, judgments: Rows) -> dict[str, Any]:
    """Return the arguments of evaluate for rows."""
    return {
        "rankings": frame(spark, rankings, RANKINGS),
        "judgments": frame(spark, judgments, GRADES),
        "columns": COLUMNS,
        "run_column": "system",
    }


def rows(values: "DataFrame", columns: str, key: int) -> dict[Any, Any]:
    """Return columns of a DataFrame; the first ones are the key."""
    found: list[Any] = values.selectExpr(*columns.split(", ")).collect()
    found = [tuple(row) for row in found]
    return {row[:key]: row[key:] for row in found}


def test_values_and_slices_are_those_of_a_warehouse(spark: "SparkSession") -> None:
    one, two = world(3, 12, FRACTIONS), world(4, 12, FRACTIONS)
    rankings, judgments = rows_of({"Ä-1": one, "b": World(one.judged, two.ranked)})
    ids = sorted({row[0] for row in judgments})
    # Some queries have no land, and one is not in the table.
    lands = [(query, (None, "NO", "Å")[i % 3]) for i, query in enumerate(ids[1:])]
    # Braces and colons have a meaning in the statements of Spark.
    measures = ["nDCG(gains={1:3.5,2:9})@10", "RR"]
    found = evaluate(
        spark,
        **frames(spark, rankings, judgments),
        measures=measures,
        queries=frame(spark, lands, "user_id string, land string"),
        by=["land"],
    )
    counted = VALUES["slice_values"]
    sliced = f"run, attribute, attribute_value, measure, {counted}"
    assert found.slice_values is not None
    with Warehouse.memory() as warehouse:
        for measure in measures:
            warehouse.add_measures(measure)
        load(warehouse, rankings, judgments)
        warehouse.load_queries(pd.DataFrame(lands, columns=["query_id", "land"]))
        for relation, values, columns, key in (
            ("query_values", found.query_values, "run, query_id, measure, value", 3),
            ("run_values", found.run_values, f"run, measure, {counted}", 2),
            ("slice_values", found.slice_values, sliced, 4),
        ):
            mine = rows(values, columns, key)
            names = ", ".join(f"$${row[key - 1]}$$" for row in mine)
            sql = f"select {columns} from {relation} where measure in ({names})"
            wished = warehouse.query(sql).relation.fetchall()
            check_equal(mine, {row[:key]: row[key:] for row in wished})
            assert len({row[key - 1] for row in mine}) == len(measures)


def test_saved_values_are_loaded(spark: "SparkSession", tmp_path: Path) -> None:
    rankings, judgments = rows_of({"b": world(3, 12, FRACTIONS)})
    found = evaluate(spark, **frames(spark, rankings, judgments), measures="nDCG@10 AP")
    folder = tmp_path / "values"
    found.save(str(folder))
    with pytest.raises(NdcgSqlError, match="already exists"):
        found.save(str(folder))
    with Warehouse.memory() as warehouse:
        columns = ["query_id", "doc_id", "grade"]
        warehouse.load_judgments(pd.DataFrame(judgments, columns=columns), "j")
        warehouse.load_values(folder)
        loaded = warehouse.query("select run, measure, value from run_values")
        means = {(run, measure): (v,) for run, measure, v in loaded.relation.fetchall()}
        columns = "run, measure, value"
        check_equal(means, rows(found.run_values, columns, 2))


def test_whole_numbers_are_ids(spark: "SparkSession") -> None:
    # As text, 9 is above 10.
    rankings = frame(
        spark, [(1, 9, 1.0), (1, 10, 1.0)], "query_id long, doc_id int, score float"
    )
    judgments = frame(spark, [(1, 10, 1)], "query_id int, doc_id long, grade int")
    found = evaluate(spark, rankings=rankings, judgments=judgments, measures="RR")
    assert rows(found.run_values, "run, measure, value", 2) == {("run", "RR"): (0.5,)}


@pytest.mark.slow
def test_judgments_name_subtopics(spark: "SparkSession") -> None:
    made = diversity.world(2, 8)
    judged = [(q, t, d, grade) for q, t, d, grade in made.judged]
    ranked = [(q, d, s) for q, docs in made.ranked.items() for d, s in docs.items()]
    named = "query_id string, intent string, doc_id string, grade double"
    measures = ["ERR_IA@5"]
    given: dict[str, Any] = {
        "rankings": frame(
            spark, ranked, "query_id string, doc_id string, score double"
        ),
        "judgments": frame(spark, judged, named),
    }
    found = evaluate(
        spark, **given, measures=measures, columns={"subtopic": "intent"}
    ).query_values
    expected = diversity.ndeval(made)
    check_equal(
        rows(found, "query_id, measure, value", 2),
        {(q, m): (v,) for m in measures for q, v in expected[m].items()},
    )
    with pytest.raises(NdcgSqlError, match='no column "subtopic", but'):
        evaluate(spark, **given, measures=measures)
    with pytest.raises(NdcgSqlError, match="spark builds no greedy ideal ranking"):
        evaluate(spark, **given, measures="alpha_nDCG@5")


def test_tables_of_the_catalog_are_named(spark: "SparkSession") -> None:
    spark.sql("create database shop")
    for name, kind, value in (("results", "score", 2), ("grades", "grade", 3)):
        spark.sql(
            f"create table shop.{name} as"
            f" select 'q' as query_id, 'd' as doc_id, {value} as {kind}"
        )
    found = evaluate(
        spark, rankings="shop.results", judgments="shop.grades", measures="P@5 nDCG@10"
    )
    assert rows(found.query_values, "measure, value", 1) == {
        ("P@5",): (0.2,),
        ("nDCG@10",): (1.0,),
    }


def test_session_is_left_as_it_was(spark: "SparkSession") -> None:
    given = frames(spark, [("q", "a", 1.0, "r")], [("q", "a", 1.0)])
    given["rankings"].cache()
    evaluate(spark, **given, measures="nDCG@10").run_values.collect()
    assert given["rankings"].storageLevel.useMemory
    assert [table for table in spark.catalog.listTables() if table.isTemporary] == []


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"rankings": ("('q', 'a', 1.0, 'r'), ('q', 'a', 2.0, 'r')")}, "(r, q, a)"),
        ({"rankings": "('q', null, 1.0, 'r')"}, "id is null"),
        ({"rankings": "('q', 'a', double('nan'), 'r')"}, "not a number"),
        (
            {"rankings": "('q', 'a', '1', 'r'), ('q', 'b', 'high', 'r')"},
            'rankings: column "score" is text that is not a number: (q, b, high, r)',
        ),
        ({"judgments": "('q', 'a', 1.0), ('q', 'a', 1.0)"}, "judged twice"),
        ({"columns": {"query_id": "user"}}, 'no column "user", but'),
        ({"columns": {"user": "query_id"}}, 'columns={"user": "query_id"}: write'),
        ({"run_column": "model"}, 'no column "model"'),
        ({"measures": "nDCG@ten"}, "nDCG@ten"),
        ({"measures": "nDCG(gains='steep')@10"}, "its gain scheme is in a warehouse"),
        ({"by": ["land"]}, "by and queries: slices need both"),
        ({"rankings": "shop.nothing"}, "shop.nothing"),
    ],
)
def test_bad_input_is_refused_by_name(
    spark: "SparkSession", changed: dict[str, Any], message: str
) -> None:
    given: dict[str, Any] = {
        **{"rankings": "('q', 'a', 1.0, 'r')", "judgments": "('q', 'a', 1.0)"},
        **{"columns": COLUMNS, "run_column": "system", "measures": "nDCG@10"},
        **changed,
    }
    names = {"rankings": "user_id, item, score, system"}
    names["judgments"] = "user_id, item, grade"
    for kind, columns in names.items():
        if "(" in given[kind]:
            sql = f"select * from values {given[kind]} as t({columns})"
            given[kind] = spark.sql(sql)
    spark.conf.set("spark.sql.ansi.enabled", "false")
    try:
        with pytest.raises(NdcgSqlError, match=re.escape(message)):
            evaluate(spark, **given)
    finally:
        spark.conf.unset("spark.sql.ansi.enabled")


@pytest.mark.parametrize("stored", EXCHANGES)
def test_plan_exchanges_no_more_than_before(spark: "SparkSession", stored: str) -> None:
    """Count what moves between workers: its cost grows with the input."""
    given = frames(spark, *rows_of({"b": world(3, 12, FRACTIONS)}))
    if stored == "bucketed":
        for kind in ("rankings", "judgments"):
            writer = given[kind].write.bucketBy(4, "user_id").sortBy("user_id")
            writer.saveAsTable(f"bucketed_{kind}")
            given[kind] = f"bucketed_{kind}"
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    try:
        found = evaluate(spark, **given, measures="nDCG@10")
        plan = plan_of(found.query_values)
    finally:
        spark.conf.unset("spark.sql.autoBroadcastJoinThreshold")
    assert len(re.findall(r"\bExchange ", plan)) == EXCHANGES[stored], plan


def plan_of(values: "DataFrame") -> str:
    """Return the physical plan of a DataFrame."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        values.explain("simple")
    return shown.getvalue()
