"""The question of a comparison: which runs or systems, by which measures."""

from collections.abc import Collection, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from ndcg_sql.comparison import replicates
from ndcg_sql.comparison.answers import Context, Record, Rows
from ndcg_sql.comparison.replicates import System
from ndcg_sql.database.database import Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.entries import Entry
from ndcg_sql.evaluation.fitting import fitting_any, left_out
from ndcg_sql.evaluation.question import (
    Question,
    Slicing,
    choose_fitting,
    choose_measures,
    combined,
    of_queries,
    tell_or_refuse,
)
from ndcg_sql.measures.names import Measure, measure_called
from ndcg_sql.options import Scope
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, listed, quoted

# With more candidates than this, no queries are listed below a comparison.
FEW = 3
# Warn when shares of judged documents differ by more than this.
_UNEVEN = 0.1
_COMPARING = "a comparison"


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


def comparison(
    context: Context,
    baseline: str,
    candidates: Sequence[str],
    scope: Scope,
    over: str | None = None,
    measures: Sequence[Measure] = (),
) -> Comparison:
    """Return the question about runs, or about the systems that they are replicates of.

    over is the tag in which replicates differ; measures replace those that the scope
    names, or those that fit the judgment set of the baseline. Raises NdcgSqlError if
    the question is not possible.
    """
    database = context.database
    dataset = scope.dataset
    systems: list[System] = []
    if over is None:
        first = entries.choose_run(database, baseline, dataset)
        runs = [first, *entries.choose_others(database, candidates, first, dataset)]
        judged, members = [first], runs
        for other in runs[1:]:
            if other == first:
                what = f"run {quoted(first.name)} would be compared with itself"
                raise NdcgSqlError(what, "name another")
            why = "values with different judgment sets cannot be compared"
            entries.check_same_dataset("run", first, other, why)
    else:
        entries.check_dataset(database, dataset)
        systems = replicates.compared(database, baseline, candidates, dataset, over)
        runs = [Entry(one.runs[0].id, one.dataset, one.name) for one in systems]
        judged, members = systems[0].runs, [r for one in systems for r in one.runs]
    named = bool(measures) or scope.names_measures
    measures = measures or choose_measures(database, scope.measures)
    set_id = entries.judgments_of(database, judged, scope.judgments)[0][1]
    pairs = tuple((run.id, set_id) for run in members)
    if not named:
        measures = choose_fitting(database, measures, pairs)
    measures = of_queries(measures, _COMPARING, named)
    about = tuple(runs), pairs, tuple(scope.by), named
    return Comparison(*context, measures, *about, systems=tuple(systems))


def comparable(question: Comparison) -> Comparison | None:
    """Return a comparison with the candidates that can be compared; None without any.

    These answered a judged query that the baseline answered, too. Values must be known.
    """
    rows = question.database.run("lookups/answered_by_pairs", question.parameters)
    common = {row[0] for row in rows if row[-1]}
    runs = [run for run in question.candidates if run.id in common]
    return replace(question, runs=(question.baseline, *runs)) if runs else None


@contextmanager
def prepared(
    question: Comparison, slicing: Slicing = combined, columns: Collection[str] = ()
) -> Generator[list[str]]:
    """Make the values of the compared runs, or systems, known to views while inside.

    With systems, slicing is how slices are made of the question's attributes. These
    stand beside columns, if any. Gives the lines that say what means over replicates
    cover. Reports what the values depend on. Raises NdcgSqlError where two runs have no
    judged query in common.
    """
    if columns:
        runs = [question.baseline]
        entries.check_attributes(question.database, question.by, runs, columns=columns)
    if not question.named:
        tell_left_out(question)
    with ExitStack() as stack:
        covers: list[str] = []
        if question.systems:
            means = replicates.averaged(question, question.systems, slicing)
            covers = stack.enter_context(means)
        else:
            stack.enter_context(question.answered())
        _check_answers(question)
        yield covers


def tell_left_out(question: Comparison) -> None:
    """Report which registered measures a comparison does without, and why."""
    database, messages = question.database, question.messages
    set_ids = [question.judgment_set_id]
    messages.warn_all(left_out(database, set_ids))
    fits = fitting_any(database, set_ids)
    usual = [m for m in choose_measures(database, ()) if m.name in fits]
    of_queries(usual, _COMPARING, named=False, messages=messages)


