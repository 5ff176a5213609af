"""The columns that files may have, and their usual names."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Literal, cast, get_args

from ndcg_sql.database import sql_files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import closest_of_any_case, harmless, listed, nearest, quoted
from ndcg_sql.wording import named

Kind = Literal[
    "run",
    "judgments",
    "assessments",
    "queries",
    "documents",
    "known",
    "clicks",
    "values",
]
# The kinds of files whose further columns are read, too: attributes, or measures.
DESCRIBED = ("queries", "documents", "values")
# The columns that a file of a kind may have, and those that it must have.
COLUMNS: dict[Kind, tuple[str, ...]] = dict.fromkeys(get_args(Kind), ())
NEEDED = dict(COLUMNS)
for _row in sql_files.rows("read/kinds"):
    COLUMNS[cast("Kind", _row["kind"])] += (_row["column"],)
    if _row["needed"]:
        NEEDED[cast("Kind", _row["kind"])] += (_row["column"],)
# The value of run_column that leaves all rows of a file to one run.
NO_RUNS = "none"
# BEIR calls a grade a score.
BEIR = {"query-id", "corpus-id", "score"}
# How clearly a name says what a column is: with a word of its own, with a part of one.
CLEAR, LIKELY = 40, 20
# What a message says before the names of columns.
HEADER, FIELDS = "the header has", "the fields are"


def number_of(kind: Kind) -> str:
    """Return what the number is called that the rows of a kind have."""
    return {"run": "score", "known": "count"}.get(kind, "grade")


def braced(column: str) -> str:
    """Return a column as a pattern of names has it; {run} is that of the runs."""
    return "{" + ("run" if re.search("[{}]", column) else column) + "}"


def of_header(header: Iterable[str], kind: Kind) -> set[str]:
    """Return the columns that are in a header under usual names."""
    return {column for name in header if (column := meaning(name, kind))}


def folded(name: str) -> str:
    """Return a name as column_names.csv writes it."""
    return re.sub(r"[\s\-.]+", "_", name.strip().lower())


# The keys of a dict by query are looked up at each call.
@lru_cache(maxsize=1 << 16)
def meaning(name: str, kind: Kind) -> str | None:
    """Return the column that a usual name means in files of a kind, or None."""
    row = _usual(kind).get(folded(name))
    return row["column"] or None if row else None


def doubt(name: str, kind: Kind) -> int:
    """Return 0 for a name that means its column, more if only without a surer name."""
    row = _usual(kind).get(folded(name))
    return int(row["at_last"] or 0) if row else 0


@cache
def _usual(kind: Kind) -> dict[str, dict[str, str]]:
    """Return the usual names in files of a kind, with their rows; the first counts."""
    rows = reversed(sql_files.rows("read/column_names"))
    return {row["name"]: row for row in rows if row["kind"] in ("", kind)}


def check_columns(names: Iterable[str], *kinds: Kind) -> None:
    """Raise NdcgSqlError for a column that no file of these kinds has."""
    allowed = dict.fromkeys(column for kind in kinds for column in COLUMNS[kind])
    for column in names:
        if column not in allowed:
            raise NdcgSqlError(
                f"not a column of a {' or '.join(kinds)} file",
                nearest(column, allowed) or listed(allowed),
                where=named("columns") + f" {harmless(column)}",
            )


def check_once(shown: str, name: str, header: Sequence[str], has: str = HEADER) -> None:
    """Raise NdcgSqlError unless a header has a name, and once."""
    count = header.count(name)
    if count > 1:
        what = f"{shown}: {count} columns are called {quoted(name)}"
        raise NdcgSqlError(what, "rename one")
    if count == 0:
        # Names of columns are short: half of the letters are in common by chance.
        close = closest_of_any_case(name, reversed(header), 0.6)
        hint = f"did you mean {listed(close)}?" if close else f"{has} {listed(header)}"
        raise NdcgSqlError(f"{shown}: no column {quoted(name)}", hint)


def check_distinct(shown: str, names: Iterable[str], remedy: str = "") -> None:
    """Raise NdcgSqlError if columns share a name."""
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        what = f"{shown}: several columns are named {listed(twice)}"
        raise NdcgSqlError(what, remedy)


@cache
def words_for(meant: str) -> frozenset[str]:
    """Return the words in names of columns that are likely to mean something."""
    rows = sql_files.rows("read/words")
    return frozenset(
        word for row in rows if row["meaning"] == meant for word in row["words"].split()
    )


def words_of(name: str) -> list[str]:
    """Return the words of a name, in lower case, such as those of addToCart."""
    apart = re.sub(r"(?<=[a-zß-ö0-9])(?=[A-Z])", " ", name)
    return re.findall(r"[^\W\d_]+", apart.lower())


def has_word(name: str, meant: str) -> bool:
    """Return whether a name of a column has a word that means something."""
    return not words_for(meant).isdisjoint(words_of(name))


def name_score(role: str, name: str, kind: Kind) -> int:
    """Return how clearly the name of a column says what it is."""
    leaf = name.rpartition(".")[2]
    if role in (meaning(name, kind), meaning(leaf, kind)):
        return 100 if meaning(name, kind) == role else 60
    usual, words = words_for(role), words_of(name)
    score = 0
    if usual & {*words_of(leaf)}:
        score = CLEAR
    elif usual & {*words}:
        score = 30
    elif any(long in word for word in words for long in usual if len(long) > 4):
        score = LIKELY
    # In a log of clicks, a user is who saw what a query found.
    elif role == "query_id" and kind != "clicks":
        score = LIKELY * has_word(name, "asker")
    is_id = bool({"id", "ids"} & {*words_of(leaf)})
    if score and is_id and role.endswith("_id"):
        score += 15
    if is_id and not score and role == "doc_id" and leaf != name:
        score = 25
    return score


def likely(role: str, names: Iterable[str], kind: Kind) -> str | None:
    """Return the first name that says the most clearly what it is, or None."""
    best = max(names, key=lambda name: name_score(role, name, kind), default=None)
    return best if best and name_score(role, best, kind) else None


def is_graded(name: str) -> bool:
    """Return whether a name says grade or label; a comment on a grade is none."""
    return has_word(name, "grade") and not has_word(name, "other")


def is_ranked(name: str) -> bool:
    """Return whether a name says score or rank, as columns of runs do."""
    return bool(name_score("score", name, "run")) or has_word(name, "rank")
