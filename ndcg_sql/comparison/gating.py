"""A gate: whether a candidate may replace a baseline."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, get_args

from ndcg_sql.comparison import caveats, comparing, comparison, statistics
from ndcg_sql.comparison.answers import Answer, Part, Record, Rows, part_of
from ndcg_sql.comparison.comparison import Comparison
from ndcg_sql.comparison.gate_rules import Origin, minimum, with_config
from ndcg_sql.comparison.outcomes import NOT_PROVEN, OPEN
from ndcg_sql.comparison.significance import Testing
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import ROWS, Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import check_attributes, runs
from ndcg_sql.evaluation.fitting import fitting
from ndcg_sql.evaluation.question import separate
from ndcg_sql.measures.names import Measure, distinct, parse
from ndcg_sql.requests import choices
from ndcg_sql.requests.comparisons import GateRequest
from ndcg_sql.requests.shared import check_choice
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import chance, listed, not_number, number, quoted
from ndcg_sql.wording import Text, joined, named, use

# Tukey's is a test of all runs; a gate has two.
CORRECTIONS = [name for name in get_args(choices.Correction) if name != "tukey"]
# How much rounding can change a difference from its exact value.
_ROUNDED = 1e-12
# Tests that count sign flips.
_SIGNED = ("randomization", "wilcoxon")
# The number of greatest losses listed for a measure that failed.
_LOSSES = 5
_NOT_TESTED = (
    "gate needs measures whose value is a mean and where higher is better, such as"
    " nDCG@10"
)


@dataclass(frozen=True)
class Drop:
    """A tolerated drop of a mean, absolute or as a share of the baseline's value."""

    size: float
    is_share: bool = False

    @classmethod
    def read(cls, text: str) -> "Drop | None":
        """Return the drop that a text such as 0.01 or 5% names, or None."""
        digits = text.removesuffix("%")
        size = number(digits)
        if size is None:
            return None
        return cls(size) if digits == text else cls(size / 100, is_share=True)

    @classmethod
    def of(cls, value: object, where: Text) -> "Drop":
        """Return the drop that a field has; raise NdcgSqlError for anything else."""
        drop = cls.read(value) if isinstance(value, str) else None
        if isinstance(value, Real) and value is not True and value is not False:
            drop = cls(float(value))
        if drop is None:
            raise NdcgSqlError(not_number(str(value)), where=where)
        if not math.isfinite(drop.size):
            raise NdcgSqlError("not a finite number", where=where)
        if drop.size < 0:
            raise NdcgSqlError("must be 0 or more", where=where)
        if drop.is_share and drop.size >= 1:
            raise NdcgSqlError("must be below 100%", where=where)
        return drop

    def below(self, baseline: float) -> float:
        """Return the tolerated drop below a value."""
        return self.size * abs(baseline) if self.is_share else self.size

    def __str__(self) -> str:
        return f"{100 * self.size:g}%" if self.is_share else f"{self.size:g}"


@dataclass(frozen=True)
class Rules:
    """The rules that a candidate must keep.

    max_drop is the largest drop of a mean below the baseline's, max_drop_in the
    largest in the slices of an attribute, minimum the least value of a measure.
    Without strict, a larger drop fails only if it is significant. underpowered
    says whether rules with too few queries to decide pass or fail; origin, where
    the rules come from.
    """

    max_drop: Drop = Drop(0.01)
    max_drop_in: dict[str, Drop] = field(default_factory=dict[str, Drop])
    minimum: dict[str, float] = field(default_factory=dict[str, float])
    strict: bool = False
    underpowered: str = "pass"
    origin: Origin = field(default_factory=Origin)

    @classmethod
    def of(cls, request: GateRequest, origin: Origin) -> "Rules":
        """Return the rules of a request; raise NdcgSqlError if one is not valid."""
        usual = cls()
        if request.underpowered is not None:
            check_choice("underpowered", request.underpowered, choices.Underpowered)
        drop, slices = request.max_drop, request.max_drop_in.items()
        return cls(
            usual.max_drop if drop is None else Drop.of(drop, use(max_drop=drop)),
            {
                name: Drop.of(limit, use(max_drop_in={name: limit}))
                for name, limit in slices
            },
            minimum(request.minimum),
            bool(request.strict),
            request.underpowered or usual.underpowered,
            origin,
        )


