"""Publishing to whatever a target is: a file, a folder, another database."""

from collections.abc import Callable
from pathlib import Path

from ndcg_sql.database.connections import is_database
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.publishing import attributes, files, folders
from ndcg_sql.output.publishing.parts import MOST_ROWS, Compared, Plan
from ndcg_sql.requests.publishing import PublishRequest
from ndcg_sql.system import urls
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, listed, quoted
from ndcg_sql.wording import Text, call, joined, named, use

# The formats of files that no DuckDB file should look like.
_OTHERS = frozenset(
    (".xlsx", ".xls", ".csv", ".tsv", ".json", ".jsonl", ".html", ".parquet", ".pdf")
)
# The suffixes that only SQLite's files have.
_SQLITE = frozenset((".sqlite", ".sqlite3"))
# What looks like the URL of a database, but is none.
_ELSEWHERE = ("s3://", "gs://", "az://", "abfss://", "http://", "https://", "ftp://")


def publish(
    opened: Callable[[bool], Database],
    request: PublishRequest,
    wait: float,
    messages: Messages,
) -> None:
    """Publish the public relations of a warehouse to the target of a request.

    opened opens the warehouse, or a copy of it, so that writers wait no longer
    than a copy takes. Raises NdcgSqlError, and leaves the target unchanged, if it
    holds anything that was not published.
    """
    target, schema = request.target, request.schema
    compared = Compared(request.baseline, request.all_pairs)
    shown, other_way = quoted(target), Text()
    if not target:
        raise NdcgSqlError("publish: an empty name; name a file, a folder or a URL")
    if target.startswith(_ELSEWHERE):
        raise NdcgSqlError(
            "publish: object stores and websites are not written to; publish a folder,"
            " and copy it there"
        )
    if urls.is_address(target) or urls.has_scheme(target):
        # SQLAlchemy loads slowly.
        from ndcg_sql.output.publishing import databases

        where = urls.address(target, "publish")
        shown = quoted(where.shown)
        what = "the tables of a database"
        plan = databases.publish(
            opened, where, schema, compared, max(wait, urls.PATIENCE)
        )
    elif schema is not None:
        raise NdcgSqlError("only with the URL of a database", where=named("schema"))
    elif target.endswith("/") or Path(target).is_dir():
        what = "a folder of Parquet files"
        plan = folders.publish(opened, Path(target), compared)
    else:
        what = "a DuckDB file"
        _check_suffix(target)
        if not Path(target).suffix and not Path(target).exists():
            folder = call("publish", f"{target}/")
            other_way = "; for a folder of Parquet files, remove it, then: " + folder
        plan = files.publish(opened, Path(target), compared, wait, messages)
    if plan is None:
        messages.tell(f"{shown} is up to date; nothing to publish")
        return
    messages.tell(f"published {shown}: {what}" + other_way)
    for name, count in plan.with_baselines.items():
        messages.tell(
            Text(
                f"dataset {quoted(name)}: {counted(count, 'run')} compared with"
                " baselines and the best run only; for all pairs: ",
                use(all_pairs=True),
            )
        )
    _tell_columns(plan, messages)
    for name, size in plan.left_out.items():
        messages.warn(
            f"left out {name}: up to {counted(size, 'row')}, more than {MOST_ROWS};"
            " select from the warehouse, filtered by run, query or attribute"
        )


def _tell_columns(plan: Plan, messages: Messages) -> None:
    columns = plan.with_attributes.attributes
    renamed = [
        f"{quoted(attribute)} is {column}"
        for column, attribute in columns.items()
        if column != attribute
    ]
    if renamed:
        messages.tell(f"columns of {attributes.NAME}: {', '.join(renamed)}")
    if plan.omitted:
        messages.warn(
            f"{attributes.NAME} has columns for the {len(columns)} attributes that most"
            f" queries have, not for {listed(plan.omitted, 3)}; select these from"
            " query_attributes"
        )


def _check_suffix(target: str) -> None:
    suffix = Path(target).suffix
    if suffix.lower() in _SQLITE and not is_database(Path(target)):
        ways = [
            "for one of SQLite: " + call("publish", f"sqlite:///{target}"),
            "for one of DuckDB: "
            + call("publish", f"{target.removesuffix(suffix)}.duckdb"),
        ]
        raise NdcgSqlError(
            f"{quoted(target)}: publish writes DuckDB files, and {suffix} is SQLite's",
            joined(ways, "; "),
        )
    if suffix.lower() not in _OTHERS:
        return
    stem = target.removesuffix(suffix)
    ways = [
        "for one: " + call("publish", f"{stem}.duckdb"),
        "for a folder of Parquet files: " + call("publish", f"{stem}/"),
    ]
    if suffix.lower() == ".html":
        ways.append("for a page: " + call("report", html=target))
    raise NdcgSqlError(
        f"{quoted(target)}: publish writes DuckDB files, not {suffix.lower()}",
        joined(ways, "; "),
    )
