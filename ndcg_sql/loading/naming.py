"""Names of runs by a pattern, such as {Week}/{Engine}: of columns, tags, file, time."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.wording import Text, use

# A field in braces, a doubled brace that means itself, or a single one that is wrong.
_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]+)\}|([{}])|([^{}]+)")
# The field that is the name of the file, and that of the run by its column.
FILE = "file"
RUN = "run"
# The fields that are parts of the time of a run, where it is given.
TIMES = ("date", "time")


@dataclass(frozen=True)
class Piece:
    """A part of a name: text, or the value of a column."""

    text: str = ""
    column: str | None = None


@dataclass(frozen=True)
class Naming:
    """How the runs of a file are named: by pieces, one after another."""

    pattern: str
    pieces: tuple[Piece, ...]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of the file that are part of a name, RUN among them."""
        return tuple(
            dict.fromkeys(piece.column for piece in self.pieces if piece.column)
        )

    @property
    def text(self) -> str:
        """The name; empty if a column is part of it."""
        if self.columns:
            return ""
        return "".join(piece.text for piece in self.pieces)


def is_pattern(name: str | None) -> bool:
    """Return whether a name is a pattern, not a name."""
    return name is not None and bool(re.search("[{}]", name))


def naming(
    pattern: str, file: str, tags: Mapping[str, str], run_at: str | None
) -> Naming:
    """Return how a pattern names the runs of a file.

    A field in braces is a tag, file, date and time (of run_at, if it is given), or
    else a column; a doubled brace means itself. Raises NdcgSqlError for a single
    brace.
    """
    values = {FILE: file}
    if run_at is not None:
        time = datetime.fromisoformat(run_at)
        parts = (time.date().isoformat(), time.isoformat())
        values |= dict(zip(TIMES, parts, strict=True))
    values |= tags
    pieces: list[Piece] = []
    for match in _PIECE.finditer(pattern):
        field, wrong, text = match.groups()
        if wrong:
            raise NdcgSqlError(
                f"a single {wrong}",
                Text(
                    "a field stands in braces, such as ",
                    use(name="{file}-{Engine}"),
                    "; a brace of a name is doubled",
                ),
                where=use(name=pattern),
            )
        if field is None:
            pieces.append(Piece(text or match[0][0]))
        elif field in values:
            pieces.append(Piece(values[field]))
        else:
            pieces.append(Piece(column=field))
    return Naming(pattern, tuple(pieces))


def field(column: str) -> str:
    """Return a column as a pattern names it."""
    return "{" + (RUN if re.search("[{}]", column) else column) + "}"
