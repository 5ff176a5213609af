"""What is published, in parts that change together, and which of them changed."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

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
# About how many rows of the warehouse one statement reads.
_ROWS_AT_ONCE = 1_000_000
# Comparing takes more memory a row than other relations do.
_COMPARED_AT_ONCE = 100_000
# DuckDB keeps room for 2,048 rows for each ordered sum of a group that has more
# rows than fit its lists: about 250 kB for what is summed up of a comparison.
_GROUPS_AT_ONCE = 750
_ROWS_IN_LISTS = 16
# The values of slices rest on fewer ordered sums than comparisons.
_SLICES_AT_ONCE = 3_000
# Up to so many runs, all pairs of them are compared.
FEW_RUNS = 20
# More runs than any dataset has.
_ALL = 2**31 - 1
# The part of a comparison: a new run adds one, and changes none.
NEWER = "newer_run_id"
# What a statement calls that part.
_NEWER = "greatest(baseline_run_id, candidate_run_id)"
# The comparisons of pairs of runs in one direction, and what is what in the other.
# A difference is exactly the opposite, and 0 is not negative.
_ONE_WAY = "compared_one_way"
_MIRRORED = {
    "baseline": "candidate",
    "candidate": "baseline",
    "baseline_run_id": "candidate_run_id",
    "candidate_run_id": "baseline_run_id",
    "baseline_value": "candidate_value",
    "candidate_value": "baseline_value",
    "difference": "0 - difference",
    "weighted_difference": "0 - weighted_difference",
    "wins": "losses",
    "losses": "wins",
}
Sized = TypeVar("Sized")
# The fingerprints of parts by relation and part.
Fingerprints = dict[tuple[str, str], str]


@dataclass(frozen=True)
class Compared:
    """Which pairs of runs are compared: those with baselines, or all."""

    baselines: tuple[str, ...] = ()
    all_pairs: bool = False


class Pair(NamedTuple):
    """A pair of runs that is compared; part is the newer run of the two.

    size is about the number of values that both runs have, by all measures.
    """

    dataset: str
    baseline_run_id: int
    baseline: str
    candidate_run_id: int
    candidate: str
    part: str
    measures: int
    size: int
    attributes: int
    slices: int

    @property
    def ids(self) -> tuple[int, int]:
        """The ids of both runs."""
        return self.baseline_run_id, self.candidate_run_id

    @property
    def mirrored(self) -> "Pair":
        """The same runs in the other direction."""
        return self._replace(
            baseline_run_id=self.candidate_run_id,
            baseline=self.candidate,
            candidate_run_id=self.baseline_run_id,
            candidate=self.baseline,
        )

    def share(self, relation: Relation) -> float:
        """Return which share of what one statement can compare the pair takes."""
        rows, groups = self.size, self.measures
        if "attribute" in relation.columns:
            rows *= self.attributes
            groups *= self.attributes + self.slices
        if "query_id" in relation.columns:
            groups = 0
        large = min(groups, rows // (_ROWS_IN_LISTS + 1))
        return max(rows / _COMPARED_AT_ONCE, large / _GROUPS_AT_ONCE)


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
    """All parts of a warehouse, and the relations that are too large, with sizes.

    pairs are the pairs of runs that are compared; slices has about how many values
    of slices a run of each dataset has; with_attributes is the relation
    of queries with a column for each attribute, except the omitted ones.
    """

    parts: list[Part]
    left_out: dict[str, int]
    pairs: list[Pair]
    slices: dict[str, int]
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
            " cast(newer_run_id as varchar), measures, size, attributes, slices"
            " from kept_pairs order by rowid"
        )
        slices = database.execute(
            "select dataset, (attributes + slices) * $measures from slice_counts",
            {"measures": len(registered(database))},
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
        Part(relation, part, dataset, fingerprint + of_columns.get(relation, ""), size)
        for relation, dataset, part, fingerprint, size in rows
        if relation not in left_out
    ]
    kept = [Pair(*row) for row in pairs]
    return Plan(parts, left_out, kept, dict(slices), wide, omitted)


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
    named = views.reads(select)
    # A view that stands for itself has rows that others may change.
    derived = views.computing().keys() - stand_ins.keys()
    tables = (named | views.reads_through(named)) - derived
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
    database: Database, plan: Plan, relation: Relation, parts: Iterable[Part]
) -> Iterator[tuple[list[Part], Iterator[str]]]:
    """Give selects of the rows of some parts, group by group.

    Each must be executed before the next one is taken.
    """
    if relation.part_column == NEWER:
        some = list(parts)
        if some:
            yield some, _comparisons(database, plan, relation, some)
        return
    for group in _together(plan, relation, parts):
        yield group, iter([_rows_of(relation, group)])


def _comparisons(
    database: Database, plan: Plan, relation: Relation, parts: list[Part]
) -> Iterator[str]:
    wanted = {part.part for part in parts}
    pairs = [pair for pair in plan.pairs if pair.part in wanted]
    published = {pair.ids for pair in pairs}
    # One direction has the numbers of both.
    couples = {min(pair.ids, pair.mirrored.ids): pair for pair in pairs}
    groups = [*_in_groups(couples.values(), lambda pair: pair.share(relation))]
    for group in progress.each(groups, "comparing runs", "parts"):
        # On a failure, the connection is closed, and the tables are gone.
        table = f"create or replace temp table run_pairs as {ROWS}"
        database.execute(table, {"rows": [pair._asdict() for pair in group]})
        compared = f"from {views.PUBLIC}.{relation.name}"
        database.execute(f"create or replace temp table {_ONE_WAY} as {compared}")
        both = {ids for pair in group for ids in (pair.ids, pair.mirrored.ids)}
        yield _both_ways(relation, both & published)
    database.execute("drop table temp.run_pairs")
    database.execute(f"drop table if exists temp.{_ONE_WAY}")


def _both_ways(relation: Relation, pairs: set[tuple[int, int]]) -> str:
    """Return the select of the comparisons of pairs, which are known in one way."""
    mirrored = ", ".join(
        f"{_MIRRORED.get(name, name)} as {name}" for name in relation.columns
    )
    rows = f"select * from {_ONE_WAY} union all select {mirrored} from {_ONE_WAY}"
    return (
        f"select {', '.join(relation.columns)} from ({rows})"
        " where (baseline_run_id, candidate_run_id)"
        f" in ({', '.join(map(str, sorted(pairs)))})"
        f" order by {_order(relation)}"
    )


def _together(
    plan: Plan, relation: Relation, parts: Iterable[Part]
) -> Iterator[list[Part]]:
    is_sliced = relation.part_column == "run_id" and "attribute" in relation.columns

    def share(part: Part) -> float:
        slices = plan.slices.get(part.dataset, 0) if is_sliced else 0
        return max(part.size / _ROWS_AT_ONCE, slices / _SLICES_AT_ONCE)

    return _in_groups(parts, share)


def _in_groups(
    items: Iterable[Sized], share: Callable[[Sized], float]
) -> Iterator[list[Sized]]:
    """Group items until their shares add up to 1; a group has at least one."""
    group: list[Sized] = []
    sum_of_shares = 0.0
    for item in items:
        if group and sum_of_shares + share(item) > 1:
            yield group
            group, sum_of_shares = [], 0.0
        group.append(item)
        sum_of_shares += share(item)
    if group:
        yield group


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


def _rows_of(relation: Relation, parts: Iterable[Part]) -> str:
    """Return the select of the rows of some parts, in the order of their key.

    Rows that are filtered together are stored together: by run, then by measure.
    """
    is_view = relation.name != attributes.NAME
    name = f"{views.PUBLIC}.{relation.name}"
    rows = name if is_view else f"({attributes.select(relation)})"
    columns = ", ".join(map(sql_name, relation.columns))
    return (
        f"select {columns} from {rows}"
        f" where {condition(relation, parts)} order by {_order(relation)}"
    )


def _order(relation: Relation) -> str:
    names = dict.fromkeys(filter(None, (_column(relation), *relation.key)))
    return ", ".join(names)
