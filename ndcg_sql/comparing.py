"""Runs compared with a baseline: how much they differ, and how sure that is."""

from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ndcg_sql import explaining, progress, reports, sqlfiles, statistics
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.lacking import lacking
from ndcg_sql.measures import Measure
from ndcg_sql.reports import Entry
from ndcg_sql.statistics import Differences
from ndcg_sql.testing import Testing
from ndcg_sql.text import counted, quoted
from ndcg_sql.valuing import Pair, valued
from ndcg_sql.warehouse import Parameters, Warehouse

# The columns of sql/reports/compare*.sql.
COMPARE_COLUMNS = (
    *("baseline", "candidate", "judgment_set", "dataset", "slice", "measure", "n"),
    *("baseline_value", "candidate_value", "difference", "relative_difference"),
    *("ci_low", "ci_high", "p_t", "p_randomization", "p_bootstrap", "p_wilcoxon"),
    *("p_adjusted", "effect_size", "detectable_difference", "wins", "ties"),
    *("losses", "bootstrap_low", "bootstrap_high", "weighted_difference"),
    *("weighted_n", "standard_error", "baseline_judged_at_k"),
    *("candidate_judged_at_k", "randomization", "bootstrap", "note"),
    *("query_id", "text", "attribute"),
)
_FIRST = ("baseline", "candidate", "judgment_set", "dataset")
_COMPARED = "compared"

Tell = Callable[[str], None]
Record = dict[str, Any]
# An attribute and a slice; all queries have neither.
Part = tuple[str | None, str | None]


@dataclass(frozen=True)
class Compared:
    """What is compared: runs of one dataset, under one judgment set."""

    baseline: Entry
    candidates: list[Entry]
    judgment_set_id: int
    measures: list[Measure]

    @property
    def runs(self) -> list[Entry]:
        """All runs, the baseline first."""
        return [self.baseline, *self.candidates]

    @property
    def single(self) -> list["Compared"]:
        """The comparisons of a single candidate by a single measure."""
        return [
            replace(self, candidates=[candidate], measures=[measure])
            for candidate in self.candidates
            for measure in self.measures
        ]

    @property
    def pairs(self) -> list[Pair]:
        """All runs with the judgment set."""
        return [(run.id, self.judgment_set_id) for run in self.runs]

    @property
    def parameters(self) -> Parameters:
        """What the selects of comparisons take."""
        return {
            "baseline_run_id": self.baseline.id,
            "candidate_run_ids": [run.id for run in self.candidates],
            "run_ids": [run.id for run in self.runs],
            "judgment_set_id": self.judgment_set_id,
            "measures": [measure.name for measure in self.measures],
        }


def choose(
    warehouse: Warehouse,
    baseline: str,
    candidates: Sequence[str],
    measures: list[Measure],
    judgments: str | None,
    dataset: str | None,
) -> Compared:
    """Return what a user names; raise NdcgSqlError if it cannot be compared."""
    first = reports.choose_run(warehouse, baseline, dataset)
    names = list(dict.fromkeys(candidates))
    others = [reports.choose_run(warehouse, name, dataset) for name in names]
    for other in others:
        if other == first:
            raise NdcgSqlError(
                f"run {quoted(first.name)} would be compared with itself; name another"
            )
        if other.dataset != first.dataset:
            raise NdcgSqlError(
                f"run {quoted(first.name)} is of dataset {quoted(first.dataset)}, run"
                f" {quoted(other.name)} of {quoted(other.dataset)}: values by different"
                " judgment sets cannot be compared"
            )
    judgment_set_id = reports.pairs(warehouse, [first], judgments)[0][1]
    return Compared(first, others, judgment_set_id, measures)


@contextmanager
def compare(
    warehouse: Warehouse,
    tell: Tell,
    chosen: Compared,
    testing: Testing,
    by: Sequence[str] = (),
) -> Generator[None]:
    """Put the rows of a comparison into the table OUTPUT, which lives inside.

    With attributes of queries, there is a row for each combination of their
    values, which are columns of those names. Tells what the numbers rest on.
    """
    _check_by(warehouse, chosen, by)
    with ExitStack() as stack:
        stack.enter_context(prepared(warehouse, tell, chosen))
        if by:
            stack.enter_context(reports.combined(warehouse, by))
        stack.enter_context(_tested(warehouse, chosen, testing, bool(by), by))
        for column in ("attribute", *(() if by else ("slice",))):
            warehouse.execute(f"alter table {reports.OUTPUT} drop {column}")
        yield


