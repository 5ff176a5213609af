"""What a run is and what of it is judged; what a judgment set is made of."""

from ndcg_sql.comparison.answers import Answer, Rows
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import (
    Entry,
    check_dataset,
    choose_entry,
    judgment_sets,
    judgments_of,
    not_there,
    runs,
)
from ndcg_sql.requests.questions import DescribeRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import quoted
from ndcg_sql.wording import use


def answer(database: Database, messages: Messages, request: DescribeRequest) -> Answer:
    """Return a description of a run, or else of the judgment set of that name."""

    def has_name(entry: Entry) -> bool:
        is_there = request.dataset in (None, entry.dataset)
        return is_there and entry.name == request.name

    check_dataset(database, request.dataset)
    every_run, every_set = runs(database), judgment_sets(database)
    is_run = any(map(has_name, every_run))
    is_set = any(map(has_name, every_set))
    if not is_run and not is_set:
        every = [*every_run, *every_set]
        there = [entry for entry in every if request.dataset in (None, entry.dataset)]
        if there:
            raise not_there("run or judgment set", request.name, there)
    if is_set and not is_run:
        return _judgment_set(database, request)
    if is_set:
        messages.tell(f"a judgment set is called {quoted(request.name)}, too")
    return _run(database, request)


def _judgment_set(database: Database, request: DescribeRequest) -> Answer:
    if request.judgments is not None:
        raise NdcgSqlError(
            f"{quoted(request.name)} is a judgment set itself",
            "omit it",
            where=use(judgments=request.judgments),
        )
    entry = choose_entry(database, "judgment set", request.name, request.dataset)
    ids = {"judgment_set_id": entry.id}
    rows = Rows.of(database, "reports/judgment_set_description", ids)
    return Answer("judgment set", request, rows)


def _run(database: Database, request: DescribeRequest) -> Answer:
    """Return a description of a run.

    Without any judgments in the dataset, what depends on them is null.
    """
    entry = choose_entry(database, "run", request.name, request.dataset)
    judgments, judgment_set_id = request.judgments, None
    if entry.external and judgments is None:
        judgments = entry.external.judgment_set
    if judgments or any(s.dataset == entry.dataset for s in judgment_sets(database)):
        [(_, judgment_set_id)] = judgments_of(database, [entry], judgments)
    ids = {"run_id": entry.id, "judgment_set_id": judgment_set_id}
    return Answer("run", request, Rows.of(database, "reports/description", ids))
