"""Which kind of data a file has, and what loads it as that kind."""

from collections.abc import Collection, Mapping
from typing import Any

from ndcg_sql.reading.columns import (
    CLEAR,
    COLUMNS,
    LIKELY,
    NEEDED,
    Kind,
    folded,
    has_word,
    likely,
    meaning,
    name_score,
)
from ndcg_sql.reading.profile import WIDTHS, Profile
from ndcg_sql.reading.proposals.numbers import (
    add_labels,
    choose_assessments,
    choose_judgments,
    choose_ranking,
    scale_of,
)
from ndcg_sql.reading.proposals.proposal import GRADED, Proposal, choose_pair
from ndcg_sql.wording import Blank, Text, use

_LOOKS = {"run": "a run", "clicks": "a log of clicks"}
# The places of the grade and the score in these lines.
_NUMBERS = {"judgments": "4", "run": "5"}
# A header with longer names than this is none.
_LONGEST_NAME = 200
_CHOOSE = {
    "run": choose_ranking,
    "judgments": choose_judgments,
    "assessments": choose_assessments,
}


def proposed(
    profile: Profile, kind: Kind, options: Mapping[str, Any], needs: Collection[str]
) -> Proposal | None:
    """Return what is likely to load a file that was refused; None if nothing is.

    needs are the fields that may get past the refusal, "kind" if it may be a file of
    another kind.
    """
    if profile.width:
        return _of_width(profile, kind, options, needs)
    if any(len(name) > _LONGEST_NAME for name in profile.columns):
        return None
    may_be_other = "kind" in needs
    if may_be_other and kind in _CHOOSE:
        other_rows = _of_log(profile) or _of_queries(profile)
        if other_rows is not None:
            return other_rows
    own = _of_kind(profile, kind, options, needs)
    # Only values may show what is described, not the name of a column.
    name = own.roles.get("query_id") if own else None
    is_doubtful = kind in ("queries", "documents", "known") or not (
        name and name_score("query_id", name, kind)
    )
    if may_be_other and is_doubtful:
        for other in ("judgments", "run"):
            placed = _of_kind(profile, other, options, needs)
            if other != kind and placed and _has_number(placed, kind, needs):
                placed.facts.insert(0, _looks_like(other))
                return placed
    if own is None or (
        {*own.fields} == {"columns"} and not (own.unusual() or own.facts)
    ):
        return None
    if [*own.fields] == ["grade"] and own.document.is_list:
        # The refusal itself says that it may be a ranking.
        return None
    return own if own.fields.keys() & {*needs} else None


def _of_kind(
    profile: Profile, kind: Kind, options: Mapping[str, Any], needs: Collection[str]
) -> Proposal | None:
    """Return what loads a file as a kind; None if it lacks what the kind needs."""
    proposal = Proposal(profile, kind, options)
    proposal.add_text()
    if "doc_id" in COLUMNS[kind] and "query_id" in COLUMNS[kind]:
        choose_pair(proposal)
    else:
        role = "query_id" if kind == "queries" else "doc_id"
        proposal.take(role, proposal.by_name(role) or proposal.unique())
    if not {"query_id", "doc_id"} & {*NEEDED[kind]} <= proposal.roles.keys():
        return None
    if kind in _CHOOSE and not _CHOOSE[kind](proposal):
        return None
    if kind == "queries":
        texts = (one.name for one in proposal.free() if not one.is_number)
        proposal.take("text", likely("text", texts, kind))
        proposal.take("weight", proposal.by_name("weight"))
    for number in ("score", "rank", "grade", "weight"):
        if name := proposal.roles.get(number):
            proposal.add_decimal(proposal.columns[name])
            break
    proposal.add_columns(is_needed="columns" in needs)
    return proposal


def _has_number(proposal: Proposal, kind: Kind, needs: Collection[str]) -> bool:
    """Return whether a file that was given as another kind has a score or a grade.

    Its name or its labels say so, or that of a list. Where no name is missing, content
    does.
    """
    if "columns" not in needs and (kind == "documents" or "score" in proposal.roles):
        return True
    documents = proposal.document
    if proposal.kind == "run" and documents.is_list:
        return has_word(documents.name, "retrieved")
    for role in ("score", "rank") if proposal.kind == "run" else ("grade",):
        one = proposal.columns.get(proposal.roles.get(role, ""))
        if one and (proposal.score(role, one) >= LIKELY or scale_of(one.texts)):
            return True
    return False


def _looks_like(kind: Kind) -> str:
    return f"it looks like {_LOOKS.get(kind, kind)}"


def _of_log(profile: Profile) -> Proposal | None:
    """Return what loads a log of clicks; None if the columns are not those of one."""
    heads = {name.partition(".")[0] for name in profile.columns}
    meanings = {meaning(name, "clicks") or folded(name) for name in heads}
    is_placed = bool({"position", "event_attributes"} & meanings)
    of_others = {meaning(name, "judgments") for name in profile.columns}
    if "action" not in meanings or not is_placed or "grade" in of_others:
        return None
    names = {role: likely(role, profile.columns, "clicks") for role in NEEDED["run"]}
    unusual = {r: n for r, n in names.items() if n and meaning(n, "clicks") != r}
    fields: dict[str, object] = {"columns": unusual} if unusual else {}
    return Proposal(profile, "clicks", {}, fields, [_looks_like("clicks")])


def _of_queries(profile: Profile) -> Proposal | None:
    """Return what loads ids and the texts of queries, without documents or numbers."""
    queries = _of_kind(profile, "queries", {}, ())
    if queries is None or "text" not in queries.roles:
        return None
    ids, others = profile.columns[queries.roles["query_id"]], queries.free()
    is_other = any(
        name_score(role, one.name, "run") >= CLEAR
        for one in others
        for role in ("doc_id", "score", "rank", "grade")
    )
    is_whole = len(ids.texts) == len(ids.values) and not any(o.is_list for o in others)
    if is_other or not is_whole:
        return None
    queries.facts.insert(0, _looks_like("queries"))
    return queries


def _of_width(
    profile: Profile, kind: Kind, options: Mapping[str, Any], needs: Collection[str]
) -> Proposal | None:
    """Return what loads lines of another number of fields than the kind has."""
    other = WIDTHS.get(profile.width)
    proposal = Proposal(profile, kind, options)
    if other not in (None, kind) and (other == "run" or kind not in GRADED):
        proposal = Proposal(profile, other, {})
        proposal.add_text()
        proposal.facts.append(_looks_like(other))
    elif "query" in needs and (kind, profile.width) in (("run", 1), ("judgments", 2)):
        list_of = use(rows_of=Blank("LIST"))
        if kind == "run" and profile.columns["1"].is_decimal:
            proposal.fields["rows_of"] = Blank("LIST")
            proposal.facts.append("it looks like scores, one for each row of a list")
            return proposal
        proposal.fields["query"] = Blank("ID")
        fact = Text("it looks like documents of one query")
        if kind == "run" and profile.columns["1"].is_number:
            fact += Text("; if these are scores, one for each row of a list: ", list_of)
        proposal.facts.append(fact)
    elif other is not None and {"labels", "decimal"} & {*needs}:
        number = profile.columns[_NUMBERS[other]]
        proposal.add_decimal(number)
        if kind != "run":
            add_labels(proposal, number)
        return proposal if proposal.fields else None
    elif profile.fields.keys() & {*needs}:
        proposal.add_text()
    else:
        return None
    return proposal
