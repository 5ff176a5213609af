"""What a shell can complete: names in the warehouse, and names of measures.

A completer never fails and prints nothing: without a readable warehouse, there is
nothing to complete.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from ndcg_sql.cli.completion import SHELLS

if TYPE_CHECKING:
    from ndcg_sql.database.database import Database

# The kinds of entries, as KINDS of entries calls them.
_WORDS = {
    "runs": ("run",),
    "judgment_sets": ("judgments",),
    "assessments": ("assessments",),
    "described": ("run", "judgments"),
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
        words = _WORDS.get(kind)
        return list(
            dict.fromkeys(_of_kind(ctx, *words) if words else _NAMES[kind](ctx))
        )

    return names


def _rows(context: typer.Context, ask: "Callable[[Database], list[Any]]") -> list[Any]:
    """Return rows of the warehouse, or nothing if that fails."""
    path: Any = context.find_root().params.get("warehouse")
    try:
        from ndcg_sql.database import opening

        with opening.read(Path(path), 0.0) as database:
            return ask(database)
    except Exception:
        return []


def _of_dataset(context: typer.Context, select: str, **parameters: str) -> list[str]:
    """Return the names of a select, those of the dataset if one is named."""
    chosen = context.params.get("dataset")
    rows = _rows(context, lambda d: d.execute(f"{select} order by all", parameters))
    return [name for name, dataset in rows if chosen in (None, dataset)]


def _of_kind(context: typer.Context, *words: str) -> list[str]:
    """Return the names of runs, judgment sets or assessments, as KINDS calls them."""
    from ndcg_sql.evaluation.entries import KINDS, TABLES

    tables = [TABLES[KINDS[word]] for word in words]
    selects = [f"select name, dataset from {table}" for table in tables]
    return [name for select in selects for name in _of_dataset(context, select)]


def _entries(context: typer.Context) -> list[str]:
    """Return the names of what a command such as remove run is about."""
    return _of_kind(context, str(context.info_name))


def _queries(context: typer.Context) -> list[str]:
    return _of_dataset(context, _QUERIES, run=context.params.get("run") or "")


def _datasets(context: typer.Context) -> list[str]:
    return [name for (name,) in _rows(context, lambda d: d.run("lookups/datasets"))]


def _registered(context: typer.Context) -> list[str]:
    select = "select measure from measures"
    return [name for (name,) in _rows(context, lambda d: d.execute(select))]


def _measures(context: typer.Context) -> list[str]:
    """Return the registered measures, then one measure of each family."""
    from ndcg_sql.measures.families import families

    return _registered(context) + [one.example for one in families().values()]


def _systems(_: typer.Context) -> list[str]:
    from ndcg_sql.measures.systems import systems

    return list(systems())


def _fusion_methods(_: typer.Context) -> list[str]:
    from ndcg_sql.database import sql_files

    return [row["method"] for row in sql_files.rows("fusion/methods")]


def _fusion_norms(_: typer.Context) -> list[str]:
    from ndcg_sql.database import sql_files

    return [row["norm"] for row in sql_files.rows("fusion/norms")]


def _figures(_: typer.Context) -> list[str]:
    from ndcg_sql.requests.figures import FIGURES

    return list(FIGURES)


def _relations(_: typer.Context) -> list[str]:
    from ndcg_sql.database import views

    return list(views.public())


_NAMES: Mapping[str, Callable[[typer.Context], list[str]]] = {
    "datasets": _datasets,
    "entries": _entries,
    "figures": _figures,
    "fusion_methods": _fusion_methods,
    "fusion_norms": _fusion_norms,
    "measures": _measures,
    "queries": _queries,
    "registered": _registered,
    "relations": _relations,
    "shells": lambda _: list(SHELLS),
    "systems": _systems,
}
