"""Names that are already in use: replaced, unchanged or refused."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation.entries import KEYS, TABLES, Kind
from ndcg_sql.evaluation.registry import unregister
from ndcg_sql.loading.loaded import ROWS, LoadedItem, Outcome, tags_of
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import now, quoted
from ndcg_sql.wording import listed as fields_listed

# Measures of other programs of which no value is left.
_UNUSED = (
    "select measure from measures where family = 'loaded'"
    " and measure not in (select measure from loaded_values)"
)


@dataclass(frozen=True)
class Old:
    """The entry that already has the name of a new one.

    A run that has only loaded values is completed: it gets rankings, and keeps them.
    """

    id: int
    content_hash: str
    queries: int
    rows: int
    is_completed: bool


@dataclass(frozen=True)
class NewEntry:
    """A run, a judgment set or assessments that are to be stored under a name.

    source says what it is made of; verb and how say in messages how it is made. columns
    are further ones of its row. run is the name of a run that its rows give. parents
    are the kind and the ids of the sets that a judgment set is made of. old is what
    already has the name.
    """

    kind: Kind
    dataset: str
    name: str
    content_hash: str
    source: str = ""
    verb: str = "loaded"
    how: str = ""
    columns: Parameters = field(default_factory=Parameters)
    run: str = ""
    tags: Mapping[str, str] = field(default_factory=dict[str, str])
    run_at: str | None = None
    parents: tuple[str, Sequence[int]] | None = None
    old: Old | None = None

    def beside_old(self, database: Database) -> "NewEntry":
        """Return the entry with the one that already has its name, if there is one."""
        kind = self.kind
        sql = (
            f"select {KEYS[kind]}, content_hash, query_count, {ROWS[kind]}_count"
            f" from {TABLES[kind]} where dataset = $dataset and name = $name"
        )
        named = {"dataset": self.dataset, "name": self.name}
        for row in [] if database.is_new else database.execute(sql, named):
            old = Old(*row, is_completed=kind == "run" and row[2] == 0)
            return replace(self, old=old)
        return replace(self, old=None)

    def parameters(self, number: int) -> Parameters:
        """Return the columns of its row, with its id."""
        parent_kind, parent_ids = self.parents or (None, ())
        return {
            **{KEYS[self.kind]: number, "dataset": self.dataset, "name": self.name},
            **{"source": self.source, "content_hash": self.content_hash},
            **{"loaded_at": now(), "run_at": self.run_at, "policy": None},
            **{"parent_kind": parent_kind, "parent_ids": [*parent_ids]},
            **self.columns,
        }

    @property
    def outcome(self) -> Outcome:
        """What becomes of it."""
        return "replaced" if self.old and not self.old.is_completed else "loaded"

    @property
    def done(self) -> str:
        """What a message says was done."""
        verb = self.verb if self.outcome == "loaded" else self.outcome
        return f"{verb} {self.kind} {quoted(self.name)}{self.how}: "


def unchanged(
    messages: Messages,
    entry: NewEntry,
    replacing: bool,
    where: str = "",
    fields: Sequence[str] = (),
    is_same: bool = False,
) -> LoadedItem | None:
    """Return the old entry if it is what the new one would be, and say so.

    It is if the hashes are the same, or is_same says that the contents are, and if no
    fields differ. Raises NdcgSqlError if it differs and is not to be replaced.
    """
    old = entry.old
    if old is None:
        return None
    are_many = entry.kind == "assessments"
    exists, it = ("already exist", "them") if are_many else ("already exists", "it")
    what = f"{entry.kind} {quoted(entry.name)} of dataset {quoted(entry.dataset)}"
    what += f" {exists}"
    is_same = is_same or old.content_hash == entry.content_hash
    if is_same and not fields:
        messages.tell(f"{what} with this content; nothing to do")
        return LoadedItem(entry.kind, entry.name, "unchanged", old.rows, old.queries)
    if old.is_completed or replacing:
        return None
    what = f"{where}: {what}" if where else what
    if is_same:
        differ = fields_listed(fields, "and")
        raise refusal("same_content", entry=what, fields=differ, it=it)
    raise refusal("other_content", entry=what)


def changed_labels(database: Database, entry: NewEntry) -> list[str]:
    """Return which of the tags and the time of a new run differ from stored ones."""
    fields, old = list[str](), entry.old
    if old and entry.tags and dict(entry.tags) != tags_of(database, old.id):
        fields.append("tags")
    if old and entry.run_at:
        sql = "select run_at from runs where run_id = $run_id"
        [(stored_time,)] = database.execute(sql, {"run_id": old.id})
        if datetime.fromisoformat(entry.run_at) != stored_time:
            fields.append("run_at")
    return fields


def remove_old(database: Database, entry: NewEntry) -> None:
    """Remove what is replaced; must be called inside a transaction."""
    if old := entry.old:
        but = ("loaded_values",) * old.is_completed
        remove(database, KEYS[entry.kind], [old.id], but)


def remove(
    database: Database,
    column: str,
    keys: Sequence[int] | Sequence[str],
    but: Sequence[str] = (),
) -> None:
    """Remove the rows with any of the keys, but from some tables, in a transaction."""
    which = f"where {column} in (select unnest($keys))"
    for (table,) in database.run("lookups/tables_with_column", {"column": column}):
        if table not in but:
            database.execute(f"delete from {table} {which}", {"keys": list(keys)})
    database.run("store/surplus_positions")
    for (name,) in database.execute(_UNUSED):
        unregister(database, name)
