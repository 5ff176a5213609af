"""What users are told names fields, which only the faces spell."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ndcg_sql.python import Warehouse
from ndcg_sql.python.answering import CHANGES, QUESTIONS
from ndcg_sql.requests.fields import fields_of
from ndcg_sql.requests.figures import PlotRequest
from ndcg_sql.requests.questions import EvalRequest

PACKAGE = Path(__file__).parents[2] / "ndcg_sql"
# The command line itself, trec_eval's own options, and a transcript of commands.
SPOKEN = ("cli/", "trec_eval/", "demo/")
OPTION = re.compile(r"(^|[^-\w])--[a-z][a-z-]*[a-z](?![-\w])|(^|\s)-[moqw]\s")
# Of files alone, and so no method of a warehouse.
ASKED = [request for request in QUESTIONS if request is not EvalRequest]
DEFINED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the strings of a module that are no docstrings, with their lines."""
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, DEFINED)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in documented:
            yield node.lineno, str(node.value)


@pytest.mark.parametrize(
    ("text", "is_option"),
    [
        ("load it with --positions given", True),
        ("name a file: -o FILE", True),
        ("a dash -- like this, or a-b", False),
        ("a colour of the page: var(--run-1)", False),
    ],
)
def test_an_option_is_recognised(text: str, is_option: bool) -> None:
    assert bool(OPTION.search(text)) is is_option


def test_no_string_below_the_command_line_has_an_option() -> None:
    found: list[str] = []
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith(SPOKEN):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            found += [
                f"{name}:{line}: {text!r}"
                for line, text in strings(tree)
                if OPTION.search(text)
            ]
    assert found == []


@pytest.mark.parametrize(
    "request_", [*ASKED, *CHANGES, PlotRequest], ids=lambda r: r.__name__
)
def test_a_method_takes_the_fields_of_its_request(request_: type) -> None:
    words = re.findall("[A-Z][a-z]+", request_.__name__.removesuffix("Request"))
    name = "_".join(words).lower()
    parameters = dict(inspect.signature(getattr(Warehouse, name)).parameters)
    del parameters["self"]
    fields = {field.name: field for field in fields_of(request_)}
    assert parameters.keys() == fields.keys()
    for name, parameter in parameters.items():
        field = fields[name]
        # An empty list or mapping is None in Python.
        is_many = not field.is_required and field.default in ((), {})
        default = inspect.Parameter.empty if field.is_required else field.default
        assert parameter.default == (None if is_many else default)
