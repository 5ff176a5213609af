"""What questions take: their options, and the values that they have."""

import math
import re
import types
import typing
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from inspect import Parameter, cleandoc, signature
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from types import FunctionType
from typing import Annotated, Any, Literal, NamedTuple, cast, get_args, get_origin

from ndcg_sql.errors import NdcgSqlError, check_choice
from ndcg_sql.options import HELP, Option, several
from ndcg_sql.text import as_id, not_number, quoted
from ndcg_sql.text import number as text_number
from ndcg_sql.wording import Blank, Text, Wording, named, referring, use

# The modules of questions, which are above: they are looked up by name.
_MODULES = ("changes", "comparisons", "judging", "loading", "outputs", "reports")
# What a message can show, and the types of several values.
_SHORT: Any = (Real, str, bytes, list, tuple, Mapping)
_SEVERAL = (Mapping, tuple, Iterable, Sequence)
# What none of several values is.
_NONE: Mapping[Any, Any] = {Mapping: {}, tuple: ()}
# The types of one value, but for text: what is accepted for one, and what it is called.
_KINDS: Mapping[Any, tuple[Any, str]] = {
    bool: (bool, "True or False"),
    int: (Integral, "an integer"),
    Path: ((str, PathLike), "a path"),
}


@dataclass(frozen=True)
class Field:
    """A parameter that is an option, with the type of its values and its default.

    kind is str, int, float, bool, Path, tuple, Mapping or another type; item is that of
    the items of a tuple, or of the values of a mapping.
    """

    name: str
    kind: Any
    item: Any
    words: tuple[str, ...]
    default: Any
    is_required: bool
    # Whether it may be omitted without a default, and whether every value is text.
    is_optional: bool
    is_text: bool
    help: Text
    metavar: str
    group: str
    option: Option

    @property
    def is_flag(self) -> bool:
        """Whether it is switched on, or off."""
        return self.kind is bool


class Documentation(NamedTuple):
    """What the docstring of a question has: prose, options and examples.

    An option is a line such as "limit N: Show only the first N runs." which may go on,
    indented, in the next one: its name, what stands for a value, and its help. A line
    such as "Output:" is the heading of the options below it. Examples are the last
    lines, and begin with the name of the program.
    """

    prose: str
    # The heading, what stands for a value, and the help, by the name of the option.
    options: Mapping[str, tuple[str, str, str]]
    examples: Sequence[str]


_OPTION = re.compile(r"(\w+)(?: (\S+))?: (.+)")
_EXAMPLE = "ndcg-sql "


def documented(text: str, names: Container[str]) -> Documentation:
    """Return what a docstring has; names are those of options."""
    *paragraphs, last = re.sub(r"\n {4}", " ", cleandoc(text)).split("\n\n")
    if not last.startswith(_EXAMPLE):
        paragraphs, last = [*paragraphs, last], ""
    prose: list[str] = []
    options: dict[str, tuple[str, str, str]] = {}
    heading = ""
    for line in "\n\n".join(paragraphs).splitlines():
        match = _OPTION.fullmatch(line)
        if match and match[1] in names:
            options[match[1]] = heading, match[2] or "", match[3]
        elif re.fullmatch("[A-Z][a-z, ]+:", line):
            heading = line[:-1]
        else:
            prose.append(line)
    return Documentation("\n".join(prose).strip(), options, last.splitlines())


_SHARED = documented(HELP, re.findall(r"(?m)^\w+", HELP)).options


@cache
def documentation(function: Callable[..., object]) -> Documentation:
    """Return what the docstring of a question has, and of the options it shares."""
    own = documented(function.__doc__ or "", signature(function).parameters)
    return own._replace(options={**_SHARED, **own.options})


@cache
def fields_of(function: Callable[..., object]) -> tuple[Field, ...]:
    """Return the options of a function: its parameters but the first, and data."""
    helps = documentation(function).options
    _, *parameters = signature(function).parameters.values()
    return tuple(
        _field(one, *helps.get(one.name, ("", "", "")))
        for one in parameters
        if not isinstance(one.annotation, str)
    )


