"""Figures laid out anew for the width of a column, with text of the size of a paper."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, cast

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.figures import drawing
from ndcg_sql.wording import use

Spec = dict[str, Any]
# Text of papers, in points: that of the theme, which is for screens, by a factor.
_SHRUNK, _LEAST, _MOST = 0.75, 7.0, 8.0
# A letter is about as wide as this share of its size.
_LETTER = 0.52
# The least part of a drawing that its marks need.
_LEAST_PLOT = 0.15
_CORRECTIONS = 8
# Below this width, long names are cut to fewer letters.
_NARROW = 300.0
_SIDES = ("width", "height")


@dataclass(frozen=True)
class Size:
    """What a paper asks of a figure: width and height in points, font, resolution.

    Without width and height, a figure is as large as it needs to be.
    """

    width: float | None = None
    height: float | None = None
    font: str | None = None
    dpi: int | None = None
    no_title: bool = False

    @property
    def is_narrow(self) -> bool:
        """Whether names must be cut to fewer letters."""
        return self.width is not None and self.width < _NARROW

    def applied(self, spec: Spec) -> Spec:
        """Return a complete spec of this size; raise NdcgSqlError if it cannot be."""
        if self.font:
            spec = {**spec, "config": {**spec["config"], "font": self.font}}
        if self.no_title:
            spec = {key: part for key, part in spec.items() if key != "title"}
        if self.width is None and self.height is None:
            return spec
        is_square = spec.get("width") == spec.get("height") is not None
        spec = _with_text(spec)
        if self.width is not None:
            spec = _wrapped(spec, self.width - 2 * spec["config"]["padding"])
        for side in _SIDES:
            length: float | None = getattr(self, side)
            if length is not None:
                spec = _fitted(spec, side, length)
        if is_square and None in (self.width, self.height):
            side = spec["height" if self.width is None else "width"]
            spec = {**spec, "width": side, "height": side}
        return spec


# As large as a figure needs to be.
NATURAL = Size()


def _with_text(spec: Spec) -> Spec:
    def smaller(key: str, value: Any) -> Any:
        if key.lower().endswith("fontsize"):
            return min(max(_SHRUNK * value, _LEAST), _MOST)
        return value

    shrunk: Spec = _mapped(spec, smaller)
    config: Spec = {**shrunk["config"], "padding": 2}
    # What has no size of its own has that of the theme.
    view: Spec = shrunk["config"]["view"]
    sides: Spec = {"width": view["continuousWidth"], "height": view["continuousHeight"]}
    is_single = not {"facet", "hconcat"} & shrunk.keys()
    return {**(sides if is_single else {}), **shrunk, "config": config}


def _wrapped(spec: Spec, width: float) -> Spec:
    if "title" not in spec:
        return spec
    letters = max(int(width / (_LETTER * _MOST)), 8)
    title = spec["title"]
    lines = [line for text in title["subtitle"] for line in wrap(text, letters)]
    return {
        **spec,
        "title": {**title, "text": wrap(title["text"], letters), "subtitle": lines},
    }


def _fitted(spec: Spec, side: str, length: float) -> Spec:
    """Return a spec whose drawing has a width or height.

    It grows in proportion to its views, apart from the text beside them, so that two
    drawings tell how large these must be.
    """

    def scaled(share: float) -> Spec:
        def resized(key: str, value: Any) -> Any:
            if key != side:
                return value
            if isinstance(value, dict):
                steps = cast("Spec", value)
                return {"step": share * steps["step"]} if "step" in steps else steps
            return share * value if isinstance(value, (int, float)) else value

        parts = {k: v for k, v in spec.items() if k not in ("config", "data")}
        return {**spec, **_mapped(parts, resized)}

    whole, half = (_measured(scaled(share), side) for share in (1, 0.5))
    slope = 2 * (whole - half)
    beside = whole - slope
    widest = 0.5 if half <= length else None
    least = half
    if length - beside >= _LEAST_PLOT * length:
        share = (length - beside) / slope
        # Other sizes have other labels on an axis, of which the last may stand out.
        for _ in range(_CORRECTIONS):
            excess = _measured(scaled(share), side) - length
            if excess <= 0 and (widest is None or share > widest):
                widest = share
            share -= (excess + 0.5) / slope
            # It fits, or what does not shrink, such as a legend, is too long.
            if -1 < excess <= 0 or share <= 0:
                break
    else:
        widest, least = None, beside / (1 - _LEAST_PLOT)
    if widest is not None:
        return scaled(widest)
    needed = f"{least / 72 * 2.54 + 0.05:.1f} cm"
    raise NdcgSqlError(
        f"too small for the text beside the marks; it needs {needed}",
        where=use(**{side: f"{length / 72 * 2.54:.4g}cm"}),
    )


def _measured(spec: Spec, side: str) -> float:
    [length] = re.findall(rf'<svg[^>]* {side}="([\d.]+)"', drawing.plain_svg(spec))[:1]
    return float(length)


def _mapped(part: Any, change: Callable[[str, Any], Any]) -> Any:
    if isinstance(part, dict):
        items = cast("dict[str, Any]", part).items()
        return {
            key: new
            if (new := change(key, value)) is not value
            # Sizes of marks are no sizes of views.
            else value
            if key == "mark"
            else _mapped(value, change)
            for key, value in items
        }
    if isinstance(part, list):
        return [_mapped(one, change) for one in cast("list[Any]", part)]
    return part
