"""ndcg-sql load: judgments, assessments, runs, queries and documents."""

import re
from dataclasses import dataclass
from dataclasses import replace as replaced
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from ndcg_sql.cli.chosen import (
    chosen_columns,
    chosen_format,
    chosen_labels,
    key_values,
)
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.inputs import From, Inputs, Select, Table, data_files
from ndcg_sql.cli.load_benchmarks import beir, msmarco
from ndcg_sql.cli.options import (
    HELP_FILE,
    Columns,
    FormatIn,
    Judgments,
    Labels,
    Name,
    NewDataset,
    OneQuery,
    Replace,
    input_file,
)
from ndcg_sql.cli.requests import command
from ndcg_sql.cli.sections import Group
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import Option
from ndcg_sql.requests.loading import LoadJudgmentsRequest, LoadRunRequest
from ndcg_sql.text import sql_time

# Words of other tools for what is loaded here.
_ALIASES = {
    "qrels": "judgments",
    "qrel": "judgments",
    "judgements": "judgments",
    "judgment": "judgments",
    "judgement": "judgments",
    "runs": "run",
    "ranking": "run",
    "rankings": "run",
    "query": "queries",
    "topics": "queries",
    "assessment": "assessments",
    "value": "values",
}


class _Kinds(Group):
    """What can be loaded, also under the words of other tools."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of a kind, or None if there is none."""
        return super().get_command(ctx, _ALIASES.get(cmd_name, cmd_name))


app = typer.Typer(
    cls=_Kinds,
    help="Load judgments, assessments, runs, queries or documents.",
    no_args_is_help=True,
)

_File = Annotated[
    Path | None,
    typer.Argument(metavar="FILE", parser=input_file, help=HELP_FILE),
]
_Tags = Annotated[
    list[str] | None,
    typer.Option(
        "--tag",
        metavar="K=V",
        help="Tag of the run, such as model=bm25; may be repeated.",
    ),
]
_RunAt = Annotated[
    str | None,
    typer.Option(
        "--run-at",
        metavar="T",
        help="When the system produced it, such as 2026-01-31T23:59.",
    ),
]


@dataclass(frozen=True)
class _Database:
    """A database in place of files."""

    url: Annotated[
        str | None,
        Option(
            "Database to load from in place of FILE, such as"
            " 'postgresql://ann:$PASSWORD@host/shop'; $NAME is an environment"
            " variable.",
            "URL",
            word="from",
        ),
    ] = None
    select: Annotated[
        str | None,
        Option("Select of the rows to load from the database of --from.", "SQL"),
    ] = None
    table: Annotated[
        str | None,
        Option(
            "Table to load from the database of --from, all rows and columns.", "TABLE"
        ),
    ] = None


@dataclass(frozen=True)
class _OneFile(_Database):
    """The file of a judgment set."""

    file: Annotated[
        Path | None, Option(HELP_FILE, "FILE", is_argument=True, is_input=True)
    ] = None


@dataclass(frozen=True)
class _Files(_Database):
    """The files of runs."""

    files: Annotated[
        tuple[Path, ...], Option(HELP_FILE, "FILE...", is_argument=True, is_input=True)
    ] = ()


@command(
    app,
    _OneFile,
    LoadJudgmentsRequest,
    name="judgments",
    epilog="ndcg-sql load judgments qrels.txt --dataset shop",
)
def load_judgments(
    context: typer.Context, source: _OneFile, request: LoadJudgmentsRequest
) -> None:
    """Load relevance judgments (qrels) as a new judgment set.

    FILE may be a folder: each data file in it becomes a judgment set.
    """
    from ndcg_sql.loading.sets import Options, load

    session = Session.of(context)
    given = (source.url, source.select, source.table)
    own = {"groups": request.groups, "format_in": request.format_in}
    inputs = Inputs.of([source.file], *given, **own)
    chosen = Options.of(replaced(request, name=request.name or inputs.name))
    inputs.check_named(request.name)
    files = data_files(inputs.files, request.name, session, "judgment set")
    with replaced(inputs, files=files).opened(session, [request.groups]) as opened:
        database, paths, streams = opened
        load(database, "judgments", paths, chosen, session.messages, streams)


@command(
    app,
    _Files,
    LoadRunRequest,
    name="run",
    epilog="ndcg-sql load run first.run --dataset shop --tag model=bm25",
)
def load_run(context: typer.Context, source: _Files, request: LoadRunRequest) -> None:
    """Load rankings, each file as a new run.

    A file with a column that names runs, such as model, becomes a run for each of
    its values: ndcg-sql load run models.csv --run-column model. FILE may be a
    folder: its data files are loaded.
    """
    from ndcg_sql.loading.sets import Options, load

    session = Session.of(context)
    name, beside = request.name, {"rows_of": request.rows_of, "groups": request.groups}
    given = (source.url, source.select, source.table)
    inputs = Inputs.of(source.files, *given, **beside, format_in=request.format_in)
    found = data_files(inputs.files, name, session)
    is_divided = request.run_column not in (None, "none")
    if source.select is not None and name is None and is_divided:
        # Without a file, only the column can name what is one run, too.
        request = replaced(request, name_from="tag")
    chosen = Options.of(request)
    if request.name_from == "file":
        inputs.check_named(name, ", or its runs by a column: --run-column NAME")
    inputs = replaced(inputs, files=found)
    with inputs.opened(session, beside.values()) as (database, paths, streams):
        names = {path: inputs.name for path in paths if inputs.name}
        chosen = replaced(chosen, names=names)
        load(database, "run", paths, chosen, session.messages, streams)


