"""Files as they come in: bytes checked and counted before DuckDB reads them.

One pass over the decompressed bytes gives their SHA-256 and tells whether
DuckDB may read the file as it is. If not (compressed, carriage returns, a byte
order mark, bytes that are no text), a clean copy is written, in which every
line keeps its number and a line with a fault is blank.
"""

import codecs
import errno
import hashlib
import os
import select
import shutil
import stat
from collections.abc import Generator, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from io import FileIO
from pathlib import Path

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.compression import CHUNK, decompressed
from ndcg_sql.reading.foreign import check_foreign
from ndcg_sql.system import progress
from ndcg_sql.system.folders import temporary_folder
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.paths import check_kind, descriptor, shown, stream
from ndcg_sql.text import harmless

# In bytes, as in the files under sql/read/.
LONGEST_LINE = 1 << 26
_BOM = codecs.BOM_UTF8
_PARQUET = b"PAR1"
# Every Parquet file goes on with this byte, and no line of text does.
_PARQUET_HEAD = _PARQUET + b"\x15"
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)
# What tells how a file of text may be read.
MARKS = (b'"', b" ", b"\t", b"\v", b"\f", b"+", b"_")


@dataclass(frozen=True)
class Fault:
    """What is wrong with a line of a file."""

    line: int
    reason: str


@dataclass(frozen=True)
class Source:
    """A file that can be read: its clean bytes, and what was learnt of them.

    folder is where copies of it go; it is gone when the file is closed. marks
    are those of MARKS that occur in the file.
    """

    shown: str
    folder: Path
    original: Path
    readable: Path
    content_hash: str
    is_parquet: bool
    line_count: int
    marks: frozenset[bytes]
    faults: tuple[Fault, ...]


Streams = Mapping[Path, Source]


@dataclass
class _Scan:
    """What one pass over the bytes finds."""

    content_hash: str = ""
    is_text: bool = True
    line_count: int = 0
    marks: frozenset[bytes] = frozenset()
    head: bytes = b""
    tail: bytes = b""


@contextmanager
def streams(
    paths: list[Path], messages: Messages, scratch: Path | None = None
) -> Generator[Streams]:
    """Give those of the paths that are streams, each read to its end.

    This is to be done before a warehouse is opened: whatever writes to a pipe
    may take its time, or read that very warehouse. Raises NdcgSqlError as
    opened does, and if a stream is named twice.
    """
    found = [path for path in paths if stream(path) is not None]
    for path in found:
        if [stream(other) for other in found].count(stream(path)) > 1:
            raise NdcgSqlError(f"{shown(path)}: can be read only once; name it once")
    with ExitStack() as stack:
        yield {
            path: stack.enter_context(opened(path, messages, scratch)) for path in found
        }


