"""Values over time, in series."""

from collections.abc import Sequence

from ndcg_sql.comparison.answers import Record


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


def _series_of(row: Record, attributes: Sequence[str]) -> str:
    slices = [row[name] or "(not known)" for name in attributes]
    return ", ".join(filter(None, [*slices, row.get("tag_value")]))
