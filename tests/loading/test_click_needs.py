"""A log of clicks of any names: all that it needs is asked at once."""

import re
import shlex
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command
from support.files import shown

pytestmark = pytest.mark.mostly_slow

ALL = "select query_id, doc_id, grade from judgments order by all"
RUN = "".join(f"{q} 0 {d} 1 {9 - at} r\n" for q in "qp" for at, d in enumerate("abc"))


def events(view: str = "view", click: str = "click", buy: str = "buy") -> list[Any]:
    """Return events: session, query, document, action, position, device."""
    random, rows = Random(5), list[Any]()
    for search in range(60):
        query = random.choice("qp")
        for place, document in enumerate("abc", 1):
            for action, chance in ((view, 1), (click, 0.6), (buy, 0.2)):
                if random.random() < chance / place or action == view:
                    rows.append((f"s{search}", query, document, action, place, "app"))
    return rows


def write(path: str, header: str, rows: list[Any], only: tuple[int, ...] = ()) -> None:
    """Write events with these names of columns, or of some of them."""
    kept = only or range(len(rows[0]))
    lines = [header, *(";".join(str(row[at]) for at in kept) for row in rows)]
    Path(path).write_text("\n".join(lines) + "\n")


def filled(told: str, **values: str) -> list[str]:
    """Return the arguments of the command that ends a message, blanks filled in."""
    command = told[told.rindex("ndcg-sql load") :]
    for blank, value in values.items():
        command = re.sub(rf"\b{blank}\b", value, command)
    assert not re.search("=(NAME|WEIGHT|RUN)", command), command
    return shlex.split(command)[1:]


def plain(ndcg: Command, *options: str) -> list[Any]:
    """Return the judgments of the same events under usual names."""
    write("plain.csv", "session;query;document;action;position;device", events())
    weights = ("--action", "buy=3", "--impression", "view", *options)
    assert ndcg("load", "clicks", "plain.csv", "--dataset", "plain", *weights).code == 0
    of_plain = "from judgments where dataset = 'plain'"
    return shown(ALL.replace("from judgments", of_plain))


def of_log() -> list[Any]:
    return shown(ALL.replace("judgments", "judgments where dataset = 'default'"))


@pytest.mark.quick
@pytest.mark.usefixtures("here")
def test_what_a_log_needs_is_one_message(ndcg: Command) -> None:
    write("log.csv", "session;query;SKU;kind;rank;device", events()[:8])
    asked = ndcg("load", "clicks", "log.csv")
    assert (asked.code, asked.err.count("ndcg-sql")) == (2, 1)
    assert [line[:4] for line in asked.err.splitlines()[1:3]] == ["- no", "- 2 "]


@pytest.mark.usefixtures("here")
def test_a_log_of_other_names_is_asked_about_once(ndcg: Command) -> None:
    rows = events("Seen", "Click", "Basket")
    header = "SessionID;Search words;SKU;Event kind;Slot;Device"
    write("log.csv", header, rows)
    asked = ndcg("load", "clicks", "log.csv", "--model", "ctr")
    assert (asked.code, asked.out) == (2, "")
    counts = {name: sum(row[3] == name for row in rows) for name in ("Click",)}
    lines = asked.err.splitlines()
    assert lines[:2] == [
        "log.csv: what must be known to load it:",
        '- no column for "query_id", "doc_id", "action", "position"; the header has'
        ' "SessionID", "Search words", "SKU", "Event kind", "Slot", "Device"',
    ]
    assert lines[2].startswith('- 3 actions of unknown weight: "Seen" (180), "Click"')
    assert f'"Click" ({counts["Click"]})' in lines[2]
    assert lines[3:] == [
        "fill in what is in capitals; then if this is right: ndcg-sql load clicks"
        " log.csv --model ctr --column 'query_id=Search words' --column doc_id=SKU"
        " --column 'action=Event kind' --column position=Slot --impression Seen"
        " --action Click=1 --action Basket=WEIGHT"
    ]
    loaded = ndcg(*filled(asked.err, WEIGHT="3"))
    assert loaded.code == 0, loaded.err
    assert "ignored columns: Device, SessionID" in loaded.err.splitlines()
    assert of_log() == plain(ndcg, "--model", "ctr")


# The header of a log of clicks alone, its columns, facts, and what is told to do.
ALONE: dict[str, tuple[str, tuple[int, ...], list[str], str]] = {
    "other names": (
        "Session;keyword;SKU;event",
        (0, 1, 2, 3),
        [
            'no column for "doc_id", "position"',
            "2 actions of",
            "no event says what was",
        ],
        "--column doc_id=SKU --action Click=1 --action buy=WEIGHT --impressions-from r",
    ),
    "usual names": (
        "search id;keyword;item;Event",
        (0, 1, 2, 3),
        ['no column for "position"', "2 actions of unknown", "no event says what was"],
        "--action Click=1 --action buy=WEIGHT --impressions-from r",
    ),
    "positions": (
        "searchID;Query;Item;Action;Rank",
        (0, 1, 2, 3, 4),
        ["2 actions of unknown weight", "no event says what was"],
        "--action Click=1 --action buy=WEIGHT --impressions-from r",
    ),
}


