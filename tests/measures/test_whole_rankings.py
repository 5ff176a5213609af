"""Measures of all that runs show, judged or not: of queries, and of runs as wholes."""

from collections.abc import Iterable
from typing import Any

import pytest

from ndcg_sql import Warehouse
from ndcg_sql.evaluation import values as computing
from ndcg_sql.measures.names import parse
from support.exploring import amount
from support.scripts import scripted
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


def fill() -> None:
    """Load what four users are shown."""
    with Warehouse("ndcg.duckdb") as warehouse:
        load(warehouse, FOUR, WITHOUT)


test_script = scripted(__file__, fill)
