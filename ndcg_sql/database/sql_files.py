"""The SQL files: where they are and what they contain."""

import csv
import hashlib
import re
from functools import cache
from pathlib import Path

from ndcg_sql.text import COMMA_NUMBER, NUMBER, sql_text


def _folder(name: str) -> Path:
    """Return sql/ or migrations/: in the package (wheel) or next to it (checkout)."""
    package = Path(__file__).parents[1]
    inside = package / name
    return inside if inside.is_dir() else package.parent / name


def checksum(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def opening_comment(text: str) -> str:
    """Return the comment that a SQL file opens with, as one line."""
    lines: list[str] = []
    for line in text.splitlines():
        if not line.startswith("--"):
            break
        lines.append(line.removeprefix("--").strip())
    return " ".join(lines)


def code(text: str) -> str:
    """Return SQL without its comments, which stand on lines of their own."""
    return re.sub(r"(?m)^ *--.*\n", "", text)


@cache
def read(path: str) -> str:
    """Return the text of a file under sql/, such as "store/hits"."""
    return filled((_folder("sql") / f"{path}.sql").read_text(encoding="utf-8"))


def filled(sql: str) -> str:
    """Return SQL in which what a number looks like stands in its place.

    DuckDB would compile a pattern that is a parameter for each row.
    """
    sql = sql.replace("$comma_number_pattern", sql_text(COMMA_NUMBER))
    return sql.replace("$number_pattern", sql_text(NUMBER))


@cache
def names(folder: str) -> list[str]:
    """Return the paths of all files in a folder under sql/, for read()."""
    root = _folder("sql")
    files = sorted((root / folder).rglob("*.sql"))
    return [file.relative_to(root).with_suffix("").as_posix() for file in files]


@cache
def rows(path: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file under sql/, such as "columns"."""
    file = _folder("sql") / f"{path}.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        records = list(csv.DictReader(lines, strict=True))
    for row in records:
        # An unquoted comma would truncate a text.
        if None in row or None in row.values():
            raise ValueError(f"sql/{path}.csv: not as many fields as columns: {row}")
    return records


@cache
def migrations() -> dict[str, str]:
    """Return the text of every migration by path, in the order of their names."""
    files = sorted(_folder("migrations").glob("*.sql"))
    return {f"migrations/{one.name}": one.read_text(encoding="utf-8") for one in files}


def composed(steps: tuple[str, ...]) -> str:
    """Return one select of SQL files, each of which reads the rows of the last."""
    first, *others = (read(step) for step in steps)
    for step in others:
        first = f"with source_rows as ({first}) from ({step})"
    return first
