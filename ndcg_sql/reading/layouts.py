"""How a file is read: its format, the SQL files that read it, and its columns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters, Row
from ndcg_sql.fields import stated
from ndcg_sql.reading.columns import COLUMNS, NO_RUNS, Kind
from ndcg_sql.reading.sources import Source
from ndcg_sql.wording import Wording

# How certain a sniffer is, the most certain first: by bytes that begin no other
# format, by the fixed form of the first line, by its brackets, by marks inside it,
# by a form that other formats share, by the suffix, by names in the header, or
# because nothing else fits.
BYTES, FORM, BRACKETS, MARKS, SHARED, SUFFIX, HEADER, FALLBACK, NO = range(8, -1, -1)


@dataclass(frozen=True)
class Reading:
    """A user's options for reading a file.

    query and grade are those of all rows of a file that states none. wanted are further
    columns to be read, elsewhere those that a file need not have; where are columns
    with the only value whose rows are read. run_column may be columns.NO_RUNS; None
    means a column of a usual name, if any. With many_files, not all options need apply
    to this file. Where rows of a run are chunks, unit is the column of their documents,
    or a document is the id up to the last unit_before.
    """

    columns: dict[str, str] = field(default_factory=dict[str, str])
    format_in: str | None = None
    query: str | None = None
    run_column: str | None = None
    many_files: bool = False
    grade: float | None = None
    wanted: tuple[str, ...] = ()
    decimal: str | None = None
    encoding: str | None = None
    where: Mapping[str, str] = field(default_factory=dict[str, str])
    elsewhere: tuple[str, ...] = ()
    duplicates: str = "refuse"
    unit: str | None = None
    unit_before: str | None = None

    def stated(self, method: str) -> dict[str, object]:
        """Return those that a user stated for a method that loads."""
        return stated(method, vars(self))


@dataclass(frozen=True)
class ReadRequest:
    """What to read a file as, and what sniffers see of it.

    first_line is the first one with data, binary the format of a file that is not text.
    """

    kind: Kind
    reading: Reading
    first_line: str = ""
    suffix: str = ""
    binary: str | None = None

    @property
    def named(self) -> dict[str, str]:
        """The user's names of the columns, without those of other files."""
        columns = dict(self.reading.columns)
        if self.kind == "run" and self.reading.run_column not in (None, NO_RUNS):
            columns["run"] = self.reading.run_column
        if self.kind == "run" and self.reading.unit is not None:
            columns["doc_id"] = self.reading.unit
        if not self.reading.many_files:
            return columns
        allowed = COLUMNS[self.kind]
        return {column: name for column, name in columns.items() if column in allowed}


@dataclass(frozen=True)
class Layout:
    """How to read a file.

    source is the file, or a copy with the rows as a reader wrote them. names are those
    of the columns that it reads, column_names those of the columns with
    a meaning. steps are SQL files, each of which reads the rows of the one before it
    (source_rows). fields are the places of the columns in the rows of the last step;
    the first added of them are not in the file. A line has field_range fields (from,
    to), which expected describes. apart_by is what separates them, if splitting there
    is enough. attributes are the places of further columns; left_out are those that
    cannot be attributes, as their values are nested; ignored have no meaning. typed are
    the columns whose values are numbers by their type, not text.
    """

    source: Source
    steps: tuple[str, ...] = ()
    parameters: Parameters = field(default_factory=Parameters)
    fields: dict[str, int] = field(default_factory=dict[str, int])
    field_range: tuple[int, int] = (0, 0)
    expected: str = ""
    apart_by: Literal["blanks", "delimiter", "other"] = "other"
    attributes: dict[str, int] = field(default_factory=dict[str, int])
    left_out: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    names: Sequence[str] = ()
    column_names: dict[str, str] = field(default_factory=dict[str, str])
    run_column: str | None = None
    typed: frozenset[str] = frozenset()
    added: int = 0
    # Whether the rows are a learning-to-rank list, whose documents may have no names.
    is_list: bool = False
    # Whether the rows are lists without scores, whose order is the ranking.
    is_ordered: bool = False
    # Whether the document is null where a run answers a query with none.
    has_empty: bool = False
    # The format, if it is a guess: a first line of a form of its own proves it.
    guess: str | None = None

    def with_front(
        self, columns: str | tuple[str, ...], step: str, parameters: Parameters
    ) -> "Layout":
        """Return a layout with another step, which adds columns in front."""
        columns = (columns,) if isinstance(columns, str) else columns
        more = len(columns)
        fields = {column: at + more for column, at in self.fields.items()}
        return replace(
            self,
            steps=(*self.steps, step),
            parameters={**self.parameters, **parameters},
            fields={**fields, **{one: at for at, one in enumerate(columns, 1)}},
            attributes={name: at + more for name, at in self.attributes.items()},
            added=self.added + more,
            apart_by="other",
        )

    def of_records(self, source: Source, width: int = 0) -> "Layout":
        """Return a layout of the records of a source, filled up to a width."""
        parameters: Parameters = {"path": glob_safe(source.readable), "width": width}
        steps = ("read/records",)
        return replace(self, source=source, steps=steps, parameters=parameters)

    @property
    def widths(self) -> Parameters:
        """What the checks of its rows are to know of their numbers of fields."""
        fewest, most = self.field_range
        return {
            "added_fields": self.added,
            "fewest_fields": fewest,
            "most_fields": most,
            "expected": self.expected,
        }

    def rows(self, database: Database, *files: str, **places: object) -> list[Row]:
        """Return what SQL files, with parameters, find in the rows as they are read."""
        select = sql_files.composed((*self.steps, *files))
        return database.execute(select, {**self.parameters, **places})

    def without(self, column: str) -> "Layout":
        """Return a layout in which a column has no meaning."""
        fields = {name: at for name, at in self.fields.items() if name != column}
        return replace(self, fields=fields)

    def with_rows_of(self, where: Mapping[str, str]) -> "Layout":
        """Return a layout that reads only the rows with these values of columns."""
        # A column of queries may have a meaning, such as that of the weight.
        names = self.column_names.items()
        meant = {name: self.fields[c] for c, name in names if c in self.fields}
        places = [{**meant, **self.attributes}[column] for column in where]
        chosen: Parameters = {"where_fields": places, "where_values": [*where.values()]}
        return replace(
            self,
            steps=(*self.steps, "read/chosen_rows"),
            parameters={**self.parameters, **chosen},
            apart_by="other",
        )


@dataclass(frozen=True)
class Format:
    """A file format; ndcg_sql.reading.formats has a module for each.

    sniff returns how certain it is that a file has the format, layout how to read a
    file. The name of a format that is not text is that of Source.binary.
    has_columns is whether files have named columns, which delimiters may separate.
    """

    name: str
    help: Wording
    sniff: Callable[[ReadRequest], int]
    layout: Callable[[Source, ReadRequest], Layout]
    suffixes: tuple[str, ...] = ()
    is_binary: bool = False
    has_columns: bool = True
    delimiters: str = ""


def scores(source: Source) -> Layout:
    """Return how to read a file of scores, one for each row of a list."""
    return Layout(
        source,
        ("read/lines", "read/blank_separated", "read/scores"),
        {"path": glob_safe(source.readable)},
        {"query_id": 1, "doc_id": 2, "score": 3},
        (3, 3),
        "a score, or query, index and score with the query of the list's row",
    )


def glob_safe(path: Path) -> str:
    """Return a path escaped so that DuckDB reads that exact file."""
    replaced = (f"[{c}]" if c in "[*?" else c for c in str(path.absolute()))
    return "".join(replaced)
