"""The public relations: their columns, keys, and the parts that change together."""

from dataclasses import dataclass
from functools import cache

from ndcg_sql.database import sql_files, views

# Names and ids: where a relation has one, it is never null, unless it says so.
_NAMES = {
    *("dataset", "run", "judgment_set", "assessment_set", "measure", "query_id"),
    *("baseline", "candidate", "run_id", "judgment_set_id", "assessment_set_id"),
}
# Of two runs or sets, columns say which one is meant.
_SIDES = ("baseline_", "candidate_", "other_", "previous_")
# Their runs may have no judgments.
_UNJUDGED = ("run_documents",)
# Assessors may grade what no judgment set and no run has.
_OF_ANY_QUERY = ("assessments",)


@dataclass(frozen=True)
class Relation:
    """A public relation.

    columns are DuckDB's types by name; no two rows have the same key, in which
    nullable columns may be null; rows with one value of part_column change
    together (all rows, if it is empty). newer_run_id is no column, but the newer
    of the two runs of a comparison. What may be left out is not published where it
    is too large.
    """

    name: str
    comment: str
    columns: dict[str, str]
    key: tuple[str, ...]
    nullable: frozenset[str]
    part_column: str
    may_be_left_out: bool

    def meaning(self, column: str) -> str:
        """Return what a column means, which is its comment everywhere."""
        return _meanings()[column]

    def may_be_null(self, column: str) -> bool:
        """Return whether a column may be null in some row."""
        if self.name in _UNJUDGED and column.startswith("judgment_set"):
            return True
        return column in self.nullable or column not in {*self.key, *_NAMES}

    @property
    def references(self) -> list[tuple[tuple[str, ...], str]]:
        """Columns, and the relation that they are the key of and that has that row."""
        keys = {one.key: one.name for one in relations().values()}
        sides = {name: name for name in self.columns}
        for side in _SIDES:
            sides = {name: one.removeprefix(side) for name, one in sides.items()}
        references: list[tuple[tuple[str, ...], str]] = [
            ((name,), keys[one,])
            for name, one in sides.items()
            if keys.get((one,), self.name) != self.name
        ]
        if "query_id" in self.columns and self.name not in ("queries", *_OF_ANY_QUERY):
            references.append((("dataset", "query_id"), "queries"))
        return references


@cache
def _meanings() -> dict[str, str]:
    """Return the one meaning of every column name."""
    return {row["column"]: row["meaning"] for row in sql_files.rows("columns")}


@cache
def relations() -> dict[str, Relation]:
    """Return the public relations by name, in the order of their files."""
    columns: dict[str, dict[str, str]] = {}
    for row in sql_files.rows("public_columns"):
        columns.setdefault(row["relation"], {})[row["column"]] = row["type"]
    by_name: dict[str, Relation] = {}
    for row in sql_files.rows("relations"):
        name, key = row["relation"], row["key"].split()
        by_name[name] = Relation(
            name,
            views.public()[name].comment,
            columns[name],
            tuple(column.rstrip("?") for column in key),
            frozenset(column[:-1] for column in key if column.endswith("?")),
            row["part_column"],
            row["may_be_left_out"] == "yes",
        )
    return by_name
