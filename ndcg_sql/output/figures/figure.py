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

from ndcg_sql.comparison.answers import Answer, Record, Rows
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.figures import drawing
from ndcg_sql.output.figures.drawing import NATURAL, Size
from ndcg_sql.output.layout import cut
from ndcg_sql.output.writing import check_own
from ndcg_sql.system.files import replaced
from ndcg_sql.text import counted, harmless, listed, nearest, quoted
from ndcg_sql.wording import use

# How many characters of a name are drawn: the fewest that tell all names apart, and
# of the id of a query.
_SHORT = (48, 72, 110, 200)
_NARROW = (18, 28, *_SHORT)
_BRIEF = (16, 24, 48, 96, 200)
_NAMES = ("run", "candidate", "slice", "tag_value")
# Of a value, or of a bin.
_ENDS = ("value", "low", "high")
# The figures of answers, by their names; only the last shows slices, too.
_KINDS = {"comparison": "slices", "leaderboard": "leaderboard", "history": "history"}
# What the title of an axis may be made of, which is cut as a whole.
_OF_AXES = ("family", "level", "baseline", "candidate")
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
        values, theme = {"values": self.values}, drawing.spec("theme")
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
        """Return the figure in the format of a suffix."""
        form = suffix.lower().removeprefix(".")
        if self.size.dpi and form != "png":
            raise NdcgSqlError("only for PNG", where=use(dpi=self.size.dpi))
        drawn: str | bytes = getattr(self, form)()
        return drawn.encode() if isinstance(drawn, str) else drawn

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write the figure to a file whose suffix is .svg, .png or .pdf.

        A file that is no figure of ndcg-sql is only replaced with force.
        """
        file = Path(path)
        check_own(file, "figure", force)
        content = self.content(file.suffix)
        with replaced(file, use(output=str(file))) as new:
            new.write_bytes(content)

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
    names = drawing.names()
    if name not in names:
        hint = nearest(name, names) or f"known: {', '.join(names)}"
        raise NdcgSqlError(f"no figure {quoted(name)}; {hint}")
    rows = [_in_series(row, by) for row in rows if row.get("value", 0) is not None]
    if not rows:
        kind = name.removeprefix("query-").removesuffix("-bins")
        raise NdcgSqlError(f"{kind}: there is no data to draw")
    spec = drawing.spec(f"{name}.vl")
    if name in _RANKED:
        # Those of equal values stay in order.
        rows = sorted(rows, key=lambda row: -round(row["value"], 12))
    facts = {**_about(rows), **{k: v for k, v in about.items() if v is not None}}
    texts = {k: harmless(v) if isinstance(v, str) else v for k, v in facts.items()}
    longest = drawing.LONGEST
    shown = {k: cut(v, longest) if isinstance(v, str) else v for k, v in texts.items()}
    heading, others = spec["title"], drawing.others(name, rows)
    notes = [heading.get("subtitle", "").format(**shown), *about.get("notes", ())]
    notes += [f"grey: {others}"] if others else []
    subtitle = [texts["subtitle"], *filter(None, notes)]
    title = heading["text"].format(**shown)
    description = spec["description"].format(**texts)
    names = {row[column] for row in rows for column in _NAMES if row.get(column)}
    short = _shortening(names, _NARROW if size.is_narrow else _SHORT)
    unsure = f"!isValid(datum.p_adjusted) || datum.p_adjusted >= {facts['alpha']!r}"
    # Blanks would take the room that the bars need.
    slash = " + '/' + " if size.is_narrow else " + ' / ' + "
    outcomes = (f"format(datum.{key}, ',')" for key in ("losses", "ties", "wins"))
    filling = {
        **shown,
        **{key: texts[key] for key in _OF_AXES},
        "short": short,
        "brief": _shortening({row.get("query_id") for row in rows}, _BRIEF),
        # Without the names along an axis, in the order of the rows, Vega-Lite would
        # order it by the layer that it draws first, which may leave out rows.
        "runs": _distinct(rows, "run"),
        "slices": _distinct(rows, "slice"),
        "verdict": f"{unsure} ? 'faint' : datum.difference < 0 ? 'lost' : 'won'",
        "room_of_name": "15" if size.width is None else "11",
        "counts": slash.join(outcomes),
        **drawing.layers(name, rows, short),
    }
    drawn = drawing.filled({**spec, "title": None}, filling)
    drawn |= {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "description": description,
        "title": {"text": title, "subtitle": [cut(line, 90) for line in subtitle]},
    }
    return Figure(name, title, description, [dict(row) for row in rows], drawn, size)


def figure_of(answer: Answer) -> Figure | None:
    """Return the figure of an answer by its first measure; None if it has none."""
    kind = _KINDS.get(answer.name)
    if kind is None or (answer.scope.by and kind != "history"):
        return None
    rows, testing = answer.rows.records, answer.about.get("testing", Testing())
    about = {"confidence": testing.confidence, "alpha": testing.alpha}
    measure = rows[0]["measure"]
    first = [row for row in rows if row["measure"] == measure]
    if kind == "slices":
        first = [{**row, "slice": row["candidate"]} for row in first]
        about |= {"attribute": "run", "candidate": f"{measure} of candidates"}
    for key, what in (("dataset", "datasets"), ("judgment_set", "judgment sets")):
        names = list(dict.fromkeys(row[key] for row in first))
        if len(names) > 1:
            raise NdcgSqlError(
                f"{kind}: the rows belong to several {what}; ask for one of"
                f" {listed(names)}"
            )
    return figure(kind, first, by=answer.scope.by, **about)


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


def _distinct(rows: Sequence[Mapping[str, Any]], key: str) -> list[str]:
    return list(dict.fromkeys(harmless(row[key]) for row in rows if row.get(key)))


def _shortening(names: Iterable[str | None], limits: Sequence[int]) -> str:
    """Return the expression that cuts names to the least limit that tells all apart."""
    distinct = {name for name in names if name}
    limit = head = tail = 0
    for limit in limits:
        head, tail = limit // 2, limit // 2 - 1
        cuts = {n if len(n) <= limit else (n[:head], n[-tail:]) for n in distinct}
        if len(cuts) == len(distinct):
            break
    return (
        f"length(datum.label) > {limit} ? slice(datum.label, 0, {head}) + '…'"
        f" + slice(datum.label, -{tail}) : datum.label"
    )


def _about(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what titles and axes say of rows, unless it is given."""
    first = rows[0]
    measure = str(first.get("measure", ""))
    widths = [r["bin_high"] - r["bin_low"] for r in rows if "bin_high" in r] or [0]
    parts = len({row.get("candidate", row.get("run")) for row in rows})
    # Equal values are one larger point.
    keys = ("baseline_value", "candidate_value")
    same = max(Counter(tuple(map(row.get, keys)) for row in rows).values())
    legend = {"tickCount": min(same - 1, 3), "format": "d"} if same > 1 else None
    return {
        "measure": measure,
        "family": measure.rpartition("@")[0] or measure,
        "level": measure.removeprefix("IPrec").rpartition("@")[0],
        "baseline": first.get("baseline", ""),
        "candidate": first.get("candidate", ""),
        "attribute": "slice",
        "reach": reach(rows, measure),
        "square": _square(rows, measure),
        "lines": f"a line for each {first['tag']}" if first.get("tag") else "",
        "confidence": "95 %",
        "alpha": 0.05,
        "width": f"{widths[0] or max(widths):g}",
        # A row of bars for each run; many runs get flat ones.
        "height": 110 if parts == 1 else 60 if parts <= 5 else 28,
        "cutoffs": sorted({row["cutoff"] for row in rows if row.get("cutoff")}),
        "time_format": _time_format(rows),
        "sizes": [1, max(same, 2)],
        "size_legend": legend,
        "subtitle": _subtitle(rows),
    }


