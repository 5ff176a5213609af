"""The user's tables: their names, and which of their columns mean what."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import sqlglot
from sqlglot import exp

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.measures.names import Measure
from ndcg_sql.text import listed
from ndcg_sql.wording import named, use

_COLUMNS = {
    "rankings": ("run", "query_id", "doc_id", "score", "position"),
    "judgments": ("query_id", "doc_id", "grade", "subtopic"),
    "queries": ("query_id",),
}
_NUMBERS = ("score", "position", "grade")
_PART = r'(?:[A-Za-z_]\w*|"[^"]+")'
_TABLE = re.compile(rf"{_PART}(?:\.{_PART}){{0,2}}")


@dataclass(frozen=True)
class Tables:
    """The user's tables of rankings, of judgments and, for slices, of queries.

    columns has the names of their columns that are not ours, by table and by our
    name. Without a run column, all rankings are one run. slices are the columns of
    queries whose values make slices.
    """

    rankings: str
    judgments: str
    columns: Mapping[tuple[str, str], str] = field(
        default_factory=dict[tuple[str, str], str]
    )
    run: str | None = None
    queries: str | None = None
    slices: tuple[str, ...] = ()

    @classmethod
    def named(
        cls,
        rankings: str,
        judgments: str,
        columns: Sequence[str] = (),
        run: str | None = None,
        queries: str | None = None,
        slices: Sequence[str] = (),
    ) -> "Tables":
        """Return tables as options name them; raise NdcgSqlError for a bad name."""
        if bool(queries) != bool(slices):
            raise NdcgSqlError(
                named("by")
                + " and "
                + named("queries")
                + " belong together: a column, and the table of queries that has it"
            )
        tables = {"rankings": rankings, "judgments": judgments, "queries": queries}
        for name, table in tables.items():
            if table and not _TABLE.fullmatch(table):
                raise NdcgSqlError(
                    "not the name of a table",
                    "write it like shop.results",
                    where=use(**{name: table}),
                )
        renamed: dict[tuple[str, str], str] = {}
        for text in columns:
            ours, sign, theirs = text.partition("=")
            table, dot, column = ours.strip().rpartition(".")
            names = [table] if dot else list(_COLUMNS)
            places = [n for n in names if column in _COLUMNS.get(n, ())]
            if not sign or not theirs.strip() or not places or column == "run":
                every = dict.fromkeys(c for n in _COLUMNS for c in _COLUMNS[n])
                raise NdcgSqlError(
                    "write it like query_id=user_id or judgments.query_id=user_id",
                    f"the columns are {listed([c for c in every if c != 'run'])}",
                    where=use(columns={ours: theirs} if sign else [text]),
                )
            renamed.update({(place, column): theirs.strip() for place in places})
        if run:
            renamed["rankings", "run"] = run
        return cls(rankings, judgments, renamed, run, queries, tuple(slices))

    @property
    def placed(self) -> bool:
        """Whether positions are given."""
        return ("rankings", "position") in self.columns

    @property
    def of_subtopics(self) -> bool:
        """Whether each judgment is for a subtopic."""
        return ("judgments", "subtopic") in self.columns

    def read_by(self, measures: Iterable[Measure]) -> "Tables":
        """Return the tables as measures read them: some need subtopics."""
        if not any("subtopics" in measure.family.needs for measure in measures):
            return self
        return replace(
            self, columns={("judgments", "subtopic"): "subtopic", **self.columns}
        )

    def needed(self, kind: str, numbers: bool = False) -> list[str]:
        """Return the columns that a table must have, or their numbers alone."""
        others = {"score" if self.placed else "position"}
        others |= set() if self.run else {"run"}
        others |= set() if self.of_subtopics else {"subtopic"}
        names = [
            self.columns.get((kind, name), name)
            for name in _COLUMNS[kind]
            if name not in others and (name in _NUMBERS or not numbers)
        ]
        if kind == "queries" and not numbers:
            names += self.slices
        return [name.strip('"') for name in names]

    def without_run(self, tree: exp.Expr) -> None:
        """Name the only run, if no column names runs."""
        for column in list(tree.find_all(exp.Column)) if self.run is None else ():
            if column.table == "given_rankings" and column.name == "run":
                column.replace(exp.cast(exp.Literal.string("run"), "varchar"))

    def insert(self, tree: exp.Expr) -> None:
        """Put the user's tables and columns in place of given_rankings and others."""
        for column in tree.find_all(exp.Column):
            kind = column.table.removeprefix("given_")
            if kind != column.table:
                name = self.columns.get((kind, column.name), column.name)
                plain = name.strip('"')
                quote = name != plain or None
                column.set("this", exp.to_identifier(plain, quoted=quote))
        for table in list(tree.find_all(exp.Table)):
            kind = table.name.removeprefix("given_")
            if kind != table.name:
                users = sqlglot.to_table(getattr(self, kind), dialect="duckdb")
                table.replace(exp.alias_(users, table.name, table=True))