def _time(text: str | None) -> str | None:
    """Return a time in UTC as a SQL literal."""
    if text is None:
        return None
    try:
        # Before 3.11, Python does not read the Z of UTC.
        return sql_time(datetime.fromisoformat(re.sub("Z$", "+00:00", text)))
    except (ValueError, OverflowError):
        raise NdcgSqlError(
            f"--run-at {text}: not a time like 2026-01-31T23:59"
        ) from None


@app.command(
    "assessments",
    cls=Command,
    epilog="ndcg-sql load assessments assessments.csv --dataset shop",
)
def load_assessments(
    context: typer.Context,
    file: _File = None,
    url: From = None,
    select: Select = None,
    table: Table = None,
    dataset: NewDataset = "default",
    name: Name = None,
    assessor: Annotated[
        str | None,
        typer.Option("--assessor", metavar="A", help="Name of the only assessor."),
    ] = None,
    assessor_column: Annotated[
        list[str] | None,
        typer.Option(
            "--assessor-column",
            metavar="NAME",
            help="Column with the grades of the assessor of that name; may be"
            " repeated.",
        ),
    ] = None,
    label: Labels = None,
    column: Columns = None,
    query: OneQuery = None,
    format_in: FormatIn = None,
    replace: Replace = False,
) -> None:
    """Load the grades of assessors; adjudicate makes a judgment set from them."""
    from ndcg_sql.loading.assessments import Assessors, check_assessors, load
    from ndcg_sql.reading.layouts import Reading

    session = Session.of(context)
    messages = session.messages
    columns = chosen_columns(column)
    who = Assessors(assessor, tuple(assessor_column or ()), chosen_labels(label))
    check_assessors(who, columns)
    reading = Reading(columns, chosen_format(format_in), query)
    inputs = Inputs.of([file], url, select, table, format_in=format_in)
    inputs.check_named(name)
    named = (dataset, name or inputs.name, reading, who, replace)
    with inputs.opened(session) as (database, [path], streams):
        load(database, path, *named, messages, streams)


@app.command(
    "values",
    cls=Command,
    epilog="ndcg-sql load values values --dataset shop",
)
def load_values(
    context: typer.Context,
    folder: Annotated[
        Path,
        typer.Argument(metavar="DIR", help="The folder that ndcg-sql spark wrote."),
    ],
    dataset: NewDataset = "default",
    judgments: Judgments = None,
    name: Annotated[
        str | None,
        typer.Option(
            "--name",
            metavar="N",
            help="Name of the run, if the folder has only one; by default, runs keep"
            " the names of Spark's run column, or the name of the folder.",
        ),
    ] = None,
    tag: _Tags = None,
    run_at: _RunAt = None,
    replace: Replace = False,
) -> None:
    """Load what ndcg-sql spark computed, as runs.

    Their rankings stay where they are. The warehouse must have the judgments that
    Spark used. It keeps which judged documents were returned, and at which
    positions; that gives the values of every measure.
    """
    from ndcg_sql.loading.values import Options, load

    session = Session.of(context)
    tags = key_values("--tag", tag, "model=bm25")
    chosen = Options(dataset, judgments, name, tags, _time(run_at), replace)
    with session.writing(make=False) as database:
        load(database, folder, chosen, session.messages)


@app.command(
    "queries", cls=Command, epilog="ndcg-sql load queries queries.csv --dataset shop"
)
def load_queries(
    context: typer.Context,
    file: _File = None,
    url: From = None,
    select: Select = None,
    table: Table = None,
    dataset: NewDataset = "default",
    column: Columns = None,
    format_in: FormatIn = None,
    replace: Annotated[
        bool,
        typer.Option(
            "--replace",
            help="Replace all texts, weights and attributes of the dataset's queries;"
            " otherwise, those that are not in FILE stay.",
        ),
    ] = False,
) -> None:
    """Load the text and weight of queries, and attributes to slice by."""
    from ndcg_sql.loading.queries import load
    from ndcg_sql.reading.layouts import Reading

    session = Session.of(context)
    reading = Reading(chosen_columns(column), chosen_format(format_in))
    inputs = Inputs.of([file], url, select, table, format_in=format_in)
    with inputs.opened(session) as (database, [path], streams):
        load(
            database, path, dataset, reading, session.messages, streams, replace=replace
        )


@app.command(
    "documents",
    cls=Command,
    epilog="ndcg-sql load documents corpus.jsonl --dataset scifact",
)
def load_documents(
    context: typer.Context,
    file: _File = None,
    url: From = None,
    select: Select = None,
    table: Table = None,
    dataset: NewDataset = "default",
    column: Columns = None,
    format_in: FormatIn = None,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Replace all documents of the dataset."),
    ] = False,
) -> None:
    """Load titles and addresses of documents, such as corpus.jsonl of BEIR."""
    from ndcg_sql.loading.documents import load
    from ndcg_sql.reading.layouts import Reading

    session = Session.of(context)
    reading = Reading(chosen_columns(column), chosen_format(format_in))
    inputs = Inputs.of([file], url, select, table, format_in=format_in)
    with inputs.opened(session) as (database, [path], streams):
        load(
            database, path, dataset, reading, session.messages, streams, replace=replace
        )


app.command("beir", cls=Command, epilog="ndcg-sql load beir scifact --dataset scifact")(
    beir
)
app.command(
    "msmarco", cls=Command, epilog="ndcg-sql load msmarco passages --dataset passages"
)(msmarco)
