"""Input files: their bytes are checked and counted before DuckDB reads them.

One pass over the decompressed bytes computes their SHA-256 and detects whether
DuckDB can read the file as it is. If not (compressed, UTF-16, carriage returns, a
byte order mark, bytes that are not text), a clean copy is written, in which every
line keeps its number and a line with a fault is blank.
"""

import codecs
import errno
import itertools
import os
import re
import select
import shutil
import stat
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from io import FileIO
from operator import attrgetter
from pathlib import Path
from typing import Literal, TextIO

from ndcg_sql.errors import DISK_FULL, NdcgSqlError
from ndcg_sql.reading.compression import CHUNK, check_foreign, decompressed
from ndcg_sql.reading.scanning import NO_TEXT, WINDOWS, Fault, clean_copy, scanned
from ndcg_sql.system import progress
from ndcg_sql.system.files import temporary_folder
from ndcg_sql.system.messages import Collected, Messages
from ndcg_sql.system.paths import check_kind, descriptor, shown, stream
from ndcg_sql.text import counted, harmless, number, unstorable
from ndcg_sql.wording import Call, Text, Wording, use

# What identifies a file, and what changes with its content.
_identity = attrgetter("st_dev", "st_ino", "st_size", "st_mtime_ns")
# What the first line of a file says to Excel, and to nobody else.
_SEPARATOR = re.compile("\ufeff?sep=(.)[\r\n]*", re.IGNORECASE)
# The places of the numbers in a line of TREC's and MS MARCO's files, from 0, by the
# number of its fields. In a list of two fields, there are none.
_NUMBERS: Mapping[int, tuple[int, ...]] = {2: (), 3: (2,), 4: (3,), 6: (3, 4)}
_INFINITE = re.compile("[+-]?(inf|infinity)", re.IGNORECASE)
# From how many bytes on numpy reads a clean file: a smaller one would take longer, for
# the import. What is not stored has no rows then in which to look for odd ids, and so
# begins later than what is stored. What is compressed is smaller than its content.
LARGE, LARGE_PACKED, LARGE_STORED = 1 << 24, 1 << 22, 1 << 20


@dataclass(frozen=True)
class Source:
    """A readable file: its clean bytes and what is known about them.

    folder holds copies and is removed when the file is closed. has_comments is whether
    lines begin with #, comments the number of those that are blank in the readable
    file. empty_queries have a list of documents that is empty. Of rows of a database,
    noted is where they come from, argument what names them in a call, and types are
    those of columns that are text only here. unit is what messages number: lines, if
    those of the readable file are those of the original. listed is the list to whose
    rows the scores of a file belong. A glimpse knows of the beginning only.
    """

    shown: str
    folder: Path
    original: Path
    readable: Path
    content_hash: str = ""
    binary: Literal["parquet", "excel"] | None = None
    has_quotes: bool = False
    has_comments: bool = False
    faults: tuple[Fault, ...] = ()
    comments: int = 0
    empty_queries: tuple[str, ...] = ()
    noted: str = ""
    types: Mapping[str, str] = field(default_factory=dict[str, str])
    argument: Call | None = None
    unit: Literal["line", "row", "item"] = "line"
    listed: "Source | None" = None
    glimpse: "Glimpse | None" = None

    def text(self) -> TextIO:
        """Open the readable file, line by line; what is no text is replaced."""
        return self.readable.open(encoding="utf-8", errors="replace", newline="\n")

    def at(self, place: int) -> str:
        """Return where a line, row or item is, for a message."""
        between = ":" if self.unit == "line" else f": {self.unit} "
        return f"{self.shown}{between}{place}"

    def error(
        self, what: Wording, remedy: Wording = "", needs: Collection[str] = ()
    ) -> NdcgSqlError:
        """Return the refusal of the file."""
        return NdcgSqlError(Text(f"{self.shown}: ", what), remedy, needs=needs)


Streams = Mapping[Path, Source]


@dataclass(frozen=True)
class Glimpse:
    """All content of a file of which the beginning was looked at, to be read once.

    is_sound returns whether the file that was read is what it was, without a warning;
    whole opens it to be looked at.
    """

    chunks: Iterator[bytes]
    is_sound: Callable[[], bool]
    whole: Callable[[], Source]


@contextmanager
def streams(
    paths: list[Path], messages: Messages, scratch: Path | None = None
) -> Generator[Streams]:
    """Give those of the paths that are streams, each read to its end.

    Call this before a warehouse is opened: the program that writes to a pipe may be
    slow, or read the same warehouse.
    """
    piped = [path for path in paths if stream(path) is not None]
    for path in piped:
        if [stream(other) for other in piped].count(stream(path)) > 1:
            raise NdcgSqlError(f"{shown(path)}: can be read only once; name it once")
    with ExitStack() as stack:
        yield {
            path: stack.enter_context(opened(path, messages, scratch)) for path in piped
        }


