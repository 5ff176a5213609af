"""Clicks as OpenSearch's User Behavior Insights keeps them: events and searches."""

import json
import shlex
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command
from support.files import shown

ALL = "select query_id, doc_id, grade from judgments order by all"
EVENTS, SEARCHES = Path("ubi_events.ndjson"), Path("ubi_queries.ndjson")
LOAD = ("load", "clicks", EVENTS, "--name", "c", "--min-impressions", "2")
BOTH = (*LOAD, "--searches", SEARCHES)


def search(name: str, text: str, *hits: str, **more: object) -> dict[str, Any]:
    """Return a search as ubi_queries has it."""
    named = {"query_id": name, "user_query": text, "client_id": "u"}
    return {**named, "query_response_hit_ids": list(hits), **more}


def event(
    action: str, search: str | None, document: str, place: int | None
) -> dict[str, Any]:
    """Return an event as ubi_events has it."""
    about: dict[str, Any] = {"object": {"object_id": document, "internal_id": "x"}}
    if place is not None:
        about["position"] = {"ordinal": place, "x": 3}
    return {
        "application": "shop",
        "action_name": action,
        "query_id": search,
        "timestamp": 1767261600123,
        "event_attributes": about,
    }


def write(path: Path, objects: list[dict[str, Any]]) -> None:
    """Write objects, one on each line."""
    path.write_text("".join(json.dumps(one) + "\n" for one in objects))


def answer(objects: list[dict[str, Any]], total: int) -> dict[str, Any]:
    """Return what OpenSearch's _search says of objects, of all that there are."""
    found = [
        {"_index": "ubi", "_id": "1", "_score": 1.0, "_source": o} for o in objects
    ]
    total_hits = {"value": total, "relation": "eq"}
    return {"took": 3, "timed_out": False, "hits": {"total": total_hits, "hits": found}}


LOG = [
    event("click", "s1", "b", 2),
    event("buy", "s2", "a", None),
    event("click", "s3", "a", 1),
    {"action_name": "login", "query_id": None, "timestamp": 1767261600123},
]
SEARCHED = [
    search("s1", "red shoe", "a", "b", "c", timestamp="2026-01-01T09:00:00.5Z"),
    search("s2", "red shoe", "b", "a", "c", timestamp=1767261600000),
    search("s3", "shoe", "a", "b"),
    search("s4", "shoe", "a", "b"),
]
# Three of four impressions at position 1 and 2 each are clicked once, or bought for 2.
EXPECTED = [
    ("red shoe", "a", 2 / (1 / 4 + 3 / 4)),
    ("red shoe", "b", 1 / (3 / 4 + 1 / 4)),
    ("shoe", "a", 1 / (2 / 4)),
    ("shoe", "b", 0.0),
]
GIVEN = ("--action", "buy=2", "--action", "login=0")


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "form",
    [
        *("lines", "answer"),
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in ("dump", "bulk", "pretty", "pages")
        ),
    ],
)
def test_events_and_searches_make_judgments(ndcg: Command, form: str) -> None:
    for path, objects in ((EVENTS, LOG), (SEARCHES, SEARCHED)):
        if form == "dump":
            objects = [{"_index": "ubi", "_id": "1", "_source": o} for o in objects]
        if form == "bulk":
            objects = [line for o in objects for line in ({"index": {"_id": "1"}}, o)]
        write(path, objects)
        if form in ("answer", "pretty", "pages"):
            pages = [objects[:2], objects[2:]] if form == "pages" else [objects]
            answers = [answer(page, len(objects)) for page in pages]
            indent = 2 if form == "pretty" else None
            path.write_text(
                "\n".join(json.dumps(one, indent=indent) for one in answers)
            )
    result = ndcg(*BOTH, *GIVEN)
    assert (result.code, result.err.splitlines()) == (
        0,
        [
            'made judgment set "c" by coec of 10 impressions and 3 clicks,'
            " 2026-01-01 09:00:00 to 2026-01-01 10:00:00: 2 queries, 4 judgments",
            "left out 1 document of a query, shown only at positions where nobody"
            " clicked",
        ],
    )
    assert shown(ALL) == EXPECTED
    [(source,)] = shown("select source from judgment_sets")
    assert source.startswith("ubi_events.ndjson, ubi_queries.ndjson: coec (buy=2, ")


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_a_text_is_the_query_of_the_dataset_that_has_it(ndcg: Command) -> None:
    Path("queries.csv").write_text("query_id,text\nq7,shoe\nq8,shoes\n")
    Path("j.csv").write_text("query_id,doc_id,grade\nq7,a,1\n")
    assert ndcg("load", "judgments", "j.csv").code == 0
    assert ndcg("load", "queries", "queries.csv").code == 0
    write(EVENTS, [*LOG, event("click", "s9", "a", 1), event("click", None, "a", 1)])
    write(SEARCHES, SEARCHED)
    lines = ndcg(*BOTH, *GIVEN).err.splitlines()
    assert lines[0] == "warning: left out 2 events of no search of ubi_queries.ndjson"
    assert lines[-1] == (
        "warning: 8 events are of a query that is in no run and no judgment set of the"
        ' dataset: "red shoe"'
    )
    queries = {query for query, _, _ in shown(ALL)}
    assert queries == {"red shoe", "q7"}


