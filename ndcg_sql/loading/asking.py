"""All that a file needs, asked at once: one message with one command to paste."""

from collections.abc import Callable, Mapping
from dataclasses import fields as attributes
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from ndcg_sql.errors import NdcgSqlError, Offer
from ndcg_sql.loading.options import REQUESTS, Options, Ranked
from ndcg_sql.requests.fields import fields_of
from ndcg_sql.wording import Blank, Text, Told, call, joined, use

# A file that needs more than this is another file than the user thinks.
_MOST = 8


def all_at_once(
    kind: Ranked,
    options: Options,
    path: Path,
    error: NdcgSqlError,
    prepared: Callable[[Options], object],
    shown: str,
    is_file: bool,
) -> NdcgSqlError:
    """Return one error for all that keeps a file from being loaded.

    What gets past the first error is tried, and what gets past the next, by what
    prepared does with options; nothing is stored. shown is what messages call the
    file; is_file is whether a command can name it alone. An error that is alone, or
    that nothing is known to get past, stays as it is.
    """
    if error.offer is None or _blank(error.offer.fields):
        return error
    facts: list[Told] = []
    offered: dict[str, object] = {}
    last: NdcgSqlError | None = error
    while last is not None and last.offer is not None and len(facts) < _MOST:
        more = merged(offered, last.offer)
        if more == offered:
            break
        facts.append(last.offer.fact)
        offered = more
        if _blank({k: v for k, v in offered.items() if k != "labels"}):
            break
        try:
            prepared(_with(options, offered))
        except NdcgSqlError as next_error:
            last = next_error
        else:
            last = None
    if len(facts) < 2:
        return error
    if last is not None and last.offer is None:
        # Lines that are wrong, or what nothing is known to get past.
        facts.append(Text("then: ", last.told))
    given = {**_given(kind, options), **offered}
    way = use(**offered)
    if is_file:
        way = call(f"load_{kind}", str(path), **given)
    fill = "fill in what is in capitals; then " if _blank(offered) else ""
    lines = [f"{shown}: what must be known to load it:"]
    told = joined([*lines, *("- " + Text(fact) for fact in facts)], "\n")
    return NdcgSqlError(told + f"\n{fill}if this is right: " + way)


def merged(offered: Mapping[str, object], offer: Offer) -> dict[str, object]:
    """Return fields with those of another offer; mappings grow."""
    found = dict(offered)
    for name, value in offer.fields.items():
        old = found.get(name)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            found[name] = {**cast("dict[str, object]", old), **value}
        else:
            found[name] = value
    return found


def _blank(fields: Mapping[str, object]) -> bool:
    """Return whether any value is one that only the user knows."""
    values: list[object] = []
    for value in fields.values():
        values += value.values() if isinstance(value, Mapping) else [value]
    return any(isinstance(value, Blank) for value in values)


def _with(options: Options, offered: Mapping[str, object]) -> Options:
    """Return options with those that are offered; a grade to fill in is 0 meanwhile."""
    values: dict[str, Any] = {}
    for name, value in offered.items():
        if isinstance(value, Mapping):
            pairs = cast("Mapping[str, object]", value)
            plain = {k: 0.0 if isinstance(v, Blank) else v for k, v in pairs.items()}
            values[name] = {**getattr(options, name), **plain}
        else:
            values[name] = value
    return replace(options, **values)


def _given(kind: Ranked, options: Options) -> dict[str, object]:
    """Return the fields that the user gave, as a request has them."""
    own = {attribute.name for attribute in attributes(options)}
    found: dict[str, object] = {}
    for field in fields_of(REQUESTS[kind]):
        value = getattr(options, field.name) if field.name in own else field.default
        if field.name == "position_rule" and not options.is_rule_chosen:
            continue
        if value != field.default:
            found[field.name] = str(value) if isinstance(value, Path) else value
    return found
