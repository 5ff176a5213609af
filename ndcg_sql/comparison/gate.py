"""A gate: whether a candidate may replace a baseline."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from ndcg_sql import options
from ndcg_sql.comparison import statistics
from ndcg_sql.comparison.answers import (
    Answer,
    Context,
    Record,
    Rows,
    part_of,
    select_records,
)
from ndcg_sql.comparison.compare import changed_queries, rows_with_tests
from ndcg_sql.comparison.comparison import (
    Comparison,
    comparison,
    prepared,
    tell_judged,
    tell_left_out,
    tell_uncompared,
    tell_weighted,
)
from ndcg_sql.comparison.gate_rules import Limits, Values, minimum, with_config
from ndcg_sql.comparison.significance import NOT_PROVEN, OPEN, Testing, Verdict
from ndcg_sql.comparison.statistics import ROUNDED
from ndcg_sql.database import sql_files
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import check_attributes, runs
from ndcg_sql.evaluation.fitting import left_out
from ndcg_sql.evaluation.question import separate
from ndcg_sql.evaluation.registry import loaded_measures
from ndcg_sql.evaluation.warnings import tell_newest
from ndcg_sql.fields import Field
from ndcg_sql.measures.names import Measure, distinct, parse
from ndcg_sql.text import chance, listed, not_number, number, quoted
from ndcg_sql.wording import Text, Wording, joined, named, use

# Tukey's is a test of all runs; a gate has two.
_CORRECTIONS = [name for name in get_args(options.Correction) if name != "tukey"]
# Tests that count sign flips.
_SIGNED = ("randomization", "wilcoxon")
# The number of greatest losses listed for a measure that failed.
_LOSSES = 5
# The columns of a rule, with their types in SQL.
_COLUMNS = {
    **dict.fromkeys(("baseline", "candidate", "judgment_set", "dataset"), "varchar"),
    **dict.fromkeys(("rule", "attribute", "slice", "measure"), "varchar"),
    "n": "bigint",
    **dict.fromkeys(("baseline_value", "candidate_value", "difference"), "double"),
    **dict.fromkeys(("tolerance", "minimum", "ci_low", "ci_high"), "double"),
    **dict.fromkeys(("detectable_difference", "p"), "double"),
    "exceeded": "boolean",
    **dict.fromkeys(("outcome", "reason"), "varchar"),
}


@dataclass(frozen=True)
class Drop:
    """A tolerated drop of a mean, absolute or as a share of the baseline's value."""

    size: float
    is_share: bool = False

    @classmethod
    def of(cls, value: str | float, where: Text) -> "Drop":
        """Return the drop that a field has, such as 0.01 or 5%; raise NdcgSqlError."""
        text = str(value)
        is_share = text.endswith("%")
        size = number(text[:-1].rstrip() if is_share else text)
        if size is None:
            what = not_number(str(value), "a number or a percentage")
            raise NdcgSqlError(what, where=where)
        if size < 0 or (is_share and size >= 100):
            what = "must be 0 or more" if size < 0 else "must be below 100%"
            raise NdcgSqlError(what, where=where)
        return cls(size / 100 if is_share else size, is_share)

    def below(self, baseline: float) -> float:
        """Return the tolerated drop below a value."""
        return self.size * abs(baseline) if self.is_share else self.size

    def __str__(self) -> str:
        return f"{100 * self.size:g}%" if self.is_share else f"{self.size:g}"


@dataclass(frozen=True)
class _Rules:
    """The rules that a candidate must keep, and the question about the runs.

    drops are the largest drops of a mean in the slices of an attribute, and for None
    over all queries; least are the measures that must reach a value, with it.
    """

    limits: Limits
    question: Comparison
    drops: dict[str | None, Drop]
    least: list[tuple[Measure, float]]

    @property
    def lowest(self) -> set[str]:
        """The measures of which a lower value is the better one."""
        return {m.name for m in self.question.measures if m.family.lowest_is_best}

    @property
    def attributes(self) -> list[str]:
        """The attributes whose slices are decided on."""
        return list(dict.fromkeys([*self.question.by, *self.limits.max_drop_in]))


