"""What questions take: their options, and the values that they have."""

import math
import re
import types
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from inspect import cleandoc, signature
from numbers import Integral, Real
from os import PathLike
from pathlib import Path
from types import FunctionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Union,
    cast,
    get_args,
    get_origin,
)

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.shared import HELP, Option, check_choice
from ndcg_sql.text import as_id, not_number, quoted
from ndcg_sql.wording import Text, named, referring, use

# The modules of questions, which are above: they are looked up by name.
_MODULES = ("changes", "comparisons", "judging", "loading", "outputs", "reports")
# The types of several values, and what none of them is.
_SEVERAL = (Mapping, tuple, Iterable, Sequence)
_NONE: Mapping[Any, Any] = {Mapping: {}, tuple: ()}


@dataclass(frozen=True)
class Field:
    """A parameter that is an option, with the type of its values and its default."""

    name: str
    kind: Any
    default: Any
    help: Text
    metavar: str
    group: str
    option: Option
    is_required: bool

    @property
    def is_optional(self) -> bool:
        """Whether the field may be omitted without a default."""
        return types.NoneType in get_args(self.kind)

    @property
    def value_kind(self) -> Any:
        """The type of a value that is not omitted: str, int, tuple, Mapping ..."""
        if self._of_many is not None:
            return Mapping if get_origin(self._of_many) is Mapping else tuple
        kind = Path if Path in self._kinds else self._kinds[0]
        return str if get_origin(kind) is Literal else kind

    @property
    def is_several(self) -> bool:
        """Whether several values may be given, by name or not."""
        return self.value_kind in _NONE

    @property
    def is_text(self) -> bool:
        """Whether every value is text."""
        return all(k is str or get_origin(k) is Literal for k in self._kinds)

    @property
    def words(self) -> tuple[str, ...]:
        """The values that are named in the field's type, if any are."""
        kinds = [kind for kind in self._kinds if get_origin(kind) is Literal]
        return get_args(kinds[0]) if kinds else ()

    @property
    def item_kind(self) -> Any:
        """The type of the items of a mapping or a list."""
        kinds = [kind for kind in get_args(self._of_many) if kind is not Ellipsis]
        return kinds[-1]

    @property
    def _of_many(self) -> Any:
        """The type of several values, if it may have them: a mapping, or names."""
        return next((k for k in self._kinds if get_origin(k) in _SEVERAL), None)

    @property
    def _kinds(self) -> list[Any]:
        if get_origin(self.kind) not in (Union, types.UnionType):
            return [self.kind]
        return [kind for kind in get_args(self.kind) if kind is not types.NoneType]


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
    """Return the options of a function, in order.

    They are its parameters but for the first, what it is asked of, and those whose type
    is imported for type checkers alone, such as data. A type may be Annotated with an
    Option.
    """
    options: list[Field] = []
    _, *parameters = signature(function).parameters.values()
    for parameter in parameters:
        name, kind, default = parameter.name, parameter.annotation, parameter.default
        if isinstance(kind, str):
            continue
        kind, *more = get_args(kind) if get_origin(kind) is Annotated else (kind,)
        option: Option = more[0] if more else Option()
        about = documentation(function).options.get(name, ("", "", ""))
        group, metavar, help_ = about
        is_required = default is parameter.empty
        if option.is_argument is None:
            is_named = parameter.kind is parameter.KEYWORD_ONLY
            option = replace(option, is_argument=is_required and not is_named)
        field = Field(
            *(name, kind, default, referring(help_), metavar, group, option),
            is_required=is_required,
        )
        if field.is_several:
            if not option.word and not option.is_argument:
                option = replace(option, word=name.removesuffix("s"))
            none = _NONE[field.value_kind] if default is None else default
            field = replace(field, option=option, default=none)
        options.append(field)
    return tuple(options)


@cache
def questions() -> Mapping[str, Callable[..., object]]:
    """Return the questions by the methods of Warehouse that they are.

    Messages from below name them, and what they take.
    """
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
    return {field.name for field in fields_of(questions()[method])}


def method_of(question: Callable[..., object]) -> str:
    """Return the method of Warehouse that a question is."""
    name = str(getattr(question, "__name__"))  # noqa: B009 - not every callable
    return name.removesuffix("_")


def stated(method: str, values: Mapping[str, object]) -> dict[str, object]:
    """Return the options of a method whose values are not the default; paths as text.

    What a method must be given is left out.
    """
    settings: dict[str, object] = {}
    for field in fields_of(questions()[method]):
        value = values.get(field.name, field.default)
        if not field.is_required and value != field.default:
            settings[field.name] = str(value) if isinstance(value, Path) else value
    return settings


