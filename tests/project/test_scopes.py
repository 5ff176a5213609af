"""Annotations mean the same whenever they are read.

From Python 3.14 on, they are read when someone asks for them; a name in them is then
that of the class, if the class has it, and no longer that of the module.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "ndcg_sql"


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
    "body",
    [
        "x: Text(f()) = None\n    def f(self): pass",
        "def g(self, f: f()): pass\n    f = 1",
        "f: int = 1\n    def g(self) -> f: pass",
    ],
)
def test_a_hidden_name_is_recognised(body: str) -> None:
    assert hidden(f"class A:\n    {body}") == [("A", "f")]


def test_a_field_without_a_value_hides_nothing() -> None:
    assert hidden("class A:\n    f: f") == []


def test_no_class_hides_a_name_that_its_annotations_read() -> None:
    found = {
        str(path.relative_to(PACKAGE)): pairs
        for path in PACKAGE.rglob("*.py")
        if (pairs := hidden(path.read_text(encoding="utf-8")))
    }
    assert found == {}
