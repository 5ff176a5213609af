"""Judgments from clicks: what they are worth, what is refused, what is said of them."""

import json
from collections import Counter
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import duckdb
import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.clicks import (
    HEADER,
    Event,
    by_query,
    csv,
    graded,
    random_log,
    simulated,
)
from support.commands import Command
from support.files import digest, shown
from support.libraries import library
from support.refusals import refused_by_both, remedy

ALL = "select query_id, doc_id, grade from judgments order by all"
# Both positions have 20 and 40 impressions; 6 and 4 of them were clicked.
WORKED: list[Event] = [
    *[("q", "a", "impression", 1)] * 10,
    *[("q", "a", "click", 1)] * 4,
    *[("q", "a", "impression", 2)] * 10,
    *[("q", "a", "click", 2)] * 1,
    *[("q", "b", "impression", 1)] * 10,
    *[("q", "b", "click", 1)] * 2,
    *[("q", "b", "impression", 2)] * 10,
    *[("q", "b", "click", 2)] * 1,
    *[("q", "c", "impression", 2)] * 20,
    *[("q", "c", "click", 2)] * 2,
]


def grades(own: Warehouse, name: str | None = None) -> dict[tuple[str, str], float]:
    """Return the judgments of a set, the newest by default, by query and document."""
    which = "max(judgment_set_id) from store.judgment_sets"
    if name is not None:
        which = f"judgment_set_id from store.judgment_sets where name = '{name}'"
    sql = "select query_id, doc_id, grade from store.judgments where judgment_set_id ="
    rows = own.database.execute(f"{sql} (select {which})")
    return {(query, document): grade for query, document, grade in rows}


def load(own: Warehouse, events: list[Event], name: str, **options: Any) -> None:
    """Load events from a CSV file of this name."""
    path = Path(f"{name}.csv")
    path.write_text(csv(events))
    own.load_clicks(path, **options)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        # Expected: a and b 10 * 6/20 + 10 * 4/40 = 4, c 20 * 4/40 = 2.
        ({}, {"a": 5 / 4, "b": 3 / 4, "c": 2 / 2}),
        ({"model": "ctr"}, {"a": 5 / 20, "b": 3 / 20, "c": 2 / 20}),
        ({"levels": "0.75, 1,1.5"}, {"a": 2, "b": 1, "c": 2}),
        ({"levels": [0.2, 0.8, 1.2, 9]}, {"a": 3, "b": 1, "c": 2}),
    ],
)
def test_a_case_worked_by_hand(
    options: dict[str, Any], expected: dict[str, float]
) -> None:
    with Warehouse.memory() as own:
        load(own, WORKED, "e", **options)
        assert grades(own) == pytest.approx(
            {("q", document): grade for document, grade in expected.items()}, abs=1e-15
        )


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("model", ["coec", "ctr"])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_grades_are_those_of_numpy(model: str, seed: int) -> None:
    random = Random(seed)
    weights = {"click": 1.0, "buy": 2.7, "save": 0.1, "hover": 0.0}
    with Warehouse.memory() as own:
        for at, size in enumerate((60, 300, 3000)):
            events = random_log(random, size, weights)
            given = {action: weights[action] for action in ("buy", "save", "hover")}
            options = {"model": model, "min_impressions": 2, "actions": given}
            load(own, events, f"e{at}", **options)
            counts = {action: weight for action, weight in weights.items() if weight}
            expected = graded(events, model, counts, 2)
            assert len(expected) > 3
            assert grades(own) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def order_kept(relevance: dict[str, float], grade: dict[str, float]) -> float:
    """Return Kendall's tau-b of grades with relevance."""
    stats = library("scipy.stats")
    names = sorted(relevance)
    first, second = ([one[name] for name in names] for one in (relevance, grade))
    return float(stats.kendalltau(first, second).statistic)


@pytest.mark.slow
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("seed", range(5))
def test_coec_finds_the_order_that_ctr_misses(seed: int) -> None:
    # With these seeds, tau is 0.74 to 0.79 for coec, and 0.61 to 0.67 for ctr.
    world = simulated(Random(seed))
    truth = by_query(world.relevance)
    kept: dict[str, float] = {}
    with Warehouse.memory() as own:
        for model in ("coec", "ctr"):
            load(own, world.events, model, model=model)
            found = by_query(grades(own))
            kept[model] = mean(order_kept(truth[q], found[q]) for q in truth)
    assert kept["coec"] > kept["ctr"] + 0.05


