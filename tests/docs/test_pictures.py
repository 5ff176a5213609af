"""The pictures of pages and notebooks in the documentation show what there is."""

import json
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support import pictures
from support.browsing import open_query
from support.commands import Command, Once
from support.pages import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
# As Jupyter shows cells.
_STYLE = """
body { margin: 0; padding: 12px 16px; width: 860px; background: white; color: #000;
  font: 14px/1.4 system-ui, "Liberation Sans", "DejaVu Sans", sans-serif; }
.cell { display: grid; grid-template-columns: 3.2rem 1fr; margin-bottom: 10px; }
.prompt { color: #307fc1; font: 13px/1.6 monospace; padding-top: 7px; }
.out { color: #bf5b3d; }
pre { margin: 0; font: 13px/1.45 "DejaVu Sans Mono", monospace; padding: 6px 8px;
  white-space: pre-wrap; }
.code { background: #f5f5f5; border: 1px solid #dcdcdc; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 4px 9px; }
tbody tr:nth-child(odd) { background: #f5f5f5; }
thead { border-bottom: 1px solid #bdbdbd; }
"""


@pytest.fixture
def demo(ndcg: Command, once: Once, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ("report", "--html", "report.html")

    def fill() -> None:
        ndcg("demo")
        # The page names the command that wrote it.
        monkeypatch.setattr(sys, "argv", ["ndcg-sql", *command])
        assert ndcg(*command).code == 0

    once(fill)


def _opened(browser: "Browser", address: str, width: int) -> "Page":
    page = browser.new_page(viewport={"width": width, "height": 1000})
    page.goto(Path().resolve().as_uri() + "/" + address)
    page.wait_for_selector("html[data-ready]")
    return page


def _texts(page: "Page", *places: str) -> list[str]:
    """Return the texts of places, in their order on the page."""
    texts = page.locator(", ".join(places)).all_inner_texts()
    return [" ".join(text.split()) for text in texts if text.strip()]


@pytest.mark.usefixtures("demo")
def test_the_picture_of_a_report_is_current(browser: "Browser") -> None:
    page = _opened(browser, "report.html", 1280)
    charts = page.locator("#d0-curves .drawing")
    for chart in charts.all():
        chart.scroll_into_view_if_needed()
    page.wait_for_selector("#d0-curves .drawing:not(.drawn)", state="detached")
    page.evaluate("scrollTo(0, 0)")
    end = page.locator("#d0-curves .charts").bounding_box()
    assert end is not None
    height = end["y"] + end["height"]
    clip: Any = {"x": 0, "y": 0, "width": 1280, "height": height}
    drawn = page.screenshot(clip=clip, full_page=True)
    shown = ("h1", "h1 + .about code", ".verdict p", ".tile", "#d0-curves figcaption")
    texts = _texts(page, *shown, "#d0-leaderboard tr")
    texts += charts.locator("svg text").all_text_contents()
    pictures.check("report.png", drawn, texts)


@pytest.mark.usefixtures("demo")
def test_the_picture_of_a_query_is_current(browser: "Browser") -> None:
    page = _opened(browser, "report.html", 1500)
    open_query(page, "q06")
    query = page.locator("#d0-queries .explained")
    query.wait_for()
    drawn = page.locator("#d0-queries .halves").screenshot()
    rows = "#d0-queries .list tr"
    texts = _texts(page, rows, *(f"#d0-queries .explained {p}" for p in ("h4", "tr")))
    pictures.check("query.png", drawn, texts)


def test_the_picture_of_a_notebook_is_current(browser: "Browser") -> None:
    text = (ROOT / "examples" / "search.ipynb").read_text(encoding="utf-8")
    cells = json.loads(text)["cells"]
    first, *_, last = [cell for cell in cells if _drawn(cell)]
    chosen = [first, last]
    page = browser.new_page(viewport={"width": 892, "height": 600})
    page.set_content(f"<style>{_STYLE}</style>" + "".join(map(_cell, chosen)))
    texts = _texts(page, "pre", "table tr", "p")
    texts += page.locator("svg text").all_text_contents()
    pictures.check("notebook.png", page.screenshot(full_page=True), texts)


def _drawn(cell: dict[str, Any]) -> bool:
    """Tell whether a cell of a notebook shows more than text."""
    return any(
        {"text/html", "image/svg+xml"} & shown.get("data", {}).keys()
        for shown in cell.get("outputs", [])
    )


def _cell(cell: dict[str, Any]) -> str:
    """Return a cell of a notebook as HTML."""
    number, [shown] = cell["execution_count"], cell["outputs"]
    kind = "text/html" if "text/html" in shown["data"] else "image/svg+xml"
    code = escape("".join(cell["source"]))
    return (
        f'<div class="cell"><span class="prompt">[{number}]:</span>'
        f'<pre class="code">{code}</pre></div>'
        f'<div class="cell"><span class="prompt out">[{number}]:</span>'
        f"<div>{''.join(shown['data'][kind])}</div></div>"
    )
