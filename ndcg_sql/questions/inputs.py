"""What is evaluated and loaded, as types for annotations and type checkers.

Rows are those of a frame, of the file at a path, or of a database. Columns have the
names that the formats of files have, or columns= maps these to theirs. Frames, cursors
and the objects of other libraries are known by what they can do, not imported.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, Protocol, SupportsFloat, TypeAlias

from ndcg_sql.options import Measured
from ndcg_sql.reading.databases import Wanted


class Stream(Protocol):
    """Rows that can be read as Arrow, such as a RecordBatchReader."""

    @property
    def schema(self) -> Any: ...

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class Frame(Protocol):
    """A frame of pandas or polars, an Arrow table, a relation of DuckDB."""

    @property
    def columns(self) -> Any: ...

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


class Array(Protocol):
    """The values of a column, as an array of numpy."""

    def __array__(self) -> Any: ...


class Cursor(Protocol):
    """What a database has answered: a cursor of a driver, a result of SQLAlchemy."""

    def fetchmany(self, size: int, /) -> Any: ...


class Ids(Protocol):
    """Ids of documents in an order: a list, a tuple, an array.

    Text, which has parts too, is none, nor is a dict or a set.
    """

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[str | int]: ...

    def __contains__(self, document: object, /) -> bool: ...

    def __getitem__(self, place: int, /) -> str | int: ...


class JudgedDocument(Protocol):
    """A judgment as ir_measures and ir_datasets have it; relevance is its grade."""

    @property
    def query_id(self) -> str | int: ...

    @property
    def doc_id(self) -> str | int: ...

    @property
    def relevance(self) -> SupportsFloat | str: ...


class RankedDocument(Protocol):
    """A document of a run as ir_measures and ir_datasets have it."""

    @property
    def query_id(self) -> str | int: ...

    @property
    def doc_id(self) -> str | int: ...

    @property
    def score(self) -> SupportsFloat: ...


class OfRanx(Protocol):
    """The Qrels and the Run of ranx."""

    def to_dict(self) -> Any: ...

    def to_typed_list(self) -> Any: ...


# Ids are text or integers. A key has any type, as no dict is one of both; and only one
# part of each union is a mapping, or mypy would not infer the type of a dict from it.
_Id: TypeAlias = Any
_Table: TypeAlias = str | Path | Frame | Stream | Cursor | Wanted
_Files: TypeAlias = Sequence[str | Path]
_Qrels: TypeAlias = (
    Sequence[JudgedDocument] | Set[JudgedDocument] | Iterator[JudgedDocument]
)
_Ranking: TypeAlias = (
    Sequence[RankedDocument] | Set[RankedDocument] | Iterator[RankedDocument]
)
# Rows with named columns: a file, a frame, arrays by name, or what a database answers.
Rows: TypeAlias = Mapping[str, Array] | _Table
# The same, or several files.
RowsOfFiles: TypeAlias = Rows | _Files
# {query: {document: grade or label}}, {query: documents with grade 1}, or rows.
Judgments: TypeAlias = (
    Mapping[_Id, Mapping[_Id, SupportsFloat | str] | Ids | Set[_Id] | Array]
    | _Qrels
    | OfRanx
    | _Table
    | _Files
)
# {query: {document: score}}, {query: documents in the order of the ranking}, or rows.
Run: TypeAlias = (
    Mapping[_Id, Mapping[_Id, SupportsFloat] | Ids | Array]
    | _Ranking
    | OfRanx
    | _Table
    | _Files
)
# {query: {document: count}}, {query: documents that it knows}, or rows.
Known: TypeAlias = (
    Mapping[_Id, Mapping[_Id, SupportsFloat] | Ids | Set[_Id] | Array] | _Qrels | _Table
)
Measures: TypeAlias = Measured
