"""The questions that compare: runs, judgment sets, and assessors."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests import choices, shared
from ndcg_sql.requests.fields import Option, frozen, option
from ndcg_sql.wording import listed, named, use

# A group of options.
_RULES = "Rules"


@frozen
class CompareRequest(shared.Request):
    """Compare runs with a baseline, with tests of significance."""

    baseline: Annotated[
        str,
        Option(
            "Name of the run to compare with, or a pattern that matches one.",
            "BASELINE",
            names="runs",
            is_argument=True,
        ),
    ]
    candidates: Annotated[
        tuple[str, ...],
        Option(
            "Names of the runs to compare, or patterns such as 'input.*' (quoted).",
            "CANDIDATE...",
            names="runs",
            is_argument=True,
        ),
    ]
    measures: shared.Measures = ()
    judgments: shared.Judgments = None
    dataset: shared.Dataset = None
    by: shared.Attributes = ()
    test: shared.Test = None
    correct: shared.Correct = None
    alpha: shared.Alpha = None
    resamples: shared.Resamples = None
    seed: shared.Seed = None
    per_query: shared.PerQuery = False
    sort: choices.Sort | None = option(
        "Order of the candidates, by the first measure: difference or value"
        " (greatest first), p (smallest first), or name; as given if omitted.",
        "S",
    )
    limit: shared.Limit = None
    over: str | None = option(
        "Tag in which replicates differ, such as seed or fold: compare means by"
        " query over the runs with the same other tags. A system is named by one"
        " of its runs, a pattern, or its other tags.",
        "TAG",
    )
    no_queries: bool = option(
        "Do not list the queries that lost and won most. They are listed for up to"
        " 3 candidates.",
        value=False,
    )
    html: shared.Html = None
    force: shared.Force = False

    def __post_init__(self) -> None:
        if self.sort is not None:
            shared.check_choice("sort", self.sort, choices.Sort)
        if self.per_query and self.html:
            raise shared.not_with("html", "per_query")
        if self.per_query and (self.sort or self.limit or self.no_queries):
            raise shared.not_with("per_query", "sort", "limit", "no_queries")
        shared.check_page(self.over, self.html)


@frozen
class GateRequest(shared.Request):
    """Pass or fail a run by its drop from a baseline.

    A drop fails if it exceeds the tolerance and is significant.
    """

    baseline: str | None = option("The same as BASELINE.", "R", names="runs")
    candidate: str | None = option("The same as CANDIDATE.", "R", names="runs")
    measures: shared.Measures = ()
    judgments: shared.Judgments = None
    dataset: shared.Dataset = None
    by: tuple[str, ...] = option(
        "Query attribute; each of its slices is decided separately; of several,"
        " each by itself, not the combinations of their values.",
        "A",
        value=(),
    )
    max_drop: str | float | None = option(
        "Largest tolerated drop of a mean: absolute, such as 0.01, or a share of"
        " the baseline's value, such as 5%.",
        "X",
        default="0.01",
        group=_RULES,
    )
    max_drop_in: Mapping[str, str | float] = option(
        "Largest tolerated drop in the slices of an attribute, such as segment=0.03"
        " or segment=5%; may be repeated.",
        "A=X",
        example="segment=0.03",
        group=_RULES,
        value={},
    )
    minimum: Mapping[str, float] = option(
        "Least value that the candidate must reach, such as nDCG@10=0.45; may be"
        " repeated.",
        "M=X",
        word="min",
        example="nDCG@10=0.45",
        group=_RULES,
        value={},
    )
    strict: bool | None = option(
        "Also fail larger drops that are not significant.",
        default="no-strict",
        group=_RULES,
    )
    underpowered: choices.Underpowered | None = option(
        "Whether rules with too few queries to decide pass or fail; with fail, a"
        " pass shows that no drop above the tolerance is plausible.",
        "O",
        default="pass",
        group=_RULES,
    )
    over: str | None = option(
        "Tag in which replicates differ, such as seed or fold: decide on means by"
        " query over the runs with the same other tags, as compare does.",
        "TAG",
    )
    test: shared.Test = None
    correct: shared.Correct = None
    alpha: shared.Alpha = None
    resamples: shared.Resamples = None
    seed: shared.Seed = None
    config: Path | None = option(
        "TOML file of rules, named as the options; options take precedence, those"
        " of several values entry by entry.",
        "FILE",
        group=_RULES,
    )
    junit: Path | None = option(
        "Also write JUnit XML to this file.", "FILE", group=shared.OUTPUT
    )
    html: shared.Html = None
    force: shared.Force = False

    def __post_init__(self) -> None:
        shared.check_page(self.over, self.html)
        if self.html and self.junit and self.html.absolute() == self.junit.absolute():
            raise NdcgSqlError(
                "also the file of " + named("html"),
                "name another",
                where=use(junit=str(self.junit)),
            )


@frozen
class LeaderboardRequest(shared.Request):
    """Print runs from best to worst, in groups of equal ones.

    The order is that of the first measure. Two runs that share a letter are not
    separated by the test. The best run is marked only if the test separates it from
    every other run.
    """

    measures: shared.Measures = ()
    runs: shared.Runs = ()
    judgments: shared.Judgments = None
    dataset: shared.Dataset = None
    by: shared.Attributes = ()
    limit: shared.Limit = None
    correct: choices.Correction | None = option(
        "tukey, a randomised test of all runs at once, or a test of each pair"
        " corrected by holm, bonferroni, bh (Benjamini-Hochberg) or none.",
        "C",
        default="tukey, or holm if a test is named",
    )
    test: shared.Test = None
    alpha: shared.Alpha = None
    resamples: shared.Resamples = None
    seed: shared.Seed = None


@frozen
class ChangesRequest(shared.Request):
    """Show what another judgment set changes.

    That is the values of runs, or with an option the judgments or the order of runs.
    """

    old: Annotated[
        str,
        Option(
            "Name of a judgment set.", "OLD", names="judgment_sets", is_argument=True
        ),
    ]
    new: Annotated[
        str,
        Option(
            "Another one of the same dataset.",
            "NEW",
            names="judgment_sets",
            is_argument=True,
        ),
    ]
    measures: shared.Measures = ()
    runs: shared.Runs = ()
    dataset: shared.Dataset = None
    per_query: bool = option(
        "List the queries whose values changed.", short="q", value=False
    )
    documents: bool = option("List the judgments that differ.", value=False)
    order: bool = option(
        "Show how far the order of the runs agrees (Kendall's tau, tau_AP), and"
        " which significant differences turn round or disappear.",
        value=False,
    )

    limit: int | None = option(
        "Show only the N queries of each run that changed most, or the first N"
        " judgments.",
        "N",
        least=1,
    )

    def __post_init__(self) -> None:
        if self.limit and not (self.documents or self.per_query):
            raise NdcgSqlError(
                "needs " + listed(("per_query", "documents"), "or"),
                where=named("limit"),
            )
        if self.order and (self.documents or self.per_query):
            raise shared.not_with("order", "documents", "per_query")
        if self.documents and (self.per_query or self.measures or self.runs):
            raise NdcgSqlError(
                "lists judgments, not values",
                "omit " + listed(("per_query", "measures", "runs"), "and"),
                where=named("documents"),
            )


@frozen
class OverlapRequest(shared.Request):
    """Show how similar two runs are, and what each finds alone.

    The measure is rank-biased overlap, which needs no judgments. Relevant documents
    are those with a grade of 1 or more.
    """

    run: shared.Run
    other: Annotated[
        str, Option("Name of another.", "OTHER", names="runs", is_argument=True)
    ]
    p: float = option(
        "Probability that a reader goes on to the next document, above 0 and below 1.",
        "P",
        value=0.9,
    )
    judgments: shared.Judgments = None
    per_query: shared.PerQuery = False
    dataset: shared.Dataset = None

    def __post_init__(self) -> None:
        if not 0 < self.p < 1:
            raise NdcgSqlError("must be above 0 and below 1", where=use(p=self.p))


@frozen
class AgreementRequest(shared.Request):
    """Show how much assessors agree.

    Each pair has a kappa; all have a kappa and an alpha.
    """

    assessments: shared.Assessments = ()
    assessors: shared.Assessors = ()
    judgment_sets: tuple[str, ...] = option(
        "Judgment set, in place of an assessor; two or more.",
        "J",
        word="judgments",
        names="judgment_sets",
        value=(),
    )
    group_by: choices.AssessorGroup | None = option(
        "kind or model: show how much the assessors of each kind agree, such as"
        " human and llm, and those of each two kinds, or models.",
        "WHAT",
        word="by",
    )
    dataset: shared.Dataset = None

    def __post_init__(self) -> None:
        if self.group_by is not None:
            shared.check_choice("group_by", self.group_by, choices.AssessorGroup)
            if self.judgment_sets:
                raise shared.not_with("group_by", "judgment_sets")
        if self.judgment_sets and (self.assessments or self.assessors):
            raise shared.not_with("judgment_sets", "assessments", "assessors")
        if len(self.judgment_sets) == 1:
            raise NdcgSqlError(
                "needs two", "name another", where=named("judgment_sets")
            )
