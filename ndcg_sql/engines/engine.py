"""What an engine does differently: its rules, and how its statements are written."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

# Returns the node itself, changed, or another one in its place.
Rule = Callable[[exp.Expr], exp.Expr]


@dataclass(frozen=True)
class Engine:
    """An engine: rules for its dialect, and templates of its statements.

    dialect is sqlglot's name. table is a template with {name} and {select}: all
    relations are tables, because engines plan layers of views badly, and repeat
    what is read twice. check has {select} and {message}, and fails if the select
    has a row.
    """

    dialect: str
    rules: tuple[Rule, ...]
    begin: tuple[str, ...]
    end: tuple[str, ...]
    schema: str
    table: str
    check: str
    remove: str
    # What ends a select that stands alone.
    select_end: str = ""
    # Statements that hold for the transaction.
    settings: tuple[str, ...] = ()
    # Families that it cannot run, or not with the same values.
    refused: frozenset[str] = frozenset()
    # What a reader of a script should know.
    note: str = ""

    def rewritten(self, tree: exp.Expr) -> exp.Expr:
        """Apply the rules to a tree, from its leaves to its root."""
        root = exp.Subquery(this=tree)
        for node in reversed(list(tree.walk())):
            for rule in self.rules:
                new = rule(node)
                if new is not node:
                    node.replace(new)
                    node = new
        return root.this


def cast(node: exp.Expr, kind: str) -> exp.Expr:
    """Return a node, copied, cast to a type of DuckDB."""
    return exp.cast(node.copy(), kind, dialect="duckdb")
