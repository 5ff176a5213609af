"""Files that other programs make are told by name, not line by line."""

import gzip
import io
import sqlite3
import tarfile
import zipfile
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
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
    "png": (b"\x89PNG\r\n\x1a\n" + bytes(50), f"a PNG image; {WRONG}"),
    "jpg": (b"\xff\xd8\xff\xe0\0\x10JFIF\0", f"a JPEG image; {WRONG}"),
    "utf16": (QRELS.encode("utf-16-le"), "UTF-16 text; save it as UTF-8 first"),
    "sqlite.gz": (gzip.compress(SQLITE), f"a SQLite database; {CSV}"),
}


@pytest.mark.parametrize(
    ("kind", "suffix"),
    [
        *(("judgments", suffix) for suffix in FILES),
        *(("run", "zip"), ("queries", "docx")),
        *(
            pytest.param(kind, suffix, marks=pytest.mark.slow)
            for suffix in FILES
            for kind in ("run", "queries")
            if (kind, suffix) not in (("run", "zip"), ("queries", "docx"))
        ),
    ],
)
@pytest.mark.usefixtures("bare")
def test_a_file_of_another_program_is_told_by_name(
    ndcg: Command, kind: str, suffix: str
) -> None:
    content, told = FILES[suffix]
    Path(f"file.{suffix}").write_bytes(content)
    assert ndcg("load", kind, f"file.{suffix}").refusal == f"file.{suffix}: {told}\n"
    assert not Path("ndcg.duckdb").exists()


@pytest.mark.usefixtures("bare")
def test_a_table_of_a_file_of_sqlite_can_be_loaded(ndcg: Command) -> None:
    connection = sqlite3.connect("shop.db")
    connection.execute("create table ranked (query, doc, score)")
    connection.execute("insert into ranked values ('q', 'a', 1)")
    connection.commit()
    connection.close()
    whole = Path("shop.db").absolute()
    for path, url in ((whole, f"sqlite:///{whole}"), ("shop.db", "sqlite:///shop.db")):
        told = ndcg("load", "run", path, "--name", "r")
        way = f"load run --from {url} --table NAME --name r"
        assert told.refusal.endswith(f"to load a table of it: ndcg-sql {way}\n")
    assert not Path("ndcg.duckdb").exists()
    command = way.replace("NAME", "ranked").split()
    assert ndcg(*command).err.startswith('loaded run "r": 1 query')
    with Warehouse.memory() as warehouse, pytest.raises(NdcgSqlError) as error:
        warehouse.load_known("shop.db")
    loading = 'load_known(database_rows("sqlite:///shop.db", table=NAME))'
    assert str(error.value).endswith(loading)
    # Of several files, the others are looked at, too.
    told = ndcg("load", "run", "shop.db", "none")
    assert f"shop.db: a SQLite database; {CSV}" in told.err


def test_a_warehouse_is_no_file_to_be_loaded(ndcg: Command, loaded: Path) -> None:
    assert ndcg("load", "run", loaded.name, "-w", "other.duckdb").refusal == (
        "ndcg.duckdb: a DuckDB file; a warehouse is named with --warehouse\n"
    )


@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    "query", exploring.sampled(["PK", "BZh91AY&", "%PDF-1.4", "GIF89a", "ARROW1"], 3)
)
def test_text_that_begins_like_theirs_is_text(ndcg: Command, query: str) -> None:
    # No line end of ours, so that the bytes are looked at; cut within a character.
    lines = [f"{query} 0 d{n}{'é' * 500} 1\r\n" for n in range(4)]
    Path("file").write_bytes("".join(lines).encode())
    result = ndcg("load", "judgments", "file")
    assert result.err == 'loaded judgment set "file": 1 query, 4 judgments\n'
