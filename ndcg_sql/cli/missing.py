"""A command without an argument: what could be named, and a command to paste."""

from typing import Any

from ndcg_sql.cli.session import Session
from ndcg_sql.text import listed
from ndcg_sql.wording import Wording


def hint(session: Session, context: Any, argument: Any) -> Wording:
    """Return what could be named for an argument; nothing if that is not known.

    Raises NdcgSqlError for a name that was given and is not known.
    """
    from ndcg_sql.cli.catalogue import COMMANDS

    path: str = context.command_path
    name = path.partition(" ")[2]
    if argument.param_type_name != "argument" or not session.path.exists():
        return ""
    entry = COMMANDS.get(name)
    if entry is not None:
        session.face.requests, session.face.values = entry.requests, context.params
    from ndcg_sql.reports import missing

    is_question = entry is not None and entry.function == "asking.answered"
    if entry is not None and is_question and missing.names_entries(entry.request):
        with session.warehouse_read() as warehouse:
            return missing.refusal(
                warehouse.database, name, entry.request, context.params
            ).message
    names = listed(item.value for item in argument.shell_complete(context, ""))
    word = argument.metavar.removesuffix("...")
    return f"{path}: no {word}; known: {names}" if names else ""