def tell_uncompared(question: Comparison, rows: Rows, strict: bool = False) -> None:
    """Report candidates without a row: no query has values of them and the baseline.

    With a limit, not all are shown. Raises NdcgSqlError if there are no rows; if
    strict, if any is missing.
    """
    valued = rows.pairs("measure", "candidate")
    if question.limit and valued:
        return
    lines: list[str] = []
    for name in [measure.name for measure in question.measures]:
        others = [r.name for r in question.candidates if (name, r.name) not in valued]
        if others:
            both = f"{quoted(question.baseline.name)} and of {listed(others)}"
            lines.append(f"{name}: no query has values of {both}")
    tell_or_refuse(question.messages, lines, is_refused=strict or not valued)


def _check_answers(question: Comparison) -> None:
    """Report unanswered queries; refuse runs without a common judged query."""
    tell, baseline = question.messages.tell, question.baseline.name
    # A run that has loaded values alone has none of these rows.
    names = {run.id: run.name for run in question.candidates}
    rows = question.database.run("lookups/answered_by_pairs", question.parameters)
    missing: dict[str, int] = {}
    for run_id, judged, by_baseline, by_candidate, by_both in rows:
        if not by_both:
            raise NdcgSqlError(
                f"runs {quoted(baseline)} and {quoted(names[run_id])} answered no"
                " judged query in common",
                "compare runs of the same queries",
            )
        missing |= {baseline: judged - by_baseline}
        missing |= {names[run_id]: judged - by_candidate}
    missing = {name: count for name, count in missing.items() if count}
    if len(missing) > FEW:
        least, most = min(missing.values()), max(missing.values())
        span = f"{least} to {most}" if least < most else f"{most}"
        tell(f"{len(missing)} runs: {span} judged queries without an answer")
        return
    for name, count in missing.items():
        queries = counted(count, "judged query", "judged queries")
        tell(f"run {quoted(name)}: {queries} without an answer")


def tell_weighted(
    messages: Messages, rows: Sequence[Record], by: Sequence[str] = ()
) -> None:
    """Report differences that weights reverse: none is tested with weights.

    Of slices by these attributes, the first one of a run and measure stands for all.
    """
    reported: set[tuple[str, str]] = set()
    for row in rows:
        plain, weighted = row["difference"], row["weighted_difference"]
        key = row["candidate"], row["measure"]
        if row.get("slice") is not None or key in reported:
            continue
        if plain and weighted and plain * weighted < 0:
            reported.add(key)
            where = ", ".join(f"{name} {quoted(row[name] or '')}" for name in by)
            messages.warn(
                f"run {quoted(key[0])}: {key[1]} differs by {plain:+.4f}"
                f"{' for ' * bool(by)}{where}, but weighted by"
                f" {weighted:+.4f}; tests ignore weights"
            )


def tell_judged(question: Comparison, rows: Sequence[Record]) -> None:
    """Report candidates with far fewer, or far more, judged documents than a baseline.

    In one line each, by the first measure with a cutoff to which judgments matter.
    Queries without an answer have no documents that could be judged.
    """
    reported: set[str] = set()
    answered: dict[str, float] = {}
    names = {run.id: run.name for run in question.candidates}
    counts = question.database.run("lookups/answered_by_pairs", question.parameters)
    for run_id, judged, by_baseline, by_candidate, _ in counts:
        answered |= {question.baseline.name: by_baseline / judged}
        answered |= {names[run_id]: by_candidate / judged}
    for row in rows:
        candidate, baseline = row["candidate"], row["baseline"]
        own, other = row["candidate_judged_at_k"], row["baseline_judged_at_k"]
        if row.get("slice") is not None or candidate in reported:
            continue
        if None in (own, other):
            continue
        own, other = own / answered[candidate], other / answered[baseline]
        if abs(own - other) <= _UNEVEN:
            continue
        measure = measure_called(row["measure"])
        family = measure.family
        if measure.cutoff is None or measure.parameters.get("judged_only"):
            continue
        if family.reads_rankings or not family.highest_is_best:
            continue
        reported.add(candidate)
        favoured = candidate if own > other else baseline
        question.messages.warn(
            f"run {quoted(candidate)}: {own:.0%} of the first {measure.cutoff}"
            f" documents are judged, of run {quoted(baseline)} {other:.0%}; unjudged"
            f" ones count as not relevant, which favours {quoted(favoured)}"
        )
