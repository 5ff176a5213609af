"""The interface of a file format; ndcg_sql.reading.formats has a module for each."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from ndcg_sql.reading.layouts import Layout, ReadRequest
from ndcg_sql.reading.sources import Source
from ndcg_sql.wording import Wording

# How certain a sniffer is, the most certain first: by bytes that begin no other
# format, by the fixed form of the first line, by its brackets, by marks inside it,
# by a form that other formats share, by the suffix, by names in the header, or
# because nothing else fits.
BYTES, FORM, BRACKETS, MARKS, SHARED, SUFFIX, HEADER, FALLBACK, NO = range(8, -1, -1)


@dataclass(frozen=True)
class Sample:
    """What a sniffer sees: the first line with data, the suffix and the request.

    binary is the format of a file that is not text.
    """

    first_line: str
    suffix: str
    binary: str | None
    request: ReadRequest


class Format(ABC):
    """A file format."""

    # As in format_in, and its line in the list of formats.
    name: ClassVar[str]
    help: ClassVar[Wording]
    suffixes: ClassVar[tuple[str, ...]] = ()
    # Whether files are not text; its name is then that of Source.binary.
    is_binary: ClassVar[bool] = False
    # Whether files have named columns, which the user can choose among.
    has_columns: ClassVar[bool] = False

    @abstractmethod
    def sniff(self, sample: Sample) -> int:
        """Return how certain it is that a file has this format."""

    @abstractmethod
    def layout(self, source: Source, request: ReadRequest) -> tuple[Layout, Source]:
        """Return how to read a file.

        The source that is returned may be a copy, with the rows as a reader wrote
        them. Raises NdcgSqlError if it has no such rows.
        """
