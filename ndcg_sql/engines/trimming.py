"""What nothing reads is left out, and small relations join those that read them."""

from collections.abc import Iterator

from sqlglot import exp

Relations = dict[str, exp.Expr]
# A select, and one of its sources.
Place = tuple[exp.Select, exp.Expr]
# An expression that is longer is written once only.
_SHORT = 30


def trimmed(relations: Relations, public: dict[str, frozenset[str]]) -> Relations:
    """Return relations without columns and relations that nothing reads.

    public has the relations and columns that are for users.
    """
    kept: Relations = {}
    reads: dict[str, set[str]] = {}
    for name in reversed(list(relations)):
        columns = public.get(name, reads.get(name))
        if columns is None:
            continue
        tree = kept[name] = relations[name]
        _keep(tree, set(columns))
        _trim_inside(tree)
        _collect(tree, reads)
    return dict(reversed(kept.items()))


def _trim_inside(tree: exp.Expr) -> None:
    """Leave out common table expressions and their columns that nothing reads."""
    ctes = tree.args.get("with_")
    reads: dict[str, set[str]] = {}
    _collect(tree, reads, own=True)
    for cte in list(ctes.expressions)[::-1] if ctes else ():
        if cte.alias not in reads:
            cte.pop()
            continue
        _keep(cte.this, reads[cte.alias])
        _collect(cte.this, reads)
    if ctes and not ctes.expressions:
        ctes.pop()


def _collect(tree: exp.Expr, reads: dict[str, set[str]], own: bool = False) -> None:
    """Add the columns that a query reads, by relation; own as in selects."""
    for select in selects(tree, own):
        columns = own_columns(select)
        for source in sources(select):
            if isinstance(source.this, exp.Table):
                reads.setdefault(source.this.name, set()).update(
                    column.name
                    for column in columns
                    if column.table in ("", source.alias_or_name)
                )


def selects(tree: exp.Expr, own: bool = False) -> Iterator[exp.Select]:
    """Return the selects of a query; own: not those of its table expressions."""
    ctes = tree.args.get("with_")
    for cte in ctes.expressions if ctes and not own else ():
        yield from selects(cte.this)
    if isinstance(tree, exp.Select):
        yield tree
    inside = (exp.With, exp.Select, exp.Union)
    for node in tree.walk(prune=lambda n: n is not tree and isinstance(n, inside)):
        if node is not tree and isinstance(node, (exp.Select, exp.Union)):
            yield from selects(node)


def joins_of(select: exp.Expr) -> list[exp.Join]:
    """Return the joins of a select."""
    return list(select.args.get("joins") or [])


def sources(select: exp.Expr) -> list[exp.Expr]:
    """Return the from clause and the joins of a select."""
    first = select.args.get("from_")
    return [first, *joins_of(select)] if first else []


def own_columns(select: exp.Expr) -> list[exp.Column]:
    """Return the columns that a select names, without those of its expressions."""
    inside = select.walk(prune=lambda node: isinstance(node, exp.With))
    return [node for node in inside if isinstance(node, exp.Column)]


def write(column: exp.Expr, value: exp.Expr) -> None:
    """Write a value in the place of a column; what a select shows keeps its name."""
    new = value.copy()
    if isinstance(column.parent, exp.Select):
        same = isinstance(new, exp.Column) and new.name == column.name
        new = new if same else exp.alias_(new, column.name)
    elif not isinstance(new, (exp.Column, exp.Func, exp.Literal)):
        new = exp.paren(new)
    column.replace(new)


def _keep(tree: exp.Expr, columns: set[str]) -> None:
    """Leave out the columns of a query that are not to be kept."""
    if isinstance(tree, exp.Union):
        if not tree.args.get("distinct"):
            _keep(tree.this, columns)
            _keep(tree.expression, columns)
        return
    bare = {column.name for column in own_columns(tree) if not column.table}
    columns = columns | bare
    items = tree.expressions
    if tree.args.get("distinct"):
        fixed = [item for item in items if isinstance(item.unalias(), exp.Column)]
        columns |= {item.alias_or_name for item in fixed}
    kept = [item for item in items if item.alias_or_name in columns]
    if kept or tree.args.get("group"):
        kept = kept or items[:1]
    counts = any(item.find(exp.AggFunc) for item in items)
    if counts and not tree.args.get("group"):
        kept = kept if any(item.find(exp.AggFunc) for item in kept) else items
    tree.set("expressions", kept or items[:1])
    windows = tree.args.get("windows")
    names = {
        w.args["alias"].name for w in tree.find_all(exp.Window) if w.args.get("alias")
    }
    if windows:
        tree.set("windows", [w for w in windows if w.name in names] or None)


