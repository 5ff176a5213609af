"""Measures of all that runs show, judged or not: of queries, and of runs as wholes."""

import warnings
from collections.abc import Iterable
from re import escape
from typing import Any

import numpy as np
import pytest

from ndcg_sql import Warehouse
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import values as computing
from ndcg_sql.measures.names import parse
from support.exploring import amount
from support.shops import load, random_shop, rows_of
from support.shown import (
    BY_HAND,
    FORMULAS,
    FOUR,
    OF_COUNTS,
    OF_QUERIES,
    OF_RUNS,
    RUNS_BY_HAND,
    Shop,
)

# What is not known of the shown is told; of random shops it is much.
pytestmark = pytest.mark.filterwarnings("ignore:runs? .*shown.:UserWarning")

MEASURES = [
    *(f"{name}@{k}" for name in ("Popularity", "Novelty") for k in (1, 3, 10, 1000)),
    *("Popularity", "Novelty", "Popularity(known='omit')@5", "Novelty(known='omit')"),
    *("Popularity(missing=0)@3", "TailShare", "TailShare(tail=0.001)@4"),
    *(f"TailShare(tail={tail})@5" for tail in (0.1, 0.29, 0.5, 1)),
    *("TailShare(known='omit',tail=0.3)@5", "ILD(by='category')", "ILD(by='brand')@2"),
    *(f"ILD(by='category')@{k}" for k in (1, 5, 20)),
    *("ILD(known='omit',by='brand')@5", "ILD(by='brand',missing=0)@5"),
]
WHOLE = [
    *(f"{name}@{k}" for name in OF_RUNS for k in (1, 3, 10, 1000)),
    *(*OF_RUNS, *(f"{name}(known='omit')@4" for name in OF_RUNS), "Gini(known='omit')"),
]
WITHOUT = {"u": {"a": 1}, "v": {"a": 1}, "w": {"a": 1}, "x": {"a": 1}}


def of_queries(
    warehouse: Warehouse, measures: Iterable[str]
) -> dict[str, dict[str, Any]]:
    """Return values by measure and query."""
    report = warehouse.report([*measures], per_query=True).relation
    found: dict[str, dict[str, Any]] = {}
    for measure, query, value in report.select("measure, query_id, value").fetchall():
        found.setdefault(measure, {})[query] = value
    return found


def of_runs(warehouse: Warehouse, measures: Iterable[str], **of: Any) -> dict[str, Any]:
    """Return the value and the number of queries of each measure of one run."""
    report = warehouse.report([*measures], **of).relation
    rows = report.select("measure, value, n").fetchall()
    return {measure: (value, n) for measure, value, n in rows}


def wanted(shop: Shop, queries: Any, measures: Iterable[str]) -> dict[str, Any]:
    """Return values by their formulas: by query, or of a run and how many count."""
    values: dict[str, Any] = {}
    for measure in parse(" ".join(measures)):
        if measure.family.is_of_runs:
            value = shop.value_of_run(measure, queries)
            n = sum(bool(shop.shown(measure, query)) for query in queries)
            values[measure.name] = (pytest.approx(value, abs=1e-12), n)
        else:
            of_each = {query: shop.value(measure, query) for query in queries}
            values[measure.name] = pytest.approx(of_each, abs=1e-12)
    return values


