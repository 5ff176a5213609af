"""The bytes of a file: its format, its lines, and what is wrong with them.

Text that is not UTF-8 is mostly Windows-1252, as Excel writes it.
"""

import codecs
import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Literal

from ndcg_sql.reading.compression import is_excel
from ndcg_sql.system import progress

# In bytes, as in the files under sql/read/.
LONGEST_LINE = 1 << 26
_BOM = codecs.BOM_UTF8
# What is wrong with bytes that may be text in another encoding.
NO_TEXT = "is not UTF-8 text"
_PARQUET = b"PAR1"
# This byte follows in every Parquet file, and in no text.
_PARQUET_HEAD = _PARQUET + b"\x15"
# How Python names the encoding of Windows, and a user may.
WINDOWS = "windows-1252"
# A letter beyond ASCII that stands beside none of ASCII, as in no word.
_ALONE = re.compile(r"(?<![A-Za-z])[^\W\d_\x00-\x7f](?![A-Za-z])")
# Encodings in which nobody writes what is UTF-8 by chance.
_WESTERN = {"cp1252", "iso8859-1", "iso8859-15"}


@dataclass(frozen=True)
class Fault:
    """What is wrong with a line of a file.

    is_windows says whether its bytes are no UTF-8, but likely to be Windows-1252.
    check is that of sql/checks.csv which its rows break, if they are valid otherwise.
    """

    line: int
    reason: str
    is_windows: bool = False
    check: str = ""


@dataclass
class Scan:
    """What one pass over the bytes finds."""

    content_hash: str = ""
    is_text: bool = True
    has_quotes: bool = False
    has_comments: bool = False
    head: bytes = b""
    tail: bytes = b""

    def binary_format(
        self, path: Path, name: str
    ) -> Literal["parquet", "excel"] | None:
        """Return the format of a file that is not text; None for text or unknown."""
        if self.is_text:
            return None
        is_whole = self.head == _PARQUET_HEAD or self.tail == _PARQUET
        if self.head.startswith(_PARQUET) and is_whole:
            return "parquet"
        return "excel" if is_excel(path, name) else None


def scanned(chunks: Iterable[bytes]) -> Scan:
    """Read all bytes of a file once; return what they tell."""
    scan = Scan()
    digest = hashlib.sha256()
    decoder = codecs.getincrementaldecoder("utf-8")()
    line_length = 0
    # Python releases its lock while it hashes.
    hashing = Thread(target=digest.update, args=(b"",))
    hashing.start()
    for chunk in chunks:
        # Chunks must not pile up.
        hashing.join()
        hashing = Thread(target=digest.update, args=(chunk,))
        hashing.start()
        scan.has_quotes = scan.has_quotes or b'"' in chunk
        is_start = scan.tail[-1:] in (b"", b"\n")
        begins = is_start and chunk.startswith((b"#", _BOM + b"#"))
        scan.has_comments = scan.has_comments or begins or b"\n#" in chunk
        first_end = chunk.find(b"\n")
        line_length += len(chunk) if first_end < 0 else first_end
        is_plain = not (b"\r" in chunk or b"\0" in chunk)
        scan.is_text = scan.is_text and is_plain and line_length <= LONGEST_LINE
        if first_end >= 0:
            line_length = len(chunk) - 1 - chunk.rfind(b"\n")
        # Whether it is ASCII takes a tenth of the time of the other checks.
        if scan.is_text and not (chunk.isascii() and not decoder.getstate()[0]):
            is_marked = _BOM in scan.tail + chunk
            scan.is_text = not is_marked and _decodes(decoder, chunk)
        scan.head = (scan.head + chunk[: len(_PARQUET_HEAD)])[: len(_PARQUET_HEAD)]
        scan.tail = (scan.tail + chunk[-len(_PARQUET) :])[-len(_PARQUET) :]
    hashing.join()
    scan.is_text = scan.is_text and _decodes(decoder, b"", final=True)
    scan.content_hash = digest.hexdigest()
    return scan


def _decodes(
    decoder: codecs.IncrementalDecoder, chunk: bytes, final: bool = False
) -> bool:
    """Return whether bytes continue the text, and finally end it."""
    try:
        decoder.decode(chunk, final)
    except UnicodeDecodeError:
        return False
    return True


def clean_copy(path: Path, target: Path, encoding: str = "") -> Iterator[Fault]:
    """Write a copy in UTF-8 with plain line ends, where lines with faults are blank."""
    with target.open("wb") as copy:
        for number, line in enumerate(lines_of(path), start=1):
            content = line.removesuffix(b"\n").removesuffix(b"\r")
            if number == 1:
                content = content.removeprefix(_BOM)
            reason = too_long(content)
            if encoding and not reason and not content.isascii():
                text = _decoded(content, encoding)
                reason = f"not {encoding} text" if text is None else None
                content = (text or "").encode()
            if reason := reason or _fault(content):
                is_windows = reason.endswith(NO_TEXT) and is_likely_windows(content)
                yield Fault(number, reason, is_windows)
                content = b""
            copy.write(content + b"\n")


def lines_of(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file; of a line that is too long, enough to detect it."""
    enough = len(_BOM) + LONGEST_LINE + len(b"\r\n")
    with path.open("rb") as file, progress.reading(file):
        while line := file.readline(enough):
            yield line
            while len(line) == enough and not line.endswith(b"\n"):
                line = file.readline(enough)


def too_long(line: bytes) -> str | None:
    """Return what is wrong with a line that is too long to read, or None."""
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
        return f"byte {error.start + 1} {NO_TEXT}"
    return None


def _decoded(line: bytes, encoding: str) -> str | None:
    """Return a line as text, or None if it is not in the encoding.

    Where the encoding is one of western Europe, a line that is UTF-8 already is not in
    it: two files may have been joined.
    """
    is_western = codecs.lookup(encoding).name in _WESTERN
    if is_western and _decoded(line, "utf-8") is not None:
        return None
    try:
        return line.decode(encoding)
    except UnicodeDecodeError:
        return None


def is_likely_windows(line: bytes) -> bool:
    """Return whether a line is no UTF-8, but words in Windows-1252."""
    text = _decoded(line, WINDOWS)
    is_other = not line.isascii() and line.decode("utf-8", "ignore").isascii()
    return text is not None and is_other and not _ALONE.search(text)
