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
        config = {**spec["config"], **({"font": self.font} if self.font else {})}
        dropped = ("title",) if self.no_title else ()
        spec = {key: part for key, part in spec.items() if key not in dropped}
        spec["config"] = config
        lengths = {"width": self.width, "height": self.height}
        if not any(lengths.values()):
            return spec
        is_square = spec.get("width") == spec.get("height") is not None
        spec = _with_text(spec)
        if self.width and "title" in spec:
            inside, title = self.width - 2 * spec["config"]["padding"], spec["title"]
            letters = max(int(inside / (_LETTER * _MOST)), 8)
            lines = [part for text in title["subtitle"] for part in wrap(text, letters)]
            text = wrap(title["text"], letters)
            spec["title"] = {**title, "text": text, "subtitle": lines}
        for side, length in lengths.items():
            spec = _fitted(spec, side, length) if length else spec
        if is_square and None in lengths.values():
            side = spec["width" if self.width else "height"]
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


def _fitted(spec: Spec, side: str, length: float) -> Spec:
    """Return a spec whose drawing has a width or height.

    It grows in proportion to its views, apart from the text beside them, so that two
    drawings tell how large these must be.
    """

    def scaled(share: float) -> Spec:
        def resized(key: str, value: Any) -> Any:
            if key == side and isinstance(value, (int, float)):
                return share * value
            if key == side and isinstance(value, dict):
                steps = cast("Spec", value)
                return {"step": share * steps["step"]} if "step" in steps else steps
            return value

        parts = {k: v for k, v in spec.items() if k not in ("config", "data")}
        return {**spec, **_mapped(parts, resized)}

    def measured(share: float) -> float:
        drawn = drawing.plain_svg(scaled(share))
        return float(re.findall(rf'<svg[^>]* {side}="([\d.]+)"', drawn)[0])

    whole, half = measured(1), measured(0.5)
    slope = 2 * (whole - half)
    beside = whole - slope
    share = (length - beside) / slope
    is_possible = length - beside >= _LEAST_PLOT * length
    widest = 0.5 if is_possible and half <= length else None
    # Other sizes have other labels on an axis, of which the last may stand out.
    for _ in range(_CORRECTIONS if is_possible else 0):
        excess = measured(share) - length
        if excess <= 0:
            widest = max(share, widest or share)
        share -= (excess + 0.5) / slope
        # It fits, or what does not shrink, such as a legend, is too long.
        if -1 < excess <= 0 or share <= 0:
            break
    if widest is None:
        least = half if is_possible else beside / (1 - _LEAST_PLOT)
        needed = f"{least / 72 * 2.54 + 0.05:.1f} cm"
        raise NdcgSqlError(
            f"too small for the text beside the marks; it needs {needed}",
            where=use(**{side: f"{length / 72 * 2.54:.4g}cm"}),
        )
    return scaled(widest)


def _mapped(part: Any, change: Callable[[str, Any], Any]) -> Any:
    if isinstance(part, list):
        return [_mapped(one, change) for one in cast("list[Any]", part)]
    if not isinstance(part, dict):
        return part
    mapped: Spec = {}
    for key, value in cast("Spec", part).items():
        mapped[key] = change(key, value)
        # Sizes of marks are no sizes of views.
        if mapped[key] is value and key != "mark":
            mapped[key] = _mapped(value, change)
    return mapped
