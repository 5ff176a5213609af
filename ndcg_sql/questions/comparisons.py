"""The questions that compare: runs, judgment sets, and assessors."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from ndcg_sql import options
from ndcg_sql.errors import not_with, refusal
from ndcg_sql.fields import Field, fields_of
from ndcg_sql.options import Option, Scope, several
from ndcg_sql.questions.handle import Handle
from ndcg_sql.questions.reports import page_file
from ndcg_sql.wording import use

if TYPE_CHECKING:
    from ndcg_sql.comparison.answers import Answer

# The parameters of a gate that are no rules.
_NO_RULES = ("config", "junit", "html", "force")


def compare(
    warehouse: Handle,
    baseline: Annotated[str, Option(names="runs")],
    candidates: Annotated[str | Iterable[str], Option(names="runs")],
    measures: options.Measures = None,
    *,
    judgments: options.Judgments = None,
    dataset: options.Dataset = None,
    by: options.Names = None,
    test: options.Test = None,
    correct: options.Correct = None,
    alpha: options.Alpha = None,
    resamples: options.Resamples = None,
    seed: options.Seed = None,
    per_query: options.PerQuery = False,
    sort: Literal["difference", "value", "p", "name"] | None = None,
    limit: options.Count = None,
    over: str | None = None,
    no_queries: bool = False,
    statistics: options.Statistics = "usual",
    html: str | Path | None = None,
    force: bool = False,
) -> "Answer":
    """Compare runs with a baseline, with tests of significance.

    Print one row per candidate and measure, with intervals and p-values, or one row per
    query.

    baseline BASELINE: Name of the run to compare with, or a pattern that matches one.
    candidates CANDIDATE...: Names of the runs to compare, or patterns such as 'input.*'
        (quoted).
    sort S: Order of the candidates, by the first measure: difference or value (greatest
        first), p (smallest first), or name; as given if omitted.
    over TAG: Tag in which replicates differ, such as seed or fold: compare means by
        query over the runs with the same other tags. A system is named by one of its
        runs, a pattern, or its other tags.
    no_queries: Do not list the queries that lost and won most. They are listed for up
        to 3 candidates.
    statistics S: How much a table shows: usual, or all, which adds the p-values of the
        other tests, the effect size and the smallest detectable difference.

    ndcg-sql compare bm25 hybrid -m nDCG@10
    ndcg-sql compare bm25 '*' --by device --html compared.html
    """
    values = locals()
    if per_query and html:
        raise not_with("html", "per_query")
    if per_query and (sort or limit or no_queries):
        raise not_with("per_query", "sort", "limit", "no_queries")
    if per_query and statistics != "usual":
        raise not_with("statistics", "per_query")
    page = page_file(html, force, over)
    from ndcg_sql.comparison import compare as comparing
    from ndcg_sql.comparison.comparison import comparison
    from ndcg_sql.comparison.significance import Testing

    scope, testing = Scope.of(values), Testing.of(values)
    runs = baseline, several(candidates)
    question = comparison(warehouse.read, *runs, scope, over)
    question = replace(question, sort=sort, limit=limit)
    if per_query:
        return comparing.by_query(question, scope)
    answer = comparing.means(question, testing, scope, no_queries)
    about = {**answer.about, "statistics": statistics}
    return replace(answer, about=about, page=page)


def gate(
    warehouse: Handle,
    baseline: Annotated[str | None, Option(names="runs")] = None,
    candidate: Annotated[str | None, Option(names="runs")] = None,
    measures: options.Measures = None,
    *,
    judgments: options.Judgments = None,
    dataset: options.Dataset = None,
    by: options.Names = None,
    max_drop: Annotated[str | float | None, Option(default="0.01")] = None,
    max_drop_in: Annotated[
        Mapping[str, str | float] | None, Option(example="segment=0.03")
    ] = None,
    minimum: Annotated[
        Mapping[str, float] | None, Option(word="min", example="nDCG@10=0.45")
    ] = None,
    strict: Annotated[bool | None, Option(default="no-strict")] = None,
    underpowered: Annotated[options.Underpowered | None, Option(default="pass")] = None,
    over: str | None = None,
    test: options.Test = None,
    correct: options.Correct = None,
    alpha: options.Alpha = None,
    resamples: options.Resamples = None,
    seed: options.Seed = None,
    config: str | Path | None = None,
    junit: str | Path | None = None,
    html: str | Path | None = None,
    force: bool = False,
) -> "Answer":
    """Pass or fail a run by its drop from a baseline.

    The exit code is 0 or 1. A drop fails if it exceeds the tolerance and is
    significant.

    baseline R: Alternative to the argument BASELINE.
    candidate R: Alternative to the argument CANDIDATE.
    by A: Query attribute whose slices are tested separately; several attributes are
        tested one by one, not in combination.
    over TAG: Tag in which replicates differ, such as seed or fold: decide on means by
        query over the runs with the same other tags, as compare does.

    Rules:
    max_drop X: Largest tolerated drop of a mean: absolute, such as 0.01, or a share of
        the baseline's value, such as 5%.
    max_drop_in A=X: Largest tolerated drop in the slices of an attribute, such as
        segment=0.03 or segment=5%; may be repeated.
    minimum M=X: Minimum value for the candidate, such as nDCG@10=0.45; may be repeated.
    strict: Also fail larger drops that are not significant.
    underpowered O: Whether rules with too few queries to decide pass or fail; with
        fail, a pass shows that no drop above the tolerance is plausible.
    config FILE: TOML file of rules, with the names of the options as keys; options take
        precedence (those with several entries, entry by entry).

    Output:
    junit FILE: Also write JUnit XML to this file.

    ndcg-sql gate bm25 hybrid --max-drop 0.01
    ndcg-sql gate keyword hybrid --by device --max-drop 5% --junit gate.xml
    """
    values = locals()
    limits = {one.name: values[one.name] for one in rules_of_gate()}
    if html and junit and Path(html).absolute() == Path(junit).absolute():
        raise refusal(use(junit=str(junit)), "also the file of {html}", "name another")
    page = page_file(html, force, over)
    from ndcg_sql.comparison import gate as deciding
    from ndcg_sql.output.comparison_tables import junit as junit_xml
    from ndcg_sql.output.writing import check_file, delivered

    shown = use(junit=str(junit))
    if junit is not None:
        check_file(Path(junit), "junit", shown)
    rules = None if config is None else Path(config)
    answer = deciding.gate(warehouse.read, limits, rules, rules_of_gate())
    if junit is not None:
        file = Path(warehouse.database.path)
        with delivered(file, Path(junit), shown=shown) as path:
            path.write_bytes(junit_xml(answer.about["verdict"]))
    return replace(answer, page=page)


def rules_of_gate() -> list[Field]:
    """Return the parameters of a gate that a file of rules may have, too."""
    return [one for one in fields_of(gate) if one.name not in _NO_RULES]


def leaderboard(
    warehouse: Handle,
    measures: options.Measures = None,
    *,
    runs: options.Runs = None,
    judgments: options.Judgments = None,
    dataset: options.Dataset = None,
    by: options.Names = None,
    limit: options.Count = None,
    correct: Annotated[
        options.Correction | None, Option(default="tukey, or holm if a test is named")
    ] = None,
    test: options.Test = None,
    alpha: options.Alpha = None,
    resamples: options.Resamples = None,
    seed: options.Seed = None,
) -> "Answer":
    """Print runs from best to worst, in statistically indistinguishable groups.

    Runs are sorted by the first measure. Two runs that share a letter do not differ
    significantly. The best run is marked only if the test separates it from every other
    run.

    correct C: tukey, a randomised test of all runs at once, or a test of each pair
        corrected by holm, bonferroni, bh (Benjamini-Hochberg) or none.

    ndcg-sql leaderboard -m nDCG@10
    """
    values = locals()
    from ndcg_sql.comparison import leaderboard as ranking
    from ndcg_sql.comparison.significance import Testing

    correct = correct or ("holm" if test else "tukey")
    testing = Testing.of({**values, "correct": correct})
    return ranking.leaderboard(warehouse.read, Scope.of(values), testing, limit)


def changes(
    warehouse: Handle,
    old: Annotated[str, Option(names="judgment_sets")],
    new: Annotated[str, Option(names="judgment_sets")],
    measures: options.Measures = None,
    *,
    runs: options.Runs = None,
    dataset: options.Dataset = None,
    per_query: Annotated[bool, Option(short="q")] = False,
    documents: bool = False,
    order: bool = False,
    limit: options.Count = None,
) -> "Answer":
    """Show how results change under another judgment set.

    Results are the values of runs or, with an option, the judgments or the order of
    runs.

    old OLD: Name of a judgment set.
    new NEW: Another one of the same dataset.
    per_query: List the queries whose values changed.
    documents: List the judgments that differ.
    order: Show how far the order of the runs agrees (Kendall's tau, tau_AP), and which
        significant differences reverse or disappear.
    limit N: Show only the N queries of each run that changed most, or the first N
        judgments.

    ndcg-sql changes judgments judgments-2
    """
    scope = Scope.of(locals())
    if limit and not (documents or per_query):
        raise refusal("{limit}", "needs {per_query} or {documents}")
    if order and (documents or per_query):
        raise not_with("order", "documents", "per_query")
    if documents and (per_query or measures or runs):
        remedy = "omit {per_query}, {measures} and {runs}"
        raise refusal("{documents}", "lists judgments, not values", remedy)
    from ndcg_sql.reports import changes as between

    place = warehouse.read, (old, new), scope
    if documents:
        return between.judgments(*place, limit)
    return between.values(*place, per_query, order, limit)


def overlap(
    warehouse: Handle,
    run: options.Run,
    other: Annotated[str, Option(names="runs")],
    *,
    p: Annotated[float, Option(between=(0, 1))] = 0.9,
    judgments: options.Judgments = None,
    per_query: options.PerQuery = False,
    dataset: options.Dataset = None,
) -> "Answer":
    """Show how similar two runs are, and what each finds alone.

    The measure is rank-biased overlap, which needs no judgments. Relevant documents
    are those with a grade of 1 or more.

    other OTHER: Name of another.
    p P: Probability that a reader goes on to the next document, above 0 and below 1.

    ndcg-sql overlap bm25 hybrid
    """
    from ndcg_sql.reports import overlap as similar

    runs = run, other
    return similar.overlap(warehouse.read, runs, p, judgments, dataset, per_query)


def agreement(
    warehouse: Handle,
    assessments: options.Assessments = None,
    *,
    assessors: options.Names = None,
    judgment_sets: Annotated[
        options.Names, Option(word="judgments", names="judgment_sets")
    ] = None,
    group_by: Annotated[Literal["kind", "model"] | None, Option(word="by")] = None,
    dataset: options.Dataset = None,
) -> "Answer":
    """Show how much assessors agree.

    Each pair has a kappa; all have a kappa and an alpha.

    judgment_sets J: Judgment set, in place of an assessor; two or more.
    group_by WHAT: kind or model: show the agreement within each kind (such as human and
        llm) or model, and between each pair of them.

    ndcg-sql agreement
    """
    if group_by and judgment_sets:
        raise not_with("group_by", "judgment_sets")
    if judgment_sets and (assessments or assessors):
        raise not_with("judgment_sets", "assessments", "assessors")
    sets = several(judgment_sets)
    if len(sets) == 1:
        raise refusal("{judgment_sets}", "needs two", "name another")
    from ndcg_sql.reports import agreement as agreeing

    if sets:
        return agreeing.of_judgment_sets(warehouse.database, sets, dataset)
    return agreeing.of_assessors(
        warehouse.database, several(assessments), several(assessors), dataset, group_by
    )
