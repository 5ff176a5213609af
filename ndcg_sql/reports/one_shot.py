"""Runs evaluated straight from files, with nothing stored."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ndcg_sql.comparison.answers import Answer
from ndcg_sql.database.database import Database
from ndcg_sql.errors import BadRowsError, NdcgSqlError, Offer
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.fitting import check_fits
from ndcg_sql.evaluation.question import (
    Question,
    answered,
    choose_fitting,
    choose_measures,
)
from ndcg_sql.evaluation.registry import replace_registered
from ndcg_sql.loading import asking
from ndcg_sql.loading.options import (
    REQUESTS,
    Options,
    Ranked,
    check_encoding,
    check_format,
    plain_grades,
)
from ndcg_sql.loading.sets import load
from ndcg_sql.loading.unkept import advise, is_of_run
from ndcg_sql.measures.systems import find
from ndcg_sql.reading.columns import check_columns
from ndcg_sql.reading.proposals import of_rankings
from ndcg_sql.reading.sources import Streams, streams
from ndcg_sql.reports import report
from ndcg_sql.requests.fields import fields_of, stated
from ndcg_sql.requests.questions import EvalRequest
from ndcg_sql.system.messages import Messages, OnlyWarnings, Silent
from ndcg_sql.system.paths import argument, default_name, shown
from ndcg_sql.wording import Blank, Text, Use, Wording, call, use

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
        only = OnlyWarnings(messages)
        try:
            items = load(database, "judgments", [request.qrels], judging, only, opened)
        except NdcgSqlError as error:
            raise _with_command(database, request, opened, error, "judgments") from None
        sets = [entry.id for entry in entries.judgment_sets(database)]
        if request.names_measures:
            check_fits(database, sets, [n for item in items for n in item.ignored])
        else:
            pairs = [(0, set_id) for set_id in sets]
            chosen = choose_fitting(database, chosen, pairs, messages)
            replace_registered(database, chosen)
        try:
            _load_runs(database, only, request.files, ranking, opened)
        except BadRowsError as error:
            is_ranked = error.scored and error.checks & _RANKS
            if request.position_rule is None and is_ranked:
                remedy = "To ignore its ranks, add " + use(position_rule="score") + "."
                raise NdcgSqlError(error.message + "\n" + remedy) from None
            raise _with_command(database, request, opened, error, "run") from None
        except NdcgSqlError as error:
            raise _with_command(database, request, opened, error, "run") from None
    runs = entries.runs(database)
    pairs = entries.judgments_of(database, runs, None)
    question = Question(chosen, tuple(runs), tuple(pairs))
    with answered(database, messages, question):
        rows = report.rows_of(database, question, request.per_query)
    return Answer("values by query" if request.per_query else "values", request, rows)


def _options(request: EvalRequest) -> tuple[Options, Options]:
    options = Options(
        columns=dict(request.columns),
        run_column=request.run_column,
        query=request.query,
        rows_of=request.rows_of,
        labels=plain_grades(request.labels),
        format_in=request.format_in,
        grade=request.grade,
        decimal=request.decimal,
        encoding=request.encoding,
        strict=request.strict,
        many_files=True,
    )
    like = None if request.like is None else find(request.like)
    rule = request.position_rule or (like.position_rule if like else "score")
    is_chosen = request.position_rule is not None or like is not None
    ranking = replace(
        options, labels={}, grade=None, position_rule=rule, is_rule_chosen=is_chosen
    )
    return replace(options, rows_of=None), ranking


def _with_command(
    database: Database,
    request: EvalRequest,
    opened: Streams,
    error: NdcgSqlError,
    kind: Ranked,
) -> NdcgSqlError:
    """Return an error with one command for all that the files need, if that is known.

    error is the first one. Judgments among the runs are put first.
    """
    facts: list[tuple[str, Wording]] = []
    placed = request
    if kind == "judgments" and is_of_run(error):
        placed = _judgments_first(database, request, opened)
        if placed is None:
            return _advised(error, kind, request)
        what = "looks like a run, but the judgments come first"
        facts = [(shown(request.qrels), what)]
    needs, offered = _needs(database, placed, opened)
    facts += needs
    files = [*map(argument, (placed.qrels, *placed.files))]
    fields = asking.merged(stated(EvalRequest, placed), Offer("", offered))
    present = {name: value for name, value in fields.items() if value is not None}
    way = call("eval", *files, **present)
    if len(facts) > 1:
        names = list(dict.fromkeys(name for name, _ in facts))
        lines = [
            fact if len(names) == 1 else f"{name}: " + fact for name, fact in facts
        ]
        return NdcgSqlError(*asking.message(names, lines, offered, way))
    if placed is not request:
        [(name, what)] = facts
        return NdcgSqlError(f"{name}: " + what, way)
    if not facts or isinstance(error, BadRowsError):
        return _advised(error, kind, request)
    added = {name: value for name, value in offered.items() if value is not None}
    remedy = asking.with_whole(Text(error.refusal.remedy), Use(added), way)
    return NdcgSqlError(error.refusal.what, remedy)


def _judgments_first(
    database: Database, request: EvalRequest, opened: Streams
) -> EvalRequest | None:
    """Return a request in which the first file that is no run is the judgments.

    What made sense only of a run in their place is left out. Return None if all files
    are runs.
    """
    columns = {
        column: name
        for column, name in request.columns.items()
        if column not in ("grade", "label") or not of_rankings([name])
    }
    for at, file in enumerate(request.files):
        others = (request.qrels, *request.files[:at], *request.files[at + 1 :])
        placed = replace(request, qrels=file, files=others, grade=None, columns=columns)
        fault = _fault(database, placed, opened)
        if fault is None or not is_of_run(fault[1]):
            return placed
    return None


def _needs(
    database: Database, request: EvalRequest, opened: Streams
) -> tuple[list[tuple[str, Wording]], dict[str, object]]:
    """Return what the files need: facts of each, and the fields that say them.

    They end where eval has no such fields, or nothing is known to get past what is
    wrong.
    """
    allowed = {field.name for field in fields_of(EvalRequest)}
    facts: list[tuple[str, Wording]] = []
    offered: dict[str, object] = {}
    while fault := _fault(database, asking.with_offered(request, offered), opened):
        name, error = fault
        offer = error.offer
        if offer is None or offer.method is not None:
            break
        more = asking.merged(offered, offer)
        if more == offered or not more.keys() <= allowed:
            break
        offered = more
        each = error.facts if isinstance(error, asking.NeedError) else [offer.fact]
        facts += [(name, fact) for fact in each]
        if asking.is_open(offered):
            break
    return facts, offered


def _fault(
    database: Database, request: EvalRequest, opened: Streams
) -> tuple[str, NdcgSqlError] | None:
    """Return which file cannot be loaded as a request says, and why; None if all can.

    Of several runs, the first name stands for all.
    """
    judging, ranking = _options(request)
    name = shown(request.qrels)
    tried = {"replace": True, "evaluate": False}
    try:
        only = Silent()
        paths = [request.qrels]
        load(database, "judgments", paths, replace(judging, **tried), only, opened)
        name = " and ".join(map(shown, request.files))
        _load_runs(database, only, request.files, replace(ranking, **tried), opened)
    except NdcgSqlError as error:
        return name, error
    return None


def _advised(error: NdcgSqlError, kind: Ranked, request: EvalRequest) -> NdcgSqlError:
    fields = {field.name for field in fields_of(EvalRequest)}
    advise(error, fields, REQUESTS[kind], Blank("FILE"))
    files = [request.qrels] if kind == "judgments" else request.files
    if len(files) == 1:
        error.change(lambda text: asking.naming_in(text, argument(files[0])))
    return error


def _load_runs(
    database: Database,
    messages: Messages,
    runs: Sequence[Path],
    options: Options,
    opened: Streams,
) -> None:
    stems = [default_name(run) for run in runs]
    twice = {
        run: str(run)
        for run, stem in zip(runs, stems, strict=True)
        if stems.count(stem) > 1
    }
    load(database, "run", list(runs), replace(options, names=twice), messages, opened)
