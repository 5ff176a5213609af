"""Pages written to files: what an answer says, and what belongs to it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ndcg_sql.comparison.significance import Testing, Verdict
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.figures.drawing import check_installed
from ndcg_sql.output.html.page import MARK, page
from ndcg_sql.output.writing import delivered
from ndcg_sql.reports.overview import Overview
from ndcg_sql.system import output_files
from ndcg_sql.text import counted
from ndcg_sql.wording import use


def check_page(file: Path, force: bool) -> None:
    """Raise NdcgSqlError if a page cannot be written to a file.

    A file that is no page of ndcg-sql is only replaced with force. Call this
    before anything is computed.
    """
    check_installed()
    shown = use(html=str(file))
    output_files.check_target(file, shown)
    if file.suffix.lower() not in (".html", ".htm"):
        raise NdcgSqlError("the suffix must be .html", where=shown)
    if not force and output_files.is_foreign(file, MARK, shown):
        raise NdcgSqlError(
            "exists and is not a page of ndcg-sql",
            "add " + use(force=True) + " to replace it",
            where=shown,
        )


def write_page(
    warehouse: Path,
    file: Path,
    command: str,
    boards: Sequence[Overview],
    about: Mapping[str, Any],
) -> None:
    """Write a page to a file, which is replaced as a whole.

    command is what asked for the page; about belongs to the answer that it shows.
    """
    testing: Testing = about.get("testing", Testing())
    gate: Verdict | None = about.get("verdict")
    content = page(_title(boards, gate), command, boards, testing, gate)
    with delivered(warehouse, file, shown=use(html=str(file))) as path:
        path.write_text(content, encoding="utf-8")


def _title(boards: Sequence[Overview], gate: Verdict | None) -> str:
    datasets = _some([board.dataset for board in boards])
    queries = counted(
        sum(board.query_count for board in boards), "query", "queries", ","
    )
    days = {board.loaded_at for board in boards}
    if len(days) == 1 and "" not in days:
        queries += f", judgments loaded {days.pop()}"
    first = boards[0]
    if not first.is_comparison:
        runs = counted(sum(len(board.runs) for board in boards), "run", form=",")
        return f"{datasets}: {runs}, {queries}"
    pair = f"{_some(first.candidates)} against {first.baseline}"
    return f"{'Gate of ' if gate else ''}{pair}: {datasets}, {queries}"


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more
