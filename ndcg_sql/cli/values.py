"""What the text of options means: the values that questions take."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ndcg_sql.cli.spelling import option_of, word_of
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import Field, checked
from ndcg_sql.system.paths import STDIN
from ndcg_sql.text import not_number, number


def values_of(options: Iterable[Field], texts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of options; refuse all that are malformed.

    What is no number stays text, which is refused in the words that Python has.
    """
    faults: list[str] = []
    values = {one.name: _value(one, texts[one.name], faults) for one in options}
    if faults:
        raise NdcgSqlError("\n".join(faults))
    return checked(options, values)


def _value(field: Field, text: Any, faults: list[str]) -> Any:
    kind = field.value_kind
    if kind is bool:
        # What is true can only be switched off.
        return not text if field.default is True else text
    if text in (None, [], ()):
        return None
    if kind is Mapping:
        return _mapping(field, text, faults)
    if kind is tuple:
        return [_path(one) for one in text] if field.item_kind is Path else text
    if kind is Path:
        return _path(text) if field.option.is_input else Path(text)
    if kind is int:
        return int(text) if re.fullmatch("[+-]?[0-9]{1,18}", text) else text
    value = number(text) if kind is float else None
    return text if value is None else value


def _path(text: str) -> Path:
    return STDIN if text == "-" else Path(text)


def _mapping(field: Field, items: list[str], faults: list[str]) -> dict[str, Any]:
    """Return the key=value pairs of a repeated option, or of an argument.

    What is wrong with others is added to faults. Numbers follow the last =; a label may
    be empty.
    """
    option, example = option_of(field), field.option.example
    expected = f"write it like {option} {example}"
    if field.option.is_argument:
        option, expected = "", f"not {word_of(field)}; write it like {example}"
    is_label, is_text = field.name == "labels", field.item_kind is str
    may_be_empty = field.option.may_be_empty if is_text or is_label else True
    split = str.partition if is_text or is_label else str.rpartition
    where = f"{option} " if option else ""
    pairs: dict[str, Any] = {}
    for item in items:
        key, equals, text = split(item, "=")
        value = number(text) if field.item_kind is float else text
        if not (equals and (text or may_be_empty) and (key or is_label)):
            faults.append(f"{where}{item}: {expected}")
        elif key in pairs:
            faults.append(f"{where}{key}: given twice")
        elif is_label and (fault := _fault_of_label(key, text)):
            faults.append(f"{where}{item}: {fault}")
        elif value is None:
            faults.append(f"{where}{item}: {not_number(text)}")
        else:
            # Adding 0 turns a negative zero into a plain one.
            pairs[key] = value if isinstance(value, str) else value + 0
    return pairs


def _fault_of_label(label: str, text: str) -> str:
    grade = number(text)
    if grade is None:
        return f"the grade is {not_number(text)}"
    if number(label.strip()) is not None:
        return f"{label.strip()} is already a grade, not a label"
    if not label and grade >= 0:
        return (
            "an empty grade can only mean that nobody judged the document; give it a"
            " negative grade: --label =-1"
        )
    return ""
