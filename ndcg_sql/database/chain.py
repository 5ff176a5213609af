"""The chain of views from rankings to values, as one statement.

Each view is a file of sql/views/chain. What runs is one select of common table
expressions made of the same texts, with only the parts that the measures need: it is
planned once, and each part is computed once.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache

from ndcg_sql.database import sql_files
from ndcg_sql.text import sql_text

FOLDER = "views/chain"
# Relations that the sums of ideal lists which all runs share do not need.
OF_RUNS = (
    *("ranked_gains", "tied_gains", "subtopic_gains", "shown_documents", "run_ideals"),
    *("perfect_settings", "relevant_counts"),
)
_BRANCHES = re.compile(r"^union all$", re.MULTILINE)
# What a select cannot have a row without; an outer join can. A parser finds the same,
# but takes 0.2 s for the whole chain.
_OUTER = re.compile(r"\bleft join\s+\w+")
_NEEDED = re.compile(r"\b(?:from|join)\s+(\w+)")
# The sum of the terms of a list. Where one document of a query is judged, that is its
# term: a list of one for each of many queries would cost more than all else.
_TOTAL = (
    "coalesce(sum_in_order_where(term, position, side <> 'run' or tie_rule is not null"
    " or coalesce(relevant + not_relevant <> 1, true)), max(term))"
)
SUM = "sum_in_order(term, position)"
# Where the formulas of families stand.
_MARK = re.compile(r"\$(\w+)")
# What is computed for each of its readers.
_INLINED = "terms"


@cache
def families_with(column: str, *words: str) -> frozenset[str]:
    """Return the families with one of some words in a column of measures.csv."""
    rows = sql_files.rows("measures")
    return frozenset(row["family"] for row in rows if row[column] in words)


@cache
def _families() -> str:
    """Return the select of the families, made of the rows of measures.csv."""
    columns = ("family", "reads", "gain", "ideal", "relation", "always_counts")
    values: list[str] = []
    for row in sql_files.rows("measures"):
        needs = {*row["needs"].split()}
        others = [what for what in ("subtopics", "rankings") if what in needs]
        reads = others[0] if others else "judgments"
        words = [row["family"], reads, *(row[name] for name in columns[2:5])]
        texts = [sql_text(word) if word else "null" for word in words]
        values.append(f"({', '.join(texts)}, {row['always_counts'] == 'yes'})")
    return (
        f"(select * from (values {', '.join(values)}) as rows ({', '.join(columns)}))"
    )


@cache
def texts(
    families: frozenset[str] | None = None, total: str = _TOTAL
) -> dict[str, str]:
    """Return the selects of the chain by name, for some families or for all.

    total is the sum of the terms of a list.
    """
    rows = [
        row
        for row in sql_files.rows("measures")
        if families is None or row["family"] in families
    ]
    named = {
        "total": total,
        "families": _families(),
        "families_of_terms": _listed(row["family"] for row in rows if row["term"]),
        "terms": _case(rows, "term"),
        "values": _case(rows, "value"),
        "divisors": _case(
            [{**row, "divisor": divisor(row["value"])} for row in rows], "divisor"
        ),
        "families_of_relevant": _listed(
            row["family"]
            for row in rows
            if row["gain"] == "binary" and re.search(r"\brelevant\b", row["value"])
        ),
    }
    selects: dict[str, str] = {}
    for path in sql_files.names(FOLDER):
        select = sql_files.read(path)
        select = _MARK.sub(lambda mark: named[mark[1]], select)
        selects[path.rpartition("/")[2]] = sql_files.code(select)
    return selects


def divisor(value: str) -> str:
    """Return what the formula of a value divides the sum of terms by, or nothing."""
    return value.removeprefix("total / ") if value.startswith("total / ") else ""


def _case(rows: Iterable[Mapping[str, str]], column: str) -> str:
    """Return the expression of each family in a column of measures.csv."""
    by_formula: dict[str, list[str]] = {}
    for row in rows:
        if row[column]:
            by_formula.setdefault(row[column], []).append(row["family"])
    branches = [
        f"when family in ({_listed(names)}) then {formula}"
        for formula, names in by_formula.items()
    ]
    return f"case {' '.join(branches)} end" if branches else "null::double"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(sql_text, names)) or "''"


def parts(
    root: str, selects: Mapping[str, str], empty: Collection[str] = ()
) -> dict[str, str]:
    """Return the selects that a relation of the chain needs, each after those it reads.

    empty are relations that have no rows: a branch of a union that cannot have rows
    without them is left out.
    """
    nothing, kept = set(empty), dict(selects)
    for name in _in_order(root, selects):
        branches = [
            branch
            for branch in _BRANCHES.split(selects[name])
            if nothing.isdisjoint(_NEEDED.findall(_OUTER.sub("", branch)))
        ]
        if not branches:
            nothing.add(name)
        kept[name] = "union all".join(branches) if branches else selects[name]
    return {
        name: f"from ({kept[name]}) where false" if name in nothing else kept[name]
        for name in _in_order(root, kept)
    }


def _in_order(root: str, selects: Mapping[str, str]) -> list[str]:
    """Return a relation and all that it reads, those that are read first."""
    return ordered([root], lambda name: _read(selects[name], selects.keys() - {name}))


def ordered(names: Iterable[str], read: Callable[[str], Iterable[str]]) -> list[str]:
    """Return names and what they read, directly or not, each after what it reads."""
    done: dict[str, None] = {}

    def add(name: str) -> None:
        if name not in done:
            for other in read(name):
                add(other)
            done[name] = None

    for name in names:
        add(name)
    return list(done)


def _read(select: str, names: Collection[str]) -> list[str]:
    return [name for name in dict.fromkeys(_NEEDED.findall(select)) if name in names]


def statement(parts: Mapping[str, str]) -> str:
    """Return one select of the last of the parts.

    What is read more than once is computed once, but for terms: each of its readers
    needs those of a few families, and writing all of them costs more than that.
    """
    readers = dict.fromkeys(parts, 0)
    written: list[str] = []
    for name, select in reversed(list(parts.items())):
        is_stored = readers[name] > 1 and name != _INLINED
        for other in _NEEDED.findall(select):
            if other in readers:
                readers[other] += 1 if is_stored else max(readers[name], 1)
        written.append(
            f"{name} as {'' if is_stored else 'not '}materialized ({select})"
        )
    return f"with {', '.join(reversed(written))} select * from {list(parts)[-1]}"
