"""What an engine does differently: rewrites of trees, and its statements."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

# Families whose values are divided by that of a greedy ideal ranking.
GREEDY = frozenset({"alpha_nDCG", "nERR_IA", "nNRBP"})

# Returns the node itself, changed, or another one in its place.
Rule = Callable[[exp.Expr], exp.Expr]


@dataclass(frozen=True)
class Engine:
    """An engine: rules for its dialect, and templates of its statements.

    dialect is sqlglot's name. first are the rules before anything is pruned, rules
    those of what is left. table is a template with {name} and {select}: all relations
    are tables, because engines plan layers of views badly, and repeat what is read
    twice. check has {select} and {message}, and fails if the select has a row;
    checks, if any, is a statement of all {checks}.
    """

    dialect: str
    rules: tuple[Rule, ...]
    check: str
    first: tuple[Rule, ...] = ()
    begin: tuple[str, ...] = ()
    end: tuple[str, ...] = ()
    schema: str = "create schema {schema};"
    table: str = "create table {name} as\n{select};"
    remove: str = "drop schema {schema} cascade"
    checks: str = ""
    # Counts the rows of relations, for the plans of what reads them.
    analyze: str = ""
    # What ends a select that stands alone.
    select_end: str = ""
    # Whether it finds functions by names in lower case.
    ignores_case: bool = True
    # Whether it computes an expression as often as it is read.
    repeats: bool = True
    # Families that it cannot run with the same values.
    refused: frozenset[str] = frozenset()
    # Why it builds no greedy ideal ranking (see GREEDY), if it does not.
    greedy: str = ""
    # What a reader of a script should know.
    note: str = ""


def rewritten(tree: exp.Expr, rules: Sequence[Rule]) -> exp.Expr:
    """Apply rules to a tree, from its leaves to its root."""
    for node in reversed(list(tree.walk())):
        for rule in rules:
            new = rule(node)
            if new is not node:
                node.replace(new)
                node = new
    return tree


def cast(node: exp.Expr, kind: str) -> exp.Expr:
    """Return a node, copied, cast to a type of DuckDB."""
    return exp.cast(node.copy(), kind, dialect="duckdb")


def call(name: str, *arguments: exp.Expr) -> exp.Expr:
    """Return a call of a function that sqlglot does not know."""
    return exp.Anonymous(this=name, expressions=[*arguments])
