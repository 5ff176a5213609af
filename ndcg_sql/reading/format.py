"""What a format of files is; ndcg_sql.reading.formats has one module for each."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from ndcg_sql.reading.layouts import Asked, Layout
from ndcg_sql.reading.sources import Source

# How sure a sniffer can be, the surest first: by bytes that begin no other format,
# by the fixed form of the first line, by its brackets, by marks inside it, by a
# form that other formats share, by the suffix, by names in the header, or because
# nothing else fits.
BYTES, FORM, BRACKETS, MARKS, SHARED, SUFFIX, HEADER, FALLBACK, NO = range(8, -1, -1)


@dataclass(frozen=True)
class Sample:
    """What a sniffer sees: the first line with data, the suffix, what is asked for."""

    first_line: str
    suffix: str
    is_parquet: bool
    asked: Asked


class Format(ABC):
    """A format of files."""

    # As --format-in has it, and what is said of it in a list of formats.
    name: ClassVar[str]
    help: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]] = ()
    # Whether files have named columns, which --column can choose among.
    has_columns: ClassVar[bool] = False
    # What to do where a file does not name its queries.
    query_remedy: ClassVar[str] = "name its query: --query ID"

    @abstractmethod
    def sniff(self, sample: Sample) -> int:
        """Return how sure it is that a file has this format."""

    @abstractmethod
    def layout(self, source: Source, asked: Asked) -> tuple[Layout, Source]:
        """Return how to read a file.

        The source may be another one afterwards: rows that a reader wrote down.
        Raises NdcgSqlError where it has no such rows.
        """
