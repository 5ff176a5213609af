"""Sentences that are rows: each is used, with the values that it names."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import ndcg_sql
from ndcg_sql.cli.spelling import CommandLine
from ndcg_sql.database import sql_files
from ndcg_sql.loading.sentences import filled

PACKAGE = Path(ndcg_sql.__file__).parent
PIECE = re.compile(r"\{(=?)(\w+)(?:([:=])([^{}]*))?\}")
ROWS = {
    "refusal": {row["refusal"]: row for row in sql_files.rows("refusals")},
    "sentence": {row["warning"]: row for row in sql_files.rows("warnings")},
}
TEXTS = {
    **{name: "".join(row.values()) for name, row in ROWS["refusal"].items()},
    **{name: row["sentence"] for name, row in ROWS["sentence"].items()},
}


def refusals() -> Iterator[tuple[str, ast.Call]]:
    """Yield the calls that make a refusal of a row, with their places."""
    for path in sorted((PACKAGE / "loading").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "refusal":
                yield f"{path.name}:{node.lineno}", node


def test_each_refusal_is_a_row_with_the_values_that_it_takes() -> None:
    used: set[str] = set()
    for place, node in refusals():
        names = {
            constant.value
            for constant in ast.walk(node.args[0])
            if isinstance(constant, ast.Constant) and isinstance(constant.value, str)
        }
        used |= names
        given = {keyword.arg for keyword in node.keywords}
        for name in names:
            assert name in ROWS["refusal"], place
            taken = {
                value
                for is_name, value, sign, form in PIECE.findall(TEXTS[name])
                if not is_name and not (sign == "=" and form)
            }
            # Further values come together, in a mapping.
            assert given - {None} <= taken, place
            assert None in given or taken <= given, place
    assert used == {*ROWS["refusal"]}


@pytest.mark.parametrize("name", TEXTS)
def test_the_fields_of_a_sentence_are_those_of_commands(name: str) -> None:
    face = CommandLine()
    for is_name, field, sign, _ in PIECE.findall(TEXTS[name]):
        if is_name or sign == "=":
            assert face.field(field), field
    assert TEXTS[name].count("{") == len(PIECE.findall(TEXTS[name]))


def test_values_are_written_in_the_form_that_a_sentence_names() -> None:
    sentence = "{a} {a:text} {n:query} {n:are} {names:list}; {=dataset}, {name=}, {k=2}"
    values = {"a": "x", "n": 1, "names": ["p", "q"], "name": "NAME"}
    assert str(filled(sentence, values)) == (
        '"x" x 1 query is "p", "q"; dataset, name="NAME", k="2"'
    )
