"""Functions as commands: their parameters are options, which typer makes."""

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ndcg_sql.cli.completers import completer
from ndcg_sql.cli.spelling import CommandLine, option_of, word_of
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import Field
from ndcg_sql.system.paths import STDIN
from ndcg_sql.text import not_number, number
from ndcg_sql.wording import Text

# What the names of environment variables begin with.
_VARIABLES = "NDCG_SQL_"


def with_options(
    run: Callable[..., None],
    options: Iterable[Field],
    face: CommandLine,
    *others: inspect.Parameter,
) -> Callable[..., None]:
    """Return a function of a context whose signature has options, and others."""
    context = inspect.Parameter(
        "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
    )
    made = (_parameter(field, face) for field in options)
    parameters = [context, *made, *others]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    signature = inspect.Signature(parameters)
    setattr(run, "__signature__", signature)  # noqa: B010 - unknown to its type
    return run


def _parameter(field: Field, face: CommandLine) -> inspect.Parameter:
    option, kind = field.option, field.value_kind
    is_repeated = kind in (tuple, Mapping)
    item: Any = Path if kind is tuple and field.item_kind is Path else str
    annotation: Any = list[item] if is_repeated else kind
    default = None if is_repeated else field.default
    about: dict[str, Any] = {
        "metavar": field.metavar or None,
        "help": Text(field.help).spelled(face),
        "parser": _parser(field),
        "show_default": option.default,
        "autocompletion": completer(option.names) if option.names else None,
    }
    if option.variable:
        about["envvar"] = _VARIABLES + option.variable
    if option.is_argument:
        info = typer.Argument(**about)
    else:
        short = [f"-{option.short}"] if option.short else []
        word = option_of(field)
        if field.default is True:
            # It can only be switched off.
            default = False
        if kind is bool and field.is_optional:
            # What a file of rules switches on can be switched off again.
            word = f"{word}/--no-{word.removeprefix('--')}"
        info = typer.Option(word, *short, **about, rich_help_panel=option.group or None)
    if default is None and not field.is_required:
        annotation = annotation | None
    return inspect.Parameter(
        field.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if field.is_required else default,
        annotation=Annotated[annotation, info],
    )


def _parser(field: Field) -> Callable[[Any], Any] | None:
    """Return what turns the text of an option, or its default, into its value."""
    if field.option.is_input:
        return lambda text: STDIN if text == "-" else Path(text)
    least = field.option.least

    def decimal(setting: object) -> float:
        text = str(setting)
        value = number(text)
        if value is None:
            raise typer.BadParameter(f"{text}: {not_number(text)}")
        return value

    def whole(setting: object) -> int:
        if not re.fullmatch("[+-]?[0-9]{1,18}", str(setting)):
            raise typer.BadParameter(f"{setting}: not an integer")
        value = int(str(setting))
        if least is not None and value < least:
            raise typer.BadParameter(f"{setting}: must be {least} or more")
        return value

    parsers: dict[Any, Callable[[Any], Any]] = {
        int: whole,
        float: decimal,
        Path: Path,
    }
    return parsers.get(field.value_kind)


def values_of(options: Iterable[Field], values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of options as typer gives them; refuse all malformed ones."""
    arguments: dict[str, Any] = {}
    faults: list[str] = []
    for field in options:
        value = values[field.name]
        if field.value_kind is Mapping:
            value = _mapping(field, value or [], faults)
        elif field.value_kind is tuple:
            value = tuple(value or ())
        elif field.default is True:
            value = not value
        arguments[field.name] = value
    if faults:
        raise NdcgSqlError("\n".join(faults))
    return arguments


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
        if not (equals and (text or may_be_empty) and (key or is_label)):
            faults.append(f"{where}{item}: {expected}")
        elif key in pairs:
            faults.append(f"{where}{key}: given twice")
        else:
            pairs[key] = text
    if field.item_kind is not float:
        return pairs
    fault_of = _fault_of_label if is_label else _fault_of_number
    wrong = {key: fault_of(key, text) for key, text in pairs.items()}
    faults += [f"{where}{k}={pairs[k]}: {fault}" for k, fault in wrong.items() if fault]
    # Adding 0 turns a negative zero into a plain one.
    return {k: (number(text) or 0) + 0 for k, text in pairs.items() if not wrong[k]}


def _fault_of_number(_: str, text: str) -> str:
    return not_number(text) if number(text) is None else ""


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
