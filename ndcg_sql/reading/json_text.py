"""JSON texts: values whose numbers keep their text, and lists, item by item.

So the checks see the same as in a text file.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ndcg_sql.text import quoted

_BLANKS = re.compile(r"[ \t\r\n]*")


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


def items(text: str, start: int) -> Iterator[Any]:
    """Read a list, whose bracket is before start, item by item, to the end."""
    place = _behind_blanks(text, start)
    is_over = text.startswith("]", place)
    while not is_over:
        value, place = DECODER.raw_decode(text, place)
        yield value
        place = _behind_blanks(text, place)
        is_over = text.startswith("]", place)
        if not is_over and not text.startswith(",", place):
            raise json.JSONDecodeError("Expecting ',' delimiter", text, place)
        place = place if is_over else _behind_blanks(text, place + 1)
    place = _behind_blanks(text, place + 1)
    if place < len(text):
        raise json.JSONDecodeError("Extra data", text, place)


def _behind_blanks(text: str, place: int) -> int:
    blanks = _BLANKS.match(text, place)
    return blanks.end() if blanks else place


def reason_of(error: Exception) -> str:
    """Return what is wrong with a JSON text."""
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg} at character {error.colno}"
    return str(error) if isinstance(error, ValueError) else "JSON nested too deeply"
