"""The option --html of the commands that write pages."""

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ndcg_sql.analysis.comparing import Comparison
    from ndcg_sql.analysis.gating import Verdict
    from ndcg_sql.analysis.significance import Testing
    from ndcg_sql.database.database import Database
    from ndcg_sql.evaluation.question import Request
    from ndcg_sql.system.messages import Messages


def check_html(file: Path | None, force: bool, output: Path | None) -> None:
    """Raise NdcgSqlError if a page is asked for that cannot be written.

    output is the file of -o.
    """
    if file is None:
        return
    from ndcg_sql.errors import NdcgSqlError
    from ndcg_sql.output.html.writing import check_page
    from ndcg_sql.text import harmless

    check_page(file, force)
    if output is not None and output.absolute() == file.absolute():
        raise NdcgSqlError(f"-o {harmless(str(output))}: also the file of --html")


def write_html(
    database: "Database",
    messages: "Messages",
    file: Path,
    asked: "Request",
    testing: "Testing | None" = None,
    pair: "Comparison | None" = None,
    gate: "Verdict | None" = None,
) -> None:
    """Write a page, and report that it is written."""
    from ndcg_sql.analysis.significance import Testing
    from ndcg_sql.output.html.writing import write_page
    from ndcg_sql.text import harmless

    command = shlex.join(["ndcg-sql", *sys.argv[1:]])
    write_page(database, file, command, asked, testing or Testing(), pair, gate)
    messages.tell(f"wrote {harmless(str(file))}")
