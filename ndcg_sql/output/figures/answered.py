"""Which figure shows which answer."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.figures.figure import Figure, figure
from ndcg_sql.text import listed


def _leaderboard(answer: Answer) -> Figure:
    testing: Testing = answer.about["testing"]
    rows = answer.rows.records
    return _drawn("leaderboard", rows, confidence=testing.confidence)


def _differences(answer: Answer) -> Figure:
    testing: Testing = answer.about["testing"]
    rows = [{**row, "slice": row["candidate"]} for row in answer.rows.records]
    return _drawn(
        "slices",
        rows,
        attribute="run",
        candidate=f"{rows[0]['measure']} of candidates",
        confidence=testing.confidence,
        alpha=testing.alpha,
    )


def _history(answer: Answer) -> Figure:
    return _drawn("history", in_series(answer.rows.records, answer.scope.by))


def in_series(rows: Sequence[Record], attributes: Sequence[str]) -> list[Record]:
    """Return rows for a figure, in which slices are a part of the tag of a series."""
    if not attributes:
        return list(rows)
    tag = ", ".join(attributes)
    return [
        {
            **row,
            "tag": f"{tag}, {row['tag']}" if row.get("tag") else tag,
            "tag_value": ", ".join(
                filter(
                    None,
                    [
                        *(row[a] or "(not known)" for a in attributes),
                        row.get("tag_value"),
                    ],
                )
            ),
        }
        for row in rows
    ]


# By the name of the answer.
FIGURES: Mapping[str, Callable[[Answer], Figure]] = {
    "comparison": _differences,
    "history": _history,
    "leaderboard": _leaderboard,
}
# The answers whose figures show slices, too.
WITH_SLICES = ("history",)


def _drawn(name: str, rows: list[Record], **about: Any) -> Figure:
    first = [row for row in rows if row["measure"] == rows[0]["measure"]]
    for key, what in (("dataset", "datasets"), ("judgment_set", "judgment sets")):
        names = list(dict.fromkeys(row[key] for row in first))
        if len(names) > 1:
            raise NdcgSqlError(
                f"{name}: the rows belong to several {what}; ask for one of"
                f" {listed(names)}"
            )
    return figure(name, [r for r in first if r.get("value", 0) is not None], **about)
