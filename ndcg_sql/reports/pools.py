"""Pools: the documents to be judged, for assessors."""

from ndcg_sql.comparison.answers import Answer, Rows, with_titles
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries
from ndcg_sql.measures.names import Measure
from ndcg_sql.reports.unjudged import ranked, unjudged_queries
from ndcg_sql.requests.questions import PoolRequest
from ndcg_sql.system.messages import Messages, OnlyWarnings
from ndcg_sql.text import counted, listed, quoted
from ndcg_sql.wording import Blank, call, named, use

FORMATS = ("csv", "tsv", "json", "jsonl", "parquet")
DEPTH = 10


def answer(database: Database, messages: Messages, request: PoolRequest) -> Answer:
    """Return the documents to be judged: a pool to a depth, or to a budget.

    Judged documents are left out, and so are queries without any judgment,
    unless all are wanted or there are no judgments yet. The order reveals nothing
    and depends only on the seed. Raises NdcgSqlError where a name is not known, runs
    belong to several datasets, or there is a budget but no judgment yet.
    """
    runs = entries.choose_runs(database, request.runs, request.dataset)
    datasets = list(dict.fromkeys(run.dataset for run in runs))
    if len(datasets) > 1:
        raise NdcgSqlError(
            "the runs belong to several datasets",
            "say which: " + named("dataset") + f", one of {listed(datasets)}",
        )
    runs = entries.with_rankings(messages, runs, request.runs, "pool")
    run_ids = [run.id for run in runs]
    sets = [s for s in entries.judgment_sets(database) if s.dataset == datasets[0]]
    base = None
    if sets or request.judgments:
        base = entries.judgments_of(database, runs, request.judgments)[0]
    set_id = base[1] if base else None
    depth = request.depth or DEPTH
    with_unjudged = request.all_queries or base is None
    measure: Measure | None = None
    if request.budget:
        if base is None:
            raise NdcgSqlError(
                "without judgments, nothing says which documents matter",
                "pool the first of each run: omit " + named("budget"),
                where=use(budget=request.budget),
            )
        most, measure = ranked(database, OnlyWarnings(messages), request, "pool")
        chosen = f"select query_id, doc_id from {most.table} limit {request.budget:d}"
        parameters: Parameters = {}
    else:
        chosen = sql_files.read("reports/pool_documents")
        parameters = {
            "run_ids": run_ids,
            "judgment_set_id": set_id,
            "depth": depth,
            "with_unjudged": with_unjudged,
        }
    with database.temporary("pool_documents", chosen, parameters):
        order = {"dataset": datasets[0], "seed": str(request.seed)}
        rows = Rows.of(database, "reports/pool", order)
    rows = with_titles(database, rows, datasets)
    counts = f"select count(distinct query_id), count(*) from {rows.table}"
    queries, documents = database.execute(counts)[0]
    line = (
        f"pooled {counted(documents, 'document')} for"
        f" {counted(queries, 'query', 'queries')}: "
    )
    of_runs = counted(len(runs), "run")
    names = {entry.id: entry.name for entry in sets}
    if measure is not None:
        line += f"those that could change {measure.name} of {of_runs} most"
    else:
        line += f"the first {depth} of {of_runs}"
    if set_id is not None:
        line += f", without those that {quoted(names[set_id])} judges"
    messages.tell(line)
    unjudged = 0 if with_unjudged else unjudged_queries(database, run_ids, set_id)
    if unjudged:
        include = "" if request.budget else "; include with " + named("all_queries")
        messages.tell(
            f"{counted(unjudged, 'query', 'queries')} without any judgment: left out"
            + include
        )
    if set_id is not None and documents:
        into_set = {"base": names[set_id], **entries.into(datasets[0])}
        loading = call("load_judgments", Blank("FILE"), **into_set)
        messages.tell("after filling in every grade: " + loading)
    return Answer("pool", request, rows)
