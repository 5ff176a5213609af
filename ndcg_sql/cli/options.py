"""How the values of options are parsed."""

import re
from pathlib import Path

import typer

from ndcg_sql.system.paths import STDIN
from ndcg_sql.text import not_number, number


def input_file(text: str) -> Path:
    """Return the path of an input file; - is standard input."""
    return STDIN if text == "-" else Path(text)


def decimal(given: object) -> float:
    """Return the number given for an option, or its default."""
    text = str(given)
    value = number(text)
    if value is None:
        raise typer.BadParameter(f"{text}: {not_number(text)}")
    return value


def whole(given: object) -> int:
    """Return the integer given for an option, or its default."""
    if not re.fullmatch("[+-]?[0-9]{1,18}", str(given)):
        raise typer.BadParameter(f"{given}: not an integer")
    return int(str(given))
