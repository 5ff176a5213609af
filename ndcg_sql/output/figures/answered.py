"""Which figure shows which answer."""

from ndcg_sql.comparison.answers import Answer
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.figures.figure import Figure, figure
from ndcg_sql.text import listed

# The kind of figure by the name of the answer; only the last shows slices, too.
_KINDS = {"comparison": "slices", "leaderboard": "leaderboard", "history": "history"}


def has_figure(answer: Answer) -> bool:
    """Return whether an answer has a figure of its own."""
    by_kind = ("history",) if answer.scope.by else tuple(_KINDS)
    return answer.name in by_kind


def figure_of(answer: Answer) -> Figure:
    """Return the figure of an answer by its first measure.

    Raises NdcgSqlError if its rows belong to several datasets or judgment sets.
    """
    name, rows = answer.name, answer.rows.records
    kind, testing = _KINDS[name], answer.about.get("testing", Testing())
    about = {"confidence": testing.confidence, "alpha": testing.alpha}
    first = [row for row in rows if row["measure"] == rows[0]["measure"]]
    if name == "comparison":
        first = [{**row, "slice": row["candidate"]} for row in first]
        about |= {"attribute": "run"}
        about |= {"candidate": f"{rows[0]['measure']} of candidates"}
    for key, what in (("dataset", "datasets"), ("judgment_set", "judgment sets")):
        names = list(dict.fromkeys(row[key] for row in first))
        if len(names) > 1:
            raise NdcgSqlError(
                f"{kind}: the rows belong to several {what}; ask for one of"
                f" {listed(names)}"
            )
    return figure(kind, first, by=answer.scope.by, **about)
