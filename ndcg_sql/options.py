"""Options of questions: how they are declared, and those that questions share.

A parameter has a type and a default, a line of the docstring has its help, and an
Option what else there is to say. The command line makes its options of them, and the
methods of Warehouse take them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol, TypeAlias, cast

TestName = Literal["randomization", "t", "bootstrap", "wilcoxon"]
Correction = Literal["holm", "bonferroni", "bh", "tukey", "none"]
# How much a table shows of the statistics of a comparison.
Statistics = Literal["usual", "all"]
# What a rule of a gate that has too few queries becomes.
Underpowered = Literal["pass", "fail"]
# Whose conventions measures follow: the systems of sql/systems.csv, in its order.
_OfResearch = Literal["trec_eval", "trec_eval-9", "pytrec_eval", "ir_measures"]
_OfGrades = Literal["gdeval", "ndeval", "ranx", "sklearn", "torchmetrics"]
_OfRecommending = Literal["spark", "spark-graded", "recommenders", "recbole"]
_OfLearning = Literal["lightgbm", "xgboost"]
_OfSearch = Literal["quepid", "quepid-cut", "elasticsearch", "opensearch"]
_OfModels = Literal["mlflow", "evidently", "beir", "mteb", "llamaindex", "ragas"]
System = Literal[
    _OfResearch, _OfGrades, _OfRecommending, _OfLearning, _OfSearch, _OfModels
]
PositionRule = Literal["score", "score32", "given"]
# What to do about a document that is listed twice for a query.
Duplicates = Literal["refuse", "first", "last", "max"]
# What a run is named by, unless the user names it.
NameFrom = Literal["file", "tag"]
# The action that says that a document was shown.
IMPRESSION = "impression"
# The default number of impressions that a query needs to be judged.
MIN_IMPRESSIONS = 20
# How clicks become grades.
ClickModel = Literal["coec", "ctr"]
ExportFormat = Literal["trec", "csv", "tsv", "json", "jsonl", "parquet"]
Figure = Literal[
    "leaderboard",
    "cutoffs",
    "precision-recall",
    "values",
    "differences",
    "scatter",
    "slices",
    "history",
]
# The engines for which scripts are emitted.
Dialect = Literal["duckdb", "postgres", "clickhouse", "spark", "bigquery", "snowflake"]


@dataclass(frozen=True)
class Option:
    """How the command line shows a parameter, and the least and greatest value of it.

    word is its name there if it differs from that of the parameter (of several values
    the singular), short a letter. variable is the end of the environment variable that
    sets it, such as THREADS.
    default is shown in the help in place of the default of the parameter; names are
    those that a shell completes, such as "runs"; example is a value. An input is a file
    to be read, or - for standard input. Values of a mapping may be empty only where it
    says so. An argument is what has no default and is not given by its name alone,
    unless is_argument says otherwise. What is between two values is neither of them.
    """

    word: str = ""
    short: str = ""
    least: int | None = None
    most: int | None = None
    between: tuple[int, int] | None = None
    default: str = ""
    names: str = ""
    example: str = ""
    variable: str = ""
    is_argument: bool | None = None
    is_input: bool = False
    may_be_empty: bool = False


# The help of options that questions share, as their docstrings have that of their own.
HELP = """
dataset D: Name of the dataset.
judgments J: Name of the judgment set; the newest if omitted.
measures M: Measure, such as nDCG@10; may be repeated.
runs R: Name of a run, or a pattern such as 'input.*' (quoted); may be repeated; all if
    omitted.
run RUN: Name of a run.
like SYSTEM: Compute measures as another system does, such as sklearn or quepid; nDCG@10
    if none is named; {measures(systems)} lists them.
by A: Query attribute to slice by; with several, each combination of their values is a
    slice.
per_query: Show a row for each query instead of the means.
replace: Replace an existing entry of the same name.
evaluate: Do not evaluate the dataset's runs.
limit N: Show only the first N runs; tests and corrections include all.
assessments A: Name of loaded assessments; may be repeated; all if omitted.
assessors A: Name of an assessor; may be repeated; all if omitted.
strict: Turn warnings into errors, such as no query in common with the judgments, ids
    that nearly match, or ranks that contradict scores.
name N: Name of the loaded entry; by default, the name of the file or table.
file FILE: File in any format of {format_in}, also as gzip, zstd, bzip2, xz or zip; - is
    standard input.
files FILE...: File in any format of {format_in}, also as gzip, zstd, bzip2, xz or zip;
    - is standard input.
dry_run: Only report what would be done; the warehouse is not changed.

Output:
html FILE: Also write a self-contained HTML page with tables, charts and explained
    queries.
force: Replace a page or figure that ndcg-sql did not write.
form F: table, markdown, latex, csv, tsv, json, jsonl or parquet; by default from the
    suffix of {output}.
output FILE: Write to this file; compressed if it ends in .gz.

Significance:
test T: Test that decides on significance: one of randomization, t, bootstrap, wilcoxon.
correct C: Correction of p for several candidates, measures and slices: holm,
    bonferroni, bh (Benjamini-Hochberg) or none; compare also accepts tukey, which tests
    all runs at once for one measure and one slice.
