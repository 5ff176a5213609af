"""A question answered on standard output, or a change carried out."""

import shlex
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ndcg_sql.cli.beside import Inputs
from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import method_of
from ndcg_sql.requests.printing import Printing
from ndcg_sql.requests.questions import EvalRequest
from ndcg_sql.system.output_files import discard_output
from ndcg_sql.text import harmless
from ndcg_sql.wording import Blank, Text, call, named, use

if TYPE_CHECKING:
    from ndcg_sql.comparison.answers import Answer
    from ndcg_sql.questions.handle import Handle
    from ndcg_sql.requests.loading import Loading
    from ndcg_sql.requests.publishing import Copied


def answered(
    session: Session,
    question: "partial[Answer]",
    printing: Printing,
    then: "Callable[[Answer], None] | None" = None,
    inputs: Sequence[Path] = (),
) -> None:
    """Print the answer to a question; then is called while the warehouse is open.

    inputs are the files that it reads.
    """
    from ndcg_sql.output.writing import check_printing, write
    from ndcg_sql.python.methods import write_page

    check_printing(printing, inputs)
    for name in ("html", "junit"):
        file: Path | None = question.keywords.get(name)
        if file and printing.output and file.absolute() == printing.output.absolute():
            raise NdcgSqlError(
                "also the file of " + named(name),
                "name another",
                where=use(output=str(printing.output)),
            )
    command = shlex.join(["ndcg-sql", *sys.argv[1:]])
    with session.handle(question) as warehouse:
        answer = question(warehouse)
        try:
            write(answer, printing, session.path)
        except BrokenPipeError:
            # Its reader has read enough; a page and the exit code do not depend on it.
            discard_output()
        if page := write_page(warehouse, answer, command):
            session.messages.tell(f"wrote {harmless(str(page))}")
        if then is not None:
            then(answer)


def evaluated(session: Session, request: EvalRequest, printing: Printing) -> None:
    """Print the values of runs straight from files."""

    def values(warehouse: "Handle") -> "Answer":
        """Return the values."""
        from ndcg_sql.reports import one_shot

        return one_shot.answer(warehouse.scratch, warehouse.messages, request)

    answered(session, partial(values), printing, inputs=request.inputs)


def changed(session: Session, question: "partial[Any]") -> None:
    """Change the warehouse."""
    with session.handle(question) as warehouse:
        question(warehouse)


def requested(session: Session, request: object) -> None:
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
