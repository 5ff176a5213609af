"""Figures with a row for each run or slice: their order, and what is faint."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from ndcg_sql.output.figures.figure import figure
from support.drawings import heights

# Drawing loads a JavaScript engine, and takes seconds.
pytestmark = pytest.mark.slow

ABOUT = {"dataset": "d", "judgment_set": "j", "measure": "nDCG@10", "n": 20}
MEANS = {"second": 0.6, "best": 0.9, "equal": 0.6, "last": 0.1}
LOST, WON, FAINT = "#d55e00", "#0072b2", "#777777"


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
