"""Names that are already in use: replaced, unchanged or refused."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.evaluation.entries import KEYS, TABLES, Kind
from ndcg_sql.evaluation.registry import unregister
from ndcg_sql.loading.loaded import LoadedItem, Outcome, Stored, counts_of, tags_of
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.text import now, quoted
from ndcg_sql.wording import listed as fields_listed

# Measures of other programs of which no value is left.
_UNUSED = (
    "select measure from measures where family = 'loaded'"
    " and measure not in (select measure from loaded_values)"
)


@dataclass(frozen=True)
class NewEntry:
    """A run, a judgment set or assessments that are to be stored under a name.

    source says what it is made of; verb and how say in messages how it is made. columns
    are further ones of its row. Of a run, run is the name that its rows give, tags and
    run_at are what the user or columns say of it. parents are the kind and the ids of
    the sets that a judgment set is made of.
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


@dataclass(frozen=True)
class Namesake:
    """What is to be replaced, if anything, or what is said of what is there already.

    completes is whether a run gets the rankings that it lacks, and keeps its loaded
    values.
    """

    entry: NewEntry
    ids: Sequence[int] = ()
    unchanged: Stored | None = None
    completes: bool = False

    @property
    def outcome(self) -> Outcome:
        """What became of the new one."""
        return "replaced" if self.ids and not self.completes else "loaded"

    @property
    def done(self) -> str:
        """What a message says was done."""
        entry, outcome = self.entry, self.outcome
        verb = entry.verb if outcome == "loaded" else outcome
        return f"{verb} {entry.kind} {quoted(entry.name)}{entry.how}: "

    def remove(self, database: Database) -> None:
        """Remove what is to be replaced; must be called inside a transaction."""
        but = ("loaded_values",) if self.completes else ()
        if self.ids:
            remove(database, KEYS[self.entry.kind], self.ids, but)


def namesake(
    database: Database,
    entry: NewEntry,
    replacing: bool,
    where: str = "",
    differing: Callable[[int], Sequence[str]] = lambda _id: (),
    has_rows: Callable[[int], bool] = lambda _id: False,
) -> Namesake:
    """Return the entry that already has the name of a new one.

    where is the file of the new one, if any; differing returns the fields in which an
    entry with the same content differs. has_rows returns whether an entry has the same
    rows although the hash differs, as the rows of a sorted file. Raises NdcgSqlError if
    the entry differs and is not to be replaced.
    """
    kind, name, dataset = entry.kind, entry.name, entry.dataset
    rows = [] if database.is_new else same_name(database, kind, dataset, name)
    if not rows:
        return Namesake(entry)
    [(number, old_hash)] = rows
    are_many = kind == "assessments"
    exists = "already exist" if are_many else "already exists"
    what = f"{kind} {quoted(name)} of dataset {quoted(dataset)} {exists}"
    is_same = old_hash == entry.content_hash or (not replacing and has_rows(number))
    fields = differing(number) if is_same else ()
    queries, count = counts_of(database, kind, number)
    if is_same and not fields:
        item = LoadedItem(kind, name, "unchanged", count, queries)
        line = f"{what} with this content; nothing to do"
        return Namesake(entry, unchanged=Stored(line, item=item))
    completes = kind == "run" and queries == 0
    if completes or replacing:
        return Namesake(entry, [number], completes=completes)
    what = f"{where}: {what}" if where else what
    if fields:
        differ, it = fields_listed(fields, "and"), "them" if are_many else "it"
        raise refusal("same_content", entry=what, fields=differ, it=it)
    raise refusal("other_content", entry=what)


def same_name(
    database: Database, kind: Kind, dataset: str, name: str
) -> list[tuple[int, str]]:
    """Return the id and the content hash of the entry of a name, if there is one."""
    sql = (
        f"select {KEYS[kind]}, content_hash from {TABLES[kind]}"
        " where dataset = $dataset and name = $name"
    )
    rows = database.execute(sql, {"dataset": dataset, "name": name})
    return [(number, content_hash) for number, content_hash in rows]


def changed_labels(database: Database, entry: NewEntry, run_id: int) -> list[str]:
    """Return which of tags and time differ from those of a stored run.

    What the new one lacks does not differ.
    """
    if entry.kind != "run":
        return []
    sql = "select run_at from runs where run_id = $run_id"
    [(stored_time,)] = database.execute(sql, {"run_id": run_id})
    fields: list[str] = []
    if entry.tags and dict(entry.tags) != tags_of(database, run_id):
        fields.append("tags")
    if entry.run_at and datetime.fromisoformat(entry.run_at) != stored_time:
        fields.append("run_at")
    return fields


def remove(
    database: Database,
    column: str,
    keys: Sequence[int] | Sequence[str],
    but: Sequence[str] = (),
) -> None:
    """Remove the rows of every table but some that have one of the keys in a column.

    Must be called inside a transaction.
    """
    which = f"where {column} in (select unnest($keys))"
    for (table,) in database.run("lookups/tables_with_column", {"column": column}):
        if table not in but:
            database.execute(f"delete from {table} {which}", {"keys": list(keys)})
    database.run("store/surplus_positions")
    for (name,) in database.execute(_UNUSED):
        unregister(database, name)
