"""Means over replicates, for people to read."""

from collections.abc import Sequence

from ndcg_sql.analysis.answers import Answer, Record
from ndcg_sql.output.grids import Shape, grid, shown
from ndcg_sql.output.tables import by_dataset, counts_shown, measured, slice_name, title


def replicates(answer: Answer, form: str) -> str:
    """Lay out systems: a table for each dataset, a row for each measure of a system.

    With attributes of queries, every slice has such rows. The field counts says how
    many columns tell what the values are based on.
    """
    request = answer.request
    return "\n".join(
        title(*names, form)
        + _table(rows, request.by, form, counts_shown(request, form))
        for names, rows in by_dataset(answer.rows.records).items()
    )


def _table(
    rows: Sequence[Record], attributes: Sequence[str], form: str, counts: str
) -> str:
    leading = [*attributes, "system", "measure"]
    columns = [*leading, "mean", "deviation", "least", "greatest", "replicates"]
    columns += _counts(rows[0], counts)
    cells = [
        [
            *(slice_name(row[column]) for column in leading),
            # Counts of replicates are whole numbers, but not their means.
            shown(row["value"]) or "no query left",
            shown(row["deviation"]),
            *(
                measured(row[column], row["measure"])
                for column in ("least", "greatest")
            ),
            str(row["replicates"]),
            *_counts(row, counts).values(),
        ]
        for row in rows
    ]
    numbers = range(len(leading), len(columns))
    common = [len(leading) - 1, *numbers[4:]]
    return grid(columns, cells, form, numbers, shape=Shape(len(leading), common=common))


def _counts(row: Record, counts: str) -> dict[str, str]:
    if counts == "none":
        return {}
    queries = {"queries": str(row["answered"] + row["unanswered"])}
    if counts == "short":
        return queries
    return {
        **queries,
        "unanswered": str(row["unanswered"]),
        "nothing relevant": str(row["no_relevant"]),
    }
