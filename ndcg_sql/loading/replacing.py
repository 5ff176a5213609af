"""Names that are already in use: replaced, unchanged or refused."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.entries import KEYS, Kind
from ndcg_sql.evaluation.registry import unregister
from ndcg_sql.loading.loaded import LoadedItem, counts_of, same_name, tags_of
from ndcg_sql.loading.sentences import refusal
from ndcg_sql.loading.storing import Stored
from ndcg_sql.text import quoted
from ndcg_sql.wording import Text, use
from ndcg_sql.wording import listed as fields_listed

# Measures of other programs of which no value is left.
_UNUSED = (
    "select measure from measures where family = 'loaded'"
    " and measure not in (select measure from loaded_values)"
)


class Replaced(NamedTuple):
    """The run that a new one replaces, if any: what was said of it.

    sets are the ids of the judgment sets that it was evaluated with. is_followed is
    whether other runs are later in the history. id is that of a run without rankings,
    whose loaded values stay; forgotten are the measures whose values go.
    """

    id: int | None = None
    forgotten: Sequence[str] = ()
    sets: Sequence[int] = ()
    tags: Mapping[str, str] = MappingProxyType({})
    run_at: str | None = None
    is_followed: bool = False

    def labels(
        self, tags: Mapping[str, str], run_at: str | None
    ) -> tuple[Mapping[str, str], str | None, Text]:
        """Return the tags and the time of the new run, and the messages about them.

        These are given. What is not given stays; tags that are given are all that it
        gets.
        """
        kept: dict[str, object] = {}
        if self.tags and not tags:
            kept["tags"] = dict(self.tags)
        if self.run_at and not run_at:
            kept["run_at"] = self.run_at.replace(" ", "T")
        said = Text("; kept: ", use(**kept)) if kept else Text()
        lost = {tag: self.tags[tag] for tag in self.tags if tags and tag not in tags}
        if lost:
            said += Text("; no longer: ", use(tags=lost))
        time = run_at or self.run_at
        if time is None and self.is_followed:
            said += "; history places it at its loading, now, as no time is known of it"
        return tags or self.tags, time, said


class Namesake(NamedTuple):
    """What is to be replaced, if anything, or what is said of what is there already.

    completes is whether a run gets the rankings that it lacks, and keeps its loaded
    values.
    """

    kind: Kind
    ids: Sequence[int] = ()
    unchanged: Stored | None = None
    completes: bool = False

    def remove(self, database: Database) -> Replaced:
        """Remove what is to be replaced; must be called inside a transaction.

        Returns what was said of it, if it is a run.
        """
        replaced = Replaced()
        if self.ids and self.kind == "run":
            [run_id] = self.ids
            run = {"run_id": run_id}
            evaluated = "select judgment_set_id from evaluations where run_id = $run_id"
            sets = [set_id for (set_id,) in database.execute(evaluated, run)]
            [(run_at, is_followed)] = database.run("lookups/labels_of_run", run)
            labels = tags_of(database, run_id), run_at, is_followed
            kept = run_id if self.completes else None
            forgotten = _forgotten(database, run_id, self.completes)
            replaced = Replaced(kept, forgotten, sets, *labels)
        if self.ids:
            but = ("loaded_values",) if self.completes else ()
            remove(database, KEYS[self.kind], self.ids, but)
        return replaced


def _forgotten(database: Database, run_id: int, completes: bool) -> list[str]:
    """Forget the values of a run that a new one cannot keep; return their measures.

    Of a run that is completed, these are measures of our own, which are computed from
    now on.
    """
    own = "from loaded_values where run_id = $run_id"
    if completes:
        own += " and judgment_set_id is not null"
    run = {"run_id": run_id}
    rows = database.execute(f"select distinct measure {own} order by all", run)
    database.execute(f"delete {own}", run)
    return [measure for (measure,) in rows]


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
    rows = same_name(database, kind, dataset, name) if not database.is_new else []
    if not rows:
        return Namesake(kind)
    [(number, old_hash)] = rows
    exists = "already exist" if kind == "assessments" else "already exists"
    there = f"{kind} {quoted(name)} of dataset {quoted(dataset)} {exists}"
    is_same = old_hash == content_hash or (not replacing and has_rows(number))
    fields = differing(number) if is_same else ()
    queries, count = counts_of(database, kind, number)
    if is_same and not fields:
        item = LoadedItem(kind, name, "unchanged", count, queries)
        line = f"{there} with this content; nothing to do"
        return Namesake(kind, (), Stored(line, item=item))
    if kind == "run" and queries == 0:
        return Namesake(kind, [number], completes=True)
    if replacing:
        return Namesake(kind, [number])
    at = f"{where}: " if where else ""
    if fields:
        it = "them" if kind == "assessments" else "it"
        lists = {"fields": fields_listed(fields, "and"), "it": it}
        raise refusal("same_content", entry=f"{at}{there}", **lists)
    raise refusal("other_content", entry=f"{at}{there}")


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
