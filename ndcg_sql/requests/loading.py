"""What is loaded as runs, judgment sets and what belongs to them."""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from pathlib import Path
from typing import Annotated

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests import choices, reading, shared
from ndcg_sql.requests.clicks import LoadClicksRequest
from ndcg_sql.requests.fields import Option, frozen, option
from ndcg_sql.wording import named, use

# Groups of options.
_NAMING = "Names, tags and times"
_ASSESSORS = "Assessors"
Name = Annotated[
    str | None,
    Option("Name to load it under; that of the file or table if omitted.", "N"),
]
Tags = Annotated[
    Mapping[str, str],
    Option(
        "Tag of the run, such as model=bm25; may be repeated.",
        "K=V",
        word="tag",
        example="model=bm25",
        group=_NAMING,
    ),
]
RunAt = Annotated[
    str | datetime | None,
    Option(
        "When the system produced it, such as 2026-01-31T23:59.",
        "T",
        group=_NAMING,
    ),
]


@frozen
class LoadJudgmentsRequest:
    """Load relevance judgments (qrels), each file as a set.

    FILE may be a folder: its data files are loaded.
    """

    dataset: shared.NewDataset = "default"
    name: Name = None
    labels: reading.Labels = field(default_factory=dict[str, float])
    grade: float | None = option(
        "Grade of all rows, if the file has none: 1 where each row is a relevant"
        " document, such as a purchase.",
        "G",
        group=reading.READING,
    )
    attributes: tuple[str, ...] = option(
        "Column that is an attribute of queries, such as country; may be repeated.",
        "NAME",
        word="attribute",
        value=(),
    )
    columns: reading.Columns = field(default_factory=dict[str, str])
    where: reading.Where = field(default_factory=dict[str, str])
    query: reading.OneQuery = None
    format_in: reading.FormatIn = None
    decimal: reading.Decimal = None
    encoding: reading.Encoding = None
    base: str | None = option("Judgment set whose judgments the new one includes.", "J")
    duplicates: reading.Duplicates = "refuse"
    strict: reading.Strict = False
    evaluate: shared.Evaluate = True
    replace: shared.Replace = False


@frozen
class LoadRunRequest:
    """Load rankings, each file as a new run.

    A file with a column that names runs, such as model, becomes a run for each of its
    values. FILE may be a folder: its data files are loaded.
    """

    dataset: shared.NewDataset = "default"
    name: str | None = option(
        "Name to load it under, or a pattern such as '{Week}/{Engine}' or"
        " '{file}-{run}': a field in braces is a column of the file, a tag, file,"
        " run, or date and time of " + named("run_at") + ". Each name becomes a"
        " run. The name of the file or table if omitted.",
        "N",
        group=_NAMING,
    )
    prefix: str | None = option(
        "Text in front of the names of all runs, such as W47/.", "TEXT", group=_NAMING
    )
    name_from: choices.NameFrom = option(
        "What a run is named by: its file, or the tag in the file (the last field"
        " of TREC files, or the column of " + named("run_column") + ").",
        "SOURCE",
        group=_NAMING,
        value="file",
    )
    tags: Tags = field(default_factory=dict[str, str])
    run_at: RunAt = None
    tag_columns: tuple[str, ...] = option(
        "Column whose value becomes a tag of its run, such as Week; may be repeated.",
        "NAME",
        word="tag_column",
        group=_NAMING,
        value=(),
    )
    run_at_column: str | None = option(
        "Column with the time when the system produced a run.", "NAME", group=_NAMING
    )
    position_rule: choices.PositionRule | None = option(
        "score (trec_eval 10), score32 (trec_eval 9), given (the file's ranks, or"
        " its order).",
        "RULE",
        word="positions",
        default="score",
        group=reading.READING,
    )
    columns: reading.Columns = field(default_factory=dict[str, str])
    run_column: reading.RunColumn = None
    where: reading.Where = field(default_factory=dict[str, str])
    query: reading.OneQuery = None
    rows_of: reading.RowsOf = None
    format_in: reading.FormatIn = None
    decimal: reading.Decimal = None
    encoding: reading.Encoding = None
    duplicates: reading.Duplicates = "refuse"
    unit: reading.Unit = None
    unit_before: reading.UnitBefore = None
    strict: reading.Strict = False
    replace: shared.Replace = False

    def __post_init__(self) -> None:
        if self.prefix is not None and self.name is not None:
            raise shared.said_already("prefix", "name", "names the run")
        if self.run_at_column is not None and self.run_at is not None:
            raise shared.said_already("run_at_column", "run_at", "states the time")
        if self.where and self.rows_of:
            raise shared.said_already("where", "rows_of", "names the rows")


