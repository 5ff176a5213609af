"""Open the dashboard of Superset in a browser, as a user does; keep what it shows.

    python superset_browser.py ADDRESS USER FOLDER

Runs in the environment of Superset, which has playwright. The password is in the
variable SUPERSET_PASSWORD. Writes dashboard.png and shown.json: the answer to each
chart by its name, and the errors, empty charts and answers that were no success.
"""

# Nothing of playwright is in the environment of the other tests.
# pyright: reportMissingImports=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# pyright: reportUnknownParameterType=false

import json
import os
import re
import shutil
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, Response, sync_playwright

PATIENCE = 120.0
# How long nothing may be under way before the dashboard is complete.
QUIET = 2.0
ERRORS = ".ant-alert-error, [data-test=error-message], [data-test=alert-wrapper]"
EMPTY = ".ant-empty, .chart-container img[alt=empty], [data-test=empty-state]"
LOADING = "[data-test=loading-indicator], .loading"


def log_in(page: Page, address: str, user: str) -> None:
    """Log in through the form; the login of the API takes another way."""
    page.goto(f"{address}/login/")
    page.fill("#username", user)
    page.fill("#password", os.environ["SUPERSET_PASSWORD"])
    page.click("button[type=submit], input[type=submit]")
    page.wait_for_url(re.compile(r"^(?!.*/login)"))


def opened(page: Page, address: str) -> dict[str, Any]:
    """Open the dashboard, wait until it is complete, and return what it shows."""
    found: dict[str, Any] = {}
    end = time.monotonic() + PATIENCE
    # A busy machine may still be logging in.
    while "result" not in found:
        assert time.monotonic() < end, found
        time.sleep(1)
        found = page.request.get(f"{address}/api/v1/chart/?q=(page_size:100)").json()
    names = {chart["id"]: chart["slice_name"] for chart in found["result"]}
    charts: dict[str, Any] = {}
    bad: list[str] = []
    last = time.monotonic()

    def answered(response: Response) -> None:
        nonlocal last
        if "/api/v1/" not in response.url:
            return
        last = time.monotonic()
        if response.status >= 400:
            bad.append(f"{response.status} {response.url}: {response.text()[:500]}")
        form = parse_qs(urlsplit(response.url).query).get("form_data")
        if "/chart/data" in response.url and form and response.status == 200:
            number = json.loads(form[0]).get("slice_id")
            if number in names:
                charts[names[number]] = response.json()["result"][0]

    page.on("response", answered)
    page.goto(f"{address}/superset/dashboard/search-quality/")
    end = time.monotonic() + PATIENCE
    while True:
        page.wait_for_timeout(200)
        complete = len(charts) == len(names) and not page.locator(LOADING).count()
        if (complete and time.monotonic() - last > QUIET) or bad:
            break
        if time.monotonic() > end:
            bad.append(f"no answer for {sorted(set(names.values()) - set(charts))}")
            break
    page.remove_listener("response", answered)
    return {
        "charts": charts,
        "bad": bad,
        "errors": page.locator(ERRORS).all_inner_texts(),
        "empty": page.get_by_text("No results were returned").count()
        + page.locator(EMPTY).count(),
        "drawn": page.locator(".dashboard-component-chart-holder canvas").count(),
        "tables": page.locator(".dashboard-component-chart-holder table").count(),
    }


def main() -> None:
    """Log in, open the dashboard, and write what it shows."""
    address, user, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1600, "height": 2830})
        log_in(page, address, user)
        shown = opened(page, address)
        page.screenshot(path=folder / "dashboard.png")
        (folder / "shown.json").write_text(json.dumps(shown), encoding="utf-8")
        browser.close()


if __name__ == "__main__":
    main()
