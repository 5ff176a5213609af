"""What an engine does differently: rewrites of trees, and its statements."""

from dataclasses import dataclass

from ndcg_sql.engines.rules import PORTABLE, Rule

# Families whose values are divided by that of a greedy ideal ranking.
GREEDY = frozenset({"alpha_nDCG", "nERR_IA", "nNRBP"})


@dataclass(frozen=True)
class Engine:
    """An engine: rules for its dialect, and templates of its statements.

    dialect is sqlglot's name. first are the rules before anything is pruned, rules
    those of what is left. table is a template with {name} and {select}: all relations
    are tables, because engines plan layers of views badly, and repeat what is read
    twice. check has {select} and {message}, and fails if the select has a row, by
    default as fault does; checks, if any, is a statement of all {checks}.
    """

    dialect: str
    rules: tuple[Rule, ...]
    first: tuple[Rule, ...] = PORTABLE
    begin: tuple[str, ...] = ()
    end: tuple[str, ...] = ()
    schema: str = "create schema {schema};"
    table: str = "create table {name} as\n{select};"
    remove: str = "drop schema {schema} cascade"
    fault: str = ""
    check: str = "select {fault} as found\nfrom (\n    {select}\n) as bad;"
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
