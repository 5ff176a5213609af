"""The command line's spelling of fields and calls: options and commands."""

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from functools import cache
from itertools import chain
from pathlib import Path
from typing import cast

from ndcg_sql.requests.fields import Field, fields_of
from ndcg_sql.text import harmless
from ndcg_sql.wording import Blank, Call, Face

_PHRASES = {
    "begin": "ndcg-sql load judgments FILE",
    "begin with a run": "ndcg-sql load run FILE",
    "write": "the next command that writes, such as load,",
    "named": "named with --warehouse",
    "warehouse": "-w FILE",
    "read a copy": "in Python, Warehouse.read(path, copy=True)",
}


def option_of(field: Field) -> str:
    """Return the long option of a field; what is true can only be switched off."""
    word = (field.option.word or field.name).replace("_", "-")
    return f"--no-{word}" if field.default is True else f"--{word}"


def word_of(field: Field) -> str:
    """Return what messages call a field: an argument, or an option.

    The letter of an option is shown if a value follows, and says what it is.
    """
    option = field.option
    if option.is_argument:
        return field.metavar.strip("[]").removesuffix("...")
    if option.short and field.value_kind is not bool:
        return f"-{option.short}"
    return option_of(field)


@dataclass
class CommandLine(Face):
    """The face of the command line.

    options are those of the command that runs, values are theirs. warehouse is the file
    that its -w names, which whatever is pasted must name, too. variables are those of
    the environment that set fields, by the names of the fields.
    """

    options: Sequence[Field] = ()
    warehouse: Path | None = None
    values: Mapping[str, object] = dataclass_field(default_factory=dict[str, object])
    variables: Mapping[str, str] = dataclass_field(default_factory=dict[str, str])

    def field(self, name: str) -> str:
        """Return the option of a field."""
        return word_of(self._field(name))

    def phrase(self, name: str) -> str:
        """Return what a phrase stands for."""
        phrase = _PHRASES[name]
        if not name.startswith("begin"):
            return phrase
        dataset = self.values.get("dataset")
        if dataset is not None and dataset != self._field("dataset").default:
            phrase += f" --dataset {_quoted(dataset)}"
        return self.of_warehouse(phrase)

    def use(self, fields: Mapping[str, object]) -> str:
        """Return options with their values, quoted for the shell."""
        words: list[str] = []
        for name, value in fields.items():
            field = self._field(name)
            option = "" if field.option.is_argument else word_of(field) + " "
            if name in self.variables:
                option = self.variables[name] + "="
            values = [""] if field.value_kind is bool else _values(value)
            words += [f"{option}{text}".strip() for text in values]
        return " ".join(words)

    def call(self, call: Call) -> str:
        """Return a command."""
        # A command knows others only to name them.
        from ndcg_sql.cli.catalogue import command_of

        command, entry = command_of(call.method)
        face = CommandLine(entry.options)
        rows = [one for one in call.arguments if isinstance(one, Call)]
        others = [one for one in call.arguments if not isinstance(one, Call)]
        arguments = [*chain(*map(_values, others))]
        # Rows of a database are named by options.
        options = [face.use({"url": one.arguments[0], **one.fields}) for one in rows]
        options += [face.use(call.fields)] if call.fields else []
        # A method may return what a command must write to a file.
        is_same = entry.options == self.options
        for one in entry.beside:
            value = self.values.get(one.name) if is_same else None
            if value is None and one.is_required:
                value = one.option.example
            if value not in (None, one.default):
                options.append(face.use({one.name: value}))
        words = [command, *arguments, *options]
        if any(one.startswith("-") and one != "-" for one in arguments):
            # After two hyphens, nothing is an option.
            words = [command, *options, "--", *arguments]
        text = " ".join(["ndcg-sql", *words])
        return self.of_warehouse(text) if entry.has_warehouse else text

    def of_warehouse(self, command: str) -> str:
        """Return a command of ndcg-sql with the warehouse that the user named."""
        if self.warehouse is None:
            return command
        named = f"ndcg-sql -w {_quoted(self.warehouse)}"
        return named + command.removeprefix("ndcg-sql")

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
    by_kind = sorted(fields, key=lambda field: not field.option.is_argument)
    return {field.name: field for field in by_kind}


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
