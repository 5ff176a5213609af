"""What is published, read from files, folders and databases alike."""

import re
from pathlib import Path
from typing import Any

import duckdb
from sqlalchemy import MetaData, Table, create_engine, inspect, select

from ndcg_sql import models
from ndcg_sql.database import views
from ndcg_sql.database.relations import relations


def schema_of(target: str) -> str | None:
    """Return the schema of a database that publish fills."""
    return "ndcg_sql" if target.startswith("postgresql") else None


def listed(target: str) -> set[str]:
    """Return the public relations that a target has."""
    if target.endswith("/"):
        names = [path.name for path in Path(target).iterdir()]
    elif "://" in target:
        engine = create_engine(target)
        names = inspect(engine).get_table_names(schema=schema_of(target))
        engine.dispose()
    else:
        with duckdb.connect(target, read_only=True) as connection:
            names = [name for (name,) in connection.execute("show tables").fetchall()]
    return {*names} & {*relations()}


def table(target: str, name: str) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return the columns and the rows, in order, of a relation of a target."""
    if "://" in target:
        schema = schema_of(target)
        options = {"schema_translate_map": {None: schema}}
        engine = create_engine(target, execution_options=options)
        known: Any = models.metadata.tables.get(name)
        if known is None:
            known = Table(name, MetaData(schema=schema), autoload_with=engine)
        with engine.connect() as connection:
            rows = [tuple(row) for row in connection.execute(select(known))]
        engine.dispose()
        return list(known.columns.keys()), sorted(rows, key=repr)
    is_folder = target.endswith("/")
    source = f"read_parquet('{target}{name}/*.parquet')" if is_folder else name
    database = duckdb.connect() if is_folder else duckdb.connect(target, read_only=True)
    with database as connection:
        result = connection.execute(f"from {source}")
        columns = [column[0] for column in result.description or []]
        return columns, sorted(result.fetchall(), key=repr)


def rows(target: str, name: str) -> list[tuple[Any, ...]]:
    """Return the rows of a relation of a target, in order."""
    return table(target, name)[1]


def assert_equal(target: str, warehouse: str = "ndcg.duckdb", what: Any = "") -> None:
    """Compare every public relation of a target with that of the warehouse."""
    # While a file is open, to open it again takes no time.
    files = [path for path in (target, warehouse) if not re.search("://|/$", path)]
    _held = [duckdb.connect(path, read_only=True) for path in files]
    for name in views.public():
        assert rows(target, name) == rows(warehouse, name), (name, what)
