"""Runs evaluated straight from files, with nothing stored."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ndcg_sql.analysis import report
from ndcg_sql.database.database import Database
from ndcg_sql.errors import BadRowsError, NdcgSqlError
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.fitting import check_fits
from ndcg_sql.evaluation.question import (
    Question,
    answered,
    choose_fitting,
    choose_measures,
)
from ndcg_sql.evaluation.registry import replace_registered
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.measures.systems import System
from ndcg_sql.reading.columns import check_known
from ndcg_sql.reading.sources import Streams, streams
from ndcg_sql.system.messages import Messages, OnlyWarnings
from ndcg_sql.system.paths import default_name

# The checks of ranks, which --like may imply without --positions.
_RANKS = {"rank", "rank_twice"}


@contextmanager
def evaluated(
    database: Database,
    messages: Messages,
    qrels: Path,
    runs: Sequence[Path],
    options: Options,
    measures: Sequence[str] = (),
    like: System | None = None,
    position_rule: str | None = None,
    per_query: bool = False,
) -> Generator[None]:
    """Put the rows of a report on files into the table OUTPUT, which lives inside.

    options hold for judgments and runs alike, except that labels concern only the
    former, rows_of only the latter. Without a position rule, that of the system
    to follow is used. The database must be a scratch one.
    """
    check_known(options.columns, "judgments", "run")
    rule = position_rule or (like.position_rule if like else "score")
    judging = replace(options, rows_of=None)
    ranking = replace(options, labels={}, position_rule=rule)
    chosen = choose_measures(database, measures, like)
    if like:
        messages.tell(like.followed(chosen, rule))
    replace_registered(database, chosen)
    files = [qrels, *runs, *filter(None, (options.rows_of, options.groups))]
    with streams(files, messages, database.folder) as found:
        only = OnlyWarnings(messages)
        load(database, "judgments", [qrels], judging, only, found)
        sets = [entry.id for entry in entries.judgment_sets(database)]
        if measures or like:
            check_fits(database, sets)
        else:
            pairs = [(0, set_id) for set_id in sets]
            chosen = choose_fitting(database, chosen, pairs, messages)
            replace_registered(database, chosen)
        try:
            _load_runs(database, messages, runs, ranking, found)
        except BadRowsError as error:
            if position_rule is None and error.checks & _RANKS:
                raise NdcgSqlError(
                    f"{error}\nTo ignore its ranks, add --positions score."
                ) from None
            raise
    known = entries.runs(database)
    pairs = entries.judgments_of(database, known, None)
    question = Question(chosen, tuple(known), tuple(pairs))
    with (
        answered(database, messages, question),
        report.rows(database, question, per_query),
    ):
        yield


def _load_runs(
    database: Database,
    messages: Messages,
    runs: Sequence[Path],
    options: Options,
    found: Streams,
) -> None:
    """Load runs; files of one name are named by their paths."""
    stems = [default_name(run) for run in runs]
    twice = {
        run: str(run)
        for run, stem in zip(runs, stems, strict=True)
        if stems.count(stem) > 1
    }
    only = OnlyWarnings(messages)
    load(database, "run", list(runs), replace(options, names=twice), only, found)
