"""What a shell can complete: commands, options, and names in the warehouse, if any."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import typer

from ndcg_sql.cli.session import WAREHOUSE

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "ndcg-sql"
# The shell sets it when it asks what can follow the words on a command line.
VARIABLE = "_NDCG_SQL_COMPLETE"
# What gives the names of a kind, each with its dataset, if it has one.
_SELECTS = {
    "runs": "select name, dataset from runs",
    "judgment_sets": "select name, dataset from judgment_sets",
    "assessments": "select name, dataset from assessment_sets",
    "described": "select name, dataset from runs"
    " union all select name, dataset from judgment_sets",
    "measures": "select measure, null from measures",
    # The queries that a run answered, or any run if none is named, and the judged ones.
    "queries": "select query_id, dataset from run_queries join runs using (run_id)"
    " where $run in (name, '') union select query_id, dataset from judgments"
    " join judgment_sets using (judgment_set_id) where dataset in"
    " (select dataset from runs where $run in (name, ''))",
}
# The same kinds, by the words of commands that are about them.
_KINDS = {
    "run": "runs",
    "judgments": "judgment_sets",
    "registered": "measures",
    "dataset": "datasets",
}


def answer(commands: Any, instruction: str) -> int:
    """Print what the shell asks for, no error; return the exit code that it expects."""
    typer_completion: Any = import_module("typer.completion")
    typer_completion.completion_init()
    try:
        return typer_completion.shell_complete(
            commands, {}, PROGRAM, VARIABLE, instruction
        )
    except SystemExit as end:
        return int(end.code or 0)
    except Exception:
        if os.environ.get("NDCG_SQL_DEBUG"):
            raise
        return 1


def completer(kind: str, words: Iterable[str]) -> Callable[[typer.Context], list[str]]:
    """Return what gives some words, or the names of a kind, of a dataset if named."""

    def names(ctx: typer.Context) -> list[str]:
        # A command such as remove run or rename run says itself what it is about.
        about = ctx.params.get("kind") or ctx.info_name
        word = str(about) if kind == "entries" else kind
        stored = _stored(ctx, _KINDS.get(word, word))
        return [*dict.fromkeys([*stored, *_outside(word), *words])]

    return names


def _stored(context: typer.Context, kind: str) -> list[str]:
    """Return the names of a kind that the warehouse has, or nothing if that fails."""
    if kind not in {*_SELECTS, "datasets"}:
        return []
    from ndcg_sql.database import opening

    path: Any = context.find_root().params.get("warehouse") or WAREHOUSE
    chosen = context.params.get("dataset")
    # Whatever fails, there is nothing to complete.
    with suppress(Exception), opening.read(Path(path), 0.0) as database:
        if kind == "datasets":
            return [name for (name,) in database.run("lookups/datasets")]
        run = str(context.params.get("run") or "")
        rows = database.execute(f"{_SELECTS[kind]} order by all", {"run": run})
        return [name for name, own in rows if chosen in (None, own) or not own]
    return []


def _outside(kind: str) -> Iterable[str]:
    """Return the names of a kind that no warehouse has."""
    from ndcg_sql.database import sql_files, views
    from ndcg_sql.measures.families import families

    if kind.startswith("fusion_"):
        file = kind.removeprefix("fusion_")
        rows = sql_files.rows(f"fusion/{file}")
        return [row[file.removesuffix("s")] for row in rows]
    if kind == "measures":
        return [one.example for one in families().values()]
    return {"relations": [*views.public()], "shells": SHELLS}.get(kind, ())
