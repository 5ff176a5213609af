"""All that a log of clicks needs, in one message with one command that says it."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast

from ndcg_sql.errors import NdcgSqlError, Offer
from ndcg_sql.wording import Blank, Text, Wording, joined

# A file that needs more than this is another file than the user thinks.
_MOST = 8


class Needs(NamedTuple):
    """What gets past errors: facts, and the fields that say them.

    last is the error that nothing is known to get past, if any.
    """

    facts: Sequence[Wording]
    offered: Mapping[str, object]
    last: NdcgSqlError | None


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
        if more == offered:
            break
        facts.append(last.offer.fact)
        offered = more
        if is_open(offered):
            break
        try:
            attempt(offered)
        except NdcgSqlError as next_error:
            last = next_error
        else:
            return Needs(facts, offered, None)
    return Needs(facts, offered, last)


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
