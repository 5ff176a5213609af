"""The command line's spelling of fields, calls and values: what it writes and reads."""

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, cast

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.fields import Field, checked, fields_of
from ndcg_sql.system.paths import STDIN
from ndcg_sql.text import harmless, number
from ndcg_sql.wording import Blank, Call, Face


def option_of(one: Field) -> str:
    """Return the long option of a field; what is true can only be switched off."""
    word = (one.option.word or one.name).replace("_", "-")
    return f"--no-{word}" if one.default is True else f"--{word}"


def word_of(one: Field) -> str:
    """Return what messages call a field: an argument, or an option or its letter."""
    option = one.option
    if option.is_argument:
        return one.metavar.strip("[]").removesuffix("...")
    is_short = option.short and not one.is_flag
    return f"-{option.short}" if is_short else option_of(one)


@dataclass
class CommandLine(Face):
    """The face of the command line: the command's options, and the file of its -w."""

    options: Sequence[Field] = ()
    warehouse: Path | None = None

    def field(self, name: str) -> str:
        """Return the option of a field."""
        return word_of(self._field(name))

    def use(self, fields: Mapping[str, object]) -> str:
        """Return options with their values, quoted for the shell."""
        words: list[str] = []
        for name, value in fields.items():
            one = self._field(name)
            option = "" if one.option.is_argument else word_of(one)
            values = [""] if one.is_flag else _values(value)
            words += [f"{option} {text}".strip() for text in values]
        return " ".join(words)

    def call(self, call: Call) -> str:
        """Return a command."""
        # A command knows others only to name them.
        from ndcg_sql.cli.catalogue import command_of

        command, entry = command_of(call.method)
        face, arguments, options = CommandLine(entry.options), list[str](), list[str]()
        for one in call.arguments:
            if isinstance(one, Call):
                # Rows of a database are named by options.
                options.append(face.use({"url": one.arguments[0], **one.fields}))
            else:
                arguments += _values(one)
        # A method may return what a command must write to a file.
        files = {
            one.name: one.option.example for one in entry.beside if one.is_required
        }
        options += [face.use({**call.fields, **files})] if call.fields or files else []
        words = [command, *arguments, *options]
        if any(one.startswith("-") and one != "-" for one in arguments):
            # After two hyphens, nothing is an option.
            words = [command, *options, "--", *arguments]
        if self.warehouse is not None and entry.has_warehouse:
            words = ["-w", _quoted(self.warehouse), *words]
        return " ".join(["ndcg-sql", *words])

    def _field(self, name: str) -> Field:
        own = next((one for one in self.options if one.name == name), None)
        return own or _elsewhere()[name]


@cache
def _elsewhere() -> Mapping[str, Field]:
    """Return the global fields and those of all commands; options before arguments."""
    from ndcg_sql.cli.catalogue import COMMANDS
    from ndcg_sql.cli.session import begin

    of_commands = [(*one.parameters, *one.options) for one in COMMANDS.values()]
    fields = [*fields_of(begin), *chain(*of_commands)]
    by_kind = sorted(fields, key=lambda one: not one.option.is_argument)
    return {one.name: one for one in by_kind}


def _values(value: object) -> list[str]:
    """Return what follows an option, each time that it is given."""
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return [_quoted(f"{_plain(key)}={_plain(text)}") for key, text in pairs]
    if isinstance(value, (list, tuple)):
        return [_quoted(item) for item in cast("Iterable[object]", value)]
    return [_quoted(value)]


def _plain(value: object) -> str:
    if isinstance(value, Blank):
        return value.name
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return harmless(str(value))


def _quoted(value: object) -> str:
    """Return a value that a shell reads as one word; a blank to fill in as it is."""
    if isinstance(value, Blank):
        return value.name
    text = _plain(value)
    # As people write it, unless a shell reads more in it.
    has_plain_quotes = "'" in text and not any(sign in text for sign in '"$`\\!')
    return f'"{text}"' if has_plain_quotes else shlex.quote(text)


def values_of(options: Iterable[Field], texts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of options; what is no number stays text, which is refused."""
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
    """Return key=value pairs; numbers follow the last =, and a label may be empty."""
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
