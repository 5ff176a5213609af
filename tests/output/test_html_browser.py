"""Pages in a real browser: charts, sorting, searching, keyboard, accessibility."""

import json
import re
import shutil
import time
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from support.commands import Command, Once
from support.libraries import library

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
_FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *(
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ),
)


@pytest.fixture(scope="module")
def browser() -> "Generator[Browser]":
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("chromium is not installed (apt-get install chromium)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=chromium, args=_FLAGS)


@pytest.fixture
def demo(ndcg: Command, once: Once) -> Command:
    def fill() -> None:
        ndcg("demo")
        assert ndcg("report", "--html", "page.html").code == 0

    once(fill)
    return ndcg


class Opened:
    """A page, and what went wrong in it."""

    def __init__(self, browser: "Browser", file: Path, anchor: str = "", **view: Any):
        self.page: Page = browser.new_page(**view)
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda told: self.faults.append(told.text))
        self.page.on("request", self._asked)
        self.page.goto(f"{file.resolve().as_uri()}{anchor}")
        self.page.wait_for_selector("html[data-ready]")

    def _asked(self, request: Any) -> None:
        if not request.url.startswith(("file:", "data:")):
            self.faults.append(request.url)

    def draw(self) -> None:
        """Scroll through the page, so that all charts are drawn."""
        for place in self.page.locator(".drawing").all():
            place.scroll_into_view_if_needed()
        self.page.wait_for_function(
            "document.querySelectorAll('.drawing:not(.drawn)').length === 0"
        )


def test_all_charts_are_drawn_with_the_figures_of_report(
    demo: Command, here: Path, browser: "Browser"
) -> None:
    opened = Opened(browser, here / "page.html")
    opened.draw()
    assert opened.page.locator(".drawing").count() >= 8
    labels = opened.page.locator("#d0-leaderboard-0 svg text").all_text_contents()
    rows = json.loads(demo("report", "-m", "nDCG@10", "--format", "json").out)
    assert {f"{row['value']:.4f}" for row in rows} <= set(labels)
    assert {row["run"] for row in rows} <= set(labels)
    for place in opened.page.locator(".drawing").all():
        assert place.locator("svg").count() == 1
        assert place.get_attribute("aria-label")
    assert opened.faults == []


def test_tables_are_sorted_by_their_exact_values(
    here: Path,
    demo: Command,  # noqa: ARG001
    browser: "Browser",
) -> None:
    opened = Opened(browser, here / "page.html")
    table = opened.page.locator("#d0-leaderboard table")
    heading = table.locator("th", has_text=re.compile(r"^\s*AP\b"))
    heading.locator("button").focus()
    opened.page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "descending"
    column = heading.evaluate("cell => cell.cellIndex")

    def values() -> list[float]:
        cells = table.locator(f"tbody tr :nth-child({column + 1})").all()
        return [float(cell.get_attribute("data-value") or "nan") for cell in cells]

    assert values() == sorted(values(), reverse=True)
    opened.page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    assert values() == sorted(values())
    assert opened.faults == []


def test_queries_are_searched_filtered_and_explained(
    here: Path,
    demo: Command,  # noqa: ARG001
    browser: "Browser",
) -> None:
    opened = Opened(browser, here / "page.html")
    page = opened.page
    rows = page.locator(".queries > .scroll tbody tr")
    assert rows.count() == 20
    page.locator("input[type=search]").fill("headphones")
    assert rows.count() == 1
    assert page.locator(".count").inner_text() == "1 of 20 queries"
    rows.locator("a").focus()
    page.keyboard.press("Enter")
    panel = page.locator(".explained")
    assert panel.is_visible()
    assert "Query q04" in panel.inner_text()
    assert "headphones-wireless-anc-black-349" in panel.inner_text()
    page.locator("input[type=search]").fill("")
    page.locator("select[name=which]").select_option("won")
    gained = page.locator(".queries > .scroll tbody td.better")
    assert gained.count() == rows.count() > 0
    # The address of the query opens it again.
    again = Opened(browser, here / "page.html", "#q=q04")
    assert "Query q04" in again.page.locator(".explained").inner_text()
    assert opened.faults == again.faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
