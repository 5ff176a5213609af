"""Pages: what is in them, and that nothing in them can run or load."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.database.database import Database
from ndcg_sql.reports import overview
from support.commands import Command, Once
from support.scripts import scripted

# Each page costs a few seconds.
pytestmark = pytest.mark.slow

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "'\"><svg onload=alert(1)>",
    "{{7*7}}${7*7}",
    "=cmd|'/c calc'!A1",
    "\u202egnp.exe",
    "-->]]>",
]


def _page(file: str = "page.html") -> str:
    return Path(file).read_text(encoding="utf-8")


def _data(text: str) -> Any:
    [found] = re.findall(
        r'<script type="application/json" id="data">(.*?)</script>', text
    )
    return json.loads(found)


def _scripts(text: str) -> list[str]:
    return re.findall(r"<script>(.*?)</script>", text, re.DOTALL)


class _Tags(HTMLParser):
    """All tags and attributes that a browser would see."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


@pytest.fixture
def page(demo: Command, once: Once) -> str:
    once(lambda: demo("report", "--html", "page.html"))
    return _page()


def test_its_policy_allows_its_own_scripts_and_nothing_else(page: str) -> None:
    [policy] = re.findall(r'Content-Security-Policy" content="(.*?)"', page)
    told = policy.replace("&#39;", "'").split("; ")
    rules = dict(rule.strip().split(" ", 1) for rule in told)
    assert rules["default-src"] == "'none'"
    digests = {
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in _scripts(page)
    }
    assert len(digests) == 2
    assert set(rules["script-src"].split()) == digests
    assert not re.search(r"<(link|img|iframe|base|object)\b", page.split("<script")[0])
    assert not re.search(r'\b(src|href)="(?!#)', page.split("<script")[0])


def test_its_figures_are_those_of_report(demo: Command, page: str) -> None:
    rows = json.loads(demo("report", "--format", "json").out)
    exact = set(re.findall(r'data-value="([^"]+)"', page))
    assert rows
    assert {repr(row["value"]) for row in rows} <= exact
    charts = _data(page)["charts"]
    # The best run comes first.
    drawn = [row["run"] for row in charts["d0-distribution-0"]["data"]["values"]]
    assert list(dict.fromkeys(drawn)) == ["hybrid", "bm25", "keyword"]


def test_it_has_the_values_of_all_queries(demo: Command, page: str) -> None:
    rows = json.loads(demo("report", "-q", "--format", "json").out)
    board = _data(page)["boards"]["d0"]
    assert len(rows) == 20 * 3 * 4
    for row in rows:
        values = board["values"][row["measure"]][board["runs"].index(row["run"])]
        found = values[board["queries"].index(row["query_id"])]
        assert found == pytest.approx(row["value"], abs=1e-12)


def test_explained_rankings_are_those_of_explain(demo: Command, page: str) -> None:
    rows = json.loads(demo("explain", "hybrid", "q04", "--format", "json").out)
    board = _data(page)["boards"]["d0"]
    steps = board["steps"][str(board["queries"].index("q04"))]
    found = steps["runs"][board["runs"].index("hybrid")]
    shown = [(board["docs"][d], grade, gain) for d, grade, gain in found]
    expected = [
        (row["doc_id"], row["grade"], pytest.approx(row["discounted_gain"], abs=1e-12))
        for row in rows
        if row["doc_id"] is not None
    ]
    assert shown == expected
    [shared] = steps["ideal"]
    ideal = [board["docs"][d] for d, _ in shared]
    assert ideal == [row["ideal_doc_id"] for row in rows if row["ideal_doc_id"]]


def test_every_run_has_its_own_ideal_ranking(demo: Command) -> None:
    measure = "nDCG(ideal='retrieved')@5"
    assert demo("report", "-m", measure, "--html", "own.html").code == 0
    board = _data(_page("own.html"))["boards"]["d0"]
    assert board["depth"] == 5
    for run in ("keyword", "bm25", "hybrid"):
        told = demo("explain", run, "q18", "-m", measure, "--format", "json")
        ideals = board["steps"][str(board["queries"].index("q18"))]["ideal"]
        found = [board["docs"][d] for d, _ in ideals[board["runs"].index(run)]]
        right = [row["ideal_doc_id"] for row in json.loads(told.out)]
        assert found == [doc for doc in right if doc is not None]


