"""Assessors who graded a document again, and the times that tell when."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.errors import BadRowsError, NdcgSqlError, Offer
from ndcg_sql.reading.columns import of_header
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout, Reading
from ndcg_sql.reading.proposals import proposed
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import quoted
from ndcg_sql.wording import use

_WHO = {"assessor"}
_WHEN = {"assessed_at"}
_AGAIN = frozenset(("assessment_twice",))
_TIMES = "store/staged_times"


def is_time(database: Database, text: str) -> bool:
    """Return whether a text is read as a time."""
    select = sql_files.composed(("lookups/time_text", _TIMES))
    [(is_one,)] = database.execute(
        f"select assessed_at is not null from ({select})", {"text": text}
    )
    return bool(is_one)


def assessor_among(columns: Collection[str]) -> str | None:
    """Return the column that is likely to name assessors, or None."""
    usual = (name for name in columns if of_header([name], "assessments") & _WHO)
    return next(usual, None) or proposed("assessor", columns)


def times_among(columns: Iterable[str]) -> list[str]:
    """Return the columns that are likely to have times, not those of assessors."""
    return [column for column in columns if _may_tell_when(column)]


def _may_tell_when(column: str) -> bool:
    """Return whether a column is likely to have times, by its name."""
    if of_header([column], "assessments") & _WHEN:
        return True
    # One such as "created by" says who.
    is_time = proposed("assessed_at", [column]) is not None
    return is_time and assessor_among([column]) is None


def columns_to_name(assessor: str | None, time: str) -> dict[str, str]:
    """Return the columns of a file that must be named, as their names do not say it."""
    names = {"assessor": assessor, "assessed_at": time}
    return {
        column: name
        for column, name in names.items()
        if name is not None and column not in of_header([name], "assessments")
    }


def explained(
    database: Database,
    source: Source,
    how: Layout,
    reading: Reading,
    error: BadRowsError,
) -> NdcgSqlError | None:
    """Return what a file is whose assessors grade again, if a column says when."""
    is_again = error.checks == _AGAIN and "assessed_at" not in how.fields
    if not is_again or not how.ignored:
        return None
    whole, _ = layout(source, "assessments", replace(reading, wanted=how.ignored))
    places = {whole.attributes[column]: column for column in how.ignored}
    for (place,) in whole.rows(
        database,
        *("lookups/opinions_by_column", _TIMES, "lookups/times_telling_apart"),
        places=[*places],
        query_field=whole.fields["query_id"],
        doc_field=whole.fields["doc_id"],
        assessor_field=whole.fields.get("assessor"),
    ):
        columns = {"assessed_at": places[place]}
        fact = "assessors grade documents again, and"
        fact += f" {quoted(places[place])} may say when"
        return NdcgSqlError(
            f"{source.shown}: {fact}",
            "if it does, so that the latest grade counts: " + use(columns=columns),
            offer=Offer(fact, {"columns": columns}),
        )
    return None
