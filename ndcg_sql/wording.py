"""What users are told, where it names what they can give: data, spelled late.

A remedy names fields of requests and methods of Warehouse, never an option of the
command line. Each face spells them so that a hint can be pasted where it is read.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from string import Formatter
from typing import Any, cast


@dataclass(frozen=True)
class Blank:
    """A value that a user is to fill in, such as SECONDS; no face puts it in quotes."""

    name: str


# What a message calls the file that it is about, in calls that load it.
FILE = Blank("FILE")


@dataclass(frozen=True)
class Field:
    """A field of a request, by its name alone."""

    name: str


@dataclass(frozen=True)
class Use:
    """Fields of a request with their values."""

    fields: Mapping[str, object]


@dataclass(frozen=True)
class Call:
    """A method of Warehouse with its arguments."""

    method: str
    arguments: tuple[object, ...] = ()
    fields: Mapping[str, object] = field(default_factory=dict[str, object])

    def of_file(self, file: object) -> "Call":
        """Return the call with a file in place of FILE."""
        arguments = tuple(file if one == FILE else one for one in self.arguments)
        fields = {k: file if v == FILE else v for k, v in self.fields.items()}
        return Call(self.method, arguments, fields)


Part = str | Field | Use | Call


class Text:
    """Text for users with fields in it, for a face to spell; it grows by +."""

    def __init__(self, *parts: "Part | Text") -> None:
        """Take parts, which are told one after another."""
        flat: list[Part] = []
        for part in parts:
            flat += part.parts if isinstance(part, Text) else (part,)
        self.parts = tuple(part for part in flat if part != "")

    def __add__(self, other: "str | Text") -> "Text":
        return Text(self, other)

    def __radd__(self, other: str) -> "Text":
        return Text(other, self)

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash(str(self))

    def __format__(self, form: str) -> str:
        raise TypeError("a Text is spelled by a face, not formatted")

    def __str__(self) -> str:
        return self.spelled(PYTHON)

    def with_parts(self, changed: "Callable[[Part], Part | Text]") -> "Text":
        """Return the text with each of its parts changed."""
        return Text(*map(changed, self.parts))

    def with_calls(self, changed: Callable[[Call], Call]) -> "Text":
        """Return the text with each of its calls changed."""
        return self.with_parts(lambda p: changed(p) if isinstance(p, Call) else p)

    def spelled(self, face: "Face") -> str:
        """Return the text as a face spells it."""
        return "".join(map(face.spelled, self.parts))


# What users are told: plain, or with fields in it.
Wording = str | Text


def named(name: str) -> Text:
    """Return the name of a field."""
    return Text(Field(name))


def use(**fields: object) -> Text:
    """Return fields with values; True is a flag, a mapping or a list is repeated."""
    return Text(Use(fields))


def call(method: str, *arguments: object, **fields: object) -> Text:
    """Return a call of a method of Warehouse, or the command that does the same."""
    return Text(Call(method, arguments, fields))


# What makes a warehouse, for most: what they ask for needs judgments.
BEGIN = call("load_judgments", FILE)


# A field, one with a value, or a method, perhaps with a flag.
_REFERENCE = re.compile(r"(\w+)(?:=(.*)|(\()(\w*)\))?")


def referring(text: str) -> Text:
    """Return text with references: {field}, {field=value} and {method(flag)}."""
    parts: list[Part | Text] = []
    for plain, reference, _, _ in Formatter().parse(text):
        parts.append(plain)
        if reference and (match := _REFERENCE.fullmatch(reference)):
            name, value, is_call, flag = match.groups()
            if is_call:
                parts.append(call(name, **({flag: True} if flag else {})))
            else:
                filled = Blank(value) if value and value.isupper() else value
                parts.append(named(name) if value is None else use(**{name: filled}))
    return Text(*parts)


def joined(parts: Iterable[Wording], between: str) -> Text:
    """Return texts as one, with something between them."""
    pieces = [piece for part in parts for piece in (between, part)]
    return Text(*pieces[1:])


def listed(names: Iterable[str], last: str) -> Text:
    """Return the names of fields, the last one after a word such as "and"."""
    *first, final = map(named, names)
    return Text(joined(first, ", "), f" {last} " if first else "", final)


# The key under which a packed part has its kind.
_KIND = "kind of part"


def packed(text: Text) -> str:
    """Return a text in one line, for another process to unpack."""

    def values(part: object) -> dict[str, object]:
        return {_KIND: type(part).__name__, **vars(part)}

    return json.dumps(text.parts, default=values)


def unpacked(line: str) -> Text:
    """Return the text that was packed."""
    kinds = {kind.__name__: kind for kind in (Blank, Field, Use, Call)}

    def part(values: dict[str, Any]) -> object:
        return kinds[values.pop(_KIND)](**values) if _KIND in values else values

    return Text(*json.loads(line, object_hook=part))


class Face:
    """A face of the program, which spells fields and calls; this is Python's."""

    # Arguments of Limits, which methods take as one.
    _LIMITS = ("memory", "temporary", "threads")

    def spelled(self, part: Part) -> str:
        """Return a part of a text."""
        match part:
            case Field(name):
                return self.field(name)
            case Use(fields):
                return self.use(fields)
            case Call():
                return self.call(part)
            case str():
                return part

    def field(self, name: str) -> str:
        """Return the name of a field."""
        return name

    def use(self, fields: Mapping[str, object]) -> str:
        """Return fields with their values; of Python, those of Limits inside it."""
        written = {name: f"{name}={self.value(fields[name])}" for name in fields}
        limits = [written.pop(name) for name in fields if name in self._LIMITS]
        inside = [f"limits=Limits({', '.join(limits)})"] if limits else []
        return ", ".join([*written.values(), *inside])

    def call(self, call: Call) -> str:
        """Return a call."""
        arguments = [*map(self.value, call.arguments)]
        arguments += [self.use(call.fields)] if call.fields else []
        return f"{call.method}({', '.join(arguments)})"

    def value(self, value: object) -> str:
        """Return a value as it is written in Python, text in double quotes."""
        if isinstance(value, Blank):
            return value.name
        if isinstance(value, Call):
            return self.call(value)
        if isinstance(value, str):
            plain = repr(value)
            return f'"{plain[1:-1]}"' if plain[0] == "'" and '"' not in value else plain
        if isinstance(value, Mapping):
            pairs = cast("Mapping[object, object]", value).items()
            entries = (f"{self.value(key)}: {self.value(item)}" for key, item in pairs)
            return f"{{{', '.join(entries)}}}"
        if isinstance(value, (list, tuple)):
            items = cast("Iterable[object]", value)
            return f"[{', '.join(map(self.value, items))}]"
        return repr(value)


PYTHON = Face()
