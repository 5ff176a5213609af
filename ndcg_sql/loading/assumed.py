"""Clicks without impressions: a run is taken as what every search showed."""

from dataclasses import dataclass

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.entries import Entry
from ndcg_sql.loading.options import Options
from ndcg_sql.reading.events import already_shown
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, listed, quoted
from ndcg_sql.wording import Blank, Text, use

# How many documents of a run a search showed, unless the user says it: a page.
_DEPTH = 10


@dataclass(frozen=True)
class Assumption:
    """The first documents of a run, down to a depth, were shown by every search.

    The counts are those of sql/clicks/assumptions.sql, of what a log has beside them:
    named_searches and other_searches are of queries that the run has. clicks are all,
    those of other_queries are of queries that the run lacks, those on others on
    documents that it did not return, those below deeper than its first documents, down
    to deepest, and those elsewhere at a position of another document.
    """

    run: str
    depth: int
    named_searches: int
    other_searches: int
    impressions: int
    clicks: int
    clicks_of_other_queries: int
    other_queries: int
    clicks_on_others: int
    clicks_below: int
    deepest: int
    clicks_elsewhere: int

    @property
    def text(self) -> str:
        """What is assumed, for the source of a set."""
        of = "search" if self.named_searches else "click"
        return f"each {of} showed the {self.first} of run {quoted(self.run)}"

    @property
    def first(self) -> str:
        """Which documents of the run were shown."""
        return "first" if self.depth == 1 else f"first {self.depth}"

    def tell(self, messages: Messages) -> None:
        """Tell what is assumed, and warn of clicks that do not fit."""
        run = f"run {quoted(self.run)}"
        searches = counted(self.named_searches, "search", "searches")
        of, are = searches, "each"
        if self.other_searches:
            clicks = counted(self.other_searches, "click")
            of = f"{searches} and {clicks} of none" if self.named_searches else clicks
            are = "each is a search of its own that"
        messages.tell(
            f"assumed of {of}: {are} showed the {self.first}"
            f" document{'s' * (self.depth > 1)} of {run};"
            " searches without an event are not in the log"
        )
        queries = counted(self.other_queries, "query", "queries")
        below = f"on documents below the {self.first} of {run}; to count all: "
        for count, which in (
            (self.clicks_of_other_queries, f"of {queries} that {run} does not have"),
            (
                self.clicks_on_others,
                f"on documents that {run} did not return for their queries",
            ),
            (self.clicks_below, Text(below, use(depth=self.deepest))),
        ):
            if count:
                messages.warn(Text(f"left out {counted(count, 'click')} ", which))
        if self.clicks_elsewhere:
            messages.warn(
                f"{self.clicks_elsewhere} of {counted(self.clicks, 'click')} name"
                f" another position than {run}, whose positions are taken"
            )


def shown_run(database: Database, request: Options) -> Entry | None:
    """Return the run that searches showed, or None if the user names none.

    Raises NdcgSqlError if the dataset has no such run, or no rankings of it.
    """
    name = request.impressions_from
    if name is None:
        return None
    available = [] if database.is_new else entries.runs(database)
    elsewhere = [run.dataset for run in available if run.name == name]
    if elsewhere and request.dataset not in elsewhere:
        raise NdcgSqlError(
            f"no run {quoted(name)} in dataset {quoted(request.dataset)}",
            Text(
                f"it is in {listed(elsewhere)}: ",
                use(dataset=elsewhere[0]),
                ", or load it into this one",
            ),
        )
    if not any(run.dataset == request.dataset for run in available):
        raise entries.no_run(f"in dataset {quoted(request.dataset)}")
    run = entries.choose_entry(database, "run", name, request.dataset)
    entries.check_rankings([run], "load clicks")
    return run


def likely_run(database: Database, request: Options) -> str | Blank:
    """Return the run that was shown, most likely: the newest with rankings, if any."""
    runs = [] if database.is_new else entries.having_rankings(entries.runs(database))
    names = [run.name for run in runs if run.dataset == request.dataset]
    return names[-1] if names else Blank("RUN")


def assume(database: Database, where: str, run: Entry, depth: int | None) -> Assumption:
    """Add what searches showed, the first documents of a run, to the table events.

    where is what messages call the files. Raises NdcgSqlError if the log has
    impressions, or no click on what was shown.
    """
    shown: Parameters = {"run_id": run.id, "depth": depth or _DEPTH}
    [counts] = database.run("clicks/assumptions", shown)
    assumption = Assumption(run.name, depth or _DEPTH, *counts)
    if assumption.impressions:
        what = counted(assumption.impressions, "impression")
        raise already_shown(where, what, assumption.impressions)
    missed = assumption.clicks_of_other_queries + assumption.clicks_on_others
    if assumption.clicks and missed == assumption.clicks:
        is_of_queries = assumption.clicks_of_other_queries == assumption.clicks
        what = "query" if is_of_queries else "document"
        raise NdcgSqlError(
            f"{where}: no click is on a {what} of run {quoted(run.name)}",
            "write the same ids of queries and documents, or name the run that was"
            " shown: " + use(impressions_from=Blank("RUN")),
        )
    if assumption.clicks and missed + assumption.clicks_below == assumption.clicks:
        raise NdcgSqlError(
            f"{where}: every click is on a document below the {assumption.first} of run"
            f" {quoted(run.name)}",
            "count deeper ones, too: " + use(depth=assumption.deepest),
        )
    events = sql_files.read("clicks/assumed")
    database.execute(f"create or replace temp table events as {events}", shown)
    return assumption
