"""Figures written to files, without harm to files that are no figures of ours."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from ndcg_sql.comparison.answers import Rows
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.writing import check_own, delivered, write_data
from ndcg_sql.system import output_files
from ndcg_sql.text import harmless
from ndcg_sql.wording import named, use

SUFFIXES = (".svg", ".png", ".pdf")


def check(path: Path, force: bool) -> None:
    """Raise NdcgSqlError if no figure can be written to a file.

    Without force, this is so for a file that is no figure of ours.
    """
    check_own(path, use(output=str(path)), SUFFIXES, "figure", force)


def save(
    warehouse: Path, path: Path, content: bytes, data: Rows | None, force: bool
) -> list[Path]:
    """Write a figure, and the rows that it shows as CSV if they are given.

    Returns the files. Raises NdcgSqlError, and writes nothing, where a file is not
    ours, or is the warehouse itself.
    """
    beside = path.with_suffix(".csv")
    if data is not None:
        _check_data(beside, data.columns, force)
    with delivered(warehouse, path) as new:
        new.write_bytes(content)
    if data is None:
        return [path]
    write_data(data, "csv", beside, warehouse)
    return [path, beside]


def _check_data(file: Path, columns: Sequence[str], force: bool) -> None:
    shown = named("data") + f": {harmless(str(file))}"
    output_files.check_target(file, shown)
    if force or not file.is_file():
        return
    head = io.StringIO()
    csv.writer(head, lineterminator="\n").writerow(columns)
    wanted = head.getvalue().encode()
    with file.open("rb") as content:
        first = content.read(len(wanted))
    if first and first != wanted:
        raise NdcgSqlError(
            "exists and is not the data of such a figure",
            "move it, or replace it with " + use(force=True),
            where=shown,
        )
