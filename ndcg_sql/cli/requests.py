"""Questions as commands: their parameters are options, which typer makes."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from ndcg_sql.cli.completers import completer
from ndcg_sql.cli.options import chosen_labels, decimal, input_file, key_values, whole
from ndcg_sql.cli.spelling import CommandLine, option_of, word_of
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import Field, fields_of
from ndcg_sql.text import not_number, number
from ndcg_sql.wording import Text

# What turns the text of an option into a value of the type of a field.
_PARSERS: dict[Any, Callable[[Any], Any]] = {int: whole, float: decimal, Path: Path}
# What the names of environment variables begin with.
_VARIABLES = "NDCG_SQL_"


def with_options(
    run: Callable[..., None],
    requests: Sequence[Callable[..., Any]],
    implied: Mapping[str, object],
    *others: inspect.Parameter,
) -> Callable[..., None]:
    """Return a function of a context whose signature has the fields of requests.

    Fields whose values are implied are left out; others are further parameters.
    """
    face = CommandLine(requests)
    context = inspect.Parameter(
        "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
    )
    parameters = [
        context,
        *(
            _parameter(field, face)
            for request in requests
            for field in fields_of(request)
            if field.name not in implied
        ),
        *others,
    ]
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
        "metavar": option.metavar or None,
        "help": Text(option.help).spelled(face),
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
    least = field.option.least
    if field.option.is_input:
        return input_file
    if field.value_kind is not int or least is None:
        return _PARSERS.get(field.value_kind)

    def read(setting: object) -> int:
        value = whole(setting)
        if value < least:
            raise typer.BadParameter(f"{setting}: must be {least} or more")
        return value

    return read


def made_of_options(question: Callable[..., Any], values: Mapping[str, Any]) -> Any:
    """Return a question with the values of options; refuse all that are malformed.

    A request becomes one with these values.
    """
    arguments: dict[str, Any] = {}
    faults: list[str] = []
    for field in fields_of(question):
        value = values[field.name]
        if field.value_kind is Mapping:
            value = _mapping(field, value, faults)
        elif field.value_kind is tuple:
            value = tuple(value or ())
        elif field.default is True:
            value = not value
        arguments[field.name] = value
    if faults:
        raise NdcgSqlError("\n".join(faults))
    return (
        question(**arguments)
        if isinstance(question, type)
        else partial(question, **arguments)
    )


def _mapping(
    field: Field, items: list[str] | None, faults: list[str]
) -> dict[str, Any]:
    """Return the pairs of a repeated option; limits follow the last =.

    What is wrong with others is added to faults.
    """
    option, example = option_of(field), field.option.example
    expected = f"write it like {option} {example}"
    if field.option.is_argument:
        option, expected = "", f"not {word_of(field)}; write it like {example}"
    if field.name == "labels":
        return dict(chosen_labels(items, expected, faults))
    if field.item_kind is str:
        is_lenient = field.option.may_be_empty
        return dict(
            key_values(option, items, expected, faults, may_be_empty=is_lenient)
        )
    texts = key_values(
        option, items, expected, faults, may_be_empty=True, split=str.rpartition
    )
    if field.item_kind is not float:
        return dict(texts)
    limits: dict[str, float] = {}
    for key, text in texts.items():
        limit = number(text)
        if limit is None:
            faults.append(f"{option} {key}={text}: {not_number(text)}")
        else:
            limits[key] = limit
    return limits
