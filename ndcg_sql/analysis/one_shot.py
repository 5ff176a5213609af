"""Runs evaluated straight from files, with nothing stored."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

from ndcg_sql.analysis import report
from ndcg_sql.analysis.answers import Answer
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
from ndcg_sql.loading.options import Options, check_format, plain_grades
from ndcg_sql.loading.sets import load
from ndcg_sql.loading.unkept import advised
from ndcg_sql.measures.systems import find
from ndcg_sql.reading.columns import check_columns
from ndcg_sql.reading.sources import Streams, streams
from ndcg_sql.requests.fields import fields_of, stated
from ndcg_sql.requests.questions import EvalRequest
from ndcg_sql.system.messages import Messages, OnlyWarnings
from ndcg_sql.system.paths import default_name, shown
from ndcg_sql.wording import Call, call, use

# The checks of ranks, which a system to follow may imply without a position rule.
_RANKS = {"rank", "rank_twice"}


def answer(database: Database, messages: Messages, request: EvalRequest) -> Answer:
    """Return the rows of a report on files.

    What is said of files holds for judgments and runs alike, except that labels concern
    only the former, rows_of only the latter. Without a position rule, that of the
    system to follow is used. The database must be a scratch one.
    """
    check_format(request.format_in)
    position_rule = request.position_rule
    options = Options(
        columns=dict(request.columns),
        run_column=request.run_column,
        query=request.query,
        groups=request.groups,
        rows_of=request.rows_of,
        labels=plain_grades(request.labels),
        format_in=request.format_in,
        grade=request.grade,
        decimal=request.decimal,
        strict=request.strict,
        many_files=True,
    )
    check_columns(options.columns, "judgments", "run")
    like = None if request.like is None else find(request.like)
    rule = position_rule or (like.position_rule if like else "score")
    judging = replace(options, rows_of=None)
    is_chosen = position_rule is not None or like is not None
    ranking = replace(
        options, labels={}, grade=None, position_rule=rule, is_rule_chosen=is_chosen
    )
    chosen = choose_measures(database, request.measures, like)
    if like:
        messages.tell(like.followed(chosen, rule))
    replace_registered(database, chosen)
    files = [*request.inputs, *filter(None, (options.rows_of, options.groups))]
    with streams(files, messages, database.folder) as opened:
        only = OnlyWarnings(messages)
        try:
            items = load(database, "judgments", [request.qrels], judging, only, opened)
        except NdcgSqlError as error:
            advised = _swapped(request, error) or _advised(error, "judgments")
            raise advised from None
        sets = [entry.id for entry in entries.judgment_sets(database)]
        if request.names_measures:
            check_fits(database, sets, [n for item in items for n in item.ignored])
        else:
            pairs = [(0, set_id) for set_id in sets]
            chosen = choose_fitting(database, chosen, pairs, messages)
            replace_registered(database, chosen)
        try:
            _load_runs(database, messages, request.files, ranking, opened)
        except BadRowsError as error:
            if position_rule is None and error.checks & _RANKS:
                remedy = "To ignore its ranks, add " + use(position_rule="score") + "."
                raise NdcgSqlError(error.message + "\n" + remedy) from None
            raise _advised(error, "run") from None
        except NdcgSqlError as error:
            raise _advised(error, "run") from None
    runs = entries.runs(database)
    pairs = entries.judgments_of(database, runs, None)
    question = Question(chosen, tuple(runs), tuple(pairs))
    with answered(database, messages, question):
        rows = report.rows_of(database, question, request.per_query)
    return Answer("values by query" if request.per_query else "values", request, rows)


def _swapped(request: EvalRequest, error: NdcgSqlError) -> NdcgSqlError | None:
    """Return the error for a run in the place of the judgments; None for any other."""
    parts = error.message.parts
    if not any(isinstance(part, Call) and part.method == "load_run" for part in parts):
        return None
    judgments, *others = request.files
    files = [str(judgments), str(request.qrels), *map(str, others)]
    return NdcgSqlError(
        f"{shown(request.qrels)}: looks like a run, but the judgments come first",
        call("eval", *files, **stated(EvalRequest, request)),
    )


def _advised(error: NdcgSqlError, kind: Literal["run", "judgments"]) -> NdcgSqlError:
    """Return the refusal of a file, with a way out that eval has."""
    fields = {field.name for field in fields_of(EvalRequest)}
    return advised(error, kind, "eval", fields)


def _load_runs(
    database: Database,
    messages: Messages,
    runs: Sequence[Path],
    options: Options,
    opened: Streams,
) -> None:
    """Load runs; files of one name are named by their paths."""
    stems = [default_name(run) for run in runs]
    twice = {
        run: str(run)
        for run, stem in zip(runs, stems, strict=True)
        if stems.count(stem) > 1
    }
    only = OnlyWarnings(messages)
    load(database, "run", list(runs), replace(options, names=twice), only, opened)
