"""Every way into a warehouse stores the same rows."""

import gzip
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.database.database import Database
from support.files import Rows, packed
from support.ways_in import JUDGED, POSITIONS, RANKED, loaded_judgments, loaded_run

Write = Callable[[Path], object]


def trec(rows: Rows, separator: str = " ", end: str = "\n") -> str:
    """Return rows as TREC text: a run if there are scores, which need six fields."""
    fields = (
        [q, "Q0", d, "1", f"{value}", "t"]
        if rows is RANKED
        else [q, "0", d, f"{value}"]
        for q, d, value in rows
    )
    return "".join(separator.join(row) + end for row in fields)


def delimited(rows: Rows, header: str, delimiter: str = ",", quote: str = "") -> str:
    """Return rows as CSV below a header."""
    lines = (
        delimiter.join(f"{quote}{value}{quote}" for value in row) + "\n" for row in rows
    )
    return header.replace(",", delimiter) + "\n" + "".join(lines)


def mixed(text: str) -> str:
    """Return text with LF and CRLF in turns, comments, and blank lines."""
    ends = itertools.cycle(["\n", "\r\n", "\n# q Q0 d 1 1 t\n", "\r\n \t \r\n\n"])
    return "".join(line + next(ends) for line in text.splitlines())


def parquet(path: Path, rows: Rows, types: tuple[str, str, str], names: str) -> None:
    """Write rows as Parquet with columns of these types and names."""
    selected = ", ".join(
        f"cast(c{i} as {kind}) as {name.strip()}"
        for i, (kind, name) in enumerate(
            zip(types, names.split(","), strict=True), start=1
        )
    )
    with duckdb.connect() as connection:
        connection.execute("create table rows (c1 text, c2 text, c3 double)")
        connection.executemany("insert into rows values (?, ?, ?)", rows)
        connection.execute(
            f"copy (select {selected} from rows) to '{path}' (format parquet)"
        )


def texts(rows: Rows, value: str) -> dict[str, tuple[str, str]]:
    """Return ways to write rows as text: a file's name and what is in it."""
    usual = {"score": "qid,docno,sim", "grade": "topic_id,product_id,rating"}[value]
    plain = trec(rows)
    return {
        "TREC": ("r", plain),
        "TREC with tabs": ("r", trec(rows, "\t")),
        "TREC with many blanks": ("r", "  " + trec(rows, " \t  ", " \t\n  ")),
        "TREC with CRLF": ("r.txt", trec(rows, end="\r\n")),
        "TREC with mixed line ends, comments, blank lines": ("r.txt", mixed(plain)),
        "TREC with a byte order mark": ("r", "\ufeff" + plain),
        "TREC without a last line end": ("r", plain.rstrip("\n")),
        "TREC in a file called CSV": ("r.csv", plain),
        "CSV": ("r.csv", delimited(rows, f"query_id,doc_id,{value}")),
        "CSV with semicolons": (
            "r.csv",
            delimited(rows, f"query_id,doc_id,{value}", ";"),
        ),
        "CSV with semicolons and quotes, called text": (
            "r.txt",
            delimited(rows, f"query_id,doc_id,{value}", ";", '"'),
        ),
        "CSV with CRLF": (
            "r.csv",
            delimited(rows, f"query_id,doc_id,{value}").replace("\n", "\r\n"),
        ),
        "CSV under another name": (
            "r.txt",
            delimited(rows, f"query_id,doc_id,{value}"),
        ),
        "CSV with a byte order mark and usual names": (
            "r.csv",
            "\ufeff" + delimited(rows, usual),
        ),
        "CSV with quotes": (
            "r.csv",
            delimited(rows, f'"query_id","doc_id","{value}"', quote='"'),
        ),
        "CSV with blank lines": (
            "r.csv",
            "\n\n" + delimited(rows, f"Query ID,Doc-ID,{value}").replace("\n", "\n\n"),
        ),
        "CSV with tabs": (
            "r.csv",
            delimited(rows, f"query_id,doc_id,{value}", "\t"),
        ),
        "TSV": ("r.tsv", delimited(rows, f"user_id,item_id,{value}", "\t")),
        "TSV with commas": ("r.tsv", delimited(rows, f"query_id,doc_id,{value}")),
        "TSV with quotes": (
            "r.tsv",
            delimited(rows, f"query_id,doc_id,{value}", "\t", '"'),
        ),
    }


def binaries(rows: Rows, value: str) -> dict[str, Write]:
    """Return ways to write rows that are no text."""
    text = trec(rows)
    csv = delimited(rows, f'"query_id",doc_id,{value}')
    names = f"query_id, doc_id, {value}"

    def packed_parquet(path: Path) -> None:
        parquet(path, rows, ("text", "text", "double"), names)
        path.write_bytes(gzip.compress(path.read_bytes()))

    return {
        "gzip": lambda path: path.write_bytes(gzip.compress(text.encode())),
        "gzip of several parts": lambda path: path.write_bytes(
            b"".join(gzip.compress(line.encode()) for line in text.splitlines(True))
        ),
        "gzip of CSV with quotes": lambda path: path.write_bytes(
            gzip.compress(csv.encode())
        ),
        "gzip with CRLF and a byte order mark": lambda path: path.write_bytes(
            gzip.compress(("\ufeff" + text.replace("\n", "\r\n")).encode())
        ),
        "Parquet": lambda path: parquet(path, rows, ("text", "text", "double"), names),
        "Parquet of single floats": lambda path: parquet(
            path, rows, ("text", "text", "float"), names
        ),
        "Parquet of decimals and usual names": lambda path: parquet(
            path, rows, ("text", "text", "decimal(9, 4)"), f"Topic, DocNo, {value}"
        ),
        "gzip of Parquet": packed_parquet,
        "zstd": lambda path: path.write_bytes(packed(text.encode())),
        "zstd of CSV with quotes": lambda path: path.write_bytes(packed(csv.encode())),
    }


def ways(rows: Rows, value: str) -> Iterator[Any]:
    """Return every way to write rows, as parameters of a test."""

    def text_writer(name: str, text: str) -> Write:
        return lambda folder: (folder / name).write_bytes(text.encode())

    def binary_writer(write: Write) -> Write:
        return lambda folder: write(folder / "r")

    for way, (name, text) in texts(rows, value).items():
        yield pytest.param(text_writer(name, text), id=way)
    for way, write in binaries(rows, value).items():
        yield pytest.param(binary_writer(write), id=way)


@pytest.mark.parametrize("write", ways(RANKED, "score"))
def test_a_run_is_the_same_by_every_way_in(
    memory: Database, tmp_path: Path, write: Write
) -> None:
    write(tmp_path)
    (path,) = tmp_path.iterdir()
    assert loaded_run(memory, path) == POSITIONS


@pytest.mark.parametrize("write", ways(JUDGED, "grade"))
def test_judgments_are_the_same_by_every_way_in(
    memory: Database, tmp_path: Path, write: Write
) -> None:
    write(tmp_path)
    (path,) = tmp_path.iterdir()
    assert loaded_judgments(memory, path) == sorted((*row, None) for row in JUDGED)
