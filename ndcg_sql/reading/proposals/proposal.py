"""A proposal as it grows: what each column of a file is, and the facts that say so."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ndcg_sql.reading.columns import (
    BEIR,
    COLUMNS,
    Kind,
    folded,
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
