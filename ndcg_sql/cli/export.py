"""ndcg-sql export: a run or judgment set as a file that loads again."""

import typer

from ndcg_sql.cli.requests import command
from ndcg_sql.cli.sections import Group
from ndcg_sql.cli.session import Session
from ndcg_sql.requests.publishing import ExportRequest

app = typer.Typer(
    cls=Group,
    help="Write a run or a judgment set to a file.",
    no_args_is_help=True,
)


@command(
    app,
    ExportRequest,
    name="run",
    epilog="ndcg-sql export run hybrid -o hybrid.csv",
    kind="run",
)
def export_run(context: typer.Context, request: ExportRequest) -> None:
    """Write a run: query, document, rank and score."""
    _export(context, request)


@command(
    app,
    ExportRequest,
    name="judgments",
    epilog="ndcg-sql export judgments judgments -o judgments.parquet",
    kind="judgments",
)
def export_judgments(context: typer.Context, request: ExportRequest) -> None:
    """Write a judgment set: query, document, grade and label."""
    _export(context, request)


def _export(context: typer.Context, request: ExportRequest) -> None:
    """Write what a request says."""
    from ndcg_sql.output import exporting

    session = Session.of(context)
    with session.reading() as database:
        message = exporting.export(database, request)
    session.messages.tell(message)
