"""Every way into a warehouse stores the same rows."""

import gzip
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import number
from support import exploring
from support.files import Rows, json_lines, packed
from support.scripts import scripted
from support.ways_in import JUDGED, POSITIONS, RANKED, loaded_judgments, loaded_run

test_script = scripted(__file__)

Write = Callable[[Path], object]
Form = Callable[[Rows, str], str]


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
    plain, named = trec(rows), f"query_id,doc_id,{value}"
    csv = delimited(rows, named)
    return {
        "TREC": ("r", plain),
        "TREC with tabs": ("r", trec(rows, "\t")),
        "TREC with many blanks": ("r", "  " + trec(rows, " \t  ", " \t\n  ")),
        "TREC with CRLF": ("r.txt", trec(rows, end="\r\n")),
        "TREC with mixed line ends, comments, blank lines": ("r.txt", mixed(plain)),
        "TREC with a byte order mark": ("r", "\ufeff" + plain),
        "TREC without a last line end": ("r", plain.rstrip("\n")),
        "TREC in a file called CSV": ("r.csv", plain),
        "CSV": ("r.csv", csv),
        "CSV with semicolons": ("r.csv", delimited(rows, named, ";")),
        "CSV with semicolons and quotes, called text": (
            "r.txt",
            delimited(rows, named, ";", '"'),
        ),
        "CSV with CRLF": ("r.csv", csv.replace("\n", "\r\n")),
        "CSV under another name": ("r.txt", csv),
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
        "CSV with tabs": ("r.csv", delimited(rows, named, "\t")),
        "TSV": ("r.tsv", delimited(rows, f"user_id,item_id,{value}", "\t")),
        "TSV with commas": ("r.tsv", csv),
        "TSV with quotes": ("r.tsv", delimited(rows, named, "\t", '"')),
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


def objects(rows: Rows, value: str, names: str = "query_id doc_id") -> list[Any]:
    """Return rows as objects, with more in them than is loaded."""
    query, doc = names.split()
    return [
        {"extra": {"a": [1]}, query: q, doc: d, value: v, "flag": True}
        for q, d, v in rows
    ]


def by_query(rows: Rows) -> dict[str, dict[str, float]]:
    """Return rows as {query: {document: value}}."""
    found: dict[str, dict[str, float]] = {}
    for query, document, value in rows:
        found.setdefault(query, {})[document] = value
    return found


ANY: dict[str, tuple[str, Form]] = {
    "JSON lines": ("r.jsonl", lambda rows, value: json_lines(objects(rows, value))),
    "JSON lines under another name": (
        "r.txt",
        lambda rows, value: "\n" + json_lines(objects(rows, value, "qid docno")),
    ),
    "JSON lines with CRLF and a byte order mark": (
        "r",
        lambda rows, value: (
            "\ufeff" + json_lines(objects(rows, value)).replace("\n", "\r\n")
        ),
    ),
    "JSON lines with numbers as text": (
        "r.ndjson",
        lambda rows, value: json_lines(
            objects([(q, d, f"{v}") for q, d, v in rows], value)
        ),
    ),
    "JSON list on one line": (
        "r.json",
        lambda rows, value: json.dumps(objects(rows, value)),
    ),
    "JSON list on many lines": (
        "r.json",
        lambda rows, value: json.dumps(objects(rows, value), indent=2),
    ),
    "JSON by query on one line": ("r.json", lambda rows, _: json.dumps(by_query(rows))),
    "JSON by query, not escaped": (
        "r",
        lambda rows, _: json.dumps(by_query(rows), ensure_ascii=False, indent=1),
    ),
}
JUDGMENTS: dict[str, tuple[str, Form]] = {
    "TREC": ("r", lambda rows, _: "".join(f"{q} 0 {d} {v}\n" for q, d, v in rows)),
    "BEIR": (
        "qrels.tsv",
        lambda rows, _: (
            "query-id\tcorpus-id\tscore\n"
            + "".join(f"{q}\t{d}\t{v}\n" for q, d, v in rows)
        ),
    ),
    "BEIR as JSON lines": (
        "qrels.jsonl",
        lambda rows, _: json_lines(
            [{"query-id": q, "corpus-id": d, "score": v} for q, d, v in rows]
        ),
    ),
    "MS MARCO": (
        "qrels.dev.tsv",
        lambda rows, _: "".join(f"{q}\t0\t{d}\t{v}\n" for q, d, v in rows),
    ),
    "RankLib": (
        "r.txt",
        lambda rows, _: (
            "# qid:1: a comment\n"
            + "".join(f"{v}\tqid:{q}\t1:0.5 2:-1\t# {d}\tmore\n" for q, d, v in rows)
        ),
    ),
    "LETOR": (
        "r.svm",
        lambda rows, _: "".join(
            f"{v} qid:{q} 1:1e-3 #docid = {d} inc = 1\n" for q, d, v in rows
        ),
    ),
    "OpenSearch": (
        "r.json",
        lambda rows, _: json.dumps(
            {
                "name": "a name",
                "judgmentRatings": [
                    {"query": q, "ratings": [{"docId": d, "rating": f"{v}"}]}
                    for q, d, v in rows
                ],
            }
        ),
    ),
}


def ways(rows: Rows, value: str) -> Iterator[tuple[str, str, Write]]:
    """Yield every way to write rows: what it is, the name of the file, and a writer."""

    def writer(text: str) -> Write:
        return lambda path: path.write_bytes(text.encode())

    for way, (name, text) in texts(rows, value).items():
        yield way, name, writer(text)
    for way, write in binaries(rows, value).items():
        yield way, "r", write
    forms = ANY if value == "score" else {**ANY, **JUDGMENTS}
    for way, (name, form) in forms.items():
        yield way, name, writer(form(rows, value))


def test_a_run_is_the_same_by_every_way_in(memory: Database, tmp_path: Path) -> None:
    for way, name, write in ways(RANKED, "score"):
        write(tmp_path / name)
        assert loaded_run(memory, tmp_path / name) == POSITIONS, way


def test_judgments_are_the_same_by_every_way_in(
    memory: Database, tmp_path: Path
) -> None:
    expected = sorted((*row, None) for row in JUDGED)
    for way, name, write in ways(JUDGED, "grade"):
        write(tmp_path / name)
        assert loaded_judgments(memory, tmp_path / name) == expected, way


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(exploring.amount(2, 40)))
def test_random_judgments_are_the_same_by_every_way_in(
    memory: Database, tmp_path: Path, seed: int
) -> None:
    chance = Random(seed)
    letters = 'aZ0-:/_.é漢😀"\\{'
    ids = ["".join(chance.choices(letters, k=chance.randint(1, 6))) for _ in range(40)]
    pairs = {(chance.choice(ids[:8]), chance.choice(ids)) for _ in range(120)}
    rows = [(f"q{q}", f"d{d}", chance.uniform(-2, 5)) for q, d in sorted(pairs)]
    chance.shuffle(rows)
    expected = sorted((*row, None) for row in rows)
    for way, (name, form) in {**ANY, **JUDGMENTS}.items():
        path = tmp_path / name
        path.write_bytes(form(rows, "grade").encode())
        # A tab-separated file has no way to write a quote but as a quote.
        if name.endswith(".tsv") and '"' in path.read_text("utf-8"):
            continue
        assert loaded_judgments(memory, path) == expected, way


