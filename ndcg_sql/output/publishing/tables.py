"""The tables of the public relations, as each kind of database can have them."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    ForeignKeyConstraint,
    Index,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    inspect,
)
from sqlalchemy.dialects import mysql
from sqlalchemy.schema import AddConstraint, CreateColumn, SetColumnComment

from ndcg_sql import models
from ndcg_sql.database.relations import Relation, relations
from ndcg_sql.database.schema import PARTS_COMMENT
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import listed, quoted

# The table of what was published, which marks a schema as ours.
PARTS = "published_parts"
# Databases whose schemas are databases: the URL names the one to use.
MYSQL = ("mysql", "mariadb")
# What people filter by: some runs by some measure, or all runs for a query.
_INDEXES = {
    "by_run": ("run", "baseline", "candidate", "measure", "query_id"),
    "by_query": ("query_id", "measure"),
}


class Tables:
    """The tables of a schema in one kind of database, and how they are made."""

    def __init__(
        self,
        connection: Connection,
        schema: str | None,
        described: Iterable[Relation],
    ) -> None:

        self.dialect: Any = connection.dialect
        self.is_mysql = self.dialect.name in MYSQL
        self.schema = schema
        self.metadata = MetaData(schema=schema)
        self.types = self._types()
        for relation in described:
            self._add(relation)
        text = self.types.get(Text, Text)
        self.parts = Table(
            PARTS,
            self.metadata,
            *(Column(name, text) for name in ("relation", "part", "fingerprint")),
            comment=PARTS_COMMENT,
        )

    def of(self, relation: Relation) -> Table:
        """Return the table of a relation."""
        name = f"{self.schema}.{relation.name}" if self.schema else relation.name
        return self.metadata.tables[name]

    def make(self, connection: Connection, wanted: Iterable[Relation]) -> None:
        """Make the table of parts and those of some relations that are missing."""
        tables = [self.of(relation) for relation in wanted]
        self.metadata.create_all(connection, [self.parts, *tables])

    def extend(self, connection: Connection, relation: Relation) -> None:
        """Add the columns that a table lacks: attributes that are new."""
        there = inspect(connection).get_columns(relation.name, schema=self.schema)
        names = {column["name"] for column in there}
        table = self.of(relation)
        name = self.dialect.identifier_preparer.format_table(table)
        for column in table.columns:
            if column.name in names:
                continue
            definition = CreateColumn(column).compile(dialect=self.dialect)
            connection.exec_driver_sql(f"alter table {name} add column {definition}")
            if self.dialect.supports_comments and not self.dialect.inline_comments:
                connection.execute(SetColumnComment(column))

    def finish(self, connection: Connection, made: Iterable[Relation]) -> None:
        """Add indexes and foreign keys to tables that were made and filled.

        An index of all rows takes less time than one that grows row by row, and so
        does a check of all references.
        """
        if self.is_mysql:
            return
        for relation in made:
            for name, columns in self._indexes(relation).items():
                self._index(relation, name, columns).create(connection)
            if self.dialect.name != "sqlite":
                for key in self._references(relation):
                    self.of(relation).append_constraint(key)
                    connection.execute(AddConstraint(key))

    def _types(self) -> dict[type, Any]:
        """Return the types that differ in this database from those of the models.

        Ids are compared by their bytes, without padding; times have microseconds.
        """
        if self.dialect.name == "postgresql":
            return {Text: Text(collation="C")}
        if not self.is_mysql:
            return {}
        is_mariadb = self.dialect.is_mariadb
        collation = "utf8mb4_nopad_bin" if is_mariadb else "utf8mb4_0900_bin"
        return {
            Text: mysql.LONGTEXT(charset="utf8mb4", collation=collation),
            DateTime: mysql.DATETIME(fsp=6),
        }

    def _add(self, relation: Relation) -> None:

        model = models.table_of(relation, MetaData())
        described: Iterable[Any] = model.columns
        columns = [
            Column(
                column.name,
                self.types.get(type(column.type), column.type),
                nullable=relation.may_be_null(column.name),
                autoincrement=False,
                comment=column.comment,
            )
            for column in described
        ]
        table = Table(relation.name, self.metadata, *columns, comment=model.comment)
        if self._has_key(relation):
            key = [table.c[name] for name in relation.key]
            table.append_constraint(PrimaryKeyConstraint(*key))
        if self.dialect.name == "sqlite":
            # They cannot be added to a table.
            for reference in self._references(relation):
                table.append_constraint(reference)

    def _has_key(self, relation: Relation) -> bool:
        """Return whether a table has a primary key: one without nulls.

        MySQL, which cannot index texts of any length, has no keys and no indexes.
        """
        return not relation.nullable and not self.is_mysql

    def _indexes(self, relation: Relation) -> dict[str, tuple[str, ...]]:
        indexes = {} if self._has_key(relation) else {"key": relation.key}
        for name, wanted in _INDEXES.items():
            columns = tuple(column for column in wanted if column in relation.fixed)
            # A run alone has few rows there; rows per document are found by the run.
            is_small = {"query_id", "measure"}.isdisjoint(columns)
            is_long = {"run", "doc_id"} <= relation.fixed.keys()
            if name == "by_run" and (columns[0:1] == ("query_id",) or is_small):
                continue
            if name == "by_query" and ("query_id" not in columns or is_long):
                continue
            indexes[name] = columns
        return indexes

    def _index(self, relation: Relation, what: str, names: Iterable[str]) -> Any:
        table = self.of(relation)
        return Index(f"{table.name}_{what}", *(table.c[name] for name in names))

    def _references(self, relation: Relation) -> list[ForeignKeyConstraint]:
        keys: list[ForeignKeyConstraint] = []
        for reference in relation.references:
            # PostgreSQL looks up each new row, and for each query what refers to it.
            is_long = "doc_id" in relation.fixed or reference.parent == "queries"
            if self.dialect.name == "postgresql" and is_long:
                continue
            parent = relations()[reference.parent]
            target = self.of(parent).fullname if self.schema else parent.name
            keys.append(
                ForeignKeyConstraint(
                    reference.columns,
                    [f"{target}.{name}" for name in parent.key],
                    name=f"{relation.name}_{reference.columns[-1]}",
                    # Parents are replaced before and after their children.
                    deferrable=True,
                    initially="DEFERRED",
                )
            )
        return keys


def check_columns(relation: Relation, columns: Iterable[Any], shown: str) -> None:
    """Raise NdcgSqlError if rows cannot be added to a table that is there.

    Columns of others stay, if rows may be without a value for them.
    """
    where = f"{shown}: table {quoted(relation.name)}"
    names = [column["name"] for column in columns]
    if missing := [name for name in relation.fixed if name not in names]:
        raise NdcgSqlError(
            f"{where} has no {listed(missing, 3)}: it was published by another"
            " version of ndcg-sql, or changed since",
            "drop it, and what refers to it, and publish again",
        )
    for column in columns:
        filled = ("default", "computed", "identity")
        has_value = column["nullable"] or any(map(column.get, filled))
        if column["name"] not in relation.columns and not has_value:
            raise NdcgSqlError(
                f"{where} has a column {quoted(column['name'])} that ndcg-sql did"
                " not publish and that must have a value",
                "let it be null or have a default, or drop it",
            )
