"""What happens on a page where somebody points, clicks and types."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.browsing import Opened
from support.commands import Command, Once

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


@pytest.fixture
def demo(ndcg: Command, once: Once) -> Command:
    def fill() -> None:
        ndcg("demo")
        assert ndcg("report", "--html", "page.html").code == 0

    once(fill)
    return ndcg


_DRAWN_ANEW = """
before => document.querySelector(".moves path").getAttribute("d") !== before
"""
_ENDS = """
line => line.getAttribute("d").split(/[MC ]/).filter(Boolean).map(Number)
"""
_MIDDLES = """
table => [...table.tBodies[0].rows].map(row => {
  const box = row.getBoundingClientRect();
  const frame = row.closest(".rankings").getBoundingClientRect();
  return (box.top + box.bottom) / 2 - frame.top;
})
"""


def _moves(opened: Opened) -> list[tuple[float, float, bool]]:
    """Return where lines start and end, from above, and which are relevant."""
    found: list[tuple[float, float, bool]] = []
    for line in opened.page.locator(".moves path").all():
        ends: list[float] = line.evaluate(_ENDS)
        found.append((ends[1], ends[-1], line.get_attribute("class") == "relevant"))
    return sorted(found)


def _expected(opened: Opened) -> list[tuple[Any, Any, bool]]:
    """Return the same from the texts of both tables."""
    tables = opened.page.locator(".rankings table").all()[:2]
    middles: list[list[float]] = [table.evaluate(_MIDDLES) for table in tables]
    lists = [
        {
            row.locator(".document bdi").first.inner_text(): (p, row)
            for p, row in enumerate(table.locator("tbody tr").all())
        }
        for table in tables
    ]
    found: list[tuple[Any, Any, bool]] = []
    for document, (p, row) in lists[0].items():
        if document in lists[1]:
            start = pytest.approx(middles[0][p], abs=0.6)
            end = pytest.approx(middles[1][lists[1][document][0]], abs=0.6)
            grade = row.locator(".grade").inner_text()
            found.append((start, end, grade not in ("0", "not judged")))
    return found


@pytest.mark.usefixtures("demo")
def test_lines_show_where_documents_moved(here: Path, browser: "Browser") -> None:
    view = {"width": 1280, "height": 900}
    opened = Opened(browser, here / "page.html", "#q=q06", viewport=view)
    page, drawing = opened.page, opened.page.locator(".moves")
    found = _moves(opened)
    assert found == _expected(opened)
    assert {is_relevant for _, _, is_relevant in found} == {True, False}
    # The tables say the same in words.
    assert drawing.get_attribute("aria-hidden") == "true"
    # They are drawn anew where the tables have another height.
    before = page.locator(".moves path").first.get_attribute("d")
    page.set_viewport_size({"width": 1800, "height": 900})
    page.wait_for_function(_DRAWN_ANEW, arg=before)
    assert _moves(opened) == _expected(opened)
    # Pointing at a document marks its line.
    tables = page.locator(".rankings table")
    tables.nth(0).locator("tbody tr").first.hover()
    assert page.locator(".moves .near").count() == 1
    page.locator(".explained h4").hover()
    assert page.locator(".moves .near").count() == 0
    # One ranking above the other leaves no room, and paper none for sure.
    page.set_viewport_size({"width": 390, "height": 844})
    drawing.wait_for(state="hidden")
    page.set_viewport_size(view)
    drawing.wait_for(state="visible")
    page.emulate_media(media="print")
    assert drawing.is_hidden()
    assert opened.faults == []