@pytest.mark.parametrize("case", exploring.sampled(ALONE, 2))
@pytest.mark.usefixtures("here")
def test_clicks_alone_are_asked_about_once(ndcg: Command, case: str) -> None:
    header, columns, facts, options = ALONE[case]
    Path("r.run").write_text(RUN)
    for dataset in ("default", "plain"):
        assert ndcg("load", "run", "r.run", "--dataset", dataset).code == 0
    rows = [row for row in events(click="Click") if row[3] != "view"]
    write("log.csv", header, rows, columns)
    asked = ndcg("load", "clicks", "log.csv")
    told = asked.err.splitlines()
    assert (asked.code, len(told)) == (2, len(facts) + 2)
    assert all(fact in line for fact, line in zip(facts, told[1:], strict=False))
    assert told[-1].endswith(f"ndcg-sql load clicks log.csv {options}")
    loaded = ndcg(*filled(asked.err, WEIGHT="3"))
    assert loaded.code == 0, loaded.err
    searches = len({(row[0], row[1]) for row in rows})
    assert f"assumed of {searches} searches: each showed" in loaded.err
    rows = [row for row in events() if row[3] != "view"]
    write("plain.csv", "session_id;query;document;action", rows, (0, 1, 2, 3))
    run = ("--impressions-from", "r", "--action", "buy=3", "--dataset", "plain")
    assert ndcg("load", "clicks", "plain.csv", *run).code == 0
    of_plain = "from judgments where dataset = 'plain'"
    assert of_log() == shown(ALL.replace("from judgments", of_plain))


@pytest.mark.parametrize(
    "header", ["Session", "SessionID", "session id", "Search-ID", "SEARCHID"]
)
@pytest.mark.usefixtures("here")
def test_usual_names_of_searches_are_understood(ndcg: Command, header: str) -> None:
    Path("r.run").write_text(RUN)
    assert ndcg("load", "run", "r.run").code == 0
    rows = [row for row in events() if row[3] == "click"]
    write("log.csv", f"{header};query;document;action", rows, (0, 1, 2, 3))
    told = ndcg("load", "clicks", "log.csv", "--impressions-from", "r").err
    searches = len({(row[0], row[1]) for row in rows})
    assert f"assumed of {searches} searches: each showed" in told
    assert "ignored" not in told
    write("other.csv", "Visit;query;document;action", rows, (0, 1, 2, 3))
    other = ("load", "clicks", "other.csv", "--impressions-from", "r")
    told = ndcg(*other).err.splitlines()
    option = "--column search_id=Visit"
    assert f'ignored columns: Visit; if "Visit" names searches: {option}' in told
    told = ndcg(*other, *shlex.split(option), "--replace").err
    assert f"assumed of {searches} searches: each showed" in told


# The header of counts, what is told after the name of the file, and how it ends.
ALONE_COUNTED: dict[str, tuple[str, str, str]] = {
    "usual names": (
        "query_id;doc_id;clicks",
        'no column for "position"; the header has "query_id", "doc_id", "clicks"',
        "name it: ndcg-sql load clicks log.csv --column position=NAME; if searches"
        " showed the ranking of a run: ndcg-sql load clicks log.csv --impressions-from"
        " RUN",
    ),
    "another name": (
        "query_id;SKU;clicks",
        "what must be known to load it:",
        "--column doc_id=SKU --impressions-from r",
    ),
}


@pytest.mark.parametrize("case", ALONE_COUNTED)
@pytest.mark.usefixtures("here")
def test_counted_clicks_alone_are_told_of_a_run(ndcg: Command, case: str) -> None:
    header, what, way = ALONE_COUNTED[case]
    Path("r.run").write_text(RUN)
    assert ndcg("load", "run", "r.run").code == 0
    write("log.csv", header, [("q", "a", 50), ("q", "b", 10)])
    told = ndcg("load", "clicks", "log.csv").err
    assert told.startswith(f"log.csv: {what}")
    assert told.endswith(way + "\n")
    assert "impressions=" not in told
    run = shlex.split(told[told.rindex("--impressions-from") :].replace("RUN", "r"))
    columns = ("--column", "doc_id=SKU") * (case == "another name")
    assert ndcg("load", "clicks", "log.csv", *run, *columns).code == 0
    with Warehouse.memory() as warehouse:
        warehouse.load_run("r.run")
        with pytest.raises(NdcgSqlError) as error:
            warehouse.load_clicks("log.csv")
    assert re.search(r'impressions_from=(RUN|"r")\)$', str(error.value))
    assert '"impressions":' not in str(error.value)


@pytest.mark.usefixtures("here")
def test_counts_that_say_what_was_shown_need_positions(ndcg: Command) -> None:
    write("log.csv", "query_id;doc_id;clicks", [("q", "a", 5), ("q", "b", 0)])
    told = ndcg("load", "clicks", "log.csv").err
    assert told.endswith("--column position=NAME --column impressions=NAME\n")


@pytest.mark.usefixtures("here")
def test_only_what_is_called_a_click_is_offered_as_one(ndcg: Command) -> None:
    blank = ("no_click", "not clicked", "unclick", "clickbait", "nonClick", "Click-No")
    clicks = ("productClick", "link_clicked", "CLICK")
    actions = ("view", *blank, *clicks)
    rows = [("s", "q", "a", action, 1, "app") for action in actions]
    write("log.csv", "session;keyword;SKU;kind;rank;device", rows)
    asked = ndcg("load", "clicks", "log.csv")
    command = filled(asked.err, WEIGHT="0")
    weights = {f"{one}=0" for one in blank} | {f"{one}=1" for one in clicks}
    assert {word for word in command if word[-2:] in ("=0", "=1")} == weights
    says = '; if "view" says what was shown: --impression view'
    assert [line.endswith(says) for line in asked.err.splitlines()[1:3]] == [0, 1]
