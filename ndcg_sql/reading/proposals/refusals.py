"""Refusals of files, with the command that is likely to load them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.columns import NO_RUNS, Kind
from ndcg_sql.reading.layouts import Reading
from ndcg_sql.reading.profile import profile_of
from ndcg_sql.reading.proposals.kinds import proposed
from ndcg_sql.reading.sources import Source, Streams
from ndcg_sql.requests.fields import options_of
from ndcg_sql.system.paths import STDIN, argument
from ndcg_sql.wording import FILE, Blank, Part, Text, Wording, call, joined, use


def add_proposal(
    error: NdcgSqlError,
    method: str,
    reading: Reading,
    source: Source,
    argument: object | None,
    is_alone: bool = True,
) -> None:
    """Add the command that loads a file to the error that refuses it, if it is likely.

    reading has the options of the method; argument is what a call names the file by, or
    None if it cannot name it. A file that is not alone gets only what to add.
    """
    error.change(lambda text: naming_in(text, argument))
    if not error.needs or getattr(reading, "rows_of", None):
        return
    kind = cast("Kind", method.removeprefix("load_"))
    stated_options = reading.stated(method)
    implied = dict(stated_options)
    if unit := stated_options.get("unit"):
        columns = cast("Mapping[str, str]", stated_options.get("columns", {}))
        implied["columns"] = {**columns, "doc_id": unit}
        # What tells chunks apart is no name of runs.
        implied["run_column"] = NO_RUNS
    profile = profile_of(source, kind, reading)
    proposal = proposed(profile, kind, implied, error.needs) if profile else None
    if proposal is None:
        return
    fields = merged(stated_options, proposal.fields)
    if other := proposal.kind if proposal.kind != kind else None:
        allowed = options_of(f"load_{other}")
        fields = {name: fields[name] for name in fields if name in allowed}
    method = f"load_{proposal.kind}"
    way = use(**{k: v for k, v in proposal.fields.items() if v is not None})
    if argument is not None and is_alone:
        way = call(method, argument, **fields)
    elif other:
        way = call(method, FILE, **proposal.fields)
    begin = "fill in what is in capitals; then if" if has_blank(fields) else "if"
    end = Text(f"{begin} this is right: ", way)
    facts = [Text("- ", fact) for fact in proposal.facts]
    first = _first_line(Text(error.what))
    text = joined([first, *facts, end], "\n" if facts else "; ")
    if other and error.remedy:
        text += Text("\notherwise, ", error.remedy)
    error.what, error.remedy = text, ""


def runs_of(source: Source, reading: Reading, options: Mapping[str, object]) -> str:
    """Return the column that tells the runs of a file apart, or nothing."""
    profile = profile_of(source, "run", reading)
    proposal = proposed(profile, "run", options, ("run_column",)) if profile else None
    return str(proposal.fields["run_column"]) if proposal else ""


def naming_in(text: Wording, argument: object | None) -> Text:
    """Return a text whose calls name a file in place of FILE, if they can name it."""
    named = Text(text)
    return (
        named if argument is None else named.with_calls(lambda c: c.of_file(argument))
    )


def argument_of(path: Path, source: Source, streams: Streams | None) -> object | None:
    """Return what a call names a file or the rows of a database by, if it can."""
    is_file = path == STDIN or not (streams and path in streams)
    return argument(path) if is_file else source.argument


def _first_line(text: Text) -> Text:
    """Return the first line of a text."""
    parts: list[Part] = []
    for part in text.parts:
        line, end, _ = part.partition("\n") if isinstance(part, str) else (part, "", "")
        parts.append(line)
        if end:
            break
    return Text(*parts)


def merged(options: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields with further ones; mappings grow, and None leaves a field out."""
    fields = {**options, **more}
    for name in options.keys() & more.keys():
        if isinstance(options[name], Mapping) and isinstance(more[name], Mapping):
            fields[name] = {**options[name], **more[name]}
    return {name: value for name, value in fields.items() if value is not None}


def has_blank(fields: Mapping[str, Any]) -> bool:
    """Return whether any value is one that only the user knows."""
    values: list[object] = []
    for value in fields.values():
        values += value.values() if isinstance(value, Mapping) else [value]
    return any(isinstance(value, Blank) for value in values)
