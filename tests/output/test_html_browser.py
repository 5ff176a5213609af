"""Pages in a real browser: charts, sorting, searching, keyboard, accessibility."""

import json
import re
import time
from collections.abc import Callable
from io import BytesIO
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import pytest

from ndcg_sql.reports import overview
from support.browsing import Show
from support.commands import Command
from support.libraries import library

if TYPE_CHECKING:
    from playwright.sync_api import FloatRect

pytestmark = pytest.mark.browser


def test_all_charts_are_drawn_with_the_figures_of_report(
    demo: Command, demo_page: Show
) -> None:
    opened = demo_page()
    opened.draw()
    assert opened.page.locator(".drawing").count() >= 7
    labels = opened.page.locator("#d0-distribution-0 svg text").all_text_contents()
    rows = json.loads(demo("report", "-m", "nDCG@10", "--format", "json").out)
    assert {row["run"] for row in rows} <= set(labels)
    for place in opened.page.locator(".drawing").all():
        assert place.locator("svg").count() == 1
        assert place.get_attribute("aria-label")


def test_tables_are_sorted_by_their_exact_values(
    demo_page: Show,
) -> None:
    opened = demo_page()
    table = opened.page.locator("#d0-leaderboard table")
    opened.page.locator("#d0-leaderboard .switch").get_by_label("AP").check()
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


def test_queries_are_searched_filtered_and_explained(
    demo_page: Show,
) -> None:
    opened = demo_page()
    page = opened.page
    rows = page.locator(".queries .list tbody tr")
    assert rows.count() == 20
    page.locator("input[type=search]").fill("headphones")
    assert rows.count() == 1
    assert page.locator(".count").inner_text() == "1 of 20 queries"
    rows.locator("button").focus()
    page.keyboard.press("Enter")
    panel = page.locator(".explained")
    assert panel.is_visible()
    assert "Query q04" in panel.inner_text()
    assert "headphones-wireless-anc-black-349" in panel.inner_text()
    page.locator("input[type=search]").fill("")
    page.locator("select[name=which]").select_option("won")
    gained = page.locator(".queries .list tbody td.won")
    assert gained.count() == rows.count() > 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
def test_nothing_keeps_anybody_out(
    demo_page: Show,
    scheme: str,
    width: int,
) -> None:
    opened = demo_page(
        "q04",
        color_scheme=scheme,
        viewport={"width": width, "height": 800},
    )
    opened.draw()
    found: Any = library("axe_playwright_python.sync_playwright").Axe().run(opened.page)
    violations: list[dict[str, Any]] = found.response["violations"]
    told = [
        (one["id"], [node["html"][:200] for node in one["nodes"][:3]])
        for one in violations
    ]
    assert told == []
    # The page itself never scrolls sideways; wide tables do, by themselves.
    assert opened.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_query_opens_beside_the_list_and_closes(demo_page: Show) -> None:
    view = {"width": 1280, "height": 900}
    opened = demo_page(viewport=view)
    page, panel = opened.page, opened.page.locator(".explained")
    links = page.locator(".list tbody button")
    first, second = links.nth(0).inner_text(), links.nth(1).inner_text()
    links.nth(0).click()
    assert f"Query {first}" in panel.inner_text()
    # The links above stay, and hide nothing of what was opened.
    links_above = page.locator("nav").bounding_box()
    heading = page.locator("#d0-queries-title").bounding_box()
    assert links_above
    assert heading
    assert heading["y"] >= links_above["y"] + links_above["height"]
    # Beside the list, and every column of it can be seen.
    edge = panel.bounding_box()
    listed = page.locator(".list").bounding_box()
    assert edge
    assert listed
    assert listed["x"] + listed["width"] <= edge["x"]
    for cell in panel.locator("th, td").all():
        box = cell.bounding_box()
        assert box
        assert box["x"] + box["width"] <= edge["x"] + edge["width"] <= 1280
    panel.get_by_role("button", name="Next").click()
    assert f"Query {second}" in panel.inner_text()
    panel.get_by_role("button", name="Previous").click()
    assert f"Query {first}" in panel.inner_text()
    assert panel.get_by_role("button", name="Previous").is_disabled()
    panel.get_by_role("button", name="Close").click()
    assert panel.is_hidden()
    links.nth(1).click()
    page.keyboard.press("Escape")
    assert panel.is_hidden()
    assert page.evaluate("document.activeElement.textContent") == second


def test_the_headings_of_cards_are_hidden(demo_page: Show) -> None:
    view = {"width": 390, "height": 800}
    opened = demo_page(viewport=view)
    # However wide a table is: each value has its heading beside it.
    for head in opened.page.locator(".sortable thead, .list thead").all():
        box = head.bounding_box()
        assert box
        assert max(box["width"], box["height"]) <= 1


