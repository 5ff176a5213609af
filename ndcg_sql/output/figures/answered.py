"""Which figure shows which answer."""

from collections.abc import Callable, Mapping
from typing import Any

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.figures.figure import Figure, figure
from ndcg_sql.output.histories import in_series
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
