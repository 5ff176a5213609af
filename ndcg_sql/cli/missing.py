"""A command without an argument: what could be named, and a command to paste."""

from pathlib import Path
from typing import Any

from ndcg_sql.cli.session import Session
from ndcg_sql.text import listed
from ndcg_sql.wording import Wording


def hint(session: Session, context: Any, argument: Any) -> Wording:
    """Return what could be named for an argument; nothing if that is not known.

    Raises NdcgSqlError for a name that was given and is not known.
    """
    from ndcg_sql.cli.catalogue import question_of

    path: str = context.command_path
    name = path.partition(" ")[2]
    if argument.param_type_name != "argument" or not Path(session.warehouse).exists():
        return ""
    request = question_of(name)
    from ndcg_sql.analysis import missing

    if request is not None and missing.names_entries(request):
        with session.reading() as database:
            return missing.refusal(database, name, request, context.params).message
    names = listed(item.value for item in argument.shell_complete(context, ""))
    word = argument.metavar.removesuffix("...")
    return f"{path}: no {word}; known: {names}" if names else ""