def shuffled(events: list[Event]) -> list[Event]:
    """Return events in another order."""
    return Random(7).sample(events, len(events))


WEIGHED = {"buy": 0.3, "save": 1 / 3}
LOG = random_log(Random(5), 4000, ["click", *WEIGHED])


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_the_same_events_make_the_same_set() -> None:
    Path("e.csv").write_text(csv(LOG))
    mixed = shuffled(LOG)
    Path("mixed.csv").write_text(csv(mixed))
    Path("named.csv").write_text(csv(mixed, "User,Item,What,At\n"))
    # Quotes, and a blank before a number, are read strictly.
    Path("strict.csv").write_text(
        HEADER + "".join(f'{q},"{d}",{a}, {p}\n' for q, d, a, p in LOG)
    )
    Path("quoted.csv").write_text(
        HEADER + "".join(f'"{q}","{d}","{a}","{p}"\n' for q, d, a, p in LOG)
    )
    Path("e.tsv").write_text(csv(LOG).replace(",", "\t"))
    Path("e.jsonl").write_text(
        "".join(
            json.dumps({"query": q, "item": d, "event": a, "rank": p}) + "\n"
            for q, d, a, p in LOG
        )
    )
    with duckdb.connect() as connection:
        read = "copy (from 'mixed.csv') to 'e.parquet'"
        connection.execute(read)
        connection.execute(
            "copy (select * replace (position::double as position) from 'mixed.csv')"
            " to 'doubles.parquet'"
        )
    Path("days").mkdir()
    for day in range(3):
        Path(f"days/{day}.csv").write_text(csv(mixed[day::3]))
    columns = {"query_id": "User", "doc_id": "Item"}
    columns |= {"action": "What", "position": "At"}
    frame = library("pandas").read_csv("mixed.csv")
    others: list[tuple[Any, dict[str, Any]]] = [
        *[(name, {}) for name in ("mixed.csv", "strict.csv", "e.tsv", "e.jsonl")],
        *[(name, {}) for name in ("e.parquet", "doubles.parquet", "days")],
        ("quoted.csv", {}),
        ("named.csv", {"columns": columns}),
        (sorted(Path("days").iterdir(), reverse=True), {}),
        (frame, {}),
    ]
    said = 'judgment set "e" of dataset "default" already exists with this content;'
    with Warehouse.memory() as own:
        own.load_clicks("e.csv", actions=WEIGHED)
        assert len(grades(own)) > 20
        for data, options in others:
            told = own.load_clicks(data, "e", actions=WEIGHED, **options)
            assert str(told) == f"{said} nothing to do", data
            assert told.items[0].outcome == "unchanged"
        fewer = own.load_clicks("e.csv", "f", actions=WEIGHED, min_impressions=60)
        assert fewer.items[0].outcome == "loaded"


@pytest.mark.usefixtures("here")
def test_times_of_any_form_make_the_window() -> None:
    begin = "query,document,action,position,time\n"
    rows = "q,a,impression,1,{}\nq,a,click,1,{}\nq,a,impression,1,\n"
    window = {
        (
            "2026-01-01",
            "2026-01-02 10:00",
        ): "2026-01-01 00:00:00 to 2026-01-02 10:00:00",
        ("2026-01-01T00:00:00Z", "2026-01-01T10:00:00.5"): (
            "2026-01-01 00:00:00 to 2026-01-01 10:00:00"
        ),
        ("2026-01-01T00:00:00+02:00", "2026-01-01T01:00:00-01:00"): (
            "2025-12-31 22:00:00 to 2026-01-01 02:00:00"
        ),
        ("1767225600", "1767225601500"): "2026-01-01 00:00:00 to 2026-01-01 00:00:01",
    }
    with Warehouse.memory() as own:
        for at, (times, expected) in enumerate(window.items()):
            Path(f"e{at}.csv").write_text(begin + rows.format(*times))
            told = str(own.load_clicks(f"e{at}.csv", min_impressions=1))
            assert f"of 2 impressions and 1 click, {expected}: 1 query" in told