@contextmanager
def compare_queries(
    warehouse: Warehouse, tell: Tell, chosen: Compared, by: Sequence[str] = ()
) -> Generator[None]:
    """Put the values of two runs, query by query, into the table OUTPUT."""
    _check_by(warehouse, chosen, by)
    file = "reports/compare_queries" + ("_slices" if by else "")
    with ExitStack() as stack:
        stack.enter_context(prepared(warehouse, tell, chosen))
        if by:
            stack.enter_context(reports.combined(warehouse, by))
        rows = reports.output(warehouse, file, chosen.parameters, by, _FIRST)
        stack.enter_context(rows)
        yield


@contextmanager
def explain(
    warehouse: Warehouse, chosen: Compared, query_id: str, measure: Measure
) -> Generator[None]:
    """Put what moved between two rankings of a query into the table OUTPUT."""
    asked = {
        "run_id": chosen.candidates[0].id,
        "other_run_id": chosen.baseline.id,
        "judgment_set_id": chosen.judgment_set_id,
        "query_id": query_id,
        "measure": measure.name,
        "normalized": measure.family.name == "nDCG",
    }
    explaining.check_query(warehouse, asked)
    with (
        valued(warehouse, [measure], chosen.pairs, with_values=False),
        reports.output(warehouse, "reports/explain_against", asked),
    ):
        yield


def changed_queries(
    warehouse: Warehouse,
    chosen: Compared,
    measure: str,
    count: int,
    part: Part = (None, None),
) -> list[Record]:
    """Return the queries that lost and won most, where values are known.

    They are those of each candidate by one measure, its greatest loss first, of
    all queries or of the slice of an attribute.
    """
    attribute, value = part
    asked = {**chosen.parameters, "measure": measure, "count": count}
    asked |= {"attribute": attribute, "slice": value}
    return warehouse.records(sqlfiles.read("reports/changed_queries"), asked)


def part_of(row: Record) -> Part:
    """Return which slice a row is about."""
    return row["attribute"], row["slice"]


def tested(
    warehouse: Warehouse, chosen: Compared, testing: Testing, sliced: bool
) -> list[Record]:
    """Return the rows of a comparison, where values are known.

    With slices, there is a row for each value of each attribute.
    """
    with _tested(warehouse, chosen, testing, sliced):
        return warehouse.records(f"from {reports.OUTPUT}")


@contextmanager
def prepared(warehouse: Warehouse, tell: Tell, chosen: Compared) -> Generator[None]:
    """See to it that inside, the views know the values of the runs compared.

    Tells what they rest on. Raises NdcgSqlError where two runs have no judged
    query in common.
    """
    with valued(warehouse, chosen.measures, chosen.pairs):
        _check_answers(warehouse, tell, chosen)
        for line in lacking(warehouse, chosen.measures, chosen.pairs):
            tell(line)
        yield


def _check_by(warehouse: Warehouse, chosen: Compared, by: Sequence[str]) -> None:
    """Raise NdcgSqlError where a comparison cannot be sliced by attributes."""
    reports.check_attributes(warehouse, by, [chosen.baseline])
    reports.check_columns(by, COMPARE_COLUMNS)


def _check_answers(warehouse: Warehouse, tell: Tell, chosen: Compared) -> None:
    """Tell of queries that were not answered; refuse runs that share none."""
    rows = warehouse.run("reports/answered_by_pairs", chosen.parameters)
    missing: dict[str, int] = {}
    for candidate, (_, judged, by_first, by_other, by_both) in zip(
        chosen.candidates, rows, strict=True
    ):
        if not by_both:
            raise NdcgSqlError(
                f"runs {quoted(chosen.baseline.name)} and {quoted(candidate.name)}"
                " answered no judged query in common; compare runs of the same queries"
            )
        missing[chosen.baseline.name] = judged - by_first
        missing[candidate.name] = judged - by_other
    for name, count in missing.items():
        if count:
            queries = counted(count, "judged query", "judged queries")
            tell(f"run {quoted(name)}: {queries} without an answer")


@contextmanager
def _tested(
    warehouse: Warehouse,
    chosen: Compared,
    testing: Testing,
    sliced: bool,
    by: Sequence[str] = (),
) -> Generator[None]:
    """Put sums of comparisons, with what tests say of them, into OUTPUT.

    Candidates and measures come one after another: only the differences of a
    single comparison, one a query and attribute, are held at a time.
    """
    kind = "_slices" if sliced else ""
    sums = sqlfiles.read(f"reports/compared{kind}")
    none = f"from ({sums}) limit 0"
    rows: list[Record] = []
    with warehouse.temporary(_COMPARED, none, chosen.parameters):
        for one in progress.each(chosen.single, "comparing", "comparisons"):
            warehouse.execute(f"insert into {_COMPARED} {sums}", one.parameters)
            sql = f"select rowid as row_id, * from {_COMPARED} where rowid >= $count"
            added = warehouse.records(sql, {"count": len(rows)})
            rows += _with_statistics(added, warehouse, one, testing, kind)
        if testing.correct == "tukey":
            for measure in chosen.measures:
                own = [row for row in rows if row["measure"] == measure.name]
                _correct_by_tukey(warehouse, chosen, measure, testing, sliced, own)
        else:
            p_values = [row[f"p_{testing.test}"] for row in rows]
            corrected = statistics.adjusted(p_values, testing.correct)
            for row, p in zip(rows, corrected, strict=True):
                row["p_adjusted"] = p
        told = [{key: row[key] for key in _STATISTICS} for row in rows]
        given = {**chosen.parameters, "statistics": told}
        with reports.output(warehouse, "reports/compare", given, by, _FIRST):
            yield


