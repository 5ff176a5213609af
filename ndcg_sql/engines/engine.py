"""What an engine does differently: its rules, and how its statements are written."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlglot import exp

# Families whose values are divided by that of a greedy ideal ranking.
GREEDY = frozenset({"alpha_nDCG", "nERR_IA", "nNRBP"})

# Why engines that no test runs build no greedy ideal ranking.
UNTRIED = "no test runs its recursive relations"

# Returns the node itself, changed, or another one in its place.
Rule = Callable[[exp.Expr], exp.Expr]


@dataclass(frozen=True)
class Engine:
    """An engine: rules for its dialect, and templates of its statements.

    dialect is sqlglot's name. table is a template with {name} and {select}: all
    relations are tables, because engines plan layers of views badly, and repeat
    what is read twice. check has {select} and {message}, and fails if the select
    has a row; checks, if any, is a statement of all {checks}.
    """

    dialect: str
    rules: tuple[Rule, ...]
    begin: tuple[str, ...]
    end: tuple[str, ...]
    schema: str
    table: str
    check: str
    remove: str
    checks: str = ""
    # Counts the rows of relations, for the plans of what reads them.
    analyze: str = ""
    # What ends a select that stands alone.
    select_end: str = ""
    # Whether it finds functions by names in lower case.
    ignores_case: bool = True
    # Whether it computes an expression as often as it is read.
    repeats: bool = True
    # Families that it cannot run, or not with the same values.
    refused: frozenset[str] = frozenset()
    # Why it builds no greedy ideal ranking (see GREEDY), if it does not.
    greedy: str = ""
    # What a reader of a script should know.
    note: str = ""

    # Rules that are applied before anything is pruned.
    first: tuple[Rule, ...] = ()

    def rewritten(self, tree: exp.Expr) -> exp.Expr:
        """Apply the rules to a tree."""
        return rewritten(tree, self.rules)


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
