"""Every view can be carried to the other engines that it is meant for."""

from functools import cache
from typing import Any

import pytest
import sqlglot
from sqlglot import exp

from ndcg_sql.database.views import View, computing, public

# The greedy rankings are found by a recursion over lists, which other engines cannot
# run; measures that read them are refused there.
VIEWS = [
    view
    for view in (*computing().values(), *public().values())
    if view.name != "greedy_rankings"
]
ENGINES = ("spark", "postgres", "clickhouse")
# Engines that have no order inside a sum; the last bits may differ there.
UNORDERED = ("spark", "clickhouse")


def named(view: View) -> str:
    """Return the name of a test of a view."""
    return f"{'public ' if view in public().values() else ''}{view.name}"


@cache
def parsed(select: str) -> exp.Expr:
    """Return the tree of a select of DuckDB; it is not to be changed."""
    return sqlglot.parse_one(select, read="duckdb")


def carried(select: str, engine: str) -> str:
    """Return a view's select in another dialect; raise where it has no such thing."""
    tree = parsed(select).copy()
    if engine in UNORDERED:
        for order in list(tree.find_all(exp.Order)):
            if isinstance(order.parent, exp.AggFunc):
                order.replace(order.this)
    return tree.sql(engine, unsupported_level=sqlglot.ErrorLevel.RAISE)


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("view", VIEWS, ids=named)
def test_view_is_carried_with_nothing_unsupported(view: View, engine: str) -> None:
    text = carried(view.select, engine)
    again: Any = sqlglot.parse_one(text, read=engine)
    wanted: Any = parsed(view.select)
    assert again.named_selects == wanted.named_selects
    ordered = [
        order
        for order in again.find_all(exp.Order)
        if isinstance(order.parent, exp.AggFunc)
    ]
    assert not (ordered and engine in UNORDERED)


def test_views_use_standard_sql_only() -> None:
    # An anonymous function is one that sqlglot does not know. The filter of a sum is
    # of SQL:2003, and DuckDB, Spark and PostgreSQL have it.
    refused = (exp.Lambda, exp.Qualify, exp.Parameter, exp.Placeholder)
    for view in VIEWS:
        tree = parsed(view.select)
        assert isinstance(tree, (exp.Select, exp.SetOperation)), named(view)
        found = [str(node) for node in tree.find_all(*refused, exp.Anonymous)]
        assert found == [], named(view)
