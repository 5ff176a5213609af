"""The tables and views of a warehouse: created, upgraded, recognised."""

from collections.abc import Callable, Iterable
from contextlib import ExitStack

import duckdb

from ndcg_sql.database import chain, sql_files, template, views
from ndcg_sql.database.database import Database
from ndcg_sql.database.relations import Relation
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, harmless, listed, now, quoted, sql_name, sql_text
from ndcg_sql.wording import BEGIN

# The tables filled only from views, each after those that its view reads.
DERIVED = (
    *("run_queries", "evaluations", "hits", "stored_values", "stored_run_values"),
    *("stored_weighted_values", "ideal_sums", "misfits"),
)
_RECORDS = f"{views.STORE}.sql_files"
_MAKE_RECORDS = (
    f"create table if not exists {_RECORDS} (path varchar not null,"
    " checksum varchar not null, applied_at timestamp not null)"
)
_COMMENT = (
    "One row is a migration that was applied to this file, or the state of its views."
)
# The schema of a published file with the table of its parts, which marks it, so
# that no other file is ever replaced.
PUBLISHED = "published"
PARTS_COMMENT = "One row is a part that ndcg-sql published, with its fingerprint."
_PART_COLUMNS = (
    *("relation varchar", "part varchar", "fingerprint varchar"),
    *("warehouse varchar", "published_at timestamp"),
)
_VIEWS_PATH = "sql/views"
# No file, and so no database of DuckDB, can have this name.
_TEMPLATE = sql_name("ndcg-sql/template")


def check_readable(database: Database) -> None:
    """Raise NdcgSqlError if a file is not a warehouse of this version."""
    check_not_published(database)
    records = _records(database)
    pending = _pending(database, records)
    if not records:
        check_warehouse(database)
    if pending:
        remedy = "what writes to it next, such as a load, upgrades it"
        raise NdcgSqlError("made by an older ndcg-sql", remedy, where=database.shown)
    if not _has_our_views(records):
        what = "its views are from another version of ndcg-sql"
        remedy = "what writes to it next, such as a load, replaces them"
        raise NdcgSqlError(what, remedy, where=database.shown)


def check_warehouse(database: Database) -> None:
    """Raise NdcgSqlError if a file has none of our tables."""
    if not is_warehouse(database):
        what = "a DuckDB file, but not a warehouse"
        raise NdcgSqlError(what, BEGIN + " makes it one", where=database.shown)


def is_warehouse(database: Database) -> bool:
    """Return whether a file has our tables.

    Raises NdcgSqlError if other tables have their names, or if the file has.
    """
    if _records(database):
        return True
    check_not_published(database)
    _check_name(database)
    taken = database.run("lookups/taken_names", {"names": list(views.public())})
    if taken:
        name = quoted(taken[0][0])
        what = f"has a schema, table or view {name} that ndcg-sql did not make"
        raise NdcgSqlError(what, "use another file", where=database.shown)
    return False


def _check_name(database: Database) -> None:
    """Raise NdcgSqlError if a file has the name of the schema of the tables.

    DuckDB names a database after its file, so that store.runs could be in either,
    and no client could read the views.
    """
    if database.catalog.lower() == views.STORE:
        raise NdcgSqlError(
            f"DuckDB takes the name of this file for that of the schema {views.STORE}",
            "name the file otherwise, such as ndcg.duckdb",
            where=database.shown,
        )


def use(database: Database) -> None:
    """Make unqualified names on a connection those of the schema store."""
    database.execute(f"set schema = '{views.STORE}'")


def make(database: Database) -> None:
    """Create every table, macro and view, inside a transaction."""
    database.execute(f"create schema {views.STORE}")
    use(database)
    for path, text in sql_files.migrations().items():
        _apply(database, path, text)
    _replace_views(database)