@frozen
class LoadAssessmentsRequest:
    """Load the grades of several assessors.

    Each file becomes a set of assessments; adjudicate makes a judgment set from one.
    FILE may be a folder: its data files are loaded.
    """

    dataset: shared.NewDataset = "default"
    name: Name = None
    assessor: str | None = option("Name of the only assessor.", "A", group=_ASSESSORS)
    assessor_from: choices.AssessorFrom = option(
        "What names the assessors: a column, or the file, if each was made by one"
        " assessor.",
        "SOURCE",
        group=_ASSESSORS,
        value="column",
    )
    assessor_columns: tuple[str, ...] = option(
        "Column with the grades of the assessor of that name; may be repeated.",
        "NAME",
        word="assessor_column",
        group=_ASSESSORS,
        value=(),
    )
    assessor_kind: str | None = option(
        "Kind of the assessors, such as human or llm.",
        "KIND",
        word="kind",
        group=_ASSESSORS,
    )
    model: str | None = option(
        "Language model that made the assessments.", "MODEL", group=_ASSESSORS
    )
    prompt: str | None = option(
        "Prompt of the model, or its name or version.", "TEXT", group=_ASSESSORS
    )
    cost: float | None = option(
        "What the assessments cost, in your currency.", "AMOUNT", group=_ASSESSORS
    )
    seconds: float | None = option(
        "How long the assessors took, in seconds.", "SECONDS", group=_ASSESSORS
    )
    labels: reading.Labels = field(default_factory=dict[str, float])
    columns: reading.Columns = field(default_factory=dict[str, str])
    where: reading.Where = field(default_factory=dict[str, str])
    query: reading.OneQuery = None
    format_in: reading.FormatIn = None
    decimal: reading.Decimal = None
    encoding: reading.Encoding = None
    replace: shared.Replace = False

    def __post_init__(self) -> None:
        shared.check_choice("assessor_from", self.assessor_from, choices.AssessorFrom)
        is_named = self.assessor is not None or bool(self.assessor_columns)
        if self.assessor_from == "file" and is_named:
            raise NdcgSqlError(
                "the assessors are named already",
                "omit it",
                where=use(assessor_from=self.assessor_from),
            )
        for name, value in (("cost", self.cost), ("seconds", self.seconds)):
            if value is not None and value < 0:
                raise NdcgSqlError("must be 0 or more", where=use(**{name: value}))
        several, is_one = self.assessor_columns, self.assessor is not None
        for twice in several:
            if several.count(twice) > 1:
                raise NdcgSqlError("given twice", where=use(assessor_columns=[twice]))
        if several and (is_one or {"assessor", "grade"} & set(self.columns)):
            raise NdcgSqlError(
                "already names the assessor and the grade",
                "omit "
                + (named("assessor") + ", " + named("columns") + " assessor and ")
                + (named("columns") + " grade"),
                where=named("assessor_columns"),
            )
        if is_one and "assessor" in self.columns:
            raise NdcgSqlError(
                named("columns") + " assessor already names them",
                "omit one of the two",
                where=named("assessor"),
            )


