"""Runs evaluated straight from files, with nothing stored."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace

from ndcg_sql.comparison.answers import Answer
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
from ndcg_sql.loading.options import (
    REQUESTS,
    Options,
    Ranked,
    check_encoding,
    check_format,
    plain_grades,
)
from ndcg_sql.loading.sets import load
from ndcg_sql.loading.unkept import advise, are_elsewhere, is_of_run
from ndcg_sql.measures.systems import find
from ndcg_sql.reading import sources
from ndcg_sql.reading.columns import check_columns, is_ranked
from ndcg_sql.reading.proposals.refusals import naming_in
from ndcg_sql.reading.sources import Streams, streams
from ndcg_sql.reports import report
from ndcg_sql.requests.fields import fields_of, stated
from ndcg_sql.requests.questions import EvalRequest
from ndcg_sql.system.messages import Messages, Silent, WithNotes
from ndcg_sql.system.paths import argument, default_name, shown
from ndcg_sql.wording import Blank, call, use

# The checks of ranks, which a system to follow may imply without a position rule.
_RANKS = {"rank", "rank_twice"}


def answer(database: Database, messages: Messages, request: EvalRequest) -> Answer:
    """Return the rows of a report on files.

    What is said of files holds for judgments and runs alike, except that labels concern
    only the former, rows_of only the latter. Without a position rule, that of the
    system to follow is used. The database must be a scratch one.
    """
    check_format(request.format_in)
    check_encoding(request.encoding)
    check_columns(dict(request.columns), "judgments", "run")
    like = None if request.like is None else find(request.like)
    judging, ranking = _options(request)
    chosen = choose_measures(database, request.measures, like)
    if like:
        messages.tell(like.followed(chosen, ranking.position_rule))
    replace_registered(database, chosen)
    listed = [request.rows_of] if request.rows_of else []
    files = [*request.inputs, *listed]
    with streams(files, messages, database.folder) as opened:
        only = WithNotes(messages)
        try:
            with _advising(database, request, opened, "judgments"):
                qrels = [request.qrels]
                items = load(database, "judgments", qrels, judging, only, opened)
        except NdcgSqlError as error:
            raise _misplaced(database, request, opened, error) or error from None
        sets = [entry.id for entry in entries.judgment_sets(database)]
        if request.names_measures:
            check_fits(database, sets, [n for item in items for n in item.ignored])
        else:
            pairs = [(0, set_id) for set_id in sets]
            chosen = choose_fitting(database, chosen, pairs, messages)
            replace_registered(database, chosen)
        try:
            with _advising(database, request, opened, "run"):
                load(database, "run", [*request.files], ranking, only, opened)
        except BadRowsError as error:
            is_ranked = error.scored and error.checks & _RANKS
            if request.position_rule is not None or not is_ranked:
                raise
            remedy = "To ignore its ranks, add " + use(position_rule="score") + "."
            raise NdcgSqlError(error.message + "\n" + remedy) from None
    runs = entries.runs(database)
    pairs = entries.judgments_of(database, runs, None)
    question = Question(chosen, tuple(runs), tuple(pairs))
    with answered(database, messages, question):
        rows = report.rows_of(database, question, request.per_query)
    return Answer("values by query" if request.per_query else "values", rows)


def _options(request: EvalRequest) -> tuple[Options, Options]:
    """Return the options that load judgments, and those that load runs."""
    options = Options(
        columns=dict(request.columns),
        run_column=request.run_column,
        query=request.query,
        format_in=request.format_in,
        decimal=request.decimal,
        encoding=request.encoding,
        duplicates=request.duplicates,
        unit=request.unit,
        unit_before=request.unit_before,
        strict=request.strict,
        many_files=True,
    )
    judging = replace(options, labels=plain_grades(request.labels), grade=request.grade)
    like = None if request.like is None else find(request.like)
    # Runs of files with the same name are distinguished by their paths.
    stems = Counter(map(default_name, request.files))
    ranking = replace(
        options,
        rows_of=request.rows_of,
        position_rule=request.position_rule or (like and like.position_rule) or "score",
        is_rule_chosen=request.position_rule is not None or like is not None,
        names={f: str(f) for f in request.files if stems[default_name(f)] > 1},
    )
    return judging, ranking


@contextmanager
def _advising(
    database: Database, request: EvalRequest, opened: Streams, kind: Ranked
) -> Generator[None]:
    """Have refusals name options of eval, or else the command that loads the file.

    Columns are options for all files; those that only one has are for that command.
    """
    files = [request.qrels] if kind == "judgments" else [*request.files]
    try:
        yield
    except NdcgSqlError as error:
        fields = {field.name for field in fields_of(EvalRequest)}
        for file in {*request.inputs} - {*files}:
            other, silent = "run" if kind == "judgments" else "judgments", Silent()
            with sources.opened(file, silent, database.folder, opened) as source:
                if not are_elsewhere(error, source, other, _options(request)[0]):
                    fields -= {"columns"}
        advise(error, fields, REQUESTS[kind], Blank("FILE"))
        if len(files) == 1:
            error.change(lambda text: naming_in(text, argument(files[0])))
        raise


def _misplaced(
    database: Database, request: EvalRequest, opened: Streams, error: NdcgSqlError
) -> NdcgSqlError | None:
    """Return the error if the judgments are among the runs; None if they are not.

    They are the first file that does not look like a run. What made sense only of a run
    in their place is left out of the command.
    """
    if not is_of_run(error):
        return None
    columns = {
        column: name
        for column, name in request.columns.items()
        if column not in ("grade", "label") or not is_ranked(name)
    }
    placed = replace(request, grade=None, columns=columns)
    judging, _ = _options(placed)
    for file in request.files:
        try:
            load(database, "judgments", [file], judging, Silent(), opened)
        except NdcgSqlError as fault:
            if is_of_run(fault):
                continue
        runs = [other for other in request.inputs if other != file]
        fields = {k: v for k, v in stated(EvalRequest, placed).items() if v is not None}
        command = call("eval", *map(argument, (file, *runs)), **fields)
        what = "looks like a run, but the judgments come first"
        return NdcgSqlError(f"{shown(request.qrels)}: {what}", command)
    return None