def copy(database: Database) -> None:
    """Copy every table and view from the template, inside a transaction.

    The same transaction must not add rows: DuckDB may then not find them.
    """
    file = sql_text(str(template.path()))
    database.execute(f"attach {file} as {_TEMPLATE} (read_only)")
    # Possible only after the transaction, which detaches it itself if it fails.
    database.afterwards.callback(
        database.execute, f"detach database if exists {_TEMPLATE}"
    )
    catalog = sql_name(database.catalog)
    database.execute(f"copy from database {_TEMPLATE} to {catalog}")
    use(database)
    applied = {"applied": now()}
    database.execute(
        f"update {_RECORDS} set applied_at = cast($applied as timestamp)", applied
    )


def upgrade(
    database: Database, messages: Messages, refill: Callable[[Database], int]
) -> None:
    """Apply pending migrations, one transaction each, and changed or missing views.

    refill recomputes what was stored from the old views, and returns the number of
    evaluations.
    """
    for path, text in _pending(database, _records(database)).items():
        with database.transaction():
            _apply(database, path, text)
    is_ours, count = _has_our_views(_records(database)), 0
    missing = missing_views(database) if is_ours else []
    if is_ours and not missing:
        return
    names = f"{'view' if len(missing) == 1 else 'views'} {listed(missing)}"
    try:
        with database.transaction():
            _replace_views(database)
            count = 0 if is_ours else refill(database)
    except duckdb.CatalogException as error:
        if not missing:
            raise
        what = f"{names} cannot be restored: {str(error).splitlines()[0]}"
        remedy = "drop or rename what has that name"
        raise NdcgSqlError(what, remedy, where=database.shown) from error
    if missing:
        messages.tell(f"{database.shown}: restored the {names}, which had been dropped")
    elif count:
        done = f"recomputed the values of {counted(count, 'evaluation')}"
        old = "its views were from another version of ndcg-sql; replaced them and"
        messages.tell(f"{database.shown}: {old} {done}")


def missing_views(database: Database) -> list[str]:
    """Return the full names of our views that a file no longer has."""
    there = set(database.run("lookups/stored_views"))
    ours = [(views.STORE, name) for name in views.computing()]
    ours += [(views.PUBLIC, name) for name in views.public()]
    return [f"{schema}.{name}" for schema, name in ours if (schema, name) not in there]


def is_published(database: Database) -> bool:
    """Return whether a file was published: it has only the public relations."""
    return database.run("publishing/is_published", {"mark": PARTS_COMMENT}) == [(True,)]


def check_not_published(database: Database) -> None:
    """Raise NdcgSqlError if a file was published."""
    if is_published(database):
        raise NdcgSqlError(
            "a published copy, which has only the public relations",
            "any SQL client reads it; name the warehouse that it was published from",
            where=database.shown,
        )


def note_published(database: Database, catalog: str) -> None:
    """Make the table of published parts in another attached database, without rows."""
    database.execute(f"create schema if not exists {catalog}.{PUBLISHED}")
    table = f"{catalog}.{PUBLISHED}.parts"
    database.execute(f"create or replace table {table} ({', '.join(_PART_COLUMNS)})")
    _comment_on(database, f"table {table}", PARTS_COMMENT)


def describe(database: Database, catalog: str, tables: Iterable[Relation]) -> None:
    """Set the comments of public relations, as tables, in another database."""
    for relation in tables:
        table = f"{catalog}.{views.PUBLIC}.{relation.name}"
        _comment_on(database, f"table {table}", relation.comment)
        for column in relation.columns:
            where = f"column {table}.{sql_name(column)}"
            _comment_on(database, where, relation.meaning(column))


def _comment_on(database: Database, what: str, text: str) -> None:
    """Set the comment of a table, view or column."""
    database.execute(f"comment on {what} is {sql_text(text)}")


def _records(database: Database) -> dict[str, str]:
    """Return the checksum of every SQL file that was applied to a database."""
    # A table of this name that is not ours has other columns.
    if database.run("lookups/has_records") == [(False,)]:
        return {}
    _check_name(database)
    return dict(database.execute(f"select path, checksum from {_RECORDS}"))


def _has_our_views(records: dict[str, str]) -> bool:
    """Return whether a file's views are those of this version."""
    return records.get(_VIEWS_PATH) == views.checksum()


