"""Documents twice for a query: what explains all of them, and what to do then."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import BadRowsError, NdcgSqlError, Offer
from ndcg_sql.loading.dividing import present_pattern
from ndcg_sql.loading.naming import editions
from ndcg_sql.loading.naming import field as in_pattern
from ndcg_sql.loading.options import Options, Ranked
from ndcg_sql.reading.columns import NO_RUNS
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.proposals import proposed
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import quoted
from ndcg_sql.wording import Blank, Text, Wording, call, use

# How many columns are tried in pairs.
_PAIRED = 8


@dataclass(frozen=True)
class _Parts:
    """The columns whose values divide a file without duplicates, and how many parts.

    how is the layout of the file with the places of its further columns.
    """

    columns: tuple[str, ...]
    count: int
    how: Layout

    @property
    def fact(self) -> str:
        """That the columns divide the file."""
        named_by = " and ".join(map(quoted, self.columns))
        if len(self.columns) == 1:
            return f"{named_by} has {self.count} values and divides the file"
        return f"{named_by} have {self.count} combinations and divide the file"


def explained(
    database: Database,
    kind: Ranked,
    source: Source,
    how: Layout,
    options: Options,
    error: BadRowsError,
) -> NdcgSqlError | None:
    """Return what a file with duplicates is, if something explains all of them.

    Return None if nothing does, or if something else is wrong that can be got past
    first.
    """
    twice = {check.removesuffix("_in_run") for check in error.checks}
    twice &= {"document_twice", "rank_twice"}
    if not twice or error.offer is not None or how.is_list:
        return None
    if kind == "judgments" and options.grade is not None:
        return _once(source)
    if not how.ignored or options.run_column == NO_RUNS:
        return None
    subtopic = proposed("subtopic", how.ignored) if kind == "judgments" else None
    if subtopic is not None and "subtopic" not in how.fields:
        return _of_subtopics(source, subtopic)
    # In a name, the column that tells one export from the next comes first.
    columns = list(dict.fromkeys([*editions(how.ignored), *how.ignored]))
    whole, _ = layout(source, kind, replace(options, wanted=tuple(columns)))
    # The versions of a ranking have the same ranks, and some of the same documents.
    unique = ["doc_id", *(["rank"] if "rank_twice" in twice else [])]
    parts = _dividing(database, whole, columns, unique)
    if parts is None:
        return None
    if kind == "judgments":
        return _versions(database, source, parts)
    offered: dict[str, object] = {"run_column": parts.columns[0]}
    if len(parts.columns) > 1 or "run" in how.fields:
        names = list(map(in_pattern, parts.columns))
        if "run" in how.fields:
            is_pattern = how.run_column is not None and "{" in how.run_column
            names.insert(0 if is_pattern else len(names), present_pattern(how))
        offered = {"name": "/".join(names)}
    return _refusal(source, parts.fact, "for a run of each: ", offered)


def _once(source: Source) -> NdcgSqlError:
    """Return what rows that all have one grade are, some of them several times."""
    fact = "some documents are listed twice for a query, always with the same grade"
    return _refusal(source, fact, "to keep one row of each: ", {"duplicates": "first"})


def _of_subtopics(source: Source, column: str) -> NdcgSqlError:
    """Return what judgments are whose documents are judged for several subtopics."""
    fact = f"documents are judged twice, and {quoted(column)} may name their subtopics"
    offered: dict[str, object] = {"columns": {"subtopic": column}}
    return _refusal(source, fact, "if it does: ", offered)


def _versions(database: Database, source: Source, parts: _Parts) -> NdcgSqlError | None:
    """Return what judgments of several versions, or of several assessors, are.

    The greatest version stands for any, as the newest one is likely to be wanted.
    """
    newer = editions(parts.columns)
    column = newer[0] if newer else parts.columns[0]
    [(value,)] = database.execute(
        sql_files.composed((*parts.how.steps, "lookups/greatest_value")),
        {**parts.how.parameters, "value_field": parts.how.attributes[column]},
    )
    one: dict[str, object] = {"where": {column: value}}
    if newer:
        return _refusal(source, parts.fact, "to load one of them: ", one)
    if len(parts.columns) > 1:
        return None
    assessors: dict[str, object] = {"columns": {"assessor": column}}
    remedy = Text(
        "if these are assessors: ",
        call("load_assessments", Blank("FILE"), **assessors),
    )
    fact: Wording = parts.fact
    if proposed("assessor", [column]) is None:
        other = Text("to load one of them: ", use(**one))
        fact, remedy = Text(fact, "; ", other), Text(remedy, "; ", other)
    return NdcgSqlError(
        f"{source.shown}: {parts.fact}",
        remedy,
        offer=Offer(fact, assessors, "load_assessments"),
    )


def _refusal(
    source: Source, fact: str, begin: str, offered: dict[str, object]
) -> NdcgSqlError:
    """Return an error with a fact, and with fields that get past it."""
    remedy = Text(begin, use(**offered))
    return NdcgSqlError(f"{source.shown}: {fact}", remedy, offer=Offer(fact, offered))


def _dividing(
    database: Database, how: Layout, columns: Sequence[str], unique: Sequence[str]
) -> _Parts | None:
    """Return the columns that divide a file without duplicates.

    unique are the fields that each part has once for a query.
    """
    places = {how.attributes[column]: column for column in columns}
    pairs = [(place, 0) for place in places]
    pairs += combinations([*places][:_PAIRED], 2)
    select = sql_files.composed((*how.steps, "lookups/dividing_columns"))
    parameters: Parameters = {
        "query_field": how.fields["query_id"],
        "first_places": [first for first, _ in pairs],
        "second_places": [second for _, second in pairs],
    }
    dividing: list[list[tuple[int, int, int]]] = [
        database.execute(
            select, {**how.parameters, **parameters, "unique_field": how.fields[field]}
        )
        for field in unique
    ]
    for first, second, count in dividing[0]:
        if count > 1 and all((first, second, count) in rows for rows in dividing):
            chosen = (places[place] for place in (first, second) if place)
            return _Parts(tuple(chosen), count, how)
    return None
