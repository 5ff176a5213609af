"""Values over time: of runs, in slices, by a command and in the relation for BI."""

from datetime import datetime
from itertools import pairwise
from pathlib import Path
from statistics import mean

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command, Once, load_texts, records
from support.files import shown

pytestmark = pytest.mark.mostly_slow

# The position of the only relevant document, by run and query.
PLACES = {
    "first": {"q1": 1, "q2": 2, "q3": 4, "q4": 5},
    "second": {"q1": 2, "q2": 2, "q3": 1, "q4": 5},
    "third": {"q1": 4, "q2": 1, "q3": 1, "q4": 4},
    "fourth": {"q1": 1, "q2": 1, "q3": 1, "q4": 2},
}
COUNTRIES = {"q1": "AT", "q2": "AT", "q3": "DE"}
MODELS = {"first": "bm25", "second": "dense", "third": "bm25", "fourth": "dense"}
# Loaded in another order than they were made in.
LOADED = ("third", "first", "second", "fourth")
Row = tuple[object, ...]


@pytest.fixture
def timed(ndcg: Command, once: Once) -> None:
    def fill() -> None:
        lines = [f"{query},{country}" for query, country in COUNTRIES.items()]
        texts = {"judgments qrels": "".join(f"{q} 0 a 1\n" for q in PLACES["first"])}
        texts |= {"queries q.csv": "\n".join(["query_id,country", *lines, ""])}
        for name in LOADED:
            ranked = [
                f"{query} Q0 {'a' if n == place else f'u{n}'} 0 {9 - n} t\n"
                for query, place in PLACES[name].items()
                for n in range(1, place + 1)
            ]
            month = [*PLACES].index(name) + 1
            key = f"run {name} --run-at 2026-0{month}-01 --tag model={MODELS[name]}"
            texts |= {key: "".join(ranked)}
        load_texts(ndcg, texts)

    once(fill)


def series(slice_: str | None, *runs: str) -> list[Row]:
    """Return slice, run, value, the run before and the difference."""
    rows: list[Row] = []
    before: tuple[str, float] | None = None
    for run in runs:
        places = PLACES[run].items()
        own = [1 / p for q, p in places if slice_ in ("all", COUNTRIES.get(q))]
        difference = mean(own) - before[1] if before else None
        rows.append((slice_, run, mean(own), before and before[0], difference))
        before = run, mean(own)
    return rows


def told(ndcg: Command, options: str) -> list[Row]:
    """Return what a history says of the slices of a country, or of all queries."""
    rows = records(ndcg, "history", "-m", "RR", *options.split())
    columns = ("run", "value", "previous_run", "difference")
    return [(row.get("country", "all"), *(row[c] for c in columns)) for row in rows]


BM25, DENSE = ("first", "third"), ("second", "fourth")
HISTORIES: dict[str, list[Row]] = {
    "": series("all", *PLACES),
    "--tag model": [*series("all", *BM25), *series("all", *DENSE)],
    "--tag model=dense": series("all", *DENSE),
    # The previous run is one of those that were asked for.
    "--tag model --run third": series("all", "third"),
    "--run *ir*": series("all", *BM25),
    "--limit 2": series("all", *PLACES)[2:],
    "--by country": [r for c in ("AT", "DE", None) for r in series(c, *PLACES)],
    "--by country --run first --run third": [
        r for c in ("AT", "DE", None) for r in series(c, *BM25)
    ],
    "--by country --tag model=bm25": [
        r for c in ("AT", "DE", None) for r in series(c, *BM25)
    ],
    "--by country --tag model": [
        r for c in ("AT", "DE", None) for m in (BM25, DENSE) for r in series(c, *m)
    ],
    "--by country --limit 1": [series(c, *PLACES)[-1] for c in ("AT", "DE", None)],
}


