"""Sentences that are rows: sql/refusals.csv, and those of sql/warnings.csv.

In a sentence, {field} is a value in quotes, {field:form} one in another form, {field=}
a field of a request with this value, {field=value} one with the value that stands
there, and {=field} its name. A field of another method is named by a call of that.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any

from ndcg_sql.database import sql_files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import counted, listed, quoted
from ndcg_sql.wording import Blank, Call, Field, Part, Text, Use, named, use

_PIECE = re.compile(r"\{(=?)(\w+)(?:([:=])([^{}]*))?\}")
# The plurals of nouns that are not regular, and of words that agree with a number.
_PLURALS = {"query": "queries", "judged_query": "judged queries"}
# How a value is written in each form; in any other form, it counts what the form names.
_FORMS: Mapping[str, Callable[[Any], "Part | Text"]] = {
    "": quoted,
    "text": lambda value: value,
    "number": lambda value: f"{value:g}" if isinstance(value, float) else str(value),
    "list": lambda value: listed(value, 5),
    "names": listed,
    "known": lambda value: (
        "" if value is None else f"; the runs and judgments have {quoted(value)}"
    ),
    "are": lambda value: "is" if value == 1 else "are",
    "them": lambda value: "it" if value == 1 else "them",
    "other": lambda value: f"; likewise {counted(value, 'other')}" * bool(value),
    "other_run": lambda value: (
        f"; likewise {counted(value, 'other run')}" * bool(value)
    ),
}


@cache
def rows_by_name(table: str, key: str) -> Mapping[str, Mapping[str, str]]:
    """Return the rows of a table of sentences by their names."""
    return {row[key]: row for row in sql_files.rows(table)}


def filled(sentence: str, values: Mapping[str, Any]) -> Text:
    """Return a sentence with values in the place of its fields."""
    parts: list[Part | Text] = []
    end = 0
    for piece in _PIECE.finditer(sentence):
        is_name, name, sign, form = piece.groups()
        parts.append(sentence[end : piece.start()])
        end = piece.end()
        if is_name:
            parts.append(named(name))
        elif sign == "=":
            written: object = form == "True" or form
            parts.append(use(**{name: written if form else values[name]}))
        elif form == "twin":
            # Ids that are the same but for the form of their characters.
            ids = values["own"], values[name]
            forms = {unicodedata.normalize("NFKC", text) for text in ids}
            is_twin = ids[0] != ids[1] and len(forms) == 1
            twin = ", which look alike, but are other characters" * is_twin
            parts.append(quoted(values[name]) + twin)
        elif form is None or form in _FORMS:
            parts.append(_FORMS[form or ""](values[name]))
        else:
            noun = form.replace("_", " ")
            parts.append(counted(values[name], noun, _PLURALS.get(form)))
    return Text(*parts, sentence[end:])


def refusal(name: str, /, **values: Any) -> NdcgSqlError:
    """Return a refusal by its name: where something is wrong, what, and what to do."""
    row = rows_by_name("refusals", "refusal")[name]
    what, remedy, where = (
        filled(row[part], values) for part in ("what", "remedy", "where")
    )
    return NdcgSqlError(what, remedy, where=where, needs=row["needs"].split())


@contextmanager
def naming_loader(
    fields: Collection[str], method: str, argument: object, **values: object
) -> Generator[None]:
    """Name the method that loads a file where a refusal names none of these fields."""

    def possible(part: Part) -> Part:
        named: Mapping[str, object] = part.fields if isinstance(part, Use) else {}
        if isinstance(part, Field):
            named = {part.name: Blank(part.name.upper())}
        if named.keys() <= {*fields}:
            return part
        return Call(method, (argument,), {**values, **named})

    try:
        yield
    except NdcgSqlError as error:
        error.change(lambda text: text.with_parts(possible))
        raise
