"""What is published, in parts that change together, and which of them changed."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ndcg_sql.database import sql_files, views
from ndcg_sql.database.database import ROWS, Database
from ndcg_sql.database.relations import Relation, relations
from ndcg_sql.evaluation.entries import choose_runs
from ndcg_sql.evaluation.registry import registered_measures
from ndcg_sql.system import progress
from ndcg_sql.system.limits import groups
from ndcg_sql.text import sql_name, sql_text

# The most rows of a relation that grows with pairs of runs, or with positions.
MOST_ROWS = 1_000_000
# The most values that one statement compares: sums in order are kept in memory.
_MOST_VALUES = 200_000
# Up to so many runs, all pairs of them are compared.
FEW_RUNS = 20
# More runs than any dataset has.
_ALL = 2**31 - 1
# The part of a comparison is its newer run: a new run adds one, and changes none.
# Not every database has greatest().
_NEWER_RUN_ID = (
    "case when baseline_run_id > candidate_run_id"
    " then baseline_run_id else candidate_run_id end"
)


class Part(NamedTuple):
    """The rows of a relation for one run, set or dataset; a fingerprint marks them."""

    relation: str
    dataset: str
    part: str
    fingerprint: str


class Change(NamedTuple):
    """What replaces what of a relation: parts that are kept, old ones, and new ones."""

    relation: Relation
    kept: list[Part]
    replaced: list[str]
    new: list[Part]


# The fingerprints of parts by relation and part.
Fingerprints = dict[tuple[str, str], str]


@dataclass(frozen=True)
class Publication:
    """What is to be published: where to, and which pairs of runs are compared."""

    target: str
    schema: str | None = None
    baseline: tuple[str, ...] = ()
    all_pairs: bool = False


@dataclass(frozen=True)
class Plan:
    """The relations of a warehouse and all of their parts.

    left_out are those that are too large; thinned have not all pairs of runs. compared
    is how many values are read to compare each run with older ones.
    """

    warehouse: Path
    relations: list[Relation]
    parts: list[Part]
    left_out: dict[str, int]
    thinned: dict[str, int]
    compared: dict[int, int]

    @property
    def fingerprints(self) -> Fingerprints:
        """The fingerprints of all parts."""
        return {(part.relation, part.part): part.fingerprint for part in self.parts}

    def changes(self, held: Fingerprints) -> Iterator[Change]:
        """Give what a target has to change of each relation, by what it holds."""
        for relation in progress.each(self.relations, "publishing", "relations"):
            old = {part for name, part in held if name == relation.name}
            kept: list[Part] = []
            new: list[Part] = []
            for part in self.parts:
                if part.relation == relation.name:
                    is_held = held.get((part.relation, part.part)) == part.fingerprint
                    (kept if is_held else new).append(part)
            replaced = (old | {p.part for p in new}) - {p.part for p in kept}
            yield Change(relation, kept, sorted(replaced), new)

    def selects(self, relation: Relation, parts: Iterable[Part]) -> Iterator[str]:
        """Yield selects of the rows of parts, of those that fit memory at once."""
        if relation.part_column != "newer_run_id":
            yield select(relation, parts)
            return
        by_run = sorted(parts, key=lambda part: int(part.part))
        sizes = {part: self.compared.get(int(part.part), 0) for part in by_run}
        for group in groups(sizes, _MOST_VALUES) or [[]]:
            yield select(relation, group)


# What is published to: what it holds, and what makes it what a plan says.
Target = tuple[Fingerprints, Callable[[Database, Plan], None]]


def plan(database: Database, wanted: Publication) -> Plan:
    """Return what there is to publish of a warehouse; no large table is read."""
    named = wanted.baseline
    baselines = choose_runs(database, named, None) if named else []
    measures = registered_measures(database)
    best_by = (one.name for one in measures if one.family.highest_is_best)
    parameters = {
        "baselines": [run.id for run in baselines],
        "few_runs": _ALL if wanted.all_pairs else FEW_RUNS,
        "measure": next(best_by, None),
    }
    pairs = sql_files.read("publishing/run_pairs")
    database.execute(f"create temp table run_pairs as {pairs}", parameters)
    thinned = database.execute(
        "with pairs as (select dataset, count(*) as pairs from run_pairs group by all)"
        " select dataset, count(*) as runs from runs inner join pairs using (dataset)"
        " group by dataset, pairs having pairs < runs * (runs - 1) order by dataset"
    )
    sizes = database.run("publishing/sizes", {"most_rows": MOST_ROWS})
    left_out = {name: int(size) for name, size in sizes}
    chosen = [one for one in relations().values() if one.name not in left_out]
    reads = [
        {"relation": one.name, "part_column": one.part_column, "table_name": table}
        for one in chosen
        for table in sorted(_marked(one))
    ]
    mark = f"({sql_files.read('publishing/marks')})"
    tables = dict.fromkeys(row["table_name"] for row in reads)
    marks = (mark.replace("$relation", sql_text(table)) for table in tables)
    with (
        database.temporary("reads", ROWS, {"rows": reads}),
        database.temporary("marks", " union all by name ".join(marks)),
    ):
        rows = database.run("publishing/parts", {"versions": views.checksum()})
    path, parts = Path(database.path), [Part(*row) for row in rows]
    compared = dict(database.run("publishing/pair_sizes"))
    return Plan(path, chosen, parts, left_out, dict(thinned), compared)


def _marked(relation: Relation) -> set[str]:
    """Return the tables that show whether a public relation changed.

    What is loaded never changes, so no large table is read: the rows of small
    ones, or of a view of them, stand for it, as sql/publishing/stand_ins.csv says.
    """
    rows = sql_files.rows("publishing/stand_ins")
    stand_ins = {row["table"]: row["stand_ins"].split() for row in rows}
    select = views.public()[relation.name].select
    # A view that stands for itself has rows that others may change.
    derived = views.computing().keys() - stand_ins.keys()
    tables = views.reads_through(views.reads(select)) - derived
    return {mark for table in tables for mark in stand_ins.get(table, [table])}


def part_column(relation: Relation) -> str:
    """Return the column that tells the parts of a relation apart, or an expression."""
    column = relation.part_column
    return _NEWER_RUN_ID if column == "newer_run_id" else column or "''"


def values(relation: Relation, parts: Iterable[str]) -> list[str | int]:
    """Return the values of the column that tells the parts of a relation apart."""
    is_id = relation.part_column.endswith("_id")
    return [int(part) if is_id else part for part in parts]


def condition(relation: Relation, parts: Iterable[str]) -> str:
    """Return the condition that selects some parts of a relation in DuckDB."""
    literals = [
        sql_text(value) if isinstance(value, str) else str(value)
        for value in values(relation, parts)
    ]
    # DuckDB pushes an equality further down into the views than a list.
    if len(literals) == 1:
        return f"{part_column(relation)} = {literals[0]}"
    return f"{part_column(relation)} in ({', '.join(literals or ['null'])})"


def select(relation: Relation, parts: Iterable[Part]) -> str:
    """Return the select of the rows of some parts, in the order of their key."""
    columns = ", ".join(map(sql_name, relation.columns))
    first = [part_column(relation)] if relation.part_column else []
    order = ", ".join(dict.fromkeys([*first, *relation.key]))
    which = condition(relation, [part.part for part in parts])
    rows = f"{views.PUBLIC}.{relation.name}"
    return f"select {columns} from {rows} where {which} order by {order}"