@pytest.mark.usefixtures("here")
def test_a_file_of_ignored_events_adds_nothing(ndcg: Command) -> None:
    Path("a.csv").write_text(csv(WORKED))
    Path("b.csv").write_text(csv([("q", "a", "hover", 1)]))
    load = ("load", "clicks", "a.csv", "b.csv", "--name", "c", "--action", "hover=0")
    told = ndcg(*load)
    assert told.err.startswith('made judgment set "c" by coec of 60 impressions and 10')


@pytest.mark.usefixtures("here")
def test_times_that_are_none_are_no_obstacle(ndcg: Command) -> None:
    begin = "query,document,action,position,time\n"
    Path("a.csv").write_text(
        begin
        + "q,a,impression,1,2026-11-12\nq,b,impression,2,11/12/2026 21:00\n"
        + "q,a,click,1,\n"
    )
    Path("b.csv").write_text(begin + "q,a,impression,1,2026-11-12\n")
    told = ndcg(
        *("load", "clicks", "a.csv", "b.csv", "--name", "c", "--min-impressions", "1")
    )
    assert (told.code, told.err.splitlines()) == (
        0,
        [
            'warning: a.csv: "11/12/2026 21:00" is not a time like 2026-01-31T23:59;'
            " the first and the last time of the log stay unknown",
            'made judgment set "c" by coec of 3 impressions and 1 click: 1 query, 1'
            " judgment",
            "left out 1 document of a query, shown only at positions where nobody"
            " clicked",
        ],
    )
    assert shown(ALL) == [("q", "a", 1.0)]


@pytest.mark.usefixtures("loaded")
def test_what_is_said_of_a_set(ndcg: Command) -> None:
    rare: list[Event] = [("q", "r", "impression", 1)] * 3
    never: list[Event] = [
        *[("q2", "n", "impression", 3)] * 20,
        ("q2", "x", "click", 4),
        ("q2", "x", "click", 1),
        ("q2", "x", "hover", 1),
    ]
    Path("e.csv").write_text(csv([*WORKED, *rare, *never]))
    result = ndcg("load", "clicks", "e.csv", "--action", "hover=0", "--name", "c")
    assert (result.code, result.out) == (0, "")
    assert result.err.splitlines() == [
        'made judgment set "c" by coec of 83 impressions and 12 clicks: 1 query,'
        " 3 judgments; evaluated 1 run",
        'judgment set "c" is now the newest: report and other commands use it unless'
        " --judgments qrels is given",
        "left out 1 document of a query, shown fewer than 20 times",
        "left out 1 document of a query, shown only at positions where nobody clicked",
        "warning: left out 2 clicks on documents that have no impression for their"
        " queries",
        "warning: 73 events are of a query that is in no run and no judgment set of the"
        ' dataset: "q"',
        'warning: run "base" and its judgments have no query in common; for example,'
        ' the run has "q1", the judgments have "q"',
    ]
    [row] = shown(
        "select source, policy, query_count, judgment_count from judgment_sets"
        " where judgment_set = 'c'"
    )
    assert row == (
        "e.csv: coec (hover=0, min_impressions=20) of 83 impressions and 12 clicks",
        "coec",
        1,
        3,
    )
    # Clicks on what was never shown are no part of the rate of position 1.
    assert ("q", "c", 1.0) in shown(ALL)


# Documents that were shown 9 times, and clicked 0 to 7 times.
FEW: list[Event] = [
    *[("q1", d, "impression", 1) for d in "abcdefgh" for _ in range(9)],
    *[("q1", d, "click", 1) for at, d in enumerate("abcdefgh") for _ in range(at)],
]


@pytest.mark.usefixtures("loaded")
def test_grades_without_a_relevant_document_are_told_levels(ndcg: Command) -> None:
    Path("e.csv").write_text(csv(FEW))
    load = ("load", "clicks", "e.csv", "--model", "ctr", "--min-impressions", "9")
    assert ndcg(*load).code == 0
    # The grades above 0 are 1/9 to 7/9; the quartiles are the 2nd, the 4th, the 6th.
    command = (
        "ndcg-sql load clicks FILE --model ctr --min-impressions 9 --levels"
        " 0.22,0.44,0.66"
    )
    assert ndcg("report", "-m", "AP", "--judgments", "e").err == (
        'judgment set "e", AP: no document is relevant, the highest grade is 0.777778;'
        f" for grades 0, 1, 2 ... of clicks: {command}; a lower threshold may be"
        " intended, such as rel=0.66\n"
    )


