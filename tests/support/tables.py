"""Tables in files of text: commands, and all that they answer."""

import re
from pathlib import Path
from typing import Any

import pytest

# A command, or lines of a file for the usual command, or both; then the message.
_CASE = re.compile(
    r"(?m)(?:^\$ (?P<command>.*)\n|(?=^> ))(?P<text>(?:> .*\n)*)"
    r"(?P<told>(?:(?![$>] ).*\n)*)"
)


def read_cases(path: Path, usual: str = "") -> list[tuple[str, str, str]]:
    """Return commands, what a file holds that they read, and the answers.

    The file stays as it is where a case does not have it.
    """
    cases: list[tuple[str, str, str]] = []
    for case in _CASE.finditer(path.read_text(encoding="utf-8")):
        text = re.sub("(?m)^> ", "", case["text"]) or (cases[-1][1] if cases else "")
        cases.append((case["command"] or usual, text, case["told"]))
    return cases


def read_calls(path: Path) -> list[tuple[str, str]]:
    """Return commands, and the call of Python that stands below each."""
    text = path.read_text(encoding="utf-8")
    return re.findall(r"(?m)^\$ (.*)\n> (.*)$", text)


def check_told(found: str, told: str) -> None:
    """Check a message; ... stands for the words of other programs."""
    pattern = re.escape(told).replace(re.escape("..."), ".*")
    assert re.fullmatch(pattern, found), found


def check_rows(found: list[dict[str, Any]], expected: str) -> None:
    """Check columns of rows against a table of them, in which - is nothing."""
    heading, *lines = [re.split("  +", line) for line in expected.splitlines()]
    for name, *cells in zip(heading, *lines, strict=True):
        assert [row[name] for row in found] == [
            None if cell == "-" else _value(cell) for cell in cells
        ], name


def _value(cell: str) -> Any:
    """Return a number, as nearly as it is written, or a text."""
    try:
        return pytest.approx(float(cell))
    except ValueError:
        return cell
