"""The questions that a warehouse answers."""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Annotated

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests import choices, loading, shared
from ndcg_sql.requests.fields import Option, frozen, option
from ndcg_sql.wording import call, listed, named, use

# A group of options.
_RULES = "Rules"


@frozen
class ReportRequest(shared.Request):
    """Print the values of runs."""

    measures: shared.Measures = ()
    like: shared.Like = None
    runs: shared.Runs = ()
    judgments: shared.Judgments = None
    dataset: shared.Dataset = None
    by: shared.Attributes = ()
    per_query: shared.PerQuery = False
    bounds: bool = option(
        "Show how far values could move if the unjudged documents that the runs"
        " returned had any grades from 0 to the largest; also the value without"
        " such documents, and Bpref.",
        value=False,
    )
    tags: Mapping[str, str] = option(
        "Only runs with this tag; may be repeated: runs that have them all.",
        "K=V",
        word="tag",
        example="branch=main",
        value={},
    )
    sort: str | None = option(
        "Put the runs in the order of a measure, the highest value over all queries"
        " first; in the order of loading if omitted.",
        "M",
    )
    limit: int | None = option(
        "Show only the first N runs of each dataset.", "N", least=1
    )
    worst: int | None = option(
        "With " + named("per_query") + ", show only the N queries of each run with"
        " the lowest values of the first measure.",
        "N",
        least=1,
    )
    over: str | None = option(
        "Tag in which replicates differ, such as seed: the mean, the standard"
        " deviation and the count over runs with the same other tags.",
        "TAG",
    )
    row_columns: str | None = option(
        "Only these columns of the rows, such as run,measure,value.",
        "C,...",
        word="columns",
    )
    counts: choices.Counts = option(
        "How much a table shows of what values are based on: none, short (queries"
        " and judged@k) or all.",
        "C",
        value="all",
    )
    html: shared.Html = None
    force: shared.Force = False

    def __post_init__(self) -> None:
        if self.bounds and (self.by or self.like):
            raise shared.not_with("bounds", "by", "like")
        if self.bounds and (self.sort or self.limit):
            raise shared.not_with("bounds", "sort", "limit")
        if self.over and (self.bounds or self.per_query or self.sort or self.limit):
            raise shared.not_with("over", "bounds", "per_query", "sort", "limit")
        _check_page(self.over, self.html)
        if self.worst and (self.bounds or not self.per_query):
            raise NdcgSqlError(
                "needs " + named("per_query") + ", without " + named("bounds"),
                where=named("worst"),
            )
        if self.html and self.limit:
            raise NdcgSqlError(
                "a page shows every run", "omit " + named("limit"), where=named("html")
            )
        shared.check_choice("counts", self.counts, choices.Counts)
        if self.counts != "all" and (self.bounds or self.row_columns or self.per_query):
            raise shared.not_with("counts", "bounds", "row_columns", "per_query")


def _check_page(over: str | None, html: Path | None) -> None:
    if over and html:
        raise NdcgSqlError(
            "a page shows runs, not means over replicates",
            "omit " + named("over") + " for a page of every replicate",
            where=named("html"),
        )


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
        _check_page(self.over, self.html)


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
        _check_page(self.over, self.html)
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
class ExplainRequest(shared.Request):
    """Show how the value of a query is computed."""

    run: shared.Run
    query: Annotated[str, Option("Id of the query.", "QUERY", is_argument=True)]
    measures: tuple[str, ...] = option(
        "Such as nDCG@10, AP, RR, P@10, RBP or ERR; two of a kind are shown together.",
        "M",
        word="measure",
        short="m",
        names="measures",
        value=(),
    )
    like: choices.System | None = option(
        "Also show the measure as another system computes it; "
        + call("measures", systems=True)
        + " lists them.",
        "SYSTEM",
        names="systems",
    )
    against: str | None = option(
        "Another run: show both rankings side by side, what moved, and what that cost.",
        "RUN",
        names="runs",
    )
    judgments: shared.Judgments = None
    dataset: shared.Dataset = None


@frozen
class UnjudgedRequest(shared.Request):
    """List unjudged documents, those that matter most first.

    What matters is how much a grade could change the means of the runs.
    """

    measures: shared.Measures = ()
    runs: shared.Runs = ()
    judgments: shared.Judgments = None
    dataset: shared.Dataset = None
    depth: int | None = option(
        "Number of top documents to look at.",
        "K",
        default="the measure's cutoff, or 10",
        least=1,
    )
    limit: int | None = option("Show only the first N documents.", "N", least=1)


@frozen
class HistoryRequest(shared.Request):
    """Show values over time, and how they changed.

    Each has its difference from the run before it.
    """

    measures: shared.Measures = ()
    runs: shared.Runs = ()
    judgments: shared.Judgments = None
    dataset: shared.Dataset = None
    by: shared.Attributes = ()
    tag: str | None = option(
        "Make a series for each value of a run tag, or for one value.", "K[=V]"
    )
    limit: int | None = option(
        "Show only the last N runs of each series.", "N", least=1
    )


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


