"""The apps of typer: each command of the catalogue, and the groups of commands."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from typing import Any

import typer

from ndcg_sql.cli.asking import answered
from ndcg_sql.cli.catalogue import COMMANDS, Entry
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.requests import made_of_options, with_options
from ndcg_sql.cli.sections import Group
from ndcg_sql.cli.session import Session
from ndcg_sql.questions import reports
from ndcg_sql.requests.printing import Printing

# The groups of commands; without a command, some of them list what there is.
_GROUPS = {
    "export": "Write a run or a judgment set to a file.",
    "gains": "List, add or remove gain schemes.",
    "load": "Load judgments, assessments, runs, queries or documents.",
    "measures": "List, add or remove registered measures.",
    "remove": "Remove runs, judgments, queries, documents or a dataset.",
    "rename": "Rename a run, a judgment set or a dataset.",
    "tag": "Tag runs.",
}
_LISTS: Mapping[str, Callable[..., Any]] = {
    "gains": reports.gains,
    "measures": reports.measures,
}
# Words of other tools for what is loaded.
_ALIASES = {
    "qrels": "judgments",
    "qrel": "judgments",
    "judgements": "judgments",
    "judgment": "judgments",
    "judgement": "judgments",
    "runs": "run",
    "ranking": "run",
    "rankings": "run",
    "query": "queries",
    "topics": "queries",
    "assessment": "assessments",
    "value": "values",
    "click": "clicks",
    "events": "clicks",
}


class _Kinds(Group):
    """What can be loaded, also under the words of other tools."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return super().get_command(ctx, _ALIASES.get(cmd_name, cmd_name))


@cache
def app_of(name: str) -> typer.Typer:
    """Return the command of a name, or the group of commands.

    What a group does without a command is its list.
    """
    if name in COMMANDS:
        app = typer.Typer()
        _add(app, name, COMMANDS[name])
        return app
    if name not in _GROUPS:
        return import_module(f"ndcg_sql.cli.{name}").app
    lists = _LISTS.get(name)
    app = typer.Typer(
        cls=_Kinds if name == "load" else Group,
        invoke_without_command=bool(lists),
        no_args_is_help=not lists,
    )

    def begin(context: typer.Context) -> None:
        if lists and context.invoked_subcommand is None:
            answered(Session.of(context), partial(lists), Printing())

    begin.__doc__ = _GROUPS[name]
    app.callback()(begin)
    for path, entry in COMMANDS.items():
        if path.startswith(f"{name} "):
            _add(app, path.removeprefix(f"{name} "), entry)
    return app


def _add(app: typer.Typer, name: str, entry: Entry) -> None:
    def run(context: typer.Context, **values: Any) -> None:
        session = Session.of(context)
        session.face.requests, session.face.values = entry.requests, values
        session.has_warehouse = entry.has_warehouse
        values |= entry.implied
        module, _, function = entry.function.partition(".")
        work = getattr(import_module(f"ndcg_sql.cli.{module}"), function)
        work(session, *(made_of_options(one, values) for one in entry.requests))

    run.__doc__ = entry.help or entry.request.__doc__
    made = with_options(run, entry.requests, entry.implied)
    app.command(name, cls=Command, epilog=entry.example)(made)
