"""The parameters that several questions share, and what their refusals share."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeAlias, get_args

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests import choices
from ndcg_sql.wording import Text, listed, named, use


@dataclass(frozen=True)
class Option:
    """How the command line shows a parameter, and the least value that it has.

    word is its name there if it differs from that of the parameter (of several values
    the singular), short a letter.
    variable is the end of the environment variable that sets it, such as THREADS.
    default is shown in the help in place of the default of the parameter; names are
    those that a shell completes, such as "runs"; example is a value. An input is a file
    to be read, or - for standard input. Values of a mapping may be empty only where it
    says so. group is the heading under which the help lists it, unless the question
    lists it under another.
    """

    word: str = ""
    short: str = ""
    least: int | None = None
    default: str = ""
    names: str = ""
    example: str = ""
    variable: str = ""
    group: str = ""
    is_argument: bool = False
    is_input: bool = False
    may_be_empty: bool = False


# Groups of options.
OUTPUT = "Output"
READING = "Reading files"
NAMING = "Names, tags and times"
_SIGNIFICANCE = "Significance"


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

Dataset = Annotated[str | None, "Name of the dataset.", "D", Option(names="datasets")]
NewDataset = Annotated[str, "Name of the dataset.", "D", Option(names="datasets")]
Judgments = Annotated[
    str | None,
    "Name of the judgment set; the newest if omitted.",
    "J",
    Option(names="judgment_sets"),
]
Measures = Annotated[
    Measured | None,
    "Measure, such as nDCG@10; may be repeated.",
    "M",
    Option(short="m", names="measures"),
]
Runs = Annotated[
    Names,
    "Name of a run, or a pattern such as 'input.*' (quoted); may be repeated; all"
    " if omitted.",
    "R",
    Option(names="runs"),
]
Run = Annotated[str, "Name of a run.", "RUN", Option(names="runs", is_argument=True)]
Like = Annotated[
    choices.System | None,
    "Compute measures as another system does, such as sklearn or quepid; nDCG@10"
    " if none is named; {measures(systems)} lists them.",
    "SYSTEM",
    Option(names="systems"),
]
By = Annotated[
    Names,
    "Query attribute to slice by; several make a slice of each combination of"
    " their values.",
    "A",
]
PerQuery = Annotated[
    bool, "Show a row for each query instead of the means.", Option(short="q")
]
Html = Annotated[
    str | Path | None,
    "Also write a page with tables, charts and explained queries: one file that"
    " is self-contained and opens in any browser.",
    "FILE",
    Option(group=OUTPUT),
]
Replace = Annotated[bool, "Replace what has the same name."]
Evaluate = Annotated[bool, "Do not evaluate the dataset's runs."]
Force = Annotated[
    bool, "Replace a page or figure that ndcg-sql did not write.", Option(group=OUTPUT)
]
Count = Annotated[int | None, Option(least=1)]
Limit = Annotated[
    int | None,
    "Show only the first N runs; tests and corrections include all.",
    "N",
    Option(least=1),
]


Test = Annotated[
    choices.Test | None,
    "Test that decides on significance: one of randomization, t, bootstrap, wilcoxon.",
    "T",
    Option(default="randomization", group=_SIGNIFICANCE),
]
Correct = Annotated[
    choices.Correction | None,
    "Correction of p for several candidates, measures and slices: holm, bonferroni,"
    " bh (Benjamini-Hochberg) or none; for compare also tukey, a randomised test of"
    " all runs by one measure in one slice.",
    "C",
    Option(default="holm", group=_SIGNIFICANCE),
]
Alpha = Annotated[
    float | None,
    "A difference is significant if p is below P; intervals have confidence 1 - P.",
    "P",
    Option(default="0.05", group=_SIGNIFICANCE),
]
Resamples = Annotated[
    int | None,
    "Number of resamples if there are too many outcomes to count them all.",
    "N",
    Option(default="10000", group=_SIGNIFICANCE),
]
Seed = Annotated[
    int | None,
    "Seed of the random numbers.",
    "N",
    Option(default="0", group=_SIGNIFICANCE),
]
Assessments = Annotated[
    Names,
    "Name of loaded assessments; may be repeated; all if omitted.",
    "A",
    Option(word="assessments", names="assessments"),
]
Assessors = Annotated[
    Names,
    "Name of an assessor; may be repeated; all if omitted.",
    "A",
]


# How files are read.
Columns = Annotated[
    Mapping[str, str] | None,
    "Name of a column in the file, such as query_id=Query; without a header its"
    " number, such as query_id=5; may be repeated.",
    "C=NAME",
    Option(example="query_id=Query", group=READING),
]
Labels = Annotated[
    Mapping[str, float] | None,
    "Grade of a label, such as Exact=2; =-1 if an empty grade means not judged;"
    " may be repeated.",
    "L=G",
    Option(example="Exact=2", group=READING),
]
OneQuery = Annotated[
    str | None,
    "Query id of all rows, if the file has none.",
    "ID",
    Option(group=READING),
]
Where = Annotated[
    Mapping[str, str] | None,
    "Load only the rows with this value of a column, such as version=2; may be"
    " repeated.",
    "C=VALUE",
    Option(example="version=2", group=READING),
]
RunColumn = Annotated[
    str | None,
    "Column whose values name the runs of a file, such as model; none loads all"
    " rows as one run. If omitted, it is the one called run, run_id, run_name,"
    " model, system, tag or method, or the last field of TREC files.",
    "NAME",
    Option(group=READING),
]
RowsOf = Annotated[
    str | Path | None,
    "List (LETOR, SVMlight, CSV ...) whose scores FILE holds, one for each row.",
    "LIST",
    Option(is_input=True, group=READING),
]
FormatIn = Annotated[
    str | None,
    "Format of the file: {{formats}}; detected if omitted.",
    "F",
    Option(group=READING),
]
Duplicates = Annotated[
    choices.Duplicates,
    "What to do about a document that is listed twice for a query: refuse the file,"
    " or keep the first row, the last, or the one with the max score or grade.",
    "RULE",
    Option(group=READING),
]
Unit = Annotated[
    str | None,
    "Column of the document where rows are chunks of documents: a document takes"
    " the place of its best chunk.",
    "COLUMN",
    Option(group=READING),
]
UnitBefore = Annotated[
    str | None,
    "Take chunks for documents whose id is that up to the last TEXT, such as #:"
    " doc12#3 is a chunk of doc12.",
    "TEXT",
    Option(group=READING),
]
Decimal = Annotated[
    str | None,
    "Decimal mark of the numbers in text: a comma (then points separate"
    " thousands) or a point; a point if omitted.",
    "MARK",
    Option(group=READING),
]
Encoding = Annotated[
    str | None,
    "Encoding of text that is not UTF-8, such as windows-1252.",
    "E",
    Option(group=READING),
]
Strict = Annotated[
    bool,
    "Refuse whatever is otherwise a warning, such as no query in common with the"
    " judgments, ids that nearly match, ranks that contradict scores.",
]
Name = Annotated[
    str | None, "Name to load it under; that of the file or table if omitted.", "N"
]
Tags = Annotated[
    Mapping[str, str] | None,
    "Tag of the run, such as model=bm25; may be repeated.",
    "K=V",
    Option(example="model=bm25", group=NAMING),
]
RunAt = Annotated[
    str | datetime | None,
    "When the system produced it, such as 2026-01-31T23:59.",
    "T",
    Option(group=NAMING),
]


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
    like: choices.System | None = None
    tags: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def names_measures(self) -> bool:
        """Whether the user chose the measures."""
        return bool(self.measures) or self.like is not None


def several(names: "Measured | Iterable[object] | None") -> tuple[str, ...]:
    """Return what a parameter names: one, several or nothing."""
    if names is None or isinstance(names, str) or not isinstance(names, Iterable):
        return () if names is None else (str(names),)
    return tuple(map(str, names))


def check_choice(
    name: str, value: str, words: Any, synonyms: Mapping[str, str] | None = None
) -> None:
    """Raise NdcgSqlError if a value is none of some words, or of those of a Literal.

    The way out is the word that is spelled alike but for case and signs, or whose
    synonym is, if there are any.
    """
    allowed: tuple[str, ...] = get_args(words) or tuple(words)
    if value in allowed:
        return
    word = meant(value, words, synonyms)
    raise NdcgSqlError(
        f"not one of {', '.join(allowed)}",
        Text("did you mean ", use(**{name: word}), "?") if word else "",
        where=use(**{name: value}),
    )


def meant(
    value: str, words: Any, synonyms: Mapping[str, str] | None = None
) -> str | None:
    """Return the word that a value spells, or has as a synonym; words as above."""
    allowed: tuple[str, ...] = get_args(words) or tuple(words)
    alike = {_letters(word): word for word in allowed} | dict(synonyms or {})
    return alike.get(_letters(value))


def _letters(word: str) -> str:
    return "".join(letter for letter in word.lower() if letter.isalnum())


def said_already(name: str, by: str, what: str) -> NdcgSqlError:
    """Return the refusal of a field that says what another one says already."""
    return NdcgSqlError(named(by) + f" {what} already", "omit one", where=named(name))


def not_with(name: str, *others: str) -> NdcgSqlError:
    """Return the refusal of a field that cannot stand beside others."""
    rest = listed(others, "or")
    omit = "omit one" if len(others) == 1 else "omit them"
    return NdcgSqlError("cannot be combined with " + rest, omit, where=named(name))


def check_page(over: str | None, html: str | Path | None) -> None:
    """Refuse a page of means over replicates."""
    if over and html:
        raise NdcgSqlError(
            "a page shows runs, not means over replicates",
            "omit " + named("over") + " for a page of every replicate",
            where=named("html"),
        )
