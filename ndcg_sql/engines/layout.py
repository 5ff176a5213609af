"""The text of a select in a dialect: what fits on a line stands on one."""

import re
from collections.abc import Sequence

import sqlglot
from sqlglot import exp
from sqlglot.optimizer.scope import traverse_scope

from ndcg_sql.engines.engine import Engine, rewritten

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
    lines = text.split("\n")
    for i in reversed(range(len(lines))):
        inside = " " * (_depth(lines[i]) + 1)
        end = i + 1
        while end < len(lines) and lines[end].startswith(inside):
            end += 1
        end += lines[i].endswith(("(", "CASE"))
        parts = [line.strip() for line in lines[i + 1 : end]]
        joined = lines[i]
        for part in parts:
            is_tight = joined.endswith("(") or part.startswith(")")
            joined += part if is_tight else f" {part}"
        is_query = parts and _BARE.fullmatch(lines[i]) and _QUERY.search(parts[0])
        is_query = is_query or _QUERY.search(" ".join(parts[1:]))
        if len(joined) <= WIDTH and not is_query:
            lines[i:end] = [joined]
        elif lines[i].endswith("("):
            lines[i + 1 : end - 1] = _packed(lines[i + 1 : end - 1])
            after = "".join(lines[i + 2 : i + 3])[: _depth(lines[i]) + 2]
            if end - i > 2 and lines[i].endswith("AS (") and ")" in after:
                whole = lines[i] + lines[i + 1].strip() + lines[i + 2].strip()
                lines[i : i + 3] = [whole] if len(whole) <= WIDTH else lines[i : i + 3]
    return "\n".join(_packed(lines))


def _packed(lines: Sequence[str]) -> list[str]:
    """Return lines, some of which continue the one before if there is room."""
    packed: list[str] = []
    for line in lines:
        last, new = packed[-1] if packed else "", line.strip()
        is_whole = all(part.count("(") == part.count(")") for part in (last, new))
        is_near = _depth(last) == _depth(line) and len(last) + len(new) < WIDTH
        is_open = new == "CASE" or last.strip() in ("CASE", "END")
        is_item = last.endswith(",") and not re.match(r"\)|\w+ AS \(", new)
        is_started = _CLAUSE.match(last.strip()) is not None
        is_condition = new.startswith(("OR ", "AND ")) and not is_started
        is_next = is_started if _CLAUSE.match(new) else is_item or is_condition
        if packed and is_whole and is_near and is_next and not is_open:
            packed[-1] = f"{last} {new}"
        else:
            packed.append(line)
    return re.sub(r"\bWHERE\n +", "WHERE ", "\n".join(packed)).split("\n")


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())
