"""All that a file needs, asked at once: one message with one command to paste."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from ndcg_sql.errors import BadRowsError, NdcgSqlError, Offer
from ndcg_sql.loading.naming import field as in_pattern
from ndcg_sql.reading.sources import Source, Streams
from ndcg_sql.requests.clicks import LoadClicksRequest
from ndcg_sql.requests.fields import fields_of, method_of, stated
from ndcg_sql.requests.loading import (
    LoadAssessmentsRequest,
    LoadJudgmentsRequest,
    LoadRunRequest,
)
from ndcg_sql.system.paths import STDIN, argument
from ndcg_sql.text import quoted
from ndcg_sql.wording import Blank, Call, Text, Use, Wording, call, joined, use

if TYPE_CHECKING:
    from ndcg_sql.loading.files import Rows

# A file that needs more than this is another file than the user thinks.
_MOST = 8
# Where a smaller share of the lines is bad, the columns were guessed right.
_FEW = 0.5
# The requests of methods that take a file which another one refused.
_OTHERS: Mapping[str, type] = {
    method_of(request): request
    for request in (
        LoadAssessmentsRequest,
        LoadClicksRequest,
        LoadJudgmentsRequest,
        LoadRunRequest,
    )
}
# What a message calls the file that it is about, in calls that load it.
_FILE = Blank("FILE")
# What only the user knows, but what nothing else of a file depends on.
_LATE = {"labels", "assessor"}


@dataclass(frozen=True)
class Need:
    """What a file needs: facts, and the fields that say them.

    request is the type that says how the file is loaded, options have its fields. rows
    are what the file becomes with these, if nothing else is wrong; constants are the
    values of columns that have one in the whole file, and may tell it from the next;
    shown is what messages call the file, argument what a call does, if it can name it.
    method takes the fields, if it is another one than that of the request.
    """

    request: type
    argument: object | None
    shown: str
    options: object
    facts: Sequence[Wording]
    offered: Mapping[str, object]
    rows: "Rows | None" = None
    constants: Mapping[str, str] = field(default_factory=dict[str, str])
    method: str | None = None


T = TypeVar("T")
# Options: they have the fields of a request.
O = TypeVar("O")  # noqa: E741


@dataclass(frozen=True)
class Gathered(Generic[T]):
    """What gets past errors: facts, and the fields that say them.

    last is the error that nothing is known to get past, if any; method takes the
    fields, if it is another one. rows are what is prepared with them, if they are all.
    """

    facts: Sequence[Wording]
    offered: Mapping[str, object]
    last: NdcgSqlError | None
    method: str | None = None
    rows: T | None = None


class NeedError(NdcgSqlError):
    """A file that needs what only the user can confirm."""

    def __init__(self, what: Wording, remedy: Wording, need: Need) -> None:
        """Take the message, and what it was made of."""
        offer = Offer(joined(need.facts, "; "), need.offered, need.method)
        super().__init__(what, remedy, offer=offer)
        self.need = need


def all_at_once(
    request: type,
    options: O,
    argument: object | None,
    error: NdcgSqlError,
    prepared: Callable[[O], object],
    shown: str,
    is_alone: bool = True,
    constants: "Callable[[O, Rows], Mapping[str, str]] | None" = None,
) -> NdcgSqlError:
    """Return one error for all that keeps a file from being loaded.

    What gets past the first error is tried, and what gets past the next, by what
    prepared does with options, which have the fields of a request of this type; nothing
    is stored. constants returns the values of columns that have one in the whole file,
    of the rows that were prepared. shown is what messages call the file, argument what
    a call does, or None if it cannot name it; a file that is not alone is told only
    what to add. An error that nothing is known to get past stays as it is; the only one
    gets the whole command.
    """
    need = Need(request, argument, shown, options, [], {})
    whole = _at_once(need, error, prepared, is_alone, constants)
    whole.change(lambda text: naming_in(text, argument))
    return whole


def naming_in(text: Wording, argument: object | None) -> Text:
    """Return a text whose calls name the file that was refused in place of FILE."""
    return Text(text).with_calls(lambda one: naming(one, argument))


def naming(one: Call, argument: object | None) -> Call:
    """Return a call that names the file that was refused in place of FILE.

    argument is what a call does, or None if it cannot name it.
    """
    if argument is None:
        return one
    arguments = (argument if part == _FILE else part for part in one.arguments)
    fields = one.fields.items()
    fields = {name: argument if part == _FILE else part for name, part in fields}
    return replace(one, arguments=tuple(arguments), fields=fields)


def _at_once(
    need: Need,
    error: NdcgSqlError,
    prepared: Callable[[O], object],
    is_alone: bool,
    constants: "Callable[[O, Rows], Mapping[str, str]] | None",
) -> NdcgSqlError:
    """Return one error for all that a file needs; a call need not name the file."""
    options = cast("O", need.options)
    offer = error.offer
    if offer is None or is_open(offer.fields):
        return error
    if isinstance(error, BadRowsError) and is_blank(offer.fields):
        return error
    needs = gathered(
        error, lambda offered: prepared(with_offered(options, offered)), is_open
    )
    facts, offered, last = needs.facts, needs.offered, needs.last
    need = replace(need, facts=facts, offered=offered, method=needs.method)
    if last is None and constants is not None and needs.method is None:
        rows = cast("Rows", needs.rows)
        same = constants(with_offered(options, offered), rows)
        need = replace(need, rows=rows, constants=same)
        if is_alone:
            need = _kept_apart(need)
            facts, offered = need.facts, need.offered
    way = _command([need if is_alone else replace(need, argument=None)], offered)
    if len(facts) < 2 and last is None:
        return _alone(error, need, way)
    is_guess = "columns" in offered or (last is not None and last.offer is not None)
    is_right = isinstance(last, BadRowsError) and last.share < _FEW
    if len(facts) < 2 and is_guess and not is_right:
        # What is wrong may come from the guess.
        return error
    is_of_all = isinstance(offered.get("assessor"), Blank)
    if last is not None and last.offer is None and not is_of_all:
        # Lines that are wrong, or what nothing is known to get past. What is wrong with
        # all rows as those of one assessor may be right with several.
        need = replace(need, facts=[*facts, Text("then: ", last.message)])
    return NeedError(*message([need.shown], need.facts, offered, way), need)


def _kept_apart(need: Need) -> Need:
    """Return a need whose runs are named so that those of the next file differ.

    That is by a column that has one value in the whole file, which becomes a tag, too.
    """
    column, options = need.offered.get("run_column"), need.options
    is_named = any(getattr(options, name, None) for name in ("name", "prefix"))
    is_named = is_named or getattr(options, "name_from", "file") != "file"
    if is_named or not need.constants or not isinstance(column, str):
        return need
    if re.search("[{}]", column):
        return need
    edition = next(iter(need.constants))
    tags = (*cast("tuple[str, ...]", need.offered.get("tag_columns", ())), edition)
    offered = {name: v for name, v in need.offered.items() if name != "run_column"}
    offered |= {
        "name": f"{in_pattern(edition)}/{in_pattern(column)}",
        "tag_columns": (*getattr(options, "tag_columns", ()), *tags),
    }
    fact = f"{quoted(edition)} has one value, which tells this file from the next"
    return replace(need, facts=[*need.facts, fact], offered=offered)


def gathered(
    error: NdcgSqlError,
    prepared: Callable[[Mapping[str, object]], T],
    is_open: Callable[[Mapping[str, object]], bool],
) -> Gathered[T]:
    """Return what gets past an error, past the next one, and so on.

    prepared tries what is offered so far, unless it is open: only the user can say it.
    """
    facts: list[Wording] = []
    offered: dict[str, object] = {}
    last = error
    while last.offer is not None and len(facts) < _MOST:
        more = merged(offered, last.offer)
        if more == offered and last.offer.method is None:
            break
        facts.append(last.offer.fact)
        offered = more
        if method := last.offer.method:
            return Gathered(facts, _allowed(offered, method), None, method)
        if is_open(offered):
            break
        try:
            rows = prepared(offered)
        except NdcgSqlError as next_error:
            last = next_error
        else:
            return Gathered(facts, offered, None, rows=rows)
    return Gathered(facts, offered, last)


def together(faults: Sequence[NdcgSqlError]) -> NdcgSqlError | None:
    """Return one error with one command for files that all need the same, or None.

    Where the files have runs of the same names, the command names them by what tells
    the files apart.
    """
    needs = [fault.need for fault in faults if isinstance(fault, NeedError)]
    if len(needs) < max(2, len(faults)) or any(one.rows is None for one in needs):
        return None
    facts, offered = list(needs[0].facts), dict(needs[0].offered)
    if any(one.offered != offered for one in needs):
        return None
    runs = [run for one in needs if one.rows for run in one.rows.runs]
    column = offered.get("run_column")
    if len(set(runs)) < len(runs) and isinstance(column, str):
        part, fact = _apart(needs)
        facts.append(fact)
        del offered["run_column"]
        offered["name"] = f"{part}/{in_pattern(column)}"
    way = _command(needs, offered)
    shown = [one.shown for one in needs]
    offer = Offer(joined(facts, "; "), offered)
    return NdcgSqlError(*message(shown, facts, offered, way), offer=offer)


def _apart(needs: Sequence[Need]) -> tuple[str, Wording]:
    """Return the field of a pattern that tells files apart, and the fact that it does.

    That is a column with one value in each file, another in each, or else the file.
    """
    for column in needs[0].constants:
        values = [one.constants.get(column) for one in needs]
        if None not in values and len(set(values)) == len(values):
            return in_pattern(column), (
                f"{quoted(column)} has one value in each file, and tells them apart"
            )
    return "{file}", "the files have runs of the same names"


def _alone(error: NdcgSqlError, need: Need, whole: Text) -> NdcgSqlError:
    """Return an error with the whole command in place of the fields in its remedy."""
    if isinstance(error, BadRowsError):
        # What is wrong with its lines is known by its class.
        return error
    refusal, remedy = error.refusal, Text(error.refusal.remedy)
    fields = {k: v for k, v in need.offered.items() if v not in ({}, None)}
    part: Use | Call = Use(fields)
    if need.method is not None:
        part = Call(need.method, (_FILE,), fields)
    return NeedError(refusal.what, with_whole(remedy, part, whole), need)


def with_whole(remedy: Text, part: Use | Call, whole: Text) -> Text:
    """Return a remedy with the whole command in place of a part of it."""
    return Text(*(whole if part == one else one for one in remedy.parts))


def command(
    request: type,
    options: object,
    argument: object | None,
    offered: Mapping[str, object],
) -> Text:
    """Return the command that loads a file with what is offered.

    options have the fields of a request of this type; argument is what a call names the
    file by. Without one, return the fields that are to be added.
    """
    return _command([Need(request, argument, "", options, [], offered)], offered)


def _command(needs: Sequence[Need], offered: Mapping[str, object]) -> Text:
    """Return the command that loads files with what is offered.

    Return the fields that are to be added if a command cannot name the files.
    """
    first = needs[0]
    offered = {name: value for name, value in offered.items() if value != {}}
    added = {name: value for name, value in offered.items() if value is not None}
    method = first.method or method_of(first.request)
    if any(one.argument is None for one in needs):
        if first.method is not None:
            return call(method, _FILE, **added)
        return use(**added)
    stated_fields = _stated_fields(first.request, first.options)
    fields = merged(stated_fields, Offer("", offered))
    fields = {name: value for name, value in fields.items() if value is not None}
    if first.method is not None:
        fields = _allowed(fields, first.method)
    return call(method, *(one.argument for one in needs), **fields)


def _allowed(fields: Mapping[str, object], method: str) -> dict[str, object]:
    """Return the fields that another method has, too."""
    allowed = {field.name for field in fields_of(_OTHERS[method])}
    return {name: value for name, value in fields.items() if name in allowed}


def message(
    shown: Sequence[str],
    facts: Sequence[Wording],
    offered: Mapping[str, object],
    way: Text,
) -> tuple[Wording, Wording]:
    """Return what must be known to load files, and the command that says it.

    shown is what messages call the files.
    """
    fill = "fill in what is in capitals; then " if is_blank(offered) else ""
    it = "it" if len(shown) == 1 else "them"
    lines = [f"{' and '.join(shown)}: what must be known to load {it}:"]
    text = joined([*lines, *("- " + Text(fact) for fact in facts)], "\n")
    return text + f"\n{fill}if this is right: " + way, ""


def merged(offered: Mapping[str, object], offer: Offer) -> dict[str, object]:
    """Return fields with those of another offer; mappings grow.

    A field of None is one to be left out.
    """
    fields = dict(offered)
    for name, value in offer.fields.items():
        old = fields.get(name)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            fields[name] = {**cast("dict[str, object]", old), **value}
        else:
            fields[name] = value
    return fields


def is_blank(fields: Mapping[str, object]) -> bool:
    """Return whether any value is one that only the user knows."""
    values: list[object] = []
    for value in fields.values():
        values += value.values() if isinstance(value, Mapping) else [value]
    return any(isinstance(value, Blank) for value in values)


def is_open(fields: Mapping[str, object]) -> bool:
    """Return whether nothing can be tried before the user has filled in fields."""
    return is_blank({name: v for name, v in fields.items() if name not in _LATE})


def with_offered(options: O, offered: Mapping[str, object]) -> O:
    """Return options with those that are offered.

    A grade to fill in is 0 meanwhile, a name what stands for it.
    """
    values: dict[str, Any] = {}
    for name, value in offered.items():
        if isinstance(value, Mapping):
            pairs = cast("Mapping[str, object]", value)
            plain = {k: 0.0 if isinstance(v, Blank) else v for k, v in pairs.items()}
            values[name] = {**getattr(options, name), **plain}
        else:
            values[name] = value.name if isinstance(value, Blank) else value
    return replace(cast("Any", options), **values)


def _stated_fields(request: type, options: object) -> dict[str, object]:
    fields = stated(request, options)
    if not getattr(options, "is_rule_chosen", True):
        fields.pop("position_rule", None)
    return fields


def argument_of(path: Path, source: Source, streams: Streams | None) -> object | None:
    """Return what a call names a file or the rows of a database by, if it can."""
    is_file = path == STDIN or not (streams and path in streams)
    return argument(path) if is_file else source.argument