def merged(relations: Relations, public: dict[str, frozenset[str]]) -> Relations:
    """Return relations of which plain ones, read once, are written where they are."""
    relations = dict(relations)
    places = [place for tree in relations.values() for place in _places(tree)]
    for name in list(relations):
        if name not in public and _merge_into(name, relations[name], places):
            del relations[name]
    return relations


def merge_inside(tree: exp.Expr) -> None:
    """Write plain table expressions, read once, where they are read."""
    ctes = tree.args.get("with_")
    places = _places(tree) if ctes else []
    for cte in list(ctes.expressions) if ctes else ():
        if _merge_into(cte.alias, cte.this, places):
            cte.pop()
    if ctes and not ctes.expressions:
        ctes.pop()


def _places(tree: exp.Expr) -> list[Place]:
    """Return where a query reads relations: its selects and their sources."""
    return [
        (select, source)
        for select in selects(tree)
        for source in sources(select)
        if isinstance(source.this, exp.Table)
    ]


def _merge_into(name: str, tree: exp.Expr, places: list[Place]) -> bool:
    """Write a query where others read it; return False if it stays one of its own.

    places is kept right.
    """
    found = [(s, source) for s, source in places if source.this.name == name]
    if len(found) != 1 and not _is_plain(tree):
        return False
    once = len({id(select) for select, _ in found}) == len(found)
    if not once or not all(_fits(tree, select, source) for select, source in found):
        return False
    for select, source in found:
        _merge(tree, select, source)
    changed = {id(tree), *(id(select) for select, _ in found)}
    places[:] = [place for place in places if id(place[0]) not in changed]
    for select, _ in found:
        places += [
            (select, source)
            for source in sources(select)
            if isinstance(source.this, exp.Table)
        ]
    return True


def _is_plain(tree: exp.Expr) -> bool:
    """Return whether a query only names columns of one other relation."""
    return (
        isinstance(tree, exp.Select)
        and all(isinstance(item.unalias(), exp.Column) for item in tree.expressions)
        and len(sources(tree)) == 1
        and not tree.args.get("where")
    )


def _fits(tree: exp.Expr, select: exp.Expr, source: exp.Expr) -> bool:
    """Return whether a query can be written in the place where it is read."""
    special = ("with_", "group", "having", "distinct", "windows", "limit", "order")
    if not isinstance(tree, exp.Select) or any(tree.args.get(s) for s in special):
        return False
    own = sources(tree)
    if not own or any(not isinstance(s.this, exp.Table) for s in own):
        return False
    if any(item.find(exp.Window, exp.AggFunc) for item in tree.expressions):
        return False
    outer = any(join.side for join in joins_of(select))
    is_first = isinstance(source, exp.From)
    if not is_first and (outer or any(s.args.get("side") for s in own)):
        return False
    if not is_first and not _is_plain(tree) and tree.args.get("joins"):
        return False
    taken = {s.alias_or_name for s in sources(select) if s is not source}
    if taken & {s.alias_or_name for s in own}:
        return False
    read = [
        column.name
        for column in own_columns(select)
        if column.table == source.alias_or_name
    ]
    long = {
        item.alias_or_name
        for item in tree.expressions
        if not isinstance(item.unalias(), exp.Column)
        and len(item.unalias().sql()) > _SHORT
    }
    return all(read.count(name) <= 1 for name in long)


def _merge(tree: exp.Expr, select: exp.Select, source: exp.Expr) -> None:
    """Write a query in the place where another one reads it."""
    tree = tree.copy()
    name = source.alias_or_name
    values = {item.alias_or_name: item.unalias() for item in tree.expressions}
    for column in own_columns(select):
        if column.table != name:
            continue
        write(column, values[column.name])
    joins = joins_of(select)
    own = sources(tree)
    source.set("this", own[0].this)
    place = joins.index(source) + 1 if isinstance(source, exp.Join) else 0
    select.set("joins", [*joins[:place], *own[1:], *joins[place:]])
    if where := tree.args.get("where"):
        select.where(where.this, copy=False)
