"""The questions that a warehouse answers, but for those that compare."""

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Annotated

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests import choices, reading, shared
from ndcg_sql.requests.fields import Option, frozen, option
from ndcg_sql.wording import call, named


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
        if self.over and (self.per_query or self.sort or self.limit):
            raise shared.not_with("over", "per_query", "sort", "limit")
        shared.check_page(self.over, self.html)
        if self.worst and not self.per_query:
            raise NdcgSqlError("needs " + named("per_query"), where=named("worst"))
        if self.html and self.limit:
            raise NdcgSqlError(
                "a page shows every run", "omit " + named("limit"), where=named("html")
            )
        shared.check_choice("counts", self.counts, choices.Counts)
        if self.counts != "all" and (self.row_columns or self.per_query):
            raise shared.not_with("counts", "row_columns", "per_query")


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

    What matters is what one more judgment could change: the largest gain of the
    judgment set's grades / the discount at the document's position, summed over the
    runs; for two runs, the difference of the two.
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
    judgment could change the runs most, or the difference of two, as in holes.
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
        "Number of documents, those first whose judgment could change most.",
        "N",
        least=1,
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
    labels: reading.Labels = field(default_factory=dict[str, float])
    position_rule: choices.PositionRule | None = option(
        "score (trec_eval 10), score32 (trec_eval 9), given (the file's ranks, or"
        " its order).",
        "RULE",
        word="positions",
        default="score, or the rule of the system",
        group=reading.READING,
    )
    columns: reading.Columns = field(default_factory=dict[str, str])
    run_column: reading.RunColumn = None
    query: reading.OneQuery = None
    rows_of: reading.RowsOf = None
    format_in: reading.FormatIn = None
    grade: float | None = option(
        "Grade of all judgments, if QRELS has none.", "G", group=reading.READING
    )
    decimal: reading.Decimal = None
    encoding: reading.Encoding = None
    strict: reading.Strict = False
    per_query: shared.PerQuery = False

    @property
    def inputs(self) -> list[Path]:
        """The files that the answer is computed from."""
        return [self.qrels, *self.files]

    @property
    def needs_warehouse(self) -> bool:
        """Whether the answer depends on a warehouse."""
        return False