# What sql/reports/compare.sql reads of them.
_STATISTICS = (
    *("row_id", "ci_low", "ci_high", "p_t", "p_randomization", "p_bootstrap"),
    *("p_wilcoxon", "p_adjusted", "effect_size", "detectable_difference"),
    *("bootstrap_low", "bootstrap_high", "randomization", "bootstrap", "note"),
)
_NONE = Differences.of([])


def _with_statistics(
    rows: Sequence[Record],
    warehouse: Warehouse,
    single: Compared,
    testing: Testing,
    kind: str,
) -> list[Record]:
    """Return a single comparison, by parts, with what tests say of each."""
    sql = sqlfiles.read(f"reports/differences{kind}")
    found = {
        part_of(row): Differences(row["differences"], row["counts"])
        for row in warehouse.arrays(sql, single.parameters)
    }
    summary = single.measures[0].family.summary
    mean = "geometric mean" if summary == "geometric" else summary
    no_mean = {"note": f"the value is a {mean}, not a mean"}
    return [
        dict.fromkeys(_STATISTICS)
        | row
        | (
            _statistics_of(found.get(part_of(row), _NONE), testing)
            if summary == "mean"
            else no_mean
        )
        for row in rows
    ]


def _statistics_of(differences: Differences, testing: Testing) -> Record:
    """Return what tests say of differences; what cannot be told is left out."""
    alpha, resamples, seed = testing.alpha, testing.resamples, testing.seed
    if differences.n == 0:
        return {"note": differences.missing}
    low, high = statistics.interval(differences, alpha) or (None, None)
    told: Record = {
        "ci_low": low,
        "ci_high": high,
        "p_t": statistics.t_test(differences),
        "effect_size": statistics.effect_size(differences),
        "detectable_difference": statistics.detectable(differences, alpha),
        "note": differences.missing,
    }
    if randomized := statistics.randomization(differences, resamples, seed):
        told["p_randomization"] = randomized.p
        told["randomization"] = randomized.how
    if drawn := statistics.bootstrap(differences, alpha, resamples, seed):
        told |= {
            "p_bootstrap": drawn.p,
            "bootstrap": drawn.how,
            "bootstrap_low": drawn.low,
            "bootstrap_high": drawn.high,
        }
    if testing.test == "wilcoxon":
        told["p_wilcoxon"] = statistics.wilcoxon(differences)
    return told


def _correct_by_tukey(
    warehouse: Warehouse,
    chosen: Compared,
    measure: Measure,
    testing: Testing,
    sliced: bool,
    rows: Sequence[Record],
) -> None:
    """Add p-values of Tukey's test, of all runs of a slice at once.

    It rests on the queries for which every run has a value; the note of a row
    tells how many they are, where they are not its own.
    """
    asked = {**chosen.parameters, "measures": [measure.name], "sliced": sliced}
    columns: dict[Part, dict[int, statistics.Floats]] = {}
    for row in warehouse.arrays(sqlfiles.read("reports/values_of_runs"), asked):
        columns.setdefault(part_of(row), {})[row["run_id"]] = row["query_values"]
    found: dict[Part, tuple[statistics.Floats, str]] = {}
    ids = [run.id for run in chosen.runs]
    for row in rows:
        part = part_of(row)
        if row["p_randomization"] is None:
            continue
        notes = [row["note"]] if row["note"] else []
        values = columns.get(part)
        n = len(values[ids[0]]) if values else 0
        if values and n > 1:
            if part not in found:
                table = np.column_stack([values[run_id] for run_id in ids])
                found[part] = statistics.tukey(table, testing.resamples, testing.seed)
            p_values, how = found[part]
            row["p_adjusted"] = float(p_values[0, ids.index(row["candidate_run_id"])])
            if how == "normal":
                notes.append("p adjusted by a normal approximation")
            if n != row["n"]:
                notes.append(f"p adjusted over {n} queries with a value of every run")
        else:
            notes.append(f"{'one' if n else 'no'} query has a value of every run")
        row["note"] = "; ".join(notes) or None
