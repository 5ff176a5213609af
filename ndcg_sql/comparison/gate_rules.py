"""Rules of a gate in a TOML file, which can be kept with the code that they guard."""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.names import parse
from ndcg_sql.requests import fields as requested
from ndcg_sql.requests.comparisons import GateRequest
from ndcg_sql.requests.fields import fields_of
from ndcg_sql.text import harmless, nearest, number, quoted
from ndcg_sql.wording import Field, Part, Text, Use, Wording, named, use

# The module of the standard library, or its predecessor.
toml: Any = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

# What a file cannot say: where results go.
_ELSEWHERE = ("config", "junit", "html", "force")
# The name of a table with one of several rules, and what differs between them.
_TABLE = "rule"
_OF_RULE = (
    *("measures", "by", "max_drop", "max_drop_in", "minimum", "strict"),
    "underpowered",
)
# The fields by the keys of a file.
_FIELDS = {
    (one.option.word or one.name).replace("_", "-"): one
    for one in fields_of(GateRequest)
    if one.name not in _ELSEWHERE
}
_KEYS = {field.name: key for key, field in _FIELDS.items()}
# A percentage that lacks the quotes of TOML's text.
_BARE = re.compile(r"(=\s*)([-+]?[0-9.]+%)")


@dataclass(frozen=True)
class Origin:
    """Where values of a request come from, if a file of rules has given them.

    shown names the file, and the rule if there are several; values are those that no
    option has taken the place of, by field.
    """

    shown: str = ""
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def blamed_for(self, error: NdcgSqlError) -> NdcgSqlError:
        """Return an error that names the file and its keys, if it is about them.

        It is about them if it says that a field is wrong which the file has given.
        """
        where, what, remedy = map(self._spelled, vars(error.refusal).values())
        if where == Text(error.refusal.where):
            return error
        return NdcgSqlError(what, remedy, where=f"{self.shown}: " + where)

    def _spelled(self, wording: Wording) -> Text:
        return Text(*map(self._part, Text(wording).parts))

    def _part(self, part: Part) -> Part:
        if isinstance(part, Field) and part.name in self.values:
            return _KEYS[part.name]
        if not isinstance(part, Use):
            return part
        lines = [
            _line(name, value)
            for name, value in part.fields.items()
            if self._has(name, value)
        ]
        return ", ".join(lines) if len(lines) == len(part.fields) else part

    def _has(self, name: str, value: object) -> bool:
        own = self.values.get(name)
        if isinstance(value, Mapping):
            pairs = cast("Mapping[str, object]", value)
            return isinstance(own, Mapping) and pairs.keys() <= own.keys()
        is_one = isinstance(own, (tuple, Mapping)) and value in own
        return is_one or own == value


def _line(name: str, value: object) -> str:
    key = _KEYS[name]
    if isinstance(value, Mapping):
        pairs = cast("Mapping[str, object]", value).items()
        [(entry, value)] = pairs
        key += f".{json.dumps(entry, ensure_ascii=False)}"
    return harmless(f"{key} = {json.dumps(value, ensure_ascii=False)}")


def with_config(request: GateRequest) -> list[tuple[GateRequest, Origin]]:
    """Return a request with the rules of its file, over which its own have precedence.

    There is one for each table rule of the file; what stands before them holds for
    all. Fields of several values are merged entry by entry. Each comes with what the
    file gave it. Raises NdcgSqlError for a file that cannot be read, or a rule that is
    wrong.
    """
    if request.config is None:
        return [(request, Origin())]
    rules = read_rules(request.config)
    shown = harmless(str(request.config))
    places = _places(shown, len(rules))
    return [_merged(request, *one) for one in zip(rules, places, strict=True)]


def _merged(
    request: GateRequest, rules: Mapping[str, Any], shown: str
) -> tuple[GateRequest, Origin]:
    """Return a request with rules over which its own have precedence."""
    changed: dict[str, Any] = {}
    of_file: dict[str, Any] = {}
    usual = GateRequest()
    for name, value in rules.items():
        current = getattr(request, name)
        if isinstance(value, dict):
            theirs = cast("dict[str, Any]", value)
            # Either side may call a measure as another tool does.
            ours = minimum(current) if name == "minimum" else dict(current)
            changed[name] = theirs | ours
            of_file[name] = {k: v for k, v in theirs.items() if k not in ours}
        elif current == getattr(usual, name):
            changed[name] = of_file[name] = value
    return replace(request, **changed), Origin(shown, of_file)


def minimum(limits: Mapping[str, float]) -> dict[str, float]:
    """Return limits by the canonical names of measures; each name is of one."""
    by_measure: dict[str, float] = {}
    for name, limit in limits.items():
        measures = parse(name)
        if len(measures) != 1:
            what = "not the name of one measure"
            raise NdcgSqlError(what, where=named("minimum") + f" {quoted(name)}")
        if measures[0].name in by_measure:
            where = named("minimum") + f" {harmless(name)}"
            raise NdcgSqlError("given twice", where=where)
        by_measure[measures[0].name] = limit
    return by_measure


