"""Storing staged rows as a run or a judgment set, and evaluating it."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import entries, having_rankings
from ndcg_sql.evaluation.fitting import left_out, note_misfits
from ndcg_sql.evaluation.values import HitsFile, evaluate, evaluate_all
from ndcg_sql.loading import warnings
from ndcg_sql.loading.loaded import LoadedItem, counts_of
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Text, Wording, use

if TYPE_CHECKING:
    from ndcg_sql.reading.clean.run import CleanRun


@dataclass(frozen=True)
class Stored:
    """The messages about stored rows; without a line, only notes and warnings.

    note follows on a line of its own, notes are on what was read. counts are those of
    the queries and rows of what is stored; item is what they became, if it has a name
    yet.
    """

    line: Wording
    warnings: Sequence[Wording] = ()
    note: Wording = ""
    counts: tuple[int, int] = (0, 0)
    item: LoadedItem | None = None
    notes: Sequence[Wording] = ()

    def tell(self, messages: Messages) -> None:
        """Pass the messages on."""
        if self.line:
            messages.tell(Text(self.line, "\n" if self.note else "", self.note))
        for note in self.notes:
            messages.note(note)
        messages.warn_all(self.warnings)


def store_run(
    database: Database,
    parameters: Parameters,
    tags: Mapping[str, str],
    evaluating: bool,
    clean: "CleanRun | None" = None,
    sets: Sequence[int] = (),
    *,
    empty: Sequence[str] = (),
    completed: int | None = None,
    is_order_known: bool = True,
) -> Stored:
    """Store the staged rows as a run, and evaluate it with the newest judgments.

    sets are further judgment sets to evaluate it with: those of a run that it
    replaces. completed is the id of that run if its loaded values stay. clean is what
    is known of the run if its file is clean, empty are the queries that it answers
    without documents. Unless its order is known to be meant, scores that order nothing
    are warned of.
    """
    run_id = database.execute("select nextval('run_ids')")[0][0]
    parameters["run_id"] = run_id
    _store_rankings(database, parameters, clean, empty)
    if completed is not None:
        sql = "update loaded_values set run_id = $run_id where run_id = $completed"
        ids = {"run_id": run_id, "completed": completed}
        database.execute(sql, ids)
    store_tags(database, run_id, tags)
    queries, documents = counts_of(database, "run", run_id)
    line = f"{counted(queries, 'query', 'queries')}, {counted(documents, 'document')}"
    newest = database.run("lookups/newest_judgment_set", parameters)
    if not evaluating:
        return Stored(line, counts=(queries, documents))
    rows = f"run_queries where run_id = {run_id:d}"
    counts = queries, documents
    if not newest:
        alike = warnings.alike(database, "query", rows, parameters)
        return Stored(line + "; no judgments yet", alike, counts=counts)
    [(judgment_set_id, _)] = newest
    pair = run_id, judgment_set_id
    _evaluate_stored(database, pair, parameters, clean)
    # The rows of a clean run, whose columns have names, are not staged for a single
    # command.
    has_rows = not (clean and database.is_scratch)
    ranked = warnings.staged_documents(run_id) if has_rows else None
    name = parameters["name"]
    doubts = warnings.unmatched(database, name, pair, ranked)
    doubts = doubts or warnings.near(database, [run_id], judgment_set_id, ranked)
    if parameters["position_rule"] != "given" and not is_order_known:
        swapped: list[Wording] = []
        if has_rows:
            swapped = warnings.scores_and_grades(database, parameters, newest[0])
        doubts += swapped or warnings.constant_scores(database, name, pair)
    # An example of what does not match is enough.
    doubts = doubts or warnings.alike(database, "query", rows, parameters)
    others = [set_id for set_id in sets if set_id != judgment_set_id]
    evaluate_all(database, [(run_id, set_id) for set_id in others])
    names = dict(database.execute("select judgment_set_id, name from judgment_sets"))
    shown = ", ".join(quoted(names[set_id]) for set_id in (judgment_set_id, *others))
    doubts += left_out(database, [judgment_set_id, *others])
    return Stored(line + f"; evaluated with {shown}", doubts, counts=counts)


def _store_rankings(
    database: Database,
    parameters: Parameters,
    clean: "CleanRun | None",
    empty: Sequence[str],
) -> None:
    """Store the staged rows as rankings, and the queries that they answer."""
    if clean:
        queries = "select $run_id as run_id, * from read_queries"
        with database.received("read_queries", clean.query_stream()):
            database.execute(f"insert into run_queries by name {queries}", parameters)
    else:
        database.run("store/run_queries_of_staged", parameters)
    if empty:
        queries = {**parameters, "query_ids": "\0".join(empty)}
        database.run("store/empty_answers", queries)
        database.run("store/run_queries_of_empty", queries)
    for file in ("positions", "runs"):
        database.run(f"store/{file}", parameters)
    rule = parameters["position_rule"]
    is_scored = rule != "given"
    if is_scored and not clean:
        database.run(f"store/scored_by_{rule}")
    # Values are computed from hits; a single command needs no stored ranking.
    if not database.is_scratch or not is_scored:
        order = "of_read" if clean else "by_scores" if is_scored else "by_given"
        _store_all(database, f"rankings_{order}", parameters)


def _evaluate_stored(
    database: Database,
    pair: tuple[int, int],
    parameters: Parameters,
    clean: "CleanRun | None",
) -> None:
    """Evaluate a run from its staged rows, or from what is known of a clean file."""
    is_scored = parameters["position_rule"] != "given"
    hits_file: HitsFile = "hits_of_scored" if is_scored else "hits"
    with ExitStack() as stack:
        if clean:
            hits_file = "hits_of_read"
            hits = database.received("read_hits", clean.hit_stream())
            stack.enter_context(hits)
        evaluate(database, pair, hits_file)


def store_tags(database: Database, run_id: int, tags: Mapping[str, str]) -> None:
    """Store the tags of a run."""
    for tag, value in tags.items():
        database.execute(
            "insert into run_tags values ($run_id, $tag, $value)",
            {"run_id": run_id, "tag": tag, "value": value},
        )


def store_judgments(
    database: Database,
    parameters: Parameters,
    evaluating: bool,
    has_subtopics: bool = False,
) -> Stored:
    """Store the staged rows as a judgment set, and evaluate every run with it.

    With subtopics, their judgments are in the table staged_subtopics.

    Returns messages: counts, and that this set is now the newest, if there are
    others.
    """
    others = database.run("lookups/newest_judgment_set", parameters)
    judgment_set_id = database.execute("select nextval('judgment_set_ids')")[0][0]
    parameters["judgment_set_id"] = judgment_set_id
    _store_all(database, "judgments", parameters)
    if has_subtopics:
        _store_all(database, "subtopic_judgments", parameters, "staged_subtopics")
    database.run("store/judgment_sets", parameters)
    if parameters["parent_ids"]:
        database.run("store/judgment_set_parents", parameters)
    note_misfits(database, set_ids=[judgment_set_id])
    ids = {"id": judgment_set_id}
    queries, judgments = counts_of(database, "judgment set", judgment_set_id)
    line = f"{counted(queries, 'query', 'queries')}, {counted(judgments, 'judgment')}"
    if has_subtopics:
        [(subtopics, _, each)] = database.run("lookups/counts_subtopics", ids)
        line += f", the largest grades of {counted(each, 'judgment')}"
        line += f" for {counted(subtopics, 'subtopic')}"
    every = entries(database, "run") if evaluating else []
    every = [run for run in every if run.dataset == parameters["dataset"]]
    runs = [(run.id, run.name) for run in having_rankings(every)]
    evaluate_all(database, [(run.id, judgment_set_id) for run in every])
    doubts: list[Wording] = []
    hitless = database.run("warnings/runs_without_hits", parameters) if runs else []
    for run_id, run in hitless:
        pair = run_id, judgment_set_id
        doubts += warnings.unmatched(
            database, run, pair, warnings.stored_documents([run_id]), is_new_run=False
        )
    hitting = [run_id for run_id, name in runs if (run_id, name) not in hitless]
    if hitting:
        ranked = warnings.stored_documents(hitting)
        doubts += warnings.near(database, hitting, judgment_set_id, ranked)
    if not doubts:
        rows = f"judgments where judgment_set_id = {judgment_set_id:d}"
        doubts += warnings.alike(database, "query", rows, parameters)
        doubts += warnings.alike(database, "document", rows, parameters)
    if runs:
        doubts += left_out(database, [judgment_set_id])
        line += f"; evaluated {counted(len(runs), 'run')}"
    note = Text()
    for _, earlier in others:
        note = Text(
            f"judgment set {quoted(parameters['name'])} is now the newest: report and"
            " other commands use it unless ",
            use(judgments=earlier),
            " is given",
        )
    return Stored(line, doubts, note, (queries, judgments))


def _store_all(
    database: Database, file: str, parameters: Parameters, table: str = "staged"
) -> None:
    """Store the rows of a staged table; raise NdcgSqlError if any is missing."""
    [(stored,)] = database.run(f"store/{file}", parameters)
    [(staged,)] = database.execute(f"select count(*) from {table}")
    if stored != staged:
        raise NdcgSqlError(
            f"unexpected: {staged} rows were read, but {stored} stored; please report"
            " it"
        )
