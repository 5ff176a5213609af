"""Storing staged rows as a run or a judgment set, and evaluating it."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from ndcg_sql.database.database import Database, Parameters, Row
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import entries, having_rankings, into
from ndcg_sql.evaluation.fitting import left_out, note_misfits
from ndcg_sql.evaluation.values import HitsFile, Pair, evaluate, evaluate_all
from ndcg_sql.loading import warnings
from ndcg_sql.loading.loaded import LoadedItem, Stored, counts_of, tags_of
from ndcg_sql.loading.replacing import Namesake, NewEntry
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Text, Wording, call, joined, use

if TYPE_CHECKING:
    from ndcg_sql.reading.clean.run import CleanRun


def store_run(
    database: Database,
    old: Namesake,
    evaluating: bool = True,
    clean: "CleanRun | None" = None,
    *,
    empty: Sequence[str] = (),
    dropped: Sequence[Wording] = (),
    is_order_known: bool = True,
) -> Stored:
    """Store the staged rows as a run, and evaluate it with the newest judgments.

    It takes the place of an old one, if there is one, and is evaluated with the same
    judgment sets, too. clean is what is known of the run if its file is clean, empty
    are the queries that it answers without documents, dropped the messages on rows that
    were left out. Unless its order is known to be meant, scores that order nothing are
    warned of.
    """
    run, sets, note = old.entry, list[int](), Text()
    if old.ids:
        evaluated = "select judgment_set_id from evaluations where run_id = $run_id"
        of_old = {"run_id": old.ids[0]}
        sets = [set_id for (set_id,) in database.execute(evaluated, of_old)]
        run, note = _labelled(database, old)
        old.remove(database)
    [(run_id,)] = database.execute("select nextval('run_ids')")
    parameters = run.parameters(run_id)
    _store_rankings(database, parameters, clean, empty)
    if old.completes:
        sql = "update loaded_values set run_id = $run_id where run_id = $completed"
        database.execute(sql, {"run_id": run_id, "completed": old.ids[0]})
    store_tags(database, run_id, run.tags)
    queries, documents = counts_of(database, "run", run_id)
    line = f"{counted(queries, 'query', 'queries')}, {counted(documents, 'document')}"
    doubts: list[Wording] = []
    rows = f"run_queries where run_id = {run_id:d}"
    newest = database.run("lookups/newest_judgment_set", parameters)
    if evaluating and not newest:
        doubts = warnings.alike(database, "query", rows, parameters)
        line += "; no judgments yet"
    for newest_set in newest if evaluating else ():
        _evaluate_stored(database, (run_id, newest_set[0]), parameters, clean)
        doubts = _doubts(database, newest_set, parameters, clean, is_order_known)
        # An example of what does not match is enough.
        doubts = doubts or warnings.alike(database, "query", rows, parameters)
        others = [set_id for set_id in sets if set_id != newest_set[0]]
        evaluate_all(database, [(run_id, set_id) for set_id in others])
        every = [newest_set[0], *others]
        of_sets = "select judgment_set_id, name from judgment_sets"
        names = dict(database.execute(of_sets))
        line += f"; evaluated with {', '.join(quoted(names[one]) for one in every)}"
        doubts += left_out(database, every)
    item = LoadedItem("run", run.name, old.outcome, documents, queries)
    line = Text(old.done, joined((line, *dropped), "; "), note)
    return Stored(line, doubts, item=item)


def _labelled(database: Database, old: Namesake) -> tuple[NewEntry, Text]:
    """Return a run with its labels in place of an old one, and a note on them.

    What it lacks stays; if it has tags, these are all that it gets. Loaded values go
    that the new one cannot keep: of a run that is completed, those of measures of our
    own, which are computed from now on.
    """
    run, of_old = old.entry, {"run_id": old.ids[0]}
    tags, run_at = run.tags, run.run_at
    [(old_time, is_followed)] = database.run("lookups/labels_of_run", of_old)
    old_tags = tags_of(database, old.ids[0])
    kept: dict[str, object] = {}
    if old_tags and not tags:
        kept["tags"] = old_tags
    if old_time and not run_at:
        kept["run_at"] = old_time.replace(" ", "T")
    note = Text("; kept: ", use(**kept)) if kept else Text()
    lost = {tag: old_tags[tag] for tag in old_tags if tags and tag not in tags}
    if lost:
        note += Text("; no longer: ", use(tags=lost))
    if not run_at and not old_time and is_followed:
        note += "; history places it at its loading, now, as no time is known of it"
    own = "from loaded_values where run_id = $run_id"
    own += " and judgment_set_id is not null" * old.completes
    rows = database.execute(f"select distinct measure {own} order by all", of_old)
    database.execute(f"delete {own}", of_old)
    if rows:
        measures = ", ".join(measure for (measure,) in rows)
        note += f"; its loaded values of {measures} are removed"
    return replace(run, tags=tags or old_tags, run_at=run_at or old_time), note


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
    database: Database, pair: Pair, parameters: Parameters, clean: "CleanRun | None"
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


def _doubts(
    database: Database,
    judgment_set: Row,
    parameters: Parameters,
    clean: "CleanRun | None",
    is_order_known: bool,
) -> list[Wording]:
    """Return the warnings of a new run that was evaluated with the newest judgments."""
    run_id, name, dataset = (parameters[one] for one in ("run_id", "name", "dataset"))
    set_id, set_name = judgment_set
    # The rows of a clean run, whose columns have names, are not staged for a single
    # command.
    has_rows = not (clean and database.is_scratch)
    ranked = warnings.staged_documents(run_id) if has_rows else None
    pair = run_id, set_id
    doubts = warnings.unmatched(database, name, pair, ranked)
    doubts = doubts or warnings.near(database, [run_id], set_id, ranked)
    if parameters["position_rule"] == "given" or is_order_known:
        return doubts
    swapped: list[Wording] = []
    if has_rows:
        # Each of both may be right: grades of clicks are fractions, and an engine may
        # score by few whole numbers.
        undo = Text("the judgments come first")
        if not database.is_scratch:
            removing = call("remove", "judgments", set_name, **into(dataset))
            undo = "to remove the judgments: " + removing
        values = {"run": name, "judgment_set": set_name, "undo": undo}
        ids = {"judgment_set_id": set_id, "most": warnings.MOST_GRADES}
        swapped = warnings.each(database, "scores_and_grades", ids, **values)
    return doubts + (swapped or warnings.constant_scores(database, name, pair))


def store_tags(database: Database, run_id: int, tags: Mapping[str, str]) -> None:
    """Store the tags of a run."""
    sql = "insert into run_tags select $run_id, unnest($tags), unnest($values)"
    pairs = {"tags": [*tags], "values": [*tags.values()]}
    if tags:
        database.execute(sql, {"run_id": run_id, **pairs})


def store_judgments(
    database: Database, old: Namesake, evaluating: bool, has_subtopics: bool = False
) -> Stored:
    """Store the staged rows as a judgment set, and evaluate every run with it.

    It takes the place of an old one, if there is one. With subtopics, their judgments
    are in the table staged_subtopics. A note says that this set is now the newest, if
    there are others.
    """
    old.remove(database)
    [(set_id,)] = database.execute("select nextval('judgment_set_ids')")
    parameters, name = old.entry.parameters(set_id), old.entry.name
    others = database.run("lookups/newest_judgment_set", parameters)
    _store_all(database, "judgments", parameters)
    if has_subtopics:
        _store_all(database, "subtopic_judgments", parameters, "staged_subtopics")
    database.run("store/judgment_sets", parameters)
    if old.entry.parents:
        database.run("store/judgment_set_parents", parameters)
    note_misfits(database, set_ids=[set_id])
    queries, judgments = counts_of(database, "judgment set", set_id)
    line = f"{counted(queries, 'query', 'queries')}, {counted(judgments, 'judgment')}"
    if has_subtopics:
        [counts] = database.run("lookups/counts_subtopics", {"id": set_id})
        subtopics, _, each = counts
        line += f", the largest grades of {counted(each, 'judgment')}"
        line += f" for {counted(subtopics, 'subtopic')}"
    every = entries(database, "run", old.entry.dataset) if evaluating else []
    runs = [(run.id, run.name) for run in having_rankings(every)]
    evaluate_all(database, [(run.id, set_id) for run in every])
    doubts: list[Wording] = []
    hitless = database.run("warnings/runs_without_hits", parameters) if runs else []
    for run_id, run in hitless:
        ranked = warnings.stored_documents([run_id])
        pair = run_id, set_id
        doubts += warnings.unmatched(database, run, pair, ranked, is_new_run=False)
    hitting = [run_id for run_id, name in runs if (run_id, name) not in hitless]
    if hitting:
        ranked = warnings.stored_documents(hitting)
        doubts += warnings.near(database, hitting, set_id, ranked)
    if not doubts:
        rows = f"judgments where judgment_set_id = {set_id:d}"
        doubts += warnings.alike(database, "query", rows, parameters)
        doubts += warnings.alike(database, "document", rows, parameters)
    if runs:
        doubts += left_out(database, [set_id])
        line += f"; evaluated {counted(len(runs), 'run')}"
    note = Text()
    for _, earlier in others:
        note = Text(
            f"judgment set {quoted(name)} is now the newest: report and other commands"
            " use it unless ",
            use(judgments=earlier),
            " is given",
        )
    item = LoadedItem("judgment set", name, old.outcome, judgments, queries)
    return Stored(old.done + line, doubts, note, item)


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
