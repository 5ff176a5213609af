"""Every measure that is emitted has the values of a warehouse, on every engine."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

import pandas as pd  # pyright: ignore[reportMissingTypeStubs]
import pytest

from ndcg_sql import options
from ndcg_sql.engines.dialects import ENGINES as DIALECTS
from ndcg_sql.engines.dialects import engine_of
from ndcg_sql.engines.engine import GREEDY
from ndcg_sql.engines.script import Emission, one_select, script
from ndcg_sql.engines.tables import Tables
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import parse
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.engines import (
    NAMES,
    PLAIN,
    SHOP,
    TABLES,
    DuckDb,
    Engine,
    rows_of,
    started,
)
from support.expected import ALL, QUICK, VALUES, check_equal, load, wanted, worlds
from support.worlds import FRACTIONS, WHOLE

RUN = ("duckdb", "clickhouse", "postgres-C", "postgres-icu")
ENGINES = exploring.mostly_slow(RUN, "duckdb")
SPARK = pytest.param("spark", marks=pytest.mark.spark)
SLOW_SPARK = pytest.param("spark", marks=[pytest.mark.spark, pytest.mark.slow])


@pytest.fixture(scope="module", params=[*ENGINES, SPARK])
def engine(request: pytest.FixtureRequest) -> tuple[str, Engine]:
    name = str(request.param)
    return name.partition("-")[0], started(name, request)


_MADE: dict[str, str] = {}


def made(
    write: Callable[[Emission], str], dialect: str, measures: str, tables: Tables
) -> str:
    """Return a script or a select; to write one takes longer than to run it."""
    key = f"{write.__name__} {dialect} {measures} {tables}"
    if key not in _MADE:
        _MADE[key] = write(Emission(dialect, parse(measures), tables))
    return _MADE[key]


def check(engine: tuple[str, Engine], measures: str, grades: tuple[float, ...]) -> None:
    """Check the values of measures, all in one script, against a warehouse."""
    name, target = engine
    asked = parse(measures)
    target.fill(*rows_of(worlds(grades)))
    target.run(made(script, name, measures, TABLES[name]))
    # Those of a few measures take a warehouse a fraction of the time.
    few = (QUICK,) if measures == QUICK else ()
    per_query, per_run = wanted(grades, *few)
    found = target.rows(
        "select run, query_id, measure, value from ndcg_sql.query_values"
    )
    names = {measure.name for measure in asked}
    check_equal(
        {row[:3]: row[3:] for row in found},
        {key: row for key, row in per_query.items() if key[2] in names},
    )
    found = target.rows(
        "select run, measure, value, n, answered, unanswered, no_relevant,"
        " judged_at_k from ndcg_sql.run_values"
    )
    check_equal(
        {row[:2]: row[2:] for row in found},
        {key: row for key, row in per_run.items() if key[1] in names},
    )


@pytest.mark.slow
@pytest.mark.parametrize("engine", [*ENGINES, SLOW_SPARK], indirect=True)
def test_usual_measures_have_the_values_of_a_warehouse(
    engine: tuple[str, Engine],
) -> None:
    check(engine, QUICK, FRACTIONS)


@pytest.mark.slow
@pytest.mark.parametrize("engine", [*ENGINES, SLOW_SPARK], indirect=True)
def test_one_select_has_the_values_of_a_warehouse(engine: tuple[str, Engine]) -> None:
    name, target = engine
    target.fill(*rows_of(worlds(FRACTIONS)))
    per_query, _ = wanted(FRACTIONS, QUICK)
    for measure in parse(QUICK):
        found = target.rows(made(one_select, name, measure.name, TABLES[name]))
        check_equal(
            {(run, query, measure.name): (value,) for run, query, value in found},
            {key: row for key, row in per_query.items() if key[2] == measure.name},
        )


@pytest.mark.slow
@pytest.mark.parametrize("engine", [*ENGINES, SLOW_SPARK], indirect=True)
def test_slices_and_comparisons_are_those_of_a_warehouse(
    engine: tuple[str, Engine],
) -> None:
    name, target = engine
    rankings, judgments = rows_of(worlds(FRACTIONS))
    ids = sorted({row[0] for row in judgments})
    # Some queries have no country, and one is not in the table.
    lands = [(query, (None, "NO", "Å")[i % 3]) for i, query in enumerate(ids[1:])]
    target.fill(rankings, judgments, lands)
    place = "shop." if name == "clickhouse" else ""
    tables = Tables(
        *(f"{place}results", f"{place}grades", NAMES, "system"),
        *(f"{place}users", ("land",)),
    )
    measures = parse("nDCG@10 RR")
    target.run(script(Emission(name, measures, tables, baseline="b")))
    with Warehouse.memory() as warehouse:
        load(warehouse, rankings, judgments)
        frame = pd.DataFrame(lands, columns=["query_id", "land"])
        warehouse.load_queries(frame)
        for relation, key, where in (
            ("slice_values", "run, attribute, attribute_value, measure", "true"),
            ("comparisons", "candidate, measure, query_id", "baseline = 'b'"),
            ("run_comparisons", "candidate, measure", "baseline = 'b'"),
            (
                "slice_comparisons",
                "candidate, attribute, attribute_value, measure",
                "baseline = 'b'",
            ),
        ):
            select = f"select {key}, {VALUES[relation]} from"
            found = target.rows(f"{select} ndcg_sql.{relation}")
            own = "measure in ('nDCG@10', 'RR')"
            sql = f"{select} {relation} where {where} and {own}"
            wished = warehouse.query(sql).relation.fetchall()
            size = len(key.split(","))
            check_equal(
                {row[:size]: row[size:] for row in found},
                {row[:size]: row[size:] for row in wished},
            )


@pytest.mark.slow
@pytest.mark.parametrize("grades", [WHOLE, FRACTIONS], ids=["whole", "fractions"])
def test_every_family_has_the_values_of_a_warehouse(
    engine: tuple[str, Engine], grades: tuple[float, ...]
) -> None:
    refused = engine_of(engine[0]).refused
    runs = [m.name for m in parse(ALL) if m.family.name not in refused]
    check(engine, " ".join(runs), grades)


@pytest.mark.slow
@pytest.mark.parametrize("measure", [m.name for m in parse(ALL)])
def test_script_of_one_measure_has_the_values_of_a_warehouse(measure: str) -> None:
    # What a script leaves out depends on its measures, not on its engine.
    check(("duckdb", DuckDb()), measure, FRACTIONS)


EXAMPLES = {name: family.example for name, family in families().items()}


@pytest.mark.parametrize(
    ("dialect", "family", "message"),
    [
        (name, family, why)
        for name, one in DIALECTS.items()
        for why, refused in (
            (f"{name} cannot run it", one.refused),
            (f"{name} builds no greedy", GREEDY if one.greedy else ()),
        )
        for family in sorted(refused)
    ]
    + [
        ("postgres", name, "only a warehouse has (the|known) ")
        for name, family in families().items()
        if family.reads_rankings
    ],
)
def test_measure_that_an_engine_cannot_run_is_refused(
    dialect: str, family: str, message: str
) -> None:
    with pytest.raises(NdcgSqlError, match=f"{family}.*{message}"):
        Emission(dialect, parse(EXAMPLES[family]), SHOP)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_measures_without_known_documents_are_refused(dialect: str) -> None:
    omitted = {"known": "omit"}
    for family in families().values():
        measure = parse(family.example)[0]
        omitting = replace(measure, parameters=measure.parameters | omitted)
        with pytest.raises(NdcgSqlError, match=f'^measure "{family.name}.*known=.omit'):
            Emission(dialect, [omitting], SHOP)
        kept = replace(measure, parameters=measure.parameters | {"known": "keep"})
        assert kept.name == measure.name


RANKED, JUDGED = ("q", "a", 1.0, "r"), ("q", "a", 1.0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rankings", "judgments", "message"),
    [
        ([RANKED, RANKED], [JUDGED], "is there twice"),
        ([RANKED], [("q", None, 1.0)], "is null"),
        ([("q", "a", None, "r")], [JUDGED], "is null"),
        ([RANKED], [JUDGED, ("q", "a", 2.0)], "judged twice"),
        ([("q", None, 1.0, "r")], [JUDGED], "is null"),
        (
            [RANKED],
            [(*JUDGED, "1"), ("q", "a", 2.0, "1")],
            "for a query and a subtopic",
        ),
        ([RANKED], [(*JUDGED, "1"), ("q", "b", 1.0, None)], "subtopic.*is null"),
        ([RANKED], [("q", "a", None, "1")], "grade is null"),
    ],
)
def test_bad_rows_fail_the_script(
    engine: tuple[str, Engine], rankings: Any, judgments: Any, message: str
) -> None:
    name, target = engine
    target.fill(rankings, judgments)
    has_subtopics, tables = len(judgments[0]) > 3, TABLES[name]
    if has_subtopics:
        tables = replace(tables, columns={**NAMES, "subtopic": "aspect"})
    text = made(script, name, "P_IA@5" if has_subtopics else "P@5", tables)
    with pytest.raises(Exception, match=message):
        target.run(text)


@pytest.mark.slow
@pytest.mark.parametrize("tables", [PLAIN, replace(PLAIN, run=None)])
@pytest.mark.parametrize("dialect", ["duckdb", "postgres", "clickhouse", "spark"])
def test_scripts_can_be_read(dialect: str, tables: Tables) -> None:
    whole, one = (made(f, dialect, "nDCG@10", tables) for f in (script, one_select))
    # ClickHouse and Spark have more tables: they compute an expression as often as it
    # is read.
    limit = {"duckdb": 160, "postgres": 150}.get(dialect, 230)
    limit += 20 if tables.run is None else 0
    assert len(whole.splitlines()) <= limit
    assert len(one.splitlines()) <= (100 if dialect == "clickhouse" else 90)
    for text in (whole, one):
        assert not re.search(
            r"FROM settings|\b(bases|measures|families)\b|family", text
        )


@pytest.mark.parametrize(
    ("measures", "baseline", "message"),
    [
        ("nDCG@10 AP", None, "one_select: shows one measure, not 2; name one measure"),
        ("nDCG@10", "b", "one_select: shows values per query alone; omit by and comp"),
    ],
)
def test_one_select_of_more_is_refused(
    measures: str, baseline: str | None, message: str
) -> None:
    emission = Emission("duckdb", parse(measures), PLAIN, baseline=baseline)
    with pytest.raises(NdcgSqlError, match=message):
        one_select(emission)


@pytest.mark.parametrize("dialect", ["sparkle", "mysql"])
def test_unknown_dialects_are_refused_by_name(dialect: str) -> None:
    with pytest.raises(NdcgSqlError, match=f"{dialect}.*unknown"):
        script(Emission(dialect, parse("nDCG@10"), PLAIN))


def test_a_database_has_the_name_that_it_gives_itself() -> None:
    one, other = (
        Emission(name, parse("AP"), PLAIN) for name in ("postgres", "postgresql")
    )
    assert script(one) == script(other)


@pytest.mark.slow
def test_given_positions_decide() -> None:
    target = DuckDb()
    rows = [("q", "a", 2.0, "r"), ("q", "b", 1.0, "r")]
    target.fill(rows, [("q", "b", 1.0)])
    names = {**NAMES, "position": "score"}
    tables = Tables("results", "grades", names, "system")
    target.run(script(Emission("duckdb", parse("RR"), tables)))
    assert target.rows("select value from ndcg_sql.run_values") == [(1.0,)]


def test_the_dialects_of_the_requests_are_those_that_there_are() -> None:
    assert get_args(options.Dialect) == (*DIALECTS,)