@pytest.mark.usefixtures("timed")
def test_runs_and_slices_have_their_history(ndcg: Command) -> None:
    for options, rows in HISTORIES.items():
        assert told(ndcg, options) == [
            tuple(v if not isinstance(v, float) else pytest.approx(v) for v in row)
            for row in rows
        ], options
    rows = records(ndcg, "history", "-m", "RR", "--tag", "model")
    assert [row["tag_value"] for row in rows] == ["bm25"] * 2 + ["dense"] * 2
    # A measure that is not registered has the same run before it.
    rows = records(ndcg, "history", "-m", "P@3")
    assert [row["previous_run"] for row in rows] == [None, "first", "second", "third"]
    times = [row["made_at"] for row in rows]
    assert times == sorted(times)
    rows = records(ndcg, "history", "-m", "P@2", "--by", "country")
    values = [row["value"] for row in rows if row["country"] == "AT"]
    assert values == [0.5, 0.5, 0.25, 0.5]
    assert [row["n"] for row in rows] == [2] * 4 + [1] * 8
    # A limit tells how many there are, and leaves differences as they are.
    whole = records(ndcg, "history", "-m", "RR P@2")
    rows = records(ndcg, "history", "-m", "RR P@2", "--limit", "2")
    assert rows == [row for row in whole if row["run"] in ("third", "fourth")]
    assert "4 of 8 rows shown" in ndcg("history", "-m", "RR P@2", "--limit", "2").err
    table = ndcg("history", "-m", "RR", "--by", "country", "--limit", "1")
    assert table.out.splitlines()[0].split()[:2] == ["measure", "country"]
    assert "3 of 12 rows shown" in table.err


@pytest.mark.usefixtures("timed")
def test_the_relation_says_what_the_command_says(ndcg: Command) -> None:
    ndcg("measures", "add", "RR")
    where = "where measure = 'RR' and attribute = 'country'"
    columns = "attribute_value, run, value, previous_run, difference"
    order = "order by attribute_value nulls last, made_at"
    found = shown(
        f"select {columns} from slice_history {where} and tag is null {order}"
    )
    assert found == told(ndcg, "--by country")
    tagged = shown(
        f"select run, previous_run from slice_history {where} and tag_value = 'bm25'"
        " and attribute_value = 'DE' order by made_at"
    )
    assert tagged == [("first", None), ("third", "first")]


# Runs of one time, and two judgment sets of other queries.
RANKED = {
    "last": {"q1": ["a", "x", "b"], "q2": ["c"]},
    "middle": {"q1": ["b"], "q2": ["x", "c", "y"], "q3": ["c"]},
    "early": {"q1": ["x", "y"], "q2": ["d", "c"]},
}
SETS = {
    "narrow": {"q1": {"a": 2, "b": -1}, "q2": {"c": 1}, "q3": {"z": 1}},
    "wide": {"q1": {"a": 1, "b": 2, "x": 0}, "q2": {"c": 1, "x": 0, "y": -1}},
}


def share(ranked: dict[str, list[str]], judged: dict[str, dict[str, int]]) -> float:
    """Return judged@10: the mean share of documents with a grade from 0."""
    total = 0.0
    for query, grades in judged.items():
        documents = ranked.get(query, [])
        hits = [document for document in documents if grades.get(document, -1) >= 0]
        total += len(hits) / len(documents) if documents else 0
    return total / len(judged)


@pytest.mark.quick
def test_judgment_sets_do_not_mix(here: Path) -> None:
    (here / "q.csv").write_text("query_id,kind\nq1,only\nq2,only\nq3,only\n")
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments(SETS["narrow"], "narrow")
        own.load_queries("q.csv")
        for name, ranked in RANKED.items():
            own.load_run(ranked, name, run_at=datetime(2026, 1, 1))
        # Values under the other set are stored in another order.
        own.load_judgments(SETS["wide"], "wide", evaluate=False)
        for name in reversed(RANKED):
            own.evaluate(runs=name, judgments="wide")
    found = shown(
        "select judgment_set, run, previous_run, value, previous_value, judged_at_k"
        " from history where measure = 'nDCG@10' order by judgment_set, run_id"
    )
    # Runs of one time are in the order of loading.
    assert [row[:3] for row in found] == [
        (judgments, run, previous)
        for judgments in SETS
        for run, previous in zip(RANKED, (None, *RANKED), strict=False)
    ]
    for before, after in pairwise(found):
        assert after[4] == (before[3] if after[2] else None)
    shares = [share(RANKED[run], SETS[judgments]) for judgments, run, *_ in found]
    assert len({*shares}) == 6
    assert [row[5] for row in found] == pytest.approx(shares)
    for relation in ("run_values", "slice_values"):
        sql = f"select judged_at_k from {relation} where measure = 'nDCG@10'"
        known = shown(f"{sql} order by judgment_set, run_id")
        assert [value for (value,) in known] == pytest.approx(shares), relation
    for judgments in SETS:
        rows = Warehouse("ndcg.duckdb").history("nDCG@10", judgments=judgments)
        assert rows["previous_run"] == [None, "last", "middle"]
