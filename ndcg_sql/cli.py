"""The command line: options in, data on standard output, talk on standard error."""

import os
import signal
import sys
import traceback
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated

import typer

from ndcg_sql import __version__
from ndcg_sql.errors import NdcgSqlError

app = typer.Typer(
    name="ndcg-sql",
    help="An evaluation warehouse for rankings: NDCG and its kin as SQL views.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
)
load_app = typer.Typer(help="Load judgments, runs or queries.", no_args_is_help=True)
measures_app = typer.Typer(help="List, add or remove measures.", invoke_without_command=True)
app.add_typer(load_app, name="load")
app.add_typer(measures_app, name="measures")


class State:
    """What the global options say."""

    warehouse: Path = Path("ndcg.duckdb")
    quiet: bool = False


def tell(line: str) -> None:
    """Say something on standard error, unless --quiet."""
    if not State.quiet:
        print(line, file=sys.stderr)


Dataset = Annotated[
    str | None, typer.Option("--dataset", metavar="D", help="Name of the dataset.")
]
NewDataset = Annotated[
    str, typer.Option("--dataset", metavar="D", help="Name of the dataset.")
]
Name = Annotated[
    str | None,
    typer.Option("--name", metavar="N", help="Name to load it under; the file's if left out."),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--column", metavar="C=NAME", help="The file's name for a column, as query_id=Query."
    ),
]
FormatIn = Annotated[
    str | None,
    typer.Option("--format-in", metavar="F", help="trec, csv, tsv or parquet; told from the file."),
]
MeasureNames = Annotated[
    list[str] | None,
    typer.Option("--measure", "-m", metavar="M", help="Measure, as nDCG@10; may be repeated."),
]
PerQuery = Annotated[
    bool, typer.Option("--per-query", "-q", help="A row for each query instead of the means.")
]
Judgments = Annotated[
    str | None,
    typer.Option("--judgments", metavar="J", help="Name of the judgment set; the newest if left out."),
]
Format = Annotated[
    str,
    typer.Option("--format", metavar="F", help="table, csv, tsv, json, markdown or parquet."),
]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file.")
]


def _version(wanted: bool) -> None:
    """Print the versions of ndcg-sql and DuckDB, and end."""
    if wanted:
        import duckdb

        print(f"ndcg-sql {__version__} (DuckDB {duckdb.__version__})")
        raise typer.Exit