alpha P: A difference is significant if p is below P; intervals have confidence 1 - P.
resamples N: Number of resamples if there are too many outcomes to enumerate.
seed N: Seed of the random numbers.

Reading files:
columns C=NAME: Column of the file for a field, such as query_id=Query, or its number if
    there is no header, such as query_id=5; may be repeated.
labels L=G: Grade of a label, such as Exact=2; =-1 if an empty grade means not judged;
    may be repeated.
query ID: Query id of all rows, if the file has none.
where C=VALUE: Load only the rows with this value of a column, such as version=2; may be
    repeated.
run_column NAME: Column whose values name the runs of a file, such as model; none loads
    all rows as one run. If omitted, it is the one called run, run_id, run_name, model,
    system, tag or method, or the last field of TREC files.
rows_of LIST: List (LETOR, SVMlight, CSV ...) whose rows the scores in FILE belong to,
    one score per row.
format_in F: Format of the file: {{formats}}; detected if omitted.
duplicates RULE: If a query lists a document twice: refuse the file, or keep the first
    row, the last row, or the one with the max score or grade.
unit COLUMN: Column of the document if each row is a chunk; a document takes the
    position of its best chunk.
unit_before TEXT: Treat ids as chunk ids: the document id is the part before the last
    TEXT. With #, doc12#3 is a chunk of doc12.
decimal MARK: Decimal mark of numbers: . (the default), or , (points then separate
    thousands).
encoding E: Encoding of text that is not UTF-8, such as windows-1252.

Names, tags and times:
tags K=V: Tag of the run, such as model=bm25; may be repeated.
run_at T: Time when the system produced the run, such as 2026-01-31T23:59.

From a database:
url URL: Database to load from in place of FILE, such as
    'postgresql://ann:$PASSWORD@host/shop'; $NAME is an environment variable. With
    duckdb: alone, DuckDB reads the files that {select} names.
select SQL: SELECT statement for the rows to load from the database of {url}.
table TABLE: Table to load from the database of {url}, all rows and columns.
"""


class OfIrMeasures(Protocol):
    """A measure of ir_measures, such as nDCG @ 10."""

    @property
    def params(self) -> Any:
        """Its parameters, such as the cutoff."""

    def calc_aggregate(self, qrels: Any, run: Any, /) -> Any:
        """Return its mean."""


# "nDCG@10 AP", several names, or measures of ir_measures.
Measured: TypeAlias = str | OfIrMeasures | Iterable[str | OfIrMeasures]
# One name or several.
Names: TypeAlias = str | Iterable[str] | None

Dataset = Annotated[str | None, Option(names="datasets")]
NewDataset = Annotated[str, Option(names="datasets")]
Judgments = Annotated[str | None, Option(names="judgment_sets")]
Measures = Annotated[Measured | None, Option(short="m", names="measures")]
Runs = Annotated[Names, Option(names="runs")]
Run = Annotated[str, Option(names="runs")]
Like = Annotated[System | None, Option(names="systems")]
PerQuery = Annotated[bool, Option(short="q")]
Count = Annotated[int | None, Option(least=1)]
Test = Annotated[TestName | None, Option(default="randomization")]
Correct = Annotated[Correction | None, Option(default="holm")]
Alpha = Annotated[float | None, Option(default="0.05", between=(0, 1))]
Resamples = Annotated[int | None, Option(default="10000", least=100, most=10**6)]
Seed = Annotated[int | None, Option(default="0", least=0)]
Assessments = Annotated[Names, Option(word="assessments", names="assessments")]
Columns = Annotated[Mapping[str, str] | None, Option(example="query_id=Query")]
Labels = Annotated[Mapping[str, float] | None, Option(example="Exact=2")]
Where = Annotated[Mapping[str, str] | None, Option(example="version=2")]
RowsOf = Annotated[str | Path | None, Option(is_input=True)]
Tags = Annotated[Mapping[str, str] | None, Option(example="model=bm25")]


@dataclass(frozen=True)
class Scope:
    """What a question is about, by names as users write them.

    The defaults are the registered measures, all runs and the newest judgment set of
    each dataset. by are attributes of the queries; like is a system whose conventions
    the measures follow; tags are those that runs must have.
    """

    measures: Sequence[str] = ()
    runs: Sequence[str] = ()
    judgments: str | None = None
    dataset: str | None = None
    by: Sequence[str] = ()
    like: System | None = None
    tags: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Scope":
        """Return the scope among the parameters of a question, all checked."""
        names = cls.__annotations__.keys() & values.keys()
        return cls(**{name: values[name] for name in names})

    @property
    def names_measures(self) -> bool:
        """Whether the user chose the measures."""
        return bool(self.measures) or self.like is not None


def several(names: object) -> tuple[str, ...]:
    """Return what a parameter names: one, several or nothing."""
    if names is None or isinstance(names, str) or not isinstance(names, Iterable):
        return () if names is None else (str(names),)
    return tuple(map(str, cast("Iterable[object]", names)))
