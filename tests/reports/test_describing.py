"""A run is described by what was loaded and judged, a judgment set by what made it."""

from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.clicks import Event, Pair, csv, graded, random_log
from support.commands import Command, load_texts, records

RUN = "q1 Q0 a 1 9 t\nq1 Q0 b 2 9 t\nq1 Q0 c 3 8 t\nq2 Q0 a 1 1 t\nq3 Q0 z 1 1 t\n"
QRELS = "q1 0 a 1\nq1 0 c -1\nq2 0 x 1\nq4 0 a 1\n"
DESCRIBED: dict[str, Any] = {
    **{"run": "base", "dataset": "default", "source": "base", "tags": ["model=x"]},
    **{"position_rule": "score", "queries": 3, "documents": 5},
    **{"least_documents": 1, "median_documents": 1.0, "most_documents": 3},
    **{"tied_documents": 2, "tied_queries": 1, "judgment_set": "qrels"},
    **{"answered": 2, "unanswered": 1, "unjudged_queries": 1},
    **{"judged_share_at_10": 0.25, "judged_share": 0.25},
}


def described(ndcg: Command) -> dict[str, Any]:
    """Return the description of the run."""
    [row] = records(ndcg, "describe", "base")
    return row


@pytest.mark.slow
def test_depth_ties_tags_and_coverage_are_counted(ndcg: Command) -> None:
    load_texts(ndcg, {"judgments qrels": QRELS, "run base --tag model=x": RUN})
    assert described(ndcg).items() >= DESCRIBED.items()
    shown = " ".join(ndcg("describe", "base").out.split())
    for words in ("tied documents 2 ", "median documents 1 ", "judged share 0.2500"):
        assert words in shown
    assert "run at" not in shown
    # Grades of a judgment set are written as judges gave them.
    assert "least grade       -1\n" in ndcg("describe", "qrels").out
    load_texts(ndcg, {"judgments half --no-evaluate": "q1 0 a 0.5\nq1 0 b 0\n"})
    assert "greatest grade    0.5000\n" in ndcg("describe", "half").out
    # Given positions have no ties, and single floats more.
    ties = {}
    for rule in ("score", "score32", "given"):
        text = "q1 Q0 a 1 0.1 t\nq1 Q0 b 2 0.10000000001 t\n"
        load_texts(ndcg, {f"run base --positions {rule} --replace": text})
        ties[rule] = described(ndcg)["tied_documents"]
    assert ties == {"score": 0, "score32": 2, "given": 0}


@pytest.mark.slow
def test_the_share_of_known_documents_is_described(ndcg: Command) -> None:
    deep = "".join(f"q1 Q0 d{rank} {rank} {20 - rank} t\n" for rank in range(1, 13))
    known = "query_id,doc_id\nq1,d1\nq1,d2\nq1,d12\nq2,d3\n"
    load_texts(ndcg, {"run base": deep, "known known.csv --dataset other": known})
    row = described(ndcg)
    assert row["known_share_at_10"] is row["known_share"] is None
    assert "known share" not in ndcg("describe", "base").out
    load_texts(ndcg, {"known known.csv": known})
    row = described(ndcg)
    assert (row["known_share_at_10"], row["known_share"]) == (0.2, 0.25)


def test_without_judgments_there_is_no_coverage(ndcg: Command) -> None:
    load_texts(ndcg, {"run base": RUN})
    row = described(ndcg)
    assert row["judgment_set"] is row["answered"] is row["judged_share"] is None


WEIGHTS = {"click": 1.0, "buy": 2.5}
BANDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**9]


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
    for begin, end in pairwise(BANDS):
        pairs = [pair for pair, count in shown.items() if begin <= count < end]
        band = {
            "least_impressions": begin,
            "shown_documents": len(pairs),
            "graded_documents": sum(pair in judged for pair in pairs),
            "clicks": pytest.approx(sum(worth[pair] for pair in pairs)),
        }
        bands += [band] * bool(pairs)
    here = {at: [pair for pair in judged if best[pair] == at] for at in shown_at}
    positions: list[dict[str, Any]] = [
        {
            "position": at,
            "impressions": shown_at[at],
            "clicks": pytest.approx(worth_at[at]),
            "click_rate": pytest.approx(worth_at[at] / shown_at[at]),
            "best_documents": len(here[at]),
            "unclicked_documents": sum(not worth[pair] for pair in here[at]),
        }
        for at in sorted(shown_at)
    ]
    return bands, positions


