"""Engines that run emitted scripts in tests: DuckDB, PostgreSQL, ClickHouse, Spark."""

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import duckdb
import pandas as pd  # pyright: ignore[reportMissingTypeStubs]

from ndcg_sql.engines.tables import Tables

if TYPE_CHECKING:
    import pytest
    from pyspark.sql import DataFrame, SparkSession

    from support.servers import Server
    from support.worlds import World

Rows = Sequence[tuple[Any, ...]]
# By table: its columns and their kinds.
COLUMNS = {
    "results": {"user_id": str, "item": str, "score": float, "system": str},
    "grades": {"user_id": str, "item": str, "grade": float, "aspect": str},
    "users": {"user_id": str, "land": str},
}
NAMES = {"query_id": "user_id", "doc_id": "item"}
PLAIN = Tables("results", "grades", NAMES, "system")
SHOP = Tables("shop.results", "shop.grades", NAMES, "system")
TABLES = {"duckdb": PLAIN, "postgres": PLAIN, "spark": PLAIN, "clickhouse": SHOP}
# No test runs scripts of these.
NOT_RUN = ("bigquery", "snowflake")


class Engine:
    """An engine with the tables results, grades and users."""

    # How it spells the types of text and of numbers, and what ends a definition.
    text, number, ending = "varchar", "double", ""

    def execute(self, sql: str) -> Any:
        """Execute a statement."""
        raise NotImplementedError

    def insert(self, table: str, rows: Rows) -> None:
        """Insert rows into a table."""
        raise NotImplementedError

    def clear(self) -> None:
        """Remove what a script made."""
        self.execute("drop schema if exists ndcg_sql cascade")

    def fill(self, rankings: Rows, judgments: Rows, queries: Rows = ()) -> None:
        """Replace the tables, and remove what a script made.

        A judgment may end with its subtopic.
        """
        self.clear()
        graded = [(*row, *[None] * (4 - len(row))) for row in judgments]
        for table, rows in zip(COLUMNS, (rankings, graded, queries), strict=True):
            types = {str: self.text, float: self.number}
            columns = [f"{name} {types[kind]}" for name, kind in COLUMNS[table].items()]
            self.execute(f"drop table if exists {self.named(table)}")
            self.execute(
                f"create table {self.named(table)} ({', '.join(columns)}){self.ending}"
            )
            if rows:
                self.insert(table, rows)

    def named(self, table: str) -> str:
        """Return the name of a table."""
        return table

    def run(self, script: str) -> None:
        """Run a script."""
        for statement in statements(script):
            self.execute(statement)

    def rows(self, select: str) -> Rows:
        """Return the rows of a select."""
        return self.execute(select).fetchall()


def rows_of(runs: "dict[str, World]") -> tuple[Rows, Rows]:
    """Return the rows of rankings and judgments; all runs have the same judgments."""
    rankings = [
        (query, doc, score, run)
        for run, world in runs.items()
        for query, scores in world.ranked.items()
        for doc, score in scores.items()
    ]
    first = next(iter(runs.values()))
    judgments = [
        (query, doc, grade)
        for query, grades in first.judged.items()
        for doc, grade in grades.items()
    ]
    return rankings, judgments


def statements(script: str) -> list[str]:
    """Return the statements of a script; a line of a comment may end like one."""
    found = re.split(r";\n(?=\n|\Z)", script)
    return [statement for statement in found if statement.strip()]


class DuckDb(Engine):
    """DuckDB in memory."""

    def clear(self) -> None:
        self.connection = duckdb.connect()

    def execute(self, sql: str) -> Any:
        return self.connection.execute(sql)

    def insert(self, table: str, rows: Rows) -> None:
        self.connection.register("given", pd.DataFrame([*rows], dtype=object))
        self.execute(f"insert into {table} select * from given")


class Postgres(Engine):
    """A database of a PostgreSQL server, which may have an ICU locale."""

    text, number = "text", "double precision"

    def __init__(self, server: "Server", locale: str) -> None:
        import psycopg

        url = server.url.replace("postgresql+psycopg", "postgresql")
        name = f"emit_{locale}"
        options = "template template0 encoding 'UTF8'"
        if locale == "icu":
            options += " locale_provider icu icu_locale 'en-US'"
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in (
                f"drop database if exists {name} with (force)",
                f"create database {name} {options}",
            ):
                sql: Any = statement
                connection.execute(sql)
        place = url.rpartition("/")[0]
        self.connection = psycopg.connect(f"{place}/{name}", autocommit=True)
        # A plan that was kept would expect the relations of an earlier script.
        self.connection.prepare_threshold = None

    def execute(self, sql: str) -> Any:
        text: Any = sql
        return self.connection.execute(text)

    def insert(self, table: str, rows: Rows) -> None:
        copying: Any = f"copy {table} from stdin"
        with self.connection.cursor() as cursor, cursor.copy(copying) as copy:
            for row in rows:
                copy.write_row(row)

    def run(self, script: str) -> None:
        try:
            self.execute(script)
        finally:
            self.connection.rollback()


class ClickHouse(Engine):
    """ClickHouse in this process."""

    text, number = "Nullable(String)", "Nullable(Float64)"
    ending = " engine = MergeTree order by tuple()"

    def __init__(self) -> None:
        from chdb import session

        self.session: Any = session.Session()

    def execute(self, sql: str) -> Any:
        return self.session.query(sql)

    def clear(self) -> None:
        self.execute("drop database if exists ndcg_sql")
        self.execute("create database if not exists shop")

    def named(self, table: str) -> str:
        return f"shop.{table}"

    def insert(self, table: str, rows: Rows) -> None:
        lines = "\n".join(
            json.dumps(dict(zip(COLUMNS[table], row, strict=True)), ensure_ascii=False)
            for row in rows
        )
        self.execute(f"insert into shop.{table} format JSONEachRow {lines}")

    def rows(self, select: str) -> Rows:
        text = str(self.session.query(select, "JSONCompactEachRow"))
        return [tuple(json.loads(line)) for line in text.splitlines()]


class Spark(Engine):
    """A session of Spark in this process."""

    text, ending = "string", " using parquet"

    def __init__(self, session: "SparkSession") -> None:
        self.session = session

    def execute(self, sql: str) -> Any:
        return self.session.sql(sql).collect()

    def insert(self, table: str, rows: Rows) -> None:
        kinds = {str: "string", float: "double"}
        columns = ", ".join(f"{n} {kinds[kind]}" for n, kind in COLUMNS[table].items())
        frame(self.session, rows, columns).write.insertInto(table)

    def rows(self, select: str) -> Rows:
        return [tuple(row) for row in self.execute(select)]


def frame(session: "SparkSession", rows: Rows, columns: str) -> "DataFrame":
    """Return rows as a DataFrame of Spark, which takes no whole number for a double."""
    untyped: Any = session
    kinds = [column.split()[1] for column in columns.split(", ")]
    given = [
        tuple(
            float(value) if kind == "double" and value is not None else value
            for value, kind in zip(row, kinds, strict=True)
        )
        for row in rows
    ]
    return untyped.createDataFrame(given, columns)


def started(name: str, request: "pytest.FixtureRequest") -> Engine:
    """Return an engine; postgres has its locale behind a dash."""
    dialect, _, locale = name.partition("-")
    if dialect == "postgres":
        return Postgres(request.getfixturevalue("postgresql"), locale.lower())
    if dialect == "spark":
        return Spark(request.getfixturevalue("spark"))
    return ClickHouse() if dialect == "clickhouse" else DuckDb()
