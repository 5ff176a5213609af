"""Write the sources of the dbt package from the catalog of public relations.

python tests/support/dbt_sources.py

A test compares the file with what this returns.
"""

from pathlib import Path
from typing import Any

import yaml

from ndcg_sql.database import sql_files
from ndcg_sql.database.relations import Relation, relations

PATH = Path(__file__).parents[2] / "bi" / "dbt" / "package" / "models" / "sources.yml"
_HEAD = """\
# Written by tests/support/dbt_sources.py from the catalog of relations; change that.
"""
_ON_DUCKDB = "target.type == 'duckdb'"
# Where publish leaves the tables: in DuckDB a file that the profile attaches.
_DATABASE = f"'ndcg_sql' if {_ON_DUCKDB} else target.database"
_SCHEMA = f"'main' if {_ON_DUCKDB} else 'ndcg_sql'"
# What a column of a small relation refers to, by the name of the column.
_PARENTS = {
    "run_id": "runs",
    "judgment_set_id": "judgment_sets",
    "measure": "measures",
}
# These have a row for each query and are not small, though they change by dataset.
_LARGE = {"judgment_changes", "queries", "value_changes"}


def sources() -> str:
    """Return the text of the file."""
    source = {
        "name": "ndcg_sql",
        "description": "What ndcg-sql publish leaves for other programs.",
        "database": "{{ var('ndcg_sql_database', " + _DATABASE + ") }}",
        "schema": "{{ var('ndcg_sql_schema', " + _SCHEMA + ") }}",
        "tables": [_table(relation) for relation in relations().values()],
    }
    content = {"version": 2, "sources": [source]}
    return _HEAD + yaml.safe_dump(
        content, sort_keys=False, allow_unicode=True, width=88
    )


def _table(relation: Relation) -> dict[str, Any]:
    """Return a relation with its comment, columns and tests."""
    meanings = {row["column"]: row["meaning"] for row in sql_files.rows("columns")}
    columns: list[dict[str, Any]] = []
    for name in relation.columns:
        column: dict[str, Any] = {"name": name, "description": meanings[name]}
        tests = _tests(relation, name)
        if tests:
            column["data_tests"] = tests
        columns.append(column)
    unique = {"unique_key": {"arguments": {"columns": list(relation.key)}}}
    return {
        "name": relation.name,
        "description": relation.comment,
        "data_tests": [unique],
        "columns": columns,
    }


def _tests(relation: Relation, column: str) -> list[Any]:
    """Return the tests of a column: what keys have, and parents if that is cheap."""
    tests: list[Any] = []
    if column in relation.key and column not in relation.nullable:
        tests.append("not_null")
    parent = _PARENTS.get(column)
    small = relation.part_column == "dataset" and relation.name not in _LARGE
    if parent and small and relation.name != parent:
        arguments = {"to": f"source('ndcg_sql', '{parent}')", "field": column}
        tests.append({"relationships": {"arguments": arguments}})
    return tests


if __name__ == "__main__":
    PATH.write_text(sources(), encoding="utf-8")
