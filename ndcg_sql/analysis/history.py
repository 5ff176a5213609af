"""Values over time, each with the previous run."""

from collections.abc import Generator
from contextlib import contextmanager

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.database.results import OUTPUT, output
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.question import (
    Request,
    choose_fitting,
    choose_measures,
    tell_left_out,
)
from ndcg_sql.evaluation.scope import known_values
from ndcg_sql.system.messages import Messages


@contextmanager
def history(
    database: Database, messages: Messages, request: Request, tag: str | None
) -> Generator[None]:
    """Put values over time into the table OUTPUT, each with the previous run.

    With a tag, runs that share its value are a series; without one, all runs of
    a dataset are. A tag can be limited to one value: model=bm25. Raises
    NdcgSqlError where a name is not known.
    """
    key, equals, value = (tag or "").partition("=")
    chosen = choose_measures(database, request.measures)
    found = entries.choose_runs(database, request.runs, request.dataset)
    if tag is not None:
        entries.check_tag(database, found, key, value if equals else None)
    # The previous run counts even if it is not one of those asked for.
    datasets = {run.dataset for run in found}
    series = [run for run in entries.runs(database) if run.dataset in datasets]
    pairs = entries.judgments_of(database, series, request.judgments)
    tell_left_out(database, messages, found, pairs, request.judgments)
    named = request.names_measures
    if not named:
        chosen = choose_fitting(database, chosen, pairs, messages)
    parameters: Parameters = {
        "run_ids": [run.id for run in found],
        "judgment_set_ids": sorted({set_id for _, set_id in pairs}),
        "measures": [measure.name for measure in chosen],
        "tag": key if tag is not None else None,
        "tag_value": value if equals else None,
    }
    with (
        known_values(database, chosen, pairs, named=named),
        output(database, "reports/history", parameters),
    ):
        for column in ("tag", "tag_value") if tag is None else ():
            database.execute(f"alter table {OUTPUT} drop {column}")
        yield