@app.callback()
def options(
    warehouse: Annotated[
        Path,
        typer.Option(
            "--warehouse",
            "-w",
            envvar="NDCG_SQL_WAREHOUSE",
            metavar="FILE",
            help="The warehouse file.",
        ),
    ] = Path("ndcg.duckdb"),
    quiet: Annotated[bool, typer.Option("--quiet", help="No talk, only data.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """An evaluation warehouse for rankings: NDCG and its kin as SQL views."""
    State.warehouse = warehouse
    State.quiet = quiet


def _pairs(option: str, items: list[str] | None, example: str) -> dict[str, str]:
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


@load_app.command("judgments")
def load_judgments(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="TREC, CSV, TSV or Parquet; gzip too.")],
    dataset: NewDataset = "default",
    name: Name = None,
    label: Annotated[
        list[str] | None,
        typer.Option("--label", metavar="L=G", help="The grade of a label, as Exact=2; may be repeated."),
    ] = None,
    column: Columns = None,
    format_in: FormatIn = None,
    no_evaluate: Annotated[
        bool, typer.Option("--no-evaluate", help="Do not value the dataset's runs with it.")
    ] = False,
) -> None:
    """Load relevance judgments (qrels) as a new judgment set."""
    from ndcg_sql.loading import Options, load
    from ndcg_sql.warehouse import Warehouse

    labels: dict[str, float] = {}
    for text, grade in _pairs("--label", label, "Exact=2").items():
        labels[text] = _grade(text, grade)
    chosen = Options(
        dataset=dataset,
        name=name,
        columns=_pairs("--column", column, "query_id=Query"),
        labels=labels,
        format_in=_format_in(format_in),
        evaluate=not no_evaluate,
    )
    with Warehouse.write(State.warehouse) as warehouse:
        load(warehouse, "judgments", [file], chosen, tell)


def _grade(label: str, text: str) -> float:
    """Return the grade of a label; raise NdcgSqlError if it is no finite number."""
    import math
    import re

    if re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text) and math.isfinite(float(text)):
        return float(text)
    raise NdcgSqlError(f"--label {label}={text}: the grade is not a number")


def _format_in(form: str | None) -> str | None:
    """Return an input format; raise NdcgSqlError if it is none of them."""
    from ndcg_sql.formats import FORMATS

    if form is not None and form not in FORMATS:
        raise NdcgSqlError(f"--format-in {form}: not one of {', '.join(FORMATS)}")
    return form


@load_app.command("run")
def load_run(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="TREC, CSV, TSV or Parquet; gzip too.")],
    dataset: NewDataset = "default",
    name: Name = None,
    tag: Annotated[
        list[str] | None,
        typer.Option("--tag", metavar="K=V", help="A tag of the run, as model=bm25; may be repeated."),
    ] = None,
    run_at: Annotated[
        str | None,
        typer.Option("--run-at", metavar="T", help="When the system produced it, as 2026-01-31T23:59."),
    ] = None,
    positions: Annotated[
        str,
        typer.Option("--positions", metavar="RULE", help="score (as trec_eval 10), score32 (as trec_eval 9) or given (the file's ranks)."),
    ] = "score",
    column: Columns = None,
    format_in: FormatIn = None,
) -> None:
    """Load rankings, each file as a new run."""
    from ndcg_sql.loading import Options, load
    from ndcg_sql.warehouse import Warehouse

    if name is not None and len(files) > 1:
        raise NdcgSqlError("--name: names one run, but there are several files")
    if positions not in ("score", "score32", "given"):
        raise NdcgSqlError(f"--positions {positions}: not one of score, score32, given")
    chosen = Options(
        dataset=dataset,
        name=name,
        columns=_pairs("--column", column, "query_id=Query"),
        position_rule=positions,
        run_at=_time(run_at),
        tags=_pairs("--tag", tag, "model=bm25"),
        format_in=_format_in(format_in),
    )
    with Warehouse.write(State.warehouse) as warehouse:
        load(warehouse, "run", files, chosen, tell)


def _time(text: str | None) -> str | None:
    """Return a time in UTC as SQL reads it."""
    if text is None:
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise NdcgSqlError(f"--run-at {text}: not a time like 2026-01-31T23:59") from None
    if time.tzinfo is not None:
        time = time.astimezone(timezone.utc).replace(tzinfo=None)
    return time.isoformat(sep=" ")


@load_app.command("queries")
def load_queries(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="CSV or TSV with a header; gzip too.")],
    dataset: NewDataset = "default",
    column: Columns = None,
) -> None:
    """Load what is known of queries: text, weight, and attributes to slice by."""
    from ndcg_sql.queries import load
    from ndcg_sql.warehouse import Warehouse

    with Warehouse.write(State.warehouse) as warehouse:
        load(warehouse, file, dataset, _pairs("--column", column, "query_id=Query"), tell)


@app.command()
def report(
    measure: MeasureNames = None,
    run: Annotated[
        list[str] | None,
        typer.Option("--run", metavar="R", help="Name of a run; may be repeated; all if left out."),
    ] = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    per_query: PerQuery = False,
    form: Format = "table",
    output: Output = None,
) -> None:
    """Print the values of runs."""
    from ndcg_sql import reports, tables
    from ndcg_sql.rendering import write
    from ndcg_sql.warehouse import Warehouse

    with Warehouse.read(State.warehouse) as warehouse:
        measures = reports.choose_measures(warehouse, measure or [])
        chosen = reports.choose_runs(warehouse, run or [], dataset)
        pairs = reports.pairs(warehouse, chosen, judgments)
        draw = tables.report_queries if per_query else tables.report
        with reports.report(warehouse, measures, pairs, per_query):
            write(warehouse, form, output, draw)


@app.command("eval")
def evaluate(
    qrels: Annotated[Path, typer.Argument(metavar="QRELS", help="File of judgments.")],
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Files of runs.")],
    measure: MeasureNames = None,
    per_query: PerQuery = False,
    form: Format = "table",
    output: Output = None,
) -> None:
    """Value runs in one shot, from files, keeping nothing."""
    from ndcg_sql import reports, tables
    from ndcg_sql.loading import DEFAULT_MEASURES, Options, load
    from ndcg_sql.measures import parse
    from ndcg_sql.rendering import write
    from ndcg_sql.valuing import replace_registered
    from ndcg_sql.warehouse import Warehouse

    measures = parse(" ".join(measure) if measure else DEFAULT_MEASURES)
    with Warehouse.memory() as warehouse:
        replace_registered(warehouse, measures)
        load(warehouse, "judgments", [qrels], Options(), lambda line: None)
        load(warehouse, "run", runs, Options(), _warn)
        pairs = reports.pairs(warehouse, reports.runs(warehouse), None)
        draw = tables.report_queries if per_query else tables.report
        with reports.report(warehouse, measures, pairs, per_query):
            write(warehouse, form, output, draw)


def _warn(told: str) -> None:
    """Repeat only the warnings of what a load tells."""
    for line in told.splitlines():
        if line.startswith("warning"):
            tell(line)


@app.command()
def explain(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Name of the run.")],
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Id of the query.")],
    measure: MeasureNames = None,
    judgments: Judgments = None,
    dataset: Dataset = None,
    form: Format = "table",
    output: Output = None,
) -> None:
    """Show how an nDCG comes about, position by position."""
    from ndcg_sql import reports, tables
    from ndcg_sql.rendering import write
    from ndcg_sql.warehouse import Warehouse

    with Warehouse.read(State.warehouse) as warehouse:
        chosen = reports.choose_explained(warehouse, measure or [])
        entry = reports.choose_run(warehouse, run, dataset)
        pair = reports.pairs(warehouse, [entry], judgments)[0]
        with reports.explain(warehouse, pair, query, chosen):
            write(warehouse, form, output, lambda w, f: tables.explain(w, f, chosen))


@app.command("list")
def list_contents(form: Format = "table", output: Output = None) -> None:
    """List the judgment sets and runs of every dataset."""
    from ndcg_sql.rendering import rows_as_they_are
    from ndcg_sql.warehouse import Warehouse

    with Warehouse.read(State.warehouse) as warehouse:
        _print(warehouse, "reports/contents", form, output, rows_as_they_are)


@app.command()
def schema(output: Output = None) -> None:
    """Print every table and view with the meaning of its columns, in Markdown."""
    from ndcg_sql import sqlfiles, tables
    from ndcg_sql.reports import output as rows_of
    from ndcg_sql.rendering import write
    from ndcg_sql.warehouse import Warehouse

    with (
        Warehouse.memory() as warehouse,
        rows_of(warehouse, "reports/schema", {"names": sqlfiles.relations()}),
    ):
        write(warehouse, "markdown", output, tables.schema)


def _print(
    warehouse: "Warehouse",
    file: str,
    form: str,
    output: Path | None,
    draw: "Callable[[Warehouse, str], str]",
) -> None:
    """Print the rows of a select under sql/."""
    from ndcg_sql.reports import output as rows_of
    from ndcg_sql.rendering import write

    with rows_of(warehouse, file):
        write(warehouse, form, output, draw)


@measures_app.callback()
def measures(context: typer.Context) -> None:
    """List the registered measures, or add and remove some."""
    if context.invoked_subcommand is None:
        list_measures()


@measures_app.command("list")
def list_measures(
    families: Annotated[
        bool, typer.Option("--families", help="What there is to register, instead.")
    ] = False,
    form: Format = "table",
    output: Output = None,
) -> None:
    """List the measures whose values the warehouse stores."""
    from ndcg_sql.rendering import rows_as_they_are
    from ndcg_sql.valuing import known_families
    from ndcg_sql.warehouse import Warehouse

    if families:
        with Warehouse.memory() as warehouse, known_families(warehouse):
            _print(warehouse, "reports/families", form, output, rows_as_they_are)
        return
    with Warehouse.read(State.warehouse) as warehouse:
        _print(warehouse, "reports/registered_measures", form, output, rows_as_they_are)


@measures_app.command("add")
def add_measures(
    names: Annotated[list[str], typer.Argument(metavar="MEASURE...", help="As nDCG(dcg='exp-log2')@7.")],
) -> None:
    """Register measures, and value every evaluation with them."""
    from ndcg_sql.measures import parse
    from ndcg_sql.valuing import register
    from ndcg_sql.warehouse import Warehouse

    wanted = parse(" ".join(names))
    with Warehouse.write(State.warehouse) as warehouse, warehouse.transaction():
        for measure in wanted:
            new = register(warehouse, measure)
            tell(f"registered {measure.name}" if new else f"{measure.name} is registered already")


@measures_app.command("remove")
def remove_measures(
    names: Annotated[list[str], typer.Argument(metavar="MEASURE...", help="As nDCG@10.")],
) -> None:
    """Remove registered measures and their stored values."""
    from ndcg_sql.measures import parse
    from ndcg_sql.text import nearest, quoted
    from ndcg_sql.valuing import registered, unregister
    from ndcg_sql.warehouse import Warehouse

    wanted = parse(" ".join(names))
    with Warehouse.write(State.warehouse) as warehouse, warehouse.transaction():
        for measure in wanted:
            known = registered(warehouse)
            if measure.name not in known:
                raise NdcgSqlError(
                    f"measure {quoted(measure.name)}: not registered;"
                    f" {nearest(measure.name, known)}"
                )
            unregister(warehouse, measure)
            tell(f"removed {measure.name}")


@app.command()
def demo() -> None:
    """Load the bundled data; report, explain, and say what to try next."""
    from ndcg_sql.demo import run

    run(State.warehouse, tell)


def _globals_first(arguments: list[str]) -> list[str]:
    """Return arguments with the global options, wherever they stand, at the front."""
    front: list[str] = []
    rest: list[str] = []
    items = iter(arguments)
    for item in items:
        if item == "--":
            rest += [item, *items]
        elif item in ("-w", "--warehouse"):
            front += [item, *[value for value in [next(items, None)] if value is not None]]
        elif item.startswith("--warehouse=") or item == "--quiet":
            front.append(item)
        else:
            rest.append(item)
    return front + rest


def main() -> None:
    """Run the command line; exit with 0, 2 (bad input) or 130 (interrupted)."""
    # A script that starts this with & makes it ignore Ctrl-C otherwise.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; say on standard error what is wrong."""
    import click

    try:
        result = app(_globals_first(arguments), standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        print(error.format_message(), file=sys.stderr)
        return 2
    except click.ClickException as error:
        where = getattr(error, "ctx", None)
        path = where.command_path if where else "ndcg-sql"
        print(f"{path}: {error.format_message()}", file=sys.stderr)
        print(f"{path} --help tells what it takes", file=sys.stderr)
        return 2
    except NdcgSqlError as error:
        print(error, file=sys.stderr)
        return 2
    except (KeyboardInterrupt, click.Abort):
        return _interrupted()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        return _other(error)


def _interrupted() -> int:
    """Say that the user ended the command."""
    print("interrupted; the warehouse is as it was", file=sys.stderr)
    return 130


def _other(error: Exception) -> int:
    """Say what a fault of DuckDB, the system or this program means."""
    import duckdb

    from ndcg_sql.warehouse import translated

    if "Query interrupted" in str(error):
        return _interrupted()
    if os.environ.get("NDCG_SQL_DEBUG"):
        traceback.print_exc()
    if isinstance(error, duckdb.Error):
        print(translated(error, str(State.warehouse)), file=sys.stderr)
    elif isinstance(error, OSError):
        print(f"{error.filename or State.warehouse}: {error.strerror}", file=sys.stderr)
    else:
        kind = type(error).__name__
        print(f"unexpected: {kind}: {error}; please report it", file=sys.stderr)
    return 2
