"""What is loaded as runs and judgment sets, and how it is read."""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Annotated

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests import choices
from ndcg_sql.requests.fields import Option, frozen, option
from ndcg_sql.requests.shared import Judgments, check_choice, said_already
from ndcg_sql.text import not_number, number
from ndcg_sql.wording import Blank, named, use

# The action that says that a document was shown.
IMPRESSION = "impression"
# Groups of options.
READING = "Reading files"
_NAMING = "Names, tags and times"
_ASSESSORS = "Assessors"

NewDataset = Annotated[str, Option("Name of the dataset.", "D", names="datasets")]
Name = Annotated[
    str | None,
    Option("Name to load it under; that of the file or table if omitted.", "N"),
]
Columns = Annotated[
    Mapping[str, str],
    Option(
        "Name of a column in the file, such as query_id=Query; without a header its"
        " number, such as query_id=5; may be repeated.",
        "C=NAME",
        word="column",
        example="query_id=Query",
        group=READING,
    ),
]
Labels = Annotated[
    Mapping[str, float],
    Option(
        "Grade of a label, such as Exact=2; =-1 if an empty grade means not judged;"
        " may be repeated.",
        "L=G",
        word="label",
        example="Exact=2",
        group=READING,
    ),
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
OneQuery = Annotated[
    str | None,
    Option("Query id of all rows, if the file has none.", "ID", group=READING),
]
Where = Annotated[
    Mapping[str, str],
    Option(
        "Load only the rows with this value of a column, such as version=2; may be"
        " repeated.",
        "C=VALUE",
        example="version=2",
        group=READING,
    ),
]
RunColumn = Annotated[
    str | None,
    Option(
        "Column whose values name the runs of a file, such as model; none loads all"
        " rows as one run. If omitted, it is the one called run, run_id, run_name,"
        " model, system, tag or method, or the last field of TREC files.",
        "NAME",
        group=READING,
    ),
]
RowsOf = Annotated[
    Path | None,
    Option(
        "List (LETOR, SVMlight, CSV ...) whose scores FILE holds, one for each row.",
        "LIST",
        is_input=True,
        group=READING,
    ),
]
Groups = Annotated[
    Path | None,
    Option(
        "File with the number of rows of each query of a list, one per line; the"
        " queries are called 1, 2, ...",
        "FILE",
        is_input=True,
        group=READING,
    ),
]
FormatIn = Annotated[
    str | None,
    Option(
        "Format of the file: {formats}; detected if omitted.",
        "F",
        group=READING,
    ),
]
Duplicates = Annotated[
    choices.Duplicates,
    Option(
        "What to do about a document that is listed twice for a query: refuse the file,"
        " or keep the first row, the last, or the one with the max score or grade.",
        "RULE",
        group=READING,
    ),
]
Decimal = Annotated[
    str | None,
    Option(
        "Decimal mark of the numbers in text: a comma (then points separate"
        " thousands) or a point; a point if omitted.",
        "MARK",
        group=READING,
    ),
]
Encoding = Annotated[
    str | None,
    Option(
        "Encoding of text that is not UTF-8, such as windows-1252.",
        "E",
        group=READING,
    ),
]
KeepGoing = Annotated[
    bool,
    Option("Load the good files although others are bad; the exit code is then 2."),
]
Evaluate = Annotated[bool, Option("Do not evaluate the dataset's runs.")]
Strict = Annotated[
    bool,
    Option(
        "Refuse what is otherwise only warned of: no query or document in common with"
        " the judgments, or ids that nearly match, ranks that contradict scores,"
        " doubtful names of runs."
    ),
]
Replace = Annotated[bool, Option("Replace what has the same name.")]


@frozen
class LoadJudgmentsRequest:
    """Load relevance judgments (qrels), each file as a set.

    FILE may be a folder: its data files are loaded.
    """

    dataset: NewDataset = "default"
    name: Name = None
    labels: Labels = field(default_factory=dict[str, float])
    grade: float | None = option(
        "Grade of all rows, if the file has none: 1 where each row is a relevant"
        " document, such as a purchase.",
        "G",
        group=READING,
    )
    columns: Columns = field(default_factory=dict[str, str])
    where: Where = field(default_factory=dict[str, str])
    query: OneQuery = None
    groups: Groups = None
    format_in: FormatIn = None
    decimal: Decimal = None
    encoding: Encoding = None
    base: str | None = option("Judgment set whose judgments the new one includes.", "J")
    duplicates: Duplicates = "refuse"
    keep_going: KeepGoing = False
    strict: Strict = False
    evaluate: Evaluate = True
    replace: Replace = False


@frozen
class LoadRunRequest:
    """Load rankings, each file as a new run.

    A file with a column that names runs, such as model, becomes a run for each of its
    values. FILE may be a folder: its data files are loaded.
    """

    dataset: NewDataset = "default"
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
        group=READING,
    )
    columns: Columns = field(default_factory=dict[str, str])
    run_column: RunColumn = None
    where: Where = field(default_factory=dict[str, str])
    query: OneQuery = None
    rows_of: RowsOf = None
    groups: Groups = None
    format_in: FormatIn = None
    decimal: Decimal = None
    encoding: Encoding = None
    duplicates: Duplicates = "refuse"
    keep_going: KeepGoing = False
    strict: Strict = False
    replace: Replace = False

    def __post_init__(self) -> None:
        if self.prefix is not None and self.name is not None:
            raise said_already("prefix", "name", "names the run")
        if self.run_at_column is not None and self.run_at is not None:
            raise said_already("run_at_column", "run_at", "states the time")
        if self.where and self.rows_of:
            raise said_already("where", "rows_of", "names the rows")
        if self.groups and not self.rows_of:
            raise NdcgSqlError(
                "no list is given",
                "name it: " + use(rows_of=Blank("LIST")),
                where=named("groups"),
            )


