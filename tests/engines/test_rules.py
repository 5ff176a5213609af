"""What an engine does differently: each rule changes what would have other values."""

import pytest
import sqlglot
from sqlglot import exp
from sqlglot.optimizer.annotate_types import annotate_types

from ndcg_sql.engines.dialects import ENGINES
from ndcg_sql.engines.layout import written
from ndcg_sql.engines.relations import parsed, portable
from ndcg_sql.engines.script import Emission, script
from ndcg_sql.engines.tables import Tables
from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import parse
from support.engines import NOT_RUN
from support.subtopics import OF_JUDGMENTS

TABLES = Tables(
    "shop.results", "shop.grades", run="system", queries="shop.q", slices=("land",)
)
LOG2 = "log2(t.x)"
ONES = "list_transform(t.x, lambda i: 1)"
ZIPPED = "list_transform(list_zip(t.x, t.y), lambda i: i[1] * i[2])"
SUM = "sum(t.x order by t.y)"
MIXED = "case when t.y then cast(t.z as double) else t.x end as c"
ADDED = "list_sum(list(t.x) over (order by t.y)) as s"
NAMED = "max(t.x) over w as m from t window w as (partition by t.y order by t.z)"
RUNNING = "max(t.x) over (order by t.z rows unbounded preceding)"


