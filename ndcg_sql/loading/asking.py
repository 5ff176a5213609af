"""All that a file needs, asked at once: one message with one command to paste."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ndcg_sql.errors import BadRowsError, NdcgSqlError, Offer
from ndcg_sql.loading.naming import field as in_pattern
from ndcg_sql.loading.options import REQUESTS, Options, Ranked
from ndcg_sql.requests.fields import stated
from ndcg_sql.text import quoted
from ndcg_sql.wording import Blank, Text, Use, Wording, call, joined, use

if TYPE_CHECKING:
    from ndcg_sql.loading.files import Rows

# A file that needs more than this is another file than the user thinks.
_MOST = 8


@dataclass(frozen=True)
class Need:
    """What a file needs: facts, and the fields that say them.

    rows are what the file becomes with these, if nothing else is wrong; constants are
    the values of columns that have one in the whole file, and may tell it from the
    next; shown is what messages call the file.
    """

    kind: Ranked
    path: Path
    shown: str
    options: Options
    facts: Sequence[Wording]
    offered: Mapping[str, object]
    rows: "Rows | None" = None
    constants: Mapping[str, str] = field(default_factory=dict[str, str])


class NeedError(NdcgSqlError):
    """A file that needs what only the user can confirm."""

    def __init__(self, what: Wording, remedy: Wording, need: Need) -> None:
        """Take the message, and what it was made of."""
        super().__init__(what, remedy)
        self.need = need


def all_at_once(
    kind: Ranked,
    options: Options,
    path: Path,
    error: NdcgSqlError,
    prepared: Callable[[Options], "Rows"],
    constants: Callable[[Options, "Rows"], Mapping[str, str]],
    shown: str,
    is_file: bool,
) -> NdcgSqlError:
    """Return one error for all that keeps a file from being loaded.

    What gets past the first error is tried, and what gets past the next, by what
    prepared does with options; nothing is stored. constants returns the values of
    columns that have one in the whole file. shown is what messages call the
    file; is_file is whether a command can name it alone. An error that nothing is
    known to get past stays as it is; one that is alone only gets the whole command.
    """
    if error.offer is None or _blank(error.offer.fields):
        return error
    facts: list[Wording] = []
    offered: dict[str, object] = {}
    rows: Rows | None = None
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
            rows = prepared(_with(options, offered))
        except NdcgSqlError as next_error:
            last = next_error
        else:
            last = None
    need = Need(kind, path, shown, options, facts, offered)
    if last is None and rows is not None:
        same = constants(_with(options, offered), rows)
        need = replace(need, rows=rows, constants=same)
    if len(facts) < 2:
        return error if last is not None else _alone(error, need, is_file)
    if last is not None and last.offer is None:
        # Lines that are wrong, or what nothing is known to get past.
        need = replace(need, facts=[*facts, Text("then: ", last.message)])
    way = _command([need], offered) if is_file else use(**offered)
    return NeedError(*_message([need], need.facts, offered, way), need)


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
    return NdcgSqlError(*_message(needs, facts, offered, way))


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


def _alone(error: NdcgSqlError, need: Need, is_file: bool) -> NdcgSqlError:
    """Return an error with the whole command in place of the fields in its remedy."""
    if isinstance(error, BadRowsError):
        # What is wrong with its lines is known by its class.
        return error
    refusal, remedy = error.refusal, Text(error.refusal.remedy)
    if is_file:
        fields = Use({k: v for k, v in need.offered.items() if v != {}})
        whole = _command([need], fields.fields)
        remedy = Text(*(whole if part == fields else part for part in remedy.parts))
    return NeedError(refusal.what, remedy, need)


def _command(needs: Sequence[Need], offered: Mapping[str, object]) -> Text:
    """Return the command that loads files with what is offered."""
    first = needs[0]
    fields = {**_stated_fields(first.kind, first.options), **offered}
    return call(f"load_{first.kind}", *(str(one.path) for one in needs), **fields)


def _message(
    needs: Sequence[Need],
    facts: Sequence[Wording],
    offered: Mapping[str, object],
    way: Text,
) -> tuple[Wording, Wording]:
    """Return what must be known to load files, and the command that says it."""
    fill = "fill in what is in capitals; then " if _blank(offered) else ""
    shown = " and ".join(one.shown for one in needs)
    it = "it" if len(needs) == 1 else "them"
    lines = [f"{shown}: what must be known to load {it}:"]
    text = joined([*lines, *("- " + Text(fact) for fact in facts)], "\n")
    return text + f"\n{fill}if this is right: " + way, ""


def merged(offered: Mapping[str, object], offer: Offer) -> dict[str, object]:
    """Return fields with those of another offer; mappings grow."""
    fields = dict(offered)
    for name, value in offer.fields.items():
        old = fields.get(name)
        if isinstance(value, Mapping) and isinstance(old, Mapping):
            fields[name] = {**cast("dict[str, object]", old), **value}
        else:
            fields[name] = value
    return fields


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


def _stated_fields(kind: Ranked, options: Options) -> dict[str, object]:
    """Return the fields that the user gave, as a request has them."""
    fields = stated(REQUESTS[kind], options)
    if not options.is_rule_chosen:
        fields.pop("position_rule", None)
    return fields
