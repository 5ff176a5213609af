"""A proposal as it grows: what each column of a file is, and the facts that say so.

The columns of queries and documents are chosen together: names count first; then that a
query has several rows in a row, and that a document stands once in a query.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ndcg_sql.reading.columns import (
    BEIR,
    CLEAR,
    COLUMNS,
    Kind,
    folded,
    has_word,
    is_graded,
    likely,
    meaning,
    name_score,
)
from ndcg_sql.reading.nested import LISTED
from ndcg_sql.reading.profile import ColumnProfile, Profile
from ndcg_sql.text import listed, quoted
from ndcg_sql.wording import Blank, Wording

# The kinds of files whose rows may have grades.
GRADED = ("judgments", "assessments", "known")
# How many labels a scale has at most.
MOST_LABELS = 12
# How many columns are looked at as queries and as documents.
_LOOKED_AT = 6
_LONG_TEXT = 80
# The least score of a pair.
_PAIR = 30
_Scored = tuple[float, ColumnProfile]


@dataclass
class Proposal:
    """What is likely to load a file as a kind: fields of its request, and why.

    options are the fields that the user gave. roles are the columns of the file that
    are chosen; those of stated need not be named, and what the user must name is in
    blanks.
    """

    profile: Profile
    kind: Kind
    options: Mapping[str, Any]
    fields: dict[str, object] = field(default_factory=dict[str, object])
    facts: list[Wording] = field(default_factory=list[Wording])
    blanks: dict[str, object] = field(default_factory=dict[str, object])
    roles: dict[str, str] = field(init=False)
    stated: set[str] = field(init=False)

    def __post_init__(self) -> None:
        """Take the columns that the user named, and those that BEIR names."""
        self.roles = {
            role: name
            for role, name in self.options.get("columns", {}).items()
            if name in self.columns and role in COLUMNS[self.kind]
        }
        if self.profile.fields.get("format_in") == "msmarco":
            # Ids and their texts, without a header.
            ids = "doc_id" if self.kind == "documents" else "query_id"
            self.roles |= {ids: "1", "text": "2"}
        self.stated = {*self.roles}
        if self.kind in GRADED and self.columns.keys() >= BEIR:
            self.roles.setdefault("grade", "score")
            self.stated.add("grade")

    @property
    def columns(self) -> dict[str, ColumnProfile]:
        """The columns of the file by name."""
        return self.profile.columns

    @property
    def document(self) -> ColumnProfile:
        """The column of the documents."""
        return self.columns[self.roles["doc_id"]]

    @property
    def actions(self) -> list[str]:
        """The columns that say what users did."""
        names = (name for name in self.columns if not is_graded(name))
        return [name for name in names if meaning(name, "clicks") == "action"]

    def score(self, role: str, column: ColumnProfile) -> int:
        """Return how clearly a column's name says that it has a role."""
        return name_score(role, column.name, self.kind)

    def take(self, role: str, name: str | None) -> None:
        """Give a column a role, unless another one has it."""
        if name is not None:
            self.roles.setdefault(role, name)

    def free(self) -> list[ColumnProfile]:
        """Return the columns without a role."""
        used = {*self.roles.values()}
        return [one for one in self.columns.values() if one.name not in used]

    def by_name(self, role: str) -> str | None:
        """Return the free column whose name says a role the most clearly."""
        return likely(role, (one.name for one in self.free()), self.kind)

    def unique(self) -> str | None:
        """Return the first free column in which no value stands twice."""
        for one in self.free():
            is_id = not (one.is_list or one.is_date or one.is_decimal)
            if is_id and len(one.texts) == len(one.values) > 1:
                return one.name
        return None

    def beside(self) -> list[ColumnProfile]:
        """Return the free columns with a value for each document."""
        document = self.document
        return [
            one
            for one in self.free()
            if one.filled
            and one.is_list == document.is_list
            and (not one.is_list or len(one.values) == len(document.values))
            and (not one.is_list or one.key in (document.key, one.name))
        ]

    def repeated(self, *columns: ColumnProfile) -> int:
        """Return how many rows repeat a document of a query, where columns agree."""
        pair = [self.roles["query_id"], self.roles["doc_id"]]
        named = [self.columns[name] for name in pair if name]
        values = [one.values for one in (*named, *columns)]
        if len({*map(len, values)}) != 1:
            return 0
        return len(values[0]) - len({*zip(*values, strict=True)})

    def lack(self, role: str) -> None:
        """Leave the column of a role to the user, and say which names are no help."""
        self.blanks[role] = Blank("NAME")
        for name in self.profile.twice:
            self.facts.append(f"several columns are called {quoted(name)}; rename them")

    def add_text(self) -> None:
        """Add how the text must be read, as its profile has it."""
        fields = {k: v for k, v in self.profile.fields.items() if k not in self.options}
        self.fields |= fields
        if "encoding" in fields:
            self.facts.append("the text is Windows-1252, not UTF-8")
        if fields.get("format_in") == "msmarco":
            self.facts.append("there is no header: each line is an id and a text")
        elif "format_in" in fields:
            self.facts.append(f"the format is {fields['format_in'].upper()}")

    def add_decimal(self, column: ColumnProfile) -> None:
        """Add the mark of decimals, if the numbers of a column have commas."""
        if column.has_commas and "decimal" not in self.options:
            self.fields["decimal"] = ","
            first = column.commas[0]
            fact = "numbers have decimal commas"
            fact = fact if "," in first else "points separate thousands"
            self.facts.append(f"{fact}, such as {first}")

    def add_columns(self, is_needed: bool) -> None:
        """Add the columns that must be named; say why, unless the refusal does."""
        if columns := {**self.unusual(), **self.blanks}:
            self.fields["columns"] = columns
            if not is_needed:
                names = listed(role for role in columns if role in self.roles)
                self.facts.insert(0, f"no usual name of a column for {names}")

    def unusual(self) -> dict[str, str]:
        """Return the columns that must be named: those without their usual name."""
        return {
            role: name
            for role, name in self.roles.items()
            if name and role not in self.stated and not self._is_usual(role, name)
        }

    def _is_usual(self, role: str, name: str) -> bool:
        """Return whether a column is read in its role without being named."""
        key = self.columns[name].key
        leaf = name[len(key) + 1 :] if key else name
        means = {role, "label"} if role == "grade" else {role}
        is_usual = meaning(leaf, self.kind) in means
        # Beside an id of a query, this is its text.
        is_usual = is_usual or (role == "text" and folded(name) == "query")
        if key and role == "doc_id":
            is_id = not leaf or is_usual or leaf in ("id", "_id")
            is_usual = key in LISTED.get(self.kind, ()) and is_id
        others = self.columns.keys() - {name, *self.roles.values()}
        has_rival = any(meaning(one, self.kind) == role for one in others)
        return is_usual and (not has_rival or folded(name) == role)


