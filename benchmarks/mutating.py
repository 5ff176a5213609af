"""Files that change while they are loaded, and good files changed at random."""

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import random
import re
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from breaking import Count

from ndcg_sql import NdcgSqlError
from ndcg_sql.database import opening
from ndcg_sql.database.database import Database

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from support.files import packed
from support.mutations import flipped
from support.mutations import mutated as changed
from support.ways_in import loaded_judgments, loaded_run

# Rows of a file: a query, a document, a number.
Found = set[tuple[str, str, float]]
Reader = Callable[[bytes], Found]
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE | re.ASCII)
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
    return [line.removesuffix("\r") for line in content.decode("utf-8-sig").split("\n")]


def fields(content: bytes, width: int, at: int) -> Found:
    """Return the rows of a TREC file."""
    rows = [
        re.split("[ \t]+", line.strip(" \t"))
        for line in lines(content)
        if line.strip(" \t") and not line.startswith("#")
    ]
    if any(len(row) != width for row in rows):
        raise ValueError(content)
    return {(row[0], row[2], number(row[at])) for row in rows}


def delimited(content: bytes, delimiter: str) -> Found:
    """Return the rows of a file with a header; lines of blanks are none."""
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    reader = csv.reader(text, delimiter=delimiter)
    names, *rows = [row for row in reader if any(field.strip() for field in row)]
    if any(len(row) != len(names) for row in rows):
        raise ValueError(content)
    # Names of columns are read whatever stands between their words.
    words = ["".join(filter(str.isalnum, name)).lower() for name in names]
    query, document, score = (
        next(words.index(name) for name in choices if name in words)
        for choices in (("queryid", "query"), ("docid", "doc"), ("score",))
    )
    return {(row[query], row[document], number(row[score])) for row in rows}


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
        for query, scores in json.loads(content).items()
        for document, score in scores.items()
    }


def texts() -> dict[str, tuple[str, bytes, Reader]]:
    """Return a name, a good file and a reader of its own for each format of text."""
    table = [("query_id", "doc_id", "score"), *ROWS]
    objects = [dict(zip(table[0], row, strict=True)) for row in ROWS]
    nested: dict[str, dict[str, float]] = {}
    for query, document, score in ROWS:
        nested.setdefault(query, {})[document] = score

    def joined(rows: Any, by: str) -> bytes:
        return "".join(by.join(map(str, row)) + "\n" for row in rows).encode()

    return {
        "trec": (
            "a.run",
            joined(((q, "Q0", d, 0, s, "t") for q, d, s in ROWS), " "),
            lambda content: fields(content, 6, 4),
        ),
        "qrels": (
            "a.qrels",
            joined(((q, 0, d, s) for q, d, s in GRADED), " "),
            lambda content: fields(content, 4, 3),
        ),
        "csv": ("a.csv", joined(table, ","), lambda content: delimited(content, ",")),
        "tsv": ("a.tsv", joined(table, "\t"), lambda content: delimited(content, "\t")),
        "jsonl": (
            "a.jsonl",
            joined([[json.dumps(o)] for o in objects], ""),
            json_lines,
        ),
        "json": ("a.json", json.dumps(nested).encode(), json_map),
    }


def binaries(folder: Path) -> dict[str, tuple[str, bytes, Reader]]:
    """Return the same for formats with checksums: only the good rows may be read."""
    _, text, _ = texts()["trec"]
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.run", text)
    found: dict[str, bytes] = {
        "a.run.gz": gzip.compress(text, mtime=0),
        "a.run.zst": packed(text),
        "a.run.bz2": bz2.compress(text),
        "a.run.xz": lzma.compress(text),
        "a.run.zip": zipped.getvalue(),
        "a.xlsx": workbook(folder / "good.xlsx"),
    }
    return {name[2:]: (name, good, lambda _: {*ROWS}) for name, good in found.items()}


def workbook(path: Path) -> bytes:
    """Return the rows as an Excel file."""
    xlsxwriter: Any = import_module("xlsxwriter")
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet()
        for at, row in enumerate([("query_id", "doc_id", "score"), *ROWS]):
            sheet.write_row(at, 0, row)
    return path.read_bytes()


