"""Load files that were changed at random, and compare with another reader.

    python benchmarks/mutations.py [--format NAME]... [--times N] [--seed N]
        [--csv FILE]

Good files of each format get a change of one kind: bytes (some are replaced,
inserted or left out), fields (left out, twice, moved), numbers (replaced by odd ones),
an encoding (all or a part is in another one), nesting (brackets), a cut; compressed
ones flipped bits. What is accepted must have the rows that a strict reader in plain
Python finds (of Parquet, pyarrow). In the table, ended is how many were refused;
partial counts other rows, wrong tracebacks and what took five seconds of a processor.
The exit code is then 1.
"""

import argparse
import bz2
import codecs
import csv
import gzip
import io
import json
import lzma
import random
import re
import sys
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from measuring import Count, finish, tell, workplace

from ndcg_sql import NdcgSqlError
from ndcg_sql.database import opening
from ndcg_sql.database.database import Database

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from support.files import packed
from support.mutations import flipped, mutated
from support.ways_in import loaded_judgments, loaded_run

# In seconds: a file of twelve rows takes a hundredth of that.
SLOW = 5
# How many files are loaded into one warehouse.
MOST = 500
# What a strict reader raises of a file that it does not understand.
READER = (
    *(ValueError, KeyError, TypeError, AttributeError, RuntimeError, IndexError),
    *(csv.Error, OSError, EOFError, StopIteration),
)
# Rows of a file: a query, a document, a number.
Found = set[tuple[str, str, float]]
Reader = Callable[[bytes], Found]
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE | re.ASCII)
# Blanks and tabs alone end a field.
LETOR = re.compile(r"([^ \t]+)[ \t]+qid:([^ \t]+)(?:[ \t]+\d+:[^ \t]+)*", re.ASCII)
# The names that columns are known by here.
QUERIES = ("queryid", "query", "useridtoken")
DOCUMENTS = ("docid", "doc", "itemidtoken")
SCORES = ("score", "ratingfloat")
NUMBERS = (
    *("nan", "inf", "-Infinity", "1e400", "1e-400", "0e5", "1_000", "0x1", "1,5", "٣"),
    *("1.234,5", "", "true", "null", "+3", ".5", "5.", "007", "1e3", "-0.0", "1.0.0"),
    *("9007199254740993", "0.1000000000000000055511151231257827", "1 000", "--1", "½"),
)
ENCODINGS = (
    "utf-16",
    "utf-16-le",
    "utf-16-be",
    "utf-32",
    "utf-8-sig",
    "cp1252",
    "cp037",
)
ROWS = [
    (f"q{q}", f"d{q * 7 + d}", (d * 37 % 11) / 4 - 1)
    for q in range(3)
    for d in range(4)
]
GRADED = [(query, document, abs(number)) for query, document, number in ROWS]


def number(text: str) -> float:
    """Return the number that a text is, between blanks; or raise ValueError."""
    text = text.strip(" \t")
    if not NUMBER.fullmatch(text) and not INFINITE.fullmatch(text):
        raise ValueError(text)
    return float(text)


def lines(content: bytes) -> list[str]:
    """Return the lines of a text; raise ValueError if it is none."""
    return [line.removesuffix("\r") for line in decoded(content).split("\n")]


def decoded(content: bytes) -> str:
    """Return a text in UTF-8, or in UTF-16 with a mark; without NUL."""
    is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = content.decode("utf-16" if is_utf16 else "utf-8-sig")
    if "\0" in text:
        raise ValueError(content)
    return text


def fields(content: bytes, width: int, at: int) -> Found:
    """Return the rows of a TREC file."""
    found: Found = set()
    for line in lines(content):
        if not line.strip(" \t"):
            continue
        row = re.split("[ \t]+", line.strip(" \t"))
        try:
            if len(row) != width:
                raise ValueError(line)
            found.add((row[0], row[2], number(row[at])))
        except ValueError:
            # Comments, but for rows of a query whose name begins so.
            if not line.startswith("#"):
                raise
    return found


def delimited(content: bytes, delimiter: str, decimal: str = ".") -> Found:
    """Return the rows of a file with a header; lines of blanks are none."""
    text = io.StringIO(decoded(content), newline="")
    reader = csv.reader(text, delimiter=delimiter)
    names, *rows = [row for row in reader if any(field.strip() for field in row)]
    if any(len(row) != len(names) for row in rows):
        raise ValueError(content)
    # Names of columns are read whatever stands between their words.
    words = ["".join(filter(str.isalnum, name)).lower() for name in names]
    query, document, score = (
        next(words.index(name) for name in choices if name in words)
        for choices in (QUERIES, DOCUMENTS, SCORES)
    )
    return {
        (row[query], row[document], decimal_number(row[score], decimal)) for row in rows
    }


