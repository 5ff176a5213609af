"""The views of a warehouse: their selects, what they read, their order."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import PurePosixPath

from ndcg_sql.database import chain, sql_files
from ndcg_sql.text import sql_text

# The schema of tables and computing views, and that of the public relations.
STORE = "store"
PUBLIC = "main"
# The sum of x, added in the order of p: sum(x order by p) takes seven times as long for
# many small groups. A test holds that DuckDB's list_sum adds in order.
_IN_ORDER = (
    "list_sum(list_transform("
    "list_sort(list({{'p': p, 'x': x}}){}), lambda pair: pair.x))"
)
# What the gain at a position is divided by: log_base(position + 1), or (jk) 1 above
# position base and log_base(position) from there on (Järvelin & Kekäläinen 2002).
DISCOUNT = """
    case
        when kind = 'log2' then log2(place + 1) / log2(base)
        when place < base then 1
        else log2(place) / log2(base)
    end
"""
# Macros by name that other engines get written out: their parameters, and what they do.
WRITTEN_OUT = {
    "discount_at": (("place", "kind", "base"), DISCOUNT),
    # Down to which position documents are counted that are judged.
    "judged_depth": (("cutoff",), "coalesce(cutoff, 10)"),
}
MACROS = (
    f"sum_in_order(x, p) as {_IN_ORDER.format('')}",
    f"sum_in_order_where(x, p, c) as {_IN_ORDER.format(' filter (c)')}",
    *(f"{name}({', '.join(of)}) as {body}" for name, (of, body) in WRITTEN_OUT.items()),
)
# What a select reads, and its common table expressions. A test holds that the grammar
# of SQL finds the same in every view.
_READ = re.compile(r"\b(?:(?<!distinct )from|join)\s+(?:store\.)?(\w+)")
_OWN = re.compile(r"\b(\w+)(?: \([\w, ]+\))? as (?:(?:not )?materialized )?\(")
_NEEDS = "family_needs"
_NEEDS_COMMENT = (
    "One row is a family of measures and what it needs: grades without which it means"
    " nothing, or what it reads beside judgments and hits."
)


@dataclass(frozen=True)
class View:
    """A view: its name (the file's stem), its select and its comment."""

    name: str
    select: str
    comment: str


@cache
def computing() -> dict[str, View]:
    """Return the views of the schema store by name."""
    by_name = {view.name: view for view in _views_in("views")}
    for name, select in chain.texts().items():
        by_name[name] = replace(by_name[name], select=select)
    # As views that read each other, all families would be planned many times.
    parts = chain.parts("computed_values", chain.texts(), {"greedy_rankings"})
    values = chain.statement(parts)
    by_name["computed_values"] = replace(by_name["computed_values"], select=values)
    by_name[_NEEDS] = View(_NEEDS, _family_needs(), _NEEDS_COMMENT)
    return by_name


def in_order(names: Iterable[str]) -> list[View]:
    """Return computing views and all views that they read, in order of creation."""
    ordered = chain.ordered(names, _read_by)
    return [computing()[name] for name in ordered if name in computing()]


def _read_by(name: str) -> list[str]:
    """Return what a view reads; a table reads nothing."""
    view = computing().get(name)
    return sorted(reads(view.select)) if view else []


@cache
def public() -> dict[str, View]:
    """Return the views of the schema main by name, in the order of their files."""
    return {view.name: view for view in _views_in("public")}


def _views_in(folder: str) -> list[View]:
    """Return the views of a folder under sql/."""
    texts = {path: sql_files.read(path) for path in sql_files.names(folder)}
    return [
        View(PurePosixPath(path).name, text, sql_files.opening_comment(text))
        for path, text in texts.items()
    ]


@cache
def reads(select: str) -> frozenset[str]:
    """Return the tables and views that a select names, but for its own expressions."""
    text = sql_files.code(select)
    return frozenset(_READ.findall(text)) - {*_OWN.findall(text)}


def reads_through(names: Iterable[str]) -> set[str]:
    """Return tables and views, and what they read, directly or through others."""
    return set(chain.ordered(names, _read_by))


def _family_needs() -> str:
    """Return the select of the view family_needs."""
    needs = ", ".join(
        f"({sql_text(row['family'])}, {sql_text(need)})"
        for row in sql_files.rows("measures")
        for need in row["needs"].split()
    )
    return f"select family, need from (values {needs}) as families (family, need)"


@cache
def checksum() -> str:
    """Return one checksum of the text and the comments of all views."""
    views = [*computing().values(), *public().values()]
    parts = [*MACROS, *(f"{view.name}\n{view.select}" for view in views)]
    rows = sql_files.rows("columns")
    parts += [f"{row['column']}\n{row['meaning']}" for row in rows]
    return sql_files.checksum("\n".join(parts))
