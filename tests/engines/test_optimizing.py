"""Each rule does what it says, and nothing where that would change values."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlglot
from sqlglot import exp
from sqlglot.optimizer.eliminate_joins import eliminate_joins

from ndcg_sql.engines.deciding import decided
from ndcg_sql.engines.folding import constants, optimized
from ndcg_sql.engines.statement import parts, qualified, statement


def cases(title: str) -> list[tuple[str, str]]:
    """Return the cases of a part of the text beside this module."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    part = re.sub("(?m)^#.*\n", "", text.partition(f"== {title}\n")[2].split("\n\n")[0])
    pairs = re.findall(r"(?m)^(.+?)\s=>(.*)$", part)
    assert pairs
    return [(before, after.strip()) for before, after in pairs]


def parsed(select: str) -> exp.Expr:
    """Return the tree of a select of DuckDB."""
    return sqlglot.parse_one(select, read="duckdb")


def applied(rule: Callable[[exp.Expr], exp.Expr], before: str) -> str:
    """Return what a rule makes of the last expression of a statement."""
    tree = rule(parsed(before))
    return tree.args["with_"].expressions[-1].this.sql("duckdb").lower()


@pytest.mark.parametrize(("before", "after"), cases("conditions"))
def test_conditions_are_decided(before: str, after: str) -> None:
    [item] = decided(parsed(f"select {before}")).expressions
    assert item.sql().lower() == after


@pytest.mark.parametrize(("before", "after"), cases("constants"))
def test_constants(before: str, after: str) -> None:
    assert applied(constants, before) == after


@pytest.mark.parametrize(("before", "after"), cases("joins"))
def test_joins_on_keys(before: str, after: str) -> None:
    same = parsed(before).args["with_"].expressions[-1].this.sql("duckdb").lower()

    def rules(tree: exp.Expr) -> exp.Expr:
        return eliminate_joins(constants(tree))

    assert applied(rules, before) == (after or same)


def test_relations_of_a_statement_come_back() -> None:
    columns = {"hits": ["run", "doc"], "runs": ["run", "n"]}
    using = "select hits.doc, runs.n from hits inner join runs using (run)"
    shown = qualified(parsed(using), columns)
    assert "on hits.run = runs.run" in shown.sql().lower()
    made = {
        "hits": parsed("select given.a as run, given.b as doc from given"),
        "runs": parsed("select hits.run, count(*) as n from hits group by hits.run"),
        "shown": shown,
    }
    tree = optimized(statement(made, {"shown": ["doc", "n"]}))
    found = parts(tree, made, repeats=False)
    assert list(found) == ["hits", "runs", "shown"]
    assert found["shown"].sql() == shown.sql()
