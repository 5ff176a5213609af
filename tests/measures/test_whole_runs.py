"""Measures of a run as a whole, which no query has values of."""

import warnings
from re import escape
from typing import Any

import numpy as np
import pytest

from ndcg_sql import Warehouse
from ndcg_sql.evaluation import values as computing
from ndcg_sql.measures.names import parse
from support.exploring import amount
from support.shops import load, random_shop, rows_of
from support.shown import FOUR, OF_COUNTS, OF_RUNS, RUNS_BY_HAND, Shop

MEASURES = [
    *(f"{name}@{k}" for name in OF_RUNS for k in (1, 3, 10, 1000)),
    *OF_RUNS,
    *(f"{name}(known='omit')@4" for name in OF_RUNS),
    *("Gini(known='omit')", "nDCG@10", "Popularity@3"),
]


def found(warehouse: Warehouse, *measures: str, **of: Any) -> dict[str, Any]:
    """Return the value and the number of queries of each measure of one run."""
    report = warehouse.report([*measures] or None, **of).relation
    rows = report.select("measure", "value", "n").fetchall()
    return {measure: (value, n) for measure, value, n in rows}


def of_runs(values: dict[str, Any]) -> dict[str, Any]:
    """Return those of some values that are of measures of runs."""
    return {m: v for m, v in values.items() if parse(m)[0].family.is_of_runs}


def expected(shop: Shop, judged: Any, *measures: str) -> dict[str, Any]:
    """Return the values of measures by their formulas, and the numbers of queries."""
    return {
        measure.name: (
            pytest.approx(shop.value_of_run(measure, judged), abs=1e-12),
            sum(bool(shop.shown(measure, query)) for query in judged),
        )
        for measure in parse(" ".join(measures))
    }


def test_every_such_family_has_a_formula() -> None:
    assert OF_COUNTS.keys() == OF_RUNS.keys()
    assert {parse(name)[0].family.name for name in RUNS_BY_HAND} == OF_RUNS.keys()


def test_what_four_users_are_shown_has_the_values_by_hand(four: Warehouse) -> None:
    by_hand = {
        measure: (pytest.approx(value, abs=1e-15), n)
        for measure, (value, n) in RUNS_BY_HAND.items()
    }
    assert found(four, *RUNS_BY_HAND) == by_hand
    assert expected(FOUR, "uvwx", *RUNS_BY_HAND) == {
        measure: (value, n) for measure, (value, n) in RUNS_BY_HAND.items()
    }


@pytest.mark.slow
def test_such_values_have_no_error_and_no_values_of_queries(four: Warehouse) -> None:
    names = ["Coverage@2", "Gini@2", "Entropy@2"]
    columns = "measure, value, n, answered, unanswered, no_relevant, judged_at_k"
    report = four.report([*names, "P@2"]).relation
    rows = report.project(f"{columns}, standard_error").fetchall()
    assert [row[2:] for row in rows[:3]] == [(3, 3, 1, 0, rows[3][6], None)] * 3
    four.add_measures(names)
    stored = four.connection.execute(
        f"select {columns}, standard_error from run_values"
        " where list_contains($names, measure)"
        " order by list_position($names, measure)",
        {"names": names},
    ).fetchall()
    assert stored == rows[:3]
    sql = "select distinct measure from query_values"
    assert not {*names} & {m for (m,) in four.connection.execute(sql).fetchall()}
    four.check()


def test_slices_have_what_their_queries_are_shown(four: Warehouse) -> None:
    frame({"query_id": [*"uvw"], "country": ["de", "de", "jp"]}, four)
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
    history = four.history(names, by="country").relation
    rows_ = history.project("measure, coalesce(country, ''), value").fetchall()
    assert sorted(rows_) == sorted(row[:3] for row in rows)


def frame(columns: dict[str, list[str]], warehouse: Warehouse) -> None:
    """Load what queries have."""
    pyarrow: Any = pytest.importorskip("pyarrow")
    warehouse.load_queries(pyarrow.table(columns))