def decimal_number(text: str, decimal: str) -> float:
    """Return a number with a decimal comma, perhaps, and points among thousands."""
    if decimal == ",":
        whole, comma, rest = text.strip(" \t").partition(",")
        if "." in whole and re.fullmatch(r"[+-]?\d{1,3}(\.\d{3})+", whole, re.ASCII):
            whole = whole.replace(".", "")
        text = whole + comma.replace(",", ".") + rest
    return number(text)


def nested_lines(content: bytes) -> Found:
    """Return the rows of lists of objects, a query on each line."""
    rows = [json.loads(line) for line in lines(content) if line.strip()]
    return {
        (str(row["query_id"]), str(result["id"]), number(str(result["score"])))
        for row in rows
        for result in row["results"]
    }


def letor(content: bytes) -> Found:
    """Return the rows of a list; a comment begins with the document, if any."""
    found: Found = set()
    for place, line in enumerate(lines(content), start=1):
        head, _, comment = line.partition("#")
        if not head.strip(" \t"):
            continue
        matched = LETOR.fullmatch(head.strip(" \t"))
        if matched is None:
            raise ValueError(line)
        document = re.split("[ \t]+", comment.strip(" \t"))[0]
        found.add((matched[2], document or str(place), number(matched[1])))
    return found


def lists(content: bytes) -> Found:
    """Return the rows of lists of documents: their positions are the numbers."""
    found: Found = set()
    for line in lines(content):
        row = line.split("\t")
        is_comment = line.startswith("#") and (len(row) != 2 or row[0] == "#")
        if line.strip() and not is_comment:
            query, listed = row
            # An empty list is a query without documents, which has no rows.
            documents = listed.split(",") if listed.strip(" ") else []
            for place, document in enumerate(documents, start=1):
                found.add((query, document.strip(" "), float(place)))
    return found


def parquet(content: bytes) -> Found:
    """Return the rows of a Parquet file, as pyarrow reads it; the good ones if not."""
    read: Any = import_module("pyarrow.parquet").read_table
    try:
        rows = read(io.BytesIO(content)).to_pylist()
    # pyarrow has errors of many classes; it looks at more than the rows.
    except Exception:
        return {*ROWS}
    # Text is bytes to pyarrow where no logical type says that it is text.
    found: Any = {
        tuple(v.decode() if isinstance(v, bytes) else v for v in row.values())
        for row in rows
    }
    return found


def json_lines(content: bytes) -> Found:
    """Return the rows of a file of JSON objects."""
    rows = [json.loads(line) for line in lines(content) if line.strip()]
    return {
        (str(row["query_id"]), str(row["doc_id"]), number(str(row["score"])))
        for row in rows
    }


def json_map(content: bytes) -> Found:
    """Return the rows of one object of objects."""
    return {
        (query, document, number(str(score)))
        for query, scores in json.loads(decoded(content)).items()
        for document, score in scores.items()
    }


@dataclass(frozen=True)
class Format:
    """A good file, what reads it strictly, and how it is changed and loaded."""

    name: str
    good: bytes
    read: Reader
    change: Callable[[random.Random, bytes], tuple[str, bytes]] = None  # type: ignore
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    is_judged: bool = False


