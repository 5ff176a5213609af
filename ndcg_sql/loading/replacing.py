"""Names that are already in use: replaced, unchanged or refused."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import KEYS, Kind, into
from ndcg_sql.loading.loaded import LoadedItem, counts_of, same_name, tags_of
from ndcg_sql.loading.removing import remove
from ndcg_sql.text import quoted
from ndcg_sql.wording import Text, Wording, call, use
from ndcg_sql.wording import listed as fields_listed

ANOTHER_NAME = "choose another name: " + use(name="NAME")


class Otherwise(NamedTuple):
    """The fields in which what is stored with the same content differs.

    change is how to change them there, if that can be done.
    """

    fields: Sequence[str] = ()
    change: Wording = ""


class Replaced(NamedTuple):
    """The run that a new one replaces, if any: what was said of it.

    sets are the ids of the judgment sets that it was evaluated with. is_followed is
    whether other runs are later in the history. id is that of a run without rankings,
    whose loaded values stay; forgotten are the measures whose values go.
    """

    id: int | None = None
    forgotten: Sequence[str] = ()
    name: str = ""
    dataset: str = ""
    sets: Sequence[int] = ()
    tags: Mapping[str, str] = MappingProxyType({})
    run_at: str | None = None
    loaded_at: str = ""
    is_followed: bool = False

    def labels(self, tags: Mapping[str, str], run_at: str | None) -> "Labels":
        """Return the labels of the new run, of which these are given.

        What is not given stays; tags that are given are all that it gets.
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
        note = Text()
        time = run_at or self.run_at
        if time is None and self.is_followed:
            then = self.loaded_at[:19].replace(" ", "T")
            note = Text(
                "no time is known of it: history places it at its loading, which is"
                " now; to put it back: ",
                call("tag", self.name, run_at=then, **into(self.dataset)),
            )
        return Labels(tags or self.tags, time, said, note)


class Labels(NamedTuple):
    """The tags and the time of a run, and what is told about those it replaces.

    said goes on with a sentence; note is a line of its own.
    """

    tags: Mapping[str, str]
    run_at: str | None
    said: Text
    note: Text


class Namesake(NamedTuple):
    """What is to be replaced, if anything, or a message that nothing is to be done.

    unchanged is the entry about which nothing is to be done. completes is whether a run
    gets the rankings that it lacks, and keeps its loaded values.
    """

    kind: Kind
    ids: list[int]
    message: str = ""
    unchanged: LoadedItem | None = None
    completes: bool = False

    def remove(self, database: Database) -> Replaced:
        """Remove what is to be replaced; must be called inside a transaction.

        Returns what was said of it, if it is a run.
        """
        if not self.ids:
            return Replaced()
        replaced = Replaced()
        if self.kind == "run":
            [number] = self.ids
            run_id = {"run_id": number}
            evaluated = "select judgment_set_id from evaluations where run_id = $run_id"
            sets = [set_id for (set_id,) in database.execute(evaluated, run_id)]
            labels = database.run("lookups/labels_of_run", run_id)[0]
            name, dataset, *times = labels
            tags = tags_of(database, number)
            forgotten = _forgotten(database, number, self.completes)
            kept = number if self.completes else None
            replaced = Replaced(kept, forgotten, name, dataset, sets, tags, *times)
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
    named = {"run_id": run_id}
    rows = database.execute(f"select distinct measure {own} order by all", named)
    database.execute(f"delete {own}", named)
    return [measure for (measure,) in rows]


def namesake(
    database: Database,
    kind: Kind,
    name: str,
    dataset: str,
    content_hash: str,
    replacing: bool,
    where: str = "",
    otherwise: Callable[[int], Otherwise] = lambda _id: Otherwise(),
    another: Wording = ANOTHER_NAME,
    has_rows: Callable[[int], bool] = lambda _id: False,
) -> Namesake:
    """Return the entry that already has the name of a new one.

    where is the file of the new one, if any; otherwise returns how an entry
    with the same content differs; another is how to give a file another name. has_rows
    returns whether an entry has the same rows although the hash differs, as the rows of
    a sorted file. Raises NdcgSqlError if the entry differs and is not to be replaced.
    """
    if database.is_new:
        return Namesake(kind, [])
    rows = same_name(database, kind, dataset, name)
    if not rows:
        return Namesake(kind, [])
    [(number, old_hash)] = rows
    exists = "already exist" if kind == "assessments" else "already exists"
    there = f"{kind} {quoted(name)} of dataset {quoted(dataset)} {exists}"
    is_same = old_hash == content_hash or (not replacing and has_rows(number))
    fields, change = otherwise(number) if is_same else Otherwise()
    if is_same and not fields:
        queries, count = counts_of(database, kind, number)
        item = LoadedItem(kind, name, "unchanged", count, queries)
        return Namesake(kind, [], f"{there} with this content; nothing to do", item)
    if kind == "run" and counts_of(database, kind, number)[0] == 0:
        return Namesake(kind, [number], completes=True)
    if replacing:
        return Namesake(kind, [number])
    at = f"{where}: " if where else ""
    if fields:
        it = "them" if kind == "assessments" else "it"
        raise NdcgSqlError(
            f"{at}{there} with this content but another "
            + fields_listed(fields, "and"),
            Text(
                f"to replace {it}: ",
                use(replace=True),
                *((f"; to change {it}: ", change) if change else ()),
            ),
        )
    raise NdcgSqlError(
        f"{at}{there} with other content",
        Text(
            another if where else "choose another NAME",
            ", or replace it: ",
            use(replace=True),
        ),
    )


def said_otherwise(
    database: Database,
    run_id: int,
    tags: Mapping[str, str],
    run_at: str | None,
) -> Otherwise:
    """Return how tags and time differ from those of the stored run.

    An omitted field does not differ.
    """
    of_run = "select name, dataset, run_at from runs where run_id = $run_id"
    [(name, dataset, stored_time)] = database.execute(of_run, {"run_id": run_id})
    stored_tags = tags_of(database, run_id)
    fields: list[str] = []
    change: dict[str, str] = {}
    if tags and dict(tags) != stored_tags:
        fields.append("tags")
        change = {**{tag: "" for tag in stored_tags if tag not in tags}, **tags}
    time: dict[str, str] = {}
    if run_at and datetime.fromisoformat(run_at) != stored_time:
        fields.append("run_at")
        time = {"run_at": run_at.replace(" ", "T")}
    arguments = (name, change) if change else (name,)
    return Otherwise(fields, call("tag", *arguments, **time, **into(dataset)))