# A page of results says in the query that OpenSearch got where it begins.
PAGES = {
    '{"from": 2, "size": 2, "query": {"match_all": {}}}': 2,
    '{"from": -1}': 0,
    '{"from": "x", "size": 2}': 0,
    '{"from": 2147483647}': 0,
    "red shoe": 0,
    "2": 0,
    "[{}]": 0,
}


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("given", PAGES)
def test_a_later_page_has_later_positions(given: str) -> None:
    pages = [
        search("s1", "shoe", "a", "b"),
        search("s2", "shoe", "c", "d", query=given),
    ]
    write(SEARCHES, pages)
    write(EVENTS, [event("click", "s1", "a", None), event("click", "s2", "d", None)])
    with Warehouse.memory() as own:
        own.load_clicks(EVENTS, "c", searches=SEARCHES, min_impressions=1)
        [row] = own.describe("c").to_dicts()
        found = {
            one["position"]: (one["impressions"], one["clicks"])
            for one in row["clicks_by_position"]
        }
    if PAGES[given]:
        assert found == {1: (1, 1), 2: (1, 0), 3: (1, 0), 4: (1, 1)}
    else:
        assert found == {1: (2, 1), 2: (2, 1)}


# Values as JSON may write them, in place of an action, a time, an id and a position.
VALUES = [
    *("5", "5.0", "1e2", "1E+2", "-0", "-0.0", "0.1", "1.10", "1e400", "1" * 23),
    *("true", "null", '{"a": 1}', "[1, 2]", '""', '"a\\/b"', "NaN"),
    *('"\\u00e9\\n"', '"\\ud83d\\ude00"', '"\\u0000"', '" 1 "'),
]
MEMBERS = (
    '"query_id": "s", "timestamp": "t", "event_attributes":'
    ' {"object": {"object_id": "d"}, "position": {"ordinal": 1}}'
)
LINES = [
    *(f'{{"action_name": {value}, {MEMBERS}}}' for value in VALUES),
    *(
        f'{{"action_name": "click", "query_id": {value}, "timestamp": {value},'
        f' "event_attributes": {{"object": {{"object_id": {value}}},'
        f' "position": {{"ordinal": {value}}}}}}}'
        for value in VALUES
    ),
    f'{{"action_name": "click", "action_name": "buy", {MEMBERS}}}',
    f'{{"Action_Name": "click", {MEMBERS}}}',
    f'{{"action_name": "click", {MEMBERS}, "EVENT_ATTRIBUTES": {{}}}}',
    f'  {{"action_name": "click", {MEMBERS}}}  ',
    f'{{"_source": {{"action_name": "click", {MEMBERS}}}}}',
    f'{{"_source": {{"action_name": "click", {MEMBERS}}}, "action_name": "buy"}}',
    f'{{"_source": 5, "action_name": "click", {MEMBERS}}}',
    f'{{"action_name": "click", {MEMBERS}}}{{"action_name": "click", {MEMBERS}}}',
    f'{{"action_name": "click", {MEMBERS}}} x',
    f'{{"action_name": "click", {MEMBERS}',
    f'[{{"action_name": "click", {MEMBERS}}}]',
    *('{"action_name": "click"}', '{"action_name": "click", "query_id": null}'),
    *('{"action_name": "click", "event_attributes": null}', "5", "null", "{}"),
    *('{"action_name": "click", "event_attributes": "{}"}', '{"index": {}}'),
    *('{"action_name": "click", "event_attributes": []}', "nonsense"),
]
HITS = [f'{{"_source": {line.strip()}, "_score": 1.0}}' for line in LINES]


