"""Files that are no text, by their first bytes: compressed, or of other programs.

What is compressed is verified to its last byte.
"""

import bz2
import errno
import lzma
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

from isal import igzip, isal_zlib

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError
else:
    from backports.zstd import ZstdDecompressor, ZstdError

# The type stubs declare the class as an instance.
_DAMAGE = (
    cast("type[Exception]", isal_zlib.error),
    *(EOFError, ZstdError, lzma.LZMAError, zlib.error),
    # zipfile raises the last four where a damaged header promises what is not there.
    *(zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, struct.error),
)
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_XZ = re.compile(rb"\xfd7zXZ\0")
ZIP = b"PK\x03\x04"
# Text can begin with BZh; a block or the end of the stream follows in bzip2.
_BZIP2 = re.compile(rb"BZh[1-9](1AY&SY|\x17\x72\x45\x38\x50\x90)")
_HEAD = 10
# The bit in the header of a file of a zip archive.
_ENCRYPTED = 0x01
# Frames of the second kind are skippable: readers ignore what is in them.
_FRAME = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")
# The fifth byte of a frame describes it; no frame is shorter than this.
_SHORTEST = 5
_HAS_CHECKSUM = 0x04
_END = "Compressed file ended before the end-of-stream marker was reached"
# The bytes that are read from a compressed file at once, and the most that come out.
_PIECE = 1 << 16
CHUNK = 1 << 22
# Files that identify the ZIP archive of an office document.
_OFFICE_PARTS = {"[Content_Types].xml", "mimetype"}
_EXCEL_PART = "xl/workbook.xml"


# By the kind of a file: how each of its streams begins, what decompresses it, and what
# it is called.
_STREAMS: Mapping[str, tuple[re.Pattern[bytes], Callable[[], Any], str]] = {
    "zstd": (_FRAME, ZstdDecompressor, "frame"),
    "bzip2": (re.compile(b"BZh"), bz2.BZ2Decompressor, "stream"),
    "xz": (_XZ, lzma.LZMADecompressor, "stream"),
}
_AS_CSV = "save the table as CSV first"
_WRONG = "is this the right file?"
_OFFICE = ("an office document, such as a spreadsheet", _AS_CSV)
# What a file is and what to do, by the bytes at a place.
_KINDS = {
    # Any other ZIP archive is decompressed.
    (0, ZIP): _OFFICE,
    (0, b"PK\x05\x06"): ("an empty ZIP archive", _WRONG),
    (0, b"\xd0\xcf\x11\xe0"): _OFFICE,
    (0, b"%PDF-"): ("a PDF document", _WRONG),
    (0, b"SQLite"): ("a SQLite database", "load a table by its URL, sqlite:///FILE"),
    (0, b"ARROW1"): ("an Arrow file", "write it as Parquet first"),
    (8, b"DUCK"): ("a DuckDB file", "a warehouse is opened, not loaded"),
    (257, b"ustar"): ("a tar archive", "unpack it first"),
}
# Text that no data begins with; in place of a file, servers send pages.
_WEB_PAGE = (b"<!doctype html", b"<html")
_BEGINNING = 2048
# The share of bytes that no text has, from which on a file is not one: damaged text
# has a few.
_BINARY = 0.2
# The control characters that do not occur in text, not even in a damaged line.
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\v\f\r\x1a\x1b"))


