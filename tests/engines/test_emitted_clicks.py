"""Every engine makes the judgments of clicks that a warehouse makes."""

from random import Random
from typing import Any

import pandas as pd  # pyright: ignore[reportMissingTypeStubs]
import pytest
import sqlglot
from sqlglot import exp

import ndcg_sql
from ndcg_sql.engines.dialects import ENGINES as DIALECTS
from ndcg_sql.engines.statement import names_of
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.clicks import Event, Pair, graded, random_log
from support.commands import Command
from support.engines import ClickHouse, DuckDb, Engine, Postgres, Spark

RUN = ("duckdb", "clickhouse", "postgres-C", "postgres-icu")
SPARK = pytest.param("spark", marks=[pytest.mark.spark, pytest.mark.slow])
WEIGHTS = {"click": 1.0, "it's bought": 2.7, "save": 0.1, "hover": 0.0}
OTHERS = {name: weight for name, weight in WEIGHTS.items() if name != "click"}
COUNTED = {name: weight for name, weight in WEIGHTS.items() if weight}
COLUMNS = {"query_id": "search", "doc_id": "item", "action": "what"}
# What follows the columns of a table.
ENDS = {"clickhouse": " engine = MergeTree order by tuple()", "spark": " using parquet"}
# Positions in another type, and types that a warehouse does not have.
TYPES = {
    "clickhouse": ("Nullable(String)", "LowCardinality(String)", "UInt16"),
    "spark": ("string", "string", "bigint"),
}


@pytest.fixture(scope="module", params=[*exploring.mostly_slow(RUN, "duckdb"), SPARK])
def engine(request: pytest.FixtureRequest) -> tuple[str, Engine]:
    name, _, locale = str(request.param).partition("-")
    if name == "postgres":
        server = request.getfixturevalue("postgresql")
        return name, Postgres(server, locale.lower())
    if name == "spark":
        return name, Spark(request.getfixturevalue("spark"))
    return name, ClickHouse() if name == "clickhouse" else DuckDb()


def fill(engine: tuple[str, Engine], events: list[Event]) -> str:
    """Make a table of events; return its name."""
    name, target = engine
    target.fill([], [])
    table = "shop.log" if name == "clickhouse" else "log"
    text, action, position = TYPES.get(name, ("varchar", "varchar", "smallint"))
    columns = f"search {text}, item {text}, what {action}, position {position}"
    target.run(f"drop table if exists {table}")
    target.run(f"create table {table} ({columns}){ENDS.get(name, '')}")
    escaped = "\\'" if name == "spark" else "''"
    rows = ", ".join(
        "('{}', '{}', '{}', {})".format(*(f.replace("'", escaped) for f in texts), at)
        for *texts, at in events
    )
    target.run(f"insert into {table} values {rows}")
    return table


def log(seed: int, size: int) -> list[Event]:
    """Return events at random; some ids differ by case alone."""
    events = random_log(Random(seed), size, WEIGHTS)
    cased = {"d1": "D0", "d2": "é", "d3": "É"}
    return [(q, cased.get(d, d), action, at) for q, d, action, at in events]


def rows(engine: tuple[str, Engine], select: str) -> dict[Pair, tuple[Any, ...]]:
    """Return the rows of a select by query and document."""
    found = engine[1].rows(select)
    by_pair = {(query, document): (*rest,) for query, document, *rest in found}
    assert len(by_pair) == len(found)
    return by_pair


@pytest.mark.slow
@pytest.mark.parametrize("model", ["coec", "ctr"])
def test_grades_are_those_of_a_warehouse_and_of_numpy(
    engine: tuple[Any, Engine], model: Any
) -> None:
    for seed, (size, least) in enumerate([(200, 2), (1500, 20)]):
        events = log(seed, size)
        table = fill(engine, events)
        select = ndcg_sql.emit_clicks(
            engine[0],
            table,
            model=model,
            actions=OTHERS,
            min_impressions=least,
            columns=COLUMNS,
        )
        found = rows(engine, select)
        grades = {pair: row[0] for pair, row in found.items()}
        expected = graded(events, model, COUNTED, least)
        assert len(expected) > 10
        assert grades == pytest.approx(expected, rel=1e-9, abs=1e-9)
        columns = ["query_id", "doc_id", "action", "position"]
        frame = pd.DataFrame(events, columns=columns)
        with Warehouse.memory() as own:
            own.load_clicks(
                frame, "e", model=model, actions=OTHERS, min_impressions=least
            )
            made = own.query("select query_id, doc_id, grade from judgments")
            warehouse = {(q, d): grade for q, d, grade in made.df().itertuples(False)}
        assert grades == pytest.approx(warehouse, rel=1e-9, abs=1e-9)
        for pair, (_, impressions, clicks) in found.items():
            here = [event for event in events if event[:2] == pair]
            assert impressions == sum(event[2] == "impression" for event in here)
            worth = sum(COUNTED.get(event[2], 0.0) for event in here)
            assert clicks == pytest.approx(worth)


