"""The command line's spelling of fields and calls: options and commands."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

from ndcg_sql.fields import Field, fields_of
from ndcg_sql.text import harmless
from ndcg_sql.wording import Blank, Call, Face


def option_of(one: Field) -> str:
    """Return the long option of a field; what is true can only be switched off."""
    word = (one.option.word or one.name).replace("_", "-")
    return f"--no-{word}" if one.default is True else f"--{word}"


def word_of(one: Field) -> str:
    """Return what messages call a field: an argument, or an option.

    The letter of an option is shown if a value follows, and says what it is.
    """
    option = one.option
    if option.is_argument:
        return one.metavar.strip("[]").removesuffix("...")
    is_short = option.short and not one.is_flag
    return f"-{option.short}" if is_short else option_of(one)


@dataclass
class CommandLine(Face):
    """The face of the command line.

    options are those of the command that runs. warehouse is the file that its -w names,
    which whatever is pasted must name, too.
    """

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
    """Return the global fields and those of all commands.

    One that is an argument here and an option there is the option: it says what it is.
    """
    from ndcg_sql.cli.catalogue import COMMANDS
    from ndcg_sql.cli.session import begin

    fields = [*fields_of(begin)]
    for entry in COMMANDS.values():
        fields += (*entry.parameters, *entry.options)
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
