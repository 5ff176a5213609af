"""Each room has a number of lines, in pyproject.toml; a new feature pays for its own.

As a program, it prints the table: `python tests/test_budgets.py`.
"""

import sys
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from typing import Any

from support.processes import ran

TOML: Any = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
ROOT = Path(__file__).parents[1]
SETTINGS = TOML.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BUDGETS: dict[str, int] = SETTINGS["tool"]["ndcg_sql"]["budgets"]


def files() -> list[str]:
    """Return the paths of all files in the repository; of a copy, those that it has."""
    listed = ran(["git", "ls-files"], ROOT)
    found = listed.stdout.splitlines() or [
        path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file()
    ]
    return [name for name in found if (ROOT / name).is_file()]


def lines(patterns: str, names: list[str]) -> int:
    """Return the number of lines of the files that any of some patterns matches."""
    chosen = [
        name
        for name in names
        if any(fnmatch(name, pattern) for pattern in patterns.split())
    ]
    assert chosen, f"no file of {patterns}"
    texts = ((ROOT / name).read_text(encoding="utf-8") for name in chosen)
    return sum(len(text.splitlines()) for text in texts)


def table() -> list[tuple[str, int, int]]:
    """Return each room with its lines and the most that it may have."""
    names = files()
    return [(room, lines(room, names), most) for room, most in BUDGETS.items()]


def test_no_room_is_above_its_budget() -> None:
    above = [row for row in table() if row[1] > row[2]]
    assert not above, above


if __name__ == "__main__":
    for name, found, allowed in table():
        print(f"{name:<60}{found:>7,} of {allowed:>7,}")