def test_a_slice_leads_to_its_queries(demo_page: Show) -> None:
    opened = demo_page()
    page = opened.page
    page.get_by_role("button", name="mobile").first.click()
    chosen = page.locator("select[data-attribute=device]")
    assert chosen.locator("option:checked").inner_text() == "mobile"
    count = page.locator(".count").inner_text()
    assert re.fullmatch(r"1?\d of 20 queries", count)


def test_tables_show_one_measure(demo_page: Show) -> None:
    opened = demo_page()
    board = opened.page.locator("#d0-leaderboard .table")
    headings = board.locator("thead th:visible").all_inner_texts()
    assert any(text.startswith("nDCG@10") for text in headings)
    assert not any(text.startswith("AP") for text in headings)
    compared = opened.page.locator("#d0-comparison .table")
    assert compared.locator("tbody tr:visible").count() == 2
    # The switch names the measure, unless there are several.
    measure = compared.locator("thead th", has_text=re.compile(r"^measure"))
    assert measure.is_hidden()
    compared.get_by_label("all").check()
    assert compared.locator("tbody tr:visible").count() == 8
    assert measure.is_visible()


def test_a_run_has_one_colour(demo_page: Show) -> None:
    opened = demo_page()
    opened.draw()
    page = opened.page
    for place, run in enumerate(("hybrid", "bm25", "keyword")):
        swatch = page.evaluate(
            "run => [...new Set([...document.querySelectorAll('.table .run')]"
            ".filter(own => own.textContent === run).map(own =>"
            " getComputedStyle(own, '::before').backgroundColor))]",
            run,
        )
        assert len(swatch) == 1
        lines = page.locator("#d0-curves-0 .mark-line path")
        drawn = lines.evaluate_all(
            "paths => paths.map(path => getComputedStyle(path).stroke)"
        )
        assert swatch[0] in drawn, (place, run)
        bars = page.locator("#d0-distribution-0 .mark-rect path")
        filled = bars.evaluate_all(
            "paths => paths.map(path => getComputedStyle(path).fill)"
        )
        assert swatch[0] in filled, (place, run)


def test_runs_stand_in_the_order_of_the_leaderboard(demo_page: Show) -> None:
    opened = demo_page()
    opened.draw()
    runs = ["hybrid", "bm25", "keyword"]
    tables = opened.page.locator("#d0-leaderboard table, #d0-judged table")
    assert tables.count() == 2
    for table in tables.all():
        names = table.locator("tbody th").all_inner_texts()
        assert [name.strip() for name in names] == runs
    heights: list[float] = []
    for run in runs:
        name = opened.page.locator("#d0-distribution-0 svg").get_by_text(run)
        box = name.first.bounding_box()
        assert box
        heights.append(box["y"])
    assert heights == sorted(heights)


def test_no_half_of_a_wide_page_is_empty(demo_page: Show) -> None:
    size = {"width": 1920, "height": 1080}
    opened = demo_page(viewport=size)
    opened.draw()

    def box(place: str) -> "FloatRect":
        shown = opened.page.locator(place).bounding_box()
        assert shown is not None
        return shown

    whole = box("#d0-distribution")["width"]
    assert box("#d0-distribution-0 svg")["width"] > 0.95 * whole
    # A single chart has its tables beside it, several stand above them.
    chart, table = box("#d0-history-0"), box("#d0-history .tables")
    assert table["x"] > chart["x"] + chart["width"]
    assert table["y"] < chart["y"] + chart["height"] / 2
    assert table["x"] + table["width"] <= whole + chart["x"]
    charts, table = box("#d0-comparison .charts"), box("#d0-comparison .tables")
    assert table["y"] >= charts["y"] + charts["height"]
    opened.page.set_viewport_size({"width": 390, "height": 844})
    chart, table = box("#d0-history-0"), box("#d0-history .tables")
    assert table["y"] >= chart["y"] + chart["height"]


def test_charts_of_slices_are_those_of_the_tables(demo_page: Show) -> None:
    opened = demo_page()
    opened.draw()
    page = opened.page
    charts = page.locator("#d0-slices .drawing svg")
    tables = page.locator("#d0-slices table")
    assert charts.count() == tables.count() == 3
    axes: set[tuple[str, ...]] = set()
    for chart, table in zip(charts.all(), tables.all(), strict=True):
        listed = table.locator("tbody tr").filter(has_text="bm25").locator("th")
        names = listed.all_inner_texts()
        boxes = [chart.get_by_text(name, exact=True).bounding_box() for name in names]
        heights = [box["y"] for box in boxes if box]
        assert heights == sorted(heights)
        assert len(heights) == len(names)
        texts = chart.locator("text").all_text_contents()
        axes.add(tuple(text for text in texts if re.fullmatch(r"\W?\d\.\d", text)))
    assert len(axes) == 1


