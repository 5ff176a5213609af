"""What is published, and where."""

from pathlib import Path
from typing import Annotated

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import Option, frozen, option
from ndcg_sql.wording import named


@frozen
class BackupRequest:
    """Copy the whole warehouse to a file.

    The copy is consistent while others write. It is a warehouse itself, under its own
    name or another.
    """

    target: Annotated[Path, Option("The file to write.", "FILE", is_argument=True)]
    force: bool = option("Replace an earlier copy.", value=False)


@frozen
class PublishRequest:
    """Write the public relations as tables for BI tools.

    Readers of the tables never wait for the warehouse.

    Of a dataset with more than 20 runs, comparisons are those of each run with the
    baselines, with the last release before it and with the best run.
    """

    target: Annotated[
        str,
        Option(
            "A DuckDB file; a folder for Parquet files, ending in /; or the URL of a"
            " database.",
            "TARGET",
            is_argument=True,
        ),
    ]
    schema: str | None = option(
        "The schema in the database; by default ndcg_sql, or the database of the"
        " URL where schemas are databases.",
        "NAME",
    )
    baseline: tuple[str, ...] = option(
        "Run that all runs are compared with, or a pattern such as 'input.*'"
        " (quoted); may be repeated. If omitted, the runs with the tag baseline,"
        " or else the run before each. The best run and, of each run, the last one"
        " before it with the tag release or production are always compared.",
        "RUN",
        names="runs",
        value=(),
    )
    all_pairs: bool = option(
        "Compare all pairs of runs, not only those of up to 20 runs.", value=False
    )

    def __post_init__(self) -> None:
        if self.baseline and self.all_pairs:
            raise NdcgSqlError(
                "all pairs are compared; omit " + named("all_pairs"),
                where=named("baseline"),
            )


# What writes the content of a warehouse to somewhere else.
Copied = BackupRequest | PublishRequest
