"""Pages of the demo, as browsers show them."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.browsing import Opened, Show
from support.commands import Command, Once

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