@pytest.mark.parametrize(
    ("dialect", "items", "wanted"),
    [
        ("postgres", "cast(t.x as varchar)", 'CAST(t.x AS TEXT) COLLATE "C"'),
        ("postgres", LOG2, "ln(t.x) / ln(2)"),
        ("postgres", "power(t.x, t.y)", "< -350 THEN 0.0 ELSE power("),
        ("postgres", "exp(t.x)", "CASE WHEN (t.x) < -700 THEN 0.0 ELSE exp(t.x) END"),
        ("postgres", "round(t.x, 12)", "round(CAST(t.x AS DECIMAL), 12)"),
        ("postgres", ONES, "array(SELECT 1 FROM UNNEST(t.x) AS items(i))"),
        ("postgres", ZIPPED, "array(SELECT i_1 * i_2 FROM UNNEST(t.x, t.y) AS items("),
        ("postgres", "list_sum(t.x)", "(SELECT sum(item) FROM UNNEST(t.x) AS items("),
        ("postgres", "list_contains(t.x, t.y)", "t.y = ANY(t.x)"),
        ("clickhouse", ONES, "arrayMap(i -> 1, t.x)"),
        ("clickhouse", ZIPPED, "arrayMap((i_1, i_2) -> i_1 * i_2, t.x, t.y)"),
        ("clickhouse", "list_sum(t.x)", "arrayReduce('sum', t.x)"),
        ("clickhouse", "list_has_any(t.x, t.y)", "hasAny(t.x, t.y)"),
        ("clickhouse", "list(t.x order by t.x)", "arraySort(groupArray(t.x))"),
        ("clickhouse", "list(t.x order by t.x desc)", "arrayReverseSort(groupArray("),
        ("clickhouse", "count(*) over ()", "CAST(COUNT(*) OVER () AS Nullable(Int64))"),
        ("clickhouse", SUM, "SUM(t.x)"),
        ("clickhouse", "count(*) as n", "CAST(COUNT(*) AS Nullable(Int64)) AS n"),
        ("clickhouse", "t.x", "t.x AS x"),
        ("clickhouse", "least(t.x, t.y)", "LEAST(t.x, t.y)"),
        ("clickhouse", MIXED, "ELSE CAST(t.x AS Nullable(Float64)) END"),
        ("clickhouse", "t.x as value", "CAST(t.x AS Nullable(Float64)) AS value"),
        ("clickhouse", "null as standard_error", "CAST(NULL AS Nullable(Float64))"),
        ("bigquery", SUM, "sum(t.x)"),
        ("bigquery", LOG2, "ln(t.x) / ln(2)"),
        ("bigquery", NAMED, "max(t.x) OVER (PARTITION BY t.y ORDER BY t.z"),
        ("bigquery", RUNNING, "ORDER BY t.z rows BETWEEN"),
        ("bigquery", "least(t.x, t.y)", "least(coalesce(t.x, t.y), coalesce(t.y, t.x)"),
        ("bigquery", "count(*) over (partition by t.rel)", "CAST(t.rel AS STRING)"),
        ("bigquery", "cast(t.x as varchar)", "collate(CAST(t.x AS STRING), '')"),
        ("snowflake", SUM, "sum(t.x)"),
        ("snowflake", LOG2, "ln(t.x) / ln(2)"),
        ("snowflake", NAMED, "max(t.x) OVER (PARTITION BY t.y ORDER BY t.z"),
        ("snowflake", "least(t.x, t.y)", "coalesce(t.x, t.y), coalesce(t.y, t.x)"),
        ("snowflake", "t.x * 0.1", "t.x * CAST(0.1 AS DOUBLE)"),
        ("snowflake", "t.x / t.y", "CAST(t.x AS DOUBLE) / t.y"),
        ("snowflake", "cast(t.x as varchar)", "collate(CAST(t.x AS VARCHAR), 'utf8')"),
        ("spark", SUM, "sum(t.x)"),
        ("spark", LOG2, "log2(t.x)"),
        ("duckdb", LOG2, "log2(t.x)"),
        ("duckdb", "sum_in_order(t.x, t.y)", "sum(t.x ORDER BY t.y)"),
        ("duckdb", ADDED, "list_sum(array_agg(t.x) OVER (ORDER BY t.y"),
        ("postgres", ADDED, "sum(t.x) OVER (ORDER BY t.y"),
        ("postgres", "max_by(t.x, t.y)", "(array_agg(t.x ORDER BY t.y DESC))[1]"),
        ("postgres", "unnest(range(1, t.y)) as x", "generate_series(1, (t.y) - 1)"),
        (
            "clickhouse",
            "unnest(range(9)) as x",
            "arrayJoin(range(0, assumeNotNull(CAST",
        ),
        ("clickhouse", "bool_or(t.x)", "MAX(t.x)"),
        (
            "clickhouse",
            "max(t.x) filter (t.y > 1)",
            "MAX(CASE WHEN t.y > 1 THEN t.x END",
        ),
        ("spark", "sum(cast(t.x as decimal(38, 30)))", "sum(t.x)"),
        ("clickhouse", "len(t.x)", "LENGTH(t.x)"),
        ("spark", "t.x * 0.1", "t.x * CAST(0.1 AS DOUBLE)"),
    ],
)
def test_rule(dialect: str, items: str, wanted: str) -> None:
    select = f"select {items}" + ("" if " from " in items else " from t")
    tree = annotate_types(portable(parsed(select), ENGINES[dialect]))
    text = " ".join(written(ENGINES[dialect], tree).split())
    found = text.replace("( ", "(").replace(" )", ")")
    assert wanted.replace("t.", "") in found, found


@pytest.mark.slow
@pytest.mark.parametrize("dialect", NOT_RUN)
def test_script_of_all_families_parses_in_its_dialect(dialect: str) -> None:
    taken = OF_JUDGMENTS.keys() - ENGINES[dialect].refused
    measures = parse(" ".join(families()[name].example for name in sorted(taken)))
    text = script(Emission(dialect, measures, TABLES, baseline="base"))
    assert "not run on the engine" in text
    known: set[str] = set()
    for statement in sqlglot.parse(text, read=dialect):
        # sqlglot takes what it cannot parse as a command.
        assert statement is not None
        assert not isinstance(statement, exp.Command)
        # Each table reads what was created before; those that run would fail.
        tables = {table.name for table in statement.find_all(exp.Table) if table.db}
        if isinstance(statement, exp.Create) and statement.kind == "TABLE":
            name = statement.this.name
            assert tables - {name} <= known | {"results", "grades", "q"}
            known.add(name)
    assert len(known) >= 30
    assert {"query_values", "run_values", "slice_values", "comparisons"} <= known
