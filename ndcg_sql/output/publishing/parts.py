"""What is published, in parts that change together, and which of them changed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ndcg_sql.database import sql_files, views
from ndcg_sql.database.database import ROWS, Database
from ndcg_sql.database.relations import Relation, relations
from ndcg_sql.evaluation.entries import choose_runs
from ndcg_sql.evaluation.registry import registered
from ndcg_sql.measures.names import parse
from ndcg_sql.output.publishing import attributes
from ndcg_sql.system import progress
from ndcg_sql.text import sql_name, sql_text

# The most rows of a relation that grows with pairs of runs, or with positions.
MOST_ROWS = 1_000_000
# How many parts, or pairs of runs, one statement reads: ordered sums of many groups
# take much memory.
_AT_ONCE = 10
# Up to so many runs, all pairs of them are compared.
FEW_RUNS = 20
# More runs than any dataset has.
_ALL = 2**31 - 1
# The part of a comparison: a new run adds one, and changes none.
NEWER = "newer_run_id"
# What a statement calls that part.
_NEWER = "greatest(baseline_run_id, candidate_run_id)"
# The fingerprints of parts by relation and part.
Fingerprints = dict[tuple[str, str], str]


@dataclass(frozen=True)
class Compared:
    """Which pairs of runs are compared: those with baselines, or all."""

    baselines: tuple[str, ...] = ()
    all_pairs: bool = False


class Pair(NamedTuple):
    """A pair of runs that is compared; part is the newer run of the two."""

    dataset: str
    baseline_run_id: int
    baseline: str
    candidate_run_id: int
    candidate: str
    part: str


@dataclass(frozen=True)
class Part:
    """The rows of a relation for one run, set or dataset, or all of them.

    While its fingerprint is the same, so are its rows.
    """

    relation: str
    part: str
    dataset: str
    fingerprint: str

    @property
    def key(self) -> tuple[str, str]:
        """What identifies the part."""
        return self.relation, self.part


@dataclass(frozen=True)
class Plan:
    """All parts of a warehouse, and the relations that are too large, with sizes.

    pairs are the pairs of runs that are compared; with_attributes is the relation of
    queries with a column for each attribute, except the omitted ones.
    """

    parts: list[Part]
    left_out: dict[str, int]
    pairs: list[Pair]
    with_attributes: Relation
    omitted: list[str]

    @property
    def with_baselines(self) -> dict[str, int]:
        """The number of runs of each dataset of which not all pairs are compared."""
        counts: dict[str, int] = {}
        for dataset in dict.fromkeys(pair.dataset for pair in self.pairs):
            pairs = [pair for pair in self.pairs if pair.dataset == dataset]
            runs = {pair.candidate_run_id for pair in pairs}
            runs |= {pair.baseline_run_id for pair in pairs}
            if len(pairs) < len(runs) * (len(runs) - 1):
                counts[dataset] = len(runs)
        return counts

    @property
    def fingerprints(self) -> Fingerprints:
        """The fingerprints of all parts."""
        return {part.key: part.fingerprint for part in self.parts}

    @property
    def publishable(self) -> dict[str, Relation]:
        """All relations that can be published, by name."""
        return {**relations(), attributes.NAME: self.with_attributes}

    def relations(self) -> list[Relation]:
        """Return the relations that are published."""
        return [
            relation
            for name, relation in self.publishable.items()
            if name not in self.left_out
        ]

    def of(self, relation: Relation) -> list[Part]:
        """Return the parts of a relation, in the order of their rows."""
        return [part for part in self.parts if part.relation == relation.name]

    def changed(self, fingerprints: Fingerprints) -> list[Part]:
        """Return the parts that are not known with their fingerprints."""
        return [
            part
            for part in self.parts
            if fingerprints.get(part.key) != part.fingerprint
        ]


def plan(database: Database, compared: Compared) -> Plan:
    """Return what there is to publish of a warehouse; no large table is read."""
    named = compared.baselines
    baselines = choose_runs(database, named, None) if named else []
    slice_counts = sql_files.read("publishing/slice_counts")
    kept_pairs = sql_files.read("publishing/kept_pairs")
    parameters = {
        "baselines": [run.id for run in baselines],
        "few_runs": _ALL if compared.all_pairs else FEW_RUNS,
        "measure": _best_by(database),
    }
    with (
        database.temporary("slice_counts", slice_counts),
        database.temporary("kept_pairs", kept_pairs, parameters),
    ):
        sizes = dict(database.run("publishing/sizes"))
        pairs = database.execute(
            "select dataset, baseline_run_id, baseline, candidate_run_id, candidate,"
            " cast(newer_run_id as varchar) from kept_pairs order by rowid"
        )
        left_out = {name: int(size) for name, size in sizes.items() if size > MOST_ROWS}
        wide, omitted = attributes.relation(database)
        reads = [row for one in (*relations().values(), wide) for row in _reads(one)]
        mark = f"({sql_files.read('publishing/marks')})"
        marks = " union all by name ".join(
            mark.replace("$relation", sql_text(table))
            for table in dict.fromkeys(row["table_name"] for row in reads)
        )
        with (
            database.temporary("reads", ROWS, {"rows": reads}),
            database.temporary("marks", marks),
        ):
            rows = database.run("publishing/parts", {"versions": views.checksum()})
    of_columns = {attributes.NAME: attributes.fingerprint(wide)}
    parts = [
        Part(relation, part, dataset, fingerprint + of_columns.get(relation, ""))
        for relation, dataset, part, fingerprint in rows
        if relation not in left_out
    ]
    kept = [Pair(*row) for row in pairs]
    return Plan(parts, left_out, kept, wide, omitted)


def _best_by(database: Database) -> str | None:
    for name in registered(database):
        [measure] = parse(name)
        if measure.family.highest_is_best:
            return name
    return None


def _reads(relation: Relation) -> list[dict[str, str]]:
    """Return the tables that tell whether a public relation changed, as rows.

    What is loaded never changes, so no large table is read: the rows of small
    ones, or of a view of them, stand for it, as sql/publishing/stand_ins.csv says.
    """
    stand_ins = {
        row["table"]: row["stand_ins"].split()
        for row in sql_files.rows("publishing/stand_ins")
    }
    is_view = relation.name != attributes.NAME
    select = views.public()[relation.name].select if is_view else attributes.text()
    # A view that stands for itself has rows that others may change.
    derived = views.computing().keys() - stand_ins.keys()
    tables = views.reads_through(views.reads(select)) - derived
    marked = {mark for table in tables for mark in stand_ins.get(table, [table])}
    return [
        {
            "relation": relation.name,
            "part_column": relation.part_column,
            "table_name": table,
        }
        for table in sorted(marked)
    ]


def selects(
    database: Database, plan: Plan, relation: Relation, parts: Sequence[Part]
) -> Iterator[str]:
    """Give selects of the rows of some parts, in their order.

    Each must be executed before the next one is taken.
    """
    if relation.part_column != NEWER:
        for first in range(0, len(parts), _AT_ONCE):
            yield _rows_of(relation, parts[first : first + _AT_ONCE])
        return
    wanted = {part.part for part in parts}
    pairs = [pair._asdict() for pair in plan.pairs if pair.part in wanted]
    groups = [pairs[n : n + _AT_ONCE] for n in range(0, len(pairs), _AT_ONCE)]
    for group in progress.each(groups, "comparing runs", "parts"):
        # It hides the view of all pairs. On a failure, the connection is closed.
        table = f"create or replace temp table run_pairs as {ROWS}"
        database.execute(table, {"rows": group})
        yield _rows_of(relation)
    database.execute("drop table if exists temp.run_pairs")


def values(relation: Relation, parts: Iterable[Part]) -> list[str | int]:
    """Return the values of the column that tells the parts of a relation apart."""
    is_text = relation.columns.get(relation.part_column) == "varchar"
    return [part.part if is_text else int(part.part) for part in parts]


def _column(relation: Relation) -> str:
    return _NEWER if relation.part_column == NEWER else relation.part_column


def condition(relation: Relation, parts: Iterable[Part]) -> str:
    """Return the condition that selects some parts of a relation."""
    column = _column(relation)
    if not column:
        return "true"
    literals = [
        sql_text(value) if isinstance(value, str) else str(value)
        for value in values(relation, parts)
    ]
    # DuckDB pushes an equality further down into the views than a list.
    return (
        f"{column} = {literals[0]}"
        if len(literals) == 1
        else f"{column} in ({', '.join(literals)})"
    )


def _rows_of(relation: Relation, parts: Sequence[Part] = ()) -> str:
    """Return the select of the rows of some parts or all, in the order of their key.

    Rows that are filtered together are stored together: by run, then by measure.
    """
    is_view = relation.name != attributes.NAME
    name = f"{views.PUBLIC}.{relation.name}"
    rows = name if is_view else f"({attributes.select(relation)})"
    columns = ", ".join(map(sql_name, relation.columns))
    which = condition(relation, parts) if parts else "true"
    names = dict.fromkeys(filter(None, (_column(relation), *relation.key)))
    return f"select {columns} from {rows} where {which} order by {', '.join(names)}"
