"""Tables and charts of a page: what a template shows of cells, and of figures."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, cast

from ndcg_sql.comparison.answers import Record
from ndcg_sql.output.columns import Column, shown, shown_in
from ndcg_sql.output.figures import drawing
from ndcg_sql.output.figures.figure import Figure
from ndcg_sql.reports.overview import COLOURED
from ndcg_sql.text import harmless

_ENDS = ("ci_low", "ci_high")
# Figures with a row for each run, those of the best runs alone.
_BY_RUN = ("values",)
# Figures with a line for each run.
_LINES = ("cutoffs", "precision-recall")
# How wide a view of bars of queries may be, so that the page need not shrink its text.
_WIDEST = 300
# What tells one run from another in a chart.
_CHANNELS = ("color", "stroke", "shape", "strokeDash", "fill")
# What is shown of the nearest point, which Vega finds by a mark around its mark.
_POINT = "(datum.datum || datum)"
_TOLD = {
    along: f"{{run: {_POINT}.run, {along}: {_POINT}.{along},"
    f" value: format({_POINT}.value, '.4f')}}"
    for along in ("cutoff", "level")
}
Spec = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """A table with its caption, its rows, and the notes below it.

    style gives best, faint (not significant) or whole (all queries) for a row. With
    several measures, one of them is shown at a time. The first runs have a colour, and
    so have differences whose p is sure, by the sign of their measures. Intervals are
    bars on one axis, that of all rows on it. A row with a filter, an attribute and its
    value, leads to their queries.
    """

    caption: str
    every_column: Sequence[Column]
    rows: Sequence[Record]
    notes: Iterable[str] = ()
    style: Callable[[Record], str] = lambda _: ""
    measures: Sequence[str] = ()
    runs: Sequence[str] = ()
    is_sure: Callable[[float | None], bool] = lambda _: False
    signs: Callable[[str | None], int] = lambda _: 1
    on_axis: Sequence[Record] = ()

    @cached_property
    def columns(self) -> list[Column]:
        """The columns that the page shows."""
        return shown_in("pages", self.every_column, self.rows)

    @cached_property
    def places(self) -> dict[str, int]:
        """The places of the runs that have a colour."""
        return {name: place for place, name in enumerate(self.runs[:COLOURED])}

    def measure(self, row: Record) -> str:
        """Return the measure with which alone a row is shown, if there is one."""
        by_row = not any(column.measure for column in self.columns)
        return row["measure"] if by_row and self.measures else ""

    def text(self, column: Column, row: Record) -> str:
        """Return what a reader sees of a row."""
        value: Any = column.part(row)[column.key]
        if column.is_number and column.kind not in ("count", "value", "lettered"):
            return column.text(row)
        if isinstance(value, datetime):
            return f"{value:%Y-%m-%d %H:%M:%S} UTC"
        if column.kind == "count" and value is not None:
            return f"{value:,}"
        return shown(value) if column.is_number else str(value or "")

    def sign(self, column: Column, row: Record) -> int:
        """Return the sign of a significant difference, else 0."""
        value = column.part(row)[column.key]
        if not (column.is_change and value and self.is_sure(row.get("p_adjusted"))):
            return 0
        return (1 if value > 0 else -1) * (self.signs(row["measure"]) or 1)

    def bar(self, column: Column, row: Record) -> list[float]:
        """Return, in percent of the column, an interval's ends, its value and 0."""
        least, most = self._axes[column]
        part = column.part(row)
        middle = part[column.key]
        ends = [middle if part[end] is None else part[end] for end in _ENDS]
        points = (*ends, middle, 0)
        return [100 * (point - least) / ((most - least) or 1) for point in points]

    @cached_property
    def _axes(self) -> dict[Column, tuple[float, float]]:
        """The ends of the axes of intervals; those of differences have 0."""
        axes: dict[Column, tuple[float, float]] = {}
        for column in self.columns:
            if column.kind == "interval":
                parts = [column.part(row) for row in self.on_axis or self.rows]
                ends = [part[key] for part in parts for key in (*_ENDS, column.key)]
                ends += [0.0] if column.key == "difference" else []
                ends = [end for end in ends if end is not None]
                axes[column] = min(ends, default=0), max(ends, default=0)
        return axes


def chart_of(figure: Figure, runs: Sequence[str]) -> Spec:
    """Return the spec of a figure with its rows; the first runs have colours."""
    # The page has the title as text.
    spec = {key: part for key, part in figure.spec.items() if key != "title"}
    if figure.name in _BY_RUN:
        for part in drawing.objects(spec):
            mark = part.get("mark")
            if isinstance(mark, dict) and mark["type"] in ("bar", "point"):
                by_run = {"field": "run", "type": "nominal", "legend": None}
                part["encoding"]["color"] = by_run
        if "facet" in spec:
            # Rows of bars stand in the order of the leaderboard.
            spec["facet"]["row"]["sort"] = [harmless(run) for run in runs[:COLOURED]]
    _colour_channels(spec, runs[:COLOURED])
    if figure.name == "query-differences":
        bars = spec["spec"]
        queries = max(Counter(row["candidate"] for row in figure.rows).values())
        if bars["width"]["step"] * queries > _WIDEST:
            spec["spec"] = {**bars, "width": _WIDEST}
    if figure.name in _LINES:
        [lines] = spec["layer"]
        _point_at_lines(lines, spec["encoding"]["x"]["field"], runs)
    text = json.dumps(spec)
    used = [name for name in figure.rows[0] if re.search(rf"\b{name}\b", text)]
    values = [{name: row[name] for name in used} for row in figure.values]
    return {**spec, "data": {"values": values}}


def left_out(figure: Figure, runs: Sequence[str], baseline: str | None) -> list[str]:
    """Return what a chart says where it shows the runs with a colour alone."""
    if figure.name not in (*_BY_RUN, *_LINES):
        return []
    if len({row["run"] for row in figure.rows}) > COLOURED or len(runs) <= COLOURED:
        return []
    if runs[COLOURED - 1] == baseline:
        return [f"the best {COLOURED - 1} of {len(runs):,} runs, and the baseline"]
    return [f"the best {COLOURED} of {len(runs):,} runs"]


def _point_at_lines(curves: Spec, along: str, runs: Sequence[str]) -> None:
    """Show the names of lines where somebody points at them."""
    places = [{"run": harmless(run), "place": n} for n, run in enumerate(runs, 1)]
    best = {"data": {"values": places}, "key": "run", "fields": ["place"]}
    curves["transform"] = [{"lookup": "run", "from": best}]
    near = drawing.spec("near")
    grey, named = curves["layer"]
    near["color"]["value"], near["thin"]["value"] = (
        grey["mark"].pop(name) for name in ("color", "strokeWidth")
    )
    # Of a line, the size is the width.
    grey["encoding"] |= {"color": near["color"], "size": near["thin"]}
    named["layer"][0]["encoding"]["size"] = near["thick"]
    points = drawing.filled(near["points"], {"told": _TOLD[along]})
    curves["layer"] = [grey, named, points]


def _colour_channels(spec: Spec, runs: Sequence[str]) -> None:
    """Give runs the order and the colours of the page's styles; fill is of names."""
    for part in drawing.objects(spec):
        for name in _CHANNELS:
            encoding = cast("Spec", part.get(name))
            if isinstance(part.get(name), dict) and encoding.get("field") == "run":
                scale: Spec = encoding.setdefault("scale", {})
                scale["domain"] = [harmless(run) for run in runs]
                if name in ("color", "stroke", "fill"):
                    of = "name" if name == "fill" else "run"
                    scale["range"] = [f"${of}-{n}" for n in range(len(runs))]
