"""Figures written to files, without harm to files that are no figures of ours."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ndcg_sql.comparison.answers import Rows
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.output.figures.drawing import MARK
from ndcg_sql.output.writing import delivered, write_data
from ndcg_sql.system import output_files
from ndcg_sql.text import harmless
from ndcg_sql.wording import Wording, named, use

SUFFIXES = (".svg", ".png", ".pdf")


@dataclass(frozen=True)
class Target:
    """A file for a figure, which may be replaced if it exists."""

    path: Path
    shown: Wording
    force: bool = False

    @property
    def suffix(self) -> str:
        """The suffix, one of SUFFIXES."""
        return self.path.suffix.lower()

    @property
    def data(self) -> Path:
        """The file for the rows that are drawn."""
        return self.path.with_suffix(".csv")


def check(path: Path, force: bool) -> Target:
    """Return a file as the target of a figure.

    Raises NdcgSqlError for an unknown suffix, a missing directory, and without
    force for a file that is no figure of ours.
    """
    target = Target(path, use(output=str(path)), force)
    if target.suffix not in SUFFIXES:
        suffixes = ", ".join(SUFFIXES)
        raise NdcgSqlError(f"the suffix must be one of {suffixes}", where=target.shown)
    output_files.check_target(path, target.shown)
    if not force and output_files.is_foreign(path, MARK, target.shown):
        raise NdcgSqlError(
            "exists and is not a figure of ndcg-sql",
            "name another file, or replace it with " + use(force=True),
            where=target.shown,
        )
    return target


def write(target: Target, content: bytes) -> None:
    """Write a figure, or leave the file as it was."""
    with output_files.replaced(target.path, target.shown) as new:
        new.write_bytes(content)


def save(
    warehouse: Path, target: Target, content: bytes, data: Rows | None
) -> list[Path]:
    """Write a figure, and the rows that it shows as CSV if they are given.

    Returns the files. Raises NdcgSqlError, and writes nothing, where a file is not
    ours, or is the warehouse itself.
    """
    if data is not None:
        _check_data(target, data.columns)
    with delivered(warehouse, target.path) as new:
        new.write_bytes(content)
    if data is None:
        return [target.path]
    write_data(data, "csv", target.data, warehouse)
    return [target.path, target.data]


def _check_data(target: Target, columns: Sequence[str]) -> None:
    shown = named("data") + f": {harmless(str(target.data))}"
    output_files.check_target(target.data, shown)
    if target.force or not target.data.is_file():
        return
    head = io.StringIO()
    csv.writer(head, lineterminator="\n").writerow(columns)
    with target.data.open("rb") as content:
        first = content.read(len(head.getvalue().encode()))
    if first and first != head.getvalue().encode():
        raise NdcgSqlError(
            "exists and is not the data of such a figure",
            "move it, or replace it with " + use(force=True),
            where=shown,
        )