def gate(
    context: Context, values: Values, config: Path | None, taken: Sequence[Field]
) -> Answer:
    """Return the outcome of every rule, those of a file of rules included.

    values are those that a user gave, of the fields that are taken. Raises
    NdcgSqlError if a measure does not fit the judgments.
    """
    database = context.database
    cases: list[_Rules] = []
    loaded = loaded_measures(database)
    for own, origin in with_config(values, config, taken, loaded):
        try:
            cases.append(_rules(context, Limits.of(own), loaded))
        except NdcgSqlError as error:
            raise origin.blamed_for(error) from None
    limits, question = cases[0].limits, cases[0].question
    testing = limits.testing
    tell_newest(*context, question.pairs, limits.scope.judgments)
    verdict = _verdict(cases, testing)
    decisions = [{column: row[column] for column in _COLUMNS} for row in verdict.rows]
    rows = Rows.selected(database, select_records(_COLUMNS), {"rows": decisions})
    about = {"question": question, "measures": question.measures, "testing": testing}
    about |= {"verdict": verdict, "covers": verdict.covers}
    return Answer("gate", rows, limits.scope, about)


def _rules(context: Context, limits: Limits, loaded: Mapping[str, Measure]) -> _Rules:
    """Return the rules of limits; raise NdcgSqlError if nothing could break one."""
    database = context.database
    if (correct := limits.testing.correct) not in _CORRECTIONS:
        what = f"not one of {', '.join(_CORRECTIONS)}"
        raise NdcgSqlError(what, where=use(correct=correct))
    baseline, candidate = limits.baseline, limits.candidate
    if baseline is None or candidate is None:
        missing = "candidate" if baseline else "baseline"
        others = [run.name for run in runs(database, limits.scope.dataset)]
        names = listed(name for name in others if name not in (baseline, candidate))
        what = f"gate: no {missing}" + (f"; known: {names}" if names else "")
        raise NdcgSqlError(what, "name a run: " + named(missing))
    drop = 0.01 if limits.max_drop is None else limits.max_drop
    drops: dict[str | None, Drop] = {None: Drop.of(drop, use(max_drop=drop))}
    for name, limit in limits.max_drop_in.items():
        drops[name] = Drop.of(limit, use(max_drop_in={name: limit}))
    lowest = minimum(limits.minimum, loaded)
    least = [(parse(name, loaded)[0], limit) for name, limit in lowest.items()]
    runs_of = baseline, [candidate], limits.scope, limits.over
    question = comparison(context, *runs_of)
    if len(question.candidates) > 1:
        names = listed(run.name for run in question.candidates)
        raise NdcgSqlError(f"gate takes one candidate, not several: {names}")
    can_improve = [one.name for one in question.measures if one.family.can_improve]
    testable = use(measures=" ".join(can_improve) or "nDCG@10")
    for measure in question.measures:
        where = Text(f"measure {quoted(measure.name)}")
        _check_testable(measure, where, "name others: " + testable)
        for limit in drops.values():
            if measure.family.bounded and not limit.is_share and limit.size > 1:
                raise NdcgSqlError(
                    f"a drop of {limit}: {measure.name} is at most 1, so this could"
                    " never fail",
                    f"for a percentage of the baseline's value: {limit}%",
                )
    for measure, value in least:
        where = use(minimum={measure.name: value})
        _check_testable(measure, where)
        if measure.family.lowest_is_best:
            raise NdcgSqlError("lower is better, so it has no minimum", where=where)
        if measure.family.bounded and value > 1:
            what = f"{measure.name} is at most 1, so this could never pass"
            raise NdcgSqlError(what, "name a value up to 1", where=where)
    compared = [question.baseline]
    check_attributes(database, question.by, compared)
    check_attributes(database, list(limits.max_drop_in), compared, "max_drop_in")
    warnings = [] if question.named else left_out(database, [question.judgment_set_id])
    if warnings:
        what = joined([*warnings, "gate: tests every registered measure"], "\n")
        raise NdcgSqlError(what, "name those to be tested: " + testable)
    return _Rules(limits, question, drops, least)


