"""The public relations: their columns, keys, and the parts that change together."""

from dataclasses import dataclass
from functools import cache

from ndcg_sql.database import sql_files, views

# What a part of a kind of relation has one value of; other kinds have one part.
PART_COLUMNS = {
    "assessment_set": "assessment_set_id",
    "attributes": "dataset",
    "baseline": "baseline_run_id",
    "dataset": "dataset",
    "documents": "dataset",
    "evaluated_run": "run_id",
    "ideal": "judgment_set_id",
    "judgment_set": "judgment_set_id",
    "run": "run_id",
}


@dataclass(frozen=True)
class Relation:
    """A public relation.

    columns are DuckDB's types by name; no two rows have the same key, in which
    nullable columns may be null; kind says which rows change together.
    """

    name: str
    comment: str
    columns: dict[str, str]
    key: tuple[str, ...]
    nullable: frozenset[str]
    kind: str

    @property
    def part_column(self) -> str | None:
        """The column of which each part has one value; None if there is one part."""
        return PART_COLUMNS.get(self.kind)


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
            row["kind"],
        )
    return found
