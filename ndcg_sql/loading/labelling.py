"""Names, tags and times of what is loaded; ids and contents never change."""

from collections.abc import Mapping
from contextlib import nullcontext
from datetime import datetime

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import (
    FUSED,
    KEYS,
    KINDS,
    TABLES,
    Entry,
    check_dataset,
    choose_entries,
    choose_entry,
    entries,
)
from ndcg_sql.loading.loaded import tags_of
from ndcg_sql.loading.options import check_names, time_of
from ndcg_sql.loading.storing import store_tags
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import quoted, separated

# The files that select the runs that fuse made of a run.
_FUSED_OF = (*FUSED, "lookups/fused_of")


def rename(
    database: Database,
    messages: Messages,
    kind_word: str,
    old: str,
    new: str,
    dataset: str | None,
) -> None:
    """Give a run, a judgment set or a dataset another name; refuse one that is taken.

    The judgment sets that were made from a judgment set name it by its new name.
    """
    if kind_word == "dataset":
        _rename_dataset(database, messages, old, new)
        return
    kind = KINDS[kind_word]
    with database.transaction():
        entry = choose_entry(database, kind, old, dataset)
        check_names([(kind, new)])
        for other in entries(database, kind):
            if (other.dataset, other.name) == (entry.dataset, new):
                raise NdcgSqlError(
                    f"{kind} {quoted(new)}: already in dataset"
                    f" {quoted(entry.dataset)}; choose another name"
                )
        database.execute(
            f"update {TABLES[kind]} set name = $new where {KEYS[kind]} = $id",
            {"new": new, "id": entry.id},
        )
        if kind == "judgment set":
            database.execute(
                "update judgment_set_parents set parent_name = $new"
                " where parent_kind = 'judgments' and parent_id = $id",
                {"new": new, "id": entry.id},
            )
        if kind == "run":
            _rename_source(database, entry, new)
    messages.tell(
        f"renamed {kind} {quoted(old)} of dataset {quoted(entry.dataset)} to"
        f" {quoted(new)}"
    )


def _rename_source(database: Database, run: Entry, name: str) -> None:
    """Let the tags of runs that were fused of a run name it by its new name."""
    old = {"dataset": run.dataset, "name": run.name}
    for run_id, names in database.execute(sql_files.composed(_FUSED_OF), old):
        renamed = (name if source == run.name else source for source in names)
        database.execute(
            "update run_tags set tag_value = $sources"
            " where run_id = $id and tag = 'sources'",
            {"id": run_id, "sources": separated(renamed)},
        )


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
    run_at = time_of(made_at or None)
    with nullcontext() if dry_run else database.transaction():
        runs = choose_entries(database, "run", [run_name], dataset)
        before = {run.id: tags_of(database, run.id) for run in runs}
        for run in () if dry_run else runs:
            which = "where run_id = $id and tag in (select unnest($tags))"
            parameters = {"id": run.id, "tags": list(tags)}
            database.execute(f"delete from run_tags {which}", parameters)
            kept = {key: value for key, value in tags.items() if value}
            store_tags(database, run.id, kept)
            if made_at is not None:
                database.execute(
                    "update runs set run_at = $run_at where run_id = $id",
                    {"run_at": run_at, "id": run.id},
                )
    for run in runs:
        is_changed = made_at is not None or any(
            value or key in before[run.id] for key, value in tags.items()
        )
        done = "" if not is_changed else "would tag " if dry_run else "tagged "
        said = [
            f"{key}={value}"
            if value
            else f"{key} removed"
            if key in before[run.id]
            else f"has no tag {quoted(key)}"
            for key, value in tags.items()
        ]
        if made_at is not None:
            said.append(f"run_at {run_at}" if run_at else "no run_at")
        messages.tell(f"{done}run {quoted(run.name)}: {', '.join(said)}")


def _rename_dataset(database: Database, messages: Messages, old: str, new: str) -> None:
    with database.transaction():
        check_dataset(database, old)
        check_names([("dataset", new)])
        taken = [name for (name,) in database.run("lookups/datasets")]
        registered = "select distinct dataset from measure_datasets"
        taken += [name for (name,) in database.execute(registered)]
        if new in taken:
            raise NdcgSqlError(f"dataset {quoted(new)}: taken; choose another name")
        names = {"old": old, "new": new}
        tables = database.run("lookups/tables_with_column", {"column": "dataset"})
        for (table,) in tables:
            database.execute(
                f"update {table} set dataset = $new where dataset = $old", names
            )
    messages.tell(f"renamed dataset {quoted(old)} to {quoted(new)}")