@frozen
class DescribeRequest(shared.Request):
    """Show what a run or a judgment set is.

    Of a run: its source, depth, ties and judged share. Of a judgment set: its source
    and grades, and if it was made of clicks, what it rests on.
    """

    name: Annotated[
        str,
        Option(
            "Name of a run, or of a judgment set.",
            "NAME",
            names="described",
            is_argument=True,
        ),
    ]
    judgments: shared.Judgments = None
    dataset: shared.Dataset = None


@frozen
class ContentsRequest(shared.Request):
    """List judgment sets, assessments and runs, by dataset."""

    dataset: shared.Dataset = None
    with_tags: bool = option(
        "Also show the tags of each run.", word="tags", value=False
    )
    limit: int | None = option(
        "Show only the newest N runs, judgment sets and assessments of each dataset.",
        "N",
        least=1,
    )


@frozen
class MeasuresRequest(shared.Request):
    """List the registered measures, whose values are stored."""

    families: bool = option("List the families to register instead.", value=False)
    systems: bool = option("List the measures of other systems instead.", value=False)

    def __post_init__(self) -> None:
        if self.families and self.systems:
            where = named("families") + " and " + named("systems")
            raise NdcgSqlError("one list at a time", where=where)

    @property
    def needs_warehouse(self) -> bool:
        """Whether the answer depends on a warehouse."""
        return not (self.families or self.systems)


@frozen
class GainsRequest(shared.Request):
    """List the named gain schemes; linear, exp and binary are built in."""


@frozen
class SchemaRequest(shared.Request):
    """Print the public relations and what their columns mean."""

    view: str | None = option(
        "Name of one relation; all if omitted.",
        "[VIEW]",
        names="relations",
        is_argument=True,
    )

    @property
    def needs_warehouse(self) -> bool:
        """Whether the answer depends on a warehouse."""
        return False


@frozen
class PoolRequest(shared.Request):
    """Write the documents to be judged: the top of each run.

    The names of the runs are left out. With a budget, these are the documents whose
    grades could change the means of the runs most, or the difference of two.
    """

    runs: shared.Runs = ()
    judgments: shared.Judgments = None
    dataset: shared.Dataset = None
    depth: int | None = option(
        "Number of top documents of each run.",
        "K",
        default="10, or with a budget the measure's cutoff",
        least=1,
    )
    budget: int | None = option(
        "Number of documents, those first whose grades could change most.", "N", least=1
    )
    measures: shared.Measures = ()
    seed: int = option("Seed of the random order.", "S", value=0)
    all_queries: bool = option("Include queries without any judgment.", value=False)

    def __post_init__(self) -> None:
        if self.budget and self.all_queries:
            raise shared.not_with("budget", "all_queries")
        if self.measures and not self.budget:
            raise NdcgSqlError("needs " + named("budget"), where=named("measures"))


@frozen
class CheckRequest(shared.Request):
    """Read all stored data, and verify that it is consistent."""

    @property
    def is_bounded(self) -> bool:
        """Whether the memory that the answer takes is bounded."""
        # The proofs compute the values of all runs and measures at once.
        return False


@frozen
class EvalRequest(shared.Request):
    """Evaluate runs straight from files; nothing is stored."""

    qrels: Annotated[
        Path,
        Option(
            "Judgment file; - is standard input.",
            "QRELS",
            is_argument=True,
            is_input=True,
        ),
    ]
    files: Annotated[
        tuple[Path, ...],
        Option(
            "Run files; - is standard input.", "RUN...", is_argument=True, is_input=True
        ),
    ]
    measures: shared.Measures = ()
    like: shared.Like = None
    labels: loading.Labels = field(default_factory=dict[str, float])
    position_rule: choices.PositionRule | None = option(
        "score (trec_eval 10), score32 (trec_eval 9), given (the file's ranks, or"
        " its order).",
        "RULE",
        word="positions",
        default="score, or the rule of the system",
        group=loading.READING,
    )
    columns: loading.Columns = field(default_factory=dict[str, str])
    run_column: loading.RunColumn = None
    query: loading.OneQuery = None
    rows_of: loading.RowsOf = None
    groups: loading.Groups = None
    format_in: loading.FormatIn = None
    grade: float | None = option(
        "Grade of all judgments, if QRELS has none.", "G", group=loading.READING
    )
    decimal: loading.Decimal = None
    encoding: loading.Encoding = None
    strict: loading.Strict = False
    per_query: shared.PerQuery = False

    @property
    def inputs(self) -> list[Path]:
        """The files that the answer is computed from."""
        return [self.qrels, *self.files]

    @property
    def needs_warehouse(self) -> bool:
        """Whether the answer depends on a warehouse."""
        return False
