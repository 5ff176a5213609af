"""What is published, in parts that change together, and which of them changed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ndcg_sql.database import sql_files, views
from ndcg_sql.database.database import ROWS, Database
from ndcg_sql.database.relations import Relation, relations
from ndcg_sql.text import sql_text

# The most rows of a relation that grows with pairs of runs, or with positions.
MOST_ROWS = 1_000_000
# About how many rows of the warehouse one statement reads.
_ROWS_AT_ONCE = 1_000_000
# The fingerprints of parts by relation and part.
Known = dict[tuple[str, str], str]


@dataclass(frozen=True)
class Part:
    """The rows of a relation for one run, set or dataset, or all of them.

    While its fingerprint is the same, so are its rows; size is about the number
    of rows that they are computed from.
    """

    relation: str
    part: str
    dataset: str
    fingerprint: str
    size: int

    @property
    def key(self) -> tuple[str, str]:
        """What identifies the part."""
        return self.relation, self.part


@dataclass(frozen=True)
class Plan:
    """All parts of a warehouse, and the relations that are too large, with sizes."""

    parts: list[Part]
    left_out: dict[str, int]

    @property
    def known(self) -> Known:
        """The fingerprints of all parts."""
        return {part.key: part.fingerprint for part in self.parts}

    def relations(self) -> list[Relation]:
        """Return the relations that are published."""
        return [
            relation
            for name, relation in relations().items()
            if name not in self.left_out
        ]

    def of(self, relation: Relation) -> list[Part]:
        """Return the parts of a relation, in the order of their rows."""
        return [part for part in self.parts if part.relation == relation.name]

    def changed(self, known: Known) -> list[Part]:
        """Return the parts that are not known with their fingerprints."""
        return [part for part in self.parts if known.get(part.key) != part.fingerprint]


def plan(database: Database) -> Plan:
    """Return what there is to publish of a warehouse; no large table is read."""
    sizes = dict(database.run("publishing/sizes"))
    left_out = {name: int(size) for name, size in sizes.items() if size > MOST_ROWS}
    reads = _reads()
    marked = {row["table_name"]: _marks(row["table_name"]) for row in reads}
    with (
        database.temporary("reads", ROWS, {"rows": reads}),
        database.temporary("marks", " union all by name ".join(marked.values())),
    ):
        rows = database.run("publishing/parts", {"versions": views.checksum()})
    parts = [
        Part(relation, part, dataset, fingerprint, size)
        for relation, dataset, part, fingerprint, size in rows
        if relation not in left_out
    ]
    return Plan(parts, left_out)


def _reads() -> list[dict[str, str]]:
    """Return the tables that tell whether public relations changed, as rows.

    What is loaded never changes, so no large table is read: the rows of small
    ones stand for it, as sql/publishing/stand_ins.csv says.
    """
    stand_ins = {
        row["table"]: row["stand_ins"].split()
        for row in sql_files.rows("publishing/stand_ins")
    }
    rows: list[dict[str, str]] = []
    for name, relation in relations().items():
        named = views.reads(views.public()[name].select)
        tables = (named | views.reads_through(named)) - views.computing().keys()
        marked = {mark for table in tables for mark in stand_ins.get(table, [table])}
        rows += [
            {
                "relation": name,
                "part_column": relation.part_column,
                "table_name": table,
            }
            for table in sorted(marked)
        ]
    return rows


def _marks(table: str) -> str:
    """Return the select of the fingerprints of a table."""
    text = sql_files.read("publishing/marks")
    return f"({text.replace('$relation', sql_text(table))})"


def together(parts: Iterable[Part]) -> Iterator[list[Part]]:
    """Group the parts of one relation so that a statement can read each group."""
    group: list[Part] = []
    for part in parts:
        group.append(part)
        if sum(part.size for part in group) >= _ROWS_AT_ONCE:
            yield group
            group = []
    if group:
        yield group


def values(relation: Relation, parts: Iterable[Part]) -> list[str | int]:
    """Return the values of the column that tells the parts of a relation apart."""
    is_text = relation.columns[relation.part_column] == "varchar"
    return [part.part if is_text else int(part.part) for part in parts]


def condition(relation: Relation, parts: Iterable[Part]) -> str:
    """Return the condition that selects some parts of a relation."""
    column = relation.part_column
    if not column:
        return "true"
    found = [
        sql_text(value) if isinstance(value, str) else str(value)
        for value in values(relation, parts)
    ]
    # DuckDB pushes an equality further down into the views than a list.
    return (
        f"{column} = {found[0]}"
        if len(found) == 1
        else f"{column} in ({', '.join(found)})"
    )


def rows_of(plan: Plan, relation: Relation, parts: Iterable[Part]) -> str:
    """Return the select of the rows of some parts, in the order of their key.

    Rows that are filtered together are stored together: by run, then by measure.
    """
    parts = list(parts)
    order = [relation.part_column, *relation.key]
    names = list(dict.fromkeys(name for name in order if name))
    columns = ", ".join(relation.columns)
    rows = (
        f"select {columns} from {views.PUBLIC}.{relation.name}"
        f" where {condition(relation, parts)}"
    )
    if relation.part_column == "baseline_run_id" and parts[0].size >= _ROWS_AT_ONCE:
        # One pair of large runs after the other: all of them need more memory.
        candidates = [part for part in plan.of(relation) if part not in parts]
        pairs = [
            f"{rows} and candidate_run_id = {candidate.part}"
            for candidate in candidates
            if candidate.dataset == parts[0].dataset
        ]
        rows = f"select * from ({' union all '.join(pairs) or rows})"
    return f"{rows} order by {', '.join(names)}"
