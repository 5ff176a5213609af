"""The apps of typer: each command of the catalogue, and the groups of commands."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import typer

from ndcg_sql.cli import trec_eval
from ndcg_sql.cli.catalogue import COMMANDS, Entry
from ndcg_sql.cli.command import Command
from ndcg_sql.cli.commands import answered
from ndcg_sql.cli.options import values_of, with_options
from ndcg_sql.cli.sections import Group
from ndcg_sql.cli.session import Session
from ndcg_sql.cli.spelling import CommandLine
from ndcg_sql.questions import reports
from ndcg_sql.requests.fields import fields_of

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


@dataclass
class Terminal(Session):
    """A session whose messages are spelled as on the command line."""

    face: CommandLine = field(default_factory=CommandLine)


def session_of(context: typer.Context) -> Terminal:
    """Return the session that a command belongs to."""
    session = context.find_object(Terminal)
    if session is None:
        raise RuntimeError("a command without a session")
    return session


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
        app = typer.Typer()
        app.command(name, context_settings=trec_eval.SETTINGS)(_trec_eval)
        return app
    lists = _LISTS.get(name)
    app = typer.Typer(
        cls=_Kinds if name == "load" else Group,
        invoke_without_command=bool(lists),
        no_args_is_help=not lists,
    )

    def begin(context: typer.Context) -> None:
        if lists and context.invoked_subcommand is None:
            answered(session_of(context), partial(lists))

    begin.__doc__ = _GROUPS[name]
    app.callback()(begin)
    for path, entry in COMMANDS.items():
        if path.startswith(f"{name} "):
            _add(app, path.removeprefix(f"{name} "), entry)
    return app


def _add(app: typer.Typer, name: str, entry: Entry) -> None:
    def run(context: typer.Context, **values: Any) -> None:
        session, function = session_of(context), entry.function
        session.face.options, session.face.values = entry.options, values
        session.has_warehouse = entry.has_warehouse
        values = {**values_of(entry.options, values), **entry.implied}
        own: dict[str, Any] = {
            one.name: values[one.name] for one in fields_of(function)
        }
        if question := entry.question:
            arguments = {one.name: values[one.name] for one in entry.parameters}
            own["question"] = partial(question, **arguments)
        function(session, **own)

    run.__doc__ = entry.documentation.prose
    made = with_options(run, entry.options, CommandLine(entry.options))
    examples = "\n".join(entry.documentation.examples)
    app.command(name, cls=Command, epilog=examples)(made)


def _trec_eval(context: typer.Context) -> None:
    session = session_of(context)
    session.has_warehouse = False
    trec_eval.trec_eval(session, context.args)


_trec_eval.__doc__ = trec_eval.trec_eval.__doc__