def formats(folder: Path) -> dict[str, Format]:
    """Return every format by its name."""
    table = [("query_id", "doc_id", "score"), *ROWS]
    objects = [dict(zip(table[0], row, strict=True)) for row in ROWS]
    nested: dict[str, dict[str, float]] = {}
    for query, document, score in ROWS:
        nested.setdefault(query, {})[document] = score
    results = [
        {"query_id": q, "results": [{"id": d, "score": s} for d, s in row.items()]}
        for q, row in nested.items()
    ]

    def joined(rows: Any, by: str) -> bytes:
        return "".join(by.join(map(str, row)) + "\n" for row in rows).encode()

    comma = joined(table, ";").replace(b".", b",")
    trec = joined(((q, "Q0", d, 0, s, "t") for q, d, s in ROWS), " ")
    csv_file = joined(table, ",")
    rated = [("user_id:token", "item_id:token", "rating:float"), *GRADED]
    letors = ((s, f"qid:{q}", "1:0.5 2:7 #", d) for q, d, s in GRADED)

    def as_csv(content: bytes) -> Found:
        return delimited(content, ",")

    def trec_fields(content: bytes) -> Found:
        return fields(content, 6, 4)

    texts = [
        Format("trec.run", trec, trec_fields),
        Format(
            "trec.qrels",
            joined(((q, 0, d, s) for q, d, s in GRADED), " "),
            lambda content: fields(content, 4, 3),
            is_judged=True,
        ),
        Format("csv.csv", csv_file, as_csv),
        Format("tsv.tsv", joined(table, "\t"), lambda c: delimited(c, "\t")),
        Format(
            "comma.csv",
            comma,
            lambda content: delimited(content, ";", ","),
            options={"decimal": ","},
        ),
        Format(
            "jsonl.jsonl", joined([[json.dumps(o)] for o in objects], ""), json_lines
        ),
        Format("json.json", json.dumps(nested).encode(), json_map),
        Format(
            "nested.jsonl", joined([[json.dumps(r)] for r in results], ""), nested_lines
        ),
        Format("letor.letor", joined(letors, " "), letor, is_judged=True),
        Format(
            "recbole.inter",
            joined(rated, "\t"),
            lambda c: delimited(c, "\t"),
            is_judged=True,
        ),
        Format(
            "lists.txt",
            joined(((q, ",".join(row)) for q, row in nested.items()), "\t"),
            lists,
        ),
    ]
    for name, encoding in (("utf16.csv", "utf-16"), ("western.csv", "cp1252")):
        texts.append(
            Format(
                name,
                csv_file.decode().replace("\nq", "\né").encode(encoding),
                lambda content, encoding=encoding: as_csv(
                    content.decode(encoding).encode()
                ),
                flips,
                {"encoding": encoding},
            )
        )
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.run", trec)
    made = {
        "gzip.run.gz": gzip.compress(trec, mtime=0),
        "zstd.run.zst": packed(trec),
        "bzip2.run.bz2": bz2.compress(trec),
        "xz.run.xz": lzma.compress(trec),
        "zip.run.zip": zipped.getvalue(),
        "excel.xlsx": workbook(folder / "good.xlsx"),
    }
    # These have checksums: only the good rows may be read.
    binaries = [Format(n, good, lambda _: {*ROWS}, flips) for n, good in made.items()]
    binaries.append(Format("parquet.parquet", parquet_file(folder), parquet, flips))
    binaries.append(
        Format(
            "packed.run.gz",
            gzip.compress(trec, mtime=0),
            lambda content: trec_fields(gzip.decompress(content)),
            lambda chance, content: packed_again(chance, content),
        )
    )
    return {one.name.partition(".")[0]: one for one in [*texts, *binaries]}


def workbook(path: Path) -> bytes:
    """Return the rows as an Excel file."""
    xlsxwriter: Any = import_module("xlsxwriter")
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        for at, row in enumerate([("query_id", "doc_id", "score"), *ROWS]):
            sheet.write_row(at, 0, row)
    return path.read_bytes()


def parquet_file(folder: Path) -> bytes:
    """Return the rows as a Parquet file whose pages have checksums."""
    arrow: Any = import_module("pyarrow")
    columns = dict(
        zip(("query_id", "doc_id", "score"), zip(*ROWS, strict=True), strict=True)
    )
    rows = arrow.table({name: list(column) for name, column in columns.items()})
    path = folder / "good.parquet"
    import_module("pyarrow.parquet").write_table(rows, path, write_page_checksum=True)
    return path.read_bytes()


