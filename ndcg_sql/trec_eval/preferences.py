"""The measures of trec_eval for judgments that have groups.

Preferences (-R prefs, -R qrels_prefs) say which of two documents is better;
judgment groups (-R qrels_jg) each judge on their own what is relevant.
"""

from dataclasses import replace
from pathlib import Path

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import BadRowsError, ExitError
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.measures.names import Measure
from ndcg_sql.reading.layouts import Layout, blank_separated
from ndcg_sql.reading.sources import Source
from ndcg_sql.reading.staging import check_staged, stage
from ndcg_sql.system.paths import source_name
from ndcg_sql.text import now, quoted

Value = tuple[str, str, float]
_COLUMNS = {
    "query_id": "query",
    "group_id": "group",
    "subgroup_id": "subgroup",
    "doc_id": "document",
    "grade": "level",
}
# The files under sql/trec_eval/preferences/, each of which reads the rows of
# earlier ones.
_STEPS = (
    *("places", "judged_groups", "levels", "preferred"),
    *("group_documents", "group_sizes", "group_counts", "even_counts", "pair_values"),
)


def values(
    database: Database,
    run_id: int,
    source: Source,
    with_subgroups: bool,
    names: list[str],
) -> list[Value]:
    """Return query, name and value of measures of preferences for a run.

    There is a value for every name and every query of the source, in order;
    a query that the run did not answer fulfils no preference. The warehouse
    is not changed, except for the temporary table staged: the source's rows.
    Raises NdcgSqlError for a malformed line; with trec_eval's exit code, for a
    repeated document or preferences that contradict each other.
    """
    how = _layout(source, with_subgroups)
    stage(database, "preferences", source, how)
    with database.shadow(["judgments", "judgment_sets"]):
        try:
            check_staged(database, "preferences", source, how)
        except BadRowsError as error:
            if error.compared:
                raise ExitError(error.message, 4) from None
            raise
        database.run("trec_eval/preferences/document_judgments")
        _store_judgment_sets(database, run_id, source)
        for step in _STEPS:
            select = sql_files.read(f"trec_eval/preferences/{step}")
            sql = f"create or replace temp table {step} as {select}"
            database.execute(sql, {"run_id": run_id})
            if step == "preferred":
                _check_contradictions(database, source)
        rows = database.records(sql_files.read("trec_eval/preferences/values"))
    return [
        (row["query_id"], name, float(row[name.lower()]))
        for row in rows
        for name in names
    ]


def group_means(
    database: Database,
    run_id: int,
    source: Source,
    measures: list[Measure],
    judged_only: bool,
) -> list[Value]:
    """Return query, measure and the mean of its values for the judgment groups.

    There is a value for every measure, judged_only or not, and every query of
    the source, in order; for a query that the run did not answer it is 0. The
    warehouse is changed no more than by values. Raises NdcgSqlError for a bad
    line.
    """
    how = _layout(source, with_subgroups=False)
    stage(database, "preferences", source, how)
    names: dict[str, str] = {}
    wanted: list[Measure] = []
    for measure in measures:
        parameters = {**measure.parameters, "judged_only": judged_only}
        wanted.append(replace(measure, parameters=parameters))
        names[wanted[-1].name] = measure.name
    with database.shadow(["judgments", "judgment_sets"]):
        check_staged(database, "judgment_groups", source, how)
        database.run("trec_eval/preferences/group_judgments")
        pairs = _store_judgment_sets(database, run_id, source)
        with known_values(database, wanted, pairs):
            rows = database.run("trec_eval/preferences/group_means", {"run_id": run_id})
    return [(query, names[measure], value) for query, measure, value in rows]


def described(source: Source, name: str) -> Parameters:
    """Return the columns of a run or judgment set that describe its file."""
    return {
        "dataset": "default",
        "name": name,
        "source": source_name(Path(source.shown)),
        "content_hash": source.content_hash,
        "loaded_at": now(),
        "policy": None,
    }


def _layout(source: Source, with_subgroups: bool) -> Layout:
    """Return how to read a file of judgments that have groups."""
    columns = [c for c in _COLUMNS if c != "subgroup_id" or with_subgroups]
    width = len(columns)
    return blank_separated(
        source,
        {column: place for place, column in enumerate(columns, 1)},
        (width, width),
        f"{width} ({' '.join(_COLUMNS[column] for column in columns)})",
    )


def _check_contradictions(database: Database, source: Source) -> None:
    """Raise ExitError if a document is preferred to itself."""
    for line, query, group, document in database.run(
        "trec_eval/preferences/contradictions"
    ):
        raise ExitError(
            f"{source.shown}:{line}: query {quoted(query)}, group {quoted(group)},"
            f" document {quoted(document)}: preferred to a document that is preferred"
            " to it\nPut preferences that contradict each other into separate groups."
            " Correct the file and try again.",
            4,
        )


def _store_judgment_sets(
    database: Database, run_id: int, source: Source
) -> list[tuple[int, int]]:
    """Store the judgment sets that have rows; return the run paired with each."""
    sql = "select dataset from runs where run_id = $run_id"
    dataset = database.execute(sql, {"run_id": run_id})[0][0]
    sql = "select distinct judgment_set_id from judgments order by judgment_set_id"
    set_ids = [judgment_set_id for (judgment_set_id,) in database.execute(sql)]
    for judgment_set_id in set_ids:
        named = described(source, f"group {judgment_set_id}")
        named |= {"judgment_set_id": judgment_set_id, "dataset": dataset}
        database.run("store/judgment_sets", named)
    return [(run_id, judgment_set_id) for judgment_set_id in set_ids]
