"""The tables and views of a warehouse: made, brought up to date, told apart."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ndcg_sql import sqlfiles
from ndcg_sql.connections import harmless_path
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import counted, now, quoted, sql_name, sql_text

if TYPE_CHECKING:
    from ndcg_sql.database import Database
    from ndcg_sql.warehouse import Warehouse

# What is filled from views alone, each table after those that its view reads.
DERIVED = ("run_queries", "evaluations", "hits", "stored_values", "stored_run_values")
_RECORDS = (
    "create table if not exists sql_files (path varchar not null,"
    " checksum varchar not null, applied_at timestamp not null)"
)
# What a published file says of itself, so that no other file is ever replaced.
PUBLISHED = "One row is a SQL file that was applied; this is a published copy."
RECORDS_COMMENT = (
    "comment on table sql_files is 'One row is a migration that was applied to"
    " this file, or the state of its views.'"
)
_VIEWS_PATH = "sql/views"


def check_readable(warehouse: "Database") -> None:
    """Raise NdcgSqlError where a file is no warehouse of this version."""
    records = _records(warehouse)
    pending = _pending(warehouse, records)
    if not records:
        check_known(warehouse)
    if pending:
        raise NdcgSqlError(
            f"{harmless_path(warehouse.path)}: made by an older ndcg-sql; the next"
            " command that writes, such as load, upgrades it"
        )
    if not _has_our_views(records):
        raise NdcgSqlError(
            f"{harmless_path(warehouse.path)}: its views are those of another"
            " ndcg-sql; the next command that writes, such as evaluate, renews them"
            " and what was stored from them"
        )


def check_known(warehouse: "Database") -> None:
    """Raise NdcgSqlError where a file has none of our tables."""
    if not is_known(warehouse):
        raise NdcgSqlError(
            f"{harmless_path(warehouse.path)}: a DuckDB file, but not a warehouse;"
            " ndcg-sql load judgments FILE makes it one"
        )


def is_known(warehouse: "Database") -> bool:
    """Tell whether a file has tables of ours; refuse one that has others so named."""
    if _records(warehouse):
        return True
    names = {"names": sqlfiles.relations()}
    taken = warehouse.run("reports/taken_names", names)
    if taken:
        raise NdcgSqlError(
            f"{harmless_path(warehouse.path)}: has a table or view"
            f" {quoted(taken[0][0])} that ndcg-sql did not make; use another file"
        )
    return False


def make(warehouse: "Database", with_comments: bool = True) -> None:
    """Make every table and view, inside a transaction."""
    make_tables(warehouse)
    _replace_views(warehouse, with_comments)


def make_tables(warehouse: "Database") -> None:
    """Make every table, inside a transaction."""
    for migration in sqlfiles.migrations():
        _apply(warehouse, migration)


def upgrade(warehouse: "Warehouse", tell: Callable[[str], None]) -> None:
    """Apply pending migrations, one transaction each, and changed views.

    What was stored from the views as they were is computed anew with them.
    """
    for migration in _pending(warehouse, _records(warehouse)):
        with warehouse.transaction():
            _apply(warehouse, migration)
    if _has_our_views(_records(warehouse)):
        return
    with warehouse.transaction():
        _replace_views(warehouse)
        count = _refill(warehouse)
    if count:
        tell(
            f"{harmless_path(warehouse.path)}: its views were those of another"
            " ndcg-sql; they are renewed, and with them the values of"
            f" {counted(count, 'evaluation')}"
        )


def _records(warehouse: "Database") -> dict[str, str]:
    """Return the checksum of every SQL file that a database has seen."""
    # A table of this name that is not ours has other columns.
    if warehouse.run("reports/has_records") == [(False,)]:
        return {}
    return dict(warehouse.execute("select path, checksum from sql_files"))  # type: ignore[arg-type]


def _has_our_views(records: dict[str, str]) -> bool:
    """Tell whether a file's views have the text that they have here."""
    return records.get(_VIEWS_PATH) == sqlfiles.views_checksum()


def _pending(
    warehouse: "Database", records: dict[str, str]
) -> list[sqlfiles.Migration]:
    """Return the migrations to apply; refuse what this version cannot know."""
    applied = [path for path in records if path != _VIEWS_PATH]
    ours = sqlfiles.migrations()
    unknown = sorted(set(applied) - {migration.path for migration in ours})
    shown = harmless_path(warehouse.path)
    if unknown:
        raise NdcgSqlError(
            f"{shown}: made by a newer ndcg-sql (schema {len(applied)}, this one"
            f" knows {len(ours)}): pip install --upgrade ndcg-sql"
        )
    for migration in ours:
        if records.get(migration.path, migration.checksum) != migration.checksum:
            raise NdcgSqlError(
                f"{shown}: its tables were made by another {migration.path} than"
                " this one; use the ndcg-sql that made the file"
            )
    return [migration for migration in ours if migration.path not in records]


def _apply(warehouse: "Database", migration: sqlfiles.Migration) -> None:
    """Execute a migration, and note it."""
    warehouse.execute(_RECORDS)
    warehouse.execute(RECORDS_COMMENT)
    for statement in warehouse.connection.extract_statements(migration.text):
        warehouse.execute(statement.query)
    _record(warehouse, migration.path, migration.checksum)


def _record(warehouse: "Database", path: str, checksum: str) -> None:
    """Note the checksum of a SQL file as applied now."""
    warehouse.execute("delete from sql_files where path = $path", {"path": path})
    warehouse.execute(
        "insert into sql_files values ($path, $checksum, cast($applied as timestamp))",
        {"path": path, "checksum": checksum, "applied": now()},
    )


def _replace_views(warehouse: "Database", with_comments: bool = True) -> None:
    """Create every view anew, which fails if one does not fit the tables.

    That drops all their comments, so they are set again.
    """
    for view in sqlfiles.views():
        warehouse.execute(f"create or replace view {view.name} as {view.select}")
    if with_comments:
        _comment(warehouse)
    _record(warehouse, _VIEWS_PATH, sqlfiles.views_checksum())


def _comment(warehouse: "Database") -> None:
    """Say of every view what a row is, and of every column what it means."""
    for view in sqlfiles.views():
        warehouse.execute(f"comment on view {view.name} is {sql_text(view.comment)}")
    meanings = {row["column"]: row["meaning"] for row in sqlfiles.rows("columns")}
    for table, column, _, _ in warehouse.run(
        "reports/columns", {"names": sqlfiles.relations()}
    ):
        where = f"{sql_name(table)}.{sql_name(column)}"
        meaning = sql_text(meanings[column])
        warehouse.execute(f"comment on column {where} is {meaning}")


def _refill(warehouse: "Warehouse") -> int:
    """Fill the derived tables from the views as they are now; return the pairs."""
    # What values has to do with an open warehouse, which begins here.
    from ndcg_sql import valuing

    runs = warehouse.execute("select run_id from runs order by run_id")
    pairs = warehouse.execute("select run_id, judgment_set_id from evaluations")
    for table in DERIVED:
        warehouse.execute(f"delete from {table}")
    for (run_id,) in runs:
        warehouse.run("store/run_queries", {"run_id": run_id})
    for run_id, judgment_set_id in pairs:
        valuing.evaluate(warehouse, (run_id, judgment_set_id))
    return len(pairs)
