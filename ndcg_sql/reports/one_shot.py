"""Runs evaluated straight from files, with nothing stored."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

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
from ndcg_sql.loading.loaded import LoadedItem
from ndcg_sql.loading.options import Options, Ranked
from ndcg_sql.loading.sets import load
from ndcg_sql.loading.unkept import advise, columns_named, is_of_run, may_have
from ndcg_sql.measures.systems import find
from ndcg_sql.reading.columns import check_columns, is_ranked
from ndcg_sql.reading.proposals.refusals import naming_in
from ndcg_sql.reading.sources import Streams, opened, streams
from ndcg_sql.reports import report
from ndcg_sql.requests import choices
from ndcg_sql.requests.fields import options_of, stated
from ndcg_sql.system.messages import Messages, Only, Silent
from ndcg_sql.system.paths import argument, default_name, shown
from ndcg_sql.wording import FILE, call, use

# The checks of ranks, which a system to follow may imply without a position rule.
_RANKS = {"rank", "rank_twice"}


def answer(
    database: Database,
    messages: Messages,
    qrels: Path,
    files: Sequence[Path],
    options: Options,
    like: choices.System | None,
    per_query: bool,
) -> Answer:
    """Return the rows of a report on files.

    What is said of files holds for judgments and runs alike, except that labels concern
    only the former, rows_of only the latter. Without a position rule, that of the
    system to follow is used. The database must be a scratch one.
    """
    check_columns(options.columns, "judgments", "run")
    system = None if like is None else find(like)
    # Runs of files with the same name are distinguished by their paths.
    stems = Counter(map(default_name, files))
    names = {f: str(f) for f in files if stems[default_name(f)] > 1}
    ranking = replace(options, many_files=True, labels={}, grade=None, names=names)
    if system and not options.is_rule_chosen:
        rule = system.position_rule or "score"
        ranking = replace(ranking, position_rule=rule, is_rule_chosen=True)
    chosen = choose_measures(database, options.measures, system)
    if system:
        messages.tell(system.followed(chosen, ranking.position_rule))
    replace_registered(database, chosen)
    listed = [options.rows_of] if options.rows_of else []
    with streams([qrels, *files, *listed], messages, database.folder) as piped:
        only = Only(messages, "warn", "note")
        judging = _judging(options)
        try:
            items = _load(database, "judgments", [qrels], files, judging, only, piped)
        except NdcgSqlError as error:
            if not is_of_run(error):
                raise
            own = {"like": like, "per_query": per_query}
            swapped = _swapped(database, qrels, files, options, own, piped)
            raise swapped or error from None
        sets = [entry.id for entry in entries.judgment_sets(database)]
        if options.measures or like is not None:
            check_fits(database, sets, [n for item in items for n in item.ignored])
        else:
            pairs = [(0, set_id) for set_id in sets]
            chosen = choose_fitting(database, chosen, pairs, messages)
            replace_registered(database, chosen)
        try:
            _load(database, "run", files, [qrels], ranking, only, piped)
        except BadRowsError as error:
            is_ranked = error.scored and error.checks & _RANKS
            if options.is_rule_chosen or not is_ranked:
                raise
            remedy = "To ignore its ranks, add " + use(position_rule="score") + "."
            raise NdcgSqlError(error.message + "\n" + remedy) from None
    runs = entries.runs(database)
    pairs = entries.judgments_of(database, runs, None)
    question = Question(chosen, tuple(runs), tuple(pairs))
    with answered(database, messages, question):
        rows = report.rows_of(database, question, per_query)
    return Answer("values by query" if per_query else "values", rows)


def _judging(options: Options) -> Options:
    """Return the options that load judgments."""
    return replace(
        options,
        many_files=True,
        rows_of=None,
        position_rule="score",
        is_rule_chosen=False,
    )


def _load(
    database: Database,
    kind: Ranked,
    files: Sequence[Path],
    others: Sequence[Path],
    options: Options,
    messages: Messages,
    piped: Streams,
) -> Sequence[LoadedItem]:
    """Load files of a kind, beside others of the other kind.

    Refusals name options of eval, or else the command that loads the file. Columns are
    options for all files; those that only one has are for that command.
    """
    try:
        return load(database, kind, [*files], options, messages, piped)
    except NdcgSqlError as error:
        other: Ranked = "run" if kind == "judgments" else "judgments"
        fields = set(options_of("eval"))
        names = columns_named(error, other)
        for file in {*others} - {*files} if names else ():
            with opened(file, Silent(), database.folder, piped) as source:
                if not may_have(names, source, other, options):
                    fields.discard("columns")
        advise(error, fields, f"load_{kind}", FILE)
        if len(files) == 1:
            error.change(lambda text: naming_in(text, argument(files[0])))
        raise


def _swapped(
    database: Database,
    qrels: Path,
    runs: Sequence[Path],
    options: Options,
    own: Mapping[str, object],
    piped: Streams,
) -> NdcgSqlError | None:
    """Return the error if the judgments are among the runs; None if they are not.

    They are the first file that does not look like a run. What made sense only of a run
    in their place is left out of the command. own are the values of what eval alone
    takes.
    """
    columns = {
        column: name
        for column, name in options.columns.items()
        if column not in ("grade", "label") or not is_ranked(name)
    }
    without = replace(options, grade=None, columns=columns)
    for file in runs:
        try:
            load(database, "judgments", [file], _judging(without), Silent(), piped)
        except NdcgSqlError as fault:
            if is_of_run(fault):
                continue
        others = [other for other in (qrels, *runs) if other != file]
        fields = {**without.stated("eval"), **stated("eval", own)}
        command = call("eval", *map(argument, (file, *others)), **fields)
        what = "looks like a run, but the judgments come first"
        return NdcgSqlError(f"{shown(qrels)}: {what}", command)
    return None