def _check_testable(measure: Measure, where: Text, remedy: Wording = "") -> None:
    if not measure.family.can_improve:
        what = "gate needs measures whose value is a mean and where higher is better"
        raise NdcgSqlError(f"{what}, such as nDCG@10", remedy, where=where)


def _verdict(cases: Sequence[_Rules], testing: Testing) -> Verdict:
    """Return the outcome of every rule about the same two runs.

    Drops are checked over all queries and in every slice of each attribute.
    """
    question = cases[0].question
    database, messages = question.database, question.messages
    if not all(rules.question.named for rules in cases):
        tell_left_out(question)
    measures: list[Measure] = []
    for rules in cases:
        measures += [*rules.question.measures, *(m for m, _ in rules.least)]
    everything = replace(
        question,
        measures=tuple(distinct(measures)),
        by=tuple(name for rules in cases for name in rules.attributes),
        named=True,
    )
    uncorrected = replace(testing, correct="none")
    with prepared(everything, separate) as covers:
        drops: list[list[Record]] = []
        for rules in cases:
            overall = rows_with_tests(rules.question, uncorrected, sliced=False)
            tell_uncompared(rules.question, overall, strict=rules.question.named)
            rows = overall.records
            if rules.attributes:
                with separate(database, rules.attributes):
                    sliced = rows_with_tests(rules.question, uncorrected, sliced=True)
                    rows = rows + sliced.records
            tell_weighted(messages, rows)
            tell_judged(question, rows)
            drops.append(rows)
        # Failures are corrected for all rules, whichever question asks for them. If all
        # queries differ by the same amount, there is no variance, which every test
        # except the randomisation test needs.
        p_values = [
            row["p_randomization"]
            if row["p_adjusted"] is None and row["ci_low"] is None
            else row["p_adjusted"]
            for rows in drops
            for row in rows
        ]
        corrected = iter(statistics.adjusted(p_values, testing.correct))
        verdict = Verdict([], {}, covers)
        for rules, rows in zip(cases, drops, strict=True):
            decided = [_drop(row, rules, next(corrected), testing) for row in rows]
            verdict.rows.extend(decided + _reached(rules))
        lowest = set[str]().union(*(rules.lowest for rules in cases))
        for row in verdict.failed:
            measure, part = row["measure"], part_of(row)
            if (measure, part) not in verdict.losses:
                sign = -1 if measure in lowest else 1
                lost = changed_queries(question, measure, _LOSSES, part)
                losses = [query for query in lost if sign * query["difference"] < 0]
                verdict.losses[measure, part] = losses
    return verdict


