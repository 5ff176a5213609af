"""Clicks without impressions: a run is taken as what every search showed.

What is assumed are the first documents of the run, down to a depth, with the counts of
sql/clicks/assumptions.sql, of what a log has beside them. named_searches and
other_searches are of queries that the run has. clicks are all, those of other_queries
are of queries that the run lacks, those on others on documents that it did not return,
those below deeper than its first documents, down to deepest, and those elsewhere at a
position of another document.
"""

from collections.abc import Mapping
from typing import Any

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.entries import Entry
from ndcg_sql.loading.options import Options
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.warnings import sentence
from ndcg_sql.reading.events import already_shown
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Blank

# How many documents of a run a search showed, unless the user says it: a page.
_DEPTH = 10
# What does not fit: the count and the warning of it are of one name.
_MISFITS = (
    "clicks_of_other_queries",
    "clicks_on_others",
    "clicks_below",
    "clicks_elsewhere",
)


def described(assumption: Mapping[str, Any]) -> str:
    """Return what is assumed, for the source of a set."""
    of = "search" if assumption["named_searches"] else "click"
    first, run = assumption["first"], quoted(assumption["run"])
    return f"each {of} showed the {first} of run {run}"


def tell(assumption: Mapping[str, Any], messages: Messages) -> None:
    """Tell what is assumed, and warn of clicks that do not fit."""
    named, other = assumption["named_searches"], assumption["other_searches"]
    searches = counted(named, "search", "searches")
    of, are = searches, "each"
    if other:
        clicks = counted(other, "click")
        of = f"{searches} and {clicks} of none" if named else clicks
        are = "each is a search of its own that"
    first = assumption["first"]
    documents = "document" if first == "first" else "documents"
    messages.tell(
        f"assumed of {of}: {are} showed the {first} {documents} of run"
        f" {quoted(assumption['run'])}; searches without an event are not in the log"
    )
    messages.warn_all(
        sentence(one, **assumption) for one in _MISFITS if assumption[one]
    )


def shown_run(database: Database, request: Options) -> Entry | None:
    """Return the run that searches showed, or None if the user names none.

    Raises NdcgSqlError if the dataset has no such run, or no rankings of it.
    """
    name, dataset = request.impressions_from, request.dataset
    if name is None:
        return None
    available = [] if database.is_new else entries.runs(database)
    elsewhere = [run.dataset for run in available if run.name == name]
    if elsewhere and dataset not in elsewhere:
        about = {"run": name, "of": dataset, "datasets": elsewhere}
        raise refusal("shown_run_elsewhere", dataset=elsewhere[0], **about)
    if not any(run.dataset == dataset for run in available):
        raise entries.no_run(f"in dataset {quoted(dataset)}")
    run = entries.choose_entry(database, "run", name, dataset)
    entries.check_rankings([run], "load clicks")
    return run


def likely_run(database: Database, request: Options) -> str | Blank:
    """Return the run that was shown, most likely: the newest with rankings, if any."""
    runs = [] if database.is_new else entries.having_rankings(entries.runs(database))
    names = [run.name for run in runs if run.dataset == request.dataset]
    return names[-1] if names else Blank("RUN")


def assume(
    database: Database, where: str, run: Entry, depth: int | None
) -> dict[str, Any]:
    """Add what searches showed, the first documents of a run, to the table events.

    where is what messages call the files. Raises NdcgSqlError if the log has
    impressions, or no click on what was shown.
    """
    shown: Parameters = {"run_id": run.id, "depth": depth or _DEPTH}
    [counts] = database.records(sql_files.read("clicks/assumptions"), shown)
    if counts["impressions"]:
        what = counted(counts["impressions"], "impression")
        raise already_shown(where, what, counts["impressions"])
    first = "first" if depth == 1 else f"first {depth or _DEPTH}"
    # What would take all clicks in is the deepest.
    about = {**counts, "run": run.name, "first": first, "depth": counts["deepest"]}
    clicks, other = counts["clicks"], counts["clicks_of_other_queries"]
    missed = other + counts["clicks_on_others"]
    if clicks and missed == clicks:
        what = "query" if other == clicks else "document"
        way = Blank("RUN")
        about = {"run": run.name, "what": what, "impressions_from": way}
        raise refusal("no_click_on_run", file=where, **about)
    if clicks and missed + counts["clicks_below"] == clicks:
        raise refusal("every_click_below", file=where, **about)
    events = sql_files.read("clicks/assumed")
    database.execute(f"create or replace temp table events as {events}", shown)
    return about
