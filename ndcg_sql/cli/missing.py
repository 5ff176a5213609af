"""A command without an argument: what could be named."""

from typing import Any

from ndcg_sql.cli.session import Session
from ndcg_sql.text import listed


def hint(session: Session, context: Any, argument: Any) -> str:
    """Return what could be named for an argument; nothing if that is not known."""
    if argument.param_type_name != "argument" or not session.path.exists():
        return ""
    names = listed(item.value for item in argument.shell_complete(context, ""))
    word = argument.metavar.removesuffix("...")
    return f"{context.command_path}: no {word}; known: {names}" if names else ""