@pytest.mark.usefixtures("here")
def test_a_hit_is_read_as_the_event_in_it() -> None:
    strict = sql_files.composed(("read/lines", "read/ubi_events"))
    known = 0
    with duckdb.connect() as connection:
        for line, hit in zip(LINES, HITS, strict=True):
            rows: list[list[str]] = []
            for text in (line, hit):
                EVENTS.write_text(f"{text}\n")
                found = connection.execute(strict, {"path": str(EVENTS)}).fetchall()
                rows.append([row[1] for row in found])
            known += rows[0] not in ([], [[]])
            # What is in a hit is nothing that stands between objects.
            assert rows[0] == rows[1] or "_source" in line or "index" in line, line
        EVENTS.write_text("\n".join(LINES[:3] + LINES[20:24]))
        found = connection.execute(strict, {"path": str(EVENTS)}).fetchall()
    event = ["s", "d", "1", "t"]
    assert [[row[1][0], row[1][1], *row[1][3:]] for row in found[:3]] == [event] * 3
    assert [row[1][2] for row in found[:3]] == ["5", "5.0", "100.0"]
    assert known > len(LINES) / 2


@pytest.mark.usefixtures("here")
def test_many_events_are_not_kept_in_memory() -> None:
    write(EVENTS, LOG)
    searched = ("read/lines", "read/ubi_events", "clicks/searched")
    plan = f"explain {sql_files.composed(searched)}"
    places = {"search_field": 1, "document_field": 2, "place_field": 4}
    setting = "select current_setting('disabled_optimizers')"
    with duckdb.connect() as connection:
        connection.execute(
            "create table searches as select range::varchar as search_id, 'q' as"
            " query_id, ['d'] as hits, 0 as hits_before from range(100_000)"
        )
        database = Database(connection, "", None)
        with database.right_side_kept():
            [(_, text)] = database.execute(plan, {"path": str(EVENTS), **places})
            # Of the side that is kept, the events would be in a RIGHT join.
            assert "Join Type: LEFT" in text
        assert database.execute(setting) == [("",)]


@pytest.mark.usefixtures("here")
def test_events_that_are_impressions_are_the_only_ones(ndcg: Command) -> None:
    seen = [event("impression", "s1", document, place) for document, place in
            (("a", 1), ("a", 1), ("b", 2), ("b", 2))]  # fmt: skip
    write(EVENTS, [*seen, event("click", "s1", "b", 2)])
    write(SEARCHES, SEARCHED)
    assert "of 4 impressions and 1 click, " in ndcg(*BOTH, "--model", "ctr").err
    assert shown(ALL) == [("red shoe", "a", 0.0), ("red shoe", "b", 0.5)]


