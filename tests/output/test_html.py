"""Pages: what is in them, and that nothing in them can run or load."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from support.commands import Command, Once

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
def demo(ndcg: Command, once: Once) -> Command:
    once(lambda: ndcg("demo"))
    return ndcg


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
    board = charts["d0-leaderboard-0"]["data"]["values"]
    first = {row["run"]: row["value"] for row in rows if row["measure"] == "nDCG@10"}
    assert {row["run"]: row["value"] for row in board} == first


def test_it_has_the_values_of_all_queries(demo: Command, page: str) -> None:
    rows = json.loads(demo("report", "-q", "--format", "json").out)
    board = _data(page)["boards"]["d0"]
    assert len(rows) == 20 * 3 * 4
    for row in rows:
        values = board["values"][row["measure"]][board["runs"].index(row["run"])]
        found = values[board["queries"].index(row["query_id"])]
        assert found == pytest.approx(row["value"], abs=1e-6)


def test_explained_rankings_are_those_of_explain(demo: Command, page: str) -> None:
    rows = json.loads(demo("explain", "hybrid", "q04", "--format", "json").out)
    board = _data(page)["boards"]["d0"]
    steps = board["steps"][str(board["queries"].index("q04"))]
    found = steps["runs"][board["runs"].index("hybrid")]
    shown = [(board["docs"][d], grade, gain) for d, grade, gain in found]
    expected = [
        (row["doc_id"], row["grade"], pytest.approx(row["discounted_gain"], abs=1e-6))
        for row in rows
        if row["doc_id"] is not None
    ]
    assert shown == expected
    ideal = [board["docs"][d] for d, _ in steps["ideal"]]
    assert ideal == [row["ideal_doc_id"] for row in rows if row["ideal_doc_id"]]


def test_it_says_first_which_run_is_better(demo: Command, page: str) -> None:
    assert "hybrid has the highest nDCG@10: 0.8517" in page
    assert "It is significantly better than every other run." in page
    assert demo("compare", "bm25", "hybrid", "--html", "c.html").code == 0
    assert "hybrid is 0.1787 above bm25 in nDCG@10; p 0.0057, significant." in _page(
        "c.html"
    )
    assert demo("gate", "hybrid", "bm25", "--html", "g.html").code == 1
    failed = _page("g.html")
    assert '<div class="verdict fail">' in failed
    assert "Gate failed: " in failed


def test_one_run_and_several_datasets_have_pages(ndcg: Command, here: Path) -> None:
    (here / "q.txt").write_text("q1 0 a 1\nq2 0 b 1\n")
    (here / "r.txt").write_text("q1 Q0 a 1 2 x\nq2 Q0 c 1 2 x\n")
    for dataset in ("one", "two"):
        assert ndcg("load", "judgments", "q.txt", "--dataset", dataset).code == 0
        assert ndcg("load", "run", "r.txt", "--dataset", dataset).code == 0
    assert ndcg("report", "--html", "page.html").code == 0
    text = _page()
    assert set(_data(text)["boards"]) == {"d0", "d1"}
    assert "r: nDCG@10 0.5000" in text


def test_hostile_texts_stay_text(ndcg: Command, here: Path) -> None:
    judged = [
        {"query_id": q, "doc_id": d, "grade": 1} for q in HOSTILE for d in HOSTILE
    ]
    ranked = [
        {"query_id": q, "doc_id": d, "score": 1.0 + s, "run": run}
        for run in HOSTILE[:2]
        for q in HOSTILE
        for s, d in enumerate(HOSTILE)
    ]
    told = [
        {"query_id": q, "text": q, "kind": HOSTILE[i % 2]}
        for i, q in enumerate(HOSTILE)
    ]
    for name, rows in (("j", judged), ("r", ranked), ("q", told)):
        (here / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert ndcg("load", "judgments", "j.jsonl").code == 0
    assert ndcg("load", "run", "r.jsonl").code == 0
    assert ndcg("load", "queries", "q.jsonl").code == 0
    assert ndcg("report", "--html", "page.html").code == 0
    text = _page()
    parser = _Tags()
    parser.feed(text)
    assert parser.tags.isdisjoint({"img", "svg", "iframe", "object", "link", "base"})
    assert not any(name.startswith("on") for name in parser.attributes)
    assert len(re.findall(r"<script", text)) == 3
    assert "\u202e" not in text
    assert set(_data(text)["boards"]["d0"]["queries"]) >= {HOSTILE[0], HOSTILE[4]}


@pytest.mark.parametrize("command", [("report",), ("compare", "bm25", "hybrid")])
def test_what_cannot_be_written_is_refused_first(
    demo: Command, here: Path, command: tuple[str, ...]
) -> None:
    (here / "mine.html").write_text("<p>mine</p>")
    (here / "folder").mkdir()
    for name, reason in (
        (
            "mine.html",
            "exists and is not a page of ndcg-sql; add --force to replace it",
        ),
        ("folder", "a directory"),
        ("none/page.html", "the directory does not exist"),
    ):
        found = demo(*command, "--html", name)
        assert (found.code, found.out) == (2, "")
        assert found.err == f"--html {name}: {reason}\n"
    assert (here / "mine.html").read_text() == "<p>mine</p>"
    assert demo(*command, "--html", "mine.html", "--force").code == 0
    assert demo(*command, "--html", "mine.html").code == 0


def test_without_vl_convert_it_says_what_to_install(
    demo: Command, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_name: str) -> None:
        return None

    monkeypatch.setattr("ndcg_sql.output.figures.drawing.find_spec", missing)
    found = demo("report", "--html", "page.html")
    assert found.code == 2
    assert "pip install 'ndcg-sql[figures]'" in found.err
    assert not (here / "page.html").exists()
