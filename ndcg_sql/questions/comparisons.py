"""The questions that compare: runs, judgment sets, and assessors."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.questions.handle import Handle
from ndcg_sql.questions.reports import page_file
from ndcg_sql.requests import choices, shared
from ndcg_sql.requests.fields import Option, checked
from ndcg_sql.requests.shared import Scope, check_choice, check_page, not_with, several
from ndcg_sql.wording import listed, named, use

if TYPE_CHECKING:
    from ndcg_sql.comparison.answers import Answer

# A group of options.
_RULES = "Rules"


def compare(
    warehouse: Handle,
    baseline: Annotated[
        str,
        "Name of the run to compare with, or a pattern that matches one.",
        "BASELINE",
        Option(names="runs", is_argument=True),
    ],
    candidates: Annotated[
        str | Iterable[str],
        "Names of the runs to compare, or patterns such as 'input.*' (quoted).",
        "CANDIDATE...",
        Option(names="runs", is_argument=True),
    ],
    measures: shared.Measures = None,
    *,
    judgments: shared.Judgments = None,
    dataset: shared.Dataset = None,
    by: shared.By = None,
    test: shared.Test = None,
    correct: shared.Correct = None,
    alpha: shared.Alpha = None,
    resamples: shared.Resamples = None,
    seed: shared.Seed = None,
    per_query: shared.PerQuery = False,
    sort: Annotated[
        choices.Sort | None,
        "Order of the candidates, by the first measure: difference or value"
        " (greatest first), p (smallest first), or name; as given if omitted.",
        "S",
    ] = None,
    limit: shared.Limit = None,
    over: Annotated[
        str | None,
        "Tag in which replicates differ, such as seed or fold: compare means by"
        " query over the runs with the same other tags. A system is named by one"
        " of its runs, a pattern, or its other tags.",
        "TAG",
    ] = None,
    no_queries: Annotated[
        bool,
        "Do not list the queries that lost and won most. They are listed for up to"
        " 3 candidates.",
    ] = False,
    statistics: Annotated[
        choices.Statistics,
        "How much a table shows: usual, or all, which adds the p-values of the"
        " other tests, the effect size and the smallest detectable difference.",
        "S",
    ] = "usual",
    html: shared.Html = None,
    force: shared.Force = False,
) -> "Answer":
    """Compare runs with a baseline, with tests of significance.

    A row is a candidate and measure, with intervals and p-values; or a query.
    """
    if sort is not None:
        check_choice("sort", sort, choices.Sort)
    if per_query and html:
        raise not_with("html", "per_query")
    if per_query and (sort or limit or no_queries):
        raise not_with("per_query", "sort", "limit", "no_queries")
    check_choice("statistics", statistics, choices.Statistics)
    if per_query and statistics != "usual":
        raise not_with("statistics", "per_query")
    check_page(over, html)
    page = page_file(html, force)
    from ndcg_sql.comparison import compare as comparing
    from ndcg_sql.comparison.comparison import comparison
    from ndcg_sql.comparison.significance import Testing

    testing = Testing.of(
        test=test, correct=correct, alpha=alpha, resamples=resamples, seed=seed
    )
    scope = Scope(
        several(measures), judgments=judgments, dataset=dataset, by=several(by)
    )
    database, messages = warehouse.database, warehouse.messages
    question = comparison(database, baseline, several(candidates), scope, over)
    question = replace(question, sort=sort, limit=limit)
    if per_query:
        return comparing.by_query(database, messages, question, scope)
    answer = comparing.means(database, messages, question, testing, scope, no_queries)
    about = {**answer.about, "statistics": statistics}
    return replace(answer, about=about, page=page)


def gate(
    warehouse: Handle,
    baseline: Annotated[
        str | None, "The same as BASELINE.", "R", Option(names="runs")
    ] = None,
    candidate: Annotated[
        str | None, "The same as CANDIDATE.", "R", Option(names="runs")
    ] = None,
    measures: shared.Measures = None,
    *,
    judgments: shared.Judgments = None,
    dataset: shared.Dataset = None,
    by: Annotated[
        shared.Names,
        "Query attribute; each of its slices is decided separately; of several,"
        " each by itself, not the combinations of their values.",
        "A",
    ] = None,
    max_drop: Annotated[
        str | float | None,
        "Largest tolerated drop of a mean: absolute, such as 0.01, or a share of"
        " the baseline's value, such as 5%.",
        "X",
        Option(default="0.01", group=_RULES),
    ] = None,
    max_drop_in: Annotated[
        Mapping[str, str | float] | None,
        "Largest tolerated drop in the slices of an attribute, such as segment=0.03"
        " or segment=5%; may be repeated.",
        "A=X",
        Option(example="segment=0.03", group=_RULES),
    ] = None,
    minimum: Annotated[
        Mapping[str, float] | None,
        "Least value that the candidate must reach, such as nDCG@10=0.45; may be"
        " repeated.",
        "M=X",
        Option(word="min", example="nDCG@10=0.45", group=_RULES),
    ] = None,
    strict: Annotated[
        bool | None,
        "Also fail larger drops that are not significant.",
        Option(default="no-strict", group=_RULES),
    ] = None,
    underpowered: Annotated[
        choices.Underpowered | None,
        "Whether rules with too few queries to decide pass or fail; with fail, a"
        " pass shows that no drop above the tolerance is plausible.",
        "O",
        Option(default="pass", group=_RULES),
    ] = None,
    over: Annotated[
        str | None,
        "Tag in which replicates differ, such as seed or fold: decide on means by"
        " query over the runs with the same other tags, as compare does.",
        "TAG",
    ] = None,
    test: shared.Test = None,
    correct: shared.Correct = None,
    alpha: shared.Alpha = None,
    resamples: shared.Resamples = None,
    seed: shared.Seed = None,
    config: Annotated[
        str | Path | None,
        "TOML file of rules, named as the options; options take precedence, those"
        " of several values entry by entry.",
        "FILE",
        Option(group=_RULES),
    ] = None,
    junit: Annotated[
        str | Path | None,
        "Also write JUnit XML to this file.",
        "FILE",
        Option(group=shared.OUTPUT),
    ] = None,
    html: shared.Html = None,
    force: shared.Force = False,
) -> "Answer":
    """Pass or fail a run by its drop from a baseline.

    The exit code is 0 or 1. A drop fails if it exceeds the tolerance and is
    significant.
    """
    lists = {"measures": several(measures), "by": several(by)}
    maps = {"max_drop_in": max_drop_in or {}, "minimum": minimum or {}}
    values: dict[str, Any] = {**locals(), **lists, **maps}
    check_page(over, html)
    if html and junit and Path(html).absolute() == Path(junit).absolute():
        raise NdcgSqlError(
            "also the file of " + named("html"),
            "name another",
            where=use(junit=str(junit)),
        )
    page = page_file(html, force)
    from ndcg_sql.comparison import gate as deciding
    from ndcg_sql.comparison.gate_rules import Limits
    from ndcg_sql.output import gate_results
    from ndcg_sql.output.writing import check_file, delivered

    shown = use(junit=str(junit))
    if junit is not None:
        check_file(Path(junit), "junit", shown)
    limits = Limits(**{name: values[name] for name in vars(Limits())})
    answer = deciding.gate(
        warehouse.database,
        warehouse.messages,
        limits,
        None if config is None else Path(config),
        partial(checked, gate),
    )
    if junit is not None:
        file = Path(warehouse.database.path)
        with delivered(file, Path(junit), shown=shown) as path:
            path.write_bytes(gate_results.junit(answer.about["verdict"]))
    return replace(answer, page=page)


def leaderboard(
    warehouse: Handle,
    measures: shared.Measures = None,
    *,
    runs: shared.Runs = None,
    judgments: shared.Judgments = None,
    dataset: shared.Dataset = None,
    by: shared.By = None,
    limit: shared.Limit = None,
    correct: Annotated[
        choices.Correction | None,
        "tukey, a randomised test of all runs at once, or a test of each pair"
        " corrected by holm, bonferroni, bh (Benjamini-Hochberg) or none.",
        "C",
        Option(default="tukey, or holm if a test is named"),
    ] = None,
    test: shared.Test = None,
    alpha: shared.Alpha = None,
    resamples: shared.Resamples = None,
    seed: shared.Seed = None,
) -> "Answer":
    """Print runs from best to worst, in groups of equal ones.

    The order is that of the first measure. Two runs that share a letter are not
    separated by the test. The best run is marked only if the test separates it from
    every other run.
    """
    from ndcg_sql.comparison import leaderboard as ranking
    from ndcg_sql.comparison.significance import Testing

    testing = Testing.of(
        test=test,
        correct=correct or ("holm" if test else "tukey"),
        alpha=alpha,
        resamples=resamples,
        seed=seed,
    )
    scope = Scope(several(measures), several(runs), judgments, dataset, several(by))
    return ranking.leaderboard(
        warehouse.database, warehouse.messages, scope, testing, limit
    )


def changes(
    warehouse: Handle,
    old: Annotated[
        str,
        "Name of a judgment set.",
        "OLD",
        Option(names="judgment_sets", is_argument=True),
    ],
    new: Annotated[
        str,
        "Another one of the same dataset.",
        "NEW",
        Option(names="judgment_sets", is_argument=True),
    ],
    measures: shared.Measures = None,
    *,
    runs: shared.Runs = None,
    dataset: shared.Dataset = None,
    per_query: Annotated[
        bool, "List the queries whose values changed.", Option(short="q")
    ] = False,
    documents: Annotated[bool, "List the judgments that differ."] = False,
    order: Annotated[
        bool,
        "Show how far the order of the runs agrees (Kendall's tau, tau_AP), and"
        " which significant differences turn round or disappear.",
    ] = False,
    limit: Annotated[
        int | None,
        "Show only the N queries of each run that changed most, or the first N"
        " judgments.",
        "N",
        Option(least=1),
    ] = None,
) -> "Answer":
    """Show what another judgment set changes.

    That is the values of runs, or with an option the judgments or the order of runs.
    """
    if limit and not (documents or per_query):
        raise NdcgSqlError(
            "needs " + listed(("per_query", "documents"), "or"), where=named("limit")
        )
    if order and (documents or per_query):
        raise not_with("order", "documents", "per_query")
    if documents and (per_query or measures or runs):
        raise NdcgSqlError(
            "lists judgments, not values",
            "omit " + listed(("per_query", "measures", "runs"), "and"),
            where=named("documents"),
        )
    from ndcg_sql.reports import changes as between

    scope = Scope(several(measures), several(runs), dataset=dataset)
    database, messages = warehouse.database, warehouse.messages
    if documents:
        return between.judgments(database, messages, (old, new), scope, limit)
    return between.values(
        database, messages, (old, new), scope, per_query, order, limit
    )


def overlap(
    warehouse: Handle,
    run: shared.Run,
    other: Annotated[
        str, "Name of another.", "OTHER", Option(names="runs", is_argument=True)
    ],
    *,
    p: Annotated[
        float,
        "Probability that a reader goes on to the next document, above 0 and below 1.",
        "P",
    ] = 0.9,
    judgments: shared.Judgments = None,
    per_query: shared.PerQuery = False,
    dataset: shared.Dataset = None,
) -> "Answer":
    """Show how similar two runs are, and what each finds alone.

    The measure is rank-biased overlap, which needs no judgments. Relevant documents
    are those with a grade of 1 or more.
    """
    if not 0 < p < 1:
        raise NdcgSqlError("must be above 0 and below 1", where=use(p=p))
    from ndcg_sql.reports import overlap as similar

    return similar.overlap(
        warehouse.database,
        warehouse.messages,
        (run, other),
        p,
        judgments,
        dataset,
        per_query,
    )


def agreement(
    warehouse: Handle,
    assessments: shared.Assessments = None,
    *,
    assessors: shared.Assessors = None,
    judgment_sets: Annotated[
        shared.Names,
        "Judgment set, in place of an assessor; two or more.",
        "J",
        Option(word="judgments", names="judgment_sets"),
    ] = None,
    group_by: Annotated[
        choices.AssessorGroup | None,
        "kind or model: show how much the assessors of each kind agree, such as"
        " human and llm, and those of each two kinds, or models.",
        "WHAT",
        Option(word="by"),
    ] = None,
    dataset: shared.Dataset = None,
) -> "Answer":
    """Show how much assessors agree.

    Each pair has a kappa; all have a kappa and an alpha.
    """
    if group_by is not None:
        check_choice("group_by", group_by, choices.AssessorGroup)
        if judgment_sets:
            raise not_with("group_by", "judgment_sets")
    if judgment_sets and (assessments or assessors):
        raise not_with("judgment_sets", "assessments", "assessors")
    sets = several(judgment_sets)
    if len(sets) == 1:
        raise NdcgSqlError("needs two", "name another", where=named("judgment_sets"))
    from ndcg_sql.reports import agreement as agreeing

    if sets:
        return agreeing.of_judgment_sets(warehouse.database, sets, dataset)
    return agreeing.of_assessors(
        warehouse.database, several(assessments), several(assessors), dataset, group_by
    )
