"""Means over replicates, for people to read."""

from collections.abc import Sequence

from ndcg_sql.analysis.answers import Answer, Record
from ndcg_sql.output.grids import Shape, grid, shown
from ndcg_sql.output.tables import measured, slice_name, title


def replicates(answer: Answer, form: str) -> str:
    """Lay out systems: a table for each dataset, a row for each measure of a system.

    With attributes of queries, every slice has such rows. The field counts says how
    many columns tell what the values are based on.
    """
    rows, request = answer.rows.records, answer.request
    # As papers print it; what the values are based on is in every other format.
    shows = "none" if form == "latex" else getattr(request, "counts", "all")
    datasets = dict.fromkeys((r["dataset"], r["judgment_set"]) for r in rows)
    return "\n".join(
        title(*key, form)
        + _table(
            [row for row in rows if (row["dataset"], row["judgment_set"]) == key],
            request.by,
            form,
            shows,
        )
        for key in datasets
    )


def _table(
    rows: Sequence[Record], attributes: Sequence[str], form: str, shows: str
) -> str:
    leading = [*attributes, "system", "measure"]
    columns = [*leading, "mean", "deviation", "least", "greatest", "replicates"]
    columns += _counts(rows[0], shows)
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
            *_counts(row, shows).values(),
        ]
        for row in rows
    ]
    numbers = range(len(leading), len(columns))
    common = [len(leading) - 1, *numbers[4:]]
    return grid(columns, cells, form, numbers, shape=Shape(len(leading), common=common))


def _counts(row: Record, shows: str) -> dict[str, str]:
    if shows == "none":
        return {}
    queries = {"queries": str(row["answered"] + row["unanswered"])}
    if shows == "short":
        return queries
    return {
        **queries,
        "unanswered": str(row["unanswered"]),
        "nothing relevant": str(row["no_relevant"]),
    }