@pytest.mark.usefixtures("here")
def test_swapped_files_are_told_the_right_command(ndcg: Command) -> None:
    write(EVENTS, [{"index": {"_index": "ubi_events"}}, *LOG])
    write(SEARCHES, [answer(SEARCHED, 4)])
    swapped = ndcg("load", "clicks", SEARCHES, "--searches", EVENTS, "--name", "my c")
    assert swapped.refusal == (
        "ubi_events.ndjson: events, not searches; swapped? ndcg-sql load clicks"
        " ubi_events.ndjson --name 'my c' --searches ubi_queries.ndjson\n"
    )
    assert ndcg("load", "clicks", SEARCHES).refusal == (
        "ubi_queries.ndjson: searches, not events; give them beside the events:"
        " ndcg-sql load clicks EVENTS --searches ubi_queries.ndjson\n"
    )
    with (
        Warehouse.memory() as own,
        pytest.raises(NdcgSqlError, match="swapped") as error,
    ):
        own.load_clicks(SEARCHES, "c", searches=EVENTS)
    assert str(error.value).endswith(
        'swapped? load_clicks("ubi_events.ndjson", name="c",'
        ' searches="ubi_queries.ndjson")'
    )


@pytest.mark.usefixtures("here")
def test_a_bulk_file_of_both_indexes_is_told_how_to_part_it(ndcg: Command) -> None:
    objects = [*LOG, *SEARCHED]
    indexes = ["ubi_events"] * len(LOG) + ["ubi_queries"] * len(SEARCHED)
    random = Random(1)
    lines = list(zip(indexes, objects, strict=True))
    for _ in range(2):
        random.shuffle(lines)
        write(
            Path("both.ndjson"),
            [
                line
                for index, one in lines
                for line in ({"index": {"_index": index}}, one)
            ],
        )
        for given in (
            ("both.ndjson", "--searches", "both.ndjson"),
            ("both.ndjson",),
        ):
            assert ndcg("load", "clicks", *given).refusal == (
                "both.ndjson: events and searches in one file; write each to a file of"
                " its own: jq -c 'select(.action_name)' FILE > ubi_events.ndjson;"
                " jq -c 'select(.user_query and (.action_name | not))' FILE >"
                " ubi_queries.ndjson; then: ndcg-sql load clicks ubi_events.ndjson"
                " --searches ubi_queries.ndjson\n"
            )
    # Each index may be in several parts.
    write(EVENTS, [{"create": {"_index": "ubi_events-1"}}, LOG[0],
                   {"create": {"_index": "ubi_events-2"}}, *LOG[1:]])  # fmt: skip
    write(SEARCHES, SEARCHED)
    assert ndcg(*BOTH, *GIVEN).code == 0


@pytest.mark.usefixtures("here")
def test_an_answer_is_told_what_it_lacks(ndcg: Command) -> None:
    write(EVENTS, LOG)
    write(SEARCHES, [answer(SEARCHED, 7)])
    first, *_ = ndcg(*BOTH, *GIVEN).err.splitlines()
    assert first == ("warning: ubi_queries.ndjson: 4 of 7 hits; fetch the others, too")
    write(SEARCHES, [answer([*SEARCHED, {"query_id": "s5"}], 5)])
    bad = ndcg(*BOTH, *GIVEN)
    assert (bad.code, bad.err.splitlines()) == (
        2,
        [
            "ubi_queries.ndjson: row 5: no user_query",
            "1 bad row; nothing was loaded; each row is a search as in ubi_queries",
        ],
    )
    SEARCHES.write_text('{"took": 3,\n "hits": {"hits": [{}, ]}}')
    assert ndcg(*BOTH, *GIVEN).refusal == (
        "ubi_queries.ndjson:1: not an answer of _search; write one hit on each line:"
        " jq -c '.hits.hits[]' FILE\n"
    )


