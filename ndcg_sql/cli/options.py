"""What the options of several commands are called, and what they mean."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.paths import STDIN
from ndcg_sql.text import harmless_lines

if TYPE_CHECKING:
    from ndcg_sql.warehouse import Warehouse


class State:
    """What the global options say."""

    warehouse: Path = Path("ndcg.duckdb")
    quiet: bool = False


def tell(line: str) -> None:
    """Say something on standard error, unless --quiet."""
    if not State.quiet:
        print(harmless_lines(line), file=sys.stderr)


Dataset = Annotated[
    str | None, typer.Option("--dataset", metavar="D", help="Name of the dataset.")
]
NewDataset = Annotated[
    str, typer.Option("--dataset", metavar="D", help="Name of the dataset.")
]
Name = Annotated[
    str | None,
    typer.Option(
        "--name", metavar="N", help="Name to load it under; the file's if left out."
    ),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="C=NAME",
        help="The file's name for a column, as query_id=Query.",
    ),
]
FormatIn = Annotated[
    str | None,
    typer.Option(
        "--format-in",
        metavar="F",
        help="trec, csv, tsv or parquet; told from the file.",
    ),
]
MeasureNames = Annotated[
    list[str] | None,
    typer.Option(
        "--measure", "-m", metavar="M", help="Measure, as nDCG@10; may be repeated."
    ),
]
PerQuery = Annotated[
    bool,
    typer.Option(
        "--per-query", "-q", help="A row for each query instead of the means."
    ),
]
Judgments = Annotated[
    str | None,
    typer.Option(
        "--judgments",
        metavar="J",
        help="Name of the judgment set; the newest if left out.",
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="F",
        help="table, markdown, latex, csv, tsv, json, jsonl or parquet;"
        " told from the suffix of -o.",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write to a file; gzip if it ends so."
    ),
]


def input_file(text: str) -> Path:
    """Return the path of an input file; - is standard input."""
    return STDIN if text == "-" else Path(text)


def key_values(option: str, items: list[str] | None, example: str) -> dict[str, str]:
    """Return the key=value pairs of a repeated option."""
    found: dict[str, str] = {}
    for item in items or []:
        key, equals, value = item.partition("=")
        if not (key and equals and value):
            raise NdcgSqlError(f"{option} {item}: write it like {option} {example}")
        if key in found:
            raise NdcgSqlError(f"{option} {key}: given twice")
        found[key] = value
    return found


def print_rows(
    warehouse: "Warehouse",
    file: str,
    form: str | None,
    output: Path | None,
    draw: "Callable[[Warehouse, str], str]",
) -> None:
    """Print the rows of a select under sql/."""
    from ndcg_sql.rendering import write
    from ndcg_sql.reports import output as rows_of

    with rows_of(warehouse, file):
        write(warehouse, form, output, draw)
