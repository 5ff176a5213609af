"""Clicks without impressions: a run is taken as what every search showed."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Literal

import duckdb
import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.clicks import Event, graded
from support.commands import Command
from support.files import shown
from support.libraries import library
from support.refusals import refused_by_both

ALL = "select query_id, doc_id, grade from judgments order by all"
# Clicks of two queries; the run has a, b, c for q and d for p.
RUN = "q 0 a 1 3 r\nq 0 b 2 2 r\nq 0 c 3 1 r\np 0 d 1 1 r\n"
CLICKS = "query,document,action\nq,a,click\nq,a,click\nq,b,click\np,d,click\n"
LOAD = ("load", "clicks", "c.csv", "--min-impressions", "1")
OF_RUN = (*LOAD, "--impressions-from", "r")


@pytest.fixture
def ran(ndcg: Command, here: Path) -> Path:
    """Store a run of two queries in a warehouse of the current directory."""
    Path("r.run").write_text(RUN)
    assert ndcg("load", "run", "r.run").code == 0
    return here


@pytest.mark.usefixtures("ran")
def test_a_case_worked_by_hand(ndcg: Command) -> None:
    # Each click is a search: q has 3, p 1. Position 1 has 4 impressions and 3 clicks,
    # position 2 has 3 and 1, position 3 has 3 and none.
    Path("c.csv").write_text(CLICKS)
    told = ndcg(*OF_RUN)
    assert (told.code, told.err.splitlines()) == (
        0,
        [
            'made judgment set "c" by coec of 10 impressions and 4 clicks: 2 queries, 3'
            " judgments; evaluated 1 run",
            "left out 1 document of a query, shown only at positions where nobody"
            " clicked",
            "assumed of 4 clicks: each is a search of its own that showed the first 10"
            ' documents of run "r"; searches without an event are not in the log',
        ],
    )
    assert shown(ALL) == [
        ("p", "d", pytest.approx(1 / (3 / 4), abs=1e-15)),
        ("q", "a", pytest.approx(2 / (3 * 3 / 4), abs=1e-15)),
        ("q", "b", pytest.approx(1 / (3 * 1 / 3), abs=1e-15)),
    ]
    # The description of the set says what was assumed.
    assert (
        'source            c.csv: coec (each click showed the first 10 of run "r",'
        " min_impressions=1) of 10 impressions and 4 clicks"
    ) in ndcg("describe", "c").out


@pytest.mark.usefixtures("ran")
def test_clicks_of_one_search_are_one_showing(ndcg: Command) -> None:
    rows = ["s1,q,a,click", "s1,q,b,click", "s2,q,a,click", "s2,p,d,click", ",q,a,buy"]
    Path("c.csv").write_text("\n".join(["session_id,query,doc,action", *rows, ""]))
    told = ndcg(*OF_RUN, "--model", "ctr", "--action", "buy=2")
    # q has the searches s1 and s2, and the one of the row without a name; p has s2.
    assert shown(ALL) == [
        ("p", "d", 1.0),
        ("q", "a", pytest.approx(4 / 3)),
        ("q", "b", pytest.approx(1 / 3)),
        ("q", "c", 0.0),
    ]
    assert told.err.splitlines()[-1] == (
        "assumed of 3 searches and 1 click of none: each is a search of its own that"
        ' showed the first 10 documents of run "r"; searches without an event are not'
        " in the log"
    )


@pytest.mark.slow
@pytest.mark.usefixtures("ran")
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_search_of_an_ignored_event_was_made(ndcg: Command, form: str) -> None:
    # q has the searches s1 and s2: of s2, only an event is known that is ignored, and
    # s1 has both. An event that names no search, or no query, tells of none.
    rows = [
        *(("s1", "q", "a", "click"), ("s1", "q", "a", "hover")),
        *(("s2", "q", "a", "hover"), ("", "q", "b", "hover"), ("s3", "", "", "hover")),
    ]
    names = ("search_id", "query", "document", "action")
    if form == "csv":
        lines = [",".join(names), *map(",".join, rows)]
    else:
        lines = [json.dumps(dict(zip(names, row, strict=True))) for row in rows]
    Path(f"c.{form}").write_text("\n".join(lines) + "\n")
    load = ("load", "clicks", f"c.{form}", *OF_RUN[3:], "--model", "ctr")
    told = ndcg(*load, "--action", "hover=0")
    assert told.err.splitlines()[-1].startswith("assumed of 2 searches: each showed")
    assert shown(ALL) == [("q", "a", 0.5), ("q", "b", 0.0), ("q", "c", 0.0)]


@pytest.mark.slow
@pytest.mark.usefixtures("ran")
def test_only_searches_of_the_run_s_queries_are_assumed_of(ndcg: Command) -> None:
    Path("c.csv").write_text(CLICKS + "x,a,click\nx,b,click\n")
    told = ndcg(*OF_RUN, "--depth", "1").err.splitlines()
    assert told[-4:-1] == [
        "assumed of 4 clicks: each is a search of its own that showed the first"
        ' document of run "r"; searches without an event are not in the log',
        'warning: left out 2 clicks of 1 query that run "r" does not have',
        'warning: left out 1 click on documents below the first of run "r"; to count'
        " all: --depth 2",
    ]
    assert 'each click showed the first of run "r"' in ndcg("describe", "c").out


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
    assert f"left out {len(lost)} clicks of 2 queries that run" in said
    assert f"left out {len(others)} clicks on documents that run" in said
    assert f"left out {len(below)} clicks on documents below the first" in said
    if form == "placed":
        places = [
            first[q].index(d) for _, q, d in clicks[100:] if d in first.get(q, ())
        ]
        elsewhere = sum(place != 6 for place in places)
        assert f"{elsewhere} of 900 clicks name another position than run" in said


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "no impressions": (
        "query,document,action,position\nq,a,click,1\n",
        {},
        "c.csv: 1 click, but no impression; add what was shown: a row with the action"
        " impression for each document at each position, clicked or not; if another"
        " action says it: ndcg-sql load clicks c.csv --impression NAME; if searches"
        " showed the ranking of a run: ndcg-sql load clicks c.csv --impressions-from"
        " r\n",
    ),
    "no positions": (
        CLICKS,
        {},
        'c.csv: no column for "position"; the header has "query", "document", "action";'
        " name it: ndcg-sql load clicks c.csv --column position=NAME; if searches"
        " showed the ranking of a run: ndcg-sql load clicks c.csv --impressions-from"
        " RUN\n",
    ),
    "an unknown run": (
        CLICKS,
        {"impressions_from": "R"},
        'no run "R"; known: "r"\n',
    ),
    "a run of another dataset": (
        CLICKS,
        {"impressions_from": "r", "dataset": "shop"},
        'no run "r" in dataset "shop"; it is in "default": --dataset default, or load'
        " it into this one\n",
    ),
    "impressions": (
        "query,document,action,position\nq,a,impression,1\nq,a,click,1\n",
        {"impressions_from": "r"},
        "c.csv: 1 impression already says what was shown; omit --impressions-from\n",
    ),
    "rows that were not clicked": (
        "query,document,position,clicked\nq,a,1,1\nq,b,2,0\n",
        {"impressions_from": "r"},
        "c.csv: 1 row without a click already says what was shown; omit"
        " --impressions-from\n",
    ),
    "an action that is the column of clicks": (
        "query,document,position,clicks,impressions\nq,a,1,5,9\n",
        {"actions": {"clicks": 3}},
        'c.csv: action "clicks": the column is that of "clicks"; weigh clicks: --action'
        " click=WEIGHT\n",
    ),
    "an action that is another column": (
        "query,document,position,clicks,impressions\nq,a,1,5,9\n",
        {"actions": {"position": 3}},
        'c.csv: action "position": the column is that of "position"; name the column of'
        " an action\n",
    ),
    "a word for impressions in rows of counts": (
        "query,document,position,clicks\nq,a,1,1\n",
        {"impressions": ["shown"]},
        "--impression: c.csv: has a row for counts, not for an action; name the column"
        " that counts what was shown: --column impressions=NAME\n",
    ),
    "other queries": (
        "query,document,action\nx,a,click\n",
        {"impressions_from": "r"},
        'c.csv: no click is on a query of run "r"; write the same ids of queries and'
        " documents, or name the run that was shown: --impressions-from RUN\n",
    ),
    "other documents": (
        "query,document,action\nx,a,click\nq,z,click\n",
        {"impressions_from": "r"},
        'c.csv: no click is on a document of run "r"; write the same ids of queries and'
        " documents, or name the run that was shown: --impressions-from RUN\n",
    ),
    "deep documents": (
        "query,document,action\nq,b,click\nq,c,click\n",
        {"impressions_from": "r", "depth": 1},
        'c.csv: every click is on a document below the first of run "r"; count deeper'
        " ones, too: --depth 3\n",
    ),
    "a bad position": (
        "query,document,action,position\nq,a,click,0\n",
        {"impressions_from": "r"},
        'c.csv:2: query "q", document "a": position "0" is not a whole number from 1 to'
        " 1e9\n",
    ),
    "an unknown action": (
        "query,document,action\nq,a,click\nq,a,view\n",
        {"impressions_from": "r"},
        'c.csv: 1 action of unknown weight: "view" (1); say how many clicks each is'
        " worth, or 0 to ignore it: ndcg-sql load clicks c.csv --impressions-from r"
        ' --action view=WEIGHT; if "view" says what was shown: ndcg-sql load clicks'
        " c.csv --impression view\n",
    ),
    "a depth of nothing": (
        CLICKS,
        {"depth": 5},
        "--depth: a run has it, and none was shown; name it: --impressions-from RUN\n",
    ),
    "a column of searches for nothing": (
        CLICKS,
        {"columns": {"search_id": "visit"}},
        "--column search_id=visit: read for clicks alone; omit it, or name the run that"
        " was shown: --impressions-from RUN\n",
    ),
    "searches, too": (
        CLICKS,
        {"impressions_from": "r", "searches": "c.csv"},
        "--impressions-from: --searches says what was shown; omit one of the two\n",
    ),
}


@pytest.mark.slow
@pytest.mark.usefixtures("ran")
@pytest.mark.parametrize("name", REFUSED)
def test_refusals(ndcg: Command, name: str) -> None:
    content, arguments, told = REFUSED[name]
    Path("c.csv").write_text(content)
    # Refusals name the runs and datasets that there are: no other test's.
    with Warehouse.memory() as warehouse:
        warehouse.load_run("r.run")
        refusal = refused_by_both(ndcg, warehouse, "clicks", "c.csv", arguments)
        assert refusal.startswith(told)
        assert warehouse.database.execute("from judgment_sets") == []


@pytest.mark.usefixtures("bare")
def test_a_new_warehouse_has_no_run(ndcg: Command) -> None:
    Path("c.csv").write_text(CLICKS)
    assert ndcg(*OF_RUN).refusal == (
        'no run in dataset "default"; ndcg-sql load run FILE loads one\n'
    )
    assert not Path("ndcg.duckdb").exists()