@dataclass(frozen=True)
class Verdict:
    """The outcome of every rule, and the greatest losses where one failed.

    The losses are grouped by measure and part: the slice that a rule is about. covers
    says what means over replicates cover, if values are such.
    """

    rows: list[Record]
    losses: dict[tuple[str, Part], list[Record]]
    covers: list[str]

    @property
    def failed(self) -> list[Record]:
        """The rules that make the gate fail."""
        return [row for row in self.rows if row["fails"]]

    @property
    def let_through(self) -> list[Record]:
        """The rules that pass although the drop exceeds the tolerance."""
        return [row for row in self.rows if row["exceeded"] and not row["fails"]]

    @property
    def outcome(self) -> str:
        """The verdict in one word."""
        if self.failed:
            return "fail"
        return OPEN if self.let_through else "pass"

    @property
    def message(self) -> str:
        """The verdict in one line."""
        if self.failed:
            message = f"gate failed: {len(self.failed)} of {len(self.rows)} rules"
            by_strict = sum(row["by_strict"] for row in self.failed)
            return message + f", {by_strict} by strict alone" * bool(by_strict)
        undecided = ""
        for outcome, words in ((NOT_PROVEN, "not proven"), (OPEN, OPEN)):
            count = sum(row["outcome"] == outcome for row in self.rows)
            before = "," if undecided else f" of {len(self.rows)} rules"
            if count and undecided:
                undecided += f", {count} {words}"
            elif count:
                undecided = f"; {count}{before} {words}"
        larger = len(self.let_through)
        exceeded = f", {larger} with a drop above the tolerance" if larger else ""
        return f"gate passed{undecided}{exceeded}"


def answer(database: Database, messages: Messages, request: GateRequest) -> Answer:
    """Return the outcome of every rule, those of a file of rules included."""
    ruled = with_config(request)
    request, origin = ruled[0]
    try:
        testing = Testing.of(request)
    except NdcgSqlError as error:
        raise origin.blamed_for(error) from None
    if request.baseline is None or request.candidate is None:
        missing = "candidate" if request.baseline else "baseline"
        others = [r for r in runs(database) if request.dataset in (None, r.dataset)]
        taken = (request.baseline, request.candidate)
        names = listed(run.name for run in others if run.name not in taken)
        what = f"gate: no {missing}" + (f"; known: {names}" if names else "")
        raise NdcgSqlError(what, "name a run: " + named(missing))
    pair = (request.baseline, [request.candidate])
    cases: list[tuple[Comparison, Rules]] = []
    for one, origin in ruled:
        try:
            rules = Rules.of(one, origin)
            question = comparison.comparison(database, *pair, one)
        except NdcgSqlError as error:
            raise origin.blamed_for(error) from None
        cases.append((question, rules))
    question = cases[0][0]
    verdict = judge(database, messages, cases, testing)
    decisions = [{column: row[column] for column in _DECIDED} for row in verdict.rows]
    types = ", ".join(f"{column} {kind}" for column, kind in _DECIDED.items())
    select = ROWS.replace("$rows", f"cast($rows as struct({types})[])")
    rows = Rows.selected(database, select, {"rows": decisions})
    about: dict[str, Any] = {
        "testing": testing,
        "question": question,
        "verdict": verdict,
        "covers": verdict.covers,
    }
    return Answer("gate", request, rows, about)


def judge(
    database: Database,
    messages: Messages,
    cases: Sequence[tuple[Comparison, Rules]],
    testing: Testing,
) -> Verdict:
    """Return the outcome of every rule of every question about the same two runs.

    Drops are checked for the compared measures, over all queries and in every
    slice of each attribute of the question. A minimum is checked for the value
    of the candidate as in a report, whatever queries the baseline has values for.
    Raises NdcgSqlError if a measure does not fit the judgments.
    """
    for question, rules in cases:
        try:
            _check(database, question, rules, testing)
        except NdcgSqlError as error:
            raise rules.origin.blamed_for(error) from None
    question = cases[0][0]
    if not all(one.named for one, _ in cases):
        caveats.tell_left_out(database, messages, question)
    measures = [
        measure
        for one, rules in cases
        for measure in (*one.measures, *(parse(name)[0] for name in rules.minimum))
    ]
    everything = replace(
        question,
        measures=tuple(distinct(measures)),
        by=tuple(name for one, rules in cases for name in _attributes(one, rules)),
        named=True,
    )
    prepared = comparing.prepared(database, messages, everything, separate)
    with prepared as covers:
        drops = [_compared(database, one, rules, testing) for one, rules in cases]
        for rows in drops:
            caveats.tell_weighted(messages, rows)
            caveats.tell_judged(messages, rows)
        # Failures are corrected for all rules, whichever question asks for them.
        p_values = [_chance(row) for rows in drops for row in rows]
        corrected = iter(statistics.adjusted(p_values, testing.correct))
        verdict = Verdict([], {}, covers)
        for (one, rules), rows in zip(cases, drops, strict=True):
            decided = [_drop(row, rules, next(corrected), testing) for row in rows]
            decided += _reached(database, one, rules.minimum)
            verdict.rows.extend(decided)
        for row in verdict.failed:
            about = (row["measure"], part_of(row))
            if about not in verdict.losses:
                verdict.losses[about] = _losses(database, question, *about)
    return verdict