def _pending(database: Database, records: dict[str, str]) -> dict[str, str]:
    """Return the migrations to apply; refuse a file of another version."""
    applied = records.keys() - {_VIEWS_PATH}
    ours = sql_files.migrations()
    checksums = {path: sql_files.checksum(text) for path, text in ours.items()}
    if any(records.get(path, one) != one for path, one in checksums.items()):
        remedy = "export its runs and judgments with it, and load them again"
        what = "made by a development version of ndcg-sql"
        raise NdcgSqlError(what, remedy, where=database.shown)
    if applied - ours.keys():
        schemas = f"schema {len(applied)}, this version knows {len(ours)}"
        what = f"made by a newer ndcg-sql ({schemas}): pip install -U ndcg-sql"
        raise NdcgSqlError(what, where=database.shown)
    return {path: text for path, text in ours.items() if path not in records}


def _apply(database: Database, path: str, text: str) -> None:
    """Execute a migration and record it."""
    database.execute(_MAKE_RECORDS)
    _comment_on(database, f"table {_RECORDS}", _COMMENT)
    for statement in database.connection.extract_statements(text):
        database.execute(statement.query)
    _record(database, path, sql_files.checksum(text))


def _record(database: Database, path: str, checksum: str) -> None:
    """Record the checksum of a SQL file as applied now."""
    database.execute(f"delete from {_RECORDS} where path = $path", {"path": path})
    database.execute(
        f"insert into {_RECORDS}"
        " values ($path, $checksum, cast($applied as timestamp))",
        {"path": path, "checksum": checksum, "applied": now()},
    )


def _replace_views(database: Database) -> None:
    """Replace every view, which fails if one does not fit the tables.

    Replacing drops their comments, so these are set again. Computing views that there
    are no longer are dropped: what they read may change.
    """
    for schema in (views.STORE, views.PUBLIC):
        for macro in views.MACROS:
            database.execute(f"create or replace macro {schema}.{macro}")
    with ExitStack() as hidden:
        for view in views.in_order(views.computing()):
            full_name = f"{views.STORE}.{view.name}"
            try:
                database.execute(f"create or replace view {full_name} as {view.select}")
            except duckdb.Error:
                _check_formulas(database)
                raise
            # DuckDB binds a view down to the tables whenever another one reads
            # it. Hidden by an empty table, it is bound once: 0.5 s, not 3 s.
            empty = f"from {full_name} limit 0"
            hidden.enter_context(database.temporary(view.name, empty))
        for view in views.public().values():
            full_name = f"{views.PUBLIC}.{view.name}"
            database.execute(f"create or replace view {full_name} as {view.select}")
    names = [*views.computing()]
    for (name,) in database.run("lookups/stale_views", {"names": names}):
        database.execute(f"drop view {views.STORE}.{sql_name(name)}")
    _comment(database)
    _record(database, _VIEWS_PATH, views.checksum())


def _check_formulas(database: Database) -> None:
    """Raise NdcgSqlError for the first row of measures.csv that DuckDB cannot bind."""
    for row in sql_files.rows("measures"):
        selects = chain.texts(frozenset([row["family"]]))
        root = "explained_terms" if row["term"] else "computed_values"
        try:
            statement = chain.statement(chain.parts(root, selects))
            database.execute(f"explain {statement}")
        except duckdb.Error as error:
            where = f"sql/measures.csv, family {quoted(row['family'])}"
            raise NdcgSqlError(harmless(str(error)), where=where) from error


def _comment(database: Database) -> None:
    """Set the comment of every view and of every public column."""
    schemas = {views.STORE: views.computing(), views.PUBLIC: views.public()}
    for schema, by_name in schemas.items():
        for view in by_name.values():
            _comment_on(database, f"view {schema}.{view.name}", view.comment)
    meanings = {row["column"]: row["meaning"] for row in sql_files.rows("columns")}
    columns = database.run("lookups/columns", {"names": list(views.public())})
    for schema, relation, column in columns:
        where = f"column {schema}.{relation}.{sql_name(column)}"
        _comment_on(database, where, meanings[column])
