"""Runs evaluated straight from files, with nothing stored."""

from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from ndcg_sql import options
from ndcg_sql.comparison.answers import Answer, Context
from ndcg_sql.database.database import Database
from ndcg_sql.errors import BadRowsError, NdcgSqlError
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.fitting import check_fits
from ndcg_sql.evaluation.question import Question, choose_fitting, choose_measures
from ndcg_sql.evaluation.registry import replace_registered
from ndcg_sql.fields import options_of
from ndcg_sql.loading.options import Options, Ranked
from ndcg_sql.loading.sentences import naming_loader
from ndcg_sql.loading.sets import load
from ndcg_sql.measures.systems import find
from ndcg_sql.reading.columns import check_columns
from ndcg_sql.reading.proposals.refusals import naming_in
from ndcg_sql.reading.sources import Streams, streams
from ndcg_sql.reports import report
from ndcg_sql.system.messages import Messages, Only
from ndcg_sql.system.paths import argument, default_name
from ndcg_sql.wording import FILE, Blank, Call, Part, Text, Use, call, use

# So many bytes in all are evaluated on one thread: a second costs more than it saves.
_LITTLE = 2 * 2**20
# The checks of ranks, which a system to follow may imply without a position rule.
_RANKS = {"rank", "rank_twice"}


def answer(
    context: Context,
    qrels: Path,
    files: Sequence[Path],
    options: Options,
    like: options.System | None,
    per_query: bool,
) -> Answer:
    """Return the rows of a report on files.

    What is said of files holds for judgments and runs alike, except that labels concern
    only the former, rows_of only the latter. Without a position rule, that of the
    system to follow is used. The database must be a scratch one.
    """
    database, messages = context
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
    paths = [qrels, *files, *filter(None, [options.rows_of])]
    with ExitStack() as stack:
        sizes = [path.stat().st_size for path in paths if path.is_file()]
        if len(sizes) == len(paths) and sum(sizes) <= _LITTLE:
            stack.enter_context(database.setting("threads", "1"))
        piped = stack.enter_context(streams(paths, messages, database.folder))
        only = Only(messages, "warn", "note")
        judging = replace(options, many_files=True, rows_of=None)
        judging = replace(judging, position_rule="score", is_rule_chosen=False)
        with judgments_first("eval", Blank("QRELS"), Blank("RUN")):
            _load(database, "judgments", [qrels], judging, only, piped)
        sets = [entry.id for entry in entries.judgment_sets(database)]
        if options.measures or like is not None:
            check_fits(database, sets)
        else:
            every = [(0, set_id) for set_id in sets]
            chosen = choose_fitting(database, chosen, every, messages)
        try:
            _load(database, "run", files, ranking, only, piped)
        except BadRowsError as error:
            is_ranked = error.scored and error.checks & _RANKS
            if options.is_rule_chosen or not is_ranked:
                raise
            remedy = "To ignore its ranks, add " + use(position_rule="score") + "."
            raise NdcgSqlError(error.message + "\n" + remedy) from None
        runs = entries.runs(database)
        pairs = tuple(entries.judgments_of(database, runs, None))
        question = Question(*context, tuple(chosen), tuple(runs), pairs)
        with question.answered():
            rows = report.rows_of(question, per_query)
    return Answer("values by query" if per_query else "values", rows)


@contextmanager
def judgments_first(method: str, *arguments: Blank) -> Generator[None]:
    """Say in the refusal of judgments that look like a run which come first."""
    first = Text("name the judgments first: ", call(method, *arguments))

    def swapped(part: Part) -> Part | Text:
        return first if isinstance(part, Call) and part.method == "load_run" else part

    try:
        yield
    except NdcgSqlError as error:
        error.change(lambda text: text.with_parts(swapped))
        raise


def _load(
    database: Database,
    kind: Ranked,
    files: Sequence[Path],
    options: Options,
    messages: Messages,
    piped: Streams,
) -> None:
    """Load files of a kind.

    Columns are options for all files; those that only one has are for the command that
    loads it.
    """
    method = f"load_{kind}"
    file = argument(files[0]) if len(files) == 1 else FILE
    try:
        with naming_loader(options_of("eval"), method, file):
            load(database, kind, [*files], options, messages, piped)
    except NdcgSqlError as error:
        error.change(lambda text: naming_in(text, file))
        uses = (part for part in error.message.parts if isinstance(part, Use))
        columns = [one.fields for one in uses if "columns" in one.fields]
        if columns:
            loading = call(method, file, **columns[-1])
            own = Text("\nif no other file has these columns: ", loading)
            error.what, error.where, error.remedy = Text(error.message, own), "", ""
        raise
