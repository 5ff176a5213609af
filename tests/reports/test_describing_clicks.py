"""A judgment set made of clicks is described by what it rests on."""

from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.clicks import Event, Pair, csv, graded, random_log
from support.commands import Command

WEIGHTS = {"click": 1.0, "buy": 2.5}
BANDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]


def described(own: Warehouse, name: str) -> dict[str, Any]:
    """Return the description of a judgment set."""
    [row] = own.describe(name).to_dicts()
    return row


def counted(events: list[Event], least: int) -> tuple[list[Any], list[Any]]:
    """Return the bands and the positions of a log, counted event by event."""
    judged = graded(events, "coec", WEIGHTS, least)
    shown: Counter[Pair] = Counter()
    shown_at: Counter[int] = Counter()
    worth: dict[Pair, float] = defaultdict(float)
    worth_at: dict[int, float] = defaultdict(float)
    best: dict[Pair, int] = {}
    for query, document, action, position in events:
        if action == "impression":
            pair = query, document
            shown[pair] += 1
            shown_at[position] += 1
            best[pair] = min(position, best.get(pair, position))
    for query, document, action, position in events:
        if action in WEIGHTS and (query, document) in shown:
            worth[query, document] += WEIGHTS[action]
            worth_at[position] += WEIGHTS[action]
    bands: list[dict[str, Any]] = []
    for begin, end in zip(BANDS, [*BANDS[1:], 10**9], strict=True):
        pairs = [pair for pair, count in shown.items() if begin <= count < end]
        if pairs:
            bands.append(
                {
                    "least_impressions": begin,
                    "shown_documents": len(pairs),
                    "graded_documents": sum(pair in judged for pair in pairs),
                    "clicks": pytest.approx(sum(worth[pair] for pair in pairs)),
                }
            )
    positions: list[dict[str, Any]] = []
    for position in sorted(shown_at):
        here = [pair for pair in judged if best[pair] == position]
        positions.append(
            {
                "position": position,
                "impressions": shown_at[position],
                "clicks": pytest.approx(worth_at[position]),
                "click_rate": pytest.approx(worth_at[position] / shown_at[position]),
                "best_documents": len(here),
                "unclicked_documents": sum(not worth[pair] for pair in here),
            }
        )
    return bands, positions


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.slow)])
def test_what_a_set_rests_on_is_counted(seed: int) -> None:
    random = Random(seed)
    with Warehouse.memory() as own:
        for at, (size, least) in enumerate([(150, 3), (1200, 30), (6000, 20)]):
            log = random_log(random, size, WEIGHTS)
            # Some documents are shown once or twice, some never clicked.
            log += [("q9", f"r{n}", "impression", 1 + n % 3) for n in range(5)]
            log += [("q9", "u", "impression", 2)] * 40
            Path(f"e{at}.csv").write_text(csv(log))
            actions = {"buy": WEIGHTS["buy"]}
            own.load_clicks(f"e{at}.csv", actions=actions, min_impressions=least)
            row = described(own, f"e{at}")
            bands, positions = counted(log, least)
            assert row["impression_bands"] == bands
            assert row["clicks_by_position"] == positions
            top = positions[:3]
            assert row["top_documents"] == sum(one["best_documents"] for one in top)
            unclicked = sum(one["unclicked_documents"] for one in top)
            assert row["top_unclicked_documents"] == unclicked > 0
            shown = sum(one["impressions"] for one in positions)
            assert (row["impressions"], row["min_impressions"]) == (shown, least)
            assert row["judgments"] == sum(one["graded_documents"] for one in bands)


TIMED = """query,document,action,position,time
q,a,impression,1,2026-01-01
q,b,impression,2,2026-01-01
q,a,click,1,2026-01-02T10:00
q,x,click,1,2026-01-03
"""


@pytest.mark.usefixtures("here")
def test_a_set_is_shown(ndcg: Command) -> None:
    Path("e.csv").write_text(TIMED)
    Path("q.txt").write_text("q 0 a 2\nq 0 b 0\n")
    ndcg("load", "judgments", "q.txt")
    ndcg("load", "clicks", "e.csv", "--model", "ctr", "--min-impressions", "1")
    shown = ndcg("describe", "e")
    assert (shown.code, shown.err) == (0, "")
    about, bands, positions, note = shown.out.split("\n\n")
    lines = dict(line.split("  ", 1) for line in about.splitlines()[2:])
    told = {name: text.strip() for name, text in lines.items()}
    expected = {
        "judgment set": "e",
        "policy": "ctr",
        "judgments": "2",
        "impressions": "2",
        "actions": "2",
        "first at": "2026-01-01 00:00:00",
        "last at": "2026-01-03 00:00:00",
        "min impressions": "1",
    }
    assert told.items() >= expected.items()
    assert bands.splitlines()[2].split() == ["1", "2", "2", "1"]
    assert [line.split() for line in positions.splitlines()[2:]] == [
        ["1", "1", "1", "1.0000", "1", "0"],
        ["2", "1", "0", "0.0000", "1", "1"],
    ]
    assert note == (
        "1 of 2 judged documents that stood in the first 3 positions were never"
        " clicked: a log does not tell a bad document from one that answers without a"
        " click\n"
    )
    # What judges made has no log.
    plain = ndcg("describe", "q").out
    assert "greatest grade" in plain
    assert "\n\n" not in plain
    assert "impressions" not in plain


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_what_a_set_rests_on_is_merged_and_removed(ndcg: Command) -> None:
    Path("e.csv").write_text(csv(random_log(Random(1), 2000, ["click"])))
    Path("q.txt").write_text("q 0 a 2\n")
    tables = ("click_logs", "click_bands", "click_positions")
    with Warehouse.write("other.duckdb") as other:
        other.load_clicks("e.csv")
        row = described(other, "e")
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_judgments("q.txt")
        own.merge("other.duckdb")
        again = described(own, "e")
        assert again["judgment_set_id"] == 2
        same = ("judgment_set_id", "loaded_at")
        assert all(again[name] == row[name] for name in row if name not in same)
    assert ndcg("check").code == 0
    assert ndcg("remove", "judgments", "e").code == 0
    with Warehouse.read("ndcg.duckdb") as own:
        assert all(own.database.execute(f"from store.{one}") == [] for one in tables)