def _range(
    rows: Iterable[Mapping[str, Any]], *keys: str
) -> tuple[float | None, float | None]:
    """Return the least and the greatest of the values of some columns, if any."""
    values = [row[key] for row in rows for key in keys if row.get(key) is not None]
    return min(values, default=None), max(values, default=None)


def reach(
    rows: Iterable[Mapping[str, Any]], measure: str, *, is_shared: bool = False
) -> dict[str, Any]:
    """Return the scale of differences, one of several figures if it is shared."""
    low, high = _range(rows, "difference", "ci_low", "ci_high")
    low, high = low or 0.0, high or 0.0
    margin = 0.05 * (high - low)
    most = 1 if drawing.is_bounded(measure) else math.inf
    if not is_shared and max(margin - low, high + margin) <= most:
        return {"padding": 6}
    # Zero is where the line of no difference stands.
    domain = [max(min(low - margin, 0), -most), min(max(high + margin, 0), most)]
    return {"domain": domain, "clamp": True, "nice": False}


def _square(rows: Sequence[Mapping[str, Any]], measure: str) -> dict[str, Any]:
    """Return the scale of both axes of a scatter plot: equal, so it is a square."""
    ends = [f"{run}_{end}" for run in ("baseline", "candidate") for end in _ENDS]
    low, high = _range(rows, *ends)
    high = 1.0 if high is None else high
    if drawing.is_bounded(measure) and high > 0.5:
        high = 1.0
    return {"domain": [min(low or 0.0, 0.0), high or 1.0], "nice": False}


def _time_format(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the format of times on an axis: as exact as telling them apart takes."""
    times = [row["made_at"] for row in rows if row.get("made_at")]
    span = max(times) - min(times) if times else timedelta(0)
    if span >= timedelta(days=3):
        return "%Y-%m-%d"
    return "%m-%d %H:%M" if span >= timedelta(minutes=10) else "%H:%M:%S"


def _subtitle(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return what all rows are about, and how many queries they show, if they say."""
    first, counts = rows[0], Counter[Any]()
    names = {"dataset": "dataset", "judgment_set": "judgment set"}
    parts = [f"{name} {first[key]}" for key, name in names.items() if key in first]
    for number, row in enumerate(rows):
        if "n" in first:
            counts[number] = row["n"]
        elif {"bin_low", "baseline_low", "place"} & row.keys():
            counts[row.get("candidate")] += row.get("queries", 1)
    if counts and "slice" not in first:
        low, high = min(counts.values()), max(counts.values())
        queries = counted(high, "query", "queries", ",")
        parts.append(queries if low == high else f"{low:,} to {queries}")
    return ", ".join(parts)


def _plain(value: Any) -> Any:
    if isinstance(value, str):
        return harmless(value)
    if isinstance(value, (datetime, date)):
        # Without a zone, it would be taken for local time.
        is_local = isinstance(value, datetime) and value.tzinfo is None
        return value.isoformat() + "Z" * is_local
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return float(value) if isinstance(value, Decimal) else value