def test_each_question_is_asked_once(
    demo: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements: list[str] = []
    executed = vars(Database)["_executed"]

    def counted(database: Database, sql: str, parameters: Any) -> Any:
        statements.append(sql)
        return executed(database, sql, parameters)

    monkeypatch.setattr(Database, "_executed", counted)
    assert demo("report", "--html", "page.html").code == 0
    assert len(statements) <= 150


def test_hostile_texts_stay_text(write_page: Callable[[list[str]], None]) -> None:
    write_page(HOSTILE)
    text = _page()
    parser = _Tags()
    parser.feed(text)
    assert parser.tags.isdisjoint({"img", "svg", "iframe", "object", "link", "base"})
    assert not any(name.startswith("on") for name in parser.attributes)
    assert len(re.findall(r"<script", text)) == 3
    assert "\u202e" not in text
    assert set(_data(text)["boards"]["d0"]["queries"]) >= {HOSTILE[0], HOSTILE[4]}


def test_without_vl_convert_it_says_what_to_install(
    demo: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_name: str) -> None:
        return None

    monkeypatch.setattr("ndcg_sql.output.figures.drawing.find_spec", missing)
    found = demo("report", "--html", "page.html")
    assert "pip install 'ndcg-sql[figures]'" in found.refusal
    assert not Path("page.html").exists()


def tiles(file: str) -> str:
    """Return the texts of the tiles of a page, a line each."""
    text = html.unescape(_page(file))
    return "\n".join(told for _, told in _tiles(text))


test_script = scripted(__file__, tiles)


def _tiles(text: str) -> list[tuple[str, str]]:
    """Return where each tile leads, and its text."""
    found = re.findall(
        r'<a class="tile[^"]*" href="([^"]*)"[^>]*>(.*?)</a>', text, re.DOTALL
    )
    return [
        (href, " ".join(re.sub("<[^>]*>", " ", one).split())) for href, one in found
    ]


def test_the_headline_is_that_of_compare(demo: Command, page: str) -> None:
    rows = json.loads(demo("compare", "hybrid", "bm25", "--format", "json").out)
    row = next(row for row in rows if row["measure"] == "nDCG@10")
    margin, slices, queries, judged = (told for _, told in _tiles(page))
    assert margin.startswith("Better run hybrid nDCG@10 0.8517")
    assert f"{-row['difference']:+.4f} to bm25" in margin
    assert f"{-row['ci_high']:+.4f} to {-row['ci_low']:+.4f}" in margin
    told = "Slices with fewer than 5 queries are not counted."
    assert slices == f"Slices ahead in all 7 {told}"
    counts = (
        f"{row['losses']} of {row['n']} won, {row['ties']} tied, {row['wins']} lost"
    )
    assert queries.startswith(f"Queries {counts}")
    values = json.loads(demo("compare", "hybrid", "bm25", "-q", "--format", "json").out)
    worst = max(
        (row for row in values if row["measure"] == "nDCG@10"),
        key=lambda row: row["difference"],
    )
    assert f"worst: {worst['query_id']}, {-worst['difference']:+.4f}" in queries
    assert _tiles(page)[2][0] == "#d0-queries"
    assert f'href="#d0-queries" data-query="{worst["query_id"]}">' in page
    assert judged.startswith("Judged 84%")


def _many_runs(ndcg: Command, here: Path, count: int) -> list[str]:
    """Load judgments, and runs from best to worst; return the names of the runs."""
    (here / "q.txt").write_text("q1 0 d1 1\nq2 0 d1 1\n")
    for run in range(1, count + 1):
        rows = [f"q1 Q0 d{n} {n} {-abs(n - run) - n / 99} t\n" for n in range(1, 13)]
        (here / f"run{run}.txt").write_text("".join(rows))
    names = [f"run{run}" for run in range(1, count + 1)]
    assert ndcg("load", "judgments", "q.txt").code == 0
    assert ndcg("load", "run", *(f"{name}.txt" for name in names)).code == 0
    return names


def test_the_best_eight_runs_have_colours_and_the_others_are_grey(
    ndcg: Command, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _many_runs(ndcg, here, 10)
    assert ndcg("report", "-m", "nDCG@20", "--html", "page.html").code == 0
    text = _page()
    board = _data(text)["boards"]["d0"]
    assert len(board["runs"]) == 10
    best = board["runs"][:8]
    drawn = _data(text)["charts"]["d0-curves-0"]
    assert {row["run"] for row in drawn["data"]["values"]} == set(board["runs"])
    bars = _data(text)["charts"]["d0-distribution-0"]
    assert {row["run"] for row in bars["data"]["values"]} == set(best)
    lines, dots, ends = drawn["layer"][0]["layer"][1]["layer"]
    channels = [lines["encoding"][name] for name in ("stroke", "strokeDash")]
    channels += [dots["encoding"][name] for name in ("color", "shape")]
    channels.append(ends["layer"][1]["encoding"]["fill"])
    for channel in channels:
        assert channel["scale"]["domain"] == best
        # The names at the ends of lines say what a legend would.
        assert channel["legend"] is None
    # Where each point of a line takes long to compute, the others have no lines.
    monkeypatch.setattr(overview, "_MOST_CURVED", 19)
    assert ndcg("report", "-m", "nDCG@20", "--html", "few.html").code == 0
    few = _data(_page("few.html"))["charts"]["d0-curves-0"]
    assert {row["run"] for row in few["data"]["values"]} == set(best)
    # A colour for each of them, in the order of the leaderboard; the others are grey.
    [table] = re.findall(r'aria-label="Leaderboard,.*?</table>', text, re.DOTALL)
    swatches = re.findall(r'<bdi class="(run[^"]*)">(run\d+)</bdi>', table)
    assert swatches == [
        (f"run run-{n}" if n < 8 else "run", run) for n, run in enumerate(board["runs"])
    ]


def test_bars_of_many_queries_leave_their_text_as_large_as_it_is(ndcg: Command) -> None:
    for name, better in {"a": 1, "b": -1}.items():
        rows = [
            f"q{n} Q0 {document} 1 {score * better} t\n"
            for n in range(40)
            for document, score in {"d1": 1, "d2": n - 20.5}.items()
        ]
        Path(name).write_text("".join(rows))
    Path("q.txt").write_text("".join(f"q{n} 0 d1 1\n" for n in range(40)))
    assert ndcg("load", "judgments", "q.txt").code == 0
    assert ndcg("load", "run", "a", "b").code == 0
    assert ndcg("compare", "a", "b", "--html", "page.html").code == 0
    charts = _data(_page())["charts"]
    assert charts["d0-comparison-0"]["spec"]["width"] == 300
