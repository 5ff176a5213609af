"""Files that other programs make are told by name, not line by line."""

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from support import exploring
from support.commands import Command
from support.files import QRELS


def zipped(*names: str, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a ZIP archive of judgments under some names."""
    with zipfile.ZipFile(file := io.BytesIO(), "w", method) as archive:
        for name in names:
            archive.writestr(name, QRELS)
    return file.getvalue()


def tarred() -> bytes:
    """Return a tar archive of judgments."""
    with tarfile.open(fileobj=(file := io.BytesIO()), mode="w") as archive:
        member = tarfile.TarInfo("qrels")
        member.size = len(QRELS)
        archive.addfile(member, io.BytesIO(QRELS.encode()))
    return file.getvalue()


SQLITE = b"SQLite format 3\0" + bytes(84)
CSV = "save the table as CSV first"
WRONG = "is this the right file?"
OFFICE = f"an office document, such as a spreadsheet; {CSV}"
FILES = {
    "zip": (
        zipped("qrels", "runs/run"),
        'a zip archive of 2 files ("qrels", "runs/run"); unpack it and load them one by'
        " one",
    ),
    "folder.zip": (
        zipped("runs/"),
        "a zip archive without files; is this the right file?",
    ),
    "docx": (zipped("[Content_Types].xml", "word/document.xml"), OFFICE),
    "ods": (zipped("mimetype", "content.xml", method=zipfile.ZIP_STORED), OFFICE),
    "xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500), OFFICE),
    "tar": (tarred(), "a tar archive; unpack it first"),
    "tar.gz": (gzip.compress(tarred()), "a tar archive; unpack it first"),
    "pdf": (b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n", f"a PDF document; {WRONG}"),
    "page": (b"<!DOCTYPE html>\n<html><title>404</title>", f"a web page; {WRONG}"),
    "png": (
        b"\x89PNG\r\n\x1a\n" + bytes(50),
        f"a binary file, not text; {WRONG}",
    ),
    "utf16": (QRELS.encode("utf-16-le"), "UTF-16 text; save it as UTF-8 first"),
    "sqlite.gz": (gzip.compress(SQLITE), f"a SQLite database; {CSV}"),
}


@pytest.mark.parametrize(
    "kind", exploring.mostly_slow(["judgments", "run", "queries"], "judgments")
)
@pytest.mark.usefixtures("bare")
def test_a_file_of_another_program_is_told_by_name(ndcg: Command, kind: str) -> None:
    for suffix, (content, told) in FILES.items():
        Path(f"file.{suffix}").write_bytes(content)
        refusal = ndcg("load", kind, f"file.{suffix}").refusal
        assert refusal == f"file.{suffix}: {told}\n"
    assert not Path("ndcg.duckdb").exists()
