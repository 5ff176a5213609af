"""Measures of subtopics that are emitted: on every engine, the values of ndeval."""

import re
from typing import Any

import pytest

from ndcg_sql.engines.dialects import ENGINES, engine_of
from ndcg_sql.engines.engine import GREEDY
from ndcg_sql.engines.script import Emission, one_select, script
from ndcg_sql.engines.tables import Tables
from ndcg_sql.measures.names import parse
from support import exploring
from support.engines import NAMES, TABLES, DuckDb, Engine, Rows, started
from support.expected import check_equal
from support.subtopics import (
    NDEVAL,
    Diversity,
    SubtopicJudgment,
    ndeval,
    with_parameters,
    world,
)

RUN = ("duckdb", "clickhouse", "postgres-C", "postgres-icu")
SPARK = pytest.param("spark", marks=[pytest.mark.spark, pytest.mark.slow])
ASPECTS = {**NAMES, "subtopic": "aspect"}


@pytest.fixture(scope="module", params=[*exploring.mostly_slow(RUN, "duckdb"), SPARK])
def engine(request: pytest.FixtureRequest) -> tuple[str, Engine]:
    name = str(request.param)
    return name.partition("-")[0], started(name, request)


def tables(dialect: str = "postgres") -> Tables:
    """Return the tables of an engine, whose judgments name aspects."""
    plain = TABLES[dialect]
    return Tables(plain.rankings, plain.judgments, ASPECTS, "system")


def ranked(run: str, made: Diversity) -> list[tuple[str, str, float, str]]:
    """Return the rows of a run."""
    return [
        (query, document, score, run)
        for query, scores in made.ranked.items()
        for document, score in scores.items()
    ]


def judged(rows: list[SubtopicJudgment]) -> Rows:
    """Return the rows of judgments."""
    return [(query, document, grade, aspect) for query, aspect, document, grade in rows]


def two_runs(seed: int) -> dict[str, Diversity]:
    """Return two runs of the same queries; the second answers fewer of them."""
    first = world(seed)
    fewer = dict(list(first.ranked.items())[::2])
    turned = {q: {d: -s for d, s in docs.items()} for q, docs in fewer.items()}
    return {"Ä-1": first, "b": Diversity(first.judged, turned)}


def check(
    engine: tuple[str, Engine], names: list[str], seed: int, **parameters: Any
) -> None:
    """Check the values of measures, all in one script, against ndeval."""
    dialect, target = engine
    if engine_of(dialect).greedy:
        names = [name for name in names if name.partition("@")[0] not in GREEDY]
    asked = [parse(with_parameters(name, **parameters))[0] for name in names]
    runs = two_runs(seed)
    rankings = [row for run, made in runs.items() for row in ranked(run, made)]
    target.fill(rankings, judged(runs["b"].judged))
    target.run(script(Emission(dialect, asked, tables(dialect))))
    found = target.rows(
        "select run, query_id, measure, value from ndcg_sql.query_values"
    )
    wished = {run: ndeval(made, **parameters) for run, made in runs.items()}
    check_equal(
        {row[:3]: row[3:] for row in found},
        {
            (run, query, measure.name): (value,)
            for run, values in wished.items()
            for measure, name in zip(asked, names, strict=True)
            for query, value in values[name].items()
        },
    )


@pytest.mark.slow
@pytest.mark.parametrize("measure", {m.partition("@")[0]: m for m in NDEVAL}.values())
def test_one_measure_has_the_values_of_ndeval(measure: str) -> None:
    check(("duckdb", DuckDb()), [measure], 5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("alpha", "beta", "rel"),
    # Sums of powers of these are exact, so that ndeval ties what is equal.
    [(0.5, 0.5, 1), (0.25, 0.75, 1), (1, 0, 2)],
)
def test_measures_together_have_the_values_of_ndeval(
    engine: tuple[str, Engine], alpha: float, beta: float, rel: int
) -> None:
    for seed in range(exploring.amount(1, 10)):
        check(engine, [*NDEVAL], seed, alpha=alpha, beta=beta, rel=rel)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["alpha_nDCG@5", "AP_IA", "NRBP"])
def test_one_select_has_the_values_of_ndeval(
    engine: tuple[str, Engine], name: str
) -> None:
    dialect, target = engine
    if name == "alpha_nDCG@5" and engine_of(dialect).greedy:
        name = "alpha_DCG@3"
    made = world(3)
    target.fill(ranked("r", made), judged(made.judged))
    select = one_select(Emission(dialect, parse(name), tables(dialect)))
    check_equal(
        {row[:2]: row[2:] for row in target.rows(select)},
        {("r", query): (value,) for query, value in ndeval(made)[name].items()},
    )


@pytest.mark.slow
@pytest.mark.parametrize("dialect", ENGINES)
def test_the_column_is_called_subtopic_if_no_other_is_named(dialect: str) -> None:
    found = {
        name: script(Emission(dialect, parse("P_IA@5"), table))
        for name, table in (("subtopic", TABLES["postgres"]), ("aspect", tables()))
    }
    for name, text in found.items():
        assert re.search(rf"\b{name}\b(?! AS)", text), name