def _field(parameter: Parameter, group: str, metavar: str, help_: str) -> Field:
    annotation, option = parameter.annotation, Option()
    if get_origin(annotation) is Annotated:
        annotation, option = get_args(annotation)
    is_union = get_origin(annotation) in (typing.Union, types.UnionType)
    every = get_args(annotation) if is_union else (annotation,)
    kinds = [kind for kind in every if kind is not types.NoneType]
    chosen = [kind for kind in kinds if get_origin(kind) is Literal]
    many = [kind for kind in kinds if get_origin(kind) in _SEVERAL]
    items = [kind for kind in get_args(many and many[0]) if kind is not ...]
    kind: Any = Path if Path in kinds else str if kinds[0] in chosen else kinds[0]
    if many:
        kind = Mapping if get_origin(many[0]) is Mapping else tuple
    name, default = parameter.name, parameter.default
    is_required = default is parameter.empty
    if option.is_argument is None:
        is_named = parameter.kind is parameter.KEYWORD_ONLY
        option = replace(option, is_argument=is_required and not is_named)
    if many and not option.word and not option.is_argument:
        option = replace(option, word=name.removesuffix("s"))
    return Field(
        name=name,
        kind=kind,
        item=items[-1] if items else None,
        words=get_args(chosen[0]) if chosen else (),
        default=_NONE.get(kind) if default is None else default,
        is_required=is_required,
        is_optional=len(kinds) < len(every),
        is_text=all(one is str or one in chosen for one in kinds),
        help=referring(help_),
        metavar=metavar,
        group=group,
        option=option,
    )


@cache
def questions() -> Mapping[str, Callable[..., object]]:
    """Return the questions, as messages name them: by methods of Warehouse."""
    modules = [import_module(f"ndcg_sql.questions.{name}") for name in _MODULES]
    return {
        method_of(function): function
        for module in modules
        for name, function in vars(module).items()
        if isinstance(function, FunctionType) and not name.startswith("_")
        if function.__module__ == module.__name__
        if [*signature(function).parameters][:1] == ["warehouse"]
    }


def options_of(method: str) -> set[str]:
    """Return the names of the options of a method."""
    question = questions().get(method)
    return {field.name for field in fields_of(question)} if question else set()


def method_of(question: Callable[..., object]) -> str:
    """Return the method of Warehouse that a question is."""
    name = str(getattr(question, "__name__"))  # noqa: B009 - not every callable
    return name.removesuffix("_")


def stated(method: str, values: Mapping[str, object]) -> dict[str, object]:
    """Return the options of a method that are not the default; paths as text."""
    settings: dict[str, object] = {}
    for field in fields_of(questions()[method]):
        value = values.get(field.name, field.default)
        if not field.is_required and value != field.default:
            settings[field.name] = str(value) if isinstance(value, Path) else value
    return settings


def checked(fields: Iterable[Field], arguments: Mapping[str, object]) -> dict[str, Any]:
    """Return the values of fields; raise NdcgSqlError for one of another type."""
    values: dict[str, Any] = {}
    for field in fields:
        value = arguments.get(field.name)
        if value is not None:
            values[field.name] = _value(field, value)
        elif field.is_required:
            raise NdcgSqlError("not given", where=named(field.name))
        else:
            values[field.name] = field.default
    return values


def _value(field: Field, value: object) -> object:
    kind, name = field.kind, field.name
    if kind is tuple:
        names = names_of(name, value)
        return tuple(map(Path, names)) if field.item is Path else names
    if kind is Mapping:
        return _mapping(field, value)
    if kind is float:
        return _within(field, number(name, value))
    if kind in _KINDS:
        types_, noun = _KINDS[kind]
        is_flag = value is True or value is False
        if not isinstance(value, types_) or is_flag is not field.is_flag:
            raise _refused(name, f"not {noun}", value)
        return _within(field, kind(value))
    if not field.is_text:
        return value
    # An integer is an id or a name, unless the words are given.
    text = as_id(value)
    if text is None or (field.words and not isinstance(value, str)):
        raise _refused(name, "not text", value)
    if field.words and not field.option.names:
        check_choice(name, text, field.words)
    return text