def told(warehouse: Warehouse, measures: str) -> list[str]:
    """Return what a report warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warehouse.report(measures)
    return [str(warning.message) for warning in caught]


def with_queries(warehouse: Warehouse, **columns: Any) -> None:
    """Load what queries have."""
    pyarrow: Any = pytest.importorskip("pyarrow")
    warehouse.load_queries(pyarrow.table(columns))


def test_every_such_family_has_a_formula() -> None:
    assert FORMULAS.keys() == OF_QUERIES.keys()
    assert OF_COUNTS.keys() == OF_RUNS.keys()
    tried = {parse(name)[0].family.name for name in [*MEASURES, *RUNS_BY_HAND]}
    assert tried == {*OF_QUERIES, *OF_RUNS}


def test_four_users_have_the_values_computed_by_hand(four: Warehouse) -> None:
    by_hand = {
        measure: pytest.approx(dict(zip("uvwx", values, strict=True)), abs=1e-15)
        for measure, values in BY_HAND.items()
    }
    assert of_queries(four, BY_HAND) == by_hand
    whole = {m: (pytest.approx(v, abs=1e-15), n) for m, (v, n) in RUNS_BY_HAND.items()}
    assert of_runs(four, RUNS_BY_HAND) == whole
    for measure in parse(" ".join(BY_HAND)):
        apart = {query: FOUR.value(measure, query) for query in "uvwx"}
        assert apart == by_hand[measure.name], measure
    assert wanted(FOUR, "uvwx", RUNS_BY_HAND) == RUNS_BY_HAND
    # The mean is over the queries that are shown something that can be valued.
    names = ["Popularity@2", "ILD(by='category')@2"]
    assert of_runs(four, names) == dict(zip(names, [(1, 3), (1, 1)], strict=True))


@pytest.mark.slow
def test_values_of_runs_have_no_error_and_no_values_of_queries(four: Warehouse) -> None:
    names = ["Coverage@2", "Gini@2", "Entropy@2"]
    columns = "measure, n, answered, unanswered, no_relevant, judged_at_k"
    report = four.report([*names, "P@2"]).relation
    rows = report.project(f"{columns}, standard_error, value").fetchall()
    assert [row[1:7] for row in rows[:3]] == [(3, 3, 1, 0, rows[3][5], None)] * 3
    four.add_measures(names)
    stored = four.connection.execute(
        f"select {columns}, standard_error, value from run_values"
        " where list_contains($names, measure)"
        " order by list_position($names, measure)",
        {"names": names},
    )
    assert stored.fetchall() == rows[:3]
    sql = "select distinct measure from query_values"
    assert not {*names} & {m for (m,) in four.connection.execute(sql).fetchall()}


def test_slices_have_what_their_queries_are_shown(four: Warehouse) -> None:
    with_queries(four, query_id=[*"uvw"], country=["de", "de", "jp"])
    names = ["Coverage@2", "Gini@2", "Entropy@2", "Coverage(known='omit')@1"]
    four.add_measures(names)
    # u and v are shown a, b, c and d, w only d, and x nothing.
    by_hand: dict[str, tuple[Any, ...]] = {
        "de": (4 / 5, (-2 + 0 + 2 + 4) / (5 * 4), np.log(4), 2 / 5, 2, 2, 0),
        "jp": (1 / 5, 4 / 5, 0, 1 / 5, 1, 1, 0),
        "": (0, None, None, 0, 0, 0, 1),
    }
    columns = "measure, coalesce({}, ''), value, n, answered, unanswered"
    report = four.report(names, by="country").relation
    rows = report.project(columns.format("country")).fetchall()
    assert len(rows) == 12
    for measure, country, *others in rows:
        *values, n, answered, unanswered = by_hand[country]
        value = values[names.index(measure)]
        assert others == [pytest.approx(value), n, answered, unanswered]
    stored = four.connection.execute(
        f"select {columns.format('attribute_value')} from slice_values"
        " where list_contains($names, measure)",
        {"names": names},
    )
    assert sorted(stored.fetchall()) == sorted(rows)


@pytest.mark.slow
@pytest.mark.parametrize("is_whole", [False, True], ids=["partly", "whole"])
def test_random_shops_have_the_values_of_the_formulas(
    monkeypatch: pytest.MonkeyPatch, is_whole: bool
) -> None:
    shop, judged = random_shop(91, amount(40, 240))
    if is_whole:
        shown = {document for top in shop.rankings.values() for document in top}
        catalogue = sorted({*shop.catalogue, *shown})
        shop = Shop(shop.rankings, shop.known, catalogue, shop.attributes)
    slices: dict[tuple[str | None, str], list[str]] = {}
    for number, query in enumerate(judged):
        value = (None, "a", "b")[number % 3], "xy"[number % 2]
        slices.setdefault(value, []).append(query)
    with Warehouse.memory() as warehouse:
        load(warehouse, shop, judged)
        found = of_queries(warehouse, MEASURES)
        assert found == wanted(shop, judged, MEASURES)
        whole = of_runs(warehouse, WHOLE)
        if is_whole:
            assert whole == wanted(shop, judged, WHOLE)
            rows = [(q, *of) for of, queries in slices.items() for q in queries]
            names = ("query_id", "kind", "side")
            with_queries(
                warehouse, **dict(zip(names, zip(*rows, strict=True), strict=True))
            )
            report = warehouse.report(WHOLE, by=["kind", "side"]).relation
            answers = report.select("kind", "side", "measure", "value", "n").fetchall()
            for of, queries in slices.items():
                values = {row[2]: row[3:] for row in answers if row[:2] == of}
                assert values == wanted(shop, queries, WHOLE)
        # What has many queries is valued in parts.
        monkeypatch.setattr(computing, "_MOST_TERMS", 500)
        assert of_queries(warehouse, MEASURES) == found
        assert of_runs(warehouse, WHOLE) == whole
        # Another run, and another dataset with the same names.
        turned = Shop({q: top[::-1] for q, top in shop.rankings.items()}, {}, [])
        warehouse.load_run(turned.rankings, "other")
        load(warehouse, FOUR, WITHOUT, dataset="few")
        assert of_runs(warehouse, WHOLE, runs="shown", dataset="default") == whole
        few = of_runs(warehouse, WHOLE, dataset="few")
        assert few == wanted(FOUR, "uvwx", WHOLE)


@pytest.mark.parametrize("names", [RUNS_BY_HAND], ids=["by hand"])
def test_only_judged_queries_count(four: Warehouse, names: Iterable[str]) -> None:
    four.load_judgments({"u": {"z": 1}, "y": {"a": 1}}, "one user")
    few = Shop({"u": FOUR.rankings["u"]}, FOUR.known, FOUR.catalogue)
    assert of_runs(four, names) == wanted(few, "uy", names)


def test_a_run_that_shows_nothing_covers_nothing() -> None:
    with Warehouse.memory() as warehouse:
        load(warehouse, Shop({"u": ["a"]}, {"u": ["a"]}, [*"ab"]), {"u": {"a": 1}})
        names = [f"{name}(known='omit')@3" for name in OF_RUNS]
        values = dict(zip(names, [(0, 0), (None, 0), (None, 0)], strict=True))
        assert of_runs(warehouse, names) == values
        assert str(warehouse.report(names)).count("nothing shown") == 2


@pytest.mark.slow
def test_what_is_not_known_of_the_shown_is_told(four: Warehouse) -> None:
    assert told(four, "Novelty@2 TailShare@2 ILD(by='category')@3 P@2 Gini@2") == [
        'run "shown", Novelty@2: 2 of 5 shown documents known to no query, which count'
        " as known to one",
        "run \"shown\", ILD(by='category')@3: 2 of 6 shown documents without a value of"
        ' "category", in no pair',
    ]
    assert told(four, "P@2") == []
    four.load_documents(rows_of(Shop({}, {}, ["e"])), replace=True)
    assert told(four, "TailShare@2") == [
        'run "shown", TailShare@2: 5 of 5 shown documents not in the catalogue, so not'
        " in its tail"
    ]
    # What a query without judgments is shown, no value rests on.
    four.load_run({"v": ["c"], "not judged": ["new"]}, "other")
    [line] = told(four, "Novelty@2")
    assert line.startswith('run "shown"')
    # What is alike of several runs is told once.
    for number in range(5):
        four.load_run({"u": ["new", "newer"][: 1 + number % 2]}, f"run {number}")
    [line] = told(four, "Novelty@2")
    assert line.startswith(
        'runs "shown", "run 0", "run 1", "run 2", "run 3" and 1 more, Novelty@2: 1 to'
        " 2 of 1 to 5 shown documents known to no query"
    )


@pytest.mark.slow
def test_a_catalogue_without_all_that_is_shown_gives_no_value(four: Warehouse) -> None:
    names = ["Coverage@2", "Gini@2", "Entropy@2"]
    four.load_documents(rows_of(Shop({}, {}, [*"abe"])), replace=True)
    entropy = pytest.approx(RUNS_BY_HAND["Entropy@2"][0])
    values = [(None, 3), (None, 3), (entropy, 3)]
    assert of_runs(four, names) == dict(zip(names, values, strict=True))
    assert told(four, " ".join(names)) == [
        'run "shown" has no value of Coverage@2, Gini@2: 2 of 4 shown documents not in'
        " the catalogue; load all of it: load_documents(FILE)"
    ]
    four.load_run({"u": ["c"]}, "other")
    [line] = told(four, "Coverage@2")
    assert 'runs "shown", "other" have no value of Coverage@2: 1 to 2 of 1 to 4' in line
    assert "not in catalogue" in str(four.leaderboard("Coverage@2"))
    four.load_documents(rows_of(Shop({}, {}, [*"cd"])))
    assert told(four, "Coverage@2 Gini@2") == []


@pytest.mark.slow
def test_stored_values_follow_what_is_known_and_described(four: Warehouse) -> None:
    names = ["Novelty@2", "TailShare@2", "ILD(by='category')@2"]
    whole = ["Coverage@2", "Gini(known='omit')@1", "Entropy@2"]
    others = "from query_values where not measure similar to '(Nov|Tail|ILD).*'"
    before = four.connection.execute(f"{others} order by all").fetchall()
    four.add_measures([*names, *whole])

    def stored() -> dict[str, Any]:
        sql = "select measure, query_id, value from query_values"
        found: dict[str, Any] = {}
        for measure, query, value in four.connection.execute(sql).fetchall():
            if measure in names:
                found.setdefault(measure, {})[query] = value
        sql = "select measure, value, n from run_values"
        rows = four.connection.execute(sql).fetchall()
        return found | {m: (value, n) for m, value, n in rows if m in whole}

    known, catalogue, described = FOUR.known, FOUR.catalogue, FOUR.attributes

    def check() -> None:
        shop = Shop(FOUR.rankings, known, catalogue, described)
        assert stored() == wanted(shop, "uvwx", [*names, *whole])

    check()
    known = {**known, "z": ["d", "e"]}
    four.load_known({"z": ["d", "e"]})
    check()
    described = {**described, "d": {"category": "ropes", "size": "4"}}
    four.load_documents(rows_of(Shop({}, {}, ["d"], {"d": described["d"]})))
    check()
    catalogue = [*catalogue, *"0123"]
    four.load_documents(rows_of(Shop({}, {}, [*"0123"])))
    check()
    four.check()
    four.remove_documents()
    assert stored().keys() == {"Novelty@2", "Entropy@2"}
    four.remove_known()
    assert stored().keys() == {"Entropy@2"}
    four.check()
    assert four.connection.execute(f"{others} order by all").fetchall() == before


LACKING = (
    'measure {} cannot be used with judgment set "judged": dataset "default" has no {};'
    " load them: load_{}(FILE)"
)


def test_what_a_dataset_lacks_is_refused_with_the_way_out(four: Warehouse) -> None:
    def refused(measure: str, message: str) -> None:
        for ask in (four.report, four.add_measures):
            with pytest.raises(NdcgSqlError, match=escape(message)):
                ask(measure)

    known = 'attribute "brand"; known: "category", "size"; load them: load_documents'
    refused("ILD(by='brand')@3", known)
    refused(
        "ILD(known='omit',by='categry')@3",
        "did you mean \"ILD(known='omit',by='category')@3\"?",
    )
    four.remove_documents()
    for measure in ("TailShare@3", "Coverage@3", "Gini"):
        refused(measure, LACKING.format(measure, "documents", "documents"))
    assert of_runs(four, ["Entropy@1"]) == {"Entropy@1": RUNS_BY_HAND["Entropy@1"]}
    four.remove_known()
    for measure in ("Popularity@3", "Novelty"):
        refused(measure, LACKING.format(measure, "known documents", "known"))


@pytest.mark.slow
def test_replicates_have_their_mean() -> None:
    with Warehouse.memory() as warehouse:
        load(warehouse, FOUR, WITHOUT)
        for seed, ranking in (("1", FOUR.rankings), ("2", {"u": ["a"]})):
            tags = {"seed": seed, "model": "m"}
            warehouse.load_run(ranking, f"m{seed}", tags=tags)
        rows = warehouse.report("Coverage@2", runs=["m1", "m2"], over="seed").relation
        (row,) = rows.select("measure", "value").fetchall()
    assert row == ("Coverage@2", pytest.approx((4 / 5 + 1 / 5) / 2))
