"""The attributes of queries as columns: a relation that only publications have.

Its columns depend on what was loaded, as those of no view do.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from itertools import chain, count

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.database.relations import Relation, relations
from ndcg_sql.text import sql_name, sql_text

NAME = "queries_with_attributes"
# MySQL refuses a table of more than some 190 texts of any length.
MOST = 100
# In bytes. PostgreSQL cuts longer names than 63 bytes; a number may follow.
_LONGEST = 58
# Columns that tables have anyway, in PostgreSQL and DuckDB.
_EVERYWHERE = ("ctid", "cmax", "cmin", "rowid", "tableoid", "xmax", "xmin")


def relation(database: Database) -> tuple[Relation, list[str]]:
    """Return queries with their attributes as columns, and attributes without one.

    There are columns for the attributes that most queries have.
    """
    names = [name for (name,) in database.run("publishing/attributes")]
    attributes = by_column(names[:MOST])
    queries = relations()["queries"]
    columns = queries.columns | dict.fromkeys(attributes, "varchar")
    comment = sql_files.opening_comment(text())
    wide = replace(
        queries, name=NAME, comment=comment, columns=columns, attributes=attributes
    )
    return wide, names[MOST:]


def text() -> str:
    """Return the select of all queries with their attributes in one column."""
    return sql_files.read(f"publishing/{NAME}")


def select(wide: Relation) -> str:
    """Return the select of all queries with their attributes as columns."""
    values = "".join(
        f", attributes[{sql_text(attribute)}] as {sql_name(column)}"
        for column, attribute in wide.attributes.items()
    )
    return f"select {', '.join(wide.fixed)}{values} from ({text()})"


def by_column(attributes: Iterable[str]) -> dict[str, str]:
    """Return attributes by the columns that have their values.

    Every database takes the names without quotes, but for its keywords: lower case
    letters, digits and lines. None is a column of queries or query_values, which one
    joins, and no two differ in case or accents only. Who has such a name keeps it.
    """
    columns: dict[str, str] = {}
    taken = set(map(_alike, _reserved()))
    for attribute in sorted(attributes, key=lambda name: (_plain(name) != name, name)):
        plain = _plain(attribute)
        numbered = (f"{plain}_{number}" for number in count(2))
        column = next(n for n in chain([plain], numbered) if _alike(n) not in taken)
        taken.add(_alike(column))
        columns[column] = attribute
    return dict(sorted(columns.items()))


@cache
def _reserved() -> frozenset[str]:
    joined = (relations()[name].columns for name in ("queries", "query_values"))
    return frozenset((*chain(*joined), *_EVERYWHERE))


def _plain(attribute: str) -> str:
    """Return the name of an attribute as that of a column."""
    # MySQL has no names with characters of four bytes.
    letters = (
        letter if f"_{letter}".isidentifier() and letter <= "\uffff" else " "
        for letter in unicodedata.normalize("NFKC", attribute).lower()
    )
    plain = "_".join("".join(letters).split())
    if not plain or plain in _reserved() or not re.match(r"[^\W\d]", plain):
        plain = f"attribute_{plain}".rstrip("_")
    return plain.encode()[:_LONGEST].decode(errors="ignore")


def _alike(name: str) -> str:
    """Return what names have in common that MySQL takes for the same."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))
