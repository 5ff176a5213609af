"""Clicks as OpenSearch's User Behavior Insights keeps them: events and searches."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.python.warehouse import Warehouse
from support.scripts import scripted

test_script = scripted(__file__)

EVENTS, SEARCHES = Path("ubi_events.ndjson"), Path("ubi_queries.ndjson")
# The files of the script.
LOG, SEARCHED = (
    [json.loads(line) for line in part.splitlines() if line.startswith("{")]
    for part in Path(__file__)
    .with_suffix(".txt")
    .read_text(encoding="utf-8")
    .partition("\n==")[0]
    .split("-- ubi_queries")
)


def write(path: Path, objects: list[dict[str, Any]]) -> None:
    """Write objects, one on each line."""
    path.write_text("".join(json.dumps(one) + "\n" for one in objects))


def text(form: str, objects: list[dict[str, Any]]) -> str:
    """Return objects as programs write them."""
    if form == "dump":
        objects = [{"_index": "ubi", "_id": "1", "_source": o} for o in objects]
    if form == "bulk":
        objects = [line for o in objects for line in ({"index": {"_id": "1"}}, o)]
    return "".join(json.dumps(one) + "\n" for one in objects)


@pytest.mark.slow
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("form", ["dump", "bulk"])
def test_every_form_has_the_same_events_and_searches(form: str) -> None:
    with Warehouse.memory() as own:
        for way in ("lines", form):
            EVENTS.write_text(text(way, LOG))
            SEARCHES.write_text(text(way, SEARCHED))
            actions = {"buy": 2, "login": 0}
            given: Any = {"searches": SEARCHES, "actions": actions}
            told = own.load_clicks(EVENTS, "c", min_impressions=2, **given)
        assert [item.outcome for item in told.items] == ["unchanged"]
        assert len(own.query("from judgments").to_dicts()) == 4


# A page of results says in the query that OpenSearch got where it begins.
PAGES = {
    '{"from": 2, "size": 2, "query": {"match_all": {}}}': 2,
    **dict.fromkeys(('{"from": -1}', '{"from": "x", "size": 2}', "red shoe"), 0),
    **dict.fromkeys(('{"from": 2147483647}', "2", "[{}]"), 0),
}


@pytest.mark.usefixtures("here")
def test_a_later_page_has_later_positions() -> None:
    two = [(s, {"object": {"object_id": d}}) for s, d in (("s1", "a"), ("s2", "d"))]
    write(
        EVENTS,
        [
            {"action_name": "click", "query_id": s, "event_attributes": about}
            for s, about in two
        ],
    )
    for given, first in PAGES.items():
        hits = {"user_query": "shoe", "query_response_hit_ids": ["a", "b"]}
        later = {"user_query": "shoe", "query_response_hit_ids": ["c", "d"]}
        write(
            SEARCHES,
            [{"query_id": "s1", **hits}, {"query_id": "s2", **later, "query": given}],
        )
        with Warehouse.memory() as own:
            own.load_clicks(EVENTS, "c", searches=SEARCHES, min_impressions=1)
            [row] = own.describe("c").to_dicts()
        found = {
            one["position"]: (one["impressions"], one["clicks"])
            for one in row["clicks_by_position"]
        }
        apart = {1: (1, 1), 2: (1, 0), 3: (1, 0), 4: (1, 1)}
        assert found == (apart if first else {1: (2, 1), 2: (2, 1)}), given


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
        with database.setting("disabled_optimizers", "build_side_probe_side"):
            [(_, text)] = database.execute(plan, {"path": str(EVENTS), **places})
            # Of the side that is kept, the events would be in a RIGHT join.
            assert "Join Type: LEFT" in text
        assert database.execute(setting) == [("",)]