def _check(
    database: Database, question: Comparison, rules: Rules, testing: Testing
) -> None:
    if testing.correct not in CORRECTIONS:
        names = ", ".join(CORRECTIONS)
        raise NdcgSqlError(f"not one of {names}", where=use(correct=testing.correct))
    if len(question.candidates) > 1:
        names = listed(run.name for run in question.candidates)
        raise NdcgSqlError(f"gate takes one candidate, not several: {names}")
    _check_measures(question.measures)
    _check_drops(question.measures, rules)
    for name, least in rules.minimum.items():
        _check_minimum(parse(name)[0], least)
    check_attributes(database, question.by, [question.baseline])
    sliced = list(rules.max_drop_in)
    check_attributes(database, sliced, [question.baseline], "max_drop_in")
    if question.named:
        return
    fit = fitting(database, [question.judgment_set_id])
    if fit.warnings:
        last = "gate: tests every registered measure"
        raise NdcgSqlError(
            joined([*fit.warnings, last], "\n"),
            "name those to be tested: " + _testable(question.measures),
        )


def _attributes(question: Comparison, rules: Rules) -> list[str]:
    return list(dict.fromkeys([*question.by, *rules.max_drop_in]))


def _compared(
    database: Database, question: Comparison, rules: Rules, testing: Testing
) -> list[Record]:
    uncorrected = replace(testing, correct="none")
    whole = comparing.rows_with_tests(database, question, uncorrected, sliced=False)
    attributes = _attributes(question, rules)
    if not attributes:
        return whole.records
    with separate(database, attributes):
        sliced = comparing.rows_with_tests(database, question, uncorrected, sliced=True)
        return whole.records + sliced.records


def _check_drops(measures: Sequence[Measure], rules: Rules) -> None:
    names = [measure.name for measure in measures if measure.family.bounded]
    for drop in (rules.max_drop, *rules.max_drop_in.values()):
        if names and not drop.is_share and drop.size > 1:
            raise NdcgSqlError(
                f"a drop of {drop}: {names[0]} is at most 1, so this could never fail;"
                f" for a percentage of the baseline's value: {drop}%"
            )


def _check_minimum(measure: Measure, least: float) -> None:
    where = use(minimum={measure.name: least})
    if not measure.family.can_improve:
        raise NdcgSqlError(_NOT_TESTED, where=where)
    if measure.family.bounded and least > 1:
        raise NdcgSqlError(
            f"{measure.name} is at most 1, so this could never pass",
            "name a value up to 1",
            where=where,
        )


def _check_measures(measures: Sequence[Measure]) -> None:
    for measure in measures:
        if not measure.family.can_improve:
            raise NdcgSqlError(
                _NOT_TESTED,
                "name others: " + _testable(measures),
                where=f"measure {quoted(measure.name)}",
            )


def _testable(measures: Sequence[Measure]) -> Text:
    names = [measure.name for measure in measures if measure.family.can_improve]
    return use(measures=" ".join(names) or "nDCG@10")


def _losses(
    database: Database, question: Comparison, measure: str, part: Part
) -> list[Record]:
    rows = comparing.changed_queries(database, question, measure, _LOSSES, part)
    return [row for row in rows if row["difference"] < 0]


# The columns of a rule, with their types in SQL.
_DECIDED = {
    **dict.fromkeys(("baseline", "candidate", "judgment_set", "dataset"), "varchar"),
    **dict.fromkeys(("rule", "attribute", "slice", "measure"), "varchar"),
    "n": "bigint",
    **dict.fromkeys(("baseline_value", "candidate_value", "difference"), "double"),
    **dict.fromkeys(("tolerance", "minimum", "ci_low", "ci_high"), "double"),
    **dict.fromkeys(("detectable_difference", "p"), "double"),
    "exceeded": "boolean",
    **dict.fromkeys(("outcome", "reason"), "varchar"),
}


