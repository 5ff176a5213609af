"""What is refused by a command and by its method, and what is said at its end."""

import shlex
from collections.abc import Mapping

import pytest

from ndcg_sql.cli.spelling import CommandLine
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.wording import use
from support.commands import Command

CORRECT = "Correct the file and load it again."
# What follows if all that is wrong are documents twice.
KEEP = (
    "To keep one row of each document: --duplicates first, --duplicates last or"
    " --duplicates max."
)


def remedy(bad: int, rows: int, advice: str = CORRECT) -> str:
    """Return the last line of a message about bad lines."""
    noun = "line" if bad == 1 else "lines"
    return f"{bad} bad {noun} of {rows}; nothing was loaded. {advice}"


def refused_by_both(
    ndcg: Command, own: Warehouse, kind: str, file: str, arguments: Mapping[str, object]
) -> str:
    """Return what a command says that refuses a file, as its method does.

    The command has the arguments of the method as options.
    """
    options = shlex.split(use(**arguments).spelled(CommandLine()))
    refusal = ndcg("load", kind, file, *options).refusal
    with pytest.raises(NdcgSqlError) as error:
        getattr(own, f"load_{kind}")(file, **arguments)
    assert f"{error.value.message.spelled(CommandLine())}\n" == refusal
    return refusal
