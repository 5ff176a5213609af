"""What a shell can complete: names in the warehouse, and names of measures.

A completer never fails and prints nothing: without a readable warehouse, there is
nothing to complete.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from ndcg_sql.database.database import Database

# The selects of names in a warehouse, with the dataset of each.
_NAMES: Mapping[str, str] = {
    "runs": "select name, dataset from runs",
    "judgment_sets": "select name, dataset from judgment_sets",
    "assessments": "select distinct name, dataset from assessment_sets",
    "datasets": (
        "select dataset, null from runs union select dataset, null from judgment_sets"
    ),
    "queries": (
        "select query_id, dataset from run_queries join runs using (run_id)"
        " where $run in (name, '')"
    ),
    "registered": "select measure, null from measures",
}
# What a command such as remove run is about.
_KINDS = {"run": "runs", "judgments": "judgment_sets", "assessments": "assessments"}


def completer(kind: str) -> Callable[[typer.Context], list[str]]:
    """Return what gives the names of a kind, those of the dataset if one is named."""

    def names(ctx: typer.Context) -> list[str]:
        return list(dict.fromkeys(_KNOWN.get(kind, _stored)(ctx, kind)))

    return names


def _stored(context: typer.Context, kind: str) -> list[str]:
    """Return the names of a select, or nothing if that fails."""
    path: Any = context.find_root().params.get("warehouse")
    chosen, run = context.params.get("dataset"), context.params.get("run")
    try:
        from ndcg_sql.database import opening

        database: Database
        select = _NAMES[kind]
        parameters = {"run": run or ""} if "$run" in select else {}
        with opening.read(Path(path), 0.0) as database:
            rows = database.execute(f"{select} order by all", parameters)
    except Exception:
        return []
    return [
        name for name, dataset in rows if None in (chosen, dataset) or dataset == chosen
    ]


def _entries(context: typer.Context, _: str) -> list[str]:
    return _stored(context, _KINDS[str(context.info_name)])


def _described(context: typer.Context, _: str) -> list[str]:
    return [*_stored(context, "runs"), *_stored(context, "judgment_sets")]


def _measures(context: typer.Context, _: str) -> list[str]:
    """Return the registered measures, then one measure of each family."""
    from ndcg_sql.measures.families import families

    examples = [family.example for family in families().values()]
    return _stored(context, "registered") + examples


def _systems(_context: typer.Context, _: str) -> list[str]:
    from ndcg_sql.measures.systems import systems

    return list(systems())


def _fusion(_context: typer.Context, kind: str) -> list[str]:
    from ndcg_sql.database import sql_files

    column = kind.removeprefix("fusion_").removesuffix("s")
    return [row[column] for row in sql_files.rows(f"fusion/{column}s")]


def _figures(_context: typer.Context, _: str) -> list[str]:
    from ndcg_sql.requests.figures import FIGURES

    return list(FIGURES)


def _relations(_context: typer.Context, _: str) -> list[str]:
    from ndcg_sql.database import views

    return list(views.public())


# What is not, or not only, in a warehouse.
_KNOWN: Mapping[str, Callable[[typer.Context, str], list[str]]] = {
    "entries": _entries,
    "described": _described,
    "measures": _measures,
    "systems": _systems,
    "fusion_methods": _fusion,
    "fusion_norms": _fusion,
    "figures": _figures,
    "relations": _relations,
}
