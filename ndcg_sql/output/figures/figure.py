"""A figure: rows of an analysis with the Vega-Lite spec that draws them."""

import math
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from ndcg_sql.comparison.answers import Record, Rows
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.figures import catalogue, curves, drawing, saving
from ndcg_sql.output.figures.sizes import NATURAL, Size
from ndcg_sql.output.layout import cut
from ndcg_sql.text import harmless, nearest, quoted
from ndcg_sql.wording import use

# How many characters of a name are drawn: the fewest that tell all names apart, and
# of the id of a query.
_SHORT = (48, 72, 110, 200)
_NARROW = (18, 28, *_SHORT)
_BRIEF = (16, 24, 48, 96, 200)
_NAMES = ("run", "candidate", "slice", "tag_value")
# Where each run has a row of its own, they stand as in a leaderboard.
_RANKED = ("values",)


# A picture in a notebook: its resolution, and its size beside that on paper.
_SHARP, _SHOWN = 2, 1.3


@dataclass(frozen=True, repr=False)
class Figure:
    """Rows, in full precision, and the Vega-Lite spec, without data, that draws them.

    title is plain text; description is one sentence for those who cannot see the
    figure.
    """

    name: str
    title: str
    description: str
    rows: list[Record]
    spec: dict[str, Any]
    size: Size = NATURAL

    @property
    def values(self) -> list[Record]:
        """The rows as they are drawn: of types of JSON, without control characters."""
        return [{key: _plain(row[key]) for key in row} for row in self.rows]

    def complete(self) -> dict[str, Any]:
        """Return the spec with its rows and the theme for print."""
        values, theme = {"values": self.values}, catalogue.spec("theme")
        return self.size.applied({**self.spec, "data": values, "config": theme})

    def svg(self) -> str:
        """Return the figure as SVG, with its title and description."""
        return drawing.svg(self.complete(), self.title, self.description)

    def png(self, scale: float | None = None) -> bytes:
        """Return the figure as PNG, at scale times 72 pixels per inch.

        Without a scale, its resolution is that which was asked for, or 144.
        """
        scale = scale or (self.size.dpi or 144) / 72
        return drawing.png(self.complete(), scale)

    def pdf(self) -> bytes:
        """Return the figure as PDF, with its fonts."""
        return drawing.pdf(self.complete())

    def content(self, suffix: str) -> bytes:
        """Return the figure in the format of a suffix, one of saving.SUFFIXES."""
        if self.size.dpi and suffix != ".png":
            raise NdcgSqlError("only for PNG", where=use(dpi=self.size.dpi))
        if suffix == ".svg":
            return self.svg().encode()
        return self.png() if suffix == ".png" else self.pdf()

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write the figure to a file whose suffix is .svg, .png or .pdf.

        A file that is no figure of ndcg-sql is only replaced with force.
        """
        target = saving.check(Path(path), force)
        saving.write(target, self.content(target.suffix))

    def __repr__(self) -> str:
        return f"<figure {self.name}: {self.title}>"

    def _repr_mimebundle_(
        self, **_: Any
    ) -> tuple[dict[str, str], dict[str, dict[str, int]]]:
        drawn = self.png(_SHARP)
        # The width is in the header of a PNG file.
        width = int(int.from_bytes(drawn[16:20], "big") * _SHOWN / _SHARP)
        bundle = {
            "image/svg+xml": self.svg(),
            # Notebooks that are not trusted yet show no SVG.
            "image/png": b64encode(drawn).decode(),
            "text/plain": self.title,
        }
        return bundle, {"image/png": {"width": width}}


class Plotted(NamedTuple):
    """A figure, and the rows that it shows."""

    figure: Figure
    rows: Rows


def figure(
    name: str,
    rows: Sequence[Mapping[str, Any]],
    *,
    size: Size = NATURAL,
    by: Sequence[str] = (),
    **about: Any,
) -> Figure:
    """Return a figure of the catalogue that draws these rows.

    Slices by attributes are series of a history. about overrides what titles say of
    the rows, such as measure or subtitle. Raises NdcgSqlError if no row has a value, or
    if there is no such figure.
    """
    names = catalogue.names()
    if name not in names:
        hint = nearest(name, names) or f"known: {', '.join(names)}"
        raise NdcgSqlError(f"no figure {quoted(name)}; {hint}")
    rows = [_in_series(row, by) for row in rows if row.get("value", 0) is not None]
    if not rows:
        kind = name.removeprefix("query-").removesuffix("-bins")
        raise NdcgSqlError(f"{kind}: there is no data to draw")
    spec = catalogue.spec(f"{name}.vl")
    if name in _RANKED:
        # Those of equal values stay in order.
        rows = sorted(rows, key=lambda row: -round(row["value"], 12))
    facts = {**_about(rows), **{k: v for k, v in about.items() if v is not None}}
    texts = {k: harmless(v) if isinstance(v, str) else v for k, v in facts.items()}
    shown = {k: cut(v, 60) if isinstance(v, str) else v for k, v in texts.items()}
    heading = spec["title"]
    note = heading.get("subtitle", "").format(**shown)
    notes = [note, *about.get("notes", ())]
    others = curves.others(name, rows)
    if others:
        notes.append(f"grey: {others}")
    subtitle = [texts["subtitle"], *filter(None, notes)]
    title = heading["text"].format(**shown)
    description = spec["description"].format(**texts)
    labels = {
        "short": _shortening(
            _limit(_names(rows), _NARROW if size.is_narrow else _SHORT)
        ),
        "brief": _shortening(_limit({row.get("query_id") for row in rows}, _BRIEF)),
    }
    filling = {**shown, **labels, **_orders(rows), "verdict": _verdict(facts["alpha"])}
    filling["room_of_name"] = "15" if size.width is None else "11"
    # Blanks would take the room that the bars need.
    slash = " + '/' + " if size.is_narrow else " + ' / ' + "
    filling["counts"] = slash.join(
        f"format(datum.{outcome}, ',')" for outcome in ("losses", "ties", "wins")
    )
    filling |= curves.layers(name, rows, labels["short"])
    drawn = catalogue.filled(spec, filling)
    drawn |= {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "description": description,
        "title": {"text": title, "subtitle": [cut(line, 90) for line in subtitle]},
    }
    return Figure(name, title, description, [dict(row) for row in rows], drawn, size)


def _in_series(row: Mapping[str, Any], attributes: Sequence[str]) -> Mapping[str, Any]:
    """Return a row whose slice, if it is of one, is a part of the tag of its series."""
    if not attributes:
        return row
    slices = [row[name] or "(not known)" for name in attributes]
    return {
        **row,
        "tag": ", ".join(filter(None, [*attributes, row.get("tag")])),
        "tag_value": ", ".join(filter(None, [*slices, row.get("tag_value")])),
    }


def _names(rows: Sequence[Mapping[str, Any]]) -> set[str]:
    return {row[column] for row in rows for column in _NAMES if row.get(column)}


def _orders(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the names along an axis, in the order of the rows.

    Without them, Vega-Lite would order an axis by the layer that it draws first, which
    may leave out rows.
    """
    names = {"runs": "run", "slices": "slice"}
    return {
        order: list(dict.fromkeys(harmless(row[key]) for row in rows if row.get(key)))
        for order, key in names.items()
    }


