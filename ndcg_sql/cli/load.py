"""ndcg-sql load: judgments, runs and queries into the warehouse."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ndcg_sql.cli.options import (
    Columns,
    FormatIn,
    Name,
    NewDataset,
    State,
    input_file,
    key_values,
    tell,
)
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import number

if TYPE_CHECKING:
    from ndcg_sql.files import Streams
    from ndcg_sql.warehouse import Warehouse

_PACKED = "gzip and zstd too; - is standard input"

app = typer.Typer(help="Load judgments, runs or queries.", no_args_is_help=True)


@contextmanager
def _opened(paths: list[Path]) -> "Generator[tuple[Warehouse, Streams]]":
    """Read the streams among the files, and only then lock the warehouse."""
    from ndcg_sql import files
    from ndcg_sql.warehouse import Warehouse

    folder = State.warehouse.absolute().parent
    with (
        files.streams(paths, tell, folder) as streams,
        Warehouse.write(State.warehouse) as warehouse,
    ):
        yield warehouse, streams


def _check_named(paths: list[Path], name: str | None) -> None:
    """Raise NdcgSqlError where neither the user nor a file says what it is called."""
    from ndcg_sql.paths import descriptor, shown

    for path in paths:
        if name is None and descriptor(path) is not None:
            raise NdcgSqlError(
                f"{shown(path)}: a stream has no name; load it by itself with"
                " --name NAME"
            )


@app.command("judgments")
def load_judgments(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            parser=input_file,
            help=f"TREC, CSV, TSV or Parquet; {_PACKED}.",
        ),
    ],
    dataset: NewDataset = "default",
    name: Name = None,
    label: Annotated[
        list[str] | None,
        typer.Option(
            "--label",
            metavar="L=G",
            help="The grade of a label, as Exact=2; may be repeated.",
        ),
    ] = None,
    column: Columns = None,
    format_in: FormatIn = None,
    no_evaluate: Annotated[
        bool,
        typer.Option("--no-evaluate", help="Do not value the dataset's runs with it."),
    ] = False,
) -> None:
    """Load relevance judgments (qrels) as a new judgment set."""
    from ndcg_sql.loading import Options, load

    labels: dict[str, float] = {}
    for text, grade in key_values("--label", label, "Exact=2").items():
        labels[text] = _grade(text, grade)
    chosen = Options(
        dataset=dataset,
        name=name,
        columns=key_values("--column", column, "query_id=Query"),
        labels=labels,
        format_in=_format_in(format_in),
        evaluate=not no_evaluate,
    )
    _check_named([file], name)
    with _opened([file]) as (warehouse, streams):
        load(warehouse, "judgments", [file], chosen, tell, streams)


def _grade(label: str, text: str) -> float:
    """Return the grade of a label; raise NdcgSqlError if it is no finite number."""
    grade = number(text)
    if grade is None:
        raise NdcgSqlError(f"--label {label}={text}: the grade is not a number")
    return grade


def _format_in(form: str | None) -> str | None:
    """Return an input format; raise NdcgSqlError if it is none of them."""
    from ndcg_sql.formats import FORMATS

    if form is not None and form not in FORMATS:
        raise NdcgSqlError(f"--format-in {form}: not one of {', '.join(FORMATS)}")
    return form


@app.command("run")
def load_run(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            parser=input_file,
            help=f"TREC, CSV, TSV or Parquet; {_PACKED}.",
        ),
    ],
    dataset: NewDataset = "default",
    name: Name = None,
    tag: Annotated[
        list[str] | None,
        typer.Option(
            "--tag",
            metavar="K=V",
            help="A tag of the run, as model=bm25; may be repeated.",
        ),
    ] = None,
    run_at: Annotated[
        str | None,
        typer.Option(
            "--run-at",
            metavar="T",
            help="When the system produced it, as 2026-01-31T23:59.",
        ),
    ] = None,
    positions: Annotated[
        str,
        typer.Option(
            "--positions",
            metavar="RULE",
            help="score (trec_eval 10), score32 (trec_eval 9), given (file's ranks).",
        ),
    ] = "score",
    column: Columns = None,
    format_in: FormatIn = None,
) -> None:
    """Load rankings, each file as a new run."""
    from ndcg_sql.loading import Options, load

    if name is not None and len(files) > 1:
        raise NdcgSqlError("--name: names one run, but there are several files")
    if positions not in ("score", "score32", "given"):
        raise NdcgSqlError(f"--positions {positions}: not one of score, score32, given")
    chosen = Options(
        dataset=dataset,
        name=name,
        columns=key_values("--column", column, "query_id=Query"),
        position_rule=positions,
        run_at=_time(run_at),
        tags=key_values("--tag", tag, "model=bm25"),
        format_in=_format_in(format_in),
    )
    _check_named(files, name)
    with _opened(files) as (warehouse, streams):
        load(warehouse, "run", files, chosen, tell, streams)


def _time(text: str | None) -> str | None:
    """Return a time in UTC as SQL reads it."""
    if text is None:
        return None
    try:
        # Python reads the Z of UTC since 3.11 only.
        time = datetime.fromisoformat(re.sub("Z$", "+00:00", text))
        if time.tzinfo is not None:
            time = time.astimezone(timezone.utc).replace(tzinfo=None)
    except (ValueError, OverflowError):
        raise NdcgSqlError(
            f"--run-at {text}: not a time like 2026-01-31T23:59"
        ) from None
    return time.isoformat(sep=" ")


@app.command("queries")
def load_queries(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            parser=input_file,
            help=f"CSV or TSV with a header; {_PACKED}.",
        ),
    ],
    dataset: NewDataset = "default",
    column: Columns = None,
    format_in: FormatIn = None,
) -> None:
    """Load what is known of queries: text, weight, and attributes to slice by."""
    from ndcg_sql.queries import load

    named = key_values("--column", column, "query_id=Query")
    form = _format_in(format_in)
    with _opened([file]) as (warehouse, streams):
        load(warehouse, file, dataset, named, form, tell, streams)
