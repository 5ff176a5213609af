"""The commands that ask: a request in, its answer on standard output."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ndcg_sql.cli.requests import command
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.printing import Printing
from ndcg_sql.requests.shared import Request
from ndcg_sql.text import harmless
from ndcg_sql.wording import named, use

if TYPE_CHECKING:
    from ndcg_sql.analysis.answers import Answer


def question(
    name: str,
    request: type[Request],
    *,
    epilog: str,
    help: str,  # noqa: A002 - as typer calls it
    printing: type[Printing] = Printing,
) -> typer.Typer:
    """Return the app of a command that prints the answer to a request."""
    app = typer.Typer()

    def ask(context: typer.Context, request: Request, printing: Printing) -> None:
        answered(context, request, printing)

    ask.__doc__ = help
    command(app, request, printing, name=name, epilog=epilog)(ask)
    return app


def answered(
    context: typer.Context,
    request: Request,
    printing: Printing,
    then: "Callable[[Answer], None] | None" = None,
) -> None:
    """Print the answer to a request; then is called while the warehouse is open."""
    from ndcg_sql.output.writing import check_printing, write

    check_printing(printing)
    for name in ("html", "junit"):
        file: Path | None = getattr(request, name, None)
        if file and printing.output and file.absolute() == printing.output.absolute():
            raise NdcgSqlError(
                "also the file of " + named(name),
                "name another",
                where=use(output=str(printing.output)),
            )
    session = Session.of(context)
    asked_by = shlex.join(["ndcg-sql", *sys.argv[1:]])
    with session.warehouse_read() as warehouse:
        answer = warehouse.answer(request, session.messages)
        write(answer, printing, session.warehouse)
        warehouse.write_page(answer, asked_by)
        if (html := getattr(request, "html", None)) is not None:
            session.messages.tell(f"wrote {harmless(str(html))}")
        if then is not None:
            then(answer)