def decompressed(path: Path, shown: str, messages: Messages) -> Iterator[bytes] | None:
    """Return the content of a compressed file in chunks; None for any other file.

    Every checksum and length in the file is verified. Missing or damaged bytes
    raise NdcgSqlError, at the latest after the last chunk.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if head.startswith(_GZIP):
        return _checked("gzip", _gzip(path), shown)
    for kind, begin in (("zstd", _FRAME), ("bzip2", _BZIP2), ("xz", _XZ)):
        if begin.match(head):
            return _checked(kind, _streams(path, shown, kind, messages), shown)
    if head.startswith(ZIP) and not _OFFICE_PARTS & set(members(path, shown)):
        return _checked("zip", _zip(path, shown), shown)
    return None


def members(path: Path, shown: str) -> list[str]:
    """Return the names of the files in a zip archive, without those of macOS."""
    with _reading("zip", shown), zipfile.ZipFile(path) as archive:
        return [name for name in archive.namelist() if _is_file(name)]


def is_excel(path: Path, shown: str) -> bool:
    """Return whether a file is an Excel workbook (.xlsx)."""
    with path.open("rb") as file:
        is_zip = file.read(len(ZIP)) == ZIP
    return is_zip and _EXCEL_PART in members(path, shown)


def check_parts(path: Path, shown: str) -> None:
    """Raise NdcgSqlError if a file in a zip archive is not the one its CRC is of.

    For readers that do not read each of them to its end, where the CRC is compared.
    """
    with _reading("zip", shown), zipfile.ZipFile(path) as archive:
        damaged = archive.testzip()
        if damaged is not None:
            raise zipfile.BadZipFile(f"Bad CRC-32 for file {damaged!r}")


def _is_file(name: str) -> bool:
    return not name.endswith("/") and not name.startswith("__MACOSX/")


def _checked(kind: str, chunks: Iterator[bytes], shown: str) -> Iterator[bytes]:
    """Repeat chunks; raise NdcgSqlError if the file that they come from is damaged."""
    with _reading(kind, shown):
        yield from chunks


@contextmanager
def _reading(kind: str, shown: str) -> Generator[None]:
    """Raise NdcgSqlError if a compressed file is damaged."""
    try:
        yield
    except (*_DAMAGE, OSError) as error:
        # The operating system's own errors have numbers; one of them says that a
        # damaged file sends its reader to before its beginning.
        if getattr(error, "errno", None) not in {None, errno.EINVAL}:
            raise
        reason = str(error).removeprefix("Unable to decompress Zstandard data: ")
        raise NdcgSqlError(
            f"{shown}: the {kind} file is damaged or cut short ({reason});"
            " fetch or compress it again"
        ) from error


def _gzip(path: Path) -> Iterator[bytes]:
    """Decompress every member of a gzip file, checked by its CRC and length."""
    with (
        path.open("rb") as file,
        progress.reading(file),
        igzip.IGzipFile(mode="rb", fileobj=file) as stream,
    ):
        yield from iter(partial(stream.read, CHUNK), b"")


def _streams(path: Path, shown: str, kind: str, messages: Messages) -> Iterator[bytes]:
    """Decompress every stream by its checksums; warn of a zstd frame without."""
    begin, make, noun = _STREAMS[kind]
    is_warned = kind != "zstd"
    with path.open("rb") as file, progress.reading(file):
        rest = file.read(_PIECE)
        while rest:
            if len(rest) < _SHORTEST:
                rest += file.read(_PIECE)
            if not begin.match(rest):
                raise EOFError(f"something else follows the last {noun}")
            if len(rest) < _SHORTEST:
                raise EOFError(_END)
            if not is_warned and rest.startswith(_ZSTD) and not rest[4] & _HAS_CHECKSUM:
                is_warned = True
                messages.warn(
                    f"{shown}: a zstd frame has no checksum;"
                    " damage to it would go undetected"
                )
            stream = make()
            yield stream.decompress(rest, CHUNK)
            while not stream.eof:
                piece = file.read(_PIECE) if stream.needs_input else b""
                if stream.needs_input and not piece:
                    raise EOFError(_END)
                yield stream.decompress(piece, CHUNK)
            rest = stream.unused_data or file.read(_PIECE)
            # xz may pad its streams with zeros.
            while kind == "xz" and rest and not (rest := rest.lstrip(b"\0")):
                rest = file.read(_PIECE)


def _zip(path: Path, shown: str) -> Iterator[bytes]:
    """Decompress the only file of a zip archive, checked by its CRC and length."""
    with (
        path.open("rb") as file,
        progress.reading(file),
        zipfile.ZipFile(file) as archive,
    ):
        files = [part for part in archive.infolist() if _is_file(part.filename)]
        if len(files) != 1:
            names = listed((part.filename for part in files), 5) or "none"
            what = f"{shown}: a zip archive of {len(files)} files ({names})"
            raise NdcgSqlError(what, "unpack it and load them one by one")
        if files[0].flag_bits & _ENCRYPTED:
            raise NdcgSqlError(f"{shown}: an encrypted zip archive; unpack it first")
        with archive.open(files[0]) as stream:
            yield from iter(partial(stream.read, CHUNK), b"")


def check_foreign(path: Path, shown: str) -> None:
    """Raise NdcgSqlError if a file that is not text belongs to another program."""
    with path.open("rb") as file:
        head = file.read(_BEGINNING)
    if head.lstrip().lower().startswith(_WEB_PAGE):
        raise NdcgSqlError(f"{shown}: a web page; {_WRONG}")
    # The last character may be cut.
    is_text = "\ufffd" not in head.decode(errors="replace")[:-1]
    if b"\0" not in head and is_text:
        return
    for (at, mark), (kind, remedy) in _KINDS.items():
        if head.startswith(mark, at):
            raise NdcgSqlError(f"{shown}: {kind}", remedy)
    controls = len(head) - len(head.translate(None, _CONTROLS))
    undecodable = len(head) - len(head.decode(errors="ignore").encode())
    if controls and controls + undecodable > _BINARY * len(head):
        raise NdcgSqlError(f"{shown}: a binary file, not text; {_WRONG}")