@pytest.mark.slow
@pytest.mark.usefixtures("bare")
def test_what_is_refused(ndcg: Command) -> None:
    write(EVENTS, LOG)
    write(SEARCHES, SEARCHED)
    refused = ndcg(*LOAD)
    what, _, command = refused.err.partition(": ndcg-sql ")
    assert (refused.code, what) == (
        2,
        "ubi_events.ndjson: events of UBI name searches, not queries; add the searches,"
        " those of ubi_queries",
    )
    command = command.replace("FILE", str(SEARCHES))
    assert sorted(shlex.split(command)) == sorted(map(str, BOTH))
    refused = ndcg(*shlex.split(command))
    what, _, command = refused.err.partition(": ndcg-sql ")
    assert (refused.code, what) == (
        2,
        'ubi_events.ndjson: 2 actions of unknown weight: "buy" (1), "login" (1); say'
        " how many clicks each is worth, or 0 to ignore it",
    )
    filled = shlex.split(command.replace("WEIGHT", "0"))
    assert ndcg("-w", "other.duckdb", *filled).code == 0
    again = [*SEARCHED, SEARCHED[0], {"query_id": "s7"}, {"user_query": "x"}]
    write(SEARCHES, again)
    with SEARCHES.open("a") as file:
        file.write("[1]\nnonsense\n")
    bad = ndcg(*BOTH, *GIVEN)
    twice, none = "a query_id that occurs twice", "no query_id"
    faults = {1: twice, 5: twice, 6: "no user_query", 7: none, 8: none, 9: none}
    assert (bad.code, bad.err.splitlines()) == (
        2,
        [
            *[f"ubi_queries.ndjson:{line}: {fault}" for line, fault in faults.items()],
            "6 bad lines; nothing was loaded; each line is a search as in ubi_queries",
        ],
    )
    write(SEARCHES, SEARCHED)
    with EVENTS.open("a") as file:
        file.write('{"action_name": "click"\n')
        file.write(json.dumps(event("click", "s1", "z", None)) + "\n")
        file.write(json.dumps(event("click", "s1", "", 0)) + "\n")
    bad = ndcg(*BOTH, *GIVEN)
    assert (bad.code, bad.err.splitlines()[:-1]) == (
        2,
        [
            "ubi_events.ndjson:5: malformed line, expected an object as in ubi_events",
            'ubi_events.ndjson:7: query "red shoe": the document id is empty',
        ],
    )
    assert not Path("ndcg.duckdb").exists()
    with (
        Warehouse.memory() as own,
        pytest.raises(NdcgSqlError, match=r"^ubi_events.ndjson: 2 actions of unknown"),
    ):
        own.load_clicks(EVENTS, searches=SEARCHES)


@pytest.mark.usefixtures("here")
def test_a_search_that_lists_its_documents_twice_showed_them_once(
    ndcg: Command,
) -> None:
    write(EVENTS, LOG)
    both = [
        {
            **{name: value for name, value in one.items() if "ids" not in name},
            "query_response_hit_ids": [f"_{d}" for d in one["query_response_hit_ids"]],
            "query_response_object_ids": one["query_response_hit_ids"],
        }
        for one in SEARCHED
    ]
    write(SEARCHES, both)
    assert ndcg(*BOTH, *GIVEN).code == 0
    assert shown(ALL) == EXPECTED


@pytest.mark.usefixtures("here")
def test_what_has_no_place_is_left_out_and_counted(ndcg: Command) -> None:
    write(EVENTS, [*LOG, event("buy", "s1", "recommended", None)])
    write(SEARCHES, SEARCHED)
    told = ndcg(*BOTH, *GIVEN)
    assert told.code == 0
    assert (
        "warning: left out 1 event without a position, on documents that their searches"
        " did not list\n" in told.err
    )
    assert shown(ALL) == EXPECTED
    # One impression among the events stands for all that searches list.
    seen = [event("impression", "s3", "a", 1), event("impression", "s4", "a", 1)]
    write(EVENTS, [*LOG, *seen])
    told = ndcg(*BOTH, *GIVEN, "--replace")
    assert (
        "the events have 2 impressions: what searches list is not counted, too\n"
        in told.err
    )
    assert shown(ALL) == [("shoe", "a", 1.0)]
