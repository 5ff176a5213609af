"""Names that are already in use: replaced, unchanged or refused."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.entries import KEYS, TABLES, Kind
from ndcg_sql.evaluation.registry import unregister
from ndcg_sql.loading.loaded import LoadedItem, Outcome, Stored, counts_of, tags_of
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.text import quoted
from ndcg_sql.wording import listed as fields_listed

# Measures of other programs of which no value is left.
_UNUSED = (
    "select measure from measures where family = 'loaded'"
    " and measure not in (select measure from loaded_values)"
)


@dataclass(frozen=True)
class Namesake:
    """What is to be replaced, if anything, or what is said of what is there already.

    completes is whether a run gets the rankings that it lacks, and keeps its loaded
    values.
    """

    kind: Kind
    ids: Sequence[int] = ()
    unchanged: Stored | None = None
    completes: bool = False

    @property
    def outcome(self) -> Outcome:
        """What became of the new one."""
        return "replaced" if self.ids and not self.completes else "loaded"

    def remove(self, database: Database) -> None:
        """Remove what is to be replaced; must be called inside a transaction."""
        but = ("loaded_values",) if self.completes else ()
        if self.ids:
            remove(database, KEYS[self.kind], self.ids, but)


def namesake(
    database: Database,
    kind: Kind,
    name: str,
    dataset: str,
    content_hash: str,
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
    rows = [] if database.is_new else same_name(database, kind, dataset, name)
    if not rows:
        return Namesake(kind)
    [(number, old_hash)] = rows
    are_many = kind == "assessments"
    exists = "already exist" if are_many else "already exists"
    entry = f"{kind} {quoted(name)} of dataset {quoted(dataset)} {exists}"
    is_same = old_hash == content_hash or (not replacing and has_rows(number))
    fields = differing(number) if is_same else ()
    queries, count = counts_of(database, kind, number)
    if is_same and not fields:
        item = LoadedItem(kind, name, "unchanged", count, queries)
        line = f"{entry} with this content; nothing to do"
        return Namesake(kind, unchanged=Stored(line, item=item))
    if kind == "run" and queries == 0:
        return Namesake(kind, [number], completes=True)
    if replacing:
        return Namesake(kind, [number])
    entry = f"{where}: {entry}" if where else entry
    if fields:
        differ, it = fields_listed(fields, "and"), "them" if are_many else "it"
        raise refusal("same_content", entry=entry, fields=differ, it=it)
    raise refusal("other_content", entry=entry)


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


def changed_labels(
    database: Database, run_id: int, tags: Mapping[str, str], run_at: str | None
) -> list[str]:
    """Return which of tags and time differ from those of a stored run.

    An omitted field does not differ.
    """
    sql = "select run_at from runs where run_id = $run_id"
    [(stored_time,)] = database.execute(sql, {"run_id": run_id})
    fields: list[str] = []
    if tags and dict(tags) != tags_of(database, run_id):
        fields.append("tags")
    if run_at and datetime.fromisoformat(run_at) != stored_time:
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
