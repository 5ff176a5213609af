"""ndcg-sql completion: what lets a shell complete commands, options and names."""

import os
from importlib import import_module
from typing import Annotated, Any

from ndcg_sql.cli.session import Session
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import Option

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "ndcg-sql"
# The shell sets it when it asks what can follow the words on a command line.
VARIABLE = "_NDCG_SQL_COMPLETE"


def completion(
    _session: Session,
    shell: Annotated[str, Option(names="shells", is_argument=True)],
) -> None:
    """Print the script with which a shell completes commands.

    It completes options and names, too. Write it to a file that the shell reads when it
    starts; bash, for example:
    ndcg-sql completion bash >> ~/.bashrc

    shell SHELL: bash, zsh or fish.

    ndcg-sql completion bash
    """
    if shell not in SHELLS:
        raise NdcgSqlError(f"{shell}: not one of {', '.join(SHELLS)}")
    answer(None, f"source_{shell}")


def answer(commands: Any, instruction: str) -> int:
    """Print what the shell asks for; return the exit code that it expects.

    Prints no error: a shell would take it for a completion.
    """
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
