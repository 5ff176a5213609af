"""All that a log of clicks needs, asked at once."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ndcg_sql.errors import NdcgSqlError, Offer
from ndcg_sql.reading.proposals.refusals import has_blank, merged
from ndcg_sql.reading.sources import Streams
from ndcg_sql.requests.clicks import LoadClicksRequest
from ndcg_sql.requests.fields import stated
from ndcg_sql.system.paths import shown
from ndcg_sql.wording import Blank, Part, Text, Use, Wording, call, joined, use

Fields = Mapping[str, Any]
# A log that needs more than this is another file than the user thinks.
_MOST = 8
# The columns for which a constant can stand while the others are looked at.
_STAND_INS = ("query_id", "doc_id", "position")
# What no constant can stand for.
_OPEN = ("impressions_from", "searches")
# What says what was shown where a log does not.
_SHOWN = ("impressions_from", "depth")
# How many files of a log are named.
_FILES = 3


def no_impression(run: object) -> Offer:
    """Return the offer of a run that searches showed, for clicks alone."""
    fact = "no event says what was shown, but a run may"
    return Offer(fact, {"impressions_from": run})


def of_files(names: Sequence[str]) -> str:
    """Return the names of the files of a log, of many only the first and the last."""
    few = len(names) <= _FILES
    return ", ".join(names) if few else f"{names[0]} to {names[-1]}"


def all_at_once(
    request: LoadClicksRequest,
    paths: Sequence[Path],
    streams: Streams,
    error: NdcgSqlError,
    counting: Callable[[LoadClicksRequest, Collection[str]], object],
) -> NdcgSqlError:
    """Return one error for all that keeps a log from being counted.

    What gets past the first error is tried, and what gets past the next: counting
    counts the log with a request, and with columns that it is taken to lack, for which
    constants stand. streams holds the files that are open already. An error that
    nothing is known to get past stays as it is.
    """
    facts: list[Wording] = []
    offered: Fields = {}
    last: NdcgSqlError | None = error
    while last is not None and last.offer is not None and len(facts) < _MOST:
        more = merged(offered, last.offer.fields)
        if more == offered:
            break
        facts.append(last.offer.fact)
        offered = more
        columns = {k: v for k, v in _columns(more).items() if k not in _STAND_INS}
        if has_blank({"columns": columns, **{name: more.get(name) for name in _OPEN}}):
            break
        try:
            counting(*_standing_in(request, offered))
        except NdcgSqlError as next_error:
            last = next_error
        else:
            last = None
    columns = _columns(offered)
    if "impressions_from" in offered and isinstance(columns.get("position"), Blank):
        if len(facts) == 2 and [*columns] == ["position"]:
            # The message on positions says so already.
            facts.pop()
        del columns["position"]
        offered = {**offered, "columns": columns}
    arguments = [
        streams[path].argument if path in streams else str(path) for path in paths
    ]
    if len(facts) < 2:
        return _in_full(error, request, arguments)
    has_blanks = has_blank(offered)
    if last is not None and last.offer is None and not has_blanks:
        # What is wrong beside blanks may come from what stood for them.
        facts.append(Text("then: ", last.message))
    names = [streams[path].shown if path in streams else shown(path) for path in paths]
    names = " and ".join(names) if len(names) <= _FILES else of_files(names)
    it = "it" if len(paths) == 1 else "them"
    fill = "fill in what is in capitals; then " if has_blanks else ""
    lines = [f"{names}: what must be known to load {it}:"]
    text = joined([*lines, *("- " + Text(fact) for fact in facts)], "\n")
    way = _command(request, arguments, offered)
    return NdcgSqlError(text + f"\n{fill}if this is right: " + way)


def _in_full(
    error: NdcgSqlError,
    request: LoadClicksRequest,
    arguments: Sequence[object | None],
) -> NdcgSqlError:
    """Return an error whose remedy has whole commands where it has fields to add.

    Those follow a colon.
    """
    if error.offer is None:
        return error
    before: Part | Text = ""
    parts: list[Part | Text] = []
    for part in Text(error.refusal.remedy).parts:
        is_way = isinstance(before, str) and before.endswith(": ")
        if is_way and isinstance(part, Use):
            parts.append(_command(request, arguments, part.fields))
        else:
            parts.append(part)
        before = part
    refusal = error.refusal
    return NdcgSqlError(refusal.what, Text(*parts), where=refusal.where)


def _command(
    request: LoadClicksRequest, arguments: Sequence[object | None], offered: Fields
) -> Text:
    """Return the command that loads files with what is offered.

    Return the fields that are to be added if a command cannot name the files.
    """
    offered = {name: value for name, value in offered.items() if value != {}}
    if None in arguments:
        return use(**offered)
    fields = stated(LoadClicksRequest, request)
    if "impressions" in offered:
        # What was shown is in the log itself.
        fields = {k: v for k, v in fields.items() if k not in _SHOWN}
    return call("load_clicks", *arguments, **merged(fields, offered))


def _columns(offered: Fields) -> dict[str, object]:
    return dict(offered.get("columns", {}))


def _standing_in(
    request: LoadClicksRequest, offered: Fields
) -> tuple[LoadClicksRequest, list[str]]:
    """Return a request with what is offered, and the columns that it lacks still.

    A weight to fill in is 1 meanwhile.
    """
    fields = merged({"columns": request.columns, "actions": request.actions}, offered)
    columns, actions = fields.pop("columns"), fields.pop("actions")
    lacking = [name for name, value in columns.items() if isinstance(value, Blank)]
    plain = {name: str(v) for name, v in columns.items() if name not in lacking}
    weights = {
        action: 1.0 if isinstance(weight, Blank) else float(weight)
        for action, weight in actions.items()
    }
    return replace(request, columns=plain, actions=weights, **fields), lacking
