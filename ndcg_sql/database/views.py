"""The views of a warehouse: their selects, what they read, their order."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Any

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
_RUN_UNION = "run_family_values"
_RUN_UNION_COMMENT = (
    "One row is the value of a measure of a family that has no values of queries for a"
    " group of the judged queries of an evaluation (see query_groups), with the number"
    " of queries that it rests on."
)
_NEEDS = "family_needs"
_NEEDS_COMMENT = (
    "One row is a family of measures and what it needs: grades without which it means"
    " nothing, or what it reads beside judgments and hits."
)
# The columns that the view of every family has.
_FAMILY_COLUMNS = (
    *("run_id", "judgment_set_id", "query_id", "measure"),
    *("retrieved", "value", "nothing_relevant"),
)
_RUN_FAMILY_COLUMNS = (
    *("run_id", "run", "judgment_set_id", "attribute", "slice"),
    *("measure", "value", "n"),
)
# The summary of families that have values of runs, and none of queries.
_WHOLE = "none"


@dataclass(frozen=True)
class View:
    """A view: its name (the file's stem), its select and its comment."""

    name: str
    select: str
    comment: str


@cache
def computing() -> dict[str, View]:
    """Return the views of the schema store by name."""
    by_name = {view.name: view for view in _views_in("views")}
    by_name[_UNION] = View(_UNION, union_of(_families()), _UNION_COMMENT)
    of_runs = united(of_run_families(_families()), _RUN_FAMILY_COLUMNS)
    by_name[_RUN_UNION] = View(_RUN_UNION, of_runs, _RUN_UNION_COMMENT)
    by_name[_NEEDS] = View(_NEEDS, _family_needs(), _NEEDS_COMMENT)
    return by_name


def in_order(names: Iterable[str]) -> list[View]:
    """Return computing views and all views that they read, in order of creation."""
    by_name = computing()
    ordered: dict[str, View] = {}

    def add(name: str) -> None:
        if name in by_name and name not in ordered:
            for other in sorted(reads(by_name[name].select)):
                add(other)
            ordered[name] = by_name[name]

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
    """Return the tables and views that a select names, as DuckDB parses it."""
    # get_table_names would bind the select, and miss the columns of using.
    text = f"select json_serialize_sql({sql_text(select)})"
    [(parsed,)] = _parser().execute(text).fetchall()
    tables: set[str] = set()
    expressions: set[str] = set()

    def add(node: dict[str, Any]) -> dict[str, Any]:
        if node.get("type") == "BASE_TABLE":
            tables.add(node["table_name"])
        elif node.keys() == {"key", "value"}:
            expressions.add(node["key"])
        return node

    tree = json.loads(parsed, object_hook=add)
    if tree["error"]:
        raise ValueError(f"{tree['error_message']}: {select}")
    return frozenset(tables - expressions)


@cache
def _parser() -> duckdb.DuckDBPyConnection:
    """Return a connection for DuckDB to parse with."""
    return duckdb.connect(":memory:")


def reads_through(names: Iterable[str]) -> set[str]:
    """Return the tables and views that views read, directly or through others."""
    relations: set[str] = set()
    new = set(names)
    while new:
        views = (computing()[name] for name in new if name in computing())
        new = set[str]().union(*(reads(view.select) for view in views)) - relations
        relations |= new
    return relations


def _families() -> list[str]:
    """Return the names of all families of measures."""
    return [row["family"] for row in sql_files.rows("measures")]


def _family_needs() -> str:
    """Return the select of the view family_needs."""
    needs = ", ".join(
        f"({sql_text(row['family'])}, {sql_text(need)})"
        for row in sql_files.rows("measures")
        for need in row["needs"].split()
    )
    return f"select family, need from (values {needs}) as families (family, need)"


def of_families(families: Iterable[str]) -> list[str]:
    """Return the views of values of queries of some families.

    One may compute several; families that have only values of runs have none.
    """
    return _views_of(families, of_runs=False)


def of_run_families(families: Iterable[str]) -> list[str]:
    """Return the views of those of some families that have only values of runs."""
    return _views_of(families, of_runs=True)


def _views_of(families: Iterable[str], of_runs: bool) -> list[str]:
    """Return the views that compute some families, of one of both kinds."""
    wanted = set(families)
    views = (
        row["view"]
        for row in sql_files.rows("measures")
        if row["family"] in wanted and (row["summary"] == _WHOLE) == of_runs
    )
    return list(dict.fromkeys(views))


def union_of(families: Iterable[str]) -> str:
    """Return the select of the view family_values, limited to some families."""
    return united(of_families(families))


def united(computing: Iterable[str], columns: Sequence[str] = _FAMILY_COLUMNS) -> str:
    """Return the select of the view family_values, limited to views of families."""
    shown = ", ".join(columns)
    return " union all ".join(f"select {shown} from {view}" for view in computing)


def storing(values: str) -> str:
    """Return store/stored_values with a select in place of family_values.

    DuckDB would bind a view of all families before it runs the statement, which
    takes longer than evaluating a small run.
    """
    selects = {_UNION: values, _COMPUTED: computing()[_COMPUTED].select}
    ctes = [
        f"{name} as not materialized ({select})" for name, select in selects.items()
    ]
    return f"with {', '.join(ctes)} {sql_files.read('store/stored_values')}"


@cache
def checksum() -> str:
    """Return one checksum of the text and the comments of all views."""
    views = [*computing().values(), *public().values()]
    parts = [f"{view.name}\n{view.select}" for view in views]
    rows = sql_files.rows("columns")
    parts += [f"{row['column']}\n{row['meaning']}" for row in rows]
    return sql_files.checksum("\n".join(parts))
