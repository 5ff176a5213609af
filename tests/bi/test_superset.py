"""The dashboard of Superset shows the figures that the commands print."""

import csv
import json
import math
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from support import pages, pictures
from support.commands import Command, Once
from support.servers import Server
from support.superset import Superset, serving

pytestmark = pytest.mark.superset
# scipy imports its parts, which takes a second, where they are used.
scipy: Any = import_module("scipy")
DEMO = pages.ROOT / "ndcg_sql" / "demo"
LABELS = ("--label", "Exact=3", "--label", "Partial=1", "--label", "Irrelevant=0")
MEASURE = "nDCG@10"
CUTOFFS = (1, 3, 5, 10)
# Name, model, time, and by what its scores are disturbed; the last one is the newest.
LATER = (
    ("bm25 August", "bm25", "2026-08-03", 3),
    ("bm25 September", "bm25", "2026-09-07", 5),
    ("hybrid August", "hybrid", "2026-08-10", 7),
    ("hybrid September", "hybrid", "2026-09-14", 2),
)
# The judgment set that is the newest, and the runs that the filters begin with.
JUDGMENTS, BASELINE, CANDIDATE = "fewer judgments", "keyword", LATER[-1][0]
# A document that nobody judged for a query.
TITLED = "power-bank-20000mah-65w-856"
Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def superset(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Superset]:
    with serving(tmp_path_factory.mktemp("superset")) as server:
        yield server


@pytest.fixture
def loaded(ndcg: Command, once: Once) -> None:
    """Load the demo, another dataset, a second judgment set, and runs with tags."""

    def load() -> None:
        def do(*command: str | Path) -> None:
            done = ndcg("--quiet", *command)
            assert done.code == 0, done.err

        here = ("--dataset", "demo")
        do("demo")
        judged = DEMO / "judgments.csv"
        there = ("--dataset", "elsewhere")
        do("load", "judgments", judged, *LABELS, *there, "--name", "qrels")
        do("load", "run", DEMO / "bm25.run", *there, "--name", "other")
        lines = judged.read_text(encoding="utf-8").splitlines(keepends=True)
        fewer = [line for number, line in enumerate(lines) if number % 5 != 1]
        Path("fewer.csv").write_text("".join(fewer), encoding="utf-8")
        do("load", "judgments", "fewer.csv", *LABELS, *here, "--name", JUDGMENTS)
        for run in ("bm25", "hybrid", "keyword"):
            do("tag", "run", run, f"model={run}", *here)
        for name, model, made_at, step in LATER:
            rows = [line.split() for line in (DEMO / f"{model}.run").open()]
            for number, row in enumerate(rows):
                row[4] = str(float(row[4]) * (1 + number * step % 13 / 8))
            Path("later.run").write_text("".join(f"{' '.join(r)}\n" for r in rows))
            tags = ("--tag", f"model={model}", "--run-at", made_at)
            do("load", "run", "later.run", *here, "--name", name, *tags)
        do("measures", "add", *[f"nDCG@{k}" for k in CUTOFFS if k != 10])

        titles = f"doc_id,title\n{TITLED},A title\n"
        Path("titles.csv").write_text(titles, encoding="utf-8")
        do("load", "documents", "titles.csv", *here)

    once(load)


@pytest.mark.usefixtures("loaded")
def test_on_a_published_file(ndcg: Command, superset: Superset, here: Path) -> None:
    assert ndcg("publish", "dashboards.duckdb").code == 0
    told = f"imported; open {superset.address}/superset/dashboard/search-quality/\n"
    assert superset.imports(here / "dashboards.duckdb") == (0, told)
    shown = superset.shown()
    the_dashboard_is_right(ndcg, shown)
    best = shown["charts"]["Leaderboard"]["data"]
    texts = [f"{row['run']} {row['value']:.4f}" for row in best]
    drawn = (superset.folder / "dashboard.png").read_bytes()
    pictures.check("superset.png", drawn, [*sorted(shown["charts"]), *texts])


@pytest.mark.usefixtures("loaded")
def test_on_postgresql(ndcg: Command, superset: Superset, postgresql: Server) -> None:
    assert ndcg("publish", postgresql.url).code == 0
    try:
        code, printed = superset.imports(postgresql.url)
        assert code == 0, printed
        the_dashboard_is_right(ndcg, superset.shown())
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


def the_dashboard_is_right(ndcg: Command, shown: dict[str, Any]) -> None:
    """Compare every chart with what the commands print."""

    def told(*command: str) -> Rows:
        where = ("--dataset", "demo", "--judgments", JUDGMENTS, "--format", "json")
        return json.loads(ndcg(*command, *where).out)

    assert (shown["bad"], shown["errors"], shown["empty"]) == ([], [], 0)
    assert shown["drawn"] == 6
    assert shown["tables"] >= 5
    charts = {name: answer["data"] for name, answer in shown["charts"].items()}
    assert len(charts) == 11
    runs(charts, told("report", "-m", MEASURE))
    cutoffs(charts["nDCG over k"], told("report", "-m", cutoff_measures()))
    trend(charts["Trend by tag"], told("report", "-m", MEASURE))
    slices(charts["Slices"], told("report", "-m", MEASURE, "--by", "category"))
    [compared] = told("compare", BASELINE, CANDIDATE, "-m", MEASURE)
    [row] = charts["Candidate minus baseline"]
    assert row == {
        key: pytest.approx(value, abs=1e-5) if isinstance(value, float) else value
        for key, value in compared.items()
        if key in row
    }
    queries(charts, told("report", "-m", MEASURE, "-q"))
    unjudged(charts["Unjudged documents"], told("holes", "--depth", "10"))


