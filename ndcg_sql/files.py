"""Files as they come in: bytes checked and counted before DuckDB reads them.

One pass over the decompressed bytes gives their SHA-256 and tells whether
DuckDB may read the file as it is. If not (compressed, carriage returns, a byte
order mark, bytes that are no text), a clean copy is written, in which every
line keeps its number and a line with a fault is blank.
"""

import codecs
import csv
import gzip
import hashlib
import json
import shutil
import stat
import zlib
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from tempfile import gettempdir
from typing import BinaryIO

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import harmless

_CHUNK = 1 << 22
# As in the files under sql/load/.
_LONGEST_LINE = 1 << 26
_BOM = codecs.BOM_UTF8
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_PARQUET = b"PAR1"


@dataclass(frozen=True)
class Fault:
    """What is wrong with a line of a file."""

    line: int
    reason: str


@dataclass(frozen=True)
class Source:
    """A file that can be read: its clean bytes, and what was learnt of them.

    folder is where copies of it go; it is gone when the file is closed.
    """

    shown: str
    folder: Path
    original: Path
    readable: Path
    content_hash: str
    is_parquet: bool
    has_quotes: bool
    faults: tuple[Fault, ...]


@dataclass
class _Scan:
    """What one pass over the bytes finds."""

    content_hash: str = ""
    is_text: bool = True
    has_quotes: bool = False


@contextmanager
def temporary_folder(parent: Path | None) -> Generator[Path]:
    """Make a folder that is gone afterwards, whenever an interrupt comes."""
    folder = (parent or Path(gettempdir())) / f"ndcg-sql-{token_hex(8)}"
    try:
        folder.mkdir(mode=0o700)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def opened(path: Path, scratch: Path | None = None) -> Generator[Source]:
    """Check a file and give it in a form that DuckDB can read as it is.

    Copies go to a directory that is removed afterwards; scratch is where.
    Raises NdcgSqlError if the file cannot be read, is damaged, or changes
    meanwhile.
    """
    shown = harmless(str(path))
    _check_kind(path, shown)
    try:
        with temporary_folder(scratch) as folder:
            before = path.stat()
            yield _prepared(path, shown, folder)
            after = path.stat()
            if (before.st_size, before.st_mtime_ns) != (
                after.st_size,
                after.st_mtime_ns,
            ):
                raise NdcgSqlError(
                    f"{shown}: changed while it was read; load it when it is complete"
                )
    except OSError as error:
        raise NdcgSqlError(f"{shown}: {error.strerror or error}") from error