@frozen
class LoadAssessmentsRequest:
    """Load the grades of several assessors.

    Each file becomes a set of assessments; adjudicate makes a judgment set from one.
    FILE may be a folder: its data files are loaded.
    """

    dataset: NewDataset = "default"
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
    labels: Labels = field(default_factory=dict[str, float])
    columns: Columns = field(default_factory=dict[str, str])
    where: Where = field(default_factory=dict[str, str])
    query: OneQuery = None
    format_in: FormatIn = None
    decimal: Decimal = None
    encoding: Encoding = None
    replace: Replace = False

    def __post_init__(self) -> None:
        check_choice("assessor_from", self.assessor_from, choices.AssessorFrom)
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
    """Load what ndcg-sql spark computed, as runs.

    Their rankings stay where they are. The warehouse must have the judgments that
    Spark used. It keeps which judged documents were returned, and at which
    positions; that gives the values of every measure.
    """

    folder: Annotated[
        Path, Option("The folder that ndcg-sql spark wrote.", "DIR", is_argument=True)
    ]
    dataset: NewDataset = "default"
    judgments: Judgments = None
    name: str | None = option(
        "Name of the run, if the folder has only one; by default, runs keep the"
        " names of Spark's run column, or the name of the folder.",
        "N",
    )
    tags: Tags = field(default_factory=dict[str, str])
    run_at: RunAt = None
    replace: Replace = False


@frozen
class LoadQueriesRequest:
    """Load texts, weights and attributes of queries."""

    dataset: NewDataset = "default"
    columns: Columns = field(default_factory=dict[str, str])
    where: Where = field(default_factory=dict[str, str])
    format_in: FormatIn = None
    decimal: Decimal = None
    encoding: Encoding = None
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

    dataset: NewDataset = "default"
    columns: Columns = field(default_factory=dict[str, str])
    format_in: FormatIn = None
    encoding: Encoding = None
    replace: bool = option("Replace all documents of the dataset.", value=False)


@frozen
class LoadKnownRequest:
    """Load what queries know already, such as purchases.

    That is what users bought or watched, or what a model was trained on: a document
    that a query knows in each row, with a count and a time if there are any. Measures
    with known='omit' take these documents out.
    """

    dataset: NewDataset = "default"
    columns: Columns = field(default_factory=dict[str, str])
    where: Where = field(default_factory=dict[str, str])
    query: OneQuery = None
    format_in: FormatIn = None
    encoding: Encoding = None
    replace: bool = option(
        "Replace all known documents of the dataset; otherwise, those that are not"
        " in FILE stay.",
        value=False,
    )