def test_nothing_keeps_anybody_out(
    here: Path,
    demo: Command,  # noqa: ARG001
    browser: "Browser",
    scheme: str,
    width: int,
) -> None:
    opened = Opened(
        browser,
        here / "page.html",
        "#q=q04",
        color_scheme=scheme,
        viewport={"width": width, "height": 800},
    )
    opened.draw()
    found: Any = library("axe_playwright_python.sync_playwright").Axe().run(opened.page)
    violations: list[dict[str, Any]] = found.response["violations"]
    serious = [
        (one["id"], [node["html"][:200] for node in one["nodes"][:3]])
        for one in violations
        if one["impact"] in ("serious", "critical")
    ]
    assert serious == []
    # The page itself never scrolls sideways; wide tables do, by themselves.
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.usefixtures("demo")
def test_printing_draws_everything(here: Path, browser: "Browser") -> None:
    opened = Opened(browser, here / "page.html")
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    opened.page.wait_for_function(
        "document.querySelectorAll('.drawing:not(.drawn)').length === 0"
    )
    assert opened.page.pdf().startswith(b"%PDF")


def test_hostile_texts_do_nothing(
    ndcg: Command, here: Path, browser: "Browser"
) -> None:
    texts = [
        "<script>window.hit = 1</script>",
        "</script><img src=x onerror='window.hit = 1'>",
        "\"><svg onload='window.hit = 1'>",
        "\u202egnp.exe",
        "x" * 5000,
    ]
    judged = [{"query_id": q, "doc_id": d, "grade": 1} for q in texts for d in texts]
    ranked = [
        {"query_id": q, "doc_id": d, "score": float(s * r), "run": run}
        for r, run in enumerate(texts[:2])
        for q in texts
        for s, d in enumerate(texts)
    ]
    told = [
        {"query_id": q, "text": q, "kind": texts[i % 2]} for i, q in enumerate(texts)
    ]
    for name, rows in (("j", judged), ("r", ranked), ("q", told)):
        (here / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert ndcg("load", "judgments", "j.jsonl").code == 0
    assert ndcg("load", "run", "r.jsonl").code == 0
    assert ndcg("load", "queries", "q.jsonl").code == 0
    assert ndcg("report", "--html", "page.html").code == 0
    opened = Opened(browser, here / "page.html")
    opened.draw()
    page = opened.page
    page.locator(".queries > .scroll tbody a").first.click()
    for place in page.locator(".drawing svg").all()[:4]:
        place.hover()
    assert page.evaluate("window.hit") is None
    assert page.locator("main img, main script").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    assert opened.faults == []


def test_ten_thousand_queries_open_at_once(
    ndcg: Command, here: Path, browser: "Browser"
) -> None:
    duckdb.execute(
        "copy (select 'q' || q as query_id, 'd' || (q * 7 + k) % 997 as doc_id,"
        " 1 + k % 3 as grade from range(10000) a(q), range(3) b(k)) to 'j.parquet'"
    )
    duckdb.execute(
        "copy (select 'run' || r as run, 'q' || q as query_id, 'd' || d as doc_id,"
        " hash(q, d, r) % 1000000 as score from range(10000) a(q), range(5) c(r),"
        " range(12) b(k), (select (q * 7 + k - 4) % 997 as d) where d >= 0)"
        " to 'r.parquet'"
    )
    assert ndcg("load", "judgments", "j.parquet").code == 0
    assert ndcg("load", "run", "r.parquet").code == 0
    assert ndcg("report", "-m", "nDCG@10 AP RR P@5", "--html", "page.html").code == 0
    assert (here / "page.html").stat().st_size < 5_000_000
    began = time.monotonic()
    opened = Opened(browser, here / "page.html")
    opened.page.wait_for_selector(".drawn")
    # Two seconds, on a machine that is twice as slow.
    assert time.monotonic() - began < 4
    count = opened.page.locator(".count")
    assert count.inner_text() == "10000 of 10000 queries"
    began = time.monotonic()
    opened.page.locator("input[type=search]").fill("q99")
    assert count.inner_text() == "111 of 10000 queries"
    opened.page.locator(".queries thead button").last.click()
    assert time.monotonic() - began < 1
    assert opened.faults == []