@pytest.mark.slow
def test_slices_of_random_shops_have_the_values_of_the_formulas() -> None:
    shop, judged = random_shop(92, amount(40, 240))
    shown = {document for top in shop.rankings.values() for document in top}
    whole = Shop(shop.rankings, shop.known, sorted({*shop.catalogue, *shown}))
    slices: dict[tuple[str | None, str], list[str]] = {}
    for number, query in enumerate(judged):
        value = (None, "a", "b")[number % 3], "xy"[number % 2]
        slices.setdefault(value, []).append(query)
    with Warehouse.memory() as warehouse:
        load(warehouse, whole, judged)
        rows = [(q, *value) for value, queries in slices.items() for q in queries]
        kinds, sides = [row[1] for row in rows], [row[2] for row in rows]
        columns: Any = {"query_id": [row[0] for row in rows], "kind": kinds}
        frame({**columns, "side": sides}, warehouse)
        wanted = [*of_runs(found(warehouse, *MEASURES))]
        report = warehouse.report(wanted, by=["kind", "side"]).relation
        answers = report.project("kind, side, measure, value, n").fetchall()
    for value, queries in slices.items():
        values = {m: (v, n) for *of, m, v, n in answers if (*of,) == value}
        assert values == expected(whole, queries, *wanted)


