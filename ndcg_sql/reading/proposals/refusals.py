"""Refusals of files, with the command that is likely to load them, of either kind."""

from collections.abc import Collection, Mapping
from typing import Any, cast

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.fields import options_of
from ndcg_sql.reading import columns
from ndcg_sql.reading.columns import Kind
from ndcg_sql.reading.layouts import Reading
from ndcg_sql.reading.profile import Profile, profile_of
from ndcg_sql.reading.proposals import numbers
from ndcg_sql.reading.proposals.proposal import GRADED, Proposal, choose_pair, scale_of
from ndcg_sql.reading.sources import Source
from ndcg_sql.wording import FILE, Blank, Text, Wording, call, joined, use

# A header with longer names than this is none.
_LONGEST_NAME = 200
# The place of the number on lines of TREC, by the number of their fields.
_NUMBERS = {(6, "run"): "5", (4, "judgments"): "4"}
_CHOOSE = {
    "run": numbers.choose_ranking,
    "judgments": numbers.choose_judgments,
    "assessments": numbers.choose_assessments,
}


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
    options = reading.stated(method)
    implied = dict(options)
    if unit := options.get("unit"):
        implied["columns"] = merged(options, {"columns": {"doc_id": unit}})["columns"]
        # What tells chunks apart is no name of runs.
        implied["run_column"] = columns.NO_RUNS
    profile = profile_of(source, kind, reading)
    proposal = proposed(profile, kind, implied, error.needs) if profile else None
    if proposal is None:
        return
    is_other = proposal.kind != kind
    method = f"load_{proposal.kind}"
    way = use(**{k: v for k, v in proposal.fields.items() if v is not None})
    if argument is not None and is_alone:
        fields = merged(options, proposal.fields)
        allowed = options_of(method) if is_other else fields
        way = call(method, argument, **{k: fields[k] for k in fields if k in allowed})
    elif is_other:
        way = call(method, FILE, **proposal.fields)
    begin = "fill in what is in capitals; then if" if proposal.has_blank else "if"
    lines = [
        _first_line(Text(error.what)),
        *(Text("- ", fact) for fact in proposal.facts),
    ]
    lines.append(Text(f"{begin} this is right: ", way))
    text = joined(lines, "\n" if proposal.facts else "; ")
    if is_other and error.remedy:
        text += Text("\notherwise, ", error.remedy)
    error.what, error.remedy = text, ""


def runs_of(source: Source, reading: Reading, options: Mapping[str, object]) -> str:
    """Return the column that tells the runs of a file apart, or nothing."""
    profile = profile_of(source, "run", reading)
    proposal = proposed(profile, "run", options, ("run_column",)) if profile else None
    return str(proposal.fields.get("run_column", "")) if proposal else ""


def naming_in(text: Wording, argument: object | None) -> Text:
    """Return a text whose calls name a file in place of FILE, if they can name it."""
    named = Text(text)
    return (
        named if argument is None else named.with_calls(lambda c: c.of_file(argument))
    )


def _first_line(text: Wording) -> Text:
    parts = Text(text).parts
    for place, part in enumerate(parts):
        if isinstance(part, str) and "\n" in part:
            return Text(*parts[:place], part.partition("\n")[0])
    return Text(text)


