"""Properties: what holds for every ranking, and for the families that say so."""

from collections.abc import Generator
from contextlib import suppress
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from ndcg_sql.database import chain, opening, views
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.registry import replace_registered
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.measures.families import Family
from ndcg_sql.measures.names import parse
from ndcg_sql.system.limits import Limits
from ndcg_sql.system.messages import Messages
from support import exploring
from support.files import Judged, Ranked
from support.properties import HURT, NEGATIVE, OUT_OF_REACH
from support.subtopics import OF_JUDGMENTS
from support.worlds import FRACTIONS, world

# Planning all families takes most of a load's time: few loads, of many queries.
few = settings(derandomize=True, max_examples=2, deadline=None)

# Random examples of what takes a minute, where new ones are explored.
LISTED = [*Phase] if exploring.EXPLORING else [Phase.explicit]

FAMILIES = OF_JUDGMENTS
CUTOFFS = ("", "@1", "@2", "@5", "@1000")
LEVELS = ("@0", "@0.2", "@0.5", "@1", "@1.5")
NDCGS = [
    f"{family}(dcg={dcg},ideal='{ideal}')@3"
    for family in ("nDCG", "nCG")
    for dcg in ("'log2',rel=1", "'exp-log2'", "'jk'", "'exp-jk'")
    for ideal in ("judged", "retrieved", "topk", "uncut", "returned")
]
MAPPED = ["nDCG(gains={0:-1,2:0.1})@3", "nDCG(gains={1:-0.5},ideal='topk')@2"]


def named(family: Family) -> list[str]:
    """Return a family's measures at every cutoff or level, with what else it needs."""
    name, _, needed = family.example.partition("@")
    if family.takes_level:
        return [name + level for level in LEVELS]
    if not family.takes_cutoff:
        return [name]
    return [name + (cutoff or (needed and f"@{needed}")) for cutoff in CUTOFFS]


MEASURES = [
    *dict.fromkeys(name for family in FAMILIES.values() for name in named(family)),
    *(*NDCGS, *MAPPED, "nDCG(ideal='topk')@2"),
]

Values = dict[tuple[str, str], float | None]


class Laboratory:
    """A warehouse in memory that values one small experiment after the other."""

    def __init__(
        self, warehouse: Database, folder: Path, measures: list[str] = MEASURES
    ) -> None:
        self._warehouse = warehouse
        self._folder = folder
        self._number = 0
        replace_registered(warehouse, parse(" ".join(measures)))

    def values(self, judged: Judged, ranked: Ranked, shuffled: int = 0) -> Values:
        """Return every value by measure and query.

        A number other than 0 chooses another order of the lines, and loads the
        run before the judgments.
        """
        self._number += 1
        options = Options(dataset=f"experiment {self._number}")
        qrels, run = self._folder / "qrels", self._folder / "run"
        grades = [
            f"{q} 0 {d} {g!r}\n" for q, ds in judged.items() for d, g in ds.items()
        ]
        scores = [
            f"{q} Q0 {d} 1 {s!r} t\n" for q in ranked for d, s in ranked[q].items()
        ]
        if shuffled:
            Random(shuffled).shuffle(grades)
            Random(shuffled).shuffle(scores)
        qrels.write_text("".join(grades), encoding="utf-8")
        run.write_text("".join(scores), encoding="utf-8")
        loads = [("judgments", qrels), ("run", run)]
        for kind, file in loads[::-1] if shuffled else loads:
            load(self._warehouse, kind, [file], options, Messages())  # pyright: ignore
        rows = self._warehouse.execute(
            "select measure, query_id, value from query_values where dataset = $name",
            {"name": options.dataset},
        )
        return {(measure, query): value for measure, query, value in rows}


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> Generator[Laboratory]:
    with opening.memory(limits=Limits(threads=1)) as warehouse:
        yield Laboratory(warehouse, tmp_path_factory.mktemp("laboratory"))


DOCUMENTS = [*"abcdefgh", "Z", "é", "日", "\ufb01", "\U0001d11e"]
GRADES = st.sampled_from([-2, -1, 0, 0, 0.25, 0.5, 1, 1, 2, 3])
SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 2.0]),
    st.floats(allow_nan=False, allow_infinity=False),
)
QUERIES = ["q1", "q10", "q2", "é", "Z", "\U0001d11e", "q3", "q4"]


@st.composite
def experiments(draw: st.DrawFn) -> tuple[Judged, Ranked]:
    """Draw judgments and a run of some queries, ties and all."""
    graded = st.dictionaries(st.sampled_from(DOCUMENTS), GRADES, min_size=1)
    scored = st.dictionaries(st.sampled_from(DOCUMENTS), SCORES, min_size=1)
    queries = st.sampled_from(QUERIES)
    judged = draw(st.dictionaries(queries, graded, min_size=4))
    return judged, draw(st.dictionaries(queries, scored, min_size=4))


