"""A request answered on standard output, or carried out."""

import shlex
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ndcg_sql.cli.beside import Inputs
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import method_of
from ndcg_sql.requests.printing import Printing
from ndcg_sql.requests.shared import Request
from ndcg_sql.system.output_files import discard_output
from ndcg_sql.text import harmless
from ndcg_sql.wording import Blank, Text, call, named, use

if TYPE_CHECKING:
    from ndcg_sql.comparison.answers import Answer
    from ndcg_sql.requests.loading import Loading
    from ndcg_sql.requests.publishing import Copied


def answered(
    session: Session,
    request: Request,
    printing: Printing,
    then: "Callable[[Answer], None] | None" = None,
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
    session.limits = replace(session.limits, is_bounded=request.is_bounded)
    command = shlex.join(["ndcg-sql", *sys.argv[1:]])
    with session.warehouse_for(request) as warehouse:
        answer = warehouse.answer(request, session.messages)
        try:
            write(answer, printing, session.path)
        except BrokenPipeError:
            # Its reader has read enough; a page and the exit code do not depend on it.
            discard_output()
        warehouse.write_page(answer, command)
        if (html := getattr(request, "html", None)) is not None:
            session.messages.tell(f"wrote {harmless(str(html))}")
        if then is not None:
            then(answer)


def changed(session: Session, request: object) -> None:
    """Change the warehouse as a request says."""
    session.warehouse().change(request, session.messages)


def loaded(session: Session, inputs: Inputs, request: "Loading") -> None:
    """Load files, or rows of a database."""
    if inputs.url is None and not inputs.paths:
        raise NdcgSqlError(
            Text(
                "name a file to load, or a database: ",
                use(url=Blank("URL")),
                "; see ",
                call(method_of(type(request))),
                " --help",
            )
        )
    content = inputs.content(session.wait)
    request = inputs.with_name(request)
    session.warehouse().load(request, content, session.messages)


def copied(session: Session, request: "Copied") -> None:
    """Write what the warehouse holds to somewhere else."""
    session.warehouse().copy(request, session.messages)
