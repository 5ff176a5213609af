"""The question of a comparison: which runs or systems, by which measures."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ndcg_sql.comparison import replicates
from ndcg_sql.comparison.replicates import System
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import (
    Entry,
    check_dataset,
    choose_others,
    choose_run,
    judgments_of,
    runs,
)
from ndcg_sql.evaluation.question import (
    Question,
    answered,
    choose_fitting,
    choose_measures,
    of_queries,
)
from ndcg_sql.measures.names import Measure
from ndcg_sql.requests.comparisons import CompareRequest, GateRequest
from ndcg_sql.requests.shared import Request
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import listed, quoted

COMPARING = "a comparison"


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
    measures = of_queries(measures, COMPARING, named)
    return Comparison(measures, runs, pairs, by, named)


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
