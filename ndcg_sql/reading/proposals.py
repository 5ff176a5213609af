"""One command for a file that was refused: made of its profile, never tried.

A proposal is only ever shown in a message: nothing is loaded by it.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any, cast

from ndcg_sql.database import sql_files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.columns import (
    BEIR,
    CLEAR,
    COLUMNS,
    LIKELY,
    NEEDED,
    NO_RUNS,
    Kind,
    folded,
    has_word,
    is_graded,
    is_ranked,
    likely,
    meaning,
    name_score,
    words_of,
)
from ndcg_sql.reading.json_lists import LISTED
from ndcg_sql.reading.layouts import Reading
from ndcg_sql.reading.profile import ColumnProfile, Profile, profile_of
from ndcg_sql.reading.sources import Source, Streams
from ndcg_sql.requests.clicks import LoadClicksRequest
from ndcg_sql.requests.fields import fields_of, method_of, stated
from ndcg_sql.requests.loading import LoadJudgmentsRequest, LoadRunRequest
from ndcg_sql.system.paths import STDIN, argument
from ndcg_sql.text import listed, quoted
from ndcg_sql.wording import FILE, Blank, Part, Text, Wording, call, joined, use

# The requests of the kinds that a file may have which was given as another one.
_OTHERS: Mapping[Kind, type] = {
    "judgments": LoadJudgmentsRequest,
    "run": LoadRunRequest,
    "clicks": LoadClicksRequest,
}
_RANKED: tuple[Kind, ...] = ("judgments", "run")
_LOOKS = {"run": "a run", "clicks": "a log of clicks"}
# The kinds of files whose lines TREC's judgments have.
_GRADED = ("judgments", "assessments", "known")
# Columns that a list can have beside its documents.
_BESIDE = ("score", "grade", "label", "rank")
# Lines of so many fields, separated by blanks, are those of TREC.
_WIDTHS: Mapping[int, Kind] = {4: "judgments", 6: "run"}
# The places of the grade and the score in these lines.
_NUMBERS = {"judgments": "4", "run": "5"}
# What stands for a grade that a judge did not give.
_NO_GRADE = ("", "nan", "null", "none", "n/a", "na")
_MOST_LABELS = 12
_MOST_RUNS = 50
_LONG_TEXT = 80
# A header with longer names than this is none.
_LONGEST_NAME = 200
# How many columns are looked at as queries, as documents, and in pairs.
_PAIRED = 6
# The share of rows that are twice which may be so in one of several runs.
_TOLERATED = 0.1
# The share of the rows in which a column that tells runs apart has a value.
_FILLED = 0.9
# The least score of a pair of columns.
_PAIR = 30


@dataclass
class Proposal:
    """What is likely to load a file: fields of the request for a kind, and why."""

    kind: Kind
    fields: dict[str, object] = field(default_factory=dict[str, object])
    facts: list[Wording] = field(default_factory=list[Wording])


def add_proposal(
    error: NdcgSqlError,
    request: type,
    options: object,
    reading: Reading,
    source: Source,
    argument: object | None,
    is_alone: bool = True,
) -> None:
    """Add the command that loads a file to the error that refuses it, if it is likely.

    options have the fields of the request; argument is what a call names the file by,
    or None if it cannot name it. A file that is not alone gets only what to add.
    """
    error.change(lambda text: naming_in(text, argument))
    if not error.needs or getattr(options, "rows_of", None):
        return
    kind = cast("Kind", method_of(request).removeprefix("load_"))
    stated_options = stated(request, options)
    if not getattr(options, "is_rule_chosen", True):
        stated_options.pop("position_rule", None)
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
        allowed = {field.name for field in fields_of(_OTHERS[other])}
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
    first = _first_line(Text(error.refusal.what))
    text = joined([first, *facts, end], "\n" if facts else "; ")
    if other and error.refusal.remedy:
        text += Text("\notherwise, ", error.refusal.remedy)
    error.refusal = replace(error.refusal, what=text, remedy="")


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
        is_str = isinstance(part, str)
        parts.append(part.partition("\n")[0] if is_str else part)
        if is_str and "\n" in part:
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


def proposed(
    profile: Profile, kind: Kind, options: Mapping[str, object], needs: Collection[str]
) -> Proposal | None:
    """Return what is likely to load a file that was refused; None if nothing is.

    needs are the fields that may get past the refusal, "kind" if it may be a file of
    another kind.
    """
    if profile.width:
        return _of_width(profile, kind, options, needs)
    if any(len(name) > _LONGEST_NAME for name in profile.columns):
        return None
    has_documents = kind in ("judgments", "run", "assessments")
    if "kind" in needs and has_documents and _is_log(profile):
        roles = {
            role: likely(role, profile.columns, "clicks") for role in NEEDED["run"]
        }
        unusual = {r: n for r, n in roles.items() if n and meaning(n, "clicks") != r}
        fields: dict[str, object] = {"columns": unusual} if unusual else {}
        return Proposal("clicks", fields, [_looks_like("clicks")])
    own = _Chooser(profile, kind, options)
    proposal = own.proposal(needs)
    if "kind" in needs and (proposal is None or own.is_doubtful):
        for other in _RANKED:
            chooser = _Chooser(profile, other, options)
            placed = chooser.proposal(needs)
            # Where no name is missing, content says what the rows are.
            is_certain = kind == "documents" or "score" in chooser.roles
            has_number = chooser.has_number or ("columns" not in needs and is_certain)
            if other != kind and placed is not None and has_number:
                placed.facts.insert(0, _looks_like(other))
                return placed
    if proposal is None or (own.is_blank and [*proposal.fields] == ["columns"]):
        return None
    return proposal if proposal.fields.keys() & {*needs} else None


def _of_width(
    profile: Profile, kind: Kind, options: Mapping[str, object], needs: Collection[str]
) -> Proposal | None:
    """Return what loads lines of another number of fields than the kind has."""
    other = _WIDTHS.get(profile.width)
    if other not in (None, kind) and (other == "run" or kind not in _GRADED):
        facts = [*_facts_of(profile.fields), _looks_like(other)]
        return Proposal(other, {**profile.fields}, facts)
    if "query" in needs and (kind, profile.width) in (("run", 1), ("judgments", 2)):
        fact = "it looks like documents of one query"
        return Proposal(kind, {"query": Blank("ID")}, [fact])
    if other is not None and {"labels", "decimal"} & {*needs}:
        number = profile.columns[_NUMBERS[other]]
        return _Chooser(profile, kind, options).of_lines(number)
    named = {name for name in profile.fields if name in needs}
    facts = _facts_of(profile.fields)
    return Proposal(kind, {**profile.fields}, facts) if named else None


def _looks_like(kind: Kind) -> str:
    return f"it looks like {_LOOKS.get(kind, kind)}"


def _is_log(profile: Profile) -> bool:
    meanings = {meaning(name, "clicks") or folded(name) for name in profile.columns}
    is_placed = bool({"position", "event_attributes"} & meanings)
    of_others = {meaning(name, "judgments") for name in profile.columns}
    return "action" in meanings and is_placed and "grade" not in of_others


def _facts_of(fields: Mapping[str, str]) -> list[Wording]:
    """Return what fields of a profile say of a text."""
    facts: list[Wording] = []
    if "encoding" in fields:
        facts.append("the text is Windows-1252, not UTF-8")
    if "format_in" in fields:
        facts.append(f"the format is {fields['format_in'].upper()}")
    return facts


class _Chooser:
    """Chooses the columns of a file by their names and their content."""

    def __init__(
        self, profile: Profile, kind: Kind, options: Mapping[str, object]
    ) -> None:
        self._profile, self._options = profile, options
        self._kind: Kind = kind
        self._columns = profile.columns
        named = cast("Mapping[str, str]", options.get("columns", {}))
        self.roles = {
            role: name
            for role, name in named.items()
            if name in self._columns and role in COLUMNS[kind]
        }
        self._stated = {*self.roles}
        if kind in _GRADED and self._columns.keys() >= BEIR:
            self.roles.setdefault("grade", "score")
            self._stated.add("grade")
        self._proposal = Proposal(kind)
        self._blanks: dict[str, object] = {}

    def proposal(self, needs: Collection[str]) -> Proposal | None:
        """Return what loads the file; None if it lacks what the kind needs."""
        kind, proposal, options = self._kind, self._proposal, self._options
        of_text = {k: v for k, v in self._profile.fields.items() if k not in options}
        proposal.fields |= of_text
        proposal.facts += _facts_of(of_text)
        if "doc_id" in COLUMNS[kind] and "query_id" in COLUMNS[kind]:
            self._choose_pair()
        else:
            role = "query_id" if kind == "queries" else "doc_id"
            self._take(role, self._by_name(role) or self._unique())
        if "query" in options:
            self.roles.setdefault("query_id", "")
        if not {"query_id", "doc_id"} & {*NEEDED[kind]} <= self.roles.keys():
            return None
        choose = {"run": self._of_run, "judgments": self._of_judgments}
        choose["assessments"] = self._of_assessments
        if kind in choose and not choose[kind]():
            return None
        if kind == "queries":
            texts = (one.name for one in self._free() if not one.is_number)
            self._take("text", likely("text", texts, kind))
            self._take("weight", self._by_name("weight"))
        number = next((r for r in ("score", "grade", "weight") if r in self.roles), "")
        if column := self._columns.get(self.roles.get(number, "")):
            self._add_decimal(column)
        columns = {**self._unusual(), **self._blanks}
        if columns:
            proposal.fields["columns"] = columns
            if "columns" not in needs:
                names = listed(role for role in columns if role in self.roles)
                proposal.facts.insert(0, f"no usual name of a column for {names}")
        return proposal

    def of_lines(self, number: ColumnProfile) -> Proposal | None:
        """Return what loads lines without names of columns, with these numbers."""
        self._add_decimal(number)
        if self._kind != "run":
            self._label(number)
        return self._proposal if self._proposal.fields else None

    def _add_decimal(self, column: ColumnProfile) -> None:
        if column.has_commas and "decimal" not in self._options:
            self._proposal.fields["decimal"] = ","
            first = column.commas[0]
            fact = "numbers have decimal commas"
            fact = fact if "," in first else "points separate thousands"
            self._proposal.facts.append(f"{fact}, such as {first}")

    @property
    def is_doubtful(self) -> bool:
        """Whether only values show which column is described, not its name."""
        role = "doc_id" if self._kind == "documents" else "query_id"
        name = self.roles.get(role)
        is_described = self._kind in ("queries", "documents", "known")
        return is_described or not name or not name_score(role, name, self._kind)

    @property
    def is_blank(self) -> bool:
        """Whether the user must name whatever is missing."""
        return not self._unusual()

    @property
    def has_number(self) -> bool:
        """Whether a column is a score, rank or grade by its name, or by its labels."""
        for role in ("score", "rank") if self._kind == "run" else ("grade",):
            one = self._columns.get(self.roles.get(role, ""))
            if one and (self._score(role, one) >= LIKELY or _scale(one.texts)):
                return True
        return False

    @property
    def _actions(self) -> list[str]:
        """The columns that say what users did."""
        names = (name for name in self._columns if not is_graded(name))
        return [name for name in names if meaning(name, "clicks") == "action"]

    def _unusual(self) -> dict[str, str]:
        """Return the columns that must be named: those without their usual name."""
        unusual: dict[str, str] = {}
        document = self.roles.get("doc_id", "")
        for role, name in self.roles.items():
            if role in self._stated or not name:
                continue
            column = self._columns[name]
            of_list = column.is_list and "." in name
            leaf = name.rpartition(".")[2] if of_list else name
            means = {role, "label"} if role == "grade" else {role}
            is_usual = meaning(leaf, self._kind) in means
            if of_list and role == "doc_id":
                key = name.partition(".")[0]
                is_usual = key in LISTED.get(self._kind, ()) and (
                    is_usual or leaf in ("id", "_id")
                )
            elif column.is_list and role == "doc_id":
                is_usual = name in LISTED.get(self._kind, ())
            elif of_list and "doc_id" in self._stated:
                is_usual = False
            rivals = [
                one
                for one in self._columns
                if one not in (name, *self.roles.values())
                and meaning(one, self._kind) == role
            ]
            if not is_usual or (rivals and folded(name) != role):
                unusual[role] = name
        if "doc_id" not in unusual and document and self._columns[document].is_list:
            # Only a list that is named has others beside it.
            beside = [name for role, name in unusual.items() if role in _BESIDE]
            if any("." not in name for name in beside):
                unusual["doc_id"] = document
        return unusual

    def _score(self, role: str, column: ColumnProfile) -> int:
        return name_score(role, column.name, self._kind)

    def _take(self, role: str, name: str | None) -> None:
        if name is not None:
            self.roles.setdefault(role, name)

    def _free(self) -> list[ColumnProfile]:
        used = {*self.roles.values()}
        return [one for one in self._columns.values() if one.name not in used]

    def _by_name(self, role: str) -> str | None:
        return likely(role, (one.name for one in self._free()), self._kind)

    def _unique(self) -> str | None:
        """Return the first free column in which no value stands twice."""
        for one in self._free():
            is_id = not (one.is_list or one.is_date or one.is_decimal)
            if is_id and len(one.texts) == len(one.values) > 1:
                return one.name
        return None

    def _choose_pair(self) -> None:
        """Choose the columns of queries and documents together.

        Names count first; then that a query has several rows in a row, and that a
        document stands once in a query.
        """
        if "query" in self._options:
            self._take("doc_id", self._by_name("doc_id") or self._unique())
            return
        sides = [self._candidates("query_id"), self._candidates("doc_id")]
        best: tuple[float, str, str] | None = None
        for query_score, query in sides[0]:
            for doc_score, document in sides[1]:
                if query is document:
                    continue
                score = query_score + doc_score + self._pair_score(query, document)
                if best is None or score > best[0]:
                    best = (score, query.name, document.name)
        if best and best[0] > _PAIR:
            self._take("query_id", best[1])
            self._take("doc_id", best[2])

    def _candidates(self, role: str) -> list[tuple[float, ColumnProfile]]:
        """Return the columns that may be the queries or documents, the likely ones."""
        scored: list[tuple[float, int, ColumnProfile]] = []
        for at, one in enumerate(self._columns.values()):
            if role in self.roles:
                if self.roles[role] == one.name:
                    scored.append((200, -at, one))
                continue
            if one.name in self.roles.values() or not one.filled:
                continue
            if one.is_list and role == "query_id":
                continue
            score: float = self._score(role, one)
            score -= 100 * (one.is_date or one.is_decimal)
            score -= 30 * has_word(one.name.rpartition(".")[2], "other")
            score -= 60 * any(self._score(r, one) >= CLEAR for r in ("grade", "rank"))
            if meaning(one.name, self._kind) not in (None, role):
                score -= 300
            if role == "doc_id" and one.length > _LONG_TEXT:
                score -= 60
            scored.append((score, -at, one))
        best = sorted(scored, key=lambda entry: entry[:2], reverse=True)
        return [(score, one) for score, _, one in best[:_PAIRED]]

    def _pair_score(self, query: ColumnProfile, document: ColumnProfile) -> float:
        if document.is_list:
            return self._list_score(query, document)
        if len(query.values) != len(document.values):
            return -100
        return self._rows_score(query, document)

    def _list_score(self, query: ColumnProfile, document: ColumnProfile) -> float:
        """Return how likely a list is that of the documents of a query a row."""
        mine, other = "retrieved", "relevant"
        if self._kind != "run":
            mine, other = other, mine
        is_mine = has_word(document.name, mine)
        score = 40.0 + 60 * is_mine
        score -= 80 * (has_word(document.name, other) and not is_mine)
        rows = {*document.rows}
        pairs = zip(query.values, query.rows, strict=True)
        values = [value for value, row in pairs if row in rows]
        if len(values) > 2:
            score += 30 * (len({*values}) / len(values)) - 15
        # An id beside the text of a question is what other files name it by.
        named = [name for name in self._columns if name.lower().endswith("_id")]
        score += 80 * (query.name.lower() in ("id", "_id") and named in ([], ["_id"]))
        return score

    def _rows_score(self, query: ColumnProfile, document: ColumnProfile) -> float:
        """Return how likely rows have one column's documents of another's queries."""
        count = len(query.values)
        names = [*self._columns]
        score = 6.0 * (names.index(query.name) < names.index(document.name))
        score += 15 * (query.changes < 0.6 * count and len(query.texts) > 1)
        score += 15 * len(set(zip(query.values, document.values, strict=True))) / count
        score += 10 * (len(document.texts) > len(query.texts))
        others = [one for one in self._columns.values() if one not in (query, document)]
        if self._score("doc_id", document) < CLEAR:
            score -= 60 * _is_rank(query, document)
        score += 25 * any(_is_rank(query, one) for one in others)
        falling = (_falling(query, one) for one in others if one.is_decimal)
        score += 10 * any(share > 0.98 for share in falling)
        score -= 20 * (len(document.texts) < 2 or (len(query.texts) < 2 and count > 20))
        return score

    def _beside(self) -> list[ColumnProfile]:
        """Return the free columns with a value for each document."""
        document = self._columns[self.roles["doc_id"]]
        key = document.name.rpartition(".")[0]
        return [
            one
            for one in self._free()
            if one.filled
            and one.is_list == document.is_list
            and (not one.is_list or len(one.values) == len(document.values))
            and (not one.is_list or one.name.rpartition(".")[0] in (key, ""))
        ]

    def _of_run(self) -> bool:
        """Choose the score or the ranks, and the runs; return false for no run."""
        query = self._columns.get(self.roles["query_id"])
        document = self._columns[self.roles["doc_id"]]
        beside = self._beside()
        if "score" not in self.roles and query is not None:
            numbers = [one for one in beside if one.is_number and not one.is_date]
            ranks = [
                one
                for one in numbers
                if one.is_whole
                and not self._score("score", one)
                and (_is_rank(query, one) or self._score("rank", one) >= CLEAR)
            ]
            scored: list[tuple[float, str]] = []
            for one in numbers:
                by_name = self._score("score", one)
                falls = 0.0 if document.is_list else _falling(query, one)
                is_other = has_word(one.name, "other") or self._score("weight", one) > 0
                is_other = is_other or has_word(one.name, "distance")
                if one in ranks or is_other or (one.is_whole and not by_name):
                    continue
                if by_name or falls >= 0.9:
                    scored.append((by_name + 30 * falls, one.name))
            grades = [one for one in beside if self._score("grade", one) >= CLEAR]
            left = [
                one
                for one in numbers
                if not has_word(one.name, "other")
                and "id" not in words_of(one.name)
                and not self._score("weight", one)
            ]
            if scored:
                self._take("score", max(scored)[1])
            elif ranks:
                self._take("rank", ranks[0].name)
                self._order("ranks")
            elif not document.is_list and grades:
                return False
            elif not document.is_list and len(left) == len(beside) == 1:
                self._take("score", left[0].name)
            elif not document.is_list and _is_sorted(query) and not numbers:
                self._order("the order of the rows")
            elif not document.is_list and "position_rule" not in self._options:
                self._blanks["score"] = Blank("NAME")
        self._choose_runs()
        return True

    def _order(self, by: str) -> None:
        if "position_rule" not in self._options:
            self._proposal.fields["position_rule"] = "given"
            self._proposal.facts.append(f"no scores, so positions are by {by}")

    def _choose_runs(self) -> None:
        """Choose the columns that tell runs apart, and a date in front of them."""
        options, proposal = self._options, self._proposal
        pattern = cast("str | None", options.get("name"))
        if options.get("run_column") == NO_RUNS or ("prefix" in options and pattern):
            return
        usual = [one for one in self._free() if meaning(one.name, "run") == "run"]
        named = [*usual[:1]]
        if column := self._columns.get(cast("str", options.get("run_column", ""))):
            named = [column]
        if pattern and "{" in pattern:
            named = [
                *(
                    one
                    for one in self._columns.values()
                    if f"{{{one.name}}}" in pattern
                ),
                *(named if "{run}" in pattern else ()),
            ]
        added = self._apart(named)
        date = self._date([*named, *added])
        if not added and len(usual) > 1 and not pattern and "run_column" not in options:
            proposal.fields["run_column"] = usual[0].name
            return
        if not added:
            return
        if not named and len(added) == 1 and date is None and not pattern:
            proposal.fields["run_column"] = added[0].name
        else:
            fields = [_in_pattern(one.name) for one in (*named, *added)]
            if pattern and "{" not in pattern:
                fields = [f"{pattern}-{'/'.join(fields)}"]
            elif pattern:
                fields = [pattern, *fields[len(named) :]]
            elif date is not None:
                fields.insert(0, _in_pattern(date.name))
            proposal.fields["name"] = "/".join(fields)
            if "run_column" in options and not usual:
                proposal.fields["run_column"] = None
        names = " and ".join(quoted(one.name) for one in (*named, *added))
        fact = f"{names} tell{'s' * (len(named) + len(added) == 1)} runs apart"
        if len(added) == 1:
            fact += f": {listed(added[0].texts, 3)}"
        proposal.facts.append(fact)

    def _apart(self, named: Sequence[ColumnProfile]) -> list[ColumnProfile]:
        """Return the columns that tell rows of one query and document apart.

        named are those that tell runs apart already. Chunks of documents are no runs.
        """
        free = [
            one
            for one in self._free()
            if not one.is_list
            and one not in named
            and 1 < len(one.texts) <= _MOST_RUNS
            and len(one.filled) >= _FILLED * self._profile.row_count
            and not one.is_decimal
            and not has_word(one.name, "piece")
        ]
        engines = [] if named else [one for one in free if self._score("run", one)]
        engines = [one for one in engines if not one.is_number][:1]
        twice = self._twice([*named, *engines])
        if not twice or self._columns[self.roles["doc_id"]].is_list:
            return engines
        free = [one for one in free if one not in engines]
        free.sort(key=lambda one: (not has_word(one.name, "replicate"), one.is_date))
        for columns in [*combinations(free, 1), *combinations(free[:_PAIRED], 2)]:
            if self._twice([*named, *engines, *columns]) <= _TOLERATED * twice:
                return [*engines, *columns]
        return engines

    def _twice(self, columns: Sequence[ColumnProfile]) -> int:
        """Return how many rows repeat a document of a query, where columns agree."""
        roles = ("query_id", "doc_id")
        pair = [self._columns[name] for r in roles if (name := self.roles[r])]
        values = [one.values for one in (*pair, *columns)]
        if len({*map(len, values)}) != 1:
            return 0
        return len(values[0]) - len({*zip(*values, strict=True)})

    def _date(self, columns: Sequence[ColumnProfile]) -> ColumnProfile | None:
        """Return the only date, if each run has one: exports of other days differ."""
        dates = [one for one in self._free() if one.is_date and one not in columns]
        if len(dates) != 1 or len(dates[0].texts) != 1:
            return None
        return dates[0] if len(dates[0].filled) == self._profile.row_count else None

    def _of_judgments(self) -> bool:
        """Choose the grade, labels and subtopics; return false for no judgments."""
        document = self._columns[self.roles["doc_id"]]
        if not self._choose_grade():
            free = self._beside()
            if any(is_ranked(one.name) for one in free):
                return False
            if not document.is_list and "grade" not in self._options:
                self._proposal.fields["grade"] = 1
                self._proposal.facts.append("each row is a relevant document")
                if self._actions:
                    self._proposal.fields["where"] = {self._actions[0]: Blank("VALUE")}
                    values = listed(self._columns[self._actions[0]].texts, 5)
                    self._proposal.facts[-1] += f" of one action: {values}"
        if not document.is_list and self._twice([]):
            self._take("subtopic", self._by_name("subtopic"))
        return True

    def _choose_grade(self) -> bool:
        """Choose the grade and its labels; return whether there is a grade."""
        if "grade" not in self.roles and "label" not in self.roles:
            scored: list[tuple[float, str]] = []
            free = [one for one in self._beside() if not one.is_date]
            free = [one for one in free if not has_word(one.name, "other")]
            free = [one for one in free if one.name not in self._actions]
            for one in free:
                score: float = self._score("grade", one)
                score = max(score, self._score("label", one))
                is_scale = _scale(one.texts) is not None
                is_few = len(one.texts) <= _MOST_LABELS
                if not one.is_number and (not is_few or not (score or is_scale)):
                    continue
                if score or is_scale:
                    scored.append((score + 25 * is_scale + 5 * is_few, one.name))
            is_few = len(free) == 1 and len(free[0].texts) <= _MOST_LABELS
            if not scored and is_few and not self._is_other_number(free[0]):
                scored = [(0, free[0].name)]
            if not scored:
                return False
            self._take("grade", max(scored)[1])
            if "grade" in self._options:
                self._proposal.fields["grade"] = None
        grade = self._columns[self.roles.get("grade") or self.roles["label"]]
        self._label(grade)
        return True

    def _is_other_number(self, column: ColumnProfile) -> bool:
        """Return whether a column has numbers that are hardly grades."""
        by_name = any(self._score(role, column) for role in ("score", "rank", "weight"))
        return by_name or column.is_decimal

    def _label(self, *columns: ColumnProfile) -> None:
        """Add grades of the labels in columns that have none yet.

        Where nearly all values are numbers, another word is a mistake.
        """
        options = cast("Mapping[str, float]", self._options.get("labels", {}))
        labels: dict[str, None] = {}
        for one in columns:
            others = {*one.commas, *options}
            for value, as_number in zip(one.values, one.numbers, strict=True):
                text = value.strip()
                is_typo = one.is_number and text.lower() not in _NO_GRADE
                if as_number is None and text not in others and not is_typo:
                    labels[text] = None
        if not labels or len(labels) > 2 * _MOST_LABELS:
            return
        grades, alike = _grades([*labels], options)
        self._proposal.fields["labels"] = grades
        words = sorted(label for label in labels if label)
        if words:
            self._proposal.facts.append(f"the grades are words: {listed(words)}{alike}")
        if "" in labels:
            self._proposal.facts.append("an empty grade means unjudged")

    def _of_assessments(self) -> bool:
        """Choose the grade and the assessor, or the grades of each assessor."""
        usual = [
            o for o in self._free() if meaning(o.name, "assessments") == "assessor"
        ]
        is_given = {"assessor", "assessor_columns"} & self._options.keys()
        if not usual and not is_given and "assessor" not in self.roles:
            self._take("assessor", self._by_name("assessor"))
        elif usual:
            self._take("assessor", usual[0].name)
        beside = [one for one in self._beside() if not one.is_date]
        if "assessor" not in self.roles and not is_given:
            beside = [one for one in beside if not has_word(one.name, "other")]
            wide = [one.name for one in beside if one.is_number]
            if not wide:
                # Assessors use the same words.
                few = [one for one in beside if len(one.texts) <= _MOST_LABELS]
                wide = [
                    one.name
                    for one in few
                    if any({*one.texts} & {*o.texts} for o in few if o is not one)
                ]
            apart = [
                one.name
                for one in self._apart([])
                if not (one.is_date or is_graded(one.name))
            ]
            if len(wide) > 1 and not self._twice([]):
                self._proposal.fields["assessor_columns"] = wide
                each = f"each assessor has a column of grades: {listed(wide)}"
                self._proposal.facts.append(each)
                filled = (self._columns[name].filled for name in wide)
                self._label(*(ColumnProfile("", texts) for texts in filled))
                return True
            self._take("assessor", next(iter(apart), None))
            if "assessor" not in self.roles:
                self._proposal.fields["assessor"] = Blank("NAME")
                self._proposal.facts.append(
                    "no column names the assessor; if the file is named after the"
                    " assessor: " + use(assessor_from="file")
                )
        if not self._choose_grade():
            if any(self._score("score", one) >= CLEAR for one in beside):
                return False
            self._blanks["grade"] = Blank("NAME")
        return True


def _in_pattern(column: str) -> str:
    """Return a column as a pattern of names has it."""
    return "{" + ("run" if re.search("[{}]", column) else column) + "}"


def _within(query: ColumnProfile, column: ColumnProfile) -> list[tuple[float, float]]:
    """Return the numbers of a column before and after each step within a query."""
    if len(query.values) != len(column.values):
        return []
    rows = zip(query.values, column.numbers, strict=True)
    return [
        (before[1], after[1])
        for before, after in pairwise(rows)
        if before[0] == after[0] and before[1] is not None and after[1] is not None
    ]


def _is_rank(query: ColumnProfile, column: ColumnProfile) -> bool:
    """Return whether whole numbers count up within each query."""
    if not column.is_whole or column.is_list:
        return False
    steps = _within(query, column)
    return bool(steps) and sum(b + 1 == a for b, a in steps) > 0.98 * len(steps)


def _falling(query: ColumnProfile, column: ColumnProfile) -> float:
    """Return the share of steps within a query in which numbers fall."""
    if column.commas:
        texts = [v.replace(".", "").replace(",", ".") for v in column.values]
        column = ColumnProfile(column.name, texts)
    steps = _within(query, column)
    return (
        sum(after <= before for before, after in steps) / len(steps) if steps else 0.0
    )


def _is_sorted(query: ColumnProfile) -> bool:
    """Return whether the rows of each query, mostly several, follow each other."""
    return query.changes + 1 == len(query.texts) < len(query.values) / 1.5


def _scale(labels: Iterable[str]) -> list[str] | None:
    """Return the usual scale that labels belong to, from the worst one, or None."""
    texts = {label.strip().lower() for label in labels} - {*_NO_GRADE}
    for row in sql_files.rows("read/scales"):
        scale = row["labels"].lower().split("|")
        if len(texts) > len(scale) / 2 and texts <= {*scale}:
            return scale
    return None


def _grades(
    labels: Sequence[str], options: Mapping[str, float]
) -> tuple[dict[str, object], str]:
    """Return the grade of each label, and a note on those that have one like it.

    It is that of the label in another case, that of a usual scale, or to be filled in.
    """
    grades: dict[str, object] = {}
    alike: list[str] = []
    folded_labels = {label.casefold(): label for label in options}
    for label in options:
        if options[label] != options[folded_labels.get(label.casefold(), label)]:
            del folded_labels[label.casefold()]
    scale = _scale([*labels, *options]) if not options else None
    for label in sorted(labels):
        key = label.strip().lower()
        if key in _NO_GRADE:
            grades[label] = -1
        elif label.casefold() in folded_labels:
            alike.append(folded_labels[label.casefold()])
            grade = options[alike[-1]]
            grades[label] = int(grade) if grade == int(grade) else grade
        elif scale:
            grades[label] = scale.index(key)
        else:
            grades[label] = Blank("GRADE")
    have = "has" if len(alike) == 1 else "have"
    return grades, f", as {listed(alike)} {have}" if alike else ""
