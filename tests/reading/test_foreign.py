"""Files that other programs make are told by name, not line by line.

Text in other encodings, such as Windows-1252, is read.
"""

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.reading.scanning import is_likely_windows
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
WRONG = "is this the right file?"
URL = "load a table by its URL, sqlite:///FILE"
OFFICE = "an office document, such as a spreadsheet; save the table as CSV first"
FILES = {
    "zip": (
        zipped("qrels", "runs/run"),
        'a zip archive of 2 files ("qrels", "runs/run"); unpack it and load them one by'
        " one",
    ),
    "folder.zip": (
        zipped("runs/"),
        "a zip archive of 0 files (none); unpack it and load them one by one",
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
    "utf16": (QRELS.encode("utf-16-le"), f"a binary file, not text; {WRONG}"),
    "sqlite.gz": (gzip.compress(SQLITE), f"a SQLite database; {URL}"),
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


FOUND = "select query_id, doc_id, grade from judgments order by doc_id"
ENCODINGS = ("cp1250", "iso-8859-2", "koi8-r", "shift_jis", "gb18030", "euc-kr", "big5")
WORDS = {"cp1250": "žluť", "iso-8859-2": "žluť", "koi8-r": "обувь", "euc-kr": "신발"}


@pytest.mark.slow
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding_that_python_knows_is_read(encoding: str) -> None:
    word = WORDS.get(encoding, "表能")
    text = f"query_id,doc_id,grade\n{word},a,1\nplain,b,0\n{word}{word},c,2\n"
    Path("old.csv").write_bytes(text.encode(encoding))
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments("old.csv", encoding=encoding)
        found = warehouse.connection.execute(FOUND).fetchall()
    assert found == [(word, "a", 1), ("plain", "b", 0), (word * 2, "c", 2)]


@pytest.mark.parametrize(
    ("line", "likely"),
    [
        ("größe,ß,1", False),
        ("größe,1", True),
        ("ÀÉÎ,1", False),
        ("“straße” \u2013 5 €", True),
        ("naïve", True),
        ("plain", False),
    ],
)
def test_words_are_told_from_other_bytes(line: str, likely: bool) -> None:
    assert is_likely_windows(line.encode("cp1252")) == likely
    # The same in UTF-8 is none, nor is what begins like it.
    assert not is_likely_windows(line.encode())
    assert not is_likely_windows(line.encode() + b"\x81")


@pytest.mark.slow
@pytest.mark.parametrize(
    "line", [b"q1 \xff d", b"q \xed\xa0\x80 d", b"\xc0\xaf", b"a\x9d"]
)
def test_damage_is_no_text_of_windows(line: bytes) -> None:
    assert not is_likely_windows(line)


CHANGING = (
    *("utf-7", "utf-16", "cp037", "idna", "rot13", "base64", "hz", "iso2022_jp"),
    *("unicode_escape", "raw_unicode_escape", "punycode", "undefined", "latin-1\0"),
)


@pytest.mark.parametrize("encoding", CHANGING)
@pytest.mark.usefixtures("here")
def test_an_encoding_that_would_change_ascii_is_refused(encoding: str) -> None:
    Path("j.csv").write_text("query,doc,grade\nq,a,1\n")
    refused = pytest.raises(NdcgSqlError, match="not an encoding that contains ASCII")
    with Warehouse.memory() as warehouse, refused:
        warehouse.load_judgments("j.csv", encoding=encoding)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["shift_jis", "gb18030", "big5", "euc_jp"])
@pytest.mark.usefixtures("here")
def test_signs_of_several_bytes_are_read_in_many_lines(encoding: str) -> None:
    rows = [f"日本{number},表,{number % 3}\n" for number in range(2500)]
    Path("j.csv").write_bytes(f"query,doc,grade\n{''.join(rows)}".encode(encoding))
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments("j.csv", encoding=encoding)
        sql = "select count(distinct query_id), min(query_id), max(doc_id)"
        [row] = warehouse.query(f"{sql} from judgments").to_dicts()
    assert (*row.values(),) == (2500, "日本0", "表")
