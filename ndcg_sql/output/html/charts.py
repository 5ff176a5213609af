"""Charts of a page: figures with its colours, that tell what somebody points at."""

import json
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

from ndcg_sql.output.figures import catalogue
from ndcg_sql.output.figures.figure import Figure
from ndcg_sql.reports.overview import COLOURED
from ndcg_sql.text import harmless

# Figures with a row for each run, those of the best runs alone.
_BY_RUN = ("values",)
# Figures with a line for each run.
_LINES = ("cutoffs", "precision-recall")
# How wide a view of bars of queries may be, so that the page need not shrink its text.
_WIDEST = 300
# What tells one run from another in a chart.
_CHANNELS = ("color", "stroke", "shape", "strokeDash", "fill")
# What is told of the nearest point, which Vega finds by a mark around its mark.
_POINT = "(datum.datum || datum)"
_TOLD = {
    along: f"{{run: {_POINT}.run, {along}: {_POINT}.{along},"
    f" value: format({_POINT}.value, '.4f')}}"
    for along in ("cutoff", "level")
}
Spec = dict[str, Any]


def chart_of(figure: Figure, runs: Sequence[str]) -> Spec:
    """Return the spec of a figure with its rows; the first runs have colours."""
    # The page has the title as text.
    spec = {key: part for key, part in figure.spec.items() if key != "title"}
    if figure.name in _BY_RUN:
        _colour_marks(spec)
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
    """Let lines tell their names where somebody points at them.

    The runs with colours are the same as on the whole page.
    """
    places = [{"run": harmless(run), "place": n} for n, run in enumerate(runs, 1)]
    best = {"data": {"values": places}, "key": "run", "fields": ["place"]}
    curves["transform"] = [{"lookup": "run", "from": best}]
    near = catalogue.spec("near")
    grey, named = curves["layer"]
    near["color"]["value"], near["thin"]["value"] = (
        grey["mark"].pop(name) for name in ("color", "strokeWidth")
    )
    # Of a line, the size is the width.
    grey["encoding"] |= {"color": near["color"], "size": near["thin"]}
    named["layer"][0]["encoding"]["size"] = near["thick"]
    points = catalogue.filled(near["points"], {"told": _TOLD[along]})
    curves["layer"] = [grey, named, points]


def _colour_channels(spec: Spec, runs: Sequence[str]) -> None:
    """Give runs the same order and colours in every chart: those of the page's styles.

    fill is that of names.
    """
    for part in catalogue.objects(spec):
        for name in _CHANNELS:
            encoding = cast("Spec", part.get(name))
            if isinstance(part.get(name), dict) and encoding.get("field") == "run":
                scale: Spec = encoding.setdefault("scale", {})
                scale["domain"] = [harmless(run) for run in runs]
                if name in ("color", "stroke", "fill"):
                    of = "name" if name == "fill" else "run"
                    scale["range"] = [f"${of}-{n}" for n in range(len(runs))]


def _colour_marks(spec: Spec) -> None:
    for part in catalogue.objects(spec):
        mark = part.get("mark")
        if isinstance(mark, dict) and mark["type"] in ("bar", "point"):
            by_run = {"field": "run", "type": "nominal", "legend": None}
            part["encoding"]["color"] = by_run
