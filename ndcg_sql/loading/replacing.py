"""What already has the name that something is to be stored under."""

from collections.abc import Callable
from typing import NamedTuple

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import KEYS, TABLES, Kind
from ndcg_sql.loading.removing import remove
from ndcg_sql.text import quoted


class Namesake(NamedTuple):
    """What is to make way, if anything, or else that there is nothing to do."""

    kind: Kind
    ids: list[int]
    told: str = ""

    def remove(self, database: Database) -> None:
        """Remove what is to make way; must be called inside a transaction."""
        if self.ids:
            remove(database, KEYS[self.kind], self.ids)


def namesake(
    database: Database,
    kind: Kind,
    name: str,
    dataset: str,
    content_hash: str,
    replacing: bool,
    where: str = "",
    otherwise: Callable[[int], str] = lambda _id: "",
) -> Namesake:
    """Return what has a name already that something of a kind is to have.

    where is the file that it comes from, if any; otherwise returns the option by
    which what has the same content still differs. Raises NdcgSqlError where it
    differs, and is not to be replaced.
    """
    if database.is_new:
        return Namesake(kind, [])
    named = {"dataset": dataset, "name": name}
    found = database.run(f"lookups/same_name_{TABLES[kind]}", named)
    if not found:
        return Namesake(kind, [])
    [(number, old_hash)] = found
    is_there = "are already there" if kind == "assessments" else "is already there"
    there = f"{kind} {quoted(name)} of dataset {quoted(dataset)} {is_there}"
    option = otherwise(number) if old_hash == content_hash else ""
    if old_hash == content_hash and not option:
        return Namesake(kind, [], f"{there} with this content; nothing to do")
    if replacing:
        return Namesake(kind, [number])
    at = f"{where}: " if where else ""
    if option:
        raise NdcgSqlError(
            f"{at}{there} with this content but another {option}; to load it anew:"
            " --replace"
        )
    another = "another: --name NAME" if where else "another NAME"
    raise NdcgSqlError(
        f"{at}{there} with other content; choose {another}, or put it in its place:"
        " --replace"
    )
