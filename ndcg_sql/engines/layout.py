"""The text of a select in a dialect: what fits on a line stands on one."""

import re
from collections.abc import Sequence

import sqlglot
from sqlglot import exp
from sqlglot.optimizer.scope import traverse_scope

from ndcg_sql.engines.engine import Engine
from ndcg_sql.engines.rules import rewritten

# Of a line; a query may be indented once more.
WIDTH = 100
_QUERY = re.compile(r"\b(SELECT|FROM)\b")
_BARE = re.compile(r" *(SELECT|FROM|WHERE|WITH)")
_CLAUSE = re.compile(r"(SELECT|FROM|((LEFT|CROSS) )?JOIN|WHERE|GROUP BY|HAVING) \S")


def written(engine: Engine, tree: exp.Expr) -> str:
    """Return a tree in the dialect of an engine."""
    tree = rewritten(tree, engine.rules)
    _unqualify(tree)
    _number(tree)
    text = tree.sql(
        engine.dialect,
        pretty=True,
        indent=4,
        pad=4,
        max_text_width=60,
        normalize_functions="lower" if engine.ignores_case else False,
        comments=False,
        unsupported_level=sqlglot.ErrorLevel.RAISE,
    )
    # A literal may hold line breaks.
    literals = (node.name for node in tree.find_all(exp.Literal, exp.Identifier))
    return text if any("\n" in name for name in literals) else _filled(text)


def _number(tree: exp.Expr) -> None:
    """Group by the numbers of items that are more than a name, and by no constant."""
    for select in tree.find_all(exp.Select):
        group = select.args.get("group")
        if group:
            values = [item.unalias() for item in select.expressions]
            keys = values if group.args.get("all") else group.expressions
            numbers = [
                key
                if (isinstance(key, exp.Column) and not key.table) or key not in values
                else exp.Literal.number(values.index(key) + 1)
                for key in keys
                if key.find(exp.Column)
            ]
            select.set("group", exp.Group(expressions=numbers))


def _unqualify(tree: exp.Expr) -> None:
    """Name columns alone where there is one source only."""
    for scope in traverse_scope(tree):
        sources = list(scope.selected_sources.items())
        for name, (table, _) in sources if len(sources) == 1 else ():
            if isinstance(table, exp.Table):
                for column in scope.columns:
                    if column.table == name:
                        column.set("table", None)
                table.set("alias", None)


def _filled(text: str) -> str:
    """Return a query in which what fits on a line is written on one."""
    text = re.sub(r"^( *)\), (\w+ AS \()$", r"\1),\n\1\2", text, flags=re.M)
    return re.sub(r"\bWHERE\n +", "WHERE ", "\n".join(_laid(text.split("\n"))))


def _laid(lines: list[str]) -> list[str]:
    """Return lines, where what is inside of one is part of it if it fits."""
    laid: list[str] = []
    while lines:
        outer = [i for i, line in enumerate(lines) if _depth(line) == _depth(lines[0])]
        head, inner = lines[outer[-1]], _laid(lines[outer[-1] + 1 :])
        closing = laid[:1] if head.endswith(("(", "CASE")) else []
        parts = [line.strip() for line in (*inner, *closing)]
        added = re.sub(r" (?=\))", "", "".join(f" {part}" for part in parts))
        joined = f"{head}{added}".replace("( ", "(")
        is_query = _QUERY.search(" ".join(parts[0 if _BARE.fullmatch(head) else 1 :]))
        if len(joined) <= WIDTH and not is_query:
            laid[: len(closing)] = [joined]
        else:
            laid = [head, *inner, *laid]
        lines = lines[: outer[-1]]
    return _packed(laid)


def _packed(lines: Sequence[str]) -> list[str]:
    """Return lines, some of which continue the one before if there is room."""
    packed: list[str] = []
    for line in lines:
        last, new = packed[-1] if packed else "", line.strip()
        is_near = _depth(last) == _depth(line) and len(last) + len(new) < WIDTH
        is_whole = all(part.count("(") == part.count(")") for part in (last, new))
        is_case = new == "CASE" or last.strip() == "END"
        is_item = last.endswith(",") and not re.match(r"\w+ AS \(", new)
        is_next = is_item or new.startswith(("OR ", "AND "))
        if _CLAUSE.match(last.strip()):
            is_next = _CLAUSE.match(new)
        if is_near and is_whole and is_next and not is_case:
            packed[-1] = f"{last} {new}"
        else:
            packed.append(line)
    return packed


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
