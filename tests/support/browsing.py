"""A page opened in a browser."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request


def open_query(page: "Page", query: str) -> None:
    """Click a query in the list."""
    page.locator(".list tbody").get_by_role("button", name=query, exact=True).click()


class Opened:
    """A page, with a query opened, and what went wrong in it."""

    def __init__(self, browser: "Browser", file: Path, query: str = "", **view: Any):
        self.page: Page = browser.new_page(**view)
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda told: self.faults.append(told.text))
        self.page.on("request", self._asked)
        self.page.goto(file.resolve().as_uri())
        self.page.wait_for_selector("html[data-ready]")
        if query:
            open_query(self.page, query)

    def _asked(self, request: "Request") -> None:
        if not request.url.startswith(("file:", "data:")):
            self.faults.append(request.url)

    def draw(self) -> None:
        """Scroll through the page, so that all charts are drawn."""
        for place in self.page.locator(".drawing").all():
            place.scroll_into_view_if_needed()
        self.page.wait_for_selector(".drawing:not(.drawn)", state="detached")


# Takes a query to open, the name of a file, and how wide the browser is.
Show = Callable[..., Opened]
