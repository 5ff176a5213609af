"""Engines that run emitted scripts in tests: DuckDB, PostgreSQL, ClickHouse, Spark."""

import json
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import duckdb
import pandas as pd  # pyright: ignore[reportMissingTypeStubs]

from ndcg_sql.engines.tables import Tables

if TYPE_CHECKING:
    import pytest
    from pyspark.sql import DataFrame, SparkSession

    from support.servers import Server
    from support.worlds import World

Rows = Sequence[tuple[Any, ...]]
COLUMNS = {
    "rankings": ("user_id", "item", "score", "system"),
    "judgments": ("user_id", "item", "grade", "aspect"),
    "queries": ("user_id", "land"),
}
NAMES = ("query_id=user_id", "doc_id=item")
PLAIN = Tables.named("results", "grades", NAMES, "system")
SHOP = Tables.named("shop.results", "shop.grades", NAMES, "system")
TABLES = {"duckdb": PLAIN, "postgres": PLAIN, "spark": PLAIN, "clickhouse": SHOP}
# No test runs scripts of these.
NOT_RUN = ("bigquery", "snowflake")


class Engine(Protocol):
    """An engine with the tables results, grades and users."""

    def fill(self, rankings: Rows, judgments: Rows, queries: Rows = ()) -> None:
        """Replace the tables, and remove what a script made.

        A judgment may end with its subtopic.
        """

    def run(self, script: str) -> None:
        """Run a script."""

    def rows(self, select: str) -> Rows:
        """Return the rows of a select."""
        ...


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


def _graded(judgments: Rows) -> Rows:
    """Return judgments with their subtopics, or null."""
    size = len(COLUMNS["judgments"])
    return [(*row, *[None] * (size - len(row))) for row in judgments]


def statements(script: str) -> list[str]:
    """Return the statements of a script; a line of a comment may end like one."""
    found = re.split(r";\n(?=\n|\Z)", script)
    return [statement for statement in found if statement.strip()]


class DuckDb:
    """DuckDB in memory."""

    def fill(self, rankings: Rows, judgments: Rows, queries: Rows = ()) -> None:
        self.connection = duckdb.connect()
        self.connection.execute(
            "create table results (user_id varchar, item varchar, score double,"
            " system varchar)"
        )
        self.connection.execute(
            "create table grades (user_id varchar, item varchar, grade double,"
            " aspect varchar)"
        )
        self.connection.execute("create table users (user_id varchar, land varchar)")
        tables = (
            *(("results", rankings), ("grades", _graded(judgments))),
            ("users", queries),
        )
        for table, rows in tables:
            if rows:
                given = pd.DataFrame([*rows], dtype=object)
                self.connection.register("given", given)
                self.connection.execute(f"insert into {table} select * from given")

    def run(self, script: str) -> None:
        self.connection.execute(script)

    def rows(self, select: str) -> Rows:
        return self.connection.execute(select).fetchall()


class Postgres:
    """A database of a PostgreSQL server, which may have an ICU locale."""

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

    def _execute(self, statements: str) -> Any:
        text: Any = statements
        return self.connection.execute(text)

    def fill(self, rankings: Rows, judgments: Rows, queries: Rows = ()) -> None:
        self._execute("drop schema if exists ndcg_sql cascade")
        self._execute("drop table if exists results, grades, users")
        self._execute(
            "create table results (user_id text, item text,"
            " score double precision, system text)"
        )
        self._execute(
            "create table grades (user_id text, item text, grade double precision,"
            " aspect text)"
        )
        self._execute("create table users (user_id text, land text)")
        tables = (
            *(("results", rankings), ("grades", _graded(judgments))),
            ("users", queries),
        )
        with self.connection.cursor() as cursor:
            for table, rows in tables:
                copying: Any = f"copy {table} from stdin"
                with cursor.copy(copying) as copy:
                    for row in rows:
                        copy.write_row(row)

    def run(self, script: str) -> None:
        try:
            self._execute(script)
        finally:
            self.connection.rollback()

    def rows(self, select: str) -> Rows:
        return self._execute(select).fetchall()


class ClickHouse:
    """ClickHouse in this process."""

    def __init__(self) -> None:
        from chdb import session

        self.session: Any = session.Session()

    def fill(self, rankings: Rows, judgments: Rows, queries: Rows = ()) -> None:
        run: Callable[[str], Any] = self.session.query
        run("drop database if exists ndcg_sql")
        run("create database if not exists shop")
        run("drop table if exists shop.results")
        run("drop table if exists shop.grades")
        run("drop table if exists shop.users")
        kind = "engine = MergeTree order by tuple()"
        nullable = "Nullable(String)"
        run(
            f"create table shop.results (user_id {nullable}, item {nullable},"
            f" score Nullable(Float64), system {nullable}) {kind}"
        )
        run(
            f"create table shop.grades (user_id {nullable}, item {nullable},"
            f" grade Nullable(Float64), aspect {nullable}) {kind}"
        )
        run(f"create table shop.users (user_id {nullable}, land {nullable}) {kind}")
        for table, columns, rows in (
            ("results", COLUMNS["rankings"], rankings),
            ("grades", COLUMNS["judgments"], _graded(judgments)),
            ("users", COLUMNS["queries"], queries),
        ):
            lines = "\n".join(
                json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False)
                for row in rows
            )
            if lines:
                run(f"insert into shop.{table} format JSONEachRow {lines}")

    def run(self, script: str) -> None:
        for statement in statements(script):
            self.session.query(statement)

    def rows(self, select: str) -> Rows:
        text = str(self.session.query(select, "JSONCompactEachRow"))
        return [tuple(json.loads(line)) for line in text.splitlines()]


class Spark:
    """A session of Spark in this process."""

    def __init__(self, session: "SparkSession") -> None:
        self.session = session

    def fill(self, rankings: Rows, judgments: Rows, queries: Rows = ()) -> None:
        run = self.session.sql
        run("drop schema if exists ndcg_sql cascade")
        for table, columns, rows in (
            (
                "results",
                "user_id string, item string, score double, system string",
                rankings,
            ),
            (
                "grades",
                "user_id string, item string, grade double, aspect string",
                _graded(judgments),
            ),
            ("users", "user_id string, land string", queries),
        ):
            run(f"drop table if exists {table}")
            run(f"create table {table} ({columns}) using parquet")
            frame(self.session, rows, columns).write.insertInto(table)

    def run(self, script: str) -> None:
        for statement in statements(script):
            self.session.sql(statement).collect()

    def rows(self, select: str) -> Rows:
        found: list[Any] = self.session.sql(select).collect()
        return [tuple(row) for row in found]


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