@pytest.mark.slow
def test_random_shops_have_the_values_of_the_formulas(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shop, judged = random_shop(91, amount(40, 240))
    shown = {document for top in shop.rankings.values() for document in top}
    whole = Shop(shop.rankings, shop.known, sorted({*shop.catalogue, *shown}))
    with Warehouse.memory() as warehouse:
        load(warehouse, whole, judged)
        first = found(warehouse, *MEASURES)
        wanted = expected(whole, judged, *of_runs(first))
        assert of_runs(first) == wanted
        monkeypatch.setattr(computing, "MANY", 0)
        assert found(warehouse, *MEASURES) == first
        warehouse.add_measures(MEASURES)
        # Another run, and another dataset with the same names.
        reversed_ = {query: top[::-1] for query, top in whole.rankings.items()}
        warehouse.load_run(reversed_, "other")
        load(warehouse, FOUR, {query: {"a": 1} for query in "uvwx"}, dataset="few")
        again = found(warehouse, runs=["shown"], dataset="default")
        assert {name: again[name] for name in first} == first
        other = found(warehouse, *wanted, runs=["other"], dataset="default")
        turned = Shop(reversed_, whole.known, whole.catalogue)
        assert other == expected(turned, judged, *wanted)
        few = found(warehouse, *wanted, dataset="few")
        assert few == expected(FOUR, "uvwx", *wanted)
        warehouse.check()


def test_only_judged_queries_count(four: Warehouse) -> None:
    four.load_judgments({"u": {"z": 1}, "y": {"a": 1}}, "one user")
    few = Shop({"u": FOUR.rankings["u"]}, FOUR.known, FOUR.catalogue)
    assert found(four, *RUNS_BY_HAND) == expected(few, "uy", *RUNS_BY_HAND)


def test_a_run_that_shows_nothing_covers_nothing() -> None:
    with Warehouse.memory() as warehouse:
        load(warehouse, Shop({"u": ["a"]}, {"u": ["a"]}, [*"ab"]), {"u": {"a": 1}})
        names = [f"{name}(known='omit')@3" for name in OF_RUNS]
        assert found(warehouse, *names) == dict(
            zip(names, [(0, 0), (None, 0), (None, 0)], strict=True)
        )
        assert str(warehouse.report(names)).count("nothing shown") == 2


def told(warehouse: Warehouse, measures: str) -> list[str]:
    """Return what a report warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warehouse.report(measures)
    return [str(warning.message) for warning in caught]


@pytest.mark.slow
def test_a_catalogue_without_all_that_is_shown_gives_no_value(four: Warehouse) -> None:
    assert told(four, "Coverage@2 Gini@2 Entropy@2") == []
    four.load_documents(rows_of(Shop({}, {}, [*"abe"])), replace=True)
    assert found_quietly(four) == {
        "Coverage@2": (None, 3),
        "Gini@2": (None, 3),
        "Entropy@2": (pytest.approx(RUNS_BY_HAND["Entropy@2"][0]), 3),
    }
    assert told(four, "Coverage@2 Gini@2 Entropy@2") == [
        'run "shown" has no value of Coverage@2, Gini@2: 2 of 4 shown documents not in'
        " the catalogue; load all of it: load_documents(FILE)"
    ]
    four.load_run({"u": ["c"]}, "other")
    assert told(four, "Coverage@2") == [
        'runs "shown", "other" have no value of Coverage@2: 1 to 2 of 1 to 4 shown'
        " documents not in the catalogue; load all of it: load_documents(FILE)"
    ]
    four.remove("run", "other")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert str(four.report("Coverage@2 Gini@2")).count("not in catalogue") == 2
        assert "not in catalogue" in str(four.leaderboard("Coverage@2"))
    four.load_documents(rows_of(Shop({}, {}, [*"cd"])))
    assert told(four, "Coverage@2 Gini@2") == []
    assert found(four, "Coverage@2") == {"Coverage@2": (4 / 5, 3)}


def found_quietly(warehouse: Warehouse) -> dict[str, Any]:
    """Return values of a report that warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return found(warehouse, "Coverage@2", "Gini@2", "Entropy@2")


@pytest.mark.slow
def test_stored_values_follow_the_catalogue_and_what_is_known(four: Warehouse) -> None:
    names = ["Coverage@2", "Gini(known='omit')@1", "Entropy@2"]
    four.add_measures(names)

    def stored() -> dict[str, Any]:
        sql = "select measure, value, n from run_values where measure similar to"
        sql += " '(Coverage|Gini|Entropy).*'"
        return {
            m: (value, n) for m, value, n in four.connection.execute(sql).fetchall()
        }

    assert stored() == expected(FOUR, "uvwx", *names)
    four.load_documents(rows_of(Shop({}, {}, [*"fg"])))
    more = Shop(FOUR.rankings, FOUR.known, [*FOUR.catalogue, *"fg"])
    assert stored() == expected(more, "uvwx", *names)
    four.load_known({"v": ["c"]})
    more = Shop(FOUR.rankings, {**FOUR.known, "v": ["a", "c"]}, more.catalogue)
    assert stored() == expected(more, "uvwx", *names)
    four.check()
    four.remove_documents()
    assert stored().keys() == {"Entropy@2"}
    four.check()


def test_without_a_catalogue_they_are_refused(four: Warehouse) -> None:
    four.remove_documents()
    for measure in ("Coverage@3", "Gini"):
        for ask in (four.report, four.add_measures):
            message = f'dataset "default" has no documents, which {measure} needs; load'
            with pytest.raises(Exception, match=escape(message)):
                ask(measure)
    assert found(four, "Entropy@1") == {"Entropy@1": RUNS_BY_HAND["Entropy@1"]}


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_merging_values_anew(four: Warehouse) -> None:
    names = ["Coverage@2", "Gini@2"]
    with Warehouse("ndcg.duckdb") as own, Warehouse("other.duckdb") as other:
        few = Shop(FOUR.rankings, {"z": ["e"]}, [*"abcd"])
        load(own, few, {query: {"a": 1} for query in "uvwx"})
        own.add_measures(names)
        assert found(own, *names) == expected(few, "uvwx", *names)
        other.load_documents(rows_of(FOUR))
        own.merge("other.duckdb")
        assert found(own, *names) == found(four, *names)
        own.check()


@pytest.mark.slow
def test_replicates_have_their_mean() -> None:
    with Warehouse.memory() as warehouse:
        load(warehouse, FOUR, {query: {"a": 1} for query in "uvwx"})
        for seed, ranking in (("1", FOUR.rankings), ("2", {"u": ["a"]})):
            tags = {"seed": seed, "model": "m"}
            warehouse.load_run(ranking, f"m{seed}", tags=tags)
        rows = warehouse.report("Coverage@2", runs=["m1", "m2"], over="seed").relation
        (row,) = rows.select("measure", "value").fetchall()
    assert row == ("Coverage@2", pytest.approx((4 / 5 + 1 / 5) / 2))
