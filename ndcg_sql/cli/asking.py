"""A request answered on standard output, or carried out."""

import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.printing import Printing
from ndcg_sql.requests.shared import Request
from ndcg_sql.text import harmless
from ndcg_sql.wording import named, use

if TYPE_CHECKING:
    from ndcg_sql.analysis.answers import Answer


def answered(
    context: typer.Context,
    request: Request,
    printing: Printing,
    then: "Callable[[Answer], None] | None" = None,
    is_bounded: bool = True,
) -> None:
    """Print the answer to a request; then is called while the warehouse is open."""
    from ndcg_sql.output.writing import check_printing, write

    check_printing(printing, request.inputs)
    for name in ("html", "junit"):
        file: Path | None = getattr(request, name, None)
        if file and printing.output and file.absolute() == printing.output.absolute():
            raise NdcgSqlError(
                "also the file of " + named(name),
                "name another",
                where=use(output=str(printing.output)),
            )
    session = Session.of(context)
    session.limits = replace(session.limits, is_bounded=is_bounded)
    command = shlex.join(["ndcg-sql", *sys.argv[1:]])
    with session.warehouse_for(request) as warehouse:
        answer = warehouse.answer(request, session.messages)
        write(answer, printing, session.warehouse)
        warehouse.write_page(answer, command)
        if (html := getattr(request, "html", None)) is not None:
            session.messages.tell(f"wrote {harmless(str(html))}")
        if then is not None:
            then(answer)


def changed(context: typer.Context, request: object, makes: bool = False) -> None:
    """Change the warehouse as a request says; only makes may make one."""
    session = Session.of(context)
    is_dry = getattr(request, "dry_run", False)
    opened = session.warehouse_read() if is_dry else session.warehouse_written(makes)
    with opened as warehouse:
        warehouse.change(request, session.messages)
