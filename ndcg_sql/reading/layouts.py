"""How a file is read: the SQL files that do it, and where its columns stand."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from ndcg_sql.database.database import Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.columns import COLUMNS, Kind
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import check_name, listed


@dataclass(frozen=True)
class Reading:
    """What a user says about how a file is to be read.

    query is the one query of a file that names none. With many_files, the
    options are for several files, and not all of them need fit this one.
    """

    columns: dict[str, str] = field(default_factory=dict[str, str])
    format_in: str | None = None
    query: str | None = None
    many_files: bool = False


@dataclass(frozen=True)
class Asked:
    """What a file is to be read as; elsewhere are columns that it need not have."""

    kind: Kind
    reading: Reading
    elsewhere: tuple[str, ...] = ()

    @property
    def named(self) -> dict[str, str]:
        """What the user calls the columns, those of other files left out."""
        reading = self.reading
        if not reading.many_files:
            return reading.columns
        own = COLUMNS[self.kind]
        return {
            column: reading.columns[column]
            for column in reading.columns
            if column in own
        }


@dataclass(frozen=True)
class Layout:
    """How to read a file.

    steps are SQL files, each of which reads the rows of the one before it
    (source_rows). fields are the places of the columns in the rows of the last
    one; the first added of them are not in the file. A line has field_range
    fields (from, to), expected says which. apart_by is what sets the fields of
    a line apart, where that is all there is to them. left_out are columns of
    queries that cannot be attributes.
    """

    steps: tuple[str, ...]
    parameters: Parameters
    fields: dict[str, int]
    field_range: tuple[int, int]
    expected: str
    apart_by: Literal["blanks", "delimiter", "other"] = "other"
    attributes: dict[str, int] = field(default_factory=dict[str, int])
    left_out: tuple[str, ...] = ()
    added: int = 0
    # Whether rows are told by their own numbers, not by those of their lines.
    by_row: bool = False
    # Whether the rows are a list whose documents may have no names.
    is_list: bool = False
    # Whether the queries are numbered by a file of groups.
    is_grouped: bool = False

    def with_front(
        self, column: str, step: str, parameters: Parameters, is_grouped: bool = False
    ) -> "Layout":
        """Return a layout with one more step, which puts a column in front."""
        return replace(
            self,
            steps=(*self.steps, step),
            parameters={**self.parameters, **parameters},
            fields={c: at + 1 for c, at in self.fields.items()} | {column: 1},
            added=self.added + 1,
            apart_by="other",
            is_grouped=is_grouped,
        )


def blank_separated(
    source: Source, fields: dict[str, int], field_range: tuple[int, int], expected: str
) -> Layout:
    """Return how to read a file whose fields are set apart by blanks."""
    return Layout(
        ("read/lines", "read/blank_separated"),
        {"path": glob_safe(source.readable)},
        fields,
        field_range,
        expected,
        apart_by="blanks",
    )


def scores(source: Source) -> Layout:
    """Return how to read a file of scores, one for each row of what is listed."""
    return Layout(
        ("read/lines", "read/blank_separated", "read/scores"),
        {"path": glob_safe(source.readable)},
        {"query_id": 1, "doc_id": 2, "score": 3},
        (3, 3),
        "a score, or query, index and score with the query of the list's row",
    )


def glob_safe(path: Path) -> str:
    """Return a path as DuckDB must be told it, to read that exact file."""
    replaced = (f"[{c}]" if c in "[*?" else c for c in str(path.absolute()))
    return "".join(replaced)


def attributes(
    source: Source, kind: Kind, header: list[str], used: Iterable[int]
) -> dict[str, int]:
    """Return the places of the other columns of queries; refuse odd names."""
    if kind != "queries":
        return {}
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        raise NdcgSqlError(
            f"{source.shown}: several columns are called {listed(twice)}; rename one"
        )
    taken = set(used)
    places = {name: i for i, name in enumerate(header, 1) if i not in taken}
    for name in places:
        fault = check_name("attribute", name)
        if fault:
            raise NdcgSqlError(f"{source.shown}: {fault}; rename the column")
    return places
