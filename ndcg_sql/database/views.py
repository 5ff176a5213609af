"""The views of a warehouse: their selects, what they read, their order."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

import duckdb

from ndcg_sql.database import sql_files
from ndcg_sql.text import sql_text

# The schema of tables and computing views, and that of the public relations.
STORE = "store"
PUBLIC = "main"
_UNION = "family_values"
_COMPUTED = "computed_values"
_UNION_COMMENT = (
    "One row is the value of a measure of any family for a judged query of an"
    " evaluation, before its options for unanswered queries and for queries with"
    " nothing relevant."
)
_BOUNDED = "bounded_families"
_BOUNDED_COMMENT = (
    "One row is a family of measures for which the effect of further judgments is"
    " known: what a place is worth, and what the value is a share of."
)
# The columns that the view of every family has.
_FAMILY_COLUMNS = (
    *("run_id", "judgment_set_id", "query_id", "measure"),
    *("retrieved", "value", "nothing_relevant"),
)


@dataclass(frozen=True)
class View:
    """A view: its name (the file's stem), its select and its comment."""

    name: str
    select: str
    comment: str


@cache
def computing() -> dict[str, View]:
    """Return the views of the schema store by name."""
    found = {view.name: view for view in _views_in("views")}
    found[_UNION] = View(_UNION, union_of(_families()), _UNION_COMMENT)
    found[_BOUNDED] = View(_BOUNDED, _bounded_families(), _BOUNDED_COMMENT)
    return found


def in_order(names: Iterable[str]) -> list[View]:
    """Return computing views and all views that they read, in order of creation."""
    known = computing()
    ordered: dict[str, View] = {}

    def add(name: str) -> None:
        if name in known and name not in ordered:
            for other in sorted(reads(known[name].select)):
                add(other)
            ordered[name] = known[name]

    for name in names:
        add(name)
    return list(ordered.values())


@cache
def public() -> dict[str, View]:
    """Return the views of the schema main by name, in the order of their files."""
    return {view.name: view for view in _views_in("public")}


def _views_in(folder: str) -> list[View]:
    """Return the views of a folder under sql/."""
    texts = {path: sql_files.read(path) for path in sql_files.names(folder)}
    return [
        View(PurePosixPath(path).name, text, sql_files.opening_comment(text))
        for path, text in texts.items()
    ]


@cache
def reads(select: str) -> frozenset[str]:
    """Return the tables and views that a select without parameters names."""
    return frozenset(_parser().get_table_names(select))


@cache
def _parser() -> duckdb.DuckDBPyConnection:
    """Return a connection without any relation, for DuckDB to parse with.

    If a view existed, DuckDB would name the tables that it reads instead.
    """
    return duckdb.connect(":memory:")


def reads_through(names: Iterable[str]) -> set[str]:
    """Return the tables and views that views read, directly or through others."""
    found: set[str] = set()
    new = set(names)
    while new:
        views = (computing()[name] for name in new if name in computing())
        new = set[str]().union(*(reads(view.select) for view in views)) - found
        found |= new
    return found


def _families() -> list[str]:
    """Return the names of all families of measures."""
    return [row["family"] for row in sql_files.rows("measures")]


def _bounded_families() -> str:
    """Return the select of the view bounded_families."""
    columns = ("family", "worth_rule", "share_of")
    rows = [
        ", ".join(sql_text(row[column]) for column in columns)
        for row in sql_files.rows("measures")
        if row["worth_rule"]
    ]
    listed = ", ".join(columns)
    values = ", ".join(f"({row})" for row in rows)
    return f"select {listed} from (values {values}) as families ({listed})"


def of_families(families: Iterable[str]) -> list[str]:
    """Return the views that compute some families."""
    wanted = set(families)
    rows = sql_files.rows("measures")
    return [row["view"] for row in rows if row["family"] in wanted]


def union_of(families: Iterable[str]) -> str:
    """Return the select of the view family_values, limited to some families."""
    columns = ", ".join(_FAMILY_COLUMNS)
    return " union all ".join(
        f"select {columns} from {view}" for view in of_families(families)
    )


def storing(values: str) -> str:
    """Return store/stored_values with a select in place of family_values.

    DuckDB would bind a view of all families before it runs the statement, which
    takes longer than evaluating a small run.
    """
    own = {_UNION: values, _COMPUTED: computing()[_COMPUTED].select}
    ctes = [f"{name} as not materialized ({select})" for name, select in own.items()]
    return f"with {', '.join(ctes)} {sql_files.read('store/stored_values')}"


@cache
def checksum() -> str:
    """Return one checksum of the text and the comments of all views."""
    views = [*computing().values(), *public().values()]
    parts = [f"{view.name}\n{view.select}" for view in views]
    rows = sql_files.rows("columns")
    parts += [f"{row['column']}\n{row['meaning']}" for row in rows]
    return sql_files.checksum("\n".join(parts))
