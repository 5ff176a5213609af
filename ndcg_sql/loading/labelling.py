"""Names and tags of what is loaded; ids and contents never change."""

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import KEYS, KINDS, TABLES, choose_entry, entries
from ndcg_sql.loading.storing import store_tags
from ndcg_sql.requests.changes import RenameRequest, TagRequest
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import check_name, quoted


def rename(database: Database, messages: Messages, request: RenameRequest) -> None:
    """Give a run or a judgment set another name; refuse one that is taken.

    The judgment sets that were made from a judgment set name it by its new name.
    """
    kind, new = KINDS[request.kind], request.new
    with database.transaction():
        entry = choose_entry(database, kind, request.old, request.dataset)
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
        f"renamed {kind} {quoted(request.old)} of dataset {quoted(entry.dataset)} to"
        f" {quoted(new)}"
    )


def tag(database: Database, messages: Messages, request: TagRequest) -> None:
    """Give a run tags; a tag that it already has gets the new value.

    An empty value removes the tag.
    """
    tags = request.tags
    for part in [*tags, *filter(None, tags.values())]:
        if fault := check_name("tag", part):
            raise NdcgSqlError(fault)
    with database.transaction():
        run = choose_entry(database, "run", request.run, request.dataset)
        which = "where run_id = $id and tag in (select unnest($tags))"
        given = {"id": run.id, "tags": list(tags)}
        database.execute(f"delete from run_tags {which}", given)
        kept = {key: value for key, value in tags.items() if value}
        store_tags(database, run.id, kept)
    said = ", ".join(f"{key}={value}" for key, value in tags.items())
    messages.tell(f"tagged run {quoted(request.run)}: {said}")
