"""Vega-Lite specs of figures: what fills them, and drawings of the size of a paper.

They are files under specs/, without data. A string such as "$measure" stands for a
property of the rows; in its titles and its description, {measure} does.
"""

import csv
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from textwrap import wrap
from typing import Any, cast

from ndcg_sql.comparison.answers import Rows
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.families import families
from ndcg_sql.output.layout import cut
from ndcg_sql.output.writing import FIGURE, delivered, write_data
from ndcg_sql.system.files import check_target, is_foreign
from ndcg_sql.text import counted, harmless
from ndcg_sql.wording import named, use

# The signature and the first chunk (header) of a PNG file.
_PNG_HEAD = 8 + 25
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


def check_installed() -> None:
    """Raise NdcgSqlError if figures cannot be drawn."""
    if find_spec("vl_convert") is None:
        raise NdcgSqlError("figures need vl-convert: pip install 'ndcg-sql[figures]'")


def _vl_convert() -> Any:
    check_installed()
    return import_module("vl_convert")


def svg(spec: Spec, title: str, description: str) -> str:
    """Return a spec as SVG with a title and a description."""
    drawn = plain_svg(spec)
    start = drawn.index(">") + 1
    about = (
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>"
        f"<metadata>{FIGURE}</metadata>"
    )
    return f"{drawn[:start]}{about}{drawn[start:]}\n"


def png(spec: Spec, scale: float) -> bytes:
    """Return a spec as PNG, at scale times 72 pixels per inch, as the file says."""
    drawn: bytes = _vl_convert().svg_to_png(plain_svg(spec), ppi=72 * scale)
    text = b"tEXtSoftware\0" + FIGURE.encode()
    chunk = (len(text) - 4).to_bytes(4, "big") + text
    chunk += zlib.crc32(text).to_bytes(4, "big")
    return drawn[:_PNG_HEAD] + chunk + drawn[_PNG_HEAD:]


def pdf(spec: Spec) -> bytes:
    """Return a spec as PDF."""
    drawn: bytes = _vl_convert().svg_to_pdf(plain_svg(spec))
    return drawn.rstrip() + f"\n% {FIGURE}\n".encode()


def plain_svg(spec: Spec) -> str:
    """Return a spec as SVG, reading no address; raise NdcgSqlError if Vega fails."""
    drawn: str = _vl_convert().vegalite_to_svg(
        spec, vl_version="6.4", allowed_base_urls=[]
    )
    if "<text" not in drawn:
        raise NdcgSqlError("the figure could not be drawn; please report it")
    return drawn


def write(
    warehouse: Path, path: Path, content: bytes, data: Rows | None, force: bool
) -> list[Path]:
    """Write a figure, and rows as CSV if they are given; return the files."""
    beside = path.with_suffix(".csv")
    if data is not None:
        shown = named("data") + f": {harmless(str(beside))}"
        check_target(beside, shown)
        head = io.StringIO()
        csv.writer(head, lineterminator="\n").writerow(data.columns)
        # Rows of another figure have other columns.
        if not force and is_foreign(beside, head.getvalue(), shown):
            raise NdcgSqlError(
                "exists and is not the data of such a figure",
                "move it, or replace it with " + use(force=True),
                where=shown,
            )
    with delivered(warehouse, path) as new:
        new.write_bytes(content)
    if data is None:
        return [path]
    write_data(data, "csv", beside, warehouse)
    return [path, beside]


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

    It grows in proportion to its views: two drawings show how large these must be.
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
        drawn = plain_svg(scaled(share))
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
    """Return the layers of a figure of curves, if it is one, and their scale."""
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
        "curves": filled(spec("curves"), filling),
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