LITERALS = [
    *("0.1", "1e400", "1E-5", "-0", "-0.0", "5e-324", "1e-400", "NaN", "Infinity"),
    *("12345678901234567890", "0.30000000000000004", "-Infinity", "true", "null"),
    *("[1]", '{"a":1}', '""', '"NaN"', '"1_0"', '" 2 "', '"0x1"', '".5"', '"Exact"'),
]


@pytest.mark.slow
@pytest.mark.parametrize("form", exploring.sampled(["jsonl", "json"], 2))
def test_numbers_in_json_are_read_as_in_text(
    memory: Database, tmp_path: Path, form: str
) -> None:
    """Python's own conversion, and the rule of text files, say what must come out."""
    for literal in LITERALS:
        path = tmp_path / f"r.{form}"
        row = f'{{"query_id": "q", "doc_id": 7, "grade": {literal}}}'
        other = '{"query_id": "q", "doc_id": 8, "grade": 1}'
        path.write_text(row if form == "jsonl" else f"[\n{row},\n{other}]")
        wanted = number(literal.strip('"').strip())
        if wanted is None:
            with pytest.raises(NdcgSqlError) as refusal:
                loaded_judgments(memory, path)
            place = f"{path}:1: " if form == "jsonl" else f"{path}: item 1: "
            assert str(refusal.value).startswith(place), literal
        else:
            first = loaded_judgments(memory, path)[0]
            assert first == ("q", "7", wanted, None), literal
            assert not str(first[2]).startswith("-0.0")
