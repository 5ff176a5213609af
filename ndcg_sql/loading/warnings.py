"""Warnings of loading: what may not be what was meant, as rows of sql/warnings.csv."""

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from typing import Any, Literal

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.measuring import Pair
from ndcg_sql.loading.sentences import filled, rows_by_name
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import counted, shortened
from ndcg_sql.wording import FILE, Text, Wording, call, joined, named, use

# Documents that nearly match are looked for among so many of those of runs: to look
# at all of a large run would take a notable part of the time to load it.
_MOST = 20_000
# How many values grades have at most.
MOST_GRADES = 20
# So many rows show whether all need a closer look, which takes longer.
_FIRST = 100_000
# Runs with queries that are not judged, where there are judged ones without an answer.
# Of many large ones, the newest show what is wrong with judgments.
_DOUBTFUL = (
    "select run_id from evaluations where judgment_set_id = $judgment_set_id"
    " and list_contains($run_ids, run_id) and unanswered > 0 and unjudged_queries > 0"
    " qualify run_id = max(run_id) over () or sum(answered + unanswered) over"
    " (order by run_id desc) <= 1_000_000"
)
Noun = Literal["query", "document"]
_PLURALS = {"query": "queries", "document": "documents"}


def sentence(warning: str, **values: Any) -> Text:
    """Return the sentence of a warning with values in the place of its fields."""
    return filled(rows_by_name("warnings", "warning")[warning]["sentence"], values)


def each(
    database: Database, warning: str, parameters: Parameters, **values: Any
) -> list[Wording]:
    """Return a warning for each row of its select, with its columns in the sentence."""
    rows = _records(database, warning, parameters)
    return [sentence(warning, **values, **row) for row in rows]


def _records(
    database: Database, warning: str, parameters: Parameters
) -> list[dict[str, Any]]:
    row = rows_by_name("warnings", "warning")[warning]
    files = tuple(f"warnings/{one}" for one in row["selects"].split())
    return database.records(sql_files.composed(files), parameters)


def check_strict(strict: bool, warnings: Sequence[Wording]) -> None:
    """Raise NdcgSqlError for a warning if the user is strict."""
    if strict and warnings:
        raise NdcgSqlError(
            joined(dict.fromkeys(warnings), "\n"),
            "nothing was loaded; to load it nevertheless, omit " + named("strict"),
        )


def staged_documents(run_id: int) -> str:
    """Return the select of documents of a run from its staged rows.

    DuckDB reads rankings that its own transaction wrote on one thread.
    """
    return f"select {run_id:d} as run_id, query_id, doc_id from staged limit {_MOST}"


def stored_documents(run_ids: Sequence[int]) -> str:
    """Return the select of documents of runs that were stored before."""
    runs = ", ".join(f"{run_id:d}" for run_id in run_ids)
    rows = f"from rankings where run_id in ({runs})"
    return f"select run_id, query_id, doc_id {rows} limit {_MOST}"


def unmatched(
    database: Database,
    name: str,
    pair: Pair,
    ranked: str | None,
    *,
    is_new_run: bool = True,
) -> list[Wording]:
    """Return a warning if a run and a judgment set have no query or document in common.

    ranked selects documents of the run to take an example from, None means none. A run
    that is not new can be loaded again.
    """
    run_id, set_id = pair
    ids: Parameters = {"run_id": run_id, "judgment_set_id": set_id}
    [(answered, own, judged)] = database.run("warnings/first_queries", ids)
    if not answered:
        example: dict[str, Any] = {"own": own, "judged": judged}
        for row in _near(database, "queries", [run_id], set_id, 1):
            example = row
        return [sentence("unmatched_queries", **{**example, "run": name})]
    hits = "from hits where run_id = $run_id and judgment_set_id = $judgment_set_id"
    if database.execute(f"{hits} limit 1", ids):
        return []
    examples = database.records(sql_files.read("warnings/first_documents"), ids)
    if ranked is not None:
        with database.hide("ranked", ranked):
            for row in _records(database, "unmatched_chunks", ids):
                unit = {"unit_before": row["unit_before"]}
                again = call("load_run", FILE, **unit, replace=True)
                way = use(**unit) if is_new_run else again
                return [sentence("unmatched_chunks", **row, run=name, way=way)]
            examples += _near(database, "documents", [run_id], set_id, 1)
    example = {**examples[-1], "run": name}
    if example["own"] is None:
        return [sentence("unanswered", run=name)]
    return [sentence("unmatched_documents", **example)]


