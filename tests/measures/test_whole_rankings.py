"""Measures of all that a run shows, judged or not: popularity, novelty, diversity."""

import warnings
from re import escape
from typing import Any

import pytest

from ndcg_sql import Warehouse
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import values as computing
from ndcg_sql.measures.names import parse
from support.exploring import amount
from support.shops import load, random_shop, rows_of
from support.shown import BY_HAND, FORMULAS, FOUR, OF_QUERIES, Shop

# What is not known of the shown is told; of random shops it is much.
pytestmark = pytest.mark.filterwarnings("ignore:run .shown., :UserWarning")

MEASURES = [
    *(f"{name}@{k}" for name in ("Popularity", "Novelty") for k in (1, 3, 10, 1000)),
    *("Popularity", "Novelty", "Popularity(known='omit')@5", "Novelty(known='omit')"),
    *("Popularity(missing=0)@3", "TailShare", "TailShare(tail=0.001)@4"),
    *(f"TailShare(tail={tail})@5" for tail in (0.1, 0.29, 0.5, 1)),
    *("TailShare(known='omit',tail=0.3)@5", "ILD(by='category')", "ILD(by='brand')@2"),
    *(f"ILD(by='category')@{k}" for k in (1, 5, 20)),
    *("ILD(known='omit',by='brand')@5", "ILD(by='brand',missing=0)@5"),
]


def values_of(warehouse: Warehouse, *measures: str) -> dict[str, dict[str, Any]]:
    """Return values by measure and query."""
    report = warehouse.report([*measures], per_query=True).relation
    found: dict[str, dict[str, Any]] = {}
    rows = report.select("measure", "query_id", "value").fetchall()
    for measure, query, value in rows:
        found.setdefault(measure, {})[query] = value
    return found


def test_every_such_family_has_a_formula() -> None:
    assert FORMULAS.keys() == OF_QUERIES.keys()
    assert {parse(name)[0].family.name for name in MEASURES} == OF_QUERIES.keys()


def test_four_users_have_the_values_computed_by_hand(four: Warehouse) -> None:
    found = values_of(four, *(m for m in BY_HAND))
    assert len(found) == len(BY_HAND)
    for measure, by_hand in BY_HAND.items():
        expected = dict(zip("uvwx", by_hand, strict=True))
        assert found[measure] == pytest.approx(expected, abs=1e-15), measure
        (parsed,) = parse(measure)
        apart = {query: FOUR.value(parsed, query) for query in "uvwx"}
        assert apart == pytest.approx(expected, abs=1e-15), measure


def test_the_mean_is_over_the_queries_that_are_shown_something(four: Warehouse) -> None:
    report = four.report("Popularity@2 ILD(by='category')@2").relation
    columns = "measure, value, n, unanswered, no_relevant"
    assert report.project(columns).fetchall() == [
        ("Popularity@2", 1, 3, 1, 0),
        ("ILD(by='category')@2", 1, 1, 1, 0),
    ]


@pytest.mark.slow
def test_what_is_not_known_of_the_shown_is_told(four: Warehouse) -> None:
    def told(measures: str) -> list[str]:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            four.report(measures)
        return [str(warning.message) for warning in caught]

    assert told("Popularity@2 Novelty@2 TailShare@2 ILD(by='category')@3 P@2") == [
        'run "shown", Novelty@2: 2 of 5 shown documents known to no query, which count'
        " as known to one",
        "run \"shown\", ILD(by='category')@3: 2 of 6 shown documents without a value of"
        ' "category", in no pair',
    ]
    assert told("P@2") == []
    four.load_documents(rows_of(Shop({}, {}, ["e"])), replace=True)
    assert told("TailShare@2") == [
        'run "shown", TailShare@2: 5 of 5 shown documents not in the catalogue, so not'
        " in its tail"
    ]
    # What a query without judgments is shown, no value rests on.
    four.load_run({"v": ["c"], "not judged": ["new"]}, "other")
    [line] = told("Novelty@2")
    assert line.startswith('run "shown"')
    # What is alike of several runs is told once.
    for number in range(5):
        four.load_run({"u": ["new", "newer"][: 1 + number % 2]}, f"run {number}")
    [line] = told("Novelty@2")
    assert line == (
        'runs "shown", "run 0", "run 1", "run 2", "run 3" and 1 more, Novelty@2: 1 to'
        " 2 of 1 to 5 shown documents known to no query, which count as known to one"
    )