def checked(fields: Iterable[Field], arguments: Mapping[str, object]) -> dict[str, Any]:
    """Return the values of fields, as Python or the command line has them.

    None is the default. Names may be one string or several, numbers of any type. Raises
    NdcgSqlError for a value of another type.
    """
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
    kind, name = field.value_kind, field.name
    if kind is tuple:
        names = names_of(name, value)
        return tuple(map(Path, names)) if field.item_kind is Path else names
    if kind is Mapping:
        return _mapping(field, value)
    if kind is int:
        return _whole(field, value)
    if kind is float:
        return number(name, value)
    if kind is bool and not isinstance(value, bool):
        raise NdcgSqlError("neither True nor False", where=use(**{name: value}))
    if kind is Path:
        if not isinstance(value, (str, PathLike)):
            raise NdcgSqlError("not a path", where=use(**{name: value}))
        return Path(cast("str", value))
    return _text(field, value) if field.is_text else value


def _text(field: Field, value: object) -> str:
    """Return text; an integer is an id or a name, unless the words are given."""
    text, name = as_id(value), field.name
    if text is None or (field.words and not isinstance(value, str)):
        if not _is_short(value):
            swapped = "what is loaded comes first, then its name"
            remedy = swapped if name == "name" else ""
            what = f"{type(value).__name__} is not text"
            raise NdcgSqlError(what, remedy, where=named(name))
        is_float = isinstance(value, float) and not field.words
        way = "write " + use(**{name: str(value)}) if is_float else ""
        raise NdcgSqlError("not text", way, where=use(**{name: value}))
    if field.words and not field.option.names:
        check_choice(name, text, field.words)
    return text


def _is_short(value: object) -> bool:
    # Of a frame, a message would show rows.
    return isinstance(value, (Real, str, bytes, list, tuple))


def names_of(name: str, value: object) -> tuple[str, ...]:
    """Return names, given as one string or several.

    Measures of ir_measures are accepted too: as strings, they are names here.
    """
    if isinstance(value, str) or not isinstance(value, Iterable):
        return (str(value),)
    names = tuple(str(item) for item in cast(Iterable[object], value))
    if not names:
        # A list that was filtered down to nothing does not mean all.
        raise NdcgSqlError("is empty", "omit it, or name one", where=named(name))
    return names


def _mapping(field: Field, value: object) -> dict[str, Any]:
    """Return a mapping whose keys are text; its values are text, too, or numbers.

    An integer where text is needed is an id or a name: its digits. So is any number in
    a tag.
    """
    pairs = _pairs(field.name, value)
    if field.is_required and not pairs:
        raise NdcgSqlError("is empty", where=named(field.name))
    if field.name == "labels":
        return grades(pairs)
    mapping: dict[str, Any] = {}
    for key, item in pairs.items():
        name, text = as_id(key), as_id(item)
        if field.name == "tags" and isinstance(item, Real) and text is None:
            is_flag = item is True or item is False
            text = str(item) if not is_flag and math.isfinite(item) else None
        wrong = key if name is None else item
        if name is None or (field.item_kind is str and text is None):
            raise NdcgSqlError(
                f"{wrong!r} is not text",
                f'write "{wrong}"' if isinstance(wrong, float) else "",
                where=use(**{field.name: dict(pairs)}),
            )
        where = f"{field.name} of {key}"
        if item is None:
            remedy = f"give a number, or omit {key}"
            raise NdcgSqlError("None, not a number", remedy, where=where)
        if field.item_kind is float:
            item = number(where, item)
        mapping[name] = text if field.item_kind is str else item
    return mapping


def _pairs(name: str, value: object) -> Mapping[object, object]:
    if not isinstance(value, Mapping):
        raise NdcgSqlError("not a mapping", where=use(**{name: value}))
    return cast("Mapping[object, object]", value)


def grades(labels: object) -> dict[str, float]:
    """Return the grades of labels; raise NdcgSqlError if one is no finite number."""
    values: dict[str, float] = {}
    for label, grade in _pairs("labels", labels).items():
        if not isinstance(label, str):
            raise NdcgSqlError(f"label {label!r}: not text")
        try:
            values[label] = float(grade) if isinstance(grade, Real) else math.nan
        except OverflowError:
            values[label] = math.inf
        if not math.isfinite(values[label]):
            what = "the grade is not a finite number"
            raise NdcgSqlError(f"label {quoted(label)}: {what}")
    return values


def _whole(field: Field, value: object) -> int:
    where = use(**{field.name: value})
    if not isinstance(value, Integral) or value is True or value is False:
        raise NdcgSqlError("not an integer", where=where)
    least = field.option.least
    if least is not None and value < least:
        raise NdcgSqlError(f"must be {least} or more", where=where)
    return int(value)


def number(name: str, value: object) -> float:
    """Return a finite number; name is that of a field, or says whose number it is."""
    where = use(**{name: value}) if name.isidentifier() else f"{name} {value!r}"
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
