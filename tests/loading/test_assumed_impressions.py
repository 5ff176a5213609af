"""Clicks without impressions: a run is taken as what every search showed."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Literal

import duckdb
import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.clicks import Event, graded
from support.libraries import library
from support.scripts import scripted

test_script = scripted(__file__)


def _random(seed: int) -> tuple[dict[str, list[str]], list[tuple[str, str, str]]]:
    """Return rankings, and clicks with their searches; some are on nothing shown."""
    random = Random(seed)
    names = [f"d{at}" for at in range(15)]
    rankings = {f"q{at}": random.sample(names, 4 + at) for at in range(8)}
    clicks = [
        (
            f"s{random.randrange(300)}",
            f"q{random.randrange(10)}",
            random.choice(names),
        )
        for _ in range(900)
    ]
    return rankings, clicks


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "form",
    [
        *("plain", "searches"),
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in ("counts", "frame", "parquet", "json", "placed", "files")
        ),
    ],
)
@pytest.mark.parametrize(
    ("model", "depth"),
    [("coec", None), pytest.param("ctr", 3, marks=pytest.mark.slow)],
)
def test_grades_are_those_of_numpy(
    form: str, model: Literal["coec", "ctr"], depth: int | None
) -> None:
    rankings, clicks = _random(7)
    first = {q: docs[: depth or 10] for q, docs in rankings.items()}
    if form in ("searches", "files"):
        searches = Counter(q for _, q in {(s, q) for s, q, _ in clicks})
    else:
        searches = Counter(q for _, q, _ in clicks)
    events: list[Event] = [
        (q, d, "impression", place)
        for q, docs in first.items()
        for place, d in enumerate(docs, 1)
        for _ in range(searches[q])
    ]
    events += [
        (q, d, "click", first[q].index(d) + 1 if d in first.get(q, ()) else 1)
        for _, q, d in clicks
    ]
    expected = graded(events, model, {"click": 1.0}, 20)
    assert len(expected) > 20
    pandas = library("pandas")
    frame = pandas.DataFrame(clicks, columns=["search_id", "query", "doc"])
    frame["action"] = "click"
    data: Any = Path("c.csv")
    if form in ("searches", "files"):
        frame.to_csv(data, index=False)
    if form == "files":
        # Searches begin in one file and go on in the next.
        data = [Path("a.csv"), Path("b.csv")]
        frame[::2].to_csv(data[0], index=False)
        frame[1::2].to_csv(data[1], index=False)
    frame = frame.drop(columns="search_id")
    if form == "counts":
        counts = frame.groupby(["query", "doc"]).size().reset_index(name="clicks")
        counts.to_csv(data, index=False)
    elif form == "frame":
        data = frame
    elif form == "parquet":
        data = Path("c.parquet")
        duckdb.sql(f"copy frame to '{data}'")
    elif form == "json":
        data = Path("c.jsonl")
        frame.to_json(data, orient="records", lines=True)
    elif form in ("plain", "placed"):
        if form == "placed":
            frame["position"] = [""] * 100 + ["7"] * 800
        frame.to_csv(data, index=False)
    runs = {q: {d: -at for at, d in enumerate(docs)} for q, docs in rankings.items()}
    with Warehouse.memory() as own:
        own.load_run(runs, "r")
        told = own.load_clicks(
            data, "c", model=model, impressions_from="r", depth=depth
        )
        found = {
            (row["query_id"], row["doc_id"]): row["grade"]
            for row in own.query("from judgments").to_dicts()
        }
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)
    lost = [q for _, q, _ in clicks if q not in rankings]
    others = [d for _, q, d in clicks if q in rankings and d not in rankings[q]]
    below = [d for _, q, d in clicks if d in rankings.get(q, ()) and d not in first[q]]
    said = str(told)
    assert f"omitted {len(lost)} clicks of 2 queries that run" in said
    assert f"omitted {len(others)} clicks on documents that run" in said
    assert f"omitted {len(below)} clicks on documents below the first" in said
    if form == "placed":
        places = [
            first[q].index(d) for _, q, d in clicks[100:] if d in first.get(q, ())
        ]
        elsewhere = sum(place != 6 for place in places)
        assert f"{elsewhere} of 900 clicks name another position than run" in said
