"""Write the sources of the dbt package: the relations that ndcg-sql publishes.

    python sources.py

Run it again after an upgrade of ndcg-sql: package/models/sources.yml has the
relations of the version that is installed, with descriptions and tests.
"""

import json
from pathlib import Path
from typing import Any

from ndcg_sql.database.relations import Relation, relations

PATH = Path(__file__).parent / "package" / "models" / "sources.yml"
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


def sources() -> dict[str, Any]:
    """Return what dbt reads as a file of sources."""
    source = {
        "name": "ndcg_sql",
        "description": "What ndcg-sql publish leaves for other programs.",
        "database": "{{ var('ndcg_sql_database', " + _DATABASE + ") }}",
        "schema": "{{ var('ndcg_sql_schema', " + _SCHEMA + ") }}",
        "tables": [_table(relation) for relation in relations().values()],
    }
    return {"version": 2, "sources": [source]}


def _table(relation: Relation) -> dict[str, Any]:
    """Return a relation with its comment, columns and tests."""
    columns: list[dict[str, Any]] = []
    for name in relation.columns:
        column = {"name": name, "description": relation.meaning(name)}
        tests = _tests(relation, name)
        columns.append(column | ({"data_tests": tests} if tests else {}))
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
    PATH.parent.mkdir(exist_ok=True)
    # All JSON is YAML, and Python writes it without another package.
    text = json.dumps(sources(), indent=2, ensure_ascii=False)
    PATH.write_text(text + "\n", encoding="utf-8")
    print(f'wrote "{PATH}"')
