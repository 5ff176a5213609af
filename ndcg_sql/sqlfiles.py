"""The SQL files that are the product: where they are and what they say."""

import csv
import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FROM = re.compile(r"\bfrom (\w+)")
_READ = re.compile(r"\b(?:from|join) (\w+)")
_CTE = re.compile(r"\b(\w+) as (?:not )?(?:materialized )?\(")
_FAMILY = re.compile(r"\bfamily (?:=|in) (\(?'[^)\n]*)")


@dataclass(frozen=True)
class View:
    """A view: its name (the file's stem), its select and its comment."""

    name: str
    select: str
    comment: str


@dataclass(frozen=True)
class Migration:
    """A numbered step from one schema of the tables to the next."""

    number: int
    path: str
    text: str
    checksum: str


def _folder(name: str) -> Path:
    """Return sql/ or migrations/: in the package (wheel) or beside it (checkout)."""
    package = Path(__file__).parent
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


def parameters(text: str) -> set[str]:
    """Return the names of the $parameters that a SQL text asks for."""
    without_comments = re.sub(r"(?m)--.*$", "", text)
    return set(re.findall(r"\$([a-z_]+)", without_comments))


def read_by(text: str) -> set[str]:
    """Return the names that a SQL text selects from and does not itself define."""
    bare = re.sub(r"(?m)--.*$", "", text)
    return set(_READ.findall(bare)) - set(_CTE.findall(bare))


@cache
def read(path: str) -> str:
    """Return the text of a file under sql/, such as "store/hits"."""
    return (_folder("sql") / f"{path}.sql").read_text(encoding="utf-8")


def names(folder: str) -> list[str]:
    """Return the files of a folder under sql/ in their order, for read()."""
    files = sorted((_folder("sql") / folder).glob("*.sql"))
    return [f"{folder}/{file.stem}" for file in files]


@cache
def rows(path: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file under sql/, such as "columns"."""
    file = _folder("sql") / f"{path}.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


@cache
def views() -> list[View]:
    """Return every view in the order of creation, which is that of the paths."""
    files = sorted((_folder("sql") / "views").glob("*/*.sql"))
    texts = [(file.stem, file.read_text(encoding="utf-8")) for file in files]
    return [View(name, text, opening_comment(text)) for name, text in texts]


def values_of(families: set[str]) -> str:
    """Return the select of the view family_values for some families alone.

    Each of its parts selects from the view of a family, which names it.
    """
    selects = {view.name: view.select for view in views()}
    parts = [
        part
        for part in selects["family_values"].split("union all")
        if families & _named_in(selects[_FROM.findall(part)[-1]])
    ]
    return "union all".join(parts)


def read_through(text: str) -> set[str]:
    """Return the names that a SQL text reads, and those that views of them read."""
    selects = {view.name: view.select for view in views()}
    found: set[str] = set()
    new = read_by(text)
    while new:
        found |= new
        read = [read_by(selects[name]) for name in new if name in selects]
        new = set[str]().union(*read) - found
    return found


def storing(values: str) -> str:
    """Return store/stored_values, where a select stands for the view family_values.

    A view of these rows would have to be bound before the statement is.
    """
    [computed] = [view.select for view in views() if view.name == "computed_values"]
    own = {"family_values": values, "computed_values": computed}
    ctes = [f"{name} as not materialized ({select})" for name, select in own.items()]
    return f"with {', '.join(ctes)} {read('store/stored_values')}"


def _named_in(select: str) -> set[str]:
    """Return the families that a view of them is about."""
    return {
        family
        for families in _FAMILY.findall(select)
        for family in re.findall(r"'(\w+)'", families)
    }


@cache
def views_checksum() -> str:
    """Return one checksum of all that the views and their comments consist of."""
    parts = [f"{view.name}\n{view.select}" for view in views()]
    parts += [f"{row['column']}\n{row['meaning']}" for row in rows("columns")]
    return checksum("\n".join(parts))


@cache
def migrations() -> list[Migration]:
    """Return every migration, in order of number."""
    found: list[Migration] = []
    for file in sorted(_folder("migrations").glob("*.sql")):
        text = file.read_text(encoding="utf-8")
        number = int(file.stem.split("_")[0])
        found.append(Migration(number, f"migrations/{file.name}", text, checksum(text)))
    return found


@cache
def relations() -> list[str]:
    """Return the names of all tables and views that ndcg-sql makes."""
    made = [re.findall(r"create table (\w+)", m.text) for m in migrations()]
    tables = {name for names_made in made for name in names_made}
    return sorted(tables | {"sql_files"} | {view.name for view in views()})
