"""Values over time, for people to read."""

from collections.abc import Sequence

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.output import bars
from ndcg_sql.output.grids import SCREEN, rows_as_they_are
from ndcg_sql.output.layout import cut, measure
from ndcg_sql.text import harmless


def history(answer: Answer, form: str) -> str:
    """Lay out values over time; on a terminal, with a line for each series."""
    table = rows_as_they_are(answer, form)
    screen = SCREEN.get()
    if form != "table" or not screen.has_blocks:
        return table
    series: dict[tuple[str, ...], list[float]] = {}
    for row in answer.rows.records:
        if row["value"] is not None:
            names = (row["dataset"], row["measure"], _series_of(row, answer.request.by))
            series.setdefault(names, []).append(row["value"])
    several = len({dataset for dataset, *_ in series}) > 1
    lines = [
        _spark(names if several else names[1:], values, screen.width or 80)
        for names, values in series.items()
        if len(values) > 1
    ]
    return table + ("\n" + "".join(lines) if lines else "")


def _series_of(row: Record, attributes: Sequence[str]) -> str:
    slices = [row[name] or "(not known)" for name in attributes]
    return ", ".join(filter(None, [*slices, row.get("tag_value")]))


def in_series(rows: Sequence[Record], attributes: Sequence[str]) -> list[Record]:
    """Return rows for a figure, in which slices are a part of the tag of a series."""
    if not attributes:
        return list(rows)
    return [
        {
            **row,
            "tag": ", ".join(filter(None, [*attributes, row.get("tag")])),
            "tag_value": _series_of(row, attributes),
        }
        for row in rows
    ]


def _spark(names: Sequence[str], values: Sequence[float], width: int) -> str:
    ends = f"{values[0]:.4f} to {values[-1]:.4f}"
    label = cut(harmless(" ".join(name for name in names if name)), width // 3)
    room = width - measure(label) - len(ends) - 4
    return f"{label}  {bars.line(values[-max(room, 2) :])}  {ends}\n"
