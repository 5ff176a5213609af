"""All that a log of clicks needs, asked at once."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from ndcg_sql.errors import NdcgSqlError, Offer
from ndcg_sql.loading import asking
from ndcg_sql.reading.sources import Streams
from ndcg_sql.requests.clicks import LoadClicksRequest
from ndcg_sql.requests.fields import stated
from ndcg_sql.system.paths import shown
from ndcg_sql.wording import Blank, Part, Text, Use, call, use

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

    counting counts it with a request; the files are taken to lack some columns, for
    which constants stand. streams holds those that are open already. An error that
    nothing is known to get past stays as it is.
    """
    if error.offer is None:
        return error
    arguments = [
        streams[path].argument if path in streams else str(path) for path in paths
    ]
    names = [streams[path].shown if path in streams else shown(path) for path in paths]
    needs = asking.gathered(
        error, lambda offered: counting(*_standing_in(request, offered)), _is_open
    )
    columns = _columns(needs.offered)
    facts, offered, last = list(needs.facts), dict(needs.offered), needs.last
    if "impressions_from" in offered and isinstance(columns.get("position"), Blank):
        if len(facts) == 2 and [*columns] == ["position"]:
            # The message on positions says so already.
            return _in_full(error, request, arguments)
        del columns["position"]
        offered["columns"] = columns
    way = _command(request, arguments, offered)
    if len(facts) > 1:
        # What is wrong beside blanks may come from what stood for them.
        if last is not None and last.offer is None and not asking.is_blank(offered):
            facts.append(Text("then: ", last.message))
        files = names if len(names) <= _FILES else [of_files(names)]
        return NdcgSqlError(*asking.message(files, facts, offered, way))
    return _in_full(error, request, arguments)


def _in_full(
    error: NdcgSqlError,
    request: LoadClicksRequest,
    arguments: Sequence[object | None],
) -> NdcgSqlError:
    """Return an error whose remedy has whole commands where it has fields to add.

    Those follow a colon.
    """
    remedy = Text(error.refusal.remedy)
    parts: list[Part | Text] = []
    for part in remedy.parts:
        before = parts[-1] if parts else ""
        is_way = isinstance(before, str) and before.endswith(": ")
        if is_way and isinstance(part, Use):
            part = _command(request, arguments, part.fields)
        parts.append(part)
    full = Text(*parts)
    if full == remedy:
        return error
    return NdcgSqlError(error.refusal.what, full, where=error.refusal.where)


def _command(
    request: LoadClicksRequest,
    arguments: Sequence[object | None],
    offered: Mapping[str, object],
) -> Text:
    """Return the command that loads files with what is offered.

    Return the fields that are to be added if a command cannot name the files.
    """
    offered = {name: value for name, value in offered.items() if value != {}}
    if None in arguments:
        return use(**offered)
    stated_fields = stated(LoadClicksRequest, request)
    if "impressions" in offered:
        # What was shown is in the log itself.
        stated_fields = {k: v for k, v in stated_fields.items() if k not in _SHOWN}
    fields = asking.merged(stated_fields, Offer("", offered))
    return call("load_clicks", *arguments, **fields)


def _columns(offered: Mapping[str, object]) -> dict[str, object]:
    return dict(cast("Mapping[str, object]", offered.get("columns", {})))


def _is_open(offered: Mapping[str, object]) -> bool:
    """Return whether a log cannot be counted with what is offered."""
    columns = {k: v for k, v in _columns(offered).items() if k not in _STAND_INS}
    others = {name: offered[name] for name in _OPEN if name in offered}
    return asking.is_blank({"columns": columns, **others})


def _standing_in(
    request: LoadClicksRequest, offered: Mapping[str, object]
) -> tuple[LoadClicksRequest, list[str]]:
    """Return a request with what is offered, and the columns that it lacks still.

    A weight to fill in is 1 meanwhile.
    """
    columns = {**request.columns, **_columns(offered)}
    lacking = [name for name, value in columns.items() if isinstance(value, Blank)]
    plain = {name: str(v) for name, v in columns.items() if name not in lacking}
    weights = cast("Mapping[str, object]", offered.get("actions", {}))
    actions = {
        action: 1.0 if isinstance(weight, Blank) else float(str(weight))
        for action, weight in weights.items()
    }
    run = offered.get("impressions_from", request.impressions_from)
    impressions = cast("Sequence[str]", offered.get("impressions", request.impressions))
    chosen = replace(
        request,
        columns=plain,
        actions={**request.actions, **actions},
        impressions=tuple(impressions),
        impressions_from=cast("str | None", run),
    )
    return chosen, lacking
