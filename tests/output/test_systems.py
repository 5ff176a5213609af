"""The figure of runs under two judgment sets: points, their names, both axes."""

import random
import re
from itertools import pairwise
from typing import Any

import pytest

from ndcg_sql.output.figures.figure import figure
from ndcg_sql.output.figures.sizes import NATURAL, Size
from ndcg_sql.requests.figures import points
from support.drawings import placed, texts

# Drawing loads a JavaScript engine, and takes seconds.
pytestmark = pytest.mark.slow

SETS = {"dataset": "d", "old_judgment_set": "human", "new_judgment_set": "model"}
_POINT = re.compile(
    r'<path aria-label="(system-\d+)"[^>]* transform="translate\(([^,]+),([^)]+)\)"'
    r'[^>]* fill="([^"]+)"'
)


def _rows(count: int, middle: float = 0.5) -> list[dict[str, Any]]:
    """Return the means of runs under two judgment sets."""
    draw = random.Random(5)
    rows: list[dict[str, Any]] = []
    for n in range(count):
        old = middle + draw.uniform(-0.2, 0.2)
        new = min(old + draw.gauss(0.02, 0.05), 1.0)
        means = {"old_value": old, "new_value": new, "difference": new - old}
        rows.append({**SETS, "run": f"system-{n:02}", "measure": "nDCG@10", **means})
    return rows


def _places(values: list[float]) -> list[int]:
    return [sum(other > value for other in values) for value in values]


@pytest.mark.parametrize(
    ("count", "width"), [(2, None), (8, None), (30, None), (30, "8cm")]
)
def test_each_run_stands_where_its_means_are(count: int, width: str | None) -> None:
    rows = _rows(count)
    size = NATURAL if width is None else Size(points("width", width))
    svg = figure("systems", rows, size=size).svg()
    drawn = {name: (float(x), float(y)) for name, x, y, _ in _POINT.findall(svg)}
    assert len(drawn) == count
    [line] = re.findall(r'<line [^>]*x2="([^"]+)" y2="([^"]+)"[^>]*dasharray', svg)
    side, up = map(float, line)
    # The diagonal leads from corner to corner of equal axes.
    assert (side > 0, up) == (True, pytest.approx(-side))
    first, last = rows[0], rows[-1]
    across, above = zip(*(drawn[row["run"]] for row in (first, last)), strict=True)
    scale = (across[1] - across[0]) / (last["old_value"] - first["old_value"])
    assert (above[0] - above[1]) / (
        last["new_value"] - first["new_value"]
    ) == pytest.approx(scale, rel=1e-3)
    for row in rows:
        x, y = drawn[row["run"]]
        # Above the diagonal is what the new set gives a higher value.
        over = side - y - x
        assert over == pytest.approx(scale * row["difference"], abs=0.01)
    assert {"nDCG@10 by human", "nDCG@10 by model"} <= set(texts(svg))


def test_of_many_runs_those_that_move_most_have_names() -> None:
    rows = _rows(30)
    svg = figure("systems", rows, notes=["said of the order"]).svg()
    old, new = (
        _places([row[key] for row in rows]) for key in ("old_value", "new_value")
    )
    moves = {
        row["run"]: (abs(b - a), abs(row["difference"]))
        for row, a, b in zip(rows, old, new, strict=True)
    }
    movers = sorted(moves, key=lambda run: moves[run], reverse=True)[:8]
    names = [text for text in placed(svg) if text.text.startswith("system")]
    assert {name.text for name in names} == set(movers)
    blue = {name for name, *_, fill in _POINT.findall(svg) if fill == "#0072b2"}
    assert blue == set(movers)
    assert {"said of the order", "grey: 22 other runs"} <= set(texts(svg))


def test_names_of_equal_runs_stand_apart() -> None:
    rows = _rows(8)
    for row in rows[:5]:
        row |= {"old_value": 0.5, "new_value": 0.55, "difference": 0.05}
    drawn = placed(figure("systems", rows).svg())
    names = [text for text in drawn if text.text.startswith("system")]
    heights = sorted(text.y for text in names)
    assert len(heights) == 8
    assert min(below - above for above, below in pairwise(heights)) > 10


@pytest.mark.parametrize("middle", [0.15, 0.9])
def test_axes_end_at_what_is_possible(middle: float) -> None:
    drawn = texts(figure("systems", _rows(12, middle)).svg())
    ticks = [float(text) for text in drawn if re.fullmatch(r"-?[0-9.]+", text)]
    assert min(ticks) >= 0
    assert max(ticks) <= 1
