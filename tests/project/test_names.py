"""Variables, parameters and functions have names that say what they hold."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "ndcg_sql"
# Of anything, these say only that it came from somewhere.
EMPTY = {"found", "known", "asked", "given", "told"}


def names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the variables, parameters and functions of a module, with their lines."""
    for node in ast.walk(tree):
        match node:
            case (
                ast.Name(id=name, ctx=ast.Store())
                | ast.Attribute(attr=name, ctx=ast.Store())
                | ast.arg(arg=name)
                | ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
            ):
                yield node.lineno, name
            case _:
                pass


def empty(text: str) -> list[tuple[int, str]]:
    """Return the names of a module that say nothing, with their lines."""
    named = names(ast.parse(text))
    return sorted(one for one in named if one[1].strip("_") in EMPTY)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("found = 1", "found"),
        ("for known, run in runs: pass", "known"),
        ("runs = [found.name for found in runs]", "found"),
        ("def f(asked): pass", "asked"),
        ("def f(*, given=None): pass", "given"),
        ("def _told(): pass", "_told"),
        ("class Run:\n    known: str", "known"),
        ("self.told = 1", "told"),
    ],
)
def test_a_name_that_says_nothing_is_recognised(text: str, name: str) -> None:
    assert [one for _, one in empty(text)] == [name]


def test_a_name_that_is_only_read_is_another_s() -> None:
    assert empty("rows = other.found(given=1, known_runs=told)") == []


def test_no_name_says_nothing() -> None:
    assert [
        f"{path.relative_to(PACKAGE).as_posix()}:{line}: {name}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line, name in empty(path.read_text(encoding="utf-8"))
    ] == []
