"""The tables of the public relations, as each kind of database can have them."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    ForeignKeyConstraint,
    Index,
    MetaData,
    Table,
    Text,
    inspect,
)
from sqlalchemy.dialects import mysql
from sqlalchemy.schema import AddConstraint, CreateSchema

from ndcg_sql import models
from ndcg_sql.database.relations import Relation, relations
from ndcg_sql.database.schema import PARTS_COMMENT

# The table of what was published, which marks a schema as ours.
PARTS = "published_parts"
# Databases whose schemas are databases: the URL names the one to use. They cannot index
# texts of any length, and so have no keys and no indexes.
MYSQL = ("mysql", "mariadb")
# What people filter by: some runs by some measure, or all runs for a query.
_BY_RUN = ("run", "baseline", "candidate", "measure", "query_id")
_BY_QUERY = ("query_id", "measure")


class Tables:
    """The tables of a schema in one kind of database, and how they are made."""

    def __init__(
        self, connection: Connection, schema: str | None, wanted: Iterable[Relation]
    ) -> None:
        self.connection, self.schema = connection, schema
        dialect: Any = connection.dialect
        self.is_mysql = dialect.name in MYSQL
        self.is_postgresql = dialect.name == "postgresql"
        self.is_sqlite = dialect.name == "sqlite"
        self.metadata = MetaData(schema=schema)
        types = models.TYPES | _types(dialect)
        names = ("relation", "part", "fingerprint")
        noted = [Column(name, types["varchar"]) for name in names]
        self.parts = Table(PARTS, self.metadata, *noted, comment=PARTS_COMMENT)
        self.tables: dict[str, Table] = {}
        for relation in wanted:
            has_key = self._has_key(relation)
            table = models.table_of(relation, self.metadata, types, has_key)
            # They cannot be added to a table of SQLite.
            for key in self._references(relation) if self.is_sqlite else ():
                table.append_constraint(key)
            self.tables[relation.name] = table

    def name(self, table: Table) -> str:
        """Return the full name of a table, quoted where it has to be."""
        return self.connection.dialect.identifier_preparer.format_table(table)

    def present(self) -> set[str]:
        """Return the tables and the views that the schema has."""
        inspector, schema = inspect(self.connection), self.schema
        if schema and schema not in inspector.get_schema_names():
            return set()
        return {*inspector.get_table_names(schema), *inspector.get_view_names(schema)}

    def make(self) -> None:
        """Make the schema and the tables that are missing."""
        if self.schema:
            self.connection.execute(CreateSchema(self.schema, if_not_exists=True))
        self.metadata.create_all(self.connection)

    def finish(self, relation: Relation) -> None:
        """Add indexes and foreign keys to a table that was made and filled.

        An index of all rows takes less time than one that grows row by row, and so
        does a check of all references.
        """
        if self.is_mysql:
            return
        table, columns = self.tables[relation.name], relation.columns.keys()
        indexes = {} if self._has_key(relation) else {"key": relation.key}
        # A run alone has few rows there; rows per document are found by the run.
        if {"query_id", "measure"} & columns and {"run", "baseline"} & columns:
            indexes["by_run"] = tuple(name for name in _BY_RUN if name in columns)
        if "query_id" in columns and not {"run", "doc_id"} <= columns:
            indexes["by_query"] = tuple(name for name in _BY_QUERY if name in columns)
        for name, keys in indexes.items():
            index = Index(f"{table.name}_{name}", *(table.c[key] for key in keys))
            index.create(self.connection)
        for key in () if self.is_sqlite else self._references(relation):
            table.append_constraint(key)
            self.connection.execute(AddConstraint(key))

    def _has_key(self, relation: Relation) -> bool:
        return not relation.nullable and not self.is_mysql

    def _references(self, relation: Relation) -> list[ForeignKeyConstraint]:
        prefix = f"{self.schema}." if self.schema else ""
        return [
            ForeignKeyConstraint(
                columns,
                [f"{prefix}{parent}.{name}" for name in relations()[parent].key],
                name=f"{relation.name}_{columns[-1]}",
                # Parents are replaced before and after their children.
                deferrable=True,
                initially="DEFERRED",
            )
            for columns, parent in relation.references
            # PostgreSQL looks up each new row, and for each query what refers to it.
            if not self.is_postgresql
            or ("doc_id" not in relation.columns and parent != "queries")
        ]


def _types(dialect: Any) -> dict[str, Any]:
    """Return the types that a kind of database has other ones for.

    Ids are compared by their bytes, without padding; times have microseconds.
    """
    if dialect.name == "postgresql":
        return {"varchar": Text(collation="C")}
    if dialect.name not in MYSQL:
        return {}
    collation = "utf8mb4_nopad_bin" if dialect.is_mariadb else "utf8mb4_0900_bin"
    return {
        "varchar": mysql.LONGTEXT(charset="utf8mb4", collation=collation),
        "timestamp": mysql.DATETIME(fsp=6),
    }
