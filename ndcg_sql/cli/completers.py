"""What a shell can complete: names in the warehouse, and names of measures.

A completer never fails and prints nothing: without a readable warehouse, there is
nothing to complete.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from ndcg_sql.database.database import Database
    from ndcg_sql.evaluation.entries import Kind


def entries(ctx: typer.Context) -> list[str]:
    """Return the names of what a command such as remove run is about."""
    from ndcg_sql.evaluation.entries import KINDS

    return _entries(ctx, KINDS[str(ctx.info_name)])


def runs(ctx: typer.Context) -> list[str]:
    """Return the names of runs, of the dataset if one is named."""
    return _entries(ctx, "run")


def judgment_sets(ctx: typer.Context) -> list[str]:
    """Return the names of judgment sets, of the dataset if one is named."""
    return _entries(ctx, "judgment set")


def described(ctx: typer.Context) -> list[str]:
    """Return the names of runs and judgment sets, of the dataset if one is named."""
    return list(dict.fromkeys(runs(ctx) + judgment_sets(ctx)))


def assessments(ctx: typer.Context) -> list[str]:
    """Return the names of assessments, of the dataset if one is named."""
    return _entries(ctx, "assessments")


def datasets(ctx: typer.Context) -> list[str]:
    """Return the names of datasets."""
    return [name for (name,) in _answered(ctx, "lookups/datasets")]


def measures(ctx: typer.Context) -> list[str]:
    """Return the registered measures, then one measure of each family."""
    from ndcg_sql.measures.families import families

    examples = [family.example for family in families().values()]
    return list(dict.fromkeys(registered(ctx) + examples))


def registered(ctx: typer.Context) -> list[str]:
    """Return the registered measures."""
    return [name for (name,) in _answered(ctx, "select measure from measures")]


def systems() -> list[str]:
    """Return the systems whose conventions are known."""
    from ndcg_sql.measures.systems import systems as all_systems

    return list(all_systems())


def fusion_methods() -> list[str]:
    """Return the methods of fusion."""
    from ndcg_sql.database import sql_files

    return [row["method"] for row in sql_files.rows("fusion/methods")]


def fusion_norms() -> list[str]:
    """Return the norms of fusion."""
    from ndcg_sql.database import sql_files

    return [row["norm"] for row in sql_files.rows("fusion/norms")]


def figures() -> list[str]:
    """Return the figures that can be drawn."""
    from ndcg_sql.requests.figures import FIGURES

    return list(FIGURES)


def relations() -> list[str]:
    """Return the public relations."""
    from ndcg_sql.database import views

    return list(views.public())


def _entries(context: typer.Context, kind: "Kind") -> list[str]:
    from ndcg_sql.evaluation.entries import TABLES

    rows = _answered(context, f"select name, dataset from {TABLES[kind]} order by all")
    chosen = context.params.get("dataset")
    names = (name for name, dataset in rows if chosen in (None, dataset))
    return list(dict.fromkeys(names))


def _answered(context: typer.Context, question: str) -> list[Any]:
    """Return the rows of a select, or of a file under sql/; none if that fails."""
    path: Any = context.find_root().params.get("warehouse")
    try:
        from ndcg_sql.database import opening

        database: Database
        with opening.read(Path(path), 0.0) as database:
            ask = database.execute if " " in question else database.run
            return ask(question)
    except Exception:
        return []
