"""The dashboard of Superset shows what its queries answer, and the commands print.

test_questions.py compares the queries with the commands.
"""

import json
import math
import shutil
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from support import pictures
from support.commands import Command, Once
from support.questions import (
    BASELINE,
    CANDIDATE,
    JUDGMENTS,
    MEASURE,
    Published,
    Row,
    load,
)
from support.servers import Server
from support.superset import Superset, serving

pytestmark = pytest.mark.superset
# scipy imports its parts, which takes a second, where they are used.
scipy: Any = import_module("scipy")
Rows = list[Row]


@pytest.fixture(scope="module")
def superset(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Superset]:
    with serving(tmp_path_factory.mktemp("superset")) as server:
        yield server


@pytest.fixture
def loaded(ndcg: Command, once: Once) -> None:
    once(lambda: load(ndcg))


@pytest.mark.usefixtures("loaded")
def test_on_a_published_file(ndcg: Command, superset: Superset) -> None:
    assert ndcg("publish", "dashboards.duckdb").code == 0
    told = f"imported; open {superset.address}/superset/dashboard/search-quality/\n"
    assert superset.imports(Path("dashboards.duckdb")) == (0, told)
    shown = superset.shown()
    # Superset has the other one open.
    shutil.copy("dashboards.duckdb", "copy.duckdb")
    the_dashboard_is_right(ndcg, Published("duckdb:///copy.duckdb"), shown)
    best = shown["charts"]["Leaderboard"]["data"]
    texts = [f"{row['run']} {row['value']:.4f}" for row in best]
    [verdict] = shown["charts"]["Did it get better?"]["data"]
    texts.append(f"{verdict['verdict']} {verdict['difference']:.4f}")
    drawn = (superset.folder / "dashboard.png").read_bytes()
    pictures.check("superset.png", drawn, [*sorted(shown["charts"]), *texts])


@pytest.mark.usefixtures("loaded")
def test_on_postgresql(ndcg: Command, superset: Superset, postgresql: Server) -> None:
    assert ndcg("publish", postgresql.url).code == 0
    try:
        code, printed = superset.imports(postgresql.url)
        assert code == 0, printed
        published = Published(f"{postgresql.url}?options=-csearch_path%3Dndcg_sql")
        the_dashboard_is_right(ndcg, published, superset.shown())
    finally:
        postgresql.execute("drop schema ndcg_sql cascade")


def test_what_superset_cannot_open(superset: Superset, here: Path) -> None:
    Path("junk.duckdb").write_text("no database")
    for name, reason in (("none", "does not exist"), ("junk", "not a valid DuckDB")):
        code, printed = superset.imports(here / f"{name}.duckdb")
        assert (code, printed.count("\n")) == (2, 1)
        assert reason in printed
        assert "SQL" not in printed
    code, printed = superset.imports(here / "none.duckdb", "--user", "nobody")
    assert code == 2
    told = "401 Not authorized; check --user and SUPERSET_PASSWORD\n"
    assert printed == f"{superset.address}: {told}"


def the_dashboard_is_right(
    ndcg: Command, published: Published, shown: dict[str, Any]
) -> None:
    """Compare every chart with the answer to its query, for Monday's pair."""
    assert (shown["bad"], shown["errors"], shown["empty"]) == ([], [], 0)
    # The head of a table is another one, so that it stays while rows scroll.
    assert (shown["drawn"], shown["tables"]) == (2, 2 * 9)
    charts: dict[str, Rows] = {
        name: answer["data"] for name, answer in shown["charts"].items()
    }
    found = {name: published.rows(name) for name in ("verdict", "trust", "to_judge")}
    same(charts.pop("Did it get better?"), found["verdict"])
    same(charts.pop("Can it be trusted?"), found["trust"])
    unjudged = charts.pop("What is to be judged next?")
    weights = [row["weight"] for row in unjudged]
    assert weights == sorted(weights, reverse=True)
    same(in_order(unjudged), in_order(found["to_judge"]))
    same(charts.pop("For whom?"), published.rows("slices", attribute="category"))
    queries = published.rows("queries")
    lost = [row for row in queries if row["difference"] < 0]
    won = [row for row in queries if row["difference"] > 0]
    assert lost
    same(charts.pop("On which queries was most lost?"), lost)
    won.sort(key=lambda row: (-row["contribution"], row["query_id"]))
    same(charts.pop("On which queries was most gained?"), won)
    bins = Counter(math.floor(row["difference"] * 10 + 0.5) for row in queries)
    counted = charts.pop("Distribution of differences")
    assert {round(row["bin"] * 10): row["queries"] for row in counted} == bins
    worst = lost[0]["query_id"]
    rankings = published.rows("two_rankings", query_id=worst)
    same(charts.pop("What does the query show?"), rankings)
    history(charts, published.rows("history"))
    leaderboard(ndcg, charts.pop("Leaderboard"))
    assert not charts


def in_order(rows: Rows) -> Rows:
    """Return unjudged documents in an order of their own."""

    def places(row: Row) -> list[Any]:
        both = (row["candidate_position"], row["baseline_position"])
        return [row["query_id"], *(place or 0 for place in both)]

    return sorted(rows, key=places)


def same(shown: Rows, expected: Rows) -> None:
    """Compare the columns that a chart shows."""
    assert len(shown) == len(expected) > 0
    for row, other in zip(shown, expected, strict=True):
        wanted = {name: other[name] for name in row}
        assert row == {
            name: pytest.approx(value) if isinstance(value, float) else value
            for name, value in wanted.items()
        }


def history(charts: dict[str, Rows], expected: Rows) -> None:
    """Check the course of the values, and the table beside it."""
    drawn = charts.pop("How did it go?")
    values = [(row["only_value"], row["only_released_value"]) for row in drawn]
    assert values == [(row["value"], row["released_value"]) for row in expected]
    assert sum(released is not None for _, released in values) == 2
    listed = charts.pop("Which runs were there?")
    assert all(row.pop("made_at") for row in listed)
    same(listed, expected[::-1])


def leaderboard(ndcg: Command, shown: Rows) -> None:
    """Check the values of all runs with their intervals."""
    where = ("--dataset", "demo", "--judgments", JUDGMENTS, "--format", "json")
    told: Rows = json.loads(ndcg("report", "-m", MEASURE, *where).out)
    assert {BASELINE, CANDIDATE} < {row["run"] for row in told}
    told.sort(key=lambda row: -row["value"])
    for row, other in zip(shown, told, strict=True):
        half = scipy.stats.t.ppf(0.975, other["n"] - 1) * other["standard_error"]
        ends = {"ci_low": other["value"] - half, "ci_high": other["value"] + half}
        for name, end in ends.items():
            assert row.pop(name) == pytest.approx(end, abs=1e-5)
        same([row], [other])
