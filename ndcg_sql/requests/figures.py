"""The figures that can be drawn, and how one is asked for."""

import re
from collections.abc import Mapping
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


FIGURES = get_args(choices.Figure)
# The fewest and most runs to be named, of figures that do not take any number.
_RUNS: Mapping[str, tuple[int, int | None]] = {
    "differences": (2, None),
    "scatter": (2, 2),
    "slices": (2, 2),
}
# The figures that take an option.
_TAKERS = {
    "alpha": ("leaderboard", "slices"),
    "by": ("slices", "history"),
    "tag": ("history",),
}
# What an example of a figure repeats.
_STATED = ("runs", "measures", "judgments", "dataset", "by")


def takes_two(name: choices.Figure) -> bool:
    """Return whether a figure is one of two runs."""
    return _RUNS.get(name, (0, None))[1] == 2


def check(
    name: choices.Figure, scope: Scope, options: Mapping[str, object], dpi: int | None
) -> None:
    """Raise NdcgSqlError for a figure, runs or options that make no sense together."""
    if name not in FIGURES:
        raise NdcgSqlError(f"no figure {quoted(name)}", nearest(name, FIGURES))
    for field, takers in _TAKERS.items():
        if options[field] not in (None, ()) and name not in takers:
            only = " and ".join(takers)
            raise refusal(named(field), f"not for {name}, only for {only}")
    if name == "slices" and not scope.by:
        raise refusal("slices", "name an attribute of the queries with {by}")
    if dpi is not None and dpi > _MOST_DPI:
        raise refusal(use(dpi=dpi), f"must be {_MOST_DPI} or less")
    least, most = _RUNS.get(name, (0, None))
    if not least <= len(scope.runs) <= (most or len(scope.runs)):
        baseline = scope.runs[0] if scope.runs else Blank("BASELINE")
        # A pattern matches whatever else there is.
        candidate = "*" if scope.runs and not most else Blank("CANDIDATE")
        stated = {**vars(scope), "runs": [baseline, candidate]}
        fields = {field: stated[field] for field in _STATED if stated[field]}
        example = call("plot", name, **fields)
        others = "one candidate" if most else "candidates"
        raise NdcgSqlError(f"name a baseline and {others}: " + example, where=name)
