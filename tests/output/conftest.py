"""Pages of the demo, as browsers show them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.browsing import Opened, Show
from support.commands import Command, Once
from support.files import json_lines

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def demo(ndcg: Command, once: Once) -> Command:
    """Put the demo where commands find it."""
    once(lambda: ndcg("demo"))
    return ndcg


@pytest.fixture
def show(here: Path, browser: "Browser") -> Iterator[Show]:
    """Give what opens a page, in which nothing may go wrong."""
    opened: list[Opened] = []

    def page(query: str = "", file: str = "page.html", **view: Any) -> Opened:
        opened.append(Opened(browser, here / file, query, **view))
        return opened[-1]

    yield page
    assert [one.faults for one in opened] == [[]] * len(opened)


@pytest.fixture
def demo_page(demo: Command, show: Show, once: Once) -> Show:
    """Write the page of the demo; give what opens it."""

    def write() -> None:
        demo("report", "--html", "page.html")

    once(write)
    return show


@pytest.fixture
def write_page(ndcg: Command, here: Path) -> Callable[[list[str]], None]:
    """Give what writes a page of which all texts, ids and names are some."""

    def write(texts: list[str]) -> None:
        rows: dict[str, list[object]] = {
            "judgments": [
                {"query_id": q, "doc_id": d, "grade": 1} for q in texts for d in texts
            ],
            "run": [
                {"query_id": q, "doc_id": d, "score": 1.0 + s * r, "run": run}
                for r, run in enumerate(texts[:2])
                for q in texts
                for s, d in enumerate(texts)
            ],
            "queries": [
                {"query_id": q, "text": q, "kind": texts[n % 2]}
                for n, q in enumerate(texts)
            ],
        }
        for kind, items in rows.items():
            (here / f"{kind}.jsonl").write_text(json_lines(items))
            assert ndcg("load", kind, f"{kind}.jsonl").code == 0
        assert ndcg("report", "--html", "page.html").code == 0

    return write