def _drop(row: Record, rules: _Rules, p: float | None, testing: Testing) -> Record:
    """Return the outcome of a drop."""
    drop = rules.drops.get(row["attribute"], rules.drops[None])
    tolerance = drop.below(row["baseline_value"] or 0)
    # What rises gets worse where a lower value is the better one.
    is_lowest = row["measure"] in rules.lowest
    difference, worst = row["difference"], row["ci_high" if is_lowest else "ci_low"]
    gain, least_gain = (
        None if value is None else -value if is_lowest else value
        for value in (difference, worst)
    )
    # A difference may miss the tolerance only in the last bits.
    exceeded = gain is not None and gain < -tolerance - ROUNDED
    outcome, reason = OPEN, row["note"]
    if gain is not None:
        limit = f"{tolerance:.4f} ({drop})" if drop.is_share else str(drop)
        case = {**row, "worst": worst, "least_gain": least_gain, "exceeded": exceeded}
        case |= {"tolerance": tolerance, "strict": rules.limits.strict}
        outcome, why = _outcome(case, p, testing)
        sign = "+" if is_lowest else "-"
        reason = f"difference {difference:+.4f}, tolerated {sign}{limit}{why}"
    # With underpowered="fail", rules with too few queries to decide fail, too.
    decisive = rules.limits.underpowered == "fail"
    if decisive and outcome == NOT_PROVEN:
        outcome = OPEN
    return dict.fromkeys(_COLUMNS) | {
        **{column: row[column] for column in _COLUMNS if column in row},
        "rule": "drop",
        "tolerance": tolerance,
        "exceeded": exceeded,
        "p": p,
        "outcome": outcome,
        "reason": reason,
        "fails": outcome == "fail" or (outcome == OPEN and decisive),
        "by_strict": outcome == "fail" and not testing.is_sure(p),
    }


def _outcome(row: Record, p: float | None, testing: Testing) -> tuple[str, str]:
    """Return the outcome of a drop, and how the reason goes on.

    A drop fails if it exceeds the tolerance and is significant. It passes if the
    interval of the difference excludes a drop above the tolerance: the candidate
    is not inferior by this margin (Piaggio et al. 2012, JAMA 308). Otherwise the
    queries are too few to prove anything: a drop above the tolerance is left open,
    anything else passes. Only failures are corrected for the number of rules: where
    all must pass, each can be tested by itself (Berger 1982, Technometrics 24).
    """
    n, least_gain, alpha = row["n"], row["least_gain"], testing.alpha
    exceeded, strict = row["exceeded"], row["strict"]
    unsure = f"p {chance(p, alpha)} is not below {alpha:g}"
    if row["baseline_value"] == row["candidate_value"] == 0:
        return OPEN, ", but both values are 0"
    if exceeded and testing.is_sure(p):
        return "fail", f", p {chance(p, alpha)} below {alpha:g}"
    if strict and exceeded:
        return (
            "fail",
            f": fails because it is strict, {row['note'] if p is None else unsure}",
        )
    if strict:
        return "pass", ""
    if least_gain is None:
        same = "pass" if n > 1 else NOT_PROVEN
        return (OPEN if exceeded else same), f"; {row['note']}"
    if least_gain >= -row["tolerance"] - ROUNDED:
        return "pass", f", at worst {row['worst']:+.4f}"
    if exceeded and p is not None:
        # The outcome and its mirror image are two of the 2^n flips of signs.
        least = 2.0 ** (1 - n) if testing.test in _SIGNED else 0
        never = f", nor can be with {n} queries" if least >= alpha else ""
        return OPEN, f": exceeded, but {unsure}{never}"
    return NOT_PROVEN, f"; {n} queries cannot rule out {row['worst']:+.4f}"


def _reached(rules: _Rules) -> list[Record]:
    """Return the outcomes of the least values that the candidate must reach.

    A value is that of a report, whatever queries the baseline has values for.
    """
    question = rules.question
    least_values = {measure.name: value for measure, value in rules.least}
    parameters = {
        "run_id": question.candidates[0].id,
        "judgment_set_id": question.judgment_set_id,
        "measures": list(least_values),
    }
    decided: list[Record] = []
    select = sql_files.read("lookups/values_of_run")
    for row in question.database.records(select, parameters):
        value, least = row["candidate_value"], least_values[row["measure"]]
        passed = value is not None and value >= least - ROUNDED
        value_text = "no query has a value" if value is None else f"value {value:.4f}"
        decision = {
            "baseline": question.baseline.name,
            "rule": "minimum",
            "minimum": least,
            "outcome": "pass" if passed else "fail",
            "reason": f"{value_text}, at least {least:g}",
            "fails": not passed,
            "by_strict": False,
        }
        decided.append(dict.fromkeys(_COLUMNS) | row | decision)
    return decided
