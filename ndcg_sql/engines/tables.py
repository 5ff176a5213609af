"""The user's tables: their names, and which of their columns mean what."""

import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import sqlglot
from sqlglot import exp

from ndcg_sql.errors import refusal
from ndcg_sql.measures.names import Measure
from ndcg_sql.text import listed
from ndcg_sql.wording import use

# The columns of the tables that may have other names.
_COLUMNS = {
    "rankings": ("query_id", "doc_id", "score", "position"),
    "judgments": ("query_id", "doc_id", "grade", "subtopic"),
    "queries": ("query_id",),
}
_NUMBERS = ("score", "position", "grade")
_PART = r'(?:[A-Za-z_]\w*|"[^"]+")'
_TABLE = re.compile(rf"{_PART}(?:\.{_PART}){{0,2}}")


@dataclass(frozen=True)
class Tables:
    """The user's tables of rankings, of judgments and, for slices, of queries.

    columns has the names of their columns by ours, such as query_id or, in one table,
    judgments.query_id. Without a run column, all rankings are one run. slices are the
    columns of queries whose values make slices. Raises NdcgSqlError for a bad name.
    """

    rankings: str
    judgments: str
    columns: Mapping[str, str] = field(default_factory=dict[str, str])
    run: str | None = None
    queries: str | None = None
    slices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if bool(self.queries) != bool(self.slices):
            what = "slices need both: a column, and the table of queries that has it"
            raise refusal("{by} and {queries}", what)
        for kind in _COLUMNS:
            table = getattr(self, kind)
            if table and not _TABLE.fullmatch(table):
                what, remedy = "not the name of a table", "write it like shop.results"
                raise refusal(use(**{kind: table}), what, remedy)
        columns = {ours.strip(): name.strip() for ours, name in self.columns.items()}
        object.__setattr__(self, "columns", columns)
        every = list(dict.fromkeys(itertools.chain(*_COLUMNS.values())))
        names = {*every, *(f"{k}.{name}" for k in _COLUMNS for name in _COLUMNS[k])}
        for ours, theirs in columns.items():
            if ours not in names or not theirs:
                what = "write it like query_id=user_id or judgments.query_id=user_id"
                remedy = f"the columns are {listed(every)}"
                raise refusal(use(columns={ours: theirs}), what, remedy)

    def _has(self, kind: str, column: str) -> bool:
        return not self.columns.keys().isdisjoint((column, f"{kind}.{column}"))

    @property
    def placed(self) -> bool:
        """Whether positions are given."""
        return self._has("rankings", "position")

    @property
    def of_subtopics(self) -> bool:
        """Whether each judgment is for a subtopic."""
        return self._has("judgments", "subtopic")

    def read_by(self, measures: Iterable[Measure]) -> "Tables":
        """Return the tables as measures read them: some need subtopics."""
        if not any("subtopics" in measure.family.needs for measure in measures):
            return self
        return replace(self, columns={"subtopic": "subtopic", **self.columns})

    def _column(self, kind: str, ours: str) -> str:
        """Return the user's name of a column."""
        if ours == "run" and self.run:
            return self.run
        is_ours = ours in _COLUMNS[kind]
        theirs = self.columns.get(ours, ours) if is_ours else ours
        return self.columns.get(f"{kind}.{ours}", theirs)

    def needed(self, kind: str, numbers: bool = False) -> list[str]:
        """Return the columns that a table must have, or their numbers alone."""
        others = {"score" if self.placed else "position"}
        others |= set() if self.of_subtopics else {"subtopic"}
        names = [
            self._column(kind, name)
            for name in _COLUMNS[kind]
            if name not in others and (name in _NUMBERS or not numbers)
        ]
        if not numbers:
            names += self.slices if kind == "queries" else ()
            names += [self.run] if kind == "rankings" and self.run else []
        return [name.strip('"') for name in names]

    def insert(self, tree: exp.Expr) -> None:
        """Put the user's tables and columns in place of given_rankings and others."""
        for column in tree.find_all(exp.Column):
            kind = column.table.removeprefix("given_")
            if kind != column.table:
                name = self._column(kind, column.name)
                plain = name.strip('"')
                quote = name != plain or None
                column.set("this", exp.to_identifier(plain, quoted=quote))
        for table in list(tree.find_all(exp.Table)):
            kind = table.name.removeprefix("given_")
            if kind != table.name:
                users = sqlglot.to_table(getattr(self, kind), dialect="duckdb")
                table.replace(exp.alias_(users, table.name, table=True))

    def without_run(self, tree: exp.Expr) -> None:
        """Name the only run, if no column names runs."""
        for column in list(tree.find_all(exp.Column)) if self.run is None else ():
            if column.table == "given_rankings" and column.name == "run":
                column.replace(exp.cast(exp.Literal.string("run"), "varchar"))