@st.composite
def ranking(draw: st.DrawFn) -> tuple[dict[str, float], list[str]]:
    """Draw grades and an order of documents, some of which nobody judged."""
    order = draw(st.permutations(DOCUMENTS))
    grades = draw(st.dictionaries(st.sampled_from(DOCUMENTS), GRADES, min_size=1))
    return grades, order[: draw(st.integers(2, len(DOCUMENTS)))]


def rankings() -> st.SearchStrategy[list[tuple[dict[str, float], list[str]]]]:
    """Draw the grades and the orders of some queries."""
    return st.lists(ranking(), min_size=6, max_size=6)


def in_order(documents: list[str]) -> dict[str, float]:
    """Return scores without ties that put documents in this order."""
    return {document: 100.0 - i for i, document in enumerate(documents)}


def ideal(grades: dict[str, float]) -> list[str]:
    """Return documents in the best order, with those that nobody judged behind."""
    judged = sorted(grades, key=lambda d: grades[d], reverse=True)
    return judged + [document for document in DOCUMENTS if document not in grades]


@given(experiments())
@few
def test_bounded_families_lie_between_0_and_1(
    laboratory: Laboratory, experiment: tuple[Judged, Ranked]
) -> None:
    values = laboratory.values(*experiment)
    assert {query for _, query in values} == set(experiment[0])
    for (measure, query), value in values.items():
        family = parse(measure)[0].family
        assert value is not None
        assert isfinite(value), (measure, query)
        if family.bounded:
            assert value <= 1 + 1e-12, (measure, query)
        negative = "{" in measure or family.name in NEGATIVE
        assert value >= 0 or negative, (measure, query)


@pytest.mark.slow
@given(experiments(), st.integers(1, 9))
@few
def test_only_scores_and_the_order_of_names_matter(
    laboratory: Laboratory, experiment: tuple[Judged, Ranked], seed: int
) -> None:
    values = laboratory.values(*experiment)
    # Not the order of lines and files.
    assert laboratory.values(*experiment, shuffled=seed) == values
    ordered = sorted(DOCUMENTS, key=str.encode)
    names = {document: f"n{i:02}" for i, document in enumerate(ordered)}
    judged, ranked = (
        {q: {names[d]: number for d, number in ds.items()} for q, ds in queries.items()}
        for queries in experiment
    )
    assert laboratory.values(judged, ranked) == values


@given(rankings())
@few
def test_the_ideal_run_gives_exactly_1(
    laboratory: Laboratory, drawn: list[tuple[dict[str, float], list[str]]]
) -> None:
    judged = {f"q{i}": {**grades, "a": 3.0} for i, (grades, _) in enumerate(drawn)}
    ranked = {query: in_order(ideal(grades)) for query, grades in judged.items()}
    values = laboratory.values(judged, ranked)
    reached = {
        name
        for family in FAMILIES.values()
        for name in named(family)
        if family.ideal_is_one and not name.endswith(OUT_OF_REACH.get(family.name, ()))
    }
    # An ideal ranking that is not cut is more than a run that is can reach.
    cut = [measure for measure in NDCGS if "uncut" not in measure]
    reached |= {parse(measure)[0].name for measure in cut}
    short = {m for m in reached for query in judged if values[m, query] != 1}
    assert not short


@given(rankings())
@few
def test_moving_a_better_document_up_never_hurts(
    laboratory: Laboratory, drawn: list[tuple[dict[str, float], list[str]]]
) -> None:
    judged: dict[str, dict[str, float]] = {}
    ranked: dict[str, dict[str, float]] = {}
    for number, (grades, order) in enumerate(drawn):
        worth = [max(grades.get(document, 0), 0) for document in order]
        orders = {f"{number}_before": order}
        # Every place where a better document follows is a query of its own.
        for i in range(len(order) - 1):
            if worth[i + 1] > worth[i]:
                swapped = [*order[:i], order[i + 1], order[i], *order[i + 2 :]]
                orders[f"{number}_after_{i}"] = swapped
        judged |= dict.fromkeys(orders, grades)
        ranked |= {query: in_order(documents) for query, documents in orders.items()}
    values = laboratory.values(judged, ranked)
    for (measure, query), value in values.items():
        parsed = parse(measure)[0]
        plain = parsed.parameters.get("ideal", "judged") == "judged"
        if parsed.family.monotone and plain and measure not in MAPPED:
            before = values[measure, query.split("_")[0] + "_before"]
            assert (value or 0) >= (before or 0) - 1e-12, (measure, query)


