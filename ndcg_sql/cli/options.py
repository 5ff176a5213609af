"""How the values of options are parsed."""

import re
from collections.abc import Callable
from pathlib import Path

import typer

from ndcg_sql.system.paths import STDIN
from ndcg_sql.text import not_number, number


def input_file(text: str) -> Path:
    """Return the path of an input file; - is standard input."""
    return STDIN if text == "-" else Path(text)


def decimal(setting: object) -> float:
    """Return the number given for an option, or its default."""
    text = str(setting)
    value = number(text)
    if value is None:
        raise typer.BadParameter(f"{text}: {not_number(text)}")
    return value


def whole(setting: object) -> int:
    """Return the integer given for an option, or its default."""
    if not re.fullmatch("[+-]?[0-9]{1,18}", str(setting)):
        raise typer.BadParameter(f"{setting}: not an integer")
    return int(str(setting))


def key_values(
    option: str,
    items: list[str] | None,
    expected: str,
    faults: list[str],
    *,
    may_be_empty: bool = False,
    split: Callable[[str, str], tuple[str, str, str]] = str.partition,
) -> dict[str, str]:
    """Return the key=value pairs of a repeated option, or of an argument without one.

    What is wrong with others is added to faults; expected says what they should be.
    Values may be empty only with may_be_empty. split says which of several = separates
    a key from its value.
    """
    pairs: dict[str, str] = {}
    where = f"{option} " if option else ""
    for item in items or []:
        key, equals, value = split(item, "=")
        # An empty label is also a label.
        if not (equals and (value or may_be_empty) and (key or option == "--label")):
            faults.append(f"{where}{item}: {expected}")
        elif key in pairs:
            faults.append(f"{where}{key}: given twice")
        else:
            pairs[key] = value
    return pairs


def chosen_labels(
    items: list[str] | None, expected: str, faults: list[str]
) -> dict[str, float]:
    """Return the grade of each label; add what is wrong with others to faults."""
    labels: dict[str, float] = {}
    for label, text in key_values("--label", items, expected, faults).items():
        grade = number(text)
        if grade is None:
            fault = f"the grade is {not_number(text)}"
        elif number(label.strip()) is not None:
            fault = f"{label.strip()} is already a grade, not a label"
        elif not label and grade >= 0:
            fault = (
                "an empty grade can only mean that nobody judged the document; give it"
                " a negative grade: --label =-1"
            )
        else:
            # Adding 0 turns a negative zero into a plain one.
            labels[label] = grade + 0
            continue
        faults.append(f"--label {label}={text}: {fault}")
    return labels
