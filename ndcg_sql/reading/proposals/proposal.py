"""A proposal as it grows: what each column of a file is, and the facts that say so.

The columns of queries and documents are chosen together: names count first; then that a
query has several rows in a row, and that a document stands once in a query.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from ndcg_sql.database import sql_files
from ndcg_sql.reading import columns
from ndcg_sql.reading.columns import Kind
from ndcg_sql.reading.nested import LISTED
from ndcg_sql.reading.profile import ColumnProfile, Profile
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
# What stands for a grade that a judge did not give.
NO_GRADE = ("", "nan", "null", "none", "n/a", "na")


@dataclass
class Proposal:
    """What is likely to load a file as a kind: fields of its request, and why.

    options are the fields that the user gave. roles are the columns of the file that
    are chosen; those of stated need not be named.
    """

    profile: Profile
    kind: Kind
    options: Mapping[str, Any]
    fields: dict[str, Any] = field(default_factory=dict[str, Any])
    facts: list[Wording] = field(default_factory=list[Wording])
    roles: dict[str, str] = field(init=False)
    stated: set[str] = field(init=False)

    def __post_init__(self) -> None:
        """Take what the profile says, and the columns that users and BEIR name."""
        self.columns = self.profile.columns
        read = self.profile.fields.items()
        self.fields |= {name: text for name, text in read if name not in self.options}
        self.roles = {
            role: name
            for role, name in self.options.get("columns", {}).items()
            if name in self.columns and role in columns.COLUMNS[self.kind]
        }
        if self.profile.fields.get("format_in") == "msmarco":
            # Ids and their texts, without a header.
            ids = "doc_id" if self.kind == "documents" else "query_id"
            self.roles |= {ids: "1", "text": "2"}
        self.stated = {*self.roles}
        if self.kind in GRADED and self.columns.keys() >= columns.BEIR:
            self.roles.setdefault("grade", "score")
            self.stated.add("grade")

    @property
    def document(self) -> ColumnProfile:
        """The column of the documents."""
        return self.columns[self.roles["doc_id"]]

    def score(self, role: str, column: ColumnProfile) -> int:
        """Return how clearly a column's name says that it has a role."""
        return columns.name_score(role, column.name, self.kind)

    def is_grade(self, column: ColumnProfile) -> bool:
        """Return whether a column's name clearly says that it has grades."""
        return self.score("grade", column) >= columns.CLEAR

    def take(self, role: str, name: str | None) -> None:
        """Give a column a role, unless another one has it."""
        if name is not None:
            self.roles.setdefault(role, name)

    def free(self) -> list[ColumnProfile]:
        """Return the columns without a role."""
        used = {*self.roles.values()}
        return [column for name, column in self.columns.items() if name not in used]

    def by_name(self, role: str) -> str | None:
        """Return the free column whose name says a role the most clearly."""
        return columns.likely(role, (column.name for column in self.free()), self.kind)

    def unique(self) -> str | None:
        """Return the first free column in which no value stands twice."""
        for column in self.free():
            is_id = not (column.is_list or column.is_date or column.is_decimal)
            if is_id and len(column.texts) == len(column.values) > 1:
                return column.name
        return None

    def beside(self) -> list[ColumnProfile]:
        """Return the free columns with a value for each document."""
        document = self.document
        return [
            column
            for column in self.free()
            if column.filled
            and not column.is_date
            and not columns.has_word(column.name, "other")
            and column.is_list == document.is_list
            and (not column.is_list or len(column.values) == len(document.values))
            and (not column.is_list or column.key in (document.key, column.name))
        ]

    def repeated(self, *columns: ColumnProfile) -> int:
        """Return how many rows repeat a document of a query, where columns agree."""
        pair = [self.roles["query_id"], self.roles["doc_id"]]
        named = [self.columns[name] for name in pair if name]
        values = [column.values for column in (*named, *columns)]
        if len({*map(len, values)}) != 1:
            return 0
        return len(values[0]) - len({*zip(*values, strict=True)})

    @property
    def has_blank(self) -> bool:
        """Whether a field has a value that only the user knows."""
        values = [*self.fields.values()]
        for value in self.fields.values():
            values += value.values() if isinstance(value, dict) else []
        return any(isinstance(value, Blank) for value in values)

    def add_decimal(self, column: ColumnProfile) -> None:
        """Add the mark of decimals, if the numbers of a column have commas."""
        if column.has_commas and "decimal" not in self.options:
            self.fields["decimal"] = ","
            first = column.commas[0]
            fact = "numbers have decimal commas"
            fact = fact if "," in first else "points separate thousands"
            self.facts.append(f"{fact}, such as {first}")

    def add_columns(self) -> None:
        """Add the columns that must be named."""
        if columns := {**self.unusual(), **self.fields.get("columns", {})}:
            self.fields["columns"] = columns

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
        is_usual = columns.meaning(leaf, self.kind) in means
        # Beside an id of a query, this is its text.
        is_usual = is_usual or (role == "text" and columns.folded(name) == "query")
        if key and role == "doc_id":
            is_id = not leaf or is_usual or leaf in ("id", "_id")
            is_usual = key in LISTED.get(self.kind, ()) and is_id
        others = self.columns.keys() - {name, *self.roles.values()}
        has_rival = any(columns.meaning(other, self.kind) == role for other in others)
        return is_usual and (not has_rival or columns.folded(name) == role)