def cutoff_measures() -> str:
    return " ".join(f"nDCG@{k}" for k in CUTOFFS)


def named(row: dict[str, Any], name: str = "run") -> str:
    return f"{row[name]} (n = {row['n']})"


def runs(charts: dict[str, Rows], told: Rows) -> None:
    """Check the charts that have a row for each run."""
    assert len(told) == 7
    best = sorted(told, key=lambda row: -row["value"])
    keys = ("run", "value", "n", "unanswered", "judged_at_k")
    ends = {row["run"]: interval(row) for row in told}
    assert charts["Leaderboard"] == [
        {key: row[key] for key in keys}
        | dict(zip(("ci_low", "ci_high"), ends[row["run"]], strict=True))
        for row in best
    ]
    assert {row["run_with_n"]: row for row in charts["95 % intervals"]} == {
        named(row): {
            "run_with_n": named(row),
            "only_value": row["value"],
            "only_ci_low": ends[row["run"]][0],
            "only_ci_high": ends[row["run"]][1],
        }
        for row in told
    }
    assert {
        row["run_with_n"]: row["only_judged_at_k"] for row in charts["Judged@k"]
    } == {named(row): row["judged_at_k"] for row in told}


def interval(row: dict[str, Any]) -> tuple[Any, Any]:
    """Return the ends of Student's interval, as nearly as the dashboard has them."""
    half = scipy.stats.t.ppf(0.975, row["n"] - 1) * row["standard_error"]
    low, high = row["value"] - half, row["value"] + half
    return pytest.approx(low, abs=1e-5), pytest.approx(high, abs=1e-5)


def cutoffs(shown: Rows, told: Rows) -> None:
    assert [row["cutoff"] for row in shown] == list(CUTOFFS)
    for row in shown:
        measure = f"nDCG@{row.pop('cutoff'):.0f}"
        assert row == {
            named(each): each["value"] for each in told if each["measure"] == measure
        }


def trend(shown: Rows, told: Rows) -> None:
    """Check that each line has the value of the newest run at that time."""
    value = {row["run"]: row["value"] for row in told}
    # The runs of the demo have no time: they count from when they were loaded.
    order = sorted(LATER, key=lambda later: later[2])
    made = [(name, model) for name, model, _, _ in order]
    made += [(run, run) for run in ("keyword", "bm25", "hybrid")]
    assert len(shown) == len(made)
    newest: dict[str, float | None] = dict.fromkeys(("bm25", "hybrid", "keyword"))
    times = [row.pop("made_at") for row in shown]
    assert times == sorted(times)
    for row, (run, model) in zip(shown, made, strict=True):
        newest[model] = value[run]
        assert row == {f"{key} (n = 20)": newest[key] for key in newest}


def slices(shown: Rows, told: Rows) -> None:
    expected: dict[str, dict[str, Any]] = {}
    for row in told:
        name = named(row, "category")
        of_slice = expected.setdefault(name, {"slice_with_n": name})
        of_slice[row["run"]] = row["value"]
    assert {row["slice_with_n"]: row for row in shown} == expected


def queries(charts: dict[str, Rows], told: Rows) -> None:
    """Check the charts that have a row for each query."""
    with (DEMO / "queries.csv").open(encoding="utf-8", newline="") as file:
        text = {row["query_id"]: row["text"] for row in csv.DictReader(file)}
    before = {row["query_id"]: row for row in told if row["run"] == BASELINE}
    after = {row["query_id"]: row for row in told if row["run"] == CANDIDATE}
    differences: Rows = [
        {
            "query": text[query],
            "query_id": query,
            "baseline_value": before[query]["value"],
            "candidate_value": after[query]["value"],
            "difference": after[query]["value"] - before[query]["value"],
        }
        for query in before
    ]
    differences.sort(key=lambda row: (-abs(row["difference"]), row["query_id"]))
    assert charts["Differences per query"] == differences
    bins = Counter(math.floor(row["difference"] * 10 + 0.5) for row in differences)
    found = charts["Distribution of differences"]
    assert {round(row["bin"] * 10): row["queries"] for row in found} == bins
    lowest = sorted(after.values(), key=lambda row: (row["value"], row["query_id"]))
    assert charts["Worst queries of the candidate"] == [
        {
            "query": text[row["query_id"]],
            "query_id": row["query_id"],
            "value": row["value"],
        }
        for row in lowest
        if not row["nothing_relevant"]
    ]


def unjudged(shown: Rows, told: Rows) -> None:
    with (DEMO / "queries.csv").open(encoding="utf-8", newline="") as file:
        text = {row["query_id"]: row["text"] for row in csv.DictReader(file)}
    assert [row["runs"] for row in shown] == sorted(
        (row["runs"] for row in told), reverse=True
    )
    keys = ("query", "query_id", "document", "runs", "best_position")
    assert {tuple(row[key] for key in keys) for row in shown} == {
        (
            text[row["query_id"]],
            row["query_id"],
            f"A title ({row['doc_id']})" if row["doc_id"] == TITLED else row["doc_id"],
            row["runs"],
            row["best_position"],
        )
        for row in told
    }
