"""What readers of a comparison must know: what is left out, or judged less."""

from collections.abc import Sequence

from ndcg_sql.comparison.answers import Record
from ndcg_sql.comparison.comparison import COMPARING, Comparison
from ndcg_sql.comparison.replicates import systems
from ndcg_sql.database.database import Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import Entry, into
from ndcg_sql.evaluation.fitting import fitting
from ndcg_sql.evaluation.question import choose_measures, of_queries
from ndcg_sql.measures.names import parse
from ndcg_sql.reading.proposals import is_of_replicates
from ndcg_sql.system.messages import Messages
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Blank, call

# With more candidates than this, no queries are listed below a comparison.
FEW = 3
# From how much on shares of judged documents differ too much to be passed over.
_UNEVEN = 0.1
_TAGS = (
    "select distinct tag from run_tags where list_contains($run_ids, run_id)"
    " order by tag"
)


def tell_left_out(database: Database, messages: Messages, question: Comparison) -> None:
    """Report which registered measures a comparison does without, and why."""
    fit = fitting(database, [question.judgment_set_id])
    for line in fit.warnings:
        messages.warn(line)
    usual = [m for m in choose_measures(database, ()) if m.name in fit.anywhere]
    of_queries(usual, COMPARING, named=False, messages=messages)


def check_answers(database: Database, messages: Messages, question: Comparison) -> None:
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


def tell_replicated(
    database: Database, messages: Messages, chosen: Sequence[Entry]
) -> None:
    """Report a tag such as seed in which runs of a system differ alone.

    Each of them counts as a run of its own.
    """
    names = database.execute(_TAGS, {"run_ids": [run.id for run in chosen]})
    for (tag,) in names:
        if not is_of_replicates(tag):
            continue
        several = [one for one in systems(database, chosen, tag) if len(one.runs) > 1]
        if not several:
            continue
        first, *others = several
        same = (one.name for one in others if one.dataset == first.dataset)
        pair = (first.name, [next(same, None) or Blank("SYSTEM")])
        messages.tell(
            f"{len(first.runs)} runs of {quoted(first.name)} differ in tag"
            f" {quoted(tag)} alone, and each counts by itself; for means over them: "
            + call("report", over=tag)
            + ", to test those: "
            + call("compare", *pair, **into(first.dataset), over=tag)
        )
        return


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
