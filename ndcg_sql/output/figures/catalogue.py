"""The specs of the figures: a file for each under specs/, of Vega-Lite without data.

A string such as "$measure" stands for a property of the rows; in its titles and its
description, for those who cannot see the figure, {measure} does.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, cast

from ndcg_sql.measures.families import families
from ndcg_sql.output.figures import catalogue
from ndcg_sql.output.layout import cut
from ndcg_sql.text import counted

Spec = dict[str, Any]
# How many characters of a text are drawn.
LONGEST = 60
_FOLDER = Path(__file__).parent / "specs"
# More lines than this have no colours of their own.
COLOURED = 8
# The space around the values of an axis, and the least height of a name, in points.
_MARGIN, _LINE = 0.05, 11
# What a name is read from, in an expression of Vega; no text of the data is part of it.
_LABELS = {"run": "datum.run", "series": "datum.tag_value"}
# What the curves of a figure run along, and what each belongs to.
_ALONG = {"cutoffs": "cutoff", "precision-recall": "level", "history": "made_at"}


@cache
def names() -> tuple[str, ...]:
    """Return the names of the figures that can be drawn of rows."""
    specs = sorted(_FOLDER.glob("*.vl.json"))
    return tuple(path.name.removesuffix(".vl.json") for path in specs)


def spec(name: str) -> dict[str, Any]:
    """Return the spec of a kind of figure with placeholders, or a part of specs."""
    return json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def filled(part: Any, about: Mapping[str, Any]) -> Any:
    """Return a part of a spec with the values of its placeholders.

    Only a string that is a placeholder as a whole is replaced, so that no text of the
    data becomes part of an expression; and braces in the title of an axis.
    """
    if isinstance(part, dict):
        own = cast(Spec, part)
        values = {key: filled(value, about) for key, value in own.items()}
        title = own.get("title")
        if isinstance(title, str) and "{" in title:
            values["title"] = cut(title.format(**about), LONGEST).rstrip()
        return values
    if isinstance(part, list):
        return [filled(value, about) for value in cast(list[Any], part)]
    if isinstance(part, str) and part.startswith("$"):
        return about[part.removeprefix("$")]
    return part


def objects(part: Any) -> Iterator[dict[str, Any]]:
    """Give each object of a part of a spec, which may be changed meanwhile."""
    if isinstance(part, list):
        for one in cast("list[Any]", part):
            yield from objects(one)
    if isinstance(part, dict):
        own = cast("dict[str, Any]", part)
        yield own
        for value in own.values():
            yield from objects(value)


def layers(
    name: str, rows: Sequence[Mapping[str, Any]], shortening: str
) -> dict[str, Any]:
    """Return the layers of a figure of curves, if it is one, and their scale.

    Names stand where lines end, moved apart by the height of a line; shortening is
    the expression that cuts them.
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
