"""Pools: the documents to be judged, for assessors."""

import shlex
from collections.abc import Generator
from contextlib import contextmanager

from ndcg_sql.analysis.titles import keep_known
from ndcg_sql.analysis.unjudged import checked_depth, unjudged_queries
from ndcg_sql.database.database import Database
from ndcg_sql.database.results import OUTPUT, output
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.external import with_rankings
from ndcg_sql.evaluation.question import Request
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, listed, quoted

FORMATS = ("csv", "tsv", "json", "jsonl", "parquet")


@contextmanager
def pool(
    database: Database,
    messages: Messages,
    request: Request,
    depth: int,
    seed: int,
    all_queries: bool,
) -> Generator[None]:
    """Put the documents to be judged into the table OUTPUT: a pool to a depth.

    Judged documents are left out, and so are queries without any judgment,
    unless all are wanted or there are no judgments yet. The order reveals nothing
    and depends only on the seed. Raises NdcgSqlError where a name is not known or
    runs belong to several datasets.
    """
    checked_depth(depth)
    found = entries.choose_runs(database, request.runs, request.dataset)
    datasets = list(dict.fromkeys(run.dataset for run in found))
    if len(datasets) > 1:
        raise NdcgSqlError(
            f"the runs belong to several datasets; say which: --dataset, one of"
            f" {listed(datasets)}"
        )
    run_ids = with_rankings(
        database, messages, [run.id for run in found], request.runs, "pool"
    )
    found = [run for run in found if run.id in run_ids]
    known = [s for s in entries.judgment_sets(database) if s.dataset == datasets[0]]
    base = None
    if known or request.judgments:
        base = entries.judgments_of(database, found, request.judgments)[0]
    set_id = base[1] if base else None
    parameters = {
        "run_ids": run_ids,
        "judgment_set_id": set_id,
        "dataset": datasets[0],
        "depth": depth,
        "seed": str(seed),
        "with_unjudged": all_queries or base is None,
    }
    with output(database, "reports/pool", parameters):
        keep_known(database, datasets)
        counts = f"select count(distinct query_id), count(*) from {OUTPUT}"
        queries, documents = database.execute(counts)[0]
        told = (
            f"pooled {counted(documents, 'document')} for"
            f" {counted(queries, 'query', 'queries')}: the first {depth} of"
            f" {counted(len(found), 'run')}"
        )
        names = {entry.id: entry.name for entry in known}
        if set_id is not None:
            told += f", without those that {quoted(names[set_id])} judges"
        messages.tell(told)
        unjudged = (
            0
            if parameters["with_unjudged"]
            else unjudged_queries(database, run_ids, set_id)
        )
        if unjudged:
            messages.tell(
                f"{counted(unjudged, 'query', 'queries')} without any judgment: left"
                " out; include with --all-queries"
            )
        if set_id is not None and documents:
            options = f"--base {shlex.quote(names[set_id])}"
            if datasets[0] != "default":
                options += f" --dataset {shlex.quote(datasets[0])}"
            messages.tell(
                f"after filling in every grade: ndcg-sql load judgments FILE {options}"
            )
        yield