def _check_kind(path: Path, shown: str) -> None:
    """Raise NdcgSqlError where a path is nothing that can be loaded."""
    if "://" in str(path) or str(path).startswith(("http:/", "https:/", "s3:/")):
        raise NdcgSqlError(f"{shown}: only local files are read; download it first")
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise NdcgSqlError(f"{shown}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise NdcgSqlError(f"{shown}: {error}") from error
    if stat.S_ISDIR(mode):
        raise NdcgSqlError(f"{shown}: a directory; name the files in it")
    if not stat.S_ISREG(mode):
        raise NdcgSqlError(f"{shown}: not a regular file")


def _prepared(path: Path, shown: str, folder: Path) -> Source:
    """Return a source for a file, with clean copies in folder where needed."""
    with path.open("rb") as file:
        head = file.read(4)
    readable = path
    if head.startswith(_ZSTD):
        raise NdcgSqlError(f"{shown}: zstd is not read; decompress it first")
    if head.startswith(_GZIP):
        readable = folder / "decompressed"
        scan = _decompress(path, shown, readable)
        with readable.open("rb") as file:
            head = file.read(4)
    elif _is_encodable(path):
        with path.open("rb") as file:
            scan = _scan(file, None)
    else:
        # DuckDB cannot be told the name of such a file.
        readable = folder / "copy"
        with path.open("rb") as file, readable.open("wb") as copy:
            scan = _scan(file, copy)
    original = readable
    is_parquet = head == _PARQUET and not scan.is_text
    faults: tuple[Fault, ...] = ()
    if not scan.is_text and not is_parquet:
        faults = tuple(_clean(original, folder / "clean"))
        readable = folder / "clean"
    return Source(
        shown,
        folder,
        original,
        readable,
        scan.content_hash,
        is_parquet,
        scan.has_quotes,
        faults,
    )


def _is_encodable(path: Path) -> bool:
    """Tell whether a path is text, and not bytes that no encoding explains."""
    try:
        str(path.absolute()).encode()
    except UnicodeEncodeError:
        return False
    return True


def _decompress(path: Path, shown: str, target: Path) -> _Scan:
    """Decompress gzip, checked by its CRC and length; stop before the disk is full."""
    try:
        with gzip.open(path, "rb") as stream, target.open("wb") as copy:
            return _scan(stream, copy)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise NdcgSqlError(
            f"{shown}: the gzip file is damaged or cut short ({error});"
            " fetch or compress it again"
        ) from error


def _scan(stream: BinaryIO | gzip.GzipFile, copy: BinaryIO | None) -> _Scan:
    """Read a stream to its end once, and copy it where asked."""
    scan = _Scan()
    digest = hashlib.sha256()
    decoder = codecs.getincrementaldecoder("utf-8")()
    tail = b""
    while True:
        chunk = stream.read(_CHUNK)
        digest.update(chunk)
        if copy is not None:
            if shutil.disk_usage(copy.name).free < 2 * len(chunk):
                raise OSError(28, "no space left to decompress it")
            copy.write(chunk)
        seam = tail + chunk
        if b"\r" in chunk or b"\0" in chunk or _BOM in seam:
            scan.is_text = False
        scan.has_quotes = scan.has_quotes or b'"' in chunk
        tail = seam[-2:]
        if scan.is_text:
            try:
                decoder.decode(chunk, final=not chunk)
            except UnicodeDecodeError:
                scan.is_text = False
        if not chunk:
            scan.content_hash = digest.hexdigest()
            return scan


def _clean(path: Path, target: Path) -> Iterator[Fault]:
    """Write a copy with plain line ends and blank lines for those with faults."""
    with path.open("rb") as lines, target.open("wb") as copy:
        for number, line in enumerate(lines, start=1):
            content = line.removesuffix(b"\n").removesuffix(b"\r")
            if number == 1:
                content = content.removeprefix(_BOM)
            reason = _fault(content)
            if reason:
                content = b""
                yield Fault(number, reason)
            copy.write(content + b"\n")


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


def write_records(
    source: Source, delimiter: str, header_line: int, target: Path
) -> list[Fault]:
    """Write the rows of a CSV file with quotes as JSON arrays, one a line.

    Each array holds the number of the row's first line and its fields. Blank
    lines and all up to the header are left out. Returns the rows that no CSV
    reader could make sense of.
    """
    faults: list[Fault] = []
    csv.field_size_limit(_LONGEST_LINE)
    # Line ends inside quotes are kept as they are, unless lines were blanked.
    path = source.readable if source.faults else source.original
    with (
        path.open(encoding="utf-8-sig", newline="") as lines,
        target.open("w", encoding="utf-8") as records,
    ):
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        while True:
            first_line = reader.line_num + 1
            try:
                row = next(reader)
            except StopIteration:
                return faults
            except csv.Error as error:
                faults.append(Fault(first_line, f"not CSV: {error}"))
                continue
            if row and first_line > header_line:
                records.write(json.dumps([str(first_line), *row]) + "\n")


def glob_safe(path: Path) -> str:
    """Return a path as DuckDB must be told it, to read that exact file."""
    replaced = (f"[{c}]" if c in "[*?" else c for c in str(path.absolute()))
    return "".join(replaced)
