"""Values of slices over time: a command, and the relation for BI tools."""

from statistics import mean

import pytest

from support.commands import Command, Once, check_refused, load_texts, records
from support.files import shown

# The position of the only relevant document, by run and query.
PLACES = {
    "first": {"q1": 1, "q2": 2, "q3": 4, "q4": 5},
    "second": {"q1": 2, "q2": 2, "q3": 1, "q4": 5},
    "third": {"q1": 4, "q2": 1, "q3": 1, "q4": 4},
}
COUNTRIES = {"q1": "AT", "q2": "AT", "q3": "DE"}
MODELS = {"first": "bm25", "second": "dense", "third": "bm25"}
Row = tuple[object, ...]


@pytest.fixture
def timed(ndcg: Command, once: Once) -> None:
    def fill() -> None:
        lines = [f"{query},{country}" for query, country in COUNTRIES.items()]
        texts = {"judgments qrels": "".join(f"{q} 0 a 1\n" for q in PLACES["first"])}
        texts |= {"queries q.csv": "\n".join(["query_id,country", *lines, ""])}
        for month, (name, places) in enumerate(PLACES.items(), start=1):
            ranked = [
                f"{query} Q0 {'a' if n == place else f'u{n}'} 0 {9 - n} t\n"
                for query, place in places.items()
                for n in range(1, place + 1)
            ]
            key = f"run {name} --run-at 2026-0{month}-01 --tag model={MODELS[name]}"
            texts |= {key: "".join(ranked)}
        load_texts(ndcg, texts)

    once(fill)


def series(country: str | None, *runs: str) -> list[Row]:
    """Return country, run, value, the run before and the difference."""
    rows: list[Row] = []
    before: tuple[str, float] | None = None
    for run in runs:
        places = PLACES[run].items()
        value = mean(1 / p for q, p in places if COUNTRIES.get(q) == country)
        difference = value - before[1] if before else None
        rows.append((country, run, value, before[0] if before else None, difference))
        before = run, value
    return rows


def told(ndcg: Command, *options: str) -> list[Row]:
    rows = records(ndcg, "history", "-m", "RR", "--by", "country", *options)
    columns = ("country", "run", "value", "previous_run", "difference")
    return [tuple(row[c] for c in columns) for row in rows]


ALL = [row for c in ("AT", "DE", None) for row in series(c, *PLACES)]


@pytest.mark.slow
@pytest.mark.usefixtures("timed")
def test_each_slice_has_its_own_history(ndcg: Command) -> None:
    assert told(ndcg) == ALL
    # A measure that is not registered is computed for each slice, too.
    rows = records(ndcg, "history", "-m", "P@2", "--by", "country")
    assert [row["value"] for row in rows if row["country"] == "AT"] == [0.5, 0.5, 0.25]
    assert [row["n"] for row in rows] == [2] * 3 + [1] * 6
    # The previous run is one of those that were asked for.
    some = ("--run", "first", "--run", "third")
    assert told(ndcg, *some)[:2] == series("AT", "first", "third")
    assert told(ndcg, "--tag", "model=bm25")[:2] == series("AT", "first", "third")
    parts = told(ndcg, "--tag", "model")
    assert [row[:2] for row in parts[:3]] == [
        *(("AT", "first"), ("AT", "third"), ("AT", "second")),
    ]
    last = told(ndcg, "--limit", "1")
    assert last == [row for row in ALL if row[1] == "third"]
    table = ndcg("history", "-m", "RR", "--by", "country", "--limit", "1")
    assert table.out.splitlines()[0].split()[:2] == ["measure", "country"]
    assert "3 of 9 rows shown" in table.err


@pytest.mark.slow
@pytest.mark.usefixtures("timed")
def test_the_relation_says_what_the_command_says(ndcg: Command) -> None:
    where = "where measure = 'RR' and attribute = 'country'"
    columns = "attribute_value, run, value, previous_run, difference"
    order = "order by attribute_value nulls last, made_at"
    ndcg("measures", "add", "RR")
    found = shown(
        f"select {columns} from slice_history {where} and tag is null {order}"
    )
    assert found == ALL
    tagged = shown(
        f"select run, previous_run from slice_history {where} and tag_value = 'bm25'"
        " and attribute_value = 'DE' order by made_at"
    )
    assert tagged == [("first", None), ("third", "first")]


@pytest.mark.usefixtures("timed")
def test_what_is_no_attribute_is_refused(ndcg: Command) -> None:
    told = '--by contry: no query has this attribute; did you mean "country"?\n'
    check_refused(ndcg, "history", {"--by contry": told})
