"""What the text of options means: the values that questions take."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ndcg_sql.cli.spelling import option_of, word_of
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.fields import Field, checked
from ndcg_sql.system.paths import STDIN
from ndcg_sql.text import number


def values_of(options: Iterable[Field], texts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of options; refuse what is malformed.

    What is no number stays text, which is refused in the words that Python has.
    """
    values = {one.name: _value(one, texts[one.name]) for one in options}
    return checked(options, values)


def _value(field: Field, text: Any) -> Any:
    if field.is_flag:
        # What is true can only be switched off.
        return not text if field.default is True else text
    if text in (None, [], ()):
        return None
    if field.kind is Mapping:
        return _mapping(field, text)
    if field.kind is tuple:
        return [_path(one) for one in text] if field.item is Path else text
    if field.kind is Path:
        return _path(text) if field.option.is_input else Path(text)
    if field.kind is int:
        return int(text) if re.fullmatch("[+-]?[0-9]{1,18}", text) else text
    return _number(text) if field.kind is float else text


def _path(text: str) -> Path:
    return STDIN if text == "-" else Path(text)


def _number(text: str) -> float | str:
    value = number(text)
    # Adding 0 turns a negative zero into a plain one.
    return text if value is None else value + 0


def _mapping(field: Field, items: list[str]) -> dict[str, Any]:
    """Return the key=value pairs of a repeated option, or of an argument.

    Numbers follow the last =; a label may be empty.
    """
    example, is_label = field.option.example, field.name == "labels"
    begin, expected = f"{option_of(field)} ", ""
    if field.option.is_argument:
        begin, expected = "", f"not {word_of(field)}; "
    split = str.partition if is_label or field.item is str else str.rpartition
    may_be_empty = field.option.may_be_empty or (field.item is not str and not is_label)
    pairs: dict[str, Any] = {}
    for item in items:
        key, equals, text = split(item, "=")
        if not (equals and (text or may_be_empty) and (key or is_label)):
            what = f"{expected}write it like {begin}{example}"
            raise NdcgSqlError(what, where=f"{begin}{item}")
        if key in pairs:
            raise NdcgSqlError("given twice", where=f"{begin}{key}")
        pairs[key] = _number(text) if field.item is float else text
    return pairs
