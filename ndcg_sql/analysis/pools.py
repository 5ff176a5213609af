"""Pools: what is to be judged, for assessors."""

import shlex
from collections.abc import Generator
from contextlib import contextmanager

from ndcg_sql.analysis.unjudged import checked_depth, unjudged_queries
from ndcg_sql.database.database import Database
from ndcg_sql.database.results import OUTPUT, output
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries
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
    """Put what is to be judged into the table OUTPUT: a pool to a depth.

    Documents that are judged already are left out, and so are queries that
    nobody judged, unless all are wanted or nothing is judged yet. The order
    tells nothing and depends on the seed alone. Raises NdcgSqlError where a
    name is not known or runs are of several datasets.
    """
    checked_depth(depth)
    found = entries.choose_runs(database, request.runs, request.dataset)
    datasets = list(dict.fromkeys(run.dataset for run in found))
    if len(datasets) > 1:
        raise NdcgSqlError(
            f"the runs are of several datasets; say which: --dataset, one of"
            f" {listed(datasets)}"
        )
    run_ids = [run.id for run in found]
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
        counts = f"select count(distinct query_id), count(*) from {OUTPUT}"
        queries, documents = database.execute(counts)[0]
        told = (
            f"pooled {counted(documents, 'document')} of"
            f" {counted(queries, 'query', 'queries')}: the first {depth} of"
            f" {counted(len(found), 'run')}"
        )
        names = {entry.id: entry.name for entry in known}
        if set_id is not None:
            told += f", without what {quoted(names[set_id])} judges"
        messages.tell(told)
        unjudged = (
            0
            if parameters["with_unjudged"]
            else unjudged_queries(database, run_ids, set_id)
        )
        if unjudged:
            messages.tell(
                f"{counted(unjudged, 'query', 'queries')} that nobody judged at all:"
                " left out; --all-queries takes them in"
            )
        if set_id is not None and documents:
            options = f"--base {shlex.quote(names[set_id])}"
            if datasets[0] != "default":
                options += f" --dataset {shlex.quote(datasets[0])}"
            messages.tell(
                f"when every grade is filled in: ndcg-sql load judgments FILE {options}"
            )
        yield
