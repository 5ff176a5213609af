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


def check_html(file: Path | None, force: bool) -> None:
    """Raise NdcgSqlError if a page is asked for that cannot be written."""
    if file is not None:
        from ndcg_sql.output.html.writing import check_page

        check_page(file, force)


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
    from ndcg_sql import __version__
    from ndcg_sql.analysis.significance import Testing
    from ndcg_sql.output.html.page import About
    from ndcg_sql.output.html.writing import write_page
    from ndcg_sql.text import harmless

    kind = "Report" if pair is None else "Gate" if gate else "Comparison"
    about = About(
        f"{kind} of {Path(database.path).name}",
        shlex.join(["ndcg-sql", *sys.argv[1:]]),
        __version__,
    )
    if testing is None:
        testing = Testing()
    write_page(database, file, about, asked, testing, pair, gate)
    messages.tell(f"wrote {harmless(str(file))}")
