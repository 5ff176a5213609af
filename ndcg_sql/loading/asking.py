"""All that a file needs, in one message with one command that says it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from ndcg_sql.errors import BadRowsError, NdcgSqlError, Offer
from ndcg_sql.reading.sources import Source, Streams
from ndcg_sql.requests.clicks import LoadClicksRequest
from ndcg_sql.requests.fields import fields_of, method_of, stated
from ndcg_sql.requests.loading import (
    LoadAssessmentsRequest,
    LoadJudgmentsRequest,
    LoadRunRequest,
)
from ndcg_sql.system.paths import STDIN, argument
from ndcg_sql.wording import Blank, Call, Text, Use, Wording, call, joined, use

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
# Options: they have the fields of a request.
O = TypeVar("O")  # noqa: E741


class Needs(NamedTuple):
    """What gets past errors: facts, and the fields that say them.

    last is the error that nothing is known to get past, if any; method takes the
    fields, if it is another one.
    """

    facts: Sequence[Wording]
    offered: Mapping[str, object]
    last: NdcgSqlError | None
    method: str | None = None


class NeedError(NdcgSqlError):
    """A file that needs what only the user can confirm: these facts."""

    def __init__(self, what: Wording, remedy: Wording, needs: Needs) -> None:
        """Take the message, and what it was made of."""
        offer = Offer(joined(needs.facts, "; "), needs.offered, needs.method)
        super().__init__(what, remedy, offer=offer)
        self.facts = needs.facts


def all_at_once(
    request: type,
    options: O,
    argument: object | None,
    error: NdcgSqlError,
    prepared: Callable[[O], object],
    shown: str,
    is_alone: bool = True,
) -> NdcgSqlError:
    """Return one error for all that keeps a file from being loaded.

    What gets past the first error is tried, and what gets past the next, by what
    prepared does with options, which have the fields of a request of this type; nothing
    is stored. shown is what messages call the file, argument what a call does, or None
    if it cannot name it; a file that is not alone is told only what to add. An error
    that nothing is known to get past stays as it is; the only one gets the whole
    command.
    """

    def attempt(offered: Mapping[str, object]) -> None:
        prepared(with_offered(options, offered))

    whole = error
    offer = error.offer
    is_known = offer is not None and not is_open(offer.fields)
    if isinstance(error, BadRowsError) and offer is not None:
        is_known = not is_blank(offer.fields)
    if is_known:
        needs = gathered(error, attempt, is_open)
        named_by = argument if is_alone else None
        way = command(request, options, named_by, needs.offered, needs.method)
        whole = _combined(error, needs, way, shown)
    whole.change(lambda text: naming_in(text, argument))
    return whole


def _combined(error: NdcgSqlError, needs: Needs, way: Text, shown: str) -> NdcgSqlError:
    """Return one error for what a file needs; way says all of it."""
    facts, offered, last, _ = needs
    if len(facts) < 2 and last is None:
        return _alone(error, needs, way)
    is_guess = "columns" in offered or (last is not None and last.offer is not None)
    is_right = isinstance(last, BadRowsError) and last.share < _FEW
    if len(facts) < 2 and is_guess and not is_right:
        # What is wrong may come from the guess.
        return error
    is_of_all = isinstance(offered.get("assessor"), Blank)
    if last is not None and last.offer is None and not is_of_all:
        # Lines that are wrong, or what nothing is known to get past. What is wrong with
        # all rows as those of one assessor may be right with several.
        needs = needs._replace(facts=[*facts, Text("then: ", last.message)])
    return NeedError(*message([shown], needs.facts, offered, way), needs)


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


def gathered(
    error: NdcgSqlError,
    attempt: Callable[[Mapping[str, object]], object],
    is_open: Callable[[Mapping[str, object]], bool],
) -> Needs:
    """Return what gets past an error, past the next one, and so on.

    attempt tries what is offered so far, unless it is open: only the user can say it.
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
            return Needs(facts, _allowed(offered, method), None, method)
        if is_open(offered):
            break
        try:
            attempt(offered)
        except NdcgSqlError as next_error:
            last = next_error
        else:
            return Needs(facts, offered, None)
    return Needs(facts, offered, last)


def _alone(error: NdcgSqlError, needs: Needs, whole: Text) -> NdcgSqlError:
    """Return an error with the whole command in place of the fields in its remedy."""
    if isinstance(error, BadRowsError):
        # What is wrong with its lines is known by its class.
        return error
    refusal, remedy = error.refusal, Text(error.refusal.remedy)
    fields = {k: v for k, v in needs.offered.items() if v not in ({}, None)}
    part: Use | Call = Use(fields)
    if needs.method is not None:
        part = Call(needs.method, (_FILE,), fields)
    return NeedError(refusal.what, with_whole(remedy, part, whole), needs)


def with_whole(remedy: Text, part: Use | Call, whole: Text) -> Text:
    """Return a remedy with the whole command in place of a part of it."""
    return Text(*(whole if part == one else one for one in remedy.parts))


def command(
    request: type,
    options: object,
    argument: object | None,
    offered: Mapping[str, object],
    other_method: str | None = None,
) -> Text:
    """Return the command that loads a file with what is offered.

    options have the fields of a request of this type; argument is what a call names the
    file by. Without one, return the fields that are to be added. other_method takes the
    file if the method of the request does not.
    """
    offered = {name: value for name, value in offered.items() if value != {}}
    if argument is None:
        added = {name: value for name, value in offered.items() if value is not None}
        return call(other_method, _FILE, **added) if other_method else use(**added)
    fields = merged(_stated_fields(request, options), Offer("", offered))
    fields = {name: value for name, value in fields.items() if value is not None}
    if other_method is not None:
        fields = _allowed(fields, other_method)
    return call(other_method or method_of(request), argument, **fields)


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