def merged(options: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields with further ones; mappings grow, and None leaves a field out."""
    fields = {**options, **more}
    for name in options.keys() & more.keys():
        if isinstance(options[name], Mapping) and isinstance(more[name], Mapping):
            fields[name] = {**options[name], **more[name]}
    return {name: value for name, value in fields.items() if value is not None}


def proposed(
    profile: Profile, kind: Kind, options: Mapping[str, Any], needs: Collection[str]
) -> Proposal | None:
    """Return what is likely to load a file that was refused; None if nothing is.

    needs are the fields that may get past the refusal, "kind" if it may be a file of
    another kind.
    """
    if any(len(name) > _LONGEST_NAME for name in profile.columns):
        return None
    is_list = profile.width == {"run": 1, "judgments": 2}.get(kind)
    if "query" in needs and is_list and not profile.columns["1"].is_decimal:
        fact = "it looks like documents of one query"
        return Proposal(profile, kind, options, {"query": Blank("ID")}, [fact])
    if "kind" in needs and kind in _CHOOSE and _is_log(profile):
        log = Proposal(profile, "clicks", {}, {}, ["it looks like a log of clicks"])
        for role in columns.NEEDED["run"]:
            log.take(role, log.by_name(role))
        log.add_columns()
        return log
    if "kind" in needs and kind in _CHOOSE and (queries := _of_queries(profile)):
        return queries
    own = _of_kind(profile, kind, options)
    # Only values may show what is described, not the name of a column.
    name = own.roles.get("query_id", "") if own and kind in _CHOOSE else ""
    others: tuple[Kind, ...] = ("judgments", "run")
    is_doubtful = not (
        columns.name_score("query_id", name, kind) or (own and profile.width)
    )
    may_be_other = "kind" in needs or profile.width
    for other in others if is_doubtful and may_be_other else ():
        if other != kind:
            placed = _of_kind(profile, other, options)
            if placed and _has_number(placed, kind, needs):
                looks = "a run" if other == "run" else other
                placed.facts.insert(0, f"it looks like {looks}")
                return placed
    if own is None or not own.fields.keys() & {*needs}:
        return None
    # A refusal itself names what is missing, or that a list may be a ranking.
    names_nothing = [*own.fields] == ["columns"] and not (own.unusual() or own.facts)
    is_graded = [*own.fields] == ["grade"] and own.document.is_list
    return None if names_nothing or is_graded else own


def _is_log(profile: Profile) -> bool:
    """Return whether columns have actions at positions, but no grade."""
    heads = {name.partition(".")[0] for name in profile.columns}
    meanings = {
        columns.meaning(name, "clicks") or columns.folded(name) for name in heads
    }
    is_graded = "grade" in {
        columns.meaning(name, "judgments") for name in profile.columns
    }
    is_placed = bool({"position", "event_attributes"} & meanings)
    return "action" in meanings and is_placed and not is_graded


def _of_queries(profile: Profile) -> Proposal | None:
    """Return what loads ids and the texts of queries, without documents or numbers."""
    queries = _of_kind(profile, "queries", {})
    if queries is None or "text" not in queries.roles:
        return None
    ids = profile.columns[queries.roles["query_id"]]
    is_other = len(ids.texts) < len(ids.values) or any(
        column.is_list or columns.name_score(role, column.name, "run") >= columns.CLEAR
        for column in queries.free()
        for role in ("doc_id", "score", "rank", "grade")
    )
    queries.facts.insert(0, "it looks like queries")
    return None if is_other else queries


def _of_kind(
    profile: Profile, kind: Kind, options: Mapping[str, Any]
) -> Proposal | None:
    """Return what loads a file as a kind; None if it lacks what the kind needs."""
    proposal = Proposal(profile, kind, options)
    if profile.width:
        place = _NUMBERS.get((profile.width, "judgments" if kind in GRADED else kind))
        if place is None:
            return None
        proposal.add_decimal(profile.columns[place])
        if kind != "run":
            numbers.add_labels(proposal, profile.columns[place])
        return proposal
    if {"query_id", "doc_id"} <= {*columns.COLUMNS[kind]}:
        choose_pair(proposal)
    else:
        role = "query_id" if kind == "queries" else "doc_id"
        proposal.take(role, proposal.by_name(role) or proposal.unique())
    if not {"query_id", "doc_id"} & {*columns.NEEDED[kind]} <= proposal.roles.keys():
        return None
    if kind in _CHOOSE and not _CHOOSE[kind](proposal):
        return None
    if kind == "queries":
        texts = (column.name for column in proposal.free() if not column.is_number)
        proposal.take("text", columns.likely("text", texts, kind))
        proposal.take("weight", proposal.by_name("weight"))
    for role in ("score", "rank", "grade", "weight"):
        if name := proposal.roles.get(role):
            proposal.add_decimal(proposal.columns[name])
            break
    proposal.add_columns()
    return proposal


def _has_number(proposal: Proposal, kind: Kind, needs: Collection[str]) -> bool:
    """Return whether a file that was given as another kind has a score or a grade."""
    is_content = "columns" not in needs
    is_sure = is_content and (kind == "documents" or "score" in proposal.roles)
    if is_sure or proposal.profile.width:
        return True
    document = proposal.document
    if proposal.kind == "run" and document.is_list:
        return columns.has_word(document.name, "retrieved")
    roles = {"score", "rank", "grade"} & proposal.roles.keys()
    pairs = [(role, proposal.columns[proposal.roles[role]]) for role in roles]
    return any(
        proposal.score(role, column) >= columns.LIKELY or scale_of(column.texts)
        for role, column in pairs
    )