def read_rules(path: Path) -> list[dict[str, Any]]:
    """Return the rules in a file by field, for each of its tables rule.

    Raises NdcgSqlError for one that is wrong.
    """
    shown = harmless(str(path))
    try:
        with path.open("rb") as file:
            content: dict[str, Any] = toml.load(file)
    except OSError as error:
        where = use(config=str(path))
        raise NdcgSqlError(str(error.strerror), where=where) from None
    except (ValueError, RecursionError) as error:
        # The file is not TOML, or not UTF-8.
        reason = harmless(str(error).splitlines()[0])
        raise NdcgSqlError(f"{shown}: not TOML: {reason}", _with_quotes(path)) from None
    tables: Any = content.pop(_TABLE, [{}])
    rule_tables = cast("list[Any]", tables) if isinstance(tables, list) else []
    if not rule_tables or not all(isinstance(one, dict) for one in rule_tables):
        raise NdcgSqlError(f"{shown}: write each rule as a table [[{_TABLE}]]")
    common = _rules(shown, content, _FIELDS)
    of_rule = {key: field for key, field in _FIELDS.items() if field.name in _OF_RULE}
    all_rules: list[dict[str, Any]] = []
    places = _places(shown, len(rule_tables))
    for table, place in zip(rule_tables, places, strict=True):
        rules = _rules(place, table, of_rule)
        for name, value in rules.items():
            if isinstance(value, dict):
                rules[name] = common.get(name, {}) | value
        all_rules.append(common | rules)
    return all_rules


def _places(shown: str, count: int) -> list[str]:
    numbers = range(1, count + 1)
    return [f"{shown}: rule {n}" if count > 1 else shown for n in numbers]


def _with_quotes(path: Path) -> str:
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        quoted_so, count = _BARE.subn(r'\1"\2"', line.strip())
        if count:
            return f"put percentages in quotes: {harmless(quoted_so)}"
    return ""


def _rules(
    shown: str, content: Mapping[str, Any], keys: Mapping[str, requested.Field]
) -> dict[str, Any]:
    rules: dict[str, Any] = {}
    for key, value in content.items():
        if key not in keys:
            hint = nearest(key, keys) or f"known: {', '.join(keys)}"
            raise NdcgSqlError(f"{shown}: no rule is called {quoted(key)}; {hint}")
        kind = _misfit(keys[key], value)
        if kind is not None:
            is_name = keys[key].value_kind is str and _is_whole(value)
            remedy = f'put it in quotes: {key} = "{value}"' if is_name else ""
            raise NdcgSqlError(f"{shown}: {key} is not {kind}", remedy)
        if value == []:
            raise NdcgSqlError(f"{shown}: {key} is empty", "omit it, or name one")
        is_list = keys[key].value_kind is tuple
        rules[keys[key].name] = tuple(value) if is_list else value
    if "minimum" in rules:
        try:
            rules["minimum"] = minimum(rules["minimum"])
        except NdcgSqlError as error:
            raise Origin(shown, rules).blamed_for(error) from None
    return rules


def _misfit(field: requested.Field, value: Any) -> str | None:
    """Return what a value is not, if it is not of the kind that a field needs."""
    is_drop = field.name.startswith("max_drop")
    fits_one = _is_drop if is_drop else _is_number
    kind = field.value_kind
    if kind is Mapping:
        what = "a table of numbers" + " or percentages" * is_drop
        entries = cast("dict[str, Any]", value) if isinstance(value, dict) else {"": ""}
        fits = all(map(fits_one, entries.values()))
    elif is_drop:
        what, fits = 'a number or a percentage such as "5%"', _is_drop(value)
    elif kind is tuple:
        what = "a list of text"
        items = cast("list[Any]", value) if isinstance(value, list) else [None]
        fits = all(isinstance(item, str) for item in items)
    elif kind is int:
        what, fits = "an integer", _is_whole(value)
    elif kind is float:
        what, fits = "a number", _is_number(value)
    elif kind is bool:
        what, fits = "true or false", isinstance(value, bool)
    else:
        what, fits = "text", isinstance(value, str)
    return None if fits else what


def _is_whole(value: Any) -> bool:
    # TOML distinguishes true from 1, Python does not; TOML's integers have 64 bits.
    is_int = isinstance(value, int) and not isinstance(value, bool)
    return is_int and abs(value) < 1 << 63


def _is_number(value: Any) -> bool:
    return isinstance(value, float) or _is_whole(value)


def _is_drop(value: Any) -> bool:
    return _is_number(value) or (
        isinstance(value, str) and number(value.removesuffix("%")) is not None
    )
