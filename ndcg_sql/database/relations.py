"""The public relations: their columns, keys, and the parts that change together."""

from dataclasses import dataclass
from functools import cache

from ndcg_sql.database import sql_files, views


@dataclass(frozen=True)
class Relation:
    """A public relation.

    columns are DuckDB's types by name; no two rows have the same key, in which
    nullable columns may be null; rows with one value of part_column change
    together (all rows, if it is empty). newer_run_id is no column, but the newer
    of the two runs of a comparison.
    """

    name: str
    comment: str
    columns: dict[str, str]
    key: tuple[str, ...]
    nullable: frozenset[str]
    part_column: str


@cache
def relations() -> dict[str, Relation]:
    """Return the public relations by name, in the order of their files."""
    columns: dict[str, dict[str, str]] = {}
    for row in sql_files.rows("public_columns"):
        columns.setdefault(row["relation"], {})[row["column"]] = row["type"]
    found: dict[str, Relation] = {}
    for row in sql_files.rows("relations"):
        name, key = row["relation"], row["key"].split()
        found[name] = Relation(
            name,
            views.public()[name].comment,
            columns[name],
            tuple(column.rstrip("?") for column in key),
            frozenset(column[:-1] for column in key if column.endswith("?")),
            row["part_column"],
        )
    return found