def choose_pair(proposal: Proposal) -> None:
    """Choose the columns of queries and documents, if any are likely."""
    if "query" in proposal.options:
        proposal.take("doc_id", proposal.by_name("doc_id") or proposal.unique())
        proposal.roles.setdefault("query_id", "")
        return
    best = (float(_PAIR), "", "")
    for (query_score, query), (doc_score, document) in product(
        _candidates(proposal, "query_id"), _candidates(proposal, "doc_id")
    ):
        if query is not document:
            score_of = _list_score if document.is_list else _rows_score
            score = query_score + doc_score + score_of(proposal, query, document)
            best = max(best, (score, query.name, document.name), key=lambda b: b[0])
    _, query_name, doc_name = best
    if doc_name:
        proposal.take("query_id", query_name)
        proposal.take("doc_id", doc_name)


def _candidates(proposal: Proposal, role: str) -> Sequence[_Scored]:
    """Return the columns that may be the queries or documents, the likely ones."""
    if name := proposal.roles.get(role):
        return [(200, proposal.columns[name])]
    scored: list[_Scored] = []
    for one in proposal.free():
        if not one.filled or (one.is_list and role == "query_id"):
            continue
        score: float = proposal.score(role, one)
        score -= 100 * (one.is_date or one.is_decimal)
        score -= 30 * has_word(one.name.rpartition(".")[2], "other")
        is_number = any(proposal.score(r, one) >= CLEAR for r in ("grade", "rank"))
        score -= 60 * is_number
        score -= 300 * (meaning(one.name, proposal.kind) not in (None, role))
        score -= 60 * (role == "doc_id" and one.length > _LONG_TEXT)
        scored.append((score, one))
    return sorted(scored, key=lambda entry: -entry[0])[:_LOOKED_AT]


def _list_score(
    proposal: Proposal, query: ColumnProfile, document: ColumnProfile
) -> float:
    """Return how likely a list is that of the documents of a query a row."""
    mine, other = "retrieved", "relevant"
    if proposal.kind != "run":
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
    named = [name for name in proposal.columns if name.lower().endswith("_id")]
    score += 80 * (query.name.lower() in ("id", "_id") and named in ([], ["_id"]))
    return score


def _rows_score(
    proposal: Proposal, query: ColumnProfile, document: ColumnProfile
) -> float:
    """Return how likely rows have one column's documents of another's queries."""
    count = len(query.values)
    if count != len(document.values):
        return -100
    names = [*proposal.columns]
    score = 6.0 * (names.index(query.name) < names.index(document.name))
    score += 15 * (query.changes + 1 < 0.6 * count and len(query.texts) > 1)
    score += 15 * len(set(zip(query.values, document.values, strict=True))) / count
    score += 10 * (len(document.texts) > len(query.texts))
    others = [o for o in proposal.columns.values() if o not in (query, document)]
    if proposal.score("doc_id", document) < CLEAR:
        score -= 60 * document.is_rank_within(query)
    score += 25 * any(one.is_rank_within(query) for one in others)
    falling = (one.falling_within(query) for one in others if one.is_decimal)
    score += 10 * any(share > 0.98 for share in falling)
    score -= 20 * (len(document.texts) < 2 or (len(query.texts) < 2 and count > 20))
    return score
