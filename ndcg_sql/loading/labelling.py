"""Names and tags of what is loaded; ids and contents never change."""

from collections.abc import Mapping

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import KEYS, TABLES, Kind, choose_entry, entries
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import check_name, quoted


def rename(
    database: Database,
    kind: Kind,
    old: str,
    new: str,
    dataset: str | None,
    messages: Messages,
) -> None:
    """Give a run or a judgment set another name; refuse one that is taken.

    The judgment sets that were made from a judgment set name it by its new name.
    """
    with database.transaction():
        entry = choose_entry(database, kind, old, dataset)
        if fault := check_name(kind, new):
            raise NdcgSqlError(fault)
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
            database.run("store/parent_renamed", {"name": new, "id": entry.id})
    messages.tell(
        f"renamed {kind} {quoted(old)} of dataset {quoted(entry.dataset)} to"
        f" {quoted(new)}"
    )


def tag(
    database: Database,
    name: str,
    tags: Mapping[str, str],
    dataset: str | None,
    messages: Messages,
) -> None:
    """Give a run tags; a tag that it already has gets the new value.

    An empty value removes the tag.
    """
    for part in [*tags, *filter(None, tags.values())]:
        if fault := check_name("tag", part):
            raise NdcgSqlError(fault)
    with database.transaction():
        run = choose_entry(database, "run", name, dataset)
        for key, value in tags.items():
            given = {"run_id": run.id, "tag": key, "value": value}
            mine = {"run_id": run.id, "tag": key}
            which = "where run_id = $run_id and tag = $tag"
            database.execute(f"delete from run_tags {which}", mine)
            if value:
                database.execute(
                    "insert into run_tags values ($run_id, $tag, $value)", given
                )
    said = ", ".join(f"{key}={value}" for key, value in tags.items())
    messages.tell(f"tagged run {quoted(name)}: {said}")
