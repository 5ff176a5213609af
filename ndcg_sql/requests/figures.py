"""The figures that can be drawn, and how one is asked for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import get_args

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests import choices
from ndcg_sql.requests.shared import Scope, refusal
from ndcg_sql.text import nearest, quoted
from ndcg_sql.wording import Blank, call, named, use

# Points in each unit of length.
_UNITS = {"cm": 72 / 2.54, "mm": 7.2 / 2.54, "in": 72.0, "pt": 1.0}
_LEAST_LENGTH, _MOST_LENGTH, _MOST_DPI = 72.0, 7200.0, 2400


def points(side: str, length: str) -> float:
    """Return a length such as 8cm in points; raise NdcgSqlError if it is none."""
    where = use(**{side: length})
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?(cm|mm|in|pt)", length)
    if not match:
        raise refusal(where, "not a length, such as 8cm, 80mm, 3.3in or 240pt")
    size = float(match[1]) * _UNITS[match[2]]
    if not _LEAST_LENGTH <= size <= _MOST_LENGTH:
        raise refusal(where, "must be from 1in to 100in")
    return size


@dataclass(frozen=True)
class Shape:
    """What a figure takes: the fewest and most runs to be named, and its options."""

    least: int = 0
    most: int | None = None
    options: tuple[str, ...] = ()


FIGURES = get_args(choices.Figure)
# Of those that take some number of runs, or options.
_SHAPES: Mapping[str, Shape] = {
    "leaderboard": Shape(options=("alpha",)),
    "differences": Shape(2),
    "scatter": Shape(2, 2),
    "slices": Shape(2, 2, ("by", "alpha")),
    "history": Shape(options=("by", "tag")),
}


def shape(name: choices.Figure) -> Shape:
    """Return what a figure takes."""
    return _SHAPES.get(name, Shape())


def check(
    name: choices.Figure, scope: Scope, options: Mapping[str, object], dpi: int | None
) -> None:
    """Raise NdcgSqlError for a figure, runs or options that make no sense together."""
    if name not in FIGURES:
        raise NdcgSqlError(f"no figure {quoted(name)}", nearest(name, FIGURES))
    for field, value in options.items():
        takers = [figure for figure, one in _SHAPES.items() if field in one.options]
        if value not in (None, ()) and name not in takers:
            only = " and ".join(takers)
            raise refusal(named(field), f"not for {name}, only for {only}")
    if name == "slices" and not scope.by:
        raise refusal("slices", "name an attribute of the queries with {by}")
    if dpi is not None and dpi > _MOST_DPI:
        raise refusal(use(dpi=dpi), f"must be {_MOST_DPI} or less")
    one, count = shape(name), len(scope.runs)
    if count >= one.least and (one.most is None or count <= one.most):
        return
    baseline = scope.runs[0] if scope.runs else Blank("BASELINE")
    # A pattern matches whatever else there is.
    every = "*" if scope.runs and one.most is None else Blank("CANDIDATE")
    named_fields = {
        "measures": list(scope.measures),
        "judgments": scope.judgments,
        "dataset": scope.dataset,
        "by": list(scope.by),
    }
    chosen = {field: value for field, value in named_fields.items() if value}
    example = call("plot", name, runs=[baseline, every], **chosen)
    others = "one candidate" if one.most else "candidates"
    raise NdcgSqlError(f"name a baseline and {others}: " + example, where=name)