@pytest.mark.usefixtures("here")
def test_two_scales_in_one_set_are_told(ndcg: Command) -> None:
    Path("e.csv").write_text(csv(WORKED))
    Path("j.csv").write_text("query,doc,grade\nq,x,3\nq,y,0\nq,z,-1\n")
    assert ndcg("load", "clicks", "e.csv", "--name", "c").code == 0
    more = ("load", "judgments", "j.csv", "--base", "c")
    warning = (
        'judgment set "j" mixes two scales: new grades from 0 to 3, and those of clicks'
        ' in "c", fractions from 0.75 to 1.25; for grades 0, 1, 2 ... of clicks:'
        " ndcg-sql load clicks FILE --model coec --levels 0.75,1,1.2"
    )
    told = ndcg(*more)
    assert (told.code, f"warning: {warning}" in told.err.splitlines()) == (0, True)


REFUSED: dict[str, tuple[str, dict[str, Any], str]] = {
    "no impressions": (
        csv([("q", "a", "click", 1)] * 2),
        {},
        "e.csv: 2 clicks, but no impression; add what was shown: a row with the action"
        " impression for each document at each position, clicked or not; if another"
        " action says it: ndcg-sql load clicks e.csv --impression NAME; if searches"
        " showed the ranking of a run: ndcg-sql load clicks e.csv --impressions-from"
        " RUN\n",
    ),
    "impressions of another name": (
        csv([("q", "a", "View", 1), ("q", "a", "click", 1), ("q", "b", "View", 2)]),
        {},
        'e.csv: 1 action of unknown weight: "View" (2); say how many clicks each is'
        " worth, or 0 to ignore it: ndcg-sql load clicks e.csv --action View=WEIGHT; if"
        ' "View" says what was shown: ndcg-sql load clicks e.csv --impression View\n',
    ),
    "impressions that were weighed": (
        csv([("q", "a", "View", 1), ("q", "a", "click", 1)]),
        {"actions": {"View": 2}},
        "e.csv: 2 clicks, but no impression; add what was shown: a row with the action"
        " impression for each document at each position, clicked or not; if another"
        " action says it: --impression View",
    ),
    "impressions named so": (
        csv(WORKED),
        {"impressions": ["impression"]},
        "--impression impression: it says so by itself; omit it",
    ),
    "impressions that are clicks": (
        csv(WORKED),
        {"actions": {"View": 2}, "impressions": "View"},
        "--impression View: --action View=2 says what it is; omit one of the two",
    ),
    "clicks as impressions": (
        csv([("q", "a", "click", 1)]),
        {"impressions": ["click"]},
        "--impression click: a click does not say what was shown, too; omit it",
    ),
    "an action that rows do not count": (
        "query,doc,position,impressions,clicks,purchases\nq,a,1,30,5,2\n",
        {"actions": {"purchase": 3}},
        'e.csv: no column "purchase"; did you mean "purchases"?',
    ),
    "a bad count of an action": (
        "query,doc,position,impressions,clicks,purchases\nq,a,1,30,5,two\n",
        {"actions": {"purchases": 3}},
        'e.csv:2: query "q", document "a": "two" is not a whole number of purchases'
        " from 0 to 1e9\n",
    ),
    "no clicks": (
        csv([("q", "a", "impression", 1)]),
        {"actions": {"buy": 2}},
        'e.csv: 1 impression, but no action that counts as a click: "click", "buy";'
        " weigh those that do: --action NAME=1",
    ),
    "unknown actions": (
        csv([*WORKED, *[("", "", "hover", 0)] * 3, ("q", "a", "add to cart", 1)]),
        {},
        'e.csv: 2 actions of unknown weight: "hover" (3), "add to cart" (1); say how'
        " many clicks each is worth, or 0 to ignore it: ndcg-sql load clicks e.csv"
        " --action hover=WEIGHT --action 'add to cart=WEIGHT'",
    ),
    "few impressions": (
        csv(WORKED),
        {"min_impressions": 21},
        "e.csv: no document was shown 21 times for a query, the most is 20; load a"
        " longer log, or: --min-impressions 20",
    ),
    "nothing expected": (
        csv(
            [
                *[("q", "a", "impression", 2)] * 20,
                ("q", "b", "impression", 1),
                ("q", "b", "click", 1),
            ]
        ),
        {},
        "e.csv: nobody clicked where a document with enough impressions was shown; load"
        " a longer log, or lower --min-impressions",
    ),
    "a model": (
        csv(WORKED),
        {"model": "dbn"},
        "--model dbn: not one of coec, ctr",
    ),
    "a weight": (
        csv(WORKED),
        {"actions": {"buy": -1}},
        "--action buy=-1: must be 0, or from 1e-6 to 1e6",
    ),
    "a weight of impressions": (
        csv(WORKED),
        {"actions": {"impression": 1}},
        "--action impression=1: it says what was shown; omit it",
    ),
    "no action": (
        csv(WORKED),
        {"actions": {"click": 0}},
        "--action: no action counts as a click; weigh one: --action NAME=1",
    ),
    "levels": (
        csv(WORKED),
        {"levels": "1,0.5"},
        "--levels 1,0.5: levels must be above 0, each above the one before",
    ),
    "a column": (
        "query,document,action\nq,a,click\n",
        {},
        'e.csv: no column for "position"; the header has "query", "document", "action";'
        " name it: ndcg-sql load clicks e.csv --column position=NAME",
    ),
    "positions": (
        csv([("q", "a", "impression", 0), ("q", "b", "impression", 1)])
        + "q,a,click,1.5\nq,a,click,\nq,,click,1\n",
        {},
        'e.csv:2: query "q", document "a": position "0" is not a whole number from 1 to'
        " 1e9\n"
        'e.csv:4: query "q", document "a": position "1.5" is not a whole number from 1'
        " to 1e9\n"
        'e.csv:5: query "q", document "a": position "" is not a whole number from 1 to'
        " 1e9\n"
        'e.csv:6: query "q": the document id is empty\n'
        + remedy(4, 5, "Positions count from 1: correct the file and load it again."),
    ),
    "counts": (
        "query,doc,position,clicks,impressions\nq,a,1,2,9\nq,b,1,yes,9\nq,c,2,1,\n"
        "q,d,2,1,-1\nq,e,0,true,1\n",
        {},
        'e.csv:3: query "q", document "b": "yes" is not a whole number of clicks from 0'
        " to 1e9\n"
        'e.csv:4: query "q", document "c": "" is not a whole number of impressions from'
        " 0 to 1e9\n"
        'e.csv:5: query "q", document "d": "-1" is not a whole number of impressions'
        " from 0 to 1e9\n"
        'e.csv:6: query "q", document "e": position "0" is not a whole number from 1 to'
        " 1e9\n" + remedy(4, 5, "Positions count from 1: correct the"),
    ),
    "no action and no clicks": (
        "query,document,position\nq,a,1\n",
        {},
        'e.csv: no column for "action"; the header has "query", "document", "position";'
        " name it: ndcg-sql load clicks e.csv --column action=NAME; if rows say what"
        " was clicked, or how often: ndcg-sql load clicks e.csv --column clicks=NAME",
    ),
    "clicks of another name": (
        "query,document,position,total clicks\nq,a,1,1\n",
        {},
        'e.csv: no column for "clicks"; the header has "query", "document", "position",'
        ' "total clicks"; name it, such as: ndcg-sql load clicks e.csv --column'
        " 'clicks=total clicks'",
    ),
    "other lines": (
        csv([*WORKED[:1], ("q", "a", "", 1)]) + "q,a,b,click,1\nq,a,click\n",
        {},
        'e.csv:3: query "q", document "a": the action is empty\n'
        "e.csv:4: 5 fields, expected 4 as in the header\n"
        "e.csv:5: 3 fields, expected 4 as in the header\n",
    ),
    "a time": (
        "query,document,action,position,time\nq,a,impression,1,soon\n",
        {"columns": {"time": "time"}},
        'e.csv:2: query "q", document "a": "soon" is not a time like 2026-01-31T23:59',
    ),
    "no rows": (
        HEADER,
        {},
        "e.csv: no rows below the header; is this the right file?",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(ndcg: Command, empty: Path, own: Warehouse, name: str) -> None:
    content, arguments, told = REFUSED[name]
    Path("e.csv").write_text(content)
    before = digest(empty)
    refusal = refused_by_both(ndcg, own, "clicks", "e.csv", arguments)
    assert refusal.startswith(told)
    assert digest(empty) == before


PLACED = "query,document,event_type,rank,time\nq,a,impression,1,\nq,a,click,1,\n"
EVENTS = "user,item,event,time\nu,a,view,\nu,a,buy,\n"
UBI = '{"action_name": "click", "query_id": "s", "event_attributes": {}}\n'
# Files, kinds that they are loaded as, and what follows the names of their columns.
LOGS: dict[str, tuple[str, str, str, str]] = {
    "a log": (
        "e.csv",
        PLACED,
        "judgments",
        "ndcg-sql load clicks e.csv --dataset d",
    ),
    "UBI": (
        "e.jsonl",
        UBI,
        "judgments",
        "ndcg-sql load clicks e.jsonl --dataset d",
    ),
    "a log as a run": (
        "e.csv",
        PLACED,
        "run",
        "ndcg-sql load clicks e.csv --dataset d",
    ),
    "a log without usual ids as a run": (
        "e.csv",
        PLACED.replace("document", "sku"),
        "run",
        "ndcg-sql load clicks e.csv --dataset d --column doc_id=sku",
    ),
    "events": (
        "e.csv",
        EVENTS,
        "judgments",
        "ndcg-sql load judgments e.csv --dataset d --grade 1 --where event=VALUE",
    ),
}


@pytest.mark.parametrize("name", LOGS)
def test_a_log_is_neither_judgments_nor_a_run(
    ndcg: Command, empty: Path, own: Warehouse, name: str
) -> None:
    file, content, kind, told = LOGS[name]
    Path(file).write_text(content)
    before = digest(empty)
    refusal = refused_by_both(ndcg, own, kind, file, {"dataset": "d"})
    assert refusal.startswith(f"{file}:")
    assert f"if this is right: {told}\n" in refusal
    assert digest(empty) == before


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("header", "options"),
    [
        ("query,document,action,score,rank", ()),
        ("query,document,action,rank", ("--positions", "given")),
    ],
)
def test_a_run_may_have_a_column_of_actions(
    ndcg: Command, header: str, options: tuple[str, ...]
) -> None:
    numbers = ",1" * (header.count(",") - 2)
    Path("r.csv").write_text(f"{header}\nq,a,show{numbers}\n")
    assert ndcg("load", "run", "r.csv", *options).err.startswith('loaded run "r"')
    # A list is in the order of its ranking.
    listed = {"query": "q", "results": ["a"], "action": "show", "position": 1}
    Path("l.jsonl").write_text(json.dumps(listed))
    assert ndcg("load", "run", "l.jsonl").err.startswith('loaded run "l"')


@pytest.mark.usefixtures("here")
def test_events_that_are_judgments_are_loaded() -> None:
    Path("e.csv").write_text(EVENTS)
    with Warehouse.memory() as own:
        own.load_judgments("e.csv", grade=1, where={"event": "buy"})
        assert grades(own) == {("u", "a"): 1.0}


@pytest.mark.usefixtures("bare")
def test_several_files_need_a_name_and_one_bad_file_stores_nothing(
    ndcg: Command,
) -> None:
    Path("a.csv").write_text(csv(WORKED))
    Path("b.csv").write_text(csv([("q", "a", "click", 0)]))
    assert ndcg("load", "clicks", "a.csv", "b.csv").err == (
        "2 files become one judgment set; name it: ndcg-sql load clicks a.csv"
        " b.csv --name NAME\n"
    )
    both = ndcg("load", "clicks", "a.csv", "b.csv", "--name", "both")
    assert (both.code, both.err.splitlines()[0]) == (
        2,
        'b.csv:2: query "q", document "a": position "0" is not a whole number from 1 to'
        " 1e9",
    )
    assert not Path("ndcg.duckdb").exists()


@pytest.mark.usefixtures("here")
def test_impressions_may_have_other_names(ndcg: Command) -> None:
    named = [(q, d, {"impression": "View"}.get(a, a), p) for q, d, a, p in WORKED]
    named[0] = ("q", "a", "shown", 1)
    Path("e.csv").write_text(csv(named))
    told = ndcg(
        *("load", "clicks", "e.csv", "--impression", "View", "--impression", "shown")
    )
    assert (told.code, told.err) == (
        0,
        'made judgment set "e" by coec of 60 impressions and 10 clicks: 1 query, 3'
        " judgments\n",
    )
    assert shown(ALL) == [("q", "a", 1.25), ("q", "b", 0.75), ("q", "c", 1.0)]
    [(source,)] = shown("select source from judgment_sets")
    assert source.startswith(
        "e.csv: coec (View=impression, shown=impression, min_impressions=20) of 60"
    )
    with Warehouse.memory() as own:
        frame = library("pandas").read_csv("e.csv")
        own.load_clicks(frame, "c", impressions=["View", "shown"])
        assert grades(own) == {("q", "a"): 1.25, ("q", "b"): 0.75, ("q", "c"): 1.0}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "form",
    [
        "clicked",
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("counts", "json")),
    ],
)
def test_rows_with_clicks_are_events(form: str) -> None:
    # Each impression of a random log, and how often it was clicked.
    random = Random(3)
    rows = [
        (q, d, p, random.choice([0, 0, 1] if form != "counts" else [0, 1, 3]))
        for q, d, a, p in random_log(random, 900, ["click"])
        if a == "impression"
    ]
    events = [(q, d, "impression", p) for q, d, p, _ in rows]
    events += [(q, d, "click", p) for q, d, p, clicks in rows for _ in range(clicks)]
    expected = graded(events, "coec", {"click": 1.0}, 20)
    assert len(expected) > 10
    path = Path("e.csv")
    data: Any = path
    if form == "counts":
        shown_at = Counter(row[:3] for row in rows)
        clicks_at = Counter[tuple[str, str, int]]()
        for q, d, p, clicks in rows:
            clicks_at[q, d, p] += clicks
        lines = [f"{q},{d},{p},{clicks_at[q, d, p]},{n}"
                 for (q, d, p), n in shown_at.items()]  # fmt: skip
        path.write_text("\n".join(["query,doc,position,clicks,impressions", *lines]))
    else:
        names = ["query", "doc", "position", "clicked"]
        frame = library("pandas").DataFrame(rows, columns=names)
        if form == "json":
            frame["clicked"] = frame["clicked"] > 0
            path = data = Path("e.jsonl")
            frame.to_json(path, orient="records", lines=True)
        else:
            frame.to_csv(path, index=False)
    with Warehouse.memory() as own:
        told = own.load_clicks(data, "c")
        made = f"of {len(rows)} impressions and {len(events) - len(rows)} clicks: "
        assert made in str(told)
        assert grades(own) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "form",
    [
        "csv",
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("json", "where")),
    ],
)
def test_rows_may_count_several_actions(form: str) -> None:
    random = Random(4)
    rows = [
        (f"q{at % 5}", f"d{at % 7}", 1 + at % 3, 30, *random.choices(range(4), k=3))
        for at in range(60)
    ]
    actions = ("click", "purchases", "in cart")
    events = [
        (q, d, action, p)
        for q, d, p, shown_times, *counts in rows
        for action, count in zip(("impression", *actions), (shown_times, *counts),
                                 strict=True)
        for _ in range(count)
    ]  # fmt: skip
    weights = {"click": 1.0, "purchases": 3.0, "in cart": 0.5}
    expected = graded(events, "coec", weights, 20)
    names = ["query", "doc", "position", "impressions", "clicks", *actions[1:]]
    frame = library("pandas").DataFrame(rows, columns=names)
    data: Any = Path(f"e.{form}")
    options: dict[str, Any] = {}
    if form == "where":
        frame["version"] = "2"
        frame.loc[len(frame)] = ["q0", "d0", 1, 500, 0, 0, 0, "1"]
        options = {"where": {"version": "2"}}
    if form in ("csv", "where"):
        data = Path("e.csv")
        frame.to_csv(data, index=False)
    else:
        frame.to_json(data, orient="records", lines=True)
    given = {action: weights[action] for action in actions[1:]}
    with Warehouse.memory() as own:
        own.load_clicks(data, "c", actions={**given, "ignored": 0}, **options)
        assert grades(own) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("query", "asker"),
    [
        ("query", "session_id"),
        ("Search term", "session_id"),
        ("keyword", "user"),
    ],
)
def test_who_asked_is_no_query(query: str, asker: str) -> None:
    rows = [f"s{at},{q},{d},{a},{p}" for at, (q, d, a, p) in enumerate(WORKED)]
    header = f"{asker},{query},product_id,event_type,position"
    Path("e.csv").write_text("\n".join([header, *rows, ""]))
    with Warehouse.memory() as own:
        own.load_clicks("e.csv")
        assert grades(own) == {("q", "a"): 1.25, ("q", "b"): 0.75, ("q", "c"): 1.0}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("header", "hint"),
    [
        (
            "session_id,The search,doc,action,position",
            "name it, such as: ndcg-sql load clicks e.csv --column 'query_id=The"
            " search'",
        ),
        (
            "session_id,user,client_id,doc,action,position",
            "name it: ndcg-sql load clicks e.csv --column query_id=NAME",
        ),
    ],
)
def test_the_proposed_query_is_no_asker(ndcg: Command, header: str, hint: str) -> None:
    Path("e.csv").write_text(f"{header}\n" + "s,q,d,impression,1\ns,q,d,click,1\n" * 20)
    told = ndcg("load", "clicks", "e.csv").err
    assert 'no column for "query_id"; the header has' in told
    assert told.endswith(f"; {hint}\n")


