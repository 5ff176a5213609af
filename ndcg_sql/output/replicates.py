"""Means over replicates, for people to read."""

from collections.abc import Sequence

from ndcg_sql.comparison.answers import Answer, Record
from ndcg_sql.output.columns import (
    ANSWERS,
    MEASURE,
    Column,
    slices,
    table,
    with_queries,
)
from ndcg_sql.output.grids import Shape
from ndcg_sql.output.tables import by_dataset, counts_shown, title


def replicates(answer: Answer, form: str) -> str:
    """Lay out systems: a table for each dataset, a row for each measure of a system.

    With attributes of queries, every slice has such rows. counts in about says how
    many columns tell what the values are based on.
    """
    return "\n".join(
        title(*names, form)
        + _table(rows, answer.scope.by, form, counts_shown(answer, form))
        for names, rows in by_dataset(answer.rows.records).items()
    )


def _table(
    rows: Sequence[Record], attributes: Sequence[str], form: str, counts: str
) -> str:
    leading = [*slices(attributes), Column("system", "system", "name"), MEASURE]
    columns = [
        *leading,
        # Counts of replicates are whole numbers, but not their means.
        Column("value", "mean", "average"),
        Column("deviation", "deviation"),
        Column("least", "least", "value"),
        Column("greatest", "greatest", "value"),
        Column("replicates", "replicates", "count"),
        *{"none": (), "short": ANSWERS[:1]}.get(counts, ANSWERS),
    ]
    common = [len(leading) - 1, *range(len(leading) + 4, len(columns))]
    shape = Shape(common)
    return table(columns, [*map(with_queries, rows)], form, shape)