def changes(chance: random.Random, content: bytes) -> tuple[str, bytes]:
    """Return a kind of change, and a text with it."""
    kind = chance.choice(("bytes", "fields", "numbers", "encoding", "nesting", "cut"))
    if kind == "bytes":
        return kind, mutated(chance, content)
    if kind == "cut":
        place = chance.randrange(len(content))
        return kind, content[:place] if chance.random() < 0.8 else content[place:]
    if kind == "encoding":
        cut = 0 if chance.random() < 0.5 else chance.randrange(len(content))
        rest = content[cut:].decode() + chance.choice(("", "é", "\ufeff"))
        try:
            return kind, content[:cut] + rest.encode(chance.choice(ENCODINGS))
        except UnicodeEncodeError:
            return kind, content[:cut]
    pattern = rb"-?\d+(?:[.,]\d+)?" if kind == "numbers" else rb"[ \t,;:\n]+"
    places = [found.span() for found in re.finditer(pattern, content)]
    start, end = chance.choice(places)
    if kind == "numbers":
        return kind, content[:start] + chance.choice(NUMBERS).encode() + content[end:]
    if kind == "nesting":
        opened, closed = chance.choice(((b"[", b"]"), (b"{", b"}"), (b'"', b'"')))
        depth = chance.choice((1, 1, 2, 50, 2000))
        last = chance.choice([place for place, _ in places if place >= start])
        inner = content[start:last]
        return kind, content[
            :start
        ] + opened * depth + inner + closed * depth + content[last:]
    # A field goes, comes twice, or changes places with another one.
    separators = [content[a:b] for a, b in places]
    values = re.split(pattern, content)
    at, other = chance.randrange(len(values)), chance.randrange(len(values))
    how = chance.randrange(4)
    if how == 0:
        values[at] = b""
    elif how == 1:
        values[at], values[other] = values[other], values[at]
    elif how == 2:
        values[at] += chance.choice(separators) + values[at]
    else:
        separators[at % len(separators)] = chance.choice(separators)
    pairs = zip(values, [*separators, b""], strict=True)
    return kind, b"".join(value + separator for value, separator in pairs)


def flips(chance: random.Random, content: bytes) -> tuple[str, bytes]:
    """Return a file with flipped bits, or a cut one."""
    return "flipped bits", flipped(chance, content)


def packed_again(chance: random.Random, content: bytes) -> tuple[str, bytes]:
    """Return a compressed file whose text was changed, or of several members."""
    kind, text = changes(chance, gzip.decompress(content))
    parts = chance.choice((1, 1, 2, 3))
    size = len(text) // parts + 1
    pieces = [text[at : at + size] for at in range(0, max(len(text), 1), size)]
    return kind, b"".join(gzip.compress(piece, mtime=0) for piece in pieces)


def loaded(database: Database, path: Path, form: Format, count: Count) -> Found | None:
    """Return the rows that are loaded of a file; None if it is refused."""
    load = loaded_judgments if form.is_judged else loaded_run
    start = time.process_time()
    try:
        rows = load(database, path, **form.options)
    except NdcgSqlError as error:
        if "please report it" in str(error):
            count.found("wrong", f"{error} {path.read_bytes()!r:.2000}")
        return None
    # Any other error is a fault of ours, and no reason to stop.
    except Exception as error:
        count.found("wrong", f"{error!r} of {path.read_bytes()!r:.2000}")
        return None
    finally:
        if time.process_time() - start > SLOW:
            count.found("wrong", f"slow: {path.read_bytes()!r:.2000}")
    at = 2 if form.is_judged else 3
    return {
        (row[0], row[1], float(row[2]) if row[at] is None else row[at]) for row in rows
    }


def tried(
    database: Database, path: Path, form: Format, count: Count, seed: str
) -> None:
    """Load one changed file, and compare what is there then."""
    kind, content = (form.change or changes)(random.Random(seed), form.good)
    count.place = f"{seed}, {kind}"
    count.add("tries")
    path.write_bytes(content)
    found = loaded(database, path, form, count)
    if found is None:
        count.add("ended")
        return
    try:
        expected = form.read(content)
    except READER as error:
        count.found("partial", f"loaded {content!r:.2000}: {error!r:.300}")
        return
    if found != expected:
        count.found("partial", f"{found ^ expected} of {content!r:.2000}")


def main() -> None:
    """Load changed files of each format, print the table and write the CSV file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--format", action="append", help="one of the table's")
    parser.add_argument("--times", type=int, default=5000, help="of each format")
    parser.add_argument("--seed", type=int, default=4711)
    parser.add_argument("--csv", type=Path, help="write the rows there, too")
    options = parser.parse_args()
    counts: list[Count] = []
    with workplace(None) as folder:
        every = formats(folder)
        for name in options.format or every:
            form, count = every[name], Count(f"mutated: {name}")
            path = folder / form.name
            # A warehouse that grows becomes slow.
            for start in range(0, options.times, MOST):
                with opening.memory() as database:
                    for number in range(start, min(start + MOST, options.times)):
                        seed = f"{options.seed} {name} {number}"
                        tried(database, path, form, count, seed)
            tell(str(count.row))
            counts.append(count)
    finish(counts, options.csv, "pyarrow")


if __name__ == "__main__":
    main()