def _within(field: Field, value: Any) -> Any:
    """Return a number; raise NdcgSqlError if its field has only others."""
    option = field.option
    least, most = option.least, option.most
    if option.between and not option.between[0] < value < option.between[1]:
        what = "must be above {} and below {}".format(*option.between)
    elif least is not None and most is not None and not least <= value <= most:
        what = f"must be from {least} to {most}"
    elif least is not None and value < least:
        what = f"must be {least} or more"
    else:
        return value
    raise _refused(field.name, what, value)


def _refused(name: str, what: str, value: object) -> NdcgSqlError:
    """Return the refusal of a value; of a frame, its type is shown, not its rows."""
    if not isinstance(value, _SHORT):
        value = Blank(type(value).__name__)
    return NdcgSqlError(what, where=use(**{name: value}))


def names_of(name: str, value: object) -> tuple[str, ...]:
    """Return names, given as one string or several, or measures of ir_measures."""
    names = several(value)
    if not names:
        # A list that was filtered down to nothing does not mean all.
        raise NdcgSqlError("is empty", "omit it, or name one", where=named(name))
    return names


def _mapping(field: Field, value: object) -> dict[str, Any]:
    """Return a mapping whose keys are text; its values are text, too, or numbers."""
    if field.name == "labels":
        return grades(value)
    pairs = _pairs(field.name, value)
    if field.is_required and not pairs:
        raise NdcgSqlError("is empty", where=named(field.name))
    mapping: dict[str, Any] = {}
    for key, item in pairs.items():
        name, text = as_id(key), as_id(item)
        if field.name == "tags" and isinstance(item, Real) and text is None:
            is_flag = item is True or item is False
            text = str(item) if not is_flag and math.isfinite(item) else None
        if name is None or (field.item is str and text is None):
            wrong = key if name is None else item
            raise _refused(field.name, f"{wrong!r} is not text", dict(pairs))
        if field.item is str:
            mapping[name] = text
        elif field.item is float or item is None:
            mapping[name] = number(use(**{field.name: {name: item}}), item)
        else:
            mapping[name] = item
    return mapping


def _pairs(name: str, value: object) -> Mapping[object, object]:
    if not isinstance(value, Mapping):
        raise _refused(name, "not a mapping", value)
    return cast("Mapping[object, object]", value)


def grades(labels: object) -> dict[str, float]:
    """Return the grades of labels; raise NdcgSqlError for one that can be none."""
    values: dict[str, float] = {}
    for label, grade in _pairs("labels", labels).items():
        where = Text(f"label {quoted(label)}")
        if not isinstance(label, str):
            raise NdcgSqlError("not text", where=where)
        values[label] = number(where, grade)
        if text_number(label.strip()) is not None:
            raise NdcgSqlError("already a grade, not a label", where=where)
        if not label and values[label] >= 0:
            what = "an empty grade can only mean that nobody judged the document"
            remedy = "give it a negative grade: " + use(labels={"": -1})
            raise NdcgSqlError(what, remedy, where=where)
    return values


def number(name: Wording, value: object) -> float:
    """Return a finite number; name is that of a field, or says whose number it is."""
    where = name
    if isinstance(name, str):
        is_field = name.isidentifier()
        where = use(**{name: value}) if is_field else f"{name} {value!r}"
    if isinstance(value, str):
        raise NdcgSqlError(not_number(value), where=where)
    if not isinstance(value, Real) or value is True or value is False:
        raise NdcgSqlError("not a number", where=where)
    try:
        double = float(value)
    except OverflowError:
        double = math.inf
    if not math.isfinite(double):
        raise NdcgSqlError("not a finite number", where=where)
    return double
