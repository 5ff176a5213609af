"""Files of other programs, detected by their first bytes: archives, images, ..."""

from pathlib import Path

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.compression import ZIP
from ndcg_sql.system.paths import stream
from ndcg_sql.wording import Blank, Call

_AS_CSV = "save the table as CSV first"
_WRONG = "is this the right file?"
_OFFICE = ("an office document, such as a spreadsheet", _AS_CSV)
_UTF16 = ("UTF-16 text", "save it as UTF-8 first")
_SQLITE = b"SQLite format 3\0"
# What a path would have another meaning with in the URL of a database.
_OF_URLS = set("?$")
# What a file is and what to do, by the bytes at a place.
_KINDS = {
    # Any other ZIP archive is decompressed.
    (0, ZIP): _OFFICE,
    (0, b"PK\x05\x06"): ("an empty ZIP archive", _WRONG),
    (0, b"\xd0\xcf\x11\xe0"): _OFFICE,
    (0, b"%PDF-"): ("a PDF document", _WRONG),
    (0, b"\xff\xfe"): _UTF16,
    (0, b"\xfe\xff"): _UTF16,
    (0, _SQLITE): ("a SQLite database", _AS_CSV),
    (0, b"ARROW1"): ("an Arrow file", "write it as Parquet first"),
    (8, b"DUCK"): ("a DuckDB file", "a warehouse is opened, not loaded"),
    (257, b"ustar"): ("a tar archive", "unpack it first"),
}
# Text that no data begins with; in place of a file, servers send pages.
_WEB_PAGE = (b"<!doctype html", b"<html")
_HEAD = 2048
# The share of bytes that no text has, from which on a file is not one: damaged text
# has a few.
_BINARY = 0.2
# The control characters that do not occur in text, not even in a damaged line.
_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\v\f\r\x1a\x1b"))


def check_foreign(path: Path, shown: str) -> None:
    """Raise NdcgSqlError if a file that is not text belongs to another program.

    Text that happens to begin with the same bytes is accepted.
    """
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if head.lstrip().lower().startswith(_WEB_PAGE):
        raise NdcgSqlError(f"{shown}: a web page; {_WRONG}")
    # The last character may be cut.
    is_text = "\ufffd" not in head.decode(errors="replace")[:-1]
    if b"\0" not in head and is_text:
        return
    kinds = [kind for (at, mark), kind in _KINDS.items() if head.startswith(mark, at)]
    # In UTF-16, nearly every second byte is NUL, and hardly any other.
    fewer, more = sorted((head[::2].count(0), head[1::2].count(0)))
    if fewer < 0.02 * len(head) and more > 0.4 * len(head):
        kinds = [_UTF16]
    for kind, remedy in kinds:
        raise NdcgSqlError(f"{shown}: {kind}", remedy)
    controls = len(head) - len(head.translate(None, _CONTROLS))
    undecodable = len(head) - len(head.decode(errors="ignore").encode())
    if controls and controls + undecodable > _BINARY * len(head):
        raise NdcgSqlError(f"{shown}: a binary file, not text; {_WRONG}")


def table_of_sqlite(path: Path) -> Call | None:
    """Return what names a table of a file in a call, if it is a SQLite database."""
    if stream(path) is not None or not path.is_file() or _OF_URLS & {*str(path)}:
        return None
    try:
        with path.open("rb") as file:
            head = file.read(len(_SQLITE))
    except OSError:
        # Who reads the file tells why it cannot be read.
        return None
    if head != _SQLITE:
        return None
    return Call("database_rows", (f"sqlite:///{path}",), {"table": Blank("NAME")})
