"""The command line's spelling of fields and calls: options and commands."""

import shlex
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import cast

from ndcg_sql.requests.fields import Field
from ndcg_sql.text import harmless
from ndcg_sql.wording import Blank, Call, Face

# The options of fields that are not called like the field.
_OPTIONS = {
    "assessor_columns": "--assessor-column",
    "assessor_kind": "--kind",
    "assessors": "--assessor",
    "columns": "--column",
    "form": "--format",
    "judgment_sets": "--judgments",
    "labels": "--label",
    "measures": "-m",
    "memory": "--memory-limit",
    "minimum": "--min",
    "output": "-o",
    "position_rule": "--positions",
    "row_columns": "--columns",
    "runs": "--run",
    "tag_columns": "--tag-column",
    "tags": "--tag",
    "temporary": "--temp-directory",
    "url": "--from",
    "wait": "--timeout",
}
# The commands of methods that are not called like the method.
_COMMANDS = {
    "add_gains": "gains_add",
    "add_measures": "measures_add",
    "contents": "list",
    "measures": "measures_list",
    "remove_gains": "gains_remove",
    "remove_measures": "measures_remove",
    "unjudged": "holes",
}
# Commands of two words, of which the first is a group.
_GROUPS = ("gains", "load", "measures")
# What a command needs besides, where a method only returns a figure.
_BESIDES = {"plot": "-o figure.svg"}
_PHRASES = {
    "begin": "ndcg-sql load judgments FILE",
    "write": "the next command that writes, such as load,",
    "named": "named with --warehouse",
    "warehouse": "-w FILE",
    "read a copy": "in Python, Warehouse.read(path, copy=True)",
}


def option_of(field: Field) -> str:
    """Return the long option of a field."""
    return f"--{(field.option.word or field.name).replace('_', '-')}"


class _CommandLine:
    """The face of the command line."""

    def field(self, name: str) -> str:
        """Return the option of a field."""
        return _OPTIONS.get(name, f"--{name.replace('_', '-')}")

    def phrase(self, name: str) -> str:
        """Return what a phrase stands for."""
        return _PHRASES[name]

    def use(self, fields: Mapping[str, object]) -> str:
        """Return options with their values, quoted for the shell."""
        options: list[str] = []
        for name, value in fields.items():
            options += [
                f"{self.field(name)} {text}" if text else self.field(name)
                for text in _values(value)
            ]
        return " ".join(options)

    def call(self, call: Call) -> str:
        """Return a command."""
        name = _COMMANDS.get(call.method, call.method)
        group, _, rest = name.partition("_")
        words = [group, rest] if group in _GROUPS else [name]
        arguments = [*chain(*map(_values, call.arguments))]
        command = ["ndcg-sql", *words]
        options = [self.use(call.fields)] if call.fields else []
        options += [_BESIDES[call.method]] if call.method in _BESIDES else []
        if any(argument.startswith("-") for argument in arguments):
            # After two hyphens, nothing is an option.
            return " ".join([*command, *options, "--", *arguments])
        return " ".join([*command, *arguments, *options])


def _values(value: object) -> list[str]:
    """Return what follows an option, each time that it is given; "" for a flag."""
    if value is True:
        return [""]
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return [_quoted(f"{_plain(key)}={_plain(text)}") for key, text in pairs]
    if isinstance(value, (list, tuple)):
        return [_quoted(item) for item in cast("Iterable[object]", value)]
    return [_quoted(value)]


def _plain(value: object) -> str:
    """Return a value without quotes."""
    if isinstance(value, Blank):
        return value.name
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return harmless(str(value))


def _quoted(value: object) -> str:
    """Return a value that a shell reads as one word; a blank to fill in as it is."""
    return value.name if isinstance(value, Blank) else shlex.quote(_plain(value))


COMMAND_LINE: Face = _CommandLine()
