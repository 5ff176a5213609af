"""Randomly damaged files: an independent reader names the same bad lines."""

import random
import re
from pathlib import Path

import pytest

from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.system.messages import Messages
from support import exploring

SEED = 20260131
BOM = "\ufeff".encode()
GOOD_NUMBERS = ["1", "-2.5", "+3.5", ".5", "5.", "1e3", "007", "0.0", "-0"]
BAD_NUMBERS = ["nan", "abc", "3,9", "0x10", "1_000", "1e400", "-1e400", "1e-400", "٣"]
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)


def field_line(random: random.Random, kind: str, n: int, number: str) -> bytes:
    """Return line n of a file: its document occurs nowhere else."""
    query, doc_id = f"q{random.randrange(5)}", f"d{n}"
    run = [query, "Q0", doc_id, str(n), number, "tag"]
    fields = run if kind == "run" else [query, "0", doc_id, number]
    separator = random.choice([" ", "\t", "  ", " \t "])
    ends = random.choice(["", "", " ", "\t"]), random.choice(["", "", " ", "\t"])
    return separator.join(fields).join(ends).encode()


def damaged(random: random.Random, kind: str, lines: list[bytes]) -> bytes:
    """Return a damaged line to follow the lines so far."""
    good = field_line(random, kind, len(lines), random.choice(GOOD_NUMBERS))
    wrong = field_line(random, kind, len(lines), random.choice(BAD_NUMBERS))
    several = [
        wrong,
        good + b" more",
        b" ".join(good.split()[:-1]),
        good.replace(b"d", b"d\0", 1),
        good.replace(b"d", b"d\xff", 1),
        good.replace(b"d", BOM + b"d", 1),
        good.replace(b"d", b"d\r", 1),
        good.replace(b"d", b"d\x0b", 1),
        b"# a comment, not a fault",
        b"",
        b" \t ",
    ]
    earlier = [line for line in lines if len(line.split()) == len(good.split())]
    if earlier:
        several.append(random.choice(earlier))
    return random.choice(several)


def damaged_file(random: random.Random, kind: str, end: bytes, start: bytes) -> bytes:
    """Return a file with some damage; its first line is good."""
    lines: list[bytes] = []
    for n in range(random.randrange(1, 60)):
        good = field_line(random, kind, n, random.choice(GOOD_NUMBERS))
        is_good = n == 0 or random.random() < 0.75
        lines.append(good if is_good else damaged(random, kind, lines))
    ends = [end or random.choice([b"\n", b"\r\n"]) for _ in lines]
    if random.random() < 0.3:
        ends[-1] = b""
    return start + b"".join(a + b for a, b in zip(lines, ends, strict=True))


def is_faulty(line: bytes) -> bool:
    """Tell whether the bytes of a line are no plain text."""
    if b"\0" in line or b"\r" in line or BOM in line:
        return True
    try:
        line.decode()
    except UnicodeDecodeError:
        return True
    return False


def is_number(text: str) -> bool:
    """Tell whether a text is a number that a double can hold."""
    if not NUMBER.fullmatch(text):
        return False
    number = float(text)
    mantissa = re.split("[eE]", text)[0]
    return abs(number) < float("inf") and (
        number != 0 or not re.search("[1-9]", mantissa)
    )


def bad_lines(content: bytes, kind: str) -> tuple[list[int], int]:
    """Return the numbers of the bad lines of a file, and how many have rows."""
    width, number_at = (6, 4) if kind == "run" else (4, 3)
    bad: list[int] = []
    rows = 0
    seen: set[tuple[str, str]] = set()
    for n, raw in enumerate(content.removeprefix(BOM).split(b"\n"), start=1):
        line = raw.removesuffix(b"\r")
        if is_faulty(line):
            bad.append(n)
            rows += 1
            continue
        text = line.decode()
        if text.startswith("#") or not text.strip(" \t"):
            continue
        rows += 1
        fields = re.split("[ \t]+", text.strip(" \t"))
        document = fields[0], fields[2] if len(fields) > 2 else ""
        good = (
            len(fields) == width
            and is_number(fields[number_at])
            and document not in seen
            and "\v" not in text
        )
        seen.add(document)
        if not good:
            bad.append(n)
    return bad, rows


@pytest.mark.parametrize("files", [exploring.amount(5, 30)])
@pytest.mark.parametrize("start", [b"", BOM], ids=["", "BOM"])
@pytest.mark.parametrize(
    "end",
    exploring.mostly_slow([b"\n", b"\r\n", b""], b""),
    ids=["LF", "CRLF", "mixed"],
)
@pytest.mark.parametrize("kind", ["run", "judgments"])
def test_bad_lines_are_those_of_an_independent_reader(
    memory: Database,
    dataset: str,
    tmp_path: Path,
    kind: str,
    end: bytes,
    start: bytes,
    files: int,
) -> None:
    chance = random.Random(f"{SEED} {kind} {end!r} {start!r}")
    refused = 0
    for n in range(files):
        path = tmp_path / f"file{n}"
        content = damaged_file(chance, kind, end, start)
        path.write_bytes(content)
        expected, rows = bad_lines(content, kind)
        # What looks like another encoding is asked about, unless it is said to be none.
        options = Options(dataset=dataset, evaluate=False, encoding="utf-8")
        try:
            load(
                memory,
                "run" if kind == "run" else "judgments",
                [path],
                options,
                Messages(),
            )
        except NdcgSqlError as error:
            *shown, remedy = str(error).splitlines()
            refused += 1
        else:
            shown, remedy = [], ""
        numbers = [int(line.removeprefix(f"{path}:").split(":")[0]) for line in shown]
        alike = re.findall(r" \(and (\d+) similar lines\)$", "\n".join(shown), re.M)
        if not alike:
            assert numbers == expected[:10], content
        elif len(numbers) < 10:
            assert len(numbers) + sum(map(int, alike)) == len(expected), content
        assert numbers == sorted(set(numbers) & set(expected)), content
        if expected:
            assert remedy.startswith(f"{len(expected)} bad line"), content
            assert f" of {rows};" in remedy, content
    assert refused > files / 2