def near(
    database: Database, run_ids: Sequence[int], set_id: int, ranked: str | None
) -> list[Wording]:
    """Return warnings of several ids of runs and judgments that differ, but hardly.

    ranked selects the documents to look at, None means none. Of several runs, the one
    with the most such ids is named.
    """
    nouns = ("queries", "documents") if ranked else ("queries",)
    with database.hide("ranked", ranked) if ranked else nullcontext():
        return [
            sentence(f"near_{noun}", **row)
            for noun in nouns
            for row in _near(database, noun, run_ids, set_id, 2)
        ]


def _near(
    database: Database, noun: str, run_ids: Sequence[int], set_id: int, least: int
) -> list[dict[str, Any]]:
    """Return the run with the most ids that nearly match, if it has so many."""
    ids: Parameters = {"run_ids": [*run_ids], "judgment_set_id": set_id, "least": least}
    if noun == "queries":
        ids["run_ids"] = [run_id for (run_id,) in database.execute(_DOUBTFUL, ids)]
    return _records(database, f"near_{noun}", ids) if ids["run_ids"] else []


def alike(
    database: Database, noun: Noun, rows: str, parameters: Parameters
) -> list[Wording]:
    """Return a warning if ids of rows are nearly the same as others of a dataset.

    rows follow a from: the rows of a run or of a judgment set that is stored already,
    or staged ones. parameters have the dataset, and the run_id or judgment_set_id.
    """
    if database.is_scratch:
        # A single command has no other loads to agree with.
        return []
    ids = {"run_id": None, "judgment_set_id": None, **parameters}
    column = {"query": "query_id", "document": "doc_id"}[noun]
    new = sql_files.composed((f"warnings/ids_of_{noun}", "warnings/new_ids"))
    with database.hide("new_ids", f"select {column} as id from {rows}"):
        # Most runs answer queries that are known, and no more is to be planned.
        if not database.execute(f"from ({new}) limit 1", ids):
            return []
        values = {"nouns": _PLURALS[noun], "dataset": parameters["dataset"]}
        return each(database, f"alike_{_PLURALS[noun]}", ids, **values)


def is_new(database: Database, dataset: str) -> bool:
    """Return whether a dataset has no judgments and no runs."""
    rows = "from {} where dataset = $dataset limit 1"
    return not any(
        database.execute(rows.format(table), {"dataset": dataset})
        for table in ("runs", "judgment_sets")
    )


def unknown_queries(
    database: Database, dataset: str, noun: str | None, rows: str = "staged"
) -> list[Wording]:
    """Return a warning of rows whose queries no run and no judgment set has."""
    count, line = "1", "line_number"
    if rows == "events":
        count, line = "event_count", "0"
    select = f"select query_id, {line} as line_number, {count} as row_count from {rows}"
    with database.hide("described", select):
        values = {"dataset": dataset, "noun": noun}
        return each(database, "unknown_queries", values)


def rounded_ids(database: Database, how: Layout) -> list[Wording]:
    """Return a warning if staged rows have several ids that a spreadsheet rounded.

    A mark of decimals and an exponent tell them: 1E5 may be an id. It is no refusal, as
    even these may be what users searched for.
    """
    columns = [column for column in ("query_id", "doc_id") if column in how.fields]
    if not columns or how.apart_by == "blanks":
        # No spreadsheet writes the files of TREC.
        return []
    may_be = " or ".join(f"contains({column}, 'E+')" for column in columns)
    first = f"from (from staged limit {_FIRST})"
    if not database.execute(f"{first} where {may_be} limit 1"):
        return []
    # Staged rows may have no line numbers.
    select = sql_files.composed((*how.steps, "warnings/rounded_ids"))
    query, document = how.fields.get("query_id"), how.fields.get("doc_id")
    places = {**how.parameters, "query_field": query, "doc_field": document}
    about = {"file": how.source.shown, "unit": f"{how.source.unit}s"}
    rows = database.records(select, places)
    return [sentence("rounded_ids", **about, **row) for row in rows]


def ignored_columns(ignored: Iterable[str]) -> str:
    """Return the message on the columns that were ignored."""
    return f"ignored columns: {', '.join(map(shortened, ignored))}"


def comments(source: Source) -> list[str]:
    """Return the note on lines that were skipped as comments, if there are any."""
    lines = counted(source.comments, "comment line")
    return [f"{source.shown}: {lines} skipped"] * bool(source.comments)