@frozen
class LoadValuesRequest:
    """Load values that another program computed.

    They are of queries, such as faithfulness or latency. A row of FILE is a value, with
    the columns query_id, measure and value (as trec_eval -q and ir_measures print
    them), or a query, with a column for each measure. A run
    that is not in the warehouse is made, without rankings; of one that is there, only
    measures that the warehouse does not compute itself are loaded.
    """

    dataset: shared.NewDataset = "default"
    name: str | None = option(
        "Name of the run, if FILE names none; that of the file if omitted.", "N"
    )
    run_column: str | None = option(
        "Column that names the run of a row, if it has no usual name.",
        "NAME",
        group=reading.READING,
    )
    measures: tuple[str, ...] = option(
        "Load only this measure; may be repeated.",
        "M",
        word="measure",
        short="m",
        value=(),
    )
    lower_is_better: tuple[str, ...] = option(
        "Measure of which a lower value is the better one, such as latency; may be"
        " repeated.",
        "M",
        value=(),
    )
    origin: str | None = option(
        "What computed the values, such as 'ragas 0.3, gpt-4o'; the file if omitted.",
        "TEXT",
    )
    judgments: str | None = option(
        "Judgment set that values of measures such as nDCG@10 rest on; the newest if"
        " omitted.",
        "J",
        names="judgment_sets",
    )
    tags: Tags = field(default_factory=dict[str, str])
    run_at: RunAt = None
    columns: reading.Columns = field(default_factory=dict[str, str])
    where: reading.Where = field(default_factory=dict[str, str])
    format_in: reading.FormatIn = None
    decimal: reading.Decimal = None
    encoding: reading.Encoding = None
    replace: bool = option("Replace other values of the same measures.", value=False)


@frozen
class LoadQueriesRequest:
    """Load texts, weights and attributes of queries."""

    dataset: shared.NewDataset = "default"
    columns: reading.Columns = field(default_factory=dict[str, str])
    where: reading.Where = field(default_factory=dict[str, str])
    format_in: reading.FormatIn = None
    decimal: reading.Decimal = None
    encoding: reading.Encoding = None
    strict: reading.Strict = False
    replace: bool = option(
        "Replace all texts, weights and attributes of the dataset's queries;"
        " otherwise, those that are not in FILE stay.",
        value=False,
    )


@frozen
class LoadDocumentsRequest:
    """Load titles, addresses and attributes of documents.

    Every column but the title, the text and the address is an attribute, such as
    category or brand. The corpus.jsonl of BEIR is such a file.
    """

    dataset: shared.NewDataset = "default"
    columns: reading.Columns = field(default_factory=dict[str, str])
    format_in: reading.FormatIn = None
    encoding: reading.Encoding = None
    strict: reading.Strict = False
    replace: bool = option("Replace all documents of the dataset.", value=False)


@frozen
class LoadKnownRequest:
    """Load what queries know already, such as purchases.

    That is what users bought or watched, or what a model was trained on: a document
    that a query knows in each row, with a count and a time if there are any. Measures
    with known='omit' take these documents out.
    """

    dataset: shared.NewDataset = "default"
    columns: reading.Columns = field(default_factory=dict[str, str])
    where: reading.Where = field(default_factory=dict[str, str])
    query: reading.OneQuery = None
    format_in: reading.FormatIn = None
    encoding: reading.Encoding = None
    strict: reading.Strict = False
    replace: bool = option(
        "Replace all known documents of the dataset; otherwise, those that are not"
        " in FILE stay.",
        value=False,
    )


@frozen
class LoadBenchmarkRequest:
    """Load the folder of a public benchmark: judgments, queries and documents."""

    benchmark: Annotated[choices.Benchmark, Option("beir or msmarco.", "NAME")]
    folder: Annotated[
        Path, Option("Folder with the files of the benchmark.", "DIR", is_argument=True)
    ]
    dataset: shared.NewDataset = "default"
    duplicates: reading.Duplicates = "refuse"
    strict: reading.Strict = False
    replace: shared.Replace = False
    documents: bool = option(
        "Leave out the documents, whose titles and addresses are for people only.",
        value=True,
    )

    def __post_init__(self) -> None:
        shared.check_choice("benchmark", self.benchmark, choices.Benchmark)


# What loads files, folders, rows of a database or a frame.
Loading = (
    LoadRunRequest
    | LoadJudgmentsRequest
    | LoadAssessmentsRequest
    | LoadQueriesRequest
    | LoadDocumentsRequest
    | LoadKnownRequest
    | LoadClicksRequest
    | LoadValuesRequest
)