def scale_of(labels: Iterable[str]) -> list[str] | None:
    """Return the usual scale that labels belong to, from the worst one, or None."""
    texts = {label.strip().lower() for label in labels} - {*NO_GRADE}
    for row in sql_files.rows("read/scales"):
        scale = row["labels"].lower().split("|")
        if len(texts) > len(scale) / 2 and texts <= {*scale}:
            return scale
    return None


def choose_pair(proposal: Proposal) -> None:
    """Choose the columns of queries and documents, if any are likely."""
    if "query" in proposal.options:
        proposal.take("doc_id", proposal.by_name("doc_id") or proposal.unique())
        proposal.take("query_id", "")
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


def _candidates(proposal: Proposal, role: str) -> list[tuple[float, ColumnProfile]]:
    """Return the columns that may be the queries or documents, the likely ones."""
    if name := proposal.roles.get(role):
        return [(200, proposal.columns[name])]
    scored: list[tuple[float, ColumnProfile]] = []
    for column in proposal.free():
        if not column.filled or (column.is_list and role == "query_id"):
            continue
        score: float = proposal.score(role, column)
        score -= 100 * (column.is_date or column.is_decimal)
        score -= 30 * columns.has_word(column.name.rpartition(".")[2], "other")
        is_rank = proposal.score("rank", column) >= columns.CLEAR
        is_grade = proposal.is_grade(column) or scale_of(column.texts) is not None
        score -= 60 * (is_rank or is_grade)
        score -= 300 * (columns.meaning(column.name, proposal.kind) not in (None, role))
        is_long = sum(map(len, column.filled)) > _LONG_TEXT * len(column.filled)
        score -= 60 * (role == "doc_id" and is_long)
        scored.append((score, column))
    return sorted(scored, key=lambda entry: -entry[0])[:_LOOKED_AT]


def _list_score(
    proposal: Proposal, query: ColumnProfile, document: ColumnProfile
) -> float:
    """Return how likely a list is that of the documents of a query a row."""
    mine, other = "retrieved", "relevant"
    if proposal.kind != "run":
        mine, other = other, mine
    is_mine = columns.has_word(document.name, mine)
    score = 40.0 + 60 * is_mine
    score -= 80 * (columns.has_word(document.name, other) and not is_mine)
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
    if proposal.score("doc_id", document) < columns.CLEAR:
        score -= 60 * document.is_rank_within(query)
    score += 25 * any(other.is_rank_within(query) for other in others)
    falling = (other.falling_within(query) for other in others if other.is_decimal)
    score += 10 * any(share > 0.98 for share in falling)
    score -= 20 * (len(document.texts) < 2 or (len(query.texts) < 2 and count > 20))
    return score