@contextmanager
def opened(
    path: Path,
    messages: Messages,
    scratch: Path | None = None,
    streams: Streams | None = None,
) -> Generator[Source]:
    """Check a file and give it in a form that DuckDB can read as it is.

    Copies go to a directory that is removed afterwards; scratch is where.
    What is among the streams was opened before. Raises NdcgSqlError if the
    file cannot be read, is damaged, or changes meanwhile.
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
            before = _state(path.stat())
            source = _prepared(path, name, folder, messages)
        yield source
        with blaming(name, folder):
            _check_unchanged(name, before, _state(path.stat()))


@contextmanager
def blaming(name: str, folder: Path) -> Generator[None]:
    """Turn a fault of the system while a file is read into one of that file.

    Unless the disk is full: then it is that of the folder of the copies.
    """
    try:
        yield
    except FileNotFoundError:
        raise NdcgSqlError(f"{name}: there is no such file any more") from None
    except OSError as error:
        if error.errno in _DISK_FULL:
            raise NdcgSqlError(
                f"{harmless(str(folder.parent))}: no space left on the disk for a copy"
                f" of {name}; make room and run the same command again"
            ) from error
        raise NdcgSqlError(f"{name}: {error.strerror or error}") from error


def _state(status: os.stat_result) -> tuple[int, ...]:
    """Return which file this is, and what changes when it does."""
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def _check_unchanged(
    name: str, before: tuple[int, ...], after: tuple[int, ...]
) -> None:
    """Raise NdcgSqlError where a file is another one than it was."""
    if before != after:
        raise NdcgSqlError(
            f"{name}: changed while it was read; load it when it is complete"
        )


def _received(path: Path, name: str, folder: Path, messages: Messages) -> Path:
    """Read a stream to its end, as it is; return the copy."""
    number = descriptor(path)
    if number is not None and os.isatty(number):
        messages.tell(f"{name}: reading from the terminal; Ctrl-D ends it")
    # A path such as /dev/stdin may be forbidden where its stream is not.
    handle = os.open(path, os.O_RDONLY) if number is None else os.dup(number)
    copy = folder / "received"
    with os.fdopen(handle, "rb", buffering=0) as file:
        before = os.fstat(handle)
        with progress.receiving(file, copy, name):
            for _ in _copied(_pieces(file), copy):
                pass
        if stat.S_ISREG(before.st_mode):
            _check_unchanged(name, _state(before), _state(os.fstat(handle)))
    return copy


def _pieces(file: FileIO) -> Iterator[bytes]:
    """Return what comes out of a stream, up to its end."""
    while (piece := file.read(CHUNK)) != b"":
        if piece is None:
            # Whoever opened it asked not to be kept waiting; we can wait.
            select.select([file], [], [])
        else:
            yield piece


def _chunks(path: Path) -> Iterator[bytes]:
    """Return what is in a file."""
    with path.open("rb") as file, progress.reading(file):
        while chunk := file.read(CHUNK):
            yield chunk


def count(path: Path, character: str) -> int:
    """Return how often a character of one byte stands in a file."""
    return sum(chunk.count(character.encode()) for chunk in _chunks(path))


def _copied(chunks: Iterable[bytes], copy: Path) -> Iterator[bytes]:
    """Repeat chunks, each one written to a copy; stop before the disk is full."""
    with copy.open("wb") as file:
        for chunk in chunks:
            if shutil.disk_usage(copy.parent).free < 2 * len(chunk):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            file.write(chunk)
            yield chunk


def _prepared(path: Path, name: str, folder: Path, messages: Messages) -> Source:
    """Return a source for a file, with clean copies in folder where needed."""
    unpacked = decompressed(path, name, messages)
    chunks = unpacked or _chunks(path)
    original = path
    # DuckDB cannot be told a name that is no text.
    if unpacked or not _is_encodable(path):
        original = folder / "content"
        chunks = _copied(chunks, original)
    scan = _scan(chunks)
    is_parquet = (
        not scan.is_text
        and scan.head.startswith(_PARQUET)
        and (scan.head == _PARQUET_HEAD or scan.tail == _PARQUET)
    )
    readable = original
    faults: tuple[Fault, ...] = ()
    if not scan.is_text and not is_parquet:
        check_foreign(original, name)
        readable = folder / "clean"
        faults = tuple(_clean(original, readable))
    return Source(
        name,
        folder,
        original,
        readable,
        scan.content_hash,
        is_parquet,
        scan.line_count,
        scan.marks,
        faults,
    )


def _is_encodable(path: Path) -> bool:
    """Tell whether a path is text, and not bytes that no encoding explains."""
    try:
        str(path.absolute()).encode()
    except UnicodeEncodeError:
        return False
    return True


def _scan(chunks: Iterable[bytes]) -> _Scan:
    """Read chunks once, and tell what they are."""
    scan = _Scan()
    digest = hashlib.sha256()
    decoder = codecs.getincrementaldecoder("utf-8")()
    line_length = 0
    # Python lets go of its lock while it hashes.
    with ThreadPoolExecutor(1) as hashing:
        hashed = hashing.submit(digest.update, b"")
        for chunk in chunks:
            # What is read is not to pile up.
            hashed.result()
            hashed = hashing.submit(digest.update, chunk)
            scan.marks |= {mark for mark in MARKS if mark in chunk}
            scan.line_count += chunk.count(b"\n")
            first_end = chunk.find(b"\n")
            line_length += len(chunk) if first_end < 0 else first_end
            is_plain = not (b"\r" in chunk or b"\0" in chunk)
            scan.is_text = scan.is_text and is_plain and line_length <= LONGEST_LINE
            if first_end >= 0:
                line_length = len(chunk) - 1 - chunk.rfind(b"\n")
            scan.is_text = scan.is_text and _goes_on(decoder, scan.tail, chunk)
            scan.head = (scan.head + chunk[: len(_PARQUET_HEAD)])[: len(_PARQUET_HEAD)]
            scan.tail = (scan.tail + chunk[-len(_PARQUET) :])[-len(_PARQUET) :]
    scan.is_text = scan.is_text and _decodes(decoder, b"", final=True)
    # The last line may have no end.
    scan.line_count += scan.tail[-1:] not in (b"", b"\n")
    scan.content_hash = digest.hexdigest()
    return scan


def _goes_on(decoder: codecs.IncrementalDecoder, tail: bytes, chunk: bytes) -> bool:
    """Tell whether a chunk goes on as text does, without a byte order mark."""
    is_within_character = decoder.getstate()[0]
    # To tell this takes a tenth of the time of a look for anything else.
    if chunk.isascii() and not is_within_character:
        return True
    return _BOM not in tail + chunk and _decodes(decoder, chunk)


def _decodes(
    decoder: codecs.IncrementalDecoder, chunk: bytes, final: bool = False
) -> bool:
    """Tell whether bytes go on, and finally end, as text does."""
    try:
        decoder.decode(chunk, final)
    except UnicodeDecodeError:
        return False
    return True


def _clean(path: Path, target: Path) -> Iterator[Fault]:
    """Write a copy with plain line ends and blank lines for those with faults."""
    with target.open("wb") as copy:
        for number, line in enumerate(_lines(path), start=1):
            content = line.removesuffix(b"\n").removesuffix(b"\r")
            if number == 1:
                content = content.removeprefix(_BOM)
            reason = too_long(content) or _fault(content)
            if reason:
                content = b""
                yield Fault(number, reason)
            copy.write(content + b"\n")


def _lines(path: Path) -> Iterator[bytes]:
    """Return the lines of a file; of one that is too long, enough to tell."""
    enough = len(_BOM) + LONGEST_LINE + len(b"\r\n")
    with path.open("rb") as file, progress.reading(file):
        while line := file.readline(enough):
            yield line
            while len(line) == enough and not line.endswith(b"\n"):
                line = file.readline(enough)


def too_long(line: bytes) -> str | None:
    """Return what is wrong with a line that is longer than can be read, or None."""
    if len(line) <= LONGEST_LINE:
        return None
    return f"longer than {LONGEST_LINE >> 20} MB; is this the right file?"


def _fault(line: bytes) -> str | None:
    """Return what is wrong with the bytes of a line, or None."""
    if b"\0" in line:
        return "a NUL byte; is this a text file?"
    if b"\r" in line:
        return "a carriage return inside the line; line ends are LF or CRLF"
    if _BOM in line:
        return "a byte order mark inside the file; were two files joined?"
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"byte {error.start + 1} is not UTF-8 text"
    return None


def first_line(source: Source, comments: bool = True) -> tuple[int, str]:
    """Return the first line that is not blank, with its number.

    Nor is it a comment, where lines that begin with # are comments.
    """
    if source.is_parquet:
        return 0, ""
    with source.readable.open(
        encoding="utf-8", errors="replace", newline="\n"
    ) as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip() and not (comments and line.startswith("#")):
                return number, line.rstrip("\r\n").removeprefix("\ufeff")
    if source.faults:
        return 0, ""
    raise NdcgSqlError(f"{source.shown}: no rows; is it the right file?")


def damaged_parquet(source: Source) -> NdcgSqlError:
    """Return what to say of a Parquet file that DuckDB cannot read."""
    return NdcgSqlError(
        f"{source.shown}: the Parquet file is damaged (DuckDB cannot read it);"
        " fetch or write it again"
    )
