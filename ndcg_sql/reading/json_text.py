"""JSON texts, read item by item, each with the line where it begins.

Numbers keep their text, so that the checks see the same as in a text file.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from ndcg_sql.reading.scanning import Fault
from ndcg_sql.text import quoted


class Number(str):
    """A number as it is written in the file."""

    __slots__ = ()


class NotJsonError(ValueError):
    """A fault of a document, and its line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.fault = Fault(line, reason)


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


class Document:
    """A JSON text that is read item by item, each with the line where it begins."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1
        self._counted = 0

    def line(self) -> int:
        """Return the line of the next character that is not blank."""
        self._skip()
        self._line += self._text.count("\n", self._counted, self._at)
        self._counted = self._at
        return self._line

    def next_character(self) -> str:
        """Return the next character that is not blank, or "" at the end."""
        self._skip()
        return self._text[self._at : self._at + 1]

    def items(self) -> Iterator[tuple[int, Any]]:
        """Read an array, item by item."""
        for _ in self._parts("[", "]"):
            yield self.line(), self.value()

    def members(self) -> Iterator[tuple[int, str, Any]]:
        """Read an object, member by member; refuse a repeated key."""
        keys: set[str] = set()
        for _ in self._parts("{", "}"):
            line = self.line()
            key = self.value() if self.next_character() == '"' else None
            if key is None:
                raise NotJsonError(line, "not JSON: expected a key in quotes")
            if key in keys:
                reason = f"the key {quoted(key)} occurs twice in an object"
                raise NotJsonError(line, reason)
            keys.add(key)
            self._take(":")
            yield line, key, self.value()

    def value(self) -> Any:
        """Read the next value, whatever it is."""
        line = self.line()
        try:
            value, self._at = DECODER.raw_decode(self._text, self._at)
        except json.JSONDecodeError as error:
            raise NotJsonError(error.lineno, reason_of(error)) from None
        except ValueError as error:
            raise NotJsonError(line, reason_of(error)) from None
        return value

    def end(self) -> None:
        """Raise if anything is left."""
        if self.next_character():
            raise NotJsonError(self.line(), "not JSON: text after the end")

    def _parts(self, opening: str, closing: str) -> Iterator[None]:
        """Yield once for each part between two brackets."""
        self._take(opening)
        if self.next_character() != closing:
            yield
            while self.next_character() == ",":
                self._take(",")
                yield
        self._take(closing)

    def _take(self, character: str) -> None:
        if self.next_character() != character:
            raise NotJsonError(self.line(), f'not JSON: expected "{character}"')
        self._at += 1

    def _skip(self) -> None:
        blanks = _BLANKS.match(self._text, self._at)
        self._at = blanks.end() if blanks else self._at


def reason_of(error: ValueError) -> str:
    """Return what is wrong with a JSON text."""
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg} at character {error.colno}"
    return str(error)
