"""What happens on a page where somebody points, clicks and types."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.browsing import Opened, Show
from support.commands import Command

if TYPE_CHECKING:
    pass

pytestmark = pytest.mark.browser


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


def test_lines_show_where_documents_moved(demo_page: Show) -> None:
    view: Any = {"width": 1280, "height": 900}
    opened = demo_page("q06", viewport=view)
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


def test_what_somebody_points_at_is_named(demo_page: Show) -> None:
    opened = demo_page()
    opened.draw()
    page, tooltip = opened.page, opened.page.locator(".tooltip")
    told = {
        "#d0-distribution-0 .mark-rect.role-mark path": r"run: \w+\nvalue from: .*",
        "#d0-comparison-0 .mark-rect.role-mark path": r"query: q\d+\ndifference: .*",
        "#d0-comparison-1 .mark-symbol.role-mark path": r"query: q\d+\nbaseline: .*",
        "#d0-slices-0 .mark-symbol.role-mark path": r"slice: .*\ndifference: .*",
    }
    for place, text in told.items():
        page.locator(place).first.hover(force=True)
        assert re.match(text, tooltip.inner_text()), place
    page.locator("h1").hover()
    tooltip.wait_for(state="hidden")


def test_the_list_is_sorted_by_its_headings(demo_page: Show) -> None:
    opened = demo_page()
    page = opened.page
    cells = page.locator(".list tbody td.difference")

    def differences() -> list[float]:
        return [float(text) for text in cells.all_inner_texts()]

    # At first, the queries that differ most come first.
    sizes = [abs(value) for value in differences()]
    assert sizes == sorted(sizes, reverse=True)
    heading = page.locator(".list thead th", has_text="difference")
    heading.locator("button").click()
    assert heading.get_attribute("aria-sort") == "ascending"
    assert differences() == sorted(differences())
    # The heading keeps the focus.
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "descending"
    assert differences() == sorted(differences(), reverse=True)
    run = page.locator(".list thead th", has_text="keyword")
    run.locator("button").click()
    column = run.evaluate("cell => cell.cellIndex")
    texts = page.locator(f".list tbody tr :nth-child({column + 1})").all_inner_texts()
    values = [float(text) for text in texts if text]
    assert values == sorted(values)


def test_runs_and_outcomes_are_chosen(demo_page: Show) -> None:
    opened = demo_page()
    page = opened.page
    rows = page.locator(".list tbody tr")
    page.locator("select[name=baseline]").select_option(label="keyword")
    page.locator("select[name=candidate]").select_option(label="bm25")
    found: dict[str, int] = {}
    for which, sign in (("lost", "lost"), ("won", "won"), ("tied", None)):
        page.locator("select[name=which]").select_option(which)
        found[which] = rows.count()
        if sign is not None:
            assert page.locator(f".list td.{sign}").count() == rows.count()
        for row in rows.all():
            values = {
                run: float(row.locator(f"[data-label={run}]").inner_text())
                for run in ("keyword", "bm25")
            }
            told = float(row.locator(".difference").inner_text())
            expected = values["bm25"] - values["keyword"]
            assert told == pytest.approx(expected, abs=2e-4)
    compared = page.locator(".list tbody")
    assert sum(found.values()) == 20
    assert min(found.values()) > 0
    page.locator("select[name=which]").select_option("explained")
    assert rows.count() == 20
    # What is open follows the choice.
    compared.locator("button").first.click()
    page.locator("select[name=baseline]").select_option(label="hybrid")
    heads = page.locator(".explained .side caption .run")
    assert heads.all_inner_texts() == ["hybrid", "bm25"]


def test_tiles_and_links_lead_to_what_they_name(demo_page: Show) -> None:
    view = {"width": 1280, "height": 900}
    opened = demo_page(viewport=view)
    page = opened.page
    for link in [*page.locator("nav a").all(), *page.locator("a.tile").all()]:
        page.evaluate("scrollTo(0, 0)")
        href = link.get_attribute("href") or ""
        link.click()
        if query := link.get_attribute("data-query"):
            assert f"Query {query}" in page.locator(".explained").inner_text()
            page.keyboard.press("Escape")
        else:
            box = page.locator(f"{href} h3").bounding_box()
            assert box
            assert 0 <= box["y"] < 900, href
    # The first stop of the keyboard skips the links.
    page.goto(page.url.partition("#")[0])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#content"


def test_charts_follow_the_dark_setting(demo_page: Show) -> None:
    opened = demo_page()
    opened.draw()
    lines = opened.page.locator("#d0-curves-0 .mark-line.role-mark path")

    def colours() -> list[str]:
        return lines.evaluate_all(
            "own => own.map(path => getComputedStyle(path).stroke)"
        )

    light = colours()
    opened.page.emulate_media(color_scheme="dark")
    opened.page.wait_for_function(
        "old => getComputedStyle(document.querySelector('#d0-curves-0"
        " .mark-line.role-mark path')).stroke !== old",
        arg=light[0],
    )
    swatches = opened.page.locator("#d0-leaderboard tbody .run").evaluate_all(
        "own => own.map(run => getComputedStyle(run, '::before').backgroundColor)"
    )
    assert set(colours()) == set(swatches)


def test_a_query_fills_a_phone(demo_page: Show) -> None:
    view = {"width": 390, "height": 844}
    opened = demo_page(viewport=view)
    page, panel = opened.page, opened.page.locator(".explained")
    link = page.locator(".list tbody button").first
    query = link.inner_text()
    link.click()
    box = panel.bounding_box()
    assert box == {"x": 0, "y": 0, **view}
    assert f"Query {query}" in panel.inner_text()
    panel.get_by_role("button", name="Close").click()
    assert panel.is_hidden()
    assert link.is_visible()


def _many(ndcg: Command, runs: int, queries: int) -> None:
    """Load runs that get worse one by one, and queries of two kinds or of none."""
    names = [f"q{q:03}" for q in range(queries)]
    kinds = [f"{q},{'ab'[n % 2]}\n" for n, q in enumerate(names) if n % 5]
    Path("q.csv").write_text("query_id,kind\n" + "".join(kinds))
    Path("judged").write_text("".join(f"{q} 0 d 1\n" for q in names))
    for r in range(runs):
        lines = (
            f"{q} Q0 {'d' if k == (r + n) % (r + 2) else f'x{k}'} {k} {-k} t\n"
            for n, q in enumerate(names)
            for k in range(12)
        )
        Path(f"run{r:02}").write_text("".join(lines))
    assert ndcg("load", "judgments", "judged").code == 0
    assert ndcg("load", "queries", "q.csv").code == 0
    assert ndcg("load", "run", *(f"run{r:02}" for r in range(runs))).code == 0
    assert ndcg("report", "-m", "nDCG@10", "--html", "many.html").code == 0


def test_pages_of_the_list_and_unknown_attributes(ndcg: Command, show: Show) -> None:
    _many(ndcg, 2, 120)
    opened = show(file="many.html")
    page = opened.page
    rows = page.locator(".list tbody tr")
    back, after = (page.locator(f".pages button[name={n}]") for n in ("back", "next"))
    seen: list[str] = []
    for number, count in ((1, 50), (2, 50), (3, 20)):
        assert page.locator(".page").inner_text() == f"Page {number} of 3"
        assert (back.is_disabled(), after.is_disabled()) == (number == 1, number == 3)
        assert rows.count() == count
        seen += rows.locator("button").all_inner_texts()
        if number < 3:
            after.click()
    assert len(set(seen)) == 120
    back.click()
    assert rows.locator("button").all_inner_texts() == seen[50:100]
    # The next query of an open one is on the next page.
    rows.locator("button").last.click()
    page.locator(".steps button[name=after]").click()
    assert f"Query {seen[100]}" in page.locator(".explained").inner_text()
    assert page.locator(".page").inner_text() == "Page 3 of 3"
    page.keyboard.press("Escape")
    page.locator("select[data-attribute=kind]").select_option("not known")
    assert page.locator(".count").inner_text() == "24 of 120 queries"
    opened.draw()
    page.locator("select[data-attribute=kind]").select_option("all")
    page.get_by_role("button", name="not known").click()
    assert page.locator(".count").inner_text() == "24 of 120 queries"


_INNER_POINT = """
(all, run) => all.indexOf(all.filter(one => one.__data__.datum.run === run).at(-2))
"""


def test_lines_of_many_runs_are_grey_and_named_on_pointing(
    ndcg: Command, show: Show
) -> None:
    _many(ndcg, 20, 30)
    opened = show(file="many.html")
    opened.draw()
    page, tooltip = opened.page, opened.page.locator(".tooltip")
    board = page.locator("#d0-leaderboard tbody th").all_inner_texts()
    runs = [name.strip() for name in board]
    assert len(runs) == 20
    for chart in ("#d0-curves-0", "#d0-curves-1"):
        lines = page.locator(f"{chart} .mark-line.role-mark path")
        drawn = {
            line.evaluate("own => own.__data__.datum.run"): line for line in lines.all()
        }
        assert set(drawn) == set(runs)
        grey = page.evaluate(
            "getComputedStyle(document.documentElement).getPropertyValue('--run-more')"
        )
        # The colours are those of the leaderboard, whatever a curve does.
        colours = {run: drawn[run].get_attribute("stroke") for run in runs}
        assert [run for run in runs if colours[run] != grey] == runs[:8]
        labels = page.locator(f"{chart} .mark-text.role-mark text")
        assert set(labels.all_text_contents()) == set(runs[:8])
        # The points of the lines are where somebody points.
        own = page.locator(f"{chart} .mark-symbol.role-mark path")
        for run in (runs[-1], runs[8], runs[0]):
            place = own.evaluate_all(_INNER_POINT, run)
            own.nth(place).scroll_into_view_if_needed()
            box = own.nth(place).bounding_box()
            assert box
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            assert re.match(r"run: run\d\d\n\w+: .*\nvalue: ", tooltip.inner_text())
            named = tooltip.inner_text().partition("\n")[0].removeprefix("run: ")
            # Vega draws it a moment later.
            thick = page.locator(f"{chart} .mark-line path[stroke-width='3']")
            thick.wait_for(state="attached", timeout=5000)
            assert thick.evaluate("own => own.__data__.datum.run") == named
        page.locator("h1").hover()
    told = page.locator("#d0-curves-0 figcaption").inner_text()
    assert "grey: 12 other runs" in told
    # Charts with a row for each run have the best alone, and say so.
    told = page.locator("#d0-distribution-0 figcaption").inner_text()
    assert "the best 8 of 20 runs" in told
