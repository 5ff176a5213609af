"""Where figures put what they show, and how.

Names of curves stand at the ends of lines, in their colours, apart; each run and slice
has a row, in an order, and some are faint.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from ndcg_sql.output.figures import drawing
from ndcg_sql.output.figures.drawing import COLOURED, NATURAL, Size
from ndcg_sql.output.figures.figure import figure
from ndcg_sql.questions.outputs import points
from support.drawings import Placed, heights, placed, structure, texts

# Drawing loads a JavaScript engine, and takes seconds.
pytestmark = pytest.mark.slow

ABOUT = {"dataset": "d", "judgment_set": "j", "measure": "nDCG@10", "n": 50}
START = datetime(2026, 3, 1)
KINDS = ("cutoffs", "precision-recall", "history")
WIDTHS = ("8cm", "17cm", None)
MEANS = {"second": 0.6, "best": 0.9, "equal": 0.6, "last": 0.1}
LOST, WON, FAINT = "#d55e00", "#0072b2", "#777777"


def _rows(kind: str, ends: Sequence[float]) -> list[dict[str, Any]]:
    """Return the rows of curves, each with a long name and the value of its end."""
    found: list[dict[str, Any]] = []
    for n, end in enumerate(ends):
        name = f"hybrid-rerank-large-{n:02}"
        for step in range(1, 6):
            row = {**ABOUT, "run": name, "value": end * step / 5}
            if kind == "cutoffs":
                row |= {"cutoff": 10**step}
            elif kind == "precision-recall":
                row |= {"level": step / 5}
            else:
                at = START + timedelta(days=step)
                row |= {"tag": "model", "tag_value": name, "made_at": at}
                row["run"] = f"{name}, run {step}"
            found.append(row)
    return found


def _size(width: str | None) -> Size:
    return NATURAL if width is None else Size(points("width", width))


def _names(svg: str) -> list[Placed]:
    """Return the names of lines, from the top downwards."""
    named = [text for text in placed(svg) if text.text.startswith("hybrid")]
    return sorted(named, key=lambda text: text.y)


def _inks() -> list[str]:
    """Return the colours of names, in the order of the curves."""
    [ink] = [
        layer["encoding"]["fill"]["scale"]["range"]
        for layer in drawing.spec("curves")["layer"][1]["layer"][2]["layer"]
        if "fill" in layer["encoding"]
    ]
    return ink


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("count", [2, 5, 20])
def test_names_stand_at_the_ends_of_lines(
    kind: str, width: str | None, count: int
) -> None:
    # Most ends are nearer to each other than names are high.
    ends = [0.5 + 0.002 * ((7 * n) % count) for n in range(count)]
    made = figure(kind, _rows(kind, ends), size=_size(width))
    svg = made.svg()
    shown = _names(svg)
    best = sorted(range(count), key=lambda n: -ends[n])[:COLOURED]
    # A narrow figure cuts the middle of a name.
    assert [name.text[-2:] for name in shown] == [f"{n:02}" for n in best]
    for one, other in pairwise(shown):
        assert other.y - one.y > one.size
    assert len({name.x for name in shown}) == 1
    ticks = [text for text in placed(svg) if text not in shown]
    assert all(text.x < shown[0].x for text in ticks)
    # Colours are given in the order of the rows.
    order = sorted(best)
    assert [name.fill for name in shown] == [_inks()[order.index(n)] for n in best]
    assert structure(svg)["marks"]["line"] == count
    assert (f"grey: {count - COLOURED}" in str(texts(svg))) == (count > COLOURED)
    # No legend says it again.
    assert sum(text.text.startswith("hybrid") for text in placed(svg)) == len(best)


def test_a_name_stands_where_its_line_ends() -> None:
    ends = [0.8, 0.2, 0.4]
    svg = figure("cutoffs", _rows("cutoffs", ends)).svg()
    ticks = {text.text: text.y for text in placed(svg)}
    for name, end in zip(_names(svg), sorted(ends, reverse=True), strict=True):
        assert name.y == pytest.approx(ticks[f"{end:.1f}"], abs=1)


def test_names_stay_inside_of_the_axis() -> None:
    for ends in ([1.0] * 8, [0.0] * 7 + [1.0]):
        svg = figure("cutoffs", _rows("cutoffs", ends)).svg()
        ticks = [text.y for text in placed(svg) if re.fullmatch(r"\d\.\d", text.text)]
        shown = [name.y for name in _names(svg)]
        assert len(shown) == 8
        assert min(ticks) - 3 < min(shown)
        assert max(shown) < max(ticks) + 3


def test_a_series_that_ended_early_is_named_too() -> None:
    rows = _rows("history", [0.5, 0.6])
    short = [row for row in rows if row["tag_value"][-1] == "0"][:2]
    svg = figure("history", [*short, *rows[5:]]).svg()
    assert [name.text[-2:] for name in _names(svg)] == ["01", "00"]
    assert "a line for each model" in texts(svg)


@pytest.mark.parametrize(("width", "least"), [("8cm", 5), ("17cm", 10), (None, 7)])
@pytest.mark.parametrize("best", [0, 1, 9, 18, 19])
def test_a_history_of_many_runs_names_those_that_there_is_room_for(
    width: str | None, least: int, best: int
) -> None:
    rows = [
        {**ABOUT, "run": f"hybrid-{n}", "tag": None, "tag_value": None}
        | {"value": 0.9 if n == best else 0.5, "made_at": START + timedelta(days=n * n)}
        for n in range(20)
    ]
    svg = figure("history", rows, size=_size(width)).svg()
    named = [text for text in placed(svg) if text.text.startswith("hybrid")]
    at = sorted(text.x for text in named)
    # Turned by 45 degrees, each is as far from the next as its letters are high.
    room = named[0].size * 2**0.5
    assert all(later - earlier > room for earlier, later in pairwise(at))
    assert len(named) >= least
    # The best is always named, the first and the last unless the best is beside it.
    shown = {text.text for text in named}
    assert f"hybrid-{best}" in shown
    assert "hybrid-0" in shown or best == 1
    assert "hybrid-19" in shown


def test_the_best_run_comes_first() -> None:
    rows: list[dict[str, Any]] = [
        {**ABOUT, "run": run, "value": mean}
        | {"bin_low": low, "bin_high": low + 0.05, "queries": 10, "share": 0.5}
        for run, mean in MEANS.items()
        for low in (0.1, 0.5)
    ]
    drawn = heights(figure("values", rows).svg())
    order = sorted(MEANS, key=lambda run: drawn[run])
    assert order == ["best", "second", "equal", "last"]


def _slice(part: str, difference: float, p: float | None) -> dict[str, Any]:
    """Return a row of a comparison by slice."""
    ends = {"ci_low": difference - 0.1, "ci_high": difference + 0.1}
    counts = {"losses": 3, "ties": 4, "wins": 5}
    row = {**ABOUT, "run": "c", "slice": part, "difference": difference}
    return {**row, **ends, **counts, "p_adjusted": p}


def _marks(svg: str, kind: str) -> list[ElementTree.Element]:
    """Return the marks of a kind, those of legends left out."""
    return [
        child
        for group in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}g")
        if (group.get("class") or "").startswith(f"mark-{kind} role-mark")
        for child in group
    ]


@pytest.mark.parametrize("alpha", [None, 0.3])
def test_slices_that_are_not_significant_are_faint(alpha: float | None) -> None:
    rows = [
        _slice("worse", -0.2, 0.01),
        _slice("better", 0.2, 0.04999),
        _slice("unsure", 0.3, 0.05),
        _slice("untested", -0.1, None),
    ]
    svg = figure("slices", rows, attribute="kind", alpha=alpha).svg()
    unsure = FAINT if alpha is None else WON
    points = _marks(svg, "symbol")
    assert [point.get("fill") for point in points] == [LOST, WON, unsure, FAINT]
    # Not by colours alone: a triangle points up or down.
    shapes = [re.sub(r"[\d.,-]+", "", point.get("d") or "") for point in points]
    assert shapes[0] == shapes[1] != shapes[3]
    assert points[0].get("d") != points[1].get("d")
    lines = [line.get("stroke") for line in _marks(svg, "rule")[-len(rows) :]]
    assert lines == ["#000000", "#000000", FAINT if alpha is None else "#000000", FAINT]
    bars = [float(bar.get("opacity") or 1) for bar in _marks(svg, "rect")]
    assert sorted(set(bars)) == [0.45, 1]
    assert bars.count(0.45) == (6 if alpha is None else 3)
    assert f"not below {alpha or 0.05:g}" in " ".join(
        ElementTree.fromstring(svg).itertext()
    )
