"""The figures that can be drawn, and how one is asked for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, get_args

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests import choices, shared
from ndcg_sql.requests.fields import Option, frozen, option
from ndcg_sql.text import nearest, quoted
from ndcg_sql.wording import Blank, call, named, use

# Points in each unit of length.
_UNITS = {"cm": 72 / 2.54, "mm": 7.2 / 2.54, "in": 72.0, "pt": 1.0}
# A group of options.
_LAYOUT = "Layout"
_LEAST_LENGTH, _MOST_LENGTH, _MOST_DPI = 72.0, 7200.0, 2400


def points(side: str, length: str) -> float:
    """Return a length such as 8cm in points; raise NdcgSqlError if it is none."""
    where = use(**{side: length})
    match = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?(cm|mm|in|pt)", length)
    if not match:
        raise NdcgSqlError(
            "not a length, such as 8cm, 80mm, 3.3in or 240pt", where=where
        )
    size = float(match[1]) * _UNITS[match[2]]
    if not _LEAST_LENGTH <= size <= _MOST_LENGTH:
        raise NdcgSqlError("must be from 1in to 100in", where=where)
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
*_FIRST, _LAST = FIGURES


def shape(name: choices.Figure) -> Shape:
    """Return what a figure takes."""
    return _SHAPES.get(name, Shape())


@frozen
class PlotRequest(shared.Request):
    """Draw a figure of runs, curves, slices or values over time."""

    name: Annotated[
        choices.Figure,
        Option(
            f"{', '.join(_FIRST)} or {_LAST}.",
            "FIGURE",
            names="figures",
            is_argument=True,
        ),
    ]
    runs: tuple[str, ...] = option(
        "Names of runs, or patterns such as 'input.*' (quoted); all if omitted. For"
        " differences, scatter and slices the first is the baseline.",
        "[RUN...]",
        names="runs",
        is_argument=True,
        value=(),
    )
    measures: shared.Measures = ()
    judgments: shared.Judgments = None
    dataset: shared.Dataset = None
    by: shared.Attributes = ()
    tag: str | None = option(
        "With history: a series for each value of a run tag, or for one value.", "K[=V]"
    )
    alpha: shared.Alpha = None
    width: str | None = option(
        "Width of the whole figure, such as 8cm, 80mm, 3.3in or 240pt: it is laid"
        " out anew for it, with text of 7 to 8 points.",
        "LENGTH",
        group=_LAYOUT,
    )
    height: str | None = option(
        "Height of the whole figure, such as 5cm.", "LENGTH", group=_LAYOUT
    )
    font: str | None = option(
        "Font of the text, such as 'Times New Roman'.", "FONT", group=_LAYOUT
    )
    dpi: int | None = option(
        "Resolution of a PNG in pixels per inch.",
        "N",
        default="144",
        least=36,
        group=_LAYOUT,
    )
    no_title: bool = option(
        "Leave out the title, which a caption replaces.", group=_LAYOUT, value=False
    )

    def __post_init__(self) -> None:
        if self.name not in FIGURES:
            hint = nearest(self.name, FIGURES) or f"known: {', '.join(FIGURES)}"
            raise NdcgSqlError(f"no figure {quoted(self.name)}; {hint}")
        options = {"by": self.by, "tag": self.tag, "alpha": self.alpha}
        for field, value in options.items():
            takers = [name for name, one in _SHAPES.items() if field in one.options]
            if value not in (None, ()) and self.name not in takers:
                raise NdcgSqlError(
                    f"not for {self.name}, only for {' and '.join(takers)}",
                    where=named(field),
                )
        if self.name == "slices" and not self.by:
            naming = "name an attribute of the queries with " + named("by")
            raise NdcgSqlError(naming, where="slices")
        for side, length in (("width", self.width), ("height", self.height)):
            if length is not None:
                points(side, length)
        if self.dpi is not None and self.dpi > _MOST_DPI:
            raise NdcgSqlError(f"must be {_MOST_DPI} or less", where=use(dpi=self.dpi))
        self._check_runs()

    def _check_runs(self) -> None:
        one = shape(self.name)
        count = len(self.runs)
        if count >= one.least and (one.most is None or count <= one.most):
            return
        baseline = self.runs[0] if self.runs else Blank("BASELINE")
        # A pattern matches whatever else there is.
        every = "*" if self.runs and one.most is None else Blank("CANDIDATE")
        scope = {
            "measures": list(self.measures),
            "judgments": self.judgments,
            "dataset": self.dataset,
            "by": list(self.by),
        }
        scope = {name: value for name, value in scope.items() if value}
        example = call("plot", self.name, [baseline, every], **scope)
        others = "one candidate" if one.most else "candidates"
        raise NdcgSqlError(f"name a baseline and {others}: " + example, where=self.name)
