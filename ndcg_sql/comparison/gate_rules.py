"""Rules of a gate, some of them in a TOML file, kept with the code that they guard."""

import json
import sys
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from ndcg_sql.comparison.significance import Testing
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.fields import Field as Option
from ndcg_sql.fields import checked
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.options import Scope
from ndcg_sql.text import harmless, nearest, quoted
from ndcg_sql.wording import Field, Part, Text, Use, named, use

# The module of the standard library, or its predecessor.
toml: Any = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

# The name of a table with one of several rules, and what differs between them.
_TABLE = "rule"
_OF_RULE = (
    *("measures", "by", "max_drop", "max_drop_in", "minimum", "strict"),
    "underpowered",
)
Values = dict[str, Any]


@dataclass(frozen=True)
class Limits:
    """The runs of a gate and its rules, as users write them."""

    baseline: str | None
    candidate: str | None
    scope: Scope
    over: str | None
    max_drop: str | float | None
    max_drop_in: Mapping[str, str | float]
    minimum: Mapping[str, float]
    strict: bool | None
    underpowered: str | None
    testing: Testing

    @classmethod
    def of(cls, values: Values) -> "Limits":
        """Return the limits that the fields of a gate have; raise NdcgSqlError."""
        own = {**values}
        own |= {"scope": Scope.of(values), "testing": Testing.of(values)}
        return cls(**{name: own[name] for name in cls.__annotations__})


@dataclass(frozen=True)
class Origin:
    """Where values of limits come from, if a file of rules has them.

    place names the file, and the rule if there are several; values are those that no
    option overrides, and keys what the file calls them, by field.
    """

    place: str = ""
    values: Values = field(default_factory=Values)
    keys: Mapping[str, str] = field(default_factory=dict[str, str])

    def blamed_for(self, error: NdcgSqlError) -> NdcgSqlError:
        """Return an error that names the file, if it is about a value of the file."""
        where = Text(error.where)
        return error if where.with_parts(self._spelled) == where else self.named(error)

    def named(self, error: NdcgSqlError) -> NdcgSqlError:
        """Return an error that names the file and its keys."""
        error.change(lambda text: text.with_parts(self._spelled))
        where = f"{self.place}: " + Text(error.where)
        return NdcgSqlError(error.what, error.remedy, where=where)

    def _spelled(self, part: Part) -> Part:
        """Return a part of a message with the keys of the file, if it has the value."""
        if isinstance(part, Field) and part.name in self.values:
            return self.keys[part.name]
        if not isinstance(part, Use):
            return part
        lines: list[str] = []
        for name, value in part.fields.items():
            key, own = self.keys.get(name, ""), self.values.get(name)
            if isinstance(own, dict):
                # One entry of several, or its name alone.
                entry: object = value
                if isinstance(value, Mapping):
                    [(entry, value)] = cast("Values", value).items()
                    key += f".{json.dumps(entry, ensure_ascii=False)}"
                if entry not in own:
                    return part
            elif name not in self.values:
                return part
            shown = json.dumps(value, ensure_ascii=False, default=str)
            lines.append(harmless(f"{key} = {shown}"))
        return ", ".join(lines)


def with_config(
    values: Values,
    config: Path | None,
    taken: Sequence[Option],
    loaded: Mapping[str, Measure],
) -> list[tuple[Values, Origin]]:
    """Return values with the rules of a file, over which they have precedence.

    There is one for each table rule of the file; what stands before them holds for
    all. Fields of several values are merged entry by entry. loaded are the measures of
    other programs by name. Each comes with what the file gave it. Raises NdcgSqlError
    for a file that cannot be read, or a rule that is wrong.
    """
    if config is None:
        return [(values, Origin())]
    own = {name: value for name, value in values.items() if value not in (None, (), {})}
    if "minimum" in own:
        own["minimum"] = minimum(own["minimum"], loaded)
    merged: list[tuple[Values, Origin]] = []
    for place, rules in read_rules(config, taken, loaded).items():
        left: Values = {}
        for name, value in rules.items():
            if isinstance(value, dict):
                entries = cast("Values", value).items()
                left[name] = {k: v for k, v in entries if k not in own.get(name, ())}
            elif name not in own:
                left[name] = value
        origin = Origin(place, left, keys_of(taken))
        merged.append(({**values, **_over(left, own)}, origin))
    return merged


def keys_of(taken: Sequence[Option]) -> dict[str, str]:
    """Return the keys that a file has for fields: the words of their options."""
    words = {one.name: one.option.word or one.name for one in taken}
    return {name: word.replace("_", "-") for name, word in words.items()}


def _over(rules: Values, own: Values) -> Values:
    """Return rules with others over them, those of several values entry by entry."""
    entries = {
        k: rules[k] | v for k, v in own.items() if isinstance(rules.get(k), dict)
    }
    return rules | own | entries


def minimum(
    limits: Mapping[str, float], loaded: Mapping[str, Measure]
) -> dict[str, float]:
    """Return limits by the canonical names of measures; each name is of one.

    loaded are the measures of other programs by name.
    """
    by_measure: dict[str, float] = {}
    for name, limit in limits.items():
        measures = parse(name, loaded)
        where = named("minimum") + f" {quoted(name)}"
        if len(measures) != 1:
            raise NdcgSqlError("not the name of one measure", where=where)
        if measures[0].name in by_measure:
            raise NdcgSqlError("given twice", where=where)
        by_measure[measures[0].name] = limit
    return by_measure


def read_rules(
    path: Path, taken: Sequence[Option], loaded: Mapping[str, Measure]
) -> dict[str, Values]:
    """Return the rules in a file by field, for each of its tables rule.

    Their keys are the places: the file, and the rule if there are several. Raises
    NdcgSqlError for a rule that is wrong.
    """
    shown, keys = harmless(str(path)), keys_of(taken)
    try:
        with path.open("rb") as file:
            content: Values = toml.load(file)
    except OSError as error:
        where = use(config=str(path))
        raise NdcgSqlError(str(error.strerror), where=where) from None
    except (ValueError, RecursionError) as error:
        # The file is not TOML, or not UTF-8.
        what = f"{shown}: not TOML: {harmless(str(error).splitlines()[0])}"
        hint = 'put text and percentages in quotes, such as max-drop = "5%"'
        raise NdcgSqlError(what, hint) from None
    value: Any = content.pop(_TABLE, [{}])
    tables = cast("list[Any]", value) if isinstance(value, list) else []
    if not tables or not all(isinstance(table, dict) for table in tables):
        raise NdcgSqlError(f"{shown}: write each rule as a table [[{_TABLE}]]")

    def of_table(place: str, table: Values, names: Container[str]) -> Values:
        """Return the values of a table by field, of the types that they need."""
        fields = {key: name for name, key in keys.items() if name in names}
        for key in table:
            if key not in fields:
                hint = nearest(key, fields) or f"known: {', '.join(fields)}"
                raise NdcgSqlError(f"{place}: unknown rule {quoted(key)}", hint)
        values = {fields[key]: value for key, value in table.items()}
        try:
            every = checked(taken, values)
            typed = {name: every[name] for name in values}
            if "minimum" in typed:
                typed["minimum"] = minimum(typed["minimum"], loaded)
        except NdcgSqlError as error:
            raise Origin(place, values, keys).named(error) from None
        return typed

    common = of_table(shown, content, keys)
    rules: dict[str, Values] = {}
    for number, table in enumerate(tables, 1):
        place = f"{shown}: rule {number}" if len(tables) > 1 else shown
        rules[place] = _over(common, of_table(place, table, _OF_RULE))
    return rules