@pytest.mark.slow
def test_levels_are_those_of_a_warehouse(engine: tuple[Any, Engine]) -> None:
    events = log(7, 1500)
    levels = [0.5, 0.9, 1.3]
    select = ndcg_sql.emit_clicks(
        engine[0],
        fill(engine, events),
        actions=OTHERS,
        levels=levels,
        columns=COLUMNS,
    )
    fractions = graded(events, "coec", COUNTED, 20)
    expected = {
        pair: sum(fraction >= level for level in levels)
        for pair, fraction in fractions.items()
    }
    assert set(expected.values()) == {0, 1, 2, 3}
    assert {pair: row[0] for pair, row in rows(engine, select).items()} == expected


@pytest.mark.usefixtures("here")
def test_duckdb_makes_the_grades_of_numpy(ndcg: Command) -> None:
    events = log(3, 300)
    engine: tuple[str, Engine] = ("duckdb", DuckDb())
    # Some impressions have another word.
    words = {"impression": "viewed it's list"}
    renamed = [
        (query, document, words.get(what, what) if at > 2 else what, at)
        for query, document, what, at in events
    ]
    table = fill(engine, renamed)
    options = [f"--action={name}={weight}" for name, weight in OTHERS.items()]
    options += [f"--column={ours}={theirs}" for ours, theirs in COLUMNS.items()]
    options += ["--dialect", "duckdb", "--events", table, "--min-impressions", "3"]
    options += ["--impression", *words.values()]
    printed = ndcg("emit", "clicks", *options)
    assert (printed.code, printed.err) == (0, "")
    emitted = ndcg_sql.emit_clicks(
        "duckdb",
        table,
        actions=OTHERS,
        min_impressions=3,
        impressions=words.values(),
        columns=COLUMNS,
    )
    assert printed.out == emitted
    grades = {pair: row[0] for pair, row in rows(engine, emitted).items()}
    expected = graded(events, "coec", COUNTED, 3)
    assert grades == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_has_its_grammar(dialect: Any) -> None:
    select = ndcg_sql.emit_clicks(dialect, "shop.log", actions={"it's": 2}, levels=[1])
    [tree] = sqlglot.parse(select, read=dialect)
    assert isinstance(tree, exp.Expr)
    columns = ["query_id", "doc_id", "grade", "impressions", "clicks"]
    assert names_of(tree) == columns
    assert "$" not in select


REFUSED: dict[str, tuple[dict[str, str], dict[str, Any], str]] = {
    "a dialect": (
        {"dialect": "oracle"},
        {},
        'dialect "oracle": unknown; known: "duckdb", "postgres"',
    ),
    "a table": ({"events": "a b"}, {}, "--events 'a b': not the name of a table"),
    "a name inside": (
        {"events": "clicked"},
        {},
        "--events clicked: the select has a relation of this name; write the schema,"
        " too: --events SCHEMA.clicked",
    ),
    "a column": (
        {"column": "time=at"},
        {"columns": {"time": "at"}},
        '--column time=at: not a column of events; known: "query_id", "doc_id",',
    ),
    "a model": ({"model": "dbn"}, {}, "--model dbn: not one of coec, ctr"),
    "a weight": (
        {"action": "impression=2"},
        {"actions": {"impression": 2}},
        "--action impression=2: it says what was shown; omit it",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_is_refused(ndcg: Command, name: str) -> None:
    options, arguments, told = REFUSED[name]
    asked = {"dialect": "duckdb", "events": "log", **options}
    result = ndcg("emit", "clicks", *(f"--{k}={v}" for k, v in asked.items()))
    assert result.refusal.startswith(told)
    others: dict[str, Any] = {
        k: v for k, v in asked.items() if k not in ("column", "action")
    }
    with pytest.raises(NdcgSqlError):
        ndcg_sql.emit_clicks(**{**others, **arguments})


def test_impressions_without_a_position_count_together() -> None:
    engine: tuple[str, Engine] = ("duckdb", DuckDb())
    table = fill(engine, [("q", "a", "impression", 1)] * 40)
    for what, count in (("impression", 60), ("click", 10)):
        rows_of = ", ".join([f"('q', 'a', '{what}', null)"] * count)
        engine[1].run(f"insert into {table} values {rows_of}")
    select = ndcg_sql.emit_clicks("duckdb", table, model="ctr", columns=COLUMNS)
    assert rows(engine, select)["q", "a"] == (0.1, 100, 10)
