"""Curves: which have colours, and where their names stand at the ends of lines."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ndcg_sql.measures.families import families
from ndcg_sql.output.figures import catalogue
from ndcg_sql.text import counted

# More lines than this have no colours of their own.
COLOURED = 8
# The space around the values of an axis, and the least height of a name, in points.
_MARGIN, _LINE = 0.05, 11
# What a name is read from, in an expression of Vega; no text of the data is part of it.
_LABELS = {"run": "datum.run", "series": "datum.tag_value"}
# What the curves of a figure run along, and what each belongs to.
_ALONG = {"cutoffs": "cutoff", "precision-recall": "level", "history": "made_at"}


def layers(
    name: str, rows: Sequence[Mapping[str, Any]], shortening: str
) -> dict[str, Any]:
    """Return the layers of a figure of curves, and the scale of their values.

    Names stand where their lines end, moved apart where these are nearer to each other
    than a line of text is high, and inside of the ends of the axis. shortening is the
    expression that cuts them. Of other figures, there is nothing.
    """
    if name not in _ALONG:
        return {}
    curve = "series" if name == "history" else "run"
    low, high = _ends(name, rows)
    least, most = f"{low!r} + (datum.step - 1) * datum.line", f"{high!r}"
    filling = {
        "curve": curve,
        "along": _ALONG[name],
        "label_of_curve": _LABELS[curve],
        "coloured": COLOURED,
        "short": shortening,
        "line_height": f"{_LINE * (high - low)!r} / height",
        "inside": f"min(max(datum.apart, {least}),"
        f" {most} - (datum.steps - datum.step) * datum.line)",
    }
    return {
        "curves": catalogue.filled(catalogue.spec("curves"), filling),
        "values_scale": {"domain": [low, high], "nice": False},
    }


def others(name: str, rows: Sequence[Mapping[str, Any]]) -> str:
    """Return how many curves are grey, if any are."""
    if name not in _ALONG:
        return ""
    key = "tag_value" if name == "history" else "run"
    count = len({row.get(key) for row in rows}) - COLOURED
    if count <= 0:
        return ""
    return f"{count} others" if key == "tag_value" else counted(count, "other run")


def is_bounded(measure: str) -> bool:
    """Return whether no value of a measure is above 1."""
    family = families().get(re.split(r"[(@]", measure)[0])
    return family is not None and family.bounded


def _ends(name: str, rows: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    values = [float(row["value"]) for row in rows if row.get("value") is not None]
    low, high = min(values, default=0.0), max(values, default=1.0)
    margin = _MARGIN * (high - low) or _MARGIN
    low, high = low - margin, high + margin
    if is_bounded(str(rows[0].get("measure", ""))):
        low, high = max(low, 0.0), min(high, 1.0)
    return (0.0 if name == "precision-recall" else low), high
