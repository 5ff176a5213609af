"""What users are told names fields, which only the faces spell."""

import ast
import re
from collections.abc import Callable, Iterator
from inspect import signature, unwrap
from pathlib import Path

import pytest

import ndcg_sql
from ndcg_sql.cli.catalogue import COMMANDS, command_of
from ndcg_sql.cli.session import begin
from ndcg_sql.cli.spelling import CommandLine, word_of
from ndcg_sql.fields import fields_of, questions
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.questions.changes import add_measures
from ndcg_sql.questions.comparisons import compare, gate
from ndcg_sql.questions.outputs import plot
from ndcg_sql.wording import BEGIN, Text, call
from support.commands import Command

PACKAGE = Path(__file__).parents[2] / "ndcg_sql"
# The command line itself, trec_eval's own options, and a transcript of commands.
SPOKEN = ("cli/", "trec_eval/", "demo/")
OPTION = re.compile(r"(^|[^-\w])--[a-z][a-z-]*[a-z](?![-\w])|(^|\s)-[moqw]\s")
HOMES = ("ndcg_sql.wording", "ndcg_sql.errors")
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


@pytest.mark.slow
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


@pytest.mark.parametrize("name", sorted({*questions()} - {"eval"}))
def test_a_question_is_a_command_and_a_method_that_take_the_same(name: str) -> None:
    question = questions()[name]
    owner = ndcg_sql if name == "emit" else Warehouse
    # As type checkers see it, apart from what it is asked of.
    assert unwrap(getattr(owner, name)) is question
    method = signature(getattr(owner, name)).parameters.values()
    taken = [(one.name, one.kind, one.default) for one in method if one.name != "self"]
    _, *own = signature(question).parameters.values()
    assert taken == [(one.name, one.kind, one.default) for one in own]
    entry = command_of(name)[1]
    assert entry.question is question
    options = {one.name for one in entry.options} | {*entry.implied}
    assert {one.name for one in own} - {"data"} <= options


def calls(name: str) -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls of a function of wording, or of refusals, by its own name."""
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
        # Emitted scripts have a function of the name call, too.
        known = {
            alias.name
            for node in nodes
            if isinstance(node, ast.ImportFrom) and node.module in HOMES
            for alias in node.names
        }
        is_home = "ndcg_sql." + place.removesuffix(".py").replace("/", ".") in HOMES
        for node in nodes if is_home or name in known else ():
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == name:
                yield f"{place}:{node.lineno}", node


@pytest.mark.slow
def test_what_a_remedy_names_is_a_field_of_a_command() -> None:
    face = CommandLine()
    for place, node in [*calls("use"), *calls("named"), *calls("not_with")]:
        names = [keyword.arg for keyword in node.keywords]
        values = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
        names += [value for value in values if isinstance(value, str)]
        for name in filter(None, names):
            assert face.field(name), place
    for path in (PACKAGE / "questions").glob("*.py"):
        for line, text in strings(ast.parse(path.read_text(encoding="utf-8"))):
            for name in re.findall(r"{(\w+)[=}]", text):
                assert face.field(name), f"{path.name}:{line}"
    for place, node in calls("call"):
        method = getattr(node.args[0], "value", None)
        if not isinstance(method, str):
            continue
        _, entry = command_of(method)
        fields = {field.name for field in (*entry.parameters, *entry.options)}
        names = {keyword.arg for keyword in node.keywords} - {None}
        assert names <= fields, place


def test_an_option_has_one_name_in_all_commands() -> None:
    words: dict[str, set[str]] = {}
    options = [one for entry in COMMANDS.values() for one in entry.options]
    for field in [*fields_of(begin), *options]:
        # A flag may switch on here what it switches off there.
        if not field.option.is_argument and not field.is_flag:
            words.setdefault(field.name, set()).add(word_of(field))
    assert [name for name, known in words.items() if len(known) > 1] == []


@pytest.mark.parametrize(
    ("questions", "fields", "told"),
    [
        ([], {"measures": "AP"}, "-m AP"),
        ([add_measures], {"measures": ["AP", "P@5"]}, "AP P@5"),
        ([], {"runs": ["a b", "c"]}, "--run 'a b' --run c"),
        ([plot], {"runs": ["a b", "c"]}, "'a b' c"),
        ([gate], {"minimum": {"AP": 0.5}}, "--min AP=0.5"),
        ([], {"evaluate": False, "per_query": True}, "--no-evaluate --per-query"),
        ([], {"memory": "2GB", "wait": 5}, "--memory-limit 2GB --timeout 5"),
    ],
)
def test_a_field_is_spelled_as_the_command_that_runs_has_it(
    questions: list[Callable[..., object]], fields: dict[str, object], told: str
) -> None:
    options = [field for question in questions for field in fields_of(question)]
    assert CommandLine(options).use(fields) == told


def test_what_is_an_argument_is_named_by_what_stands_for_it() -> None:
    assert CommandLine(fields_of(compare)).field("baseline") == "BASELINE"
    assert CommandLine(fields_of(compare)).field("candidates") == "CANDIDATE"
    assert CommandLine(fields_of(gate)).field("baseline") == "--baseline"


@pytest.mark.parametrize(
    ("made", "command"),
    [
        (call("add_measures", "AP"), "ndcg-sql measures add AP"),
        (call("rename", "run", "a", "b c"), "ndcg-sql rename run a 'b c'"),
        (call("load_benchmark", "beir", "x"), "ndcg-sql load beir x"),
        (call("tag", "a", tags={"k": "v"}), "ndcg-sql tag run a k=v"),
        (call("plot", "values"), "ndcg-sql plot values -o figure.svg"),
        (
            call("load_judgments", "-q", evaluate=False),
            "ndcg-sql load judgments --no-evaluate -- -q",
        ),
    ],
)
def test_a_call_is_a_command_with_its_own_options(made: Text, command: str) -> None:
    assert made.spelled(CommandLine()) == command


@pytest.mark.parametrize(
    ("made", "command"),
    [
        (call("remove_measures", "AP"), "ndcg-sql -w 'my w' measures remove AP"),
        (call("load_run", "-q"), "ndcg-sql -w 'my w' load run -- -q"),
        (Text(BEGIN), "ndcg-sql -w 'my w' load judgments FILE"),
        (call("schema"), "ndcg-sql schema"),
        (call("eval", "a", "b"), "ndcg-sql eval a b"),
    ],
)
def test_a_command_names_the_warehouse_that_its_user_named(
    made: Text, command: str
) -> None:
    assert made.spelled(CommandLine(warehouse=Path("my w"))) == command


def test_only_the_option_names_a_warehouse(
    ndcg: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    remedy = "load judgments FILE creates one\n"
    named = ndcg("report", "-w", "w.duckdb").err
    assert named == f"w.duckdb: no such warehouse; ndcg-sql -w w.duckdb {remedy}"
    monkeypatch.setenv("NDCG_SQL_WAREHOUSE", "w.duckdb")
    assert ndcg("report").err == f"w.duckdb: no such warehouse; ndcg-sql {remedy}"
