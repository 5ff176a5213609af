"""Names, tags and times of what is loaded, and its removal with all derived from it."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.registry import unregister
from ndcg_sql.loading.described import KEPT, count_of
from ndcg_sql.loading.loaded import ROWS, counts_of, tags_of
from ndcg_sql.loading.options import check_names, time_of
from ndcg_sql.loading.replacing import remove
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.storing import store_tags
from ndcg_sql.loading.values import report_loaded
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted, separated


def rename(
    database: Database,
    messages: Messages,
    kind_word: str,
    old: str,
    new: str,
    dataset: str | None,
) -> None:
    """Give a run, a judgment set or a dataset another name; refuse one that is taken.

    Ids and contents stay. What was made of it names it by its new name.
    """
    if kind_word == "dataset":
        _rename_dataset(database, old, new)
        messages.tell(f"renamed dataset {quoted(old)} to {quoted(new)}")
        return
    kind = entries.KINDS[kind_word]
    with database.transaction():
        entry = entries.choose_entry(database, kind, old, dataset)
        check_names([(kind, new)])
        others = entries.entries(database, kind, entry.dataset)
        if any(other.name == new for other in others):
            raise refusal("name_taken", kind=kind, name=new, dataset=entry.dataset)
        names = {"new": new, "id": entry.id}
        table, key = entries.TABLES[kind], entries.KEYS[kind]
        database.execute(f"update {table} set name = $new where {key} = $id", names)
        if kind == "judgment set":
            database.execute(
                "update judgment_set_parents set parent_name = $new"
                " where parent_kind = 'judgments' and parent_id = $id",
                names,
            )
        of_run = {"dataset": entry.dataset, "name": old}
        fused = sql_files.composed((*entries.FUSED, "lookups/fused_of"))
        for run_id, sources in database.execute(fused, of_run) if kind == "run" else ():
            renamed = separated(new if name == old else name for name in sources)
            database.execute(
                "update run_tags set tag_value = $sources"
                " where run_id = $id and tag = 'sources'",
                {"id": run_id, "sources": renamed},
            )
    what = f"renamed {kind} {quoted(old)} of dataset {quoted(entry.dataset)}"
    messages.tell(f"{what} to {quoted(new)}")


def _rename_dataset(database: Database, old: str, new: str) -> None:
    with database.transaction():
        entries.check_dataset(database, old)
        check_names([("dataset", new)])
        taken = database.run("lookups/datasets")
        taken += database.execute("select distinct dataset from measure_datasets")
        if (new,) in taken:
            raise refusal("dataset_taken", dataset=new)
        tables = database.run("lookups/tables_with_column", {"column": "dataset"})
        for (table,) in tables:
            sql = f"update {table} set dataset = $new where dataset = $old"
            database.execute(sql, {"old": old, "new": new})


def tag(
    database: Database,
    messages: Messages,
    run_name: str,
    tags: Mapping[str, str],
    made_at: str | datetime | None,
    dataset: str | None,
    dry_run: bool,
) -> None:
    """Give runs tags and a time; a tag that a run already has gets the new value.

    An empty value removes a tag, or the time. A dry run shows which runs they are.
    """
    check_names(("tag", part) for part in (*tags, *filter(None, tags.values())))
    run_at, is_timed = time_of(made_at or None), made_at is not None
    with nullcontext() if dry_run else database.transaction():
        runs = entries.choose_entries(database, "run", [run_name], dataset)
        before = {run.id: tags_of(database, run.id) for run in runs}
        ids: Parameters = {"run_ids": [*before], "run_at": run_at, "tags": [*tags]}
        which = "where list_contains($run_ids, run_id)"
        if not dry_run:
            old = f"delete from run_tags {which} and list_contains($tags, tag)"
            database.execute(old, ids)
            for run in runs:
                store_tags(database, run.id, {k: v for k, v in tags.items() if v})
        if is_timed and not dry_run:
            database.execute(f"update runs set run_at = $run_at {which}", ids)
    for run in runs:
        parts: list[str] = []
        for key, value in tags.items():
            is_there = key in before[run.id]
            absent = f"{key} removed" if is_there else f"has no tag {quoted(key)}"
            parts.append(f"{key}={value}" if value else absent)
        if is_timed:
            parts.append(f"run_at {run_at}" if run_at else "no run_at")
        is_changed = is_timed or any(tags.values()) or tags.keys() & before[run.id]
        done = "" if not is_changed else "would tag " if dry_run else "tagged "
        messages.tell(f"{done}run {quoted(run.name)}: {', '.join(parts)}")


def remove_named(
    database: Database,
    messages: Messages,
    kind_word: str,
    names: Sequence[str],
    dataset: str | None,
    is_dry: bool,
) -> None:
    """Remove runs, judgment sets or assessments: all that are named, or none.

    A dry run only tells what would be removed.
    """
    kind, lines = entries.KINDS[kind_word], list[str]()
    done = "would remove" if is_dry else "removed"
    with nullcontext() if is_dry else database.transaction():
        chosen = entries.choose_entries(database, kind, names, dataset)
        for entry in chosen:
            queries, rows = counts_of(database, kind, entry.id)
            counts = [counted(queries, "query", "queries"), counted(rows, ROWS[kind])]
            if kind != "assessments":
                sql = (
                    f"select count(*) from evaluations where {entries.KEYS[kind]} = $id"
                )
                [(evaluations,)] = database.execute(sql, {"id": entry.id})
                counts.append(counted(evaluations, "evaluation"))
            what = f"{kind} {quoted(entry.name)} of dataset {quoted(entry.dataset)}"
            lines.append(f"{done} {what}: {', '.join(counts)}")
        if not is_dry:
            remove(database, entries.KEYS[kind], [entry.id for entry in chosen])
            for where in {entry.dataset for entry in chosen}:
                report_loaded(database, where)
    for line in lines:
        messages.tell(line)


def remove_dataset(database: Database, messages: Messages, dataset: str) -> None:
    """Remove everything in a dataset."""
    with database.transaction():
        entries.check_dataset(database, dataset)
        sql = "select measure from measure_datasets where dataset = $dataset"
        for (name,) in database.execute(sql, {"dataset": dataset}):
            # Without the dataset's row, it would be registered for every one.
            unregister(database, name, dataset)
        counts: list[str] = []
        for kind, key in entries.KEYS.items():
            ids = [entry.id for entry in entries.entries(database, kind, dataset)]
            remove(database, key, ids)
            if kind != "assessments":
                counts.append(counted(len(ids), kind))
            elif ids:
                counts.append(counted(len(ids), "file") + " of assessments")
        for kind, kept in KEPT.items():
            count = count_of(database, kind, dataset)
            if count or kind == "queries":
                counts.append(counted(count, *kept.noun))
        remove(database, "dataset", [dataset])
    messages.tell(f"removed dataset {quoted(dataset)}: {', '.join(counts)}")
