"""Runs compared with a baseline: how much they differ, and how significantly."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import Any

from ndcg_sql.analysis import replicates, significance, statistics
from ndcg_sql.analysis.answers import Answer, Part, Record, Rows, part_of
from ndcg_sql.analysis.paired import complete, no_mean, statistics_table, values_of_runs
from ndcg_sql.analysis.replicates import System, shares_in_slices
from ndcg_sql.analysis.significance import Testing
from ndcg_sql.analysis.statistics import Differences
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import (
    Entry,
    check_attributes,
    check_columns,
    check_dataset,
    choose_others,
    choose_run,
    judgments_of,
    runs,
)
from ndcg_sql.evaluation.fitting import fitting
from ndcg_sql.evaluation.question import (
    Question,
    Slicing,
    answered,
    choose_fitting,
    choose_measures,
    combined,
    of_queries,
)
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.requests.comparisons import CompareRequest, GateRequest
from ndcg_sql.requests.shared import Request
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, listed, quoted

# The columns of sql/reports/compare*.sql.
_COLUMNS = (
    *("baseline", "candidate", "judgment_set", "dataset", "slice", "measure", "n"),
    *("baseline_value", "candidate_value", "difference", "relative_difference"),
    *("wins", "ties", "losses", "weighted_difference", "weighted_n"),
    *("standard_error", "baseline_judged_at_k", "candidate_judged_at_k"),
    "comparisons",
    *("query_id", "text", "attribute", *significance.COLUMNS),
)
_FIRST = ("baseline", "candidate", "judgment_set", "dataset")
_COMPARED = "compared"
_COMPARING = "a comparison"
# With more candidates than this, no queries are listed below a comparison.
FEW = 3
# How many losses and wins of single queries are listed for each candidate.
_CHANGES = 3
# From how much on shares of judged documents differ too much to be passed over.
_UNEVEN = 0.1


@dataclass(frozen=True)
class Comparison(Question):
    """A question about runs of one dataset under one judgment set.

    The first run is the baseline, the others are the candidates. They are
    reported in the order of sort by the first measure, only the first of them with
    a limit; all are tested. Those of systems are their first replicates, which stand
    for all; the pairs are those of all.
    """

    sort: str | None = None
    limit: int | None = None
    systems: tuple[System, ...] = ()

    @property
    def baseline(self) -> Entry:
        """The run that the others are compared with."""
        return self.runs[0]

    @property
    def candidates(self) -> tuple[Entry, ...]:
        """The runs that are compared with the baseline."""
        return self.runs[1:]

    @property
    def judgment_set_id(self) -> int:
        """The id of the judgment set."""
        return self.pairs[0][1]

    @property
    def single(self) -> list["Comparison"]:
        """The comparisons, each of one candidate by one measure."""
        return [
            replace(self, runs=(self.baseline, candidate), measures=(measure,))
            for candidate in self.candidates
            for measure in self.measures
        ]

    @property
    def parameters(self) -> Parameters:
        """The parameters of the selects of comparisons."""
        return {
            "baseline_run_id": self.baseline.id,
            "candidate_run_ids": [run.id for run in self.candidates],
            "run_ids": [run.id for run in self.runs],
            "judgment_set_id": self.judgment_set_id,
            "measures": [measure.name for measure in self.measures],
            "sort": self.sort,
            "shown": self.limit,
        }


def resolve(
    database: Database,
    baseline: str,
    candidates: Sequence[str],
    request: Request,
    measures: Sequence[Measure] = (),
) -> Comparison:
    """Return the comparison that a user asks for; raise NdcgSqlError if not possible.

    measures replace those that the request names.
    """
    chosen = tuple(measures) or choose_measures(database, request.measures)
    dataset = request.dataset
    first = choose_run(database, baseline, dataset)
    others = choose_others(database, candidates, first, dataset)
    for other in others:
        if other == first:
            raise NdcgSqlError(
                f"run {quoted(first.name)} would be compared with itself; name another"
            )
        if other.dataset != first.dataset:
            raise NdcgSqlError(
                f"run {quoted(first.name)} belongs to dataset {quoted(first.dataset)},"
                f" run {quoted(other.name)} to {quoted(other.dataset)}: values with"
                " different judgment sets cannot be compared"
            )
    judgment_set_id = judgments_of(database, [first], request.judgments)[0][1]
    named = bool(measures) or request.names_measures
    by = tuple(request.by)
    return _fitting(database, chosen, (first, *others), judgment_set_id, by, named)


def _fitting(
    database: Database,
    measures: tuple[Measure, ...],
    runs: tuple[Entry, ...],
    judgment_set_id: int,
    by: tuple[str, ...],
    named: bool,
) -> Comparison:
    """Return a comparison, by the measures that fit unless the user named them."""
    pairs = tuple((run.id, judgment_set_id) for run in runs)
    if not named:
        measures = choose_fitting(database, measures, pairs)
    measures = of_queries(measures, _COMPARING, named)
    return Comparison(measures, runs, pairs, by, named)


def answer(database: Database, messages: Messages, request: CompareRequest) -> Answer:
    """Return the differences of runs from a baseline, or their values by query."""
    testing = Testing.of(request)
    question = comparison(database, request.baseline, request.candidates, request)
    _check_by(database, question)
    with prepared(database, messages, question) as covers:
        question = replace(question, sort=request.sort, limit=request.limit)
        if request.per_query:
            rows = _query_rows(database, question)
            return Answer("comparison by query", request, rows)
        rows = _compared(database, question, testing)
        tell_weighted(messages, rows.records, question.by)
        if not question.by:
            tell_judged(messages, rows.records)
        beside: Mapping[str, Any] = {}
        if not request.no_queries:
            beside = _beside(database, question, rows)
    about = {
        "covers": covers,
        "testing": testing,
        "question": question,
        "measure": question.measures[0].name,
    }
    return Answer("comparison", request, rows, {**about, **beside})


def _beside(database: Database, question: Comparison, rows: Rows) -> Mapping[str, Any]:
    names = {row[0] for row in rows.relation.project("candidate").distinct().fetchall()}
    candidates = [run for run in question.candidates if run.name in names]
    if len(candidates) > FEW:
        return {}
    few = replace(question, runs=(question.baseline, *candidates))
    measure = question.measures[0].name
    bins = {**few.parameters, "measures": [measure]}
    return {
        "candidates": [run.name for run in candidates],
        "bins": database.records(sql_files.read("figures/difference_bins"), bins),
        "changes": changed_queries(database, few, measure, _CHANGES),
    }


def compare(
    database: Database, messages: Messages, question: Comparison, testing: Testing
) -> Rows:
    """Return the rows of a comparison.

    With attributes of queries, there is a row for each combination of their
    values, which are columns of those names. Reports what the values rest on.
    """
    _check_by(database, question)
    with prepared(database, messages, question):
        return _compared(database, question, testing)


def _compared(database: Database, question: Comparison, testing: Testing) -> Rows:
    by = question.by
    with combined(database, by):
        rows = rows_with_tests(database, question, testing, bool(by), by)
    return rows.without("attribute", *(() if by else ("slice",)))


def comparison(
    database: Database,
    baseline: str,
    candidates: Sequence[str],
    request: CompareRequest | GateRequest,
) -> Comparison:
    """Return the question about runs, or about the systems that they are replicates of.

    Raises NdcgSqlError if not possible.
    """
    tag = request.over
    if tag is None:
        return resolve(database, baseline, candidates, request)
    check_dataset(database, request.dataset)
    systems = replicates.systems(database, runs(database), tag)
    first = replicates.chosen(database, systems, baseline, request.dataset, tag)
    if len(first) > 1:
        names = listed(system.name for system in first)
        raise NdcgSqlError(
            f"{len(first)} systems match, {names}",
            "name one run of one dataset",
            where=f"run {quoted(baseline)}",
        )
    chosen = [
        system
        for name in candidates
        for system in replicates.chosen(database, systems, name, first[0].dataset, tag)
    ]
    chosen = [system for system in dict.fromkeys(chosen) if system != first[0]]
    if not chosen:
        replicates.check_distinct(database, first, tag)
        raise replicates.with_itself(database, first[0], tag)
    chosen = [*first, *chosen]
    replicates.check_distinct(database, chosen, tag)
    members = tuple(run for system in chosen for run in system.runs)
    set_id = judgments_of(database, first[0].runs, request.judgments)[0][1]
    measures = choose_measures(database, request.measures)
    named = request.names_measures
    by = tuple(request.by)
    question = _fitting(database, measures, members, set_id, by, named)
    firsts = [Entry(one.runs[0].id, one.dataset, one.name) for one in chosen]
    return replace(question, runs=tuple(firsts), systems=tuple(chosen))


def _query_rows(database: Database, question: Comparison) -> Rows:
    by = question.by
    parameters = {**question.parameters, "sliced": bool(by)}
    with combined(database, by):
        rows = Rows.of(database, "reports/compare_queries", parameters, by, _FIRST)
    return rows if by else rows.without("slice")


def changed_queries(
    database: Database,
    question: Comparison,
    measure: str,
    count: int,
    part: Part = (None, None),
) -> list[Record]:
    """Return the queries that lost and won most, where values are known.

    They are listed for each candidate by one measure, the greatest loss first,
    from all queries or from the slice of an attribute.
    """
    attribute, value = part
    parameters = {**question.parameters, "measure": measure, "count": count}
    parameters |= {"attribute": attribute, "slice": value}
    return database.records(sql_files.read("reports/changed_queries"), parameters)


def comparable(
    database: Database, messages: Messages, question: Comparison
) -> Comparison | None:
    """Return a comparison with the candidates that can be compared; None without any.

    These answered a judged query that the baseline answered, too.
    """
    with answered(database, messages, question):
        rows = database.run("lookups/answered_by_pairs", question.parameters)
    common = {row[0] for row in rows if row[-1]}
    runs = [run for run in question.runs[1:] if run.id in common]
    return replace(question, runs=(question.baseline, *runs)) if runs else None


@contextmanager
def prepared(
    database: Database,
    messages: Messages,
    question: Comparison,
    slicing: Slicing = combined,
) -> Generator[list[str]]:
    """Make the values of the compared runs, or systems, known to views while inside.

    With systems, slicing is how slices are made of the question's attributes. Gives
    the lines that say what means over replicates cover. Reports what values rest on.
    Raises NdcgSqlError where two runs have no judged query in common.
    """
    if not question.named:
        tell_left_out(database, messages, question)
    with ExitStack() as stack:
        covers: list[str] = []
        if systems := question.systems:
            replicates.tell_lost(database, messages, systems)
            replicates.tell_sources(database, messages, systems)
            means = replicates.averaged(database, messages, question, systems, slicing)
            covers = stack.enter_context(means)
        else:
            stack.enter_context(answered(database, messages, question))
        _check_answers(database, messages, question)
        yield covers


def tell_left_out(database: Database, messages: Messages, question: Comparison) -> None:
    """Report which registered measures a comparison does without, and why."""
    fit = fitting(database, [question.judgment_set_id])
    for line in fit.warnings:
        messages.warn(line)
    usual = [m for m in choose_measures(database, ()) if m.name in fit.anywhere]
    of_queries(usual, _COMPARING, named=False, messages=messages)


def _check_by(database: Database, question: Comparison) -> None:
    check_attributes(database, question.by, [question.baseline])
    check_columns(question.by, _COLUMNS)


def _check_answers(
    database: Database, messages: Messages, question: Comparison
) -> None:
    """Report unanswered queries; refuse runs without a common judged query."""
    rows = database.run("lookups/answered_by_pairs", question.parameters)
    missing: dict[str, int] = {}
    for candidate, (_, judged, by_first, by_other, by_both) in zip(
        question.candidates, rows, strict=True
    ):
        if not by_both:
            raise NdcgSqlError(
                f"runs {quoted(question.baseline.name)} and {quoted(candidate.name)}"
                " answered no judged query in common; compare runs of the same queries"
            )
        missing[question.baseline.name] = judged - by_first
        missing[candidate.name] = judged - by_other
    missing = {name: count for name, count in missing.items() if count}
    if len(missing) > FEW:
        least, most = min(missing.values()), max(missing.values())
        span = f"{least} to {most}" if least < most else f"{most}"
        messages.tell(f"{len(missing)} runs: {span} judged queries without an answer")
        return
    for name, count in missing.items():
        queries = counted(count, "judged query", "judged queries")
        messages.tell(f"run {quoted(name)}: {queries} without an answer")


def tell_weighted(
    messages: Messages, rows: Sequence[Record], by: Sequence[str] = ()
) -> None:
    """Report differences that weights turn round: none is tested with weights.

    Of slices by these attributes, the first one of a run and measure stands for all.
    """
    turned: dict[tuple[str, str], list[Record]] = {}
    for row in rows:
        plain, weighted = row["difference"], row["weighted_difference"]
        if row.get("slice") is None and plain and weighted and plain * weighted < 0:
            turned.setdefault((row["candidate"], row["measure"]), []).append(row)
    for (candidate, measure), same in turned.items():
        first, others = same[0], len(same) - 1
        slices = ", ".join(f"{name} {quoted(first[name] or '')}" for name in by)
        where = f" for {slices}" if by else ""
        more = f" (and for {counted(others, 'more slice')})" if others else ""
        messages.warn(
            f"run {quoted(candidate)}: {measure} differs by {first['difference']:+.4f}"
            f"{where}, but with the weights of the queries by"
            f" {first['weighted_difference']:+.4f}{more}; tests are without weights"
        )


def tell_judged(messages: Messages, rows: Sequence[Record]) -> None:
    """Report candidates with far fewer, or far more, judged documents than a baseline.

    In one line each, by the first measure with a cutoff to which judgments matter.
    """
    reported: set[str] = set()
    for row in rows:
        candidate, baseline = row["candidate"], row["baseline"]
        own, other = row["candidate_judged_at_k"], row["baseline_judged_at_k"]
        is_uneven = None not in (own, other) and abs(own - other) > _UNEVEN
        if row.get("slice") is not None or candidate in reported or not is_uneven:
            continue
        [measure] = parse(row["measure"])
        if (
            measure.cutoff is None
            or measure.family.reads_rankings
            or not measure.family.highest_is_best
            or measure.parameters.get("judged_only")
        ):
            continue
        reported.add(candidate)
        favoured = candidate if own > other else baseline
        messages.warn(
            f"run {quoted(candidate)}: {own:.0%} of the first {measure.cutoff}"
            f" documents are judged, of run {quoted(baseline)} {other:.0%}; unjudged"
            f" ones count as not relevant, which favours {quoted(favoured)}"
        )


def rows_with_tests(
    database: Database,
    question: Comparison,
    testing: Testing,
    sliced: bool,
    by: Sequence[str] = (),
) -> Rows:
    """Return the rows of a comparison, with the results of tests, of known values.

    With slices, there is a row for each value of each attribute. Candidates and
    measures are processed one after another: only the differences of one comparison,
    one per query and attribute, are in memory at a time.
    """
    parameters: Parameters = {**question.parameters, "sliced": sliced}
    sums = sql_files.read("reports/compared")
    none = f"from ({sums}) limit 0"
    rows: list[Record] = []
    # The shares of systems are there.
    runs_in_slices = question.runs if sliced and not question.systems else ()
    with (
        shares_in_slices(database, runs_in_slices),
        database.temporary(_COMPARED, none, parameters),
    ):
        for one in progress.each(question.single, "comparing", "comparisons"):
            of_one = {**parameters, **one.parameters}
            database.execute(f"insert into {_COMPARED} {sums}", of_one)
            sql = f"select rowid as row_id, * from {_COMPARED} where rowid >= $count"
            added = database.records(sql, {"count": len(rows)})
            rows += _with_statistics(added, database, one, testing, sliced)
        if testing.correct == "tukey":
            for measure in question.measures:
                group = [row for row in rows if row["measure"] == measure.name]
                _correct_by_tukey(database, question, measure, testing, sliced, group)
        else:
            p_values = [row[f"p_{testing.test}"] for row in rows]
            corrected = statistics.adjusted(p_values, testing.correct)
            for row, p in zip(rows, corrected, strict=True):
                row["p_adjusted"] = p
        with statistics_table(database, significance.COLUMNS, rows):
            return Rows.of(database, "reports/compare", question.parameters, by, _FIRST)


_NONE = Differences.of([])


def _with_statistics(
    rows: Sequence[Record],
    database: Database,
    single: Comparison,
    testing: Testing,
    sliced: bool,
) -> list[Record]:
    sql = sql_files.read("reports/differences")
    parameters = {**single.parameters, "sliced": sliced}
    differences = {
        part_of(row): Differences(row["differences"], row["counts"])
        for row in database.arrays(sql, parameters)
    }
    reason = no_mean(single.measures[0])
    return [
        dict.fromkeys(significance.COLUMNS)
        | row
        | (
            {"note": reason}
            if reason
            else significance.computed(differences.get(part_of(row), _NONE), testing)
        )
        for row in rows
    ]


def _correct_by_tukey(
    database: Database,
    question: Comparison,
    measure: Measure,
    testing: Testing,
    sliced: bool,
    rows: Sequence[Record],
) -> None:
    """Add the p-values of Tukey's test of all runs of a slice at once.

    The test uses the queries for which every run has a value; if a row has more,
    its note gives their number.
    """
    ids = [run.id for run in question.runs]
    values = values_of_runs(database, measure, ids, question.judgment_set_id, sliced)
    tables = {
        part: complete(columns[run_id] for run_id in ids)
        for part, columns in values.items()
    }
    tests: dict[Part, tuple[statistics.Floats, str]] = {}
    for row in rows:
        part = part_of(row)
        if row["p_randomization"] is None:
            continue
        notes = [row["note"]] if row["note"] else []
        table, few = tables[part]
        if few:
            notes.append(few)
        else:
            if part not in tests:
                tests[part] = statistics.tukey(table, testing.resamples, testing.seed)
            p_values, how = tests[part]
            row["p_adjusted"] = float(p_values[0, ids.index(row["candidate_run_id"])])
            if how == "normal":
                notes.append("p adjusted by a normal approximation")
            n = len(table)
            if n != row["n"]:
                notes.append(f"p adjusted over {n} queries with a value for every run")
        row["note"] = "; ".join(notes) or None