@pytest.mark.usefixtures("here")
def test_a_frame_of_events() -> None:
    frame = library("pandas").DataFrame(
        WORKED, columns=["query_id", "doc_id", "action", "position"]
    )
    with Warehouse.memory() as own:
        told = own.load_clicks(frame, "c", actions={"click": 2})
        assert told.names == ("c",)
        # A weight of all clicks is part of what is expected, too.
        assert grades(own) == {("q", "a"): 1.25, ("q", "b"): 0.75, ("q", "c"): 1.0}
        frame.loc[3, "position"] = 0
        with pytest.raises(NdcgSqlError, match=r"^frame:4: .* position \"0\" is"):
            own.load_clicks(frame, "d")


@pytest.mark.usefixtures("here")
def test_clicks_on_other_ids_than_those_shown_are_named(ndcg: Command) -> None:
    rows = ["q,a,impression,1"] * 30 + ["q,A-1,click,1"]
    Path("l.csv").write_text("\n".join(["query_id,doc_id,action,position", *rows]))
    assert ndcg("load", "clicks", "l.csv").refusal == (
        "l.csv: every click is on a document that was never shown for its query; write"
        " the same ids of queries and documents in clicks and impressions\n"
    )


@pytest.mark.usefixtures("here")
def test_the_order_of_weights_changes_nothing(ndcg: Command) -> None:
    rows = ["q,a,impression,1"] * 20 + ["q,a,click,1", "q,a,buy,1", "q,a,save,1"]
    Path("l.csv").write_text("\n".join(["query_id,doc_id,action,position", *rows]))
    weights = ["--action=buy=2", "--action=save=0.123456789"]
    assert ndcg("load", "clicks", "l.csv", *weights).code == 0
    assert "save=0.123456789" in shown("select source from judgment_sets")[0][0]
    again = ndcg("load", "clicks", "l.csv", *reversed(weights), "--action=click=1")
    assert (again.code, again.err.splitlines()[-1]) == (
        0,
        'judgment set "l" of dataset "default" already exists with this content;'
        " nothing to do",
    )


@pytest.mark.usefixtures("here")
def test_counts_of_clicks_need_counts_of_impressions(ndcg: Command) -> None:
    rows = [f"q,a,1,{100 + day},{day % 3}" for day in range(25)]
    Path("days.csv").write_text("\n".join(["query,doc,position,views,clicks", *rows]))
    assert ndcg("load", "clicks", "days.csv").refusal == (
        'days.csv: up to 2 clicks in a row, but no column for "impressions"; name it:'
        " ndcg-sql load clicks days.csv --column impressions=NAME; if searches showed"
        " the ranking of a run: ndcg-sql load clicks days.csv --impressions-from RUN\n"
    )
    named = ("--column", "impressions=views", "--model", "ctr")
    assert ndcg("load", "clicks", "days.csv", *named).code == 0
    assert shown(ALL) == [("q", "a", pytest.approx(24 / sum(range(100, 125))))]