def _limit(names: Iterable[str | None], limits: Sequence[int]) -> int:
    distinct = {name for name in names if name}
    for limit in limits:
        head, tail = limit // 2, limit // 2 - 1
        cuts = {n if len(n) <= limit else (n[:head], n[-tail:]) for n in distinct}
        if len(cuts) == len(distinct):
            return limit
    return limits[-1]


def _shortening(limit: int) -> str:
    head, tail = limit // 2, limit // 2 - 1
    return (
        f"length(datum.label) > {limit} ? slice(datum.label, 0, {head}) + '…'"
        f" + slice(datum.label, -{tail}) : datum.label"
    )


def _verdict(alpha: float) -> str:
    unsure = f"!isValid(datum.p_adjusted) || datum.p_adjusted >= {alpha!r}"
    return f"{unsure} ? 'faint' : datum.difference < 0 ? 'lost' : 'won'"


def _about(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    first = rows[0]
    measure = str(first.get("measure", ""))
    family = measure.rpartition("@")[0] or measure
    width = first.get("bin_high", 0) - first.get("bin_low", 0) or max(
        (row["bin_high"] - row["bin_low"] for row in rows if "bin_high" in row),
        default=0,
    )
    parts = len({row.get("candidate", row.get("run")) for row in rows})
    return {
        "measure": measure,
        "family": family,
        "at_k": f"{family}@k",
        "baseline_axis": f"{measure} of {first.get('baseline', '')}",
        "candidate_axis": f"{measure} of {first.get('candidate', '')}",
        "precision": _precision(measure),
        "baseline": first.get("baseline", ""),
        "candidate": first.get("candidate", ""),
        "difference": f"difference in {measure}",
        "attribute": "slice",
        "reach": reach(rows, measure),
        "square": _square(rows, measure),
        "lines": f"a line for each {first['tag']}" if first.get("tag") else "",
        "confidence": "95 %",
        "alpha": 0.05,
        "width": f"{width:g}",
        # A row of bars for each run; many runs get flat ones.
        "height": 110 if parts == 1 else 60 if parts <= 5 else 28,
        "cutoffs": sorted({row["cutoff"] for row in rows if row.get("cutoff")}),
        "time_format": _time_format(rows),
        **_sizes(rows),
        "subtitle": _subtitle(rows),
    }


def reach(
    rows: Iterable[Mapping[str, Any]], measure: str, *, is_shared: bool = False
) -> dict[str, Any]:
    """Return the scale of differences: none of a bounded measure is beyond 1.

    An interval may be; it ends where the axis does. One that several figures share has
    the same ends in all of them.
    """
    ends = [
        row[key]
        for row in rows
        for key in ("difference", "ci_low", "ci_high")
        if row.get(key) is not None
    ]
    low, high = min(ends, default=0.0), max(ends, default=0.0)
    margin = 0.05 * (high - low)
    most = 1 if curves.is_bounded(measure) else math.inf
    if not is_shared and max(margin - low, high + margin) <= most:
        return {"padding": 6}
    # Zero is where the line of no difference stands.
    domain = [max(min(low - margin, 0), -most), min(max(high + margin, 0), most)]
    return {"domain": domain, "clamp": True, "nice": False}


def _square(rows: Sequence[Mapping[str, Any]], measure: str) -> dict[str, Any]:
    """Return the scale of both axes of a scatter plot: equal, so that it is a square.

    Its diagonal then leads from corner to corner.
    """
    keys = ("baseline_value", "candidate_value", "baseline_low", "candidate_low")
    keys += ("baseline_high", "candidate_high")
    values = [row[key] for row in rows for key in keys if row.get(key) is not None]
    low, high = min(values, default=0.0), max(values, default=1.0)
    if curves.is_bounded(measure) and high > 0.5:
        high = 1.0
    return {"domain": [min(low, 0.0), high or 1.0], "nice": False}


def _time_format(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the format of times on an axis: as exact as telling them apart takes."""
    times = [row["made_at"] for row in rows if row.get("made_at")]
    span = max(times) - min(times) if times else timedelta(0)
    if span >= timedelta(days=3):
        return "%Y-%m-%d"
    return "%m-%d %H:%M" if span >= timedelta(minutes=10) else "%H:%M:%S"


def _sizes(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    points = Counter(
        (row.get("baseline_value"), row.get("candidate_value")) for row in rows
    )
    most = max(points.values())
    legend = {"tickCount": min(most - 1, 3), "format": "d"} if most > 1 else None
    return {"sizes": [1, max(most, 2)], "size_legend": legend}


def _precision(measure: str) -> str:
    parameters = measure.removeprefix("IPrec").rpartition("@")[0]
    return f"interpolated precision {parameters}".rstrip()


def _subtitle(rows: Sequence[Mapping[str, Any]]) -> str:
    first = rows[0]
    parts = [f"dataset {first['dataset']}"] if "dataset" in first else []
    if "judgment_set" in first:
        parts.append(f"judgment set {first['judgment_set']}")
    if queries := _queries(rows):
        parts.append(queries)
    return ", ".join(parts)


def _queries(rows: Sequence[Mapping[str, Any]]) -> str:
    first = rows[0]
    counts: dict[Any, int] = {}
    for row in rows:
        part = row.get("candidate")
        if "bin_low" in row or "baseline_low" in row or "place" in row:
            counts[part] = counts.get(part, 0) + row.get("queries", 1)
        elif "n" in row:
            counts[len(counts)] = row["n"]
    if "n" in first:
        counts = {n: row["n"] for n, row in enumerate(rows)}
    if not counts or "slice" in first:
        return ""
    low, high = min(counts.values()), max(counts.values())
    if low == high:
        return f"{high:,} {'query' if high == 1 else 'queries'}"
    return f"{low:,} to {high:,} queries"


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return harmless(value)
    if isinstance(value, datetime) and value.tzinfo is None:
        # Without a zone, it would be taken for local time.
        return f"{value.isoformat()}Z"
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Decimal):
        return float(value)
    return value