@contextmanager
def opened(
    path: Path,
    messages: Messages,
    scratch: Path | None = None,
    streams: Streams | None = None,
) -> Generator[Source]:
    """Check a file and give it in a form that DuckDB can read.

    Copies go to scratch. A file among the streams is already open. Raises NdcgSqlError
    if the file cannot be read, is damaged, or changes while it is read.
    """
    if streams and path in streams:
        yield streams[path]
        return
    name = shown(path)
    check_kind(path, name)
    with temporary_folder(scratch) as folder:
        with blaming(name, folder):
            if stream(path) is not None:
                path = _received(path, name, folder, messages)
            before = path.stat()
            unpacked = decompressed(path, name, messages)
            chunks = iter(unpacked or file_chunks(path))
            first = next(chunks, b"")
            chunks = itertools.chain((first,), chunks)
            original = path
            is_utf16 = first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
            is_utf16 = is_utf16 and not first.startswith(codecs.BOM_UTF32_LE)
            if is_utf16:
                chunks = _of_utf16(chunks, name)
            # DuckDB takes only names that are text.
            if unpacked or is_utf16 or unstorable(str(path.absolute())):
                original = folder / "content"
                chunks = _copied(chunks, original)
            source = _source(name, folder, original, chunks)
        yield source
        with blaming(name, folder):
            _check_unchanged(name, before, path.stat())


@contextmanager
def blaming(name: str, folder: Path) -> Generator[None]:
    """Raise an OSError as an NdcgSqlError that names the file being read.

    If the disk is full, it names the folder of the copies instead.
    """
    try:
        yield
    except FileNotFoundError:
        raise NdcgSqlError(f"{name}: the file no longer exists") from None
    except OSError as error:
        if error.errno in DISK_FULL:
            raise NdcgSqlError(
                f"{harmless(str(folder.parent))}: no space left on the disk for a copy"
                f" of {name}; make room and try again"
            ) from error
        raise NdcgSqlError(f"{name}: {error.strerror or error}") from error


def _check_unchanged(name: str, before: os.stat_result, after: os.stat_result) -> None:
    """Raise NdcgSqlError if a file was changed or replaced."""
    if _identity(before) != _identity(after):
        raise NdcgSqlError(
            f"{name}: changed while being read; load it when it is complete"
        )


def _received(path: Path, name: str, folder: Path, messages: Messages) -> Path:
    """Read a stream to its end, as it is; return the copy."""
    number = descriptor(path)
    if number is not None and os.isatty(number):
        messages.tell(f"{name}: reading from the terminal; end with Ctrl-D")
    # Opening a path such as /dev/stdin may be forbidden, unlike its open stream.
    handle = os.open(path, os.O_RDONLY) if number is None else os.dup(number)
    copy = folder / "received"
    with os.fdopen(handle, "rb", buffering=0) as file:
        before = os.fstat(handle)
        with progress.receiving(file, copy, name):
            for _ in _copied(_pieces(file), copy):
                pass
        if stat.S_ISREG(before.st_mode):
            _check_unchanged(name, before, os.fstat(handle))
    return copy


def _pieces(file: FileIO) -> Iterator[bytes]:
    while (piece := file.read(CHUNK)) != b"":
        if piece is None:
            # The stream was opened as non-blocking, but waiting is fine here.
            select.select([file], [], [])
        else:
            yield piece


def file_chunks(path: Path) -> Iterator[bytes]:
    """Yield the content of a file."""
    with path.open("rb") as file, progress.reading(file):
        yield from iter(partial(file.read, CHUNK), b"")


def _copied(chunks: Iterable[bytes], copy: Path) -> Iterator[bytes]:
    """Repeat chunks and write each to a copy; stop before the disk is full."""
    with copying(copy) as write:
        for chunk in chunks:
            write(chunk)
            yield chunk


@contextmanager
def copying(copy: Path) -> Generator[Callable[[bytes], None]]:
    """Give what writes to a copy; it raises OSError before the disk is full."""
    with copy.open("wb") as file:

        def write(data: bytes) -> None:
            if shutil.disk_usage(copy.parent).free < 2 * len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            file.write(data)

        yield write


def _source(name: str, folder: Path, original: Path, chunks: Iterable[bytes]) -> Source:
    """Return a source for the content of a file, with a clean copy if it needs one."""
    scan = scanned(chunks)
    binary = scan.binary_format(original, name)
    readable = original
    faults: tuple[Fault, ...] = ()
    if binary is None:
        check_foreign(original, name)
        if not scan.is_text:
            readable = folder / "clean"
            faults = tuple(clean_copy(original, readable))
    return Source(
        *(name, folder, original, readable, scan.content_hash, binary),
        *(scan.has_quotes, scan.has_comments, faults),
    )