def test_what_a_family_does_not_promise_does_not_hold(laboratory: Laboratory) -> None:
    judged = {"low": {"a": 3.0, "b": 2.0}, "zeros": {"a": 0.0, "b": 0.0}}
    ranked = dict.fromkeys(judged, in_order([*"ab"]))
    judged["best"] = {"a": 1.0, "b": 1.0, "c": 0.5, "d": 0.5}
    ranked["best"] = in_order(ideal(judged["best"]))
    for family, (grades, order) in HURT.items():
        swapped = [*order[:-2], order[-1], order[-2]]
        judged |= dict.fromkeys((f"{family}-before", f"{family}-after"), grades)
        ranked[f"{family}-before"] = in_order([*order])
        ranked[f"{family}-after"] = in_order(swapped)
    topped = {"a": 1.0, "b": 0.0, "c": 3.0}
    judged |= dict.fromkeys(("before", "after"), topped)
    ranked |= {"before": in_order([*"abc"]), "after": in_order([*"acb"])}
    values = laboratory.values(judged, ranked)
    for name, family in FAMILIES.items():
        of = [{q: values[m, q] or 0 for q in ranked} for m in named(family)]
        largest = max(found[query] for found in of for query in ("low", "zeros"))
        assert (largest <= 1) == family.bounded, name
        assert family.ideal_is_one or {found["best"] for found in of} != {1}, name
        falls = [
            f for f in of if f.get(f"{name}-before", 0) > f.get(f"{name}-after", 0)
        ]
        assert bool(falls) == (name in HURT), name
    # An ideal of the top can punish a better document.
    topped_values = [values["nDCG(ideal='topk')@2", q] for q in ("before", "after")]
    assert topped_values[0] == 1
    assert (topped_values[1] or 0) < 1


# The public relations show what the views behind them compute.
SCHEMAS = ["main", "store"]


def assert_numbers(warehouse: Database, schema: str) -> None:
    """Look for NaN and infinity in every column of every view of a schema."""
    looked_at, selects = 0, chain.texts()
    for view in views.computing() if schema == "store" else views.public():
        columns = warehouse.execute(
            "select column_name from duckdb_columns() where schema_name = $schema"
            " and table_name = $view and data_type in ('DOUBLE', 'FLOAT')",
            {"schema": schema, "view": view},
        )
        bad = [f"count(*) filter (not isfinite({column}))" for (column,) in columns]
        if bad:
            # As one statement, a view of the chain is planned in a tenth of the time.
            rows = (
                f"({chain.statement(chain.parts(view, selects))})"
                if schema == "store" and view in selects
                else f"{schema}.{view}"
            )
            counts = warehouse.execute(f"select {', '.join(bad)} from {rows}")
            assert counts == [(0,) * len(bad)], (schema, view, columns)
        looked_at += len(bad)
    assert looked_at > 50


@pytest.mark.slow
@pytest.mark.parametrize("schema", SCHEMAS)
@given(experiments())
@example(
    (
        {"q": {"a": -1}, "r": {"a": 900.0, "b": 1e-300}},
        {"p": {"a": 1}, "r": {"a": 5e-324, "b": -1e308}},
    )
)
@settings(few, max_examples=1, phases=LISTED)
def test_no_view_shows_a_number_that_is_none(
    tmp_path_factory: pytest.TempPathFactory,
    schema: str,
    experiment: tuple[Judged, Ranked],
) -> None:
    with opening.memory() as warehouse:
        folder = tmp_path_factory.mktemp("views")
        # No max_rel is as high as the grades of an example.
        families = [f for name, f in FAMILIES.items() if name not in ("ERR", "nERR")]
        measures = [*(named(family)[-1] for family in families), *NDCGS[::7], *MAPPED]
        Laboratory(warehouse, folder, measures).values(*experiment)
        assert_numbers(warehouse, schema)


@pytest.mark.slow
@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize(
    ("measure", "grade"),
    [("nDCG", 1.7e308), ("nDCG(dcg='exp-log2')", 1023.0), ("CG", 1.7e308)],
)
def test_gains_whose_sum_no_number_holds_are_refused(
    tmp_path: Path, measure: str, grade: float, schema: str
) -> None:
    grades = dict.fromkeys("abc", grade)
    with opening.memory() as warehouse:
        laboratory = Laboratory(warehouse, tmp_path, [measure])
        # Whether at loading or at reading is not the point; NaN would be a lie.
        with suppress(NdcgSqlError):
            laboratory.values({"q": grades}, {"q": in_order([*"abc"])})
        assert_numbers(warehouse, schema)


@pytest.mark.slow
def test_the_number_of_threads_does_not_matter(tmp_path: Path) -> None:
    # DuckDB gives a thread no less than 122,880 rows of a table.
    queries = world(9, 7000, FRACTIONS)
    measures = [named(family)[-1] for family in FAMILIES.values()]
    tables: list[Any] = []
    for threads in (1, 2):
        with opening.memory() as warehouse:
            warehouse.execute(f"set threads = {threads}")
            laboratory = Laboratory(warehouse, tmp_path, measures)
            values = laboratory.values(queries.judged, queries.ranked)
            tables.append((values, warehouse.execute("from run_values order by all")))
    assert tables[0] == tables[1]
