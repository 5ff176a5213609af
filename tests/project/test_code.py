"""Names in the package say what they hold, and its annotations mean the same always.

From Python 3.14 on, annotations are read when someone asks for them; a name in them is
then that of the class, if the class has it, and no longer that of the module.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "ndcg_sql"
# Of anything, these say only that it came from somewhere.
EMPTY = {"found", "known", "asked", "given", "told"}


def modules() -> list[tuple[str, str]]:
    """Return the paths and texts of all modules."""
    return [
        (path.relative_to(PACKAGE).as_posix(), path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    ]


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
        # A name that is only read is another's.
        ("rows = other.found(given=1, known_runs=told)", ""),
    ],
)
def test_a_name_that_says_nothing_is_recognised(text: str, name: str) -> None:
    assert [one for _, one in empty(text)] == name.split()


def test_no_name_says_nothing() -> None:
    assert [
        f"{path}:{line}: {name}"
        for path, text in modules()
        for line, name in empty(text)
    ] == []


def made(part: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement of a class makes."""
    match part:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
            yield name
        case ast.Assign(targets=targets):
            yield from (name.id for name in targets if isinstance(name, ast.Name))
        case _:
            pass


def annotations(part: ast.stmt) -> Iterator[ast.expr | None]:
    """Yield the annotations of a statement of a class."""
    match part:
        case ast.AnnAssign(annotation=annotation):
            yield annotation
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield part.returns
            yield from (
                node.annotation
                for node in ast.walk(part.args)
                if isinstance(node, ast.arg)
            )
        case _:
            pass


def hidden(text: str) -> list[tuple[str, str]]:
    """Return the classes of a module, and names in annotations that they hide."""
    pairs: list[tuple[str, str]] = []
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ClassDef):
            continue
        own = {name for part in node.body for name in made(part)}
        read = {
            name.id
            for part in node.body
            for annotation in annotations(part)
            if annotation is not None
            for name in ast.walk(annotation)
            if isinstance(name, ast.Name)
        }
        pairs += [(node.name, name) for name in sorted(own & read)]
    return pairs


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("x: Text(f()) = None\n    def f(self): pass", ["f"]),
        ("def g(self, f: f()): pass\n    f = 1", ["f"]),
        ("f: int = 1\n    def g(self) -> f: pass", ["f"]),
        # A field without a value hides nothing.
        ("f: f", []),
    ],
)
def test_a_hidden_name_is_recognised(body: str, names: list[str]) -> None:
    assert hidden(f"class A:\n    {body}") == [("A", name) for name in names]


def test_no_class_hides_a_name_that_its_annotations_read() -> None:
    found = {path: pairs for path, text in modules() if (pairs := hidden(text))}
    assert found == {}