@frozen
class ClickGrading:
    """How clicks become grades."""

    model: choices.ClickModel = option(
        "coec (clicks over the clicks that the positions let expect) or ctr (clicks"
        " over impressions).",
        "MODEL",
        value="coec",
    )
    actions: Mapping[str, float] = option(
        "How many clicks an action is worth, such as add_to_cart=3, or 0 to ignore"
        " it; click=1 need not be said; may be repeated.",
        "A=W",
        word="action",
        example="add_to_cart=3",
        value={},
    )
    min_impressions: int = option(
        "Judge documents only for queries for which they were shown as often.",
        "N",
        least=1,
        value=20,
    )
    levels: tuple[str, ...] = option(
        "Make grades 0, 1, 2 ... of fractions: the least fraction of grade 1, of"
        " grade 2 and so on, such as 0.2,0.8,1.5.",
        "F,F...",
        value=(),
    )
    impressions: tuple[str, ...] = option(
        "Action that says that a document was shown, such as view, beside"
        " impression; may be repeated.",
        "A",
        word="impression",
        value=(),
    )

    def __post_init__(self) -> None:
        check_choice("model", self.model, choices.ClickModel)
        for action, weight in self.actions.items():
            where = use(actions={action: weight})
            if action == IMPRESSION:
                raise NdcgSqlError("it says what was shown", "omit it", where=where)
            if weight != 0 and not 1e-6 <= weight <= 1e6:
                raise NdcgSqlError("must be 0, or from 1e-6 to 1e6", where=where)
        for action in self.impressions:
            if action == IMPRESSION:
                raise NdcgSqlError(
                    "it says so by itself", "omit it", where=use(impressions=[action])
                )
            if action == "click" and action not in self.actions:
                raise NdcgSqlError(
                    "a click does not say what was shown, too",
                    "omit it",
                    where=use(impressions=[action]),
                )
            if action in self.weights:
                raise NdcgSqlError(
                    use(actions={action: self.weights[action]}) + " says what it is",
                    "omit one of the two",
                    where=use(impressions=[action]),
                )
        if not any(self.weights.values()):
            raise NdcgSqlError(
                "no action counts as a click",
                "weigh one: " + use(actions={"NAME": 1}),
                where=named("actions"),
            )
        limits = self.limits
        if any(one >= next_one for one, next_one in pairwise((0.0, *limits))):
            raise NdcgSqlError(
                "levels must be above 0, each above the one before",
                where=use(levels=",".join(self.levels)),
            )

    @property
    def weights(self) -> dict[str, float]:
        """How many clicks each action is worth."""
        return {"click": 1.0, **self.actions}

    @property
    def limits(self) -> tuple[float, ...]:
        """The least fraction of each grade from 1 on; none if grades are fractions.

        Raises NdcgSqlError for what is not a number.
        """
        texts = [text.strip() for one in self.levels for text in one.split(",")]
        numbers = [number(text) for text in texts]
        for text, value in zip(texts, numbers, strict=True):
            if value is None:
                raise NdcgSqlError(not_number(text), where=use(levels=text))
        return tuple(value for value in numbers if value is not None)


@frozen
class LoadClicksRequest(ClickGrading):
    """Make a judgment set of what users clicked.

    Each row of FILE is an event: a query, a document, an action and the position of
    the document. The action impression says that it was shown there. Or each row is
    what was shown, with a column of clicks. Several files are one log.
    """

    dataset: NewDataset = "default"
    name: str | None = option(
        "Name of the judgment set; that of the file or table if omitted.", "N"
    )
    searches: Path | None = option(
        "Searches that the events belong to, with their queries and what they"
        " showed: the index ubi_queries of OpenSearch, an object on each line.",
        "SEARCHES",
        is_input=True,
    )
    impressions_from: str | None = option(
        "Run of the dataset whose ranking every search showed, for clicks without"
        " impressions.",
        "RUN",
        names="runs",
    )
    depth: int | None = option(
        "How many documents of the run a search showed.", "N", least=1, default="10"
    )
    columns: Columns = field(default_factory=dict[str, str])
    where: Where = field(default_factory=dict[str, str])
    format_in: FormatIn = None
    encoding: Encoding = None
    evaluate: Evaluate = True
    replace: Replace = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.depth is not None and self.impressions_from is None:
            raise NdcgSqlError(
                "a run has it, and none was shown",
                "name it: " + use(impressions_from=Blank("RUN")),
                where=named("depth"),
            )
        if "search_id" in self.columns and self.impressions_from is None:
            raise NdcgSqlError(
                "read for clicks alone",
                "omit it, or name the run that was shown: "
                + use(impressions_from=Blank("RUN")),
                where=use(columns={"search_id": self.columns["search_id"]}),
            )
        if self.impressions_from is not None and self.searches is not None:
            raise NdcgSqlError(
                named("searches") + " says what was shown",
                "omit one of the two",
                where=named("impressions_from"),
            )


@frozen
class LoadBenchmarkRequest:
    """Load the folder of a public benchmark: judgments, queries and documents."""

    benchmark: Annotated[choices.Benchmark, Option("beir or msmarco.", "NAME")]
    folder: Annotated[
        Path, Option("Folder with the files of the benchmark.", "DIR", is_argument=True)
    ]
    dataset: NewDataset = "default"
    replace: Replace = False
    documents: bool = option(
        "Leave out the documents, whose titles and addresses are for people only.",
        value=True,
    )

    def __post_init__(self) -> None:
        check_choice("benchmark", self.benchmark, choices.Benchmark)


# What loads files, folders, rows of a database or a frame.
Loading = (
    LoadRunRequest
    | LoadJudgmentsRequest
    | LoadAssessmentsRequest
    | LoadQueriesRequest
    | LoadDocumentsRequest
    | LoadKnownRequest
    | LoadClicksRequest
)
