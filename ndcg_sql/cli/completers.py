"""What a shell can complete: names in the warehouse, and names of measures.

A completer never fails and prints nothing: without a readable warehouse, there is
nothing to complete.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import typer

from ndcg_sql.cli.completion import SHELLS

# The relations whose names are those of a kind, or of what a command is about.
_RUNS, _SETS = ("runs",), ("judgment_sets",)
_RELATIONS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("runs", "run"), _RUNS),
    **dict.fromkeys(("judgment_sets", "judgments"), _SETS),
    "assessments": ("assessment_sets",),
    "described": _RUNS + _SETS,
}
# The queries that a run answered, or any run if none is named, and the judged ones.
_QUERIES = (
    "select query_id, dataset from run_queries join runs using (run_id)"
    " where $run in (name, '') union select query_id, dataset from judgments"
    " join judgment_sets using (judgment_set_id) where dataset in"
    " (select dataset from runs where $run in (name, ''))"
)


def completer(kind: str) -> Callable[[typer.Context], list[str]]:
    """Return what gives the names of a kind, those of the dataset if one is named."""

    def names(ctx: typer.Context) -> list[str]:
        # A command such as remove run says by its name what it is about.
        word = str(ctx.info_name) if kind == "entries" else kind
        stored: Iterable[str] = ()
        if word in _RELATIONS:
            selects = (f"select name, dataset from {name}" for name in _RELATIONS[word])
            stored = [name for select in selects for name in _selected(ctx, select)]
        elif word == "queries":
            run = str(ctx.params.get("run") or "")
            stored = _selected(ctx, _QUERIES, run=run)
        elif word in ("datasets", "dataset"):
            stored = (
                name for (name,) in _rows(ctx, lambda d: d.run("lookups/datasets"))
            )
        elif word in ("measures", "registered"):
            stored = _selected(ctx, "select measure, null from measures")
        return [*dict.fromkeys([*stored, *_outside(word)])]

    return names


def _rows(context: typer.Context, ask: Callable[[Any], list[Any]]) -> list[Any]:
    """Return rows of the warehouse, or nothing if that fails."""
    path: Any = context.find_root().params.get("warehouse")
    try:
        from ndcg_sql.database import opening

        with opening.read(Path(path), 0.0) as database:
            return ask(database)
    except Exception:
        return []


def _selected(context: typer.Context, select: str, **parameters: str) -> list[str]:
    """Return the names of a select, those of the dataset if one is named."""
    chosen = context.params.get("dataset")
    rows = _rows(context, lambda d: d.execute(f"{select} order by all", parameters))
    return [name for name, dataset in rows if chosen in (None, dataset) or not dataset]


def _outside(kind: str) -> Iterable[str]:
    """Return the names of a kind that no warehouse has."""
    from ndcg_sql.database import sql_files, views
    from ndcg_sql.measures.families import families
    from ndcg_sql.measures.systems import systems
    from ndcg_sql.requests.figures import FIGURES

    if kind == "measures":
        return [one.example for one in families().values()]
    if kind in ("fusion_methods", "fusion_norms"):
        column = kind.removeprefix("fusion_").removesuffix("s")
        return [row[column] for row in sql_files.rows(f"fusion/{column}s")]
    named: Mapping[str, Callable[[], Iterable[str]]] = {
        "systems": systems,
        "figures": lambda: FIGURES,
        "relations": views.public,
        "shells": lambda: SHELLS,
    }
    return named[kind]() if kind in named else ()