def _of_utf16(chunks: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Yield UTF-16, as the "Unicode text" of Excel, in UTF-8."""
    try:
        for text in codecs.iterdecode(chunks, "utf-16"):
            yield text.encode()
    except UnicodeDecodeError:
        raise NdcgSqlError(f"{name}: damaged UTF-16 text", "save it as UTF-8") from None


def in_encoding(source: Source, encoding: str | None) -> Source:
    """Return a source that is read in an encoding, unless it is UTF-8 throughout."""
    is_utf8 = not any(fault.reason.endswith(NO_TEXT) for fault in source.faults)
    if encoding is None or is_utf8 or codecs.lookup(encoding).name == "utf-8":
        return source
    copy = source.folder / "encoded"
    with blaming(source.shown, source.folder):
        faults = tuple(clean_copy(source.original, copy, encoding))
    return replace(source, original=copy, readable=copy, faults=faults)


def check_encoding(source: Source) -> None:
    """Raise NdcgSqlError if most lines with faults are likely in another encoding."""
    likely = [fault for fault in source.faults if fault.is_windows]
    if 2 * len(likely) <= len(source.faults):
        return
    if not all(chunk.isascii() for chunk in file_chunks(source.readable)):
        return
    first, *others = likely
    more = f" (and {counted(len(others), 'similar line')})" if others else ""
    what = f"{source.at(first.line)}: {first.reason}{more}; it looks like"
    what += " Windows-1252, as Excel saves CSV"
    remedy = Text("to read it so: ", use(encoding=WINDOWS), ", or save it as UTF-8")
    raise NdcgSqlError(what, remedy, needs=("encoding",))


def no_rows(source: Source, where: str = "") -> NdcgSqlError:
    """Return the error for a file without rows; where says where they should be."""
    return source.error(f"no rows{where}; is this the right file?")


def glimpsed(
    path: Path, scratch: Path | None, stack: ExitStack, whole: Callable[[], Source]
) -> Source | None:
    """Return a glimpse of a large text file, whose folder is removed by the stack.

    A command that keeps nothing needs no hash of its bytes, and whether all of them are
    text shows when they are read. None if the file must be looked at whole, which also
    says what is wrong with it.
    """
    with suppress(OSError, NdcgSqlError, UnicodeDecodeError):
        before, warnings, unpacked = path.stat(), Collected(), None
        is_file = path.is_file() and stream(path) is None
        if is_file and before.st_size >= LARGE_PACKED:
            unpacked = decompressed(path, shown(path), warnings)
        if not is_file or (not unpacked and before.st_size < LARGE):
            return None
        chunks = iter(unpacked or file_chunks(path))
        first = next(chunks, b"")
        lines = first[: first.rfind(b"\n") + 1]
        # What is no text raises an error.
        lines.decode()
        # Quotes make rows of several lines; no text has a NUL.
        if b"\0" in first or b'"' in first:
            return None
        folder = stack.enter_context(temporary_folder(scratch))
        readable = path
        if unpacked:
            readable = folder / "beginning"
            readable.write_bytes(lines)
        chunks = itertools.chain([first], chunks)

        def is_sound() -> bool:
            return _identity(path.stat()) == _identity(before) and not warnings.lines

        glimpse = Glimpse(chunks, is_sound, whole)
        return Source(shown(path), folder, path, readable, glimpse=glimpse)
    return None


def damaged_parquet(shown: str, reason: str = "DuckDB cannot read it") -> NdcgSqlError:
    """Return the error for a damaged Parquet file."""
    what = f"{shown}: the Parquet file is damaged ({reason})"
    return NdcgSqlError(what, "fetch or write it again")


def is_data(line: str, width: int) -> bool:
    """Return whether a line that begins with # is data, not a comment.

    It is if it has exactly the fields of its format, as many as width, the first one is
    longer than #, and its numbers are numbers.
    """
    line = line.strip(" \t\r\n") if width != 2 else line.rstrip("\r\n")
    fields = re.split("\t" if width == 2 else "[ \t]+", line)
    if len(fields) != width or len(fields[0]) < 2:
        return False
    texts = [fields[place] for place in _NUMBERS[width]]
    return all(number(text) is not None or _INFINITE.fullmatch(text) for text in texts)


def without_comments(source: Source, width: int = 0) -> Source:
    """Return a source in which comments are blank lines, with their number.

    width is the number of the fields of its format; without, every line that begins
    with # is a comment.
    """
    if not source.has_comments:
        return source
    copy, comments = source.folder / "without comments", 0
    with (
        blaming(source.shown, source.folder),
        source.text() as lines,
        copying(copy) as write,
    ):
        for line in lines:
            if line.startswith("#") and not (width and is_data(line, width)):
                comments += 1
                line = "\n"
            write(line.encode())
    return replace(source, readable=copy, has_comments=False, comments=comments)


def first_line(source: Source, comments: bool = True) -> tuple[int, str]:
    """Return the first line that is not blank and states no delimiter, and its number.

    With comments, lines that begin with # are skipped; but if there are no others, the
    first of them that has a form of data is the first line.
    """
    marked = 0, ""
    if source.binary:
        return marked
    with source.text() as lines:
        for place, line in enumerate(lines, start=1):
            if not line.strip() or (place == 1 and stated_delimiter(line)):
                continue
            text = line.rstrip("\r\n").removeprefix("\ufeff")
            if not (comments and line.startswith("#")):
                return place, text
            if not marked[0] and any(is_data(text, width) for width in _NUMBERS):
                marked = place, text
    if marked[0] or source.faults:
        return marked
    raise no_rows(source)


def stated_delimiter(line: str) -> str | None:
    """Return the delimiter that a first line states, as sep=; does for Excel."""
    match = _SEPARATOR.fullmatch(line)
    return match[1] if match else None
