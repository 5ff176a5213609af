"""Publishing to whatever a target is: a file, a folder, another database."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import duckdb

from ndcg_sql.database.connections import (
    harmless_path,
    is_database,
    is_disk_full,
    translated,
)
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.publishing import files, folders
from ndcg_sql.publishing.plan import MOST_ROWS, Plan, Publication, Target, plan
from ndcg_sql.system import urls
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Text, Wording, call, named, use

# The formats of files that no DuckDB file should look like.
_OTHERS = (
    *(".xlsx", ".xls", ".csv", ".tsv", ".json", ".jsonl", ".html", ".parquet", ".pdf"),
    *(".sqlite", ".sqlite3"),
)
Opening = Callable[[Plan], AbstractContextManager[Target]]


def publish(
    opened: Callable[[bool], Database],
    wanted: Publication,
    wait: float,
    messages: Messages,
) -> None:
    """Publish the public relations to a target, which an error leaves as it was."""
    shown, what, opening = _target(wanted, wait, messages)
    with opened(False) as database:
        present = plan(database, wanted)
    with opening(present) as (held, write):
        if held == present.fingerprints:
            messages.tell(f"{quoted(shown)} is up to date; nothing to publish")
            return
        try:
            with opened(True) as database:
                present = plan(database, wanted)
                write(database, present)
        except OSError as error:
            raise NdcgSqlError(f"{harmless_path(shown)}: {error.strerror}") from error
        except duckdb.Error as error:
            if is_disk_full(error):
                raise translated(error, shown) from error
            raise
    messages.tell(f"published {quoted(shown)}: " + what)
    for name, count in present.thinned.items():
        messages.tell(
            f"dataset {quoted(name)}: {counted(count, 'run')} compared with baselines"
            " and the best run only; for all pairs: " + use(all_pairs=True)
        )
    for name, size in present.left_out.items():
        messages.warn(
            f"omitted {name}: up to {counted(size, 'row')}, more than {MOST_ROWS};"
            " select from the warehouse, filtered by run, query or attribute"
        )


def _target(
    wanted: Publication, wait: float, messages: Messages
) -> tuple[str, Wording, Opening]:
    """Return how a target is shown, what it is, and what opens it for a plan."""
    target, schema, path = wanted.target, wanted.schema, Path(wanted.target)
    if not target:
        raise NdcgSqlError("publish: an empty name; name a file, a folder or a URL")
    if urls.is_address(target) or urls.has_scheme(target):
        # SQLAlchemy loads slowly.
        from ndcg_sql.publishing import databases

        where = urls.address(target, "publish")
        databases.check(where, schema)
        patience = max(wait, urls.PATIENCE)
        return (
            where.shown,
            "the tables of a database",
            lambda plan: databases.opened(where, schema, plan, patience),
        )
    if schema is not None:
        raise NdcgSqlError("only with the URL of a database", where=named("schema"))
    if target.endswith("/") or path.is_dir():
        what = "a folder of Parquet files"
        return target, what, lambda _: folders.opened(path)
    if path.suffix.lower() in _OTHERS and not is_database(path):
        raise NdcgSqlError(
            f"{quoted(target)}: publish writes DuckDB files, not {path.suffix.lower()}",
            "for one: " + call("publish", str(path.with_suffix(".duckdb"))),
        )
    what = Text("a DuckDB file")
    if not path.suffix and not path.exists():
        as_folder = "; for a folder of Parquet files, remove it, then: "
        what += as_folder + call("publish", f"{target}/")
    return (
        target,
        what,
        lambda plan: files.opened(path, plan.warehouse, wait, messages),
    )