def _chance(row: Record) -> float | None:
    """Return the p-value that decides on a drop, before any correction.

    If all queries differ by the same amount, there is no variance, which every
    test except the randomisation test needs.
    """
    p = row["p_adjusted"]
    return row["p_randomization"] if p is None and row["ci_low"] is None else p


def _drop(row: Record, rules: Rules, p: float | None, testing: Testing) -> Record:
    drop = rules.max_drop_in.get(row["attribute"], rules.max_drop)
    tolerance = drop.below(row["baseline_value"] or 0)
    difference = row["difference"]
    # A difference may miss the tolerance only in the last bits.
    exceeded = difference is not None and difference < -tolerance - _ROUNDED
    if difference is None:
        outcome, reason = OPEN, row["note"]
    else:
        limit = f"{tolerance:.4f} ({drop})" if drop.is_share else str(drop)
        outcome, why = _outcome(row, tolerance, exceeded, rules.strict, p, testing)
        reason = f"difference {difference:+.4f}, tolerated -{limit}{why}"
    is_open = outcome in (NOT_PROVEN, OPEN)
    if is_open and rules.underpowered == "fail":
        outcome = OPEN
    fails = outcome == "fail" or (is_open and rules.underpowered == "fail")
    decision = {"rule": "drop", "tolerance": tolerance, "exceeded": exceeded, "p": p}
    decision |= {"outcome": outcome, "reason": reason, "fails": fails}
    decision["by_strict"] = outcome == "fail" and not testing.is_sure(p)
    kept = {column: row[column] for column in _DECIDED if column in row}
    return dict.fromkeys(_DECIDED) | kept | decision


def _outcome(
    row: Record,
    tolerance: float,
    exceeded: bool,
    strict: bool,
    p: float | None,
    testing: Testing,
) -> tuple[str, str]:
    """Return the outcome of a drop, and how the reason goes on.

    A drop fails if it exceeds the tolerance and is significant. It passes if the
    interval of the difference excludes a drop above the tolerance: the candidate
    is not inferior by this margin (Piaggio et al. 2012, JAMA 308). Otherwise the
    queries are too few to prove anything: a drop above the tolerance is left open,
    anything else passes. Only failures are corrected for the number of
    rules: where every rule must pass, each can be tested by itself (Berger 1982,
    Technometrics 24).
    """
    low, alpha = row["ci_low"], testing.alpha
    if row["baseline_value"] == row["candidate_value"] == 0:
        return OPEN, ", but both values are 0"
    if exceeded and testing.is_sure(p):
        return "fail", f", p {chance(p, alpha)} below {alpha:g}"
    if strict and exceeded:
        unsure = f"p {chance(p, alpha)} is not below {alpha:g}"
        return "fail", f": fails by strict, {unsure if p is not None else row['note']}"
    if strict:
        return "pass", ""
    if low is None:
        same = "pass" if row["n"] > 1 else NOT_PROVEN
        return (OPEN if exceeded else same), f"; {row['note']}"
    if low >= -tolerance - _ROUNDED:
        return "pass", f", at worst {low:+.4f}"
    if exceeded and p is not None:
        # The outcome and its mirror image are two of the 2^n flips of signs.
        least = 2.0 ** (1 - row["n"]) if testing.test in _SIGNED else 0
        never = f", nor can be with {row['n']} queries" if least >= alpha else ""
        return (
            OPEN,
            f": exceeded, but p {chance(p, alpha)} is not below {alpha:g}{never}",
        )
    return NOT_PROVEN, f"; {row['n']} queries leave {low:+.4f} possible"


def _reached(
    database: Database, question: Comparison, limits: Mapping[str, float]
) -> list[Record]:
    """Return the outcomes of the least values that the candidate must reach.

    They concern only the candidate: the columns of differences are null.
    """
    candidate = question.candidates[0]
    parameters = {
        "run_id": candidate.id,
        "judgment_set_id": question.judgment_set_id,
        "measures": list(limits),
    }
    sql = sql_files.read("lookups/values_of_run")
    decided: list[Record] = []
    for row in database.records(sql, parameters):
        value, least = row["candidate_value"], limits[row["measure"]]
        passed = value is not None and value >= least - _ROUNDED
        shown = "no query has a value" if value is None else f"value {value:.4f}"
        decision = {
            "rule": "minimum",
            "minimum": least,
            "outcome": "pass" if passed else "fail",
            "reason": f"{shown}, at least {least:g}",
            "fails": not passed,
            "by_strict": False,
        }
        named = {"baseline": question.baseline.name}
        decided.append(dict.fromkeys(_DECIDED) | named | row | decision)
    return decided