def test_slices_and_comparisons_are_shown_as_a_whole(demo_page: Show) -> None:
    size = {"width": 1280, "height": 900}
    opened = demo_page(viewport=size)
    tables = opened.page.locator("#d0-slices .scroll, #d0-comparison .scroll")
    assert tables.count() == 4
    for table in tables.all():
        assert table.evaluate("own => own.scrollWidth - own.clientWidth") == 0


def test_a_gate_is_seen_at_once(demo: Command, demo_page: Show) -> None:
    assert demo("gate", "hybrid", "bm25", "--html", "gate.html").code == 1
    size = {"width": 1280, "height": 900}
    opened = demo_page(file="gate.html", viewport=size)
    tiles = [tile.bounding_box() for tile in opened.page.locator(".tile").all()]
    assert len(tiles) == 5
    assert len({tile["y"] for tile in tiles if tile}) == 1
    # No name of a slice is wrapped.
    part = opened.page.locator("#d0-gate tbody tr").first.locator("bdi")
    lines = """own => own.getBoundingClientRect().height
        / parseFloat(getComputedStyle(own).lineHeight)"""
    assert part.inner_text() == "all queries"
    assert part.evaluate(lines) == pytest.approx(1, abs=0.2)


def test_printing_draws_everything(demo_page: Show) -> None:
    opened = demo_page()
    opened.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    opened.page.wait_for_selector(".drawing:not(.drawn)", state="detached")
    pages = library("pypdf").PdfReader(BytesIO(opened.page.pdf())).pages
    # No page is left half empty by charts that could stand on one.
    assert 3 < len(pages) <= 9
    sizes: list[float] = []

    def visit(text: str, cm: Any, tm: Any, _font: Any, size: float) -> None:
        # Titles of axes are turned.
        if text.strip():
            sizes.append(size * hypot(tm[2], tm[3]) * hypot(cm[2], cm[3]))

    for page in pages:
        page.extract_text(visitor_text=visit)
    # In points: what is wider than the paper would be drawn smaller.
    assert min(sizes) > 6
    # Swatches and intervals are drawn as backgrounds, which browsers leave out.
    opened.page.emulate_media(media="print")
    for part in (".run", ".range", ".list td.value"):
        printed = opened.page.locator(part).first.evaluate(
            "own => getComputedStyle(own, '::before').printColorAdjust"
        )
        assert printed == "exact", part
    text = "".join(page.extract_text() for page in pages)
    assert "0.7497 to 0.9536" in text


def test_hostile_texts_do_nothing(
    write_page: Callable[[list[str]], None], show: Show
) -> None:
    write_page(
        [
            "<script>window.hit = 1</script>",
            "</script><img src=x onerror='window.hit = 1'>",
            "\"><svg onload='window.hit = 1'>",
            "\u202egnp.exe",
            "x" * 5000,
        ]
    )
    opened = show()
    opened.draw()
    page = opened.page
    page.locator(".queries .list tbody button").first.click()
    for place in page.locator(".drawing svg").all()[:4]:
        place.hover()
    assert page.evaluate("window.hit") is None
    assert page.locator("main img, main script").count() == 0
    axe = library("axe_playwright_python.sync_playwright").Axe()
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        violations = axe.run(page).response["violations"]
        assert [one["id"] for one in violations] == []


def test_ten_thousand_queries_open_at_once(ndcg: Command, show: Show) -> None:
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
    assert Path("page.html").stat().st_size < 5_000_000
    began = time.monotonic()
    opened = show()
    opened.page.wait_for_selector(".drawn")
    # Two seconds on a quiet machine; a page that draws every row takes minutes.
    assert time.monotonic() - began < 12
    count = opened.page.locator(".count")
    assert count.inner_text() == "10,000 of 10,000 queries"
    began = time.monotonic()
    opened.page.locator("input[type=search]").fill("q99")
    assert count.inner_text() == "111 of 10,000 queries"
    opened.page.locator(".list thead button").nth(1).click()
    # Half a second on a quiet machine.
    assert time.monotonic() - began < 4


def test_the_hint_on_a_ranking_that_is_left_out_can_be_pasted(
    ndcg: Command, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(overview, "MOST_EXPLAINED", 0)
    Path("qrels").write_text("q1 0 a 1\n")
    Path("run").write_text("q1 Q0 a 1 1 t\n")
    assert ndcg("load", "judgments", "qrels").code == 0
    assert ndcg("load", "run", "run", "--name=-x").code == 0
    assert ndcg("report", "--html", "page.html").code == 0
    opened = show("q1")
    told = opened.page.locator(".explained p").last.inner_text()
    command = told.partition("To see them, run ndcg-sql ")[2]
    assert command == "explain --dataset default --judgments qrels -- -x q1"
    assert ndcg(*command.split()).code == 0
