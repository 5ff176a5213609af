"""JSON texts as values; numbers keep their text, for the checks of the file."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ndcg_sql.text import quoted


class Number(str):
    """A number as it is written in the file."""

    __slots__ = ()


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; raise ValueError if a key occurs twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        twice = next(key for key, count in counts.items() if count > 1)
        raise ValueError(f"the key {quoted(twice)} occurs twice in an object")
    return members


DECODER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_float=Number,
    parse_int=Number,
    parse_constant=Number,
)
_BLANKS = re.compile(r"[ \t\r\n]*")
_BEGIN = re.compile(r"[ \t\r\n]*\[[ \t\r\n]*")
_NEXT = re.compile(r"[ \t\r\n]*,[ \t\r\n]*")
_END = re.compile(r"[ \t\r\n]*\][ \t\r\n]*")


def is_list_text(text: str) -> bool:
    """Return whether a text begins as a list does."""
    return bool(_BEGIN.match(text))


def items(text: str) -> Iterator[Any]:
    """Yield the items of a list one by one; raise ValueError for any other text."""
    step, at = _BEGIN.match(text), 0
    end = _END.match(text, step.end()) if step else None
    while step and (at or not end):
        value, at = DECODER.raw_decode(text, step.end())
        yield value
        step, end = _NEXT.match(text, at), _END.match(text, at)
    if not end:
        place = _BLANKS.match(text, at)
        at = place.end() if place else at
        raise json.JSONDecodeError("Expecting ',' delimiter", text, at)
    if end.end() < len(text):
        raise json.JSONDecodeError("Extra data", text, end.end())


def reason_of(error: ValueError) -> str:
    """Return what is wrong with a JSON text."""
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg} at character {error.colno}"
    return str(error)