def mutated(folder: Path, seed: int, times: int) -> list[Count]:
    """Load so many changed files of each format."""
    counts: list[Count] = []
    with opening.memory() as database:
        for name, (file, good, reader) in {**texts(), **binaries(folder)}.items():
            count, chance = (
                Count(f"mutated: {name}", seed),
                random.Random(f"{seed} {name}"),
            )
            change = changed if name in texts() else flipped
            for _ in range(times):
                count.tries += 1
                content = change(chance, good)
                (folder / file).write_bytes(content)
                found = loaded(database, folder / file, count)
                if found is None:
                    count.hits += 1
                    continue
                try:
                    expected = reader(content)
                except (
                    ValueError,
                    KeyError,
                    TypeError,
                    AttributeError,
                    RuntimeError,
                    csv.Error,
                ) as error:
                    count.found("partial", f"loaded {content!r}: {error!r}")
                    continue
                if found != expected:
                    count.found("partial", f"{found ^ expected} of {content!r}")
            counts.append(count)
    return counts


def loaded(database: Database, path: Path, count: Count) -> Found | None:
    """Return the rows that are loaded of a file; None if it is refused."""
    load = loaded_judgments if path.suffix == ".qrels" else loaded_run
    try:
        rows = load(database, path)
    except NdcgSqlError as error:
        if "please report it" in str(error):
            count.found("wrong", str(error))
        return None
    # Any other error is a fault of ours, and no reason to stop.
    except Exception as error:
        count.found("wrong", f"{error!r} of {path.read_bytes()!r}")
        return None
    at = 2 if load is loaded_judgments else 3
    return {(row[0], row[1], row[at]) for row in rows}


def changing(folder: Path, seed: int, files: int) -> list[Count]:
    """Load pipes, files that grow, and links that change meanwhile."""
    chance = random.Random(f"{seed} changing")
    with opening.memory() as database:
        return [
            _changing(
                database, folder, Count(f"changing: {kind}", seed), work, files, chance
            )
            for kind, work in (("pipe", _pipe), ("growing", _grow), ("link", _swap))
        ]


Work = Callable[[Path, random.Random], tuple[Callable[[], None], list[Found]]]


def _changing(
    database: Database,
    folder: Path,
    count: Count,
    work: Work,
    files: int,
    chance: random.Random,
) -> Count:
    """Load a file so often, while a thread does something with it."""
    for _ in range(files):
        path = folder / "r.run"
        path.unlink(missing_ok=True)
        change, may_be = work(path, chance)
        thread = threading.Thread(target=change)
        thread.start()
        found = loaded(database, path, count)
        thread.join()
        count.tries += 1
        count.hits += found is None
        if found is not None and found not in may_be:
            count.found("partial", f"{len(found)} rows of {list(map(len, may_be))}")
    return count


def _run(prefix: str, rows: int) -> tuple[bytes, Found]:
    """Return a run, and its rows."""
    found = {(f"q{n % 50}", f"{prefix}{n}", float(n)) for n in range(rows)}
    return "".join(f"{q} Q0 {d} 0 {s} t\n" for q, d, s in sorted(found)).encode(), found


def _pipe(path: Path, chance: random.Random) -> tuple[Callable[[], None], list[Found]]:
    """Make a pipe, and give what writes to it in pieces of any size."""
    content, rows = _run("d", chance.randrange(100, 5000))
    cuts = sorted(chance.sample(range(len(content)), 20))
    os.mkfifo(path)

    def write() -> None:
        with path.open("wb", buffering=0) as file:
            for start, end in zip([0, *cuts], [*cuts, len(content)], strict=True):
                file.write(content[start:end])
                time.sleep(0.0005)

    return write, [rows]


def _grow(path: Path, chance: random.Random) -> tuple[Callable[[], None], list[Found]]:
    """Make a file, and give what appends to it after a while."""
    content, rows = _run("d", 5000)
    more, later = _run("e", 20)
    path.write_bytes(content)
    moment = chance.uniform(0, 0.1)

    def append() -> None:
        time.sleep(moment)
        with path.open("ab", buffering=0) as file:
            file.write(more)

    return append, [rows, rows | later]


def _swap(path: Path, chance: random.Random) -> tuple[Callable[[], None], list[Found]]:
    """Make a link to a file, and give what makes it one to another file."""
    both: list[Found] = []
    for name in ("d", "e"):
        content, rows = _run(name, 5000)
        path.with_name(name).write_bytes(content)
        both.append(rows)
    path.symlink_to("d")
    moment = chance.uniform(0, 0.1)

    def swap() -> None:
        time.sleep(moment)
        other = path.with_name("link")
        other.symlink_to("e")
        other.replace(path)

    return swap, both