@pytest.mark.slow
def test_random_shops_have_the_values_of_the_formulas(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shop, judged = random_shop(71, amount(40, 240))
    compared = 0
    with Warehouse.memory() as warehouse:
        load(warehouse, shop, judged)
        found = values_of(warehouse, *MEASURES)
        # One of many queries is valued apart.
        monkeypatch.setattr(computing, "MANY", 0)
        assert values_of(warehouse, *MEASURES) == found
    for name in MEASURES:
        (measure,) = parse(name)
        expected = {query: shop.value(measure, query) for query in judged}
        assert found[measure.name] == pytest.approx(expected, abs=1e-12), name
        compared += sum(value is not None for value in expected.values())
    assert compared > 400


@pytest.mark.slow
def test_stored_values_follow_what_is_known_and_described(four: Warehouse) -> None:
    names = ["Novelty@2", "TailShare@2", "ILD(by='category')@2"]
    four.add_measures(names)
    of_rankings = "measure similar to '(Novelty|TailShare|ILD).*'"
    others = f"from query_values where not {of_rankings} order by all"
    connection = four.connection
    before = connection.execute(others).fetchall()

    def stored() -> dict[str, dict[str, Any]]:
        sql = f"select measure, query_id, value from query_values where {of_rankings}"
        found: dict[str, dict[str, Any]] = {}
        for measure, query, value in connection.execute(sql).fetchall():
            found.setdefault(measure, {})[query] = value
        return found

    def expected(shop: Shop) -> dict[str, Any]:
        return {
            measure.name: pytest.approx({q: shop.value(measure, q) for q in "uvwx"})
            for measure in parse(" ".join(names))
        }

    assert stored() == expected(FOUR)
    more = Shop(
        FOUR.rankings, {**FOUR.known, "z": ["d", "e"]}, FOUR.catalogue, FOUR.attributes
    )
    four.load_known({"z": ["d", "e"]})
    assert stored() == expected(more)
    described = {**more.attributes, "d": {"category": "ropes", "size": "4"}}
    four.load_documents(rows_of(Shop({}, {}, ["d"], {"d": described["d"]})))
    more = Shop(more.rankings, more.known, more.catalogue, described)
    assert stored() == expected(more)
    four.load_documents(rows_of(Shop({}, {}, [*"0123"])))
    more = Shop(more.rankings, more.known, [*more.catalogue, *"0123"], described)
    assert stored() == expected(more)
    four.check()
    four.remove_documents()
    assert stored().keys() == {"Novelty@2"}
    four.remove_known()
    assert stored() == {}
    four.check()
    assert connection.execute(others).fetchall() == before


def test_what_a_dataset_lacks_is_refused_with_the_way_out(four: Warehouse) -> None:
    def refused(measure: str, message: str) -> None:
        for ask in (four.report, four.add_measures):
            with pytest.raises(NdcgSqlError, match=escape(message)):
                ask(measure)

    refused(
        "ILD(by='brand')@3",
        'dataset "default" has no documents with the attribute "brand", which'
        ' ILD(by=\'brand\')@3 needs; known: "category", "size"; load them:'
        " load_documents(FILE)",
    )
    refused(
        "ILD(known='omit',by='categry')@3",
        "which ILD(known='omit',by='categry')@3 needs; did you mean"
        " \"ILD(known='omit',by='category')@3\"?",
    )
    four.remove_documents()
    refused(
        "TailShare@3",
        'dataset "default" has no documents, which TailShare@3 needs; load them:'
        " load_documents(FILE)",
    )
    four.remove_known()
    for measure in ("Popularity@3", "Novelty@3", "TailShare@3"):
        refused(measure, 'dataset "default" has no ')
    refused(
        "Novelty",
        'dataset "default" has no known documents, which Novelty needs; load them:'
        " load_known(FILE)",
    )


@pytest.mark.parametrize(
    ("measure", "message"),
    [
        ("ILD@10", "a by is missing; write it like ILD(by='category')"),
        ("ILD(by=3)@10", "by must be the name of an attribute, such as 'category'"),
        ("ILD(by='')@10", "by must be the name of an attribute"),
        ("TailShare(tail=0)@10", "tail must be above 0 and at most 1"),
        ("TailShare(tail=1.5)@10", "tail must be above 0 and at most 1"),
        ("Popularity(no_rel=1)@3", 'takes no parameter "no_rel"'),
    ],
)
def test_what_is_not_such_a_measure_is_refused(measure: str, message: str) -> None:
    with pytest.raises(NdcgSqlError, match=escape(message)):
        parse(measure)