@pytest.mark.usefixtures("here")
def test_what_clicks_rest_on_is_counted() -> None:
    random = Random(3)
    with Warehouse.memory() as own:
        for at, (size, least) in enumerate([(150, 3), (1200, 30), (6000, 20)]):
            log = random_log(random, size, WEIGHTS)
            # Some documents are shown once or twice, some never clicked.
            log += [("q9", f"r{n}", "impression", 1 + n % 3) for n in range(5)]
            log += [("q9", "u", "impression", 2)] * 40
            Path(f"e{at}.csv").write_text(csv(log))
            actions = {"buy": WEIGHTS["buy"]}
            own.load_clicks(f"e{at}.csv", actions=actions, min_impressions=least)
            [row] = own.describe(f"e{at}").to_dicts()
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


def test_a_set_made_of_clicks_is_shown(ndcg: Command) -> None:
    clicks = "clicks e.csv --model ctr --min-impressions 1"
    load_texts(ndcg, {"judgments q.txt": "q 0 a 2\nq 0 b 0\n", clicks: TIMED})
    about, bands, positions = ndcg("describe", "e").out.split("\n\n")
    *positions, note = positions.splitlines()
    lines = dict(line.split("  ", 1) for line in about.splitlines()[2:])
    assert {name: text.strip() for name, text in lines.items()}.items() >= {
        ("judgment set", "e"),
        ("policy", "ctr"),
        ("judgments", "2"),
        ("impressions", "2"),
        ("actions", "2"),
        ("first at", "2026-01-01 00:00:00"),
        ("last at", "2026-01-03 00:00:00"),
        ("min impressions", "1"),
    }
    assert bands.splitlines()[2].split() == ["1", "2", "2", "1"]
    assert [line.split() for line in positions[2:]] == [
        ["1", "1", "1", "1.0000", "1", "0"],
        ["2", "1", "0", "0.0000", "1", "1"],
    ]
    assert note.startswith("1 of 2 judged documents that stood in the first 3 position")
    # What judges made has no log.
    plain = ndcg("describe", "q").out
    assert "greatest grade" in plain
    assert "\n\n" not in plain
    assert "impressions" not in plain


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_what_a_set_rests_on_is_removed_with_it(ndcg: Command) -> None:
    Path("e.csv").write_text(csv(random_log(Random(1), 2000, ["click"])))
    with Warehouse.write("ndcg.duckdb") as own:
        own.load_clicks("e.csv")
    assert ndcg("remove", "judgments", "e").code == 0
    with Warehouse.read("ndcg.duckdb") as own:
        for table in ("click_logs", "click_bands", "click_positions"):
            assert own.database.execute(f"from store.{table}") == []


@pytest.mark.slow
def test_a_list_has_the_newest_of_each_kind_and_dataset(ndcg: Command) -> None:
    with Warehouse.write("ndcg.duckdb") as own:
        for dataset in ("search", "shop"):
            own.load_judgments({"q": {"a": 1}}, "old", dataset=dataset)
            for week in range(1, 6):
                own.load_run({"q": ["a"]}, f"w{week}", dataset=dataset)
        own.load_judgments({"q": {"a": 2}}, "new", dataset="shop")
    names: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in records(ndcg, "list", "--limit", "2"):
        names[row["dataset"], row["kind"]].append(row["name"])
    assert names == {
        **{("search", "judgments"): ["old"], ("search", "run"): ["w4", "w5"]},
        **{("shop", "judgments"): ["old", "new"], ("shop", "run"): ["w4", "w5"]},
    }
    assert "7 of 13 rows shown" in ndcg("list", "--limit", "2").err
    # A limit that leaves nothing out says nothing.
    assert ndcg("list", "--limit", "99") == ndcg("list")
