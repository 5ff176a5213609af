"""Storing staged rows as a run or a judgment set, and evaluating it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation.entries import entries, having_rankings
from ndcg_sql.evaluation.fitting import left_out, note_misfits
from ndcg_sql.evaluation.measuring import Pair
from ndcg_sql.evaluation.values import evaluate, find_hits, store_hits
from ndcg_sql.loading import warnings
from ndcg_sql.loading.loaded import LoadedItem, counts_of, tags_of
from ndcg_sql.loading.replacing import NewEntry, Old, remove_old
from ndcg_sql.loading.tasks import check_stored
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Text, Wording, joined, use

if TYPE_CHECKING:
    from ndcg_sql.reading.clean.files import CleanRun


def store_run(
    database: Database,
    messages: Messages,
    run: NewEntry,
    *,
    evaluating: bool = True,
    clean: "CleanRun | None" = None,
    empty: Sequence[str] = (),
    dropped: Sequence[Wording] = (),
    is_order_known: bool = True,
) -> tuple[list[Pair], LoadedItem]:
    """Store the staged rows as a run, and its hits with the newest judgments.

    It takes the place of its old one, and gets hits with the same judgment sets, too.
    Returns the pairs whose values are to be stored: those of many runs take little
    longer than those of one. empty are the queries that it answers without documents,
    dropped the messages on rows that were left out. Unless its order is known to be
    meant, scores that order nothing are warned of.
    """
    sets, note, old = list[int](), Text(), run.old
    if old:
        evaluated = "select judgment_set_id from evaluations where run_id = $run_id"
        sets = [set_id for (set_id,) in database.execute(evaluated, {"run_id": old.id})]
        run, note = _labelled(database, run, old)
        remove_old(database, run)
    run_id = clean.run_id if clean else None
    if run_id is None:
        [(run_id,)] = database.execute("select nextval('run_ids')")
    parameters = run.parameters(run_id)
    if clean:
        with database.received("read_queries", clean.query_stream()):
            database.run("store/run_queries_of_read", parameters)
    else:
        database.run("store/run_queries_of_staged", parameters)
    if empty:
        database.run("store/empty_answers", {**parameters, "query_ids": [*empty]})
        database.run("store/run_queries_of_empty", parameters)
    for file in ("positions", "runs"):
        database.run(f"store/{file}", parameters)
    rule = parameters["position_rule"]
    is_scored = rule != "given"
    if is_scored and not clean:
        database.run(f"store/scored_by_{rule}")
    # Values are computed from hits; a single command needs no stored ranking.
    if not clean and not (database.is_scratch and is_scored):
        order = "by_scores" if is_scored else "by_given"
        _store_all(database, f"rankings_{order}", parameters)
    if old and old.is_completed:
        sql = "update loaded_values set run_id = $run_id where run_id = $old_id"
        database.execute(sql, {"run_id": run_id, "old_id": old.id})
    store_tags(database, run_id, run.tags)
    queries, documents = counts_of(database, "run", run_id)
    line = f"{counted(queries, 'query', 'queries')}, {counted(documents, 'document')}"
    newest = database.run("lookups/newest_judgment_set", parameters)
    line += "; no judgments yet" * (not newest)
    doubts, pairs = list[Wording](), list[Pair]()
    for set_id, set_name in newest if evaluating else ():
        pairs = [(run_id, one) for one in dict.fromkeys((set_id, *sets))]
        first, *others = pairs
        if clean:
            with database.received("read_hits", clean.hit_stream()):
                store_hits(database, first, "hits_of_read")
        elif is_scored:
            store_hits(database, first, "hits_of_scored")
        else:
            others = pairs
        find_hits(database, others)
        names = dict(
            database.execute("select judgment_set_id, name from judgment_sets")
        )
        every = ", ".join(quoted(names[one]) for _, one in pairs)
        line += f"; evaluated with {every}"
        has_rows = not clean or clean.run_id is not None
        ranked = warnings.staged_documents(run_id) if has_rows else None
        pair, name = (run_id, set_id), run.name
        doubts += warnings.unmatched(database, name, pair, ranked)
        doubts = doubts or warnings.near(database, [run_id], set_id, ranked)
        if is_scored and not is_order_known:
            ids = {"run_id": run_id, "judgment_set_id": set_id}
            ids["most"] = warnings.MOST_GRADES
            about = {"run": name, "judgment_set": set_name}
            kinds = ("scores_and_grades",) * has_rows + ("constant_scores",)
            every = (warnings.each(database, kind, ids, **about) for kind in kinds)
            doubts += next(filter(None, every), list[Wording]())
    if not doubts:
        # An example of what does not match is enough.
        rows = f"run_queries where run_id = {run_id:d}"
        doubts += warnings.alike(database, "query", rows, parameters)
    if newest and evaluating:
        every = dict.fromkeys((newest[0][0], *sets))
        doubts += left_out(database, [*every])
    messages.tell(Text(run.done, joined((line, *dropped), "; "), note))
    messages.warn_all(doubts)
    return pairs, LoadedItem("run", run.name, run.outcome, documents, queries)


def _labelled(database: Database, run: NewEntry, old: Old) -> tuple[NewEntry, Text]:
    """Return a run with its labels in place of an old one, and a note on them.

    What it lacks stays; if it has tags, these are all that it gets. Loaded values go
    that the new one cannot keep: of a run that is completed, those of measures of our
    own, which are computed from now on.
    """
    of_old, tags, run_at = {"run_id": old.id}, run.tags, run.run_at
    time = "select cast(run_at as varchar) from runs where run_id = $run_id"
    [(old_time,)] = database.execute(time, of_old)
    old_tags = tags_of(database, old.id)
    kept: dict[str, object] = {}
    if old_tags and not tags:
        kept["tags"] = old_tags
    if old_time and not run_at:
        kept["run_at"] = old_time.replace(" ", "T")
    note = Text("; kept: ", use(**kept)) if kept else Text()
    lost = {tag: old_tags[tag] for tag in old_tags if tags and tag not in tags}
    if lost:
        note += Text("; no longer: ", use(tags=lost))
    own = "from loaded_values where run_id = $run_id"
    own += " and judgment_set_id is not null" * old.is_completed
    rows = database.execute(f"select distinct measure {own} order by all", of_old)
    database.execute(f"delete {own}", of_old)
    if rows:
        measures = ", ".join(measure for (measure,) in rows)
        note += f"; its loaded values of {measures} are removed"
    return replace(run, tags=tags or old_tags, run_at=run_at or old_time), note


def store_tags(database: Database, run_id: int, tags: Mapping[str, str]) -> None:
    """Store the tags of a run."""
    sql = "insert into run_tags select $run_id, unnest($tags), unnest($values)"
    pairs = {"tags": [*tags], "values": [*tags.values()]}
    if tags:
        database.execute(sql, {"run_id": run_id, **pairs})


def store_judgments(
    database: Database,
    messages: Messages,
    new: NewEntry,
    *,
    evaluating: bool,
    has_subtopics: bool = False,
    dropped: Sequence[Wording] = (),
) -> tuple[int, LoadedItem]:
    """Store the staged rows as a judgment set, with values; return its id, and it."""
    remove_old(database, new)
    [(set_id,)] = database.execute("select nextval('judgment_set_ids')")
    parameters = new.parameters(set_id)
    others = database.run("lookups/newest_judgment_set", parameters)
    _store_all(database, "judgments", parameters)
    if has_subtopics:
        _store_all(database, "subtopic_judgments", parameters, "staged_subtopics")
    database.run("store/judgment_sets", parameters)
    if new.parents:
        database.run("store/judgment_set_parents", parameters)
    note_misfits(database, set_ids=[set_id])
    queries, judgments = counts_of(database, "judgment set", set_id)
    line = f"{counted(queries, 'query', 'queries')}, {counted(judgments, 'judgment')}"
    if has_subtopics:
        [counts] = database.run("lookups/counts_subtopics", {"id": set_id})
        subtopics, _, each = counts
        line += f", the largest grades of {counted(each, 'judgment')}"
        line += f" for {counted(subtopics, 'subtopic')}"
    every = entries(database, "run", new.dataset) if evaluating else []
    runs = {run.id: run.name for run in having_rankings(every)}
    evaluate(database, [(run.id, set_id) for run in every])
    doubts: list[Wording] = []
    hitless = dict(
        database.run("warnings/runs_without_hits", parameters) if runs else ()
    )
    for run_id, run in hitless.items():
        ranked = warnings.stored_documents([run_id])
        doubts += warnings.unmatched(
            database, run, (run_id, set_id), ranked, is_new_run=False
        )
    hitting = [run_id for run_id in runs if run_id not in hitless]
    if hitting:
        ranked = warnings.stored_documents(hitting)
        doubts += warnings.near(database, hitting, set_id, ranked)
    for noun in () if doubts else ("query", "document"):
        rows = f"judgments where judgment_set_id = {set_id:d}"
        doubts += warnings.alike(database, noun, rows, parameters)
    if runs:
        doubts += left_out(database, [set_id])
        line += f"; evaluated {counted(len(runs), 'run')}"
    line = Text(new.done, joined((line, *dropped), "; "))
    for _, earlier in others:
        line += f"\njudgment set {quoted(new.name)} is now the newest: report and other"
        line += " commands use it unless " + use(judgments=earlier) + " is given"
    messages.tell(line)
    messages.warn_all(doubts)
    item = LoadedItem("judgment set", new.name, new.outcome, judgments, queries)
    return set_id, item


def _store_all(
    database: Database, file: str, parameters: Parameters, table: str = "staged"
) -> None:
    """Store the rows of a staged table; raise NdcgSqlError if any is missing."""
    [(stored,)] = database.run(f"store/{file}", parameters)
    [(staged,)] = database.execute(f"select count(*) from {table}")
    check_stored(stored, staged)
