"""What is loaded as runs and judgment sets, and how it is read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.fields import Option
from ndcg_sql.wording import Blank, named, use

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
    ),
]
OneQuery = Annotated[
    str | None, Option("Query id of all rows, if the file has none.", "ID")
]
Groups = Annotated[
    Path | None,
    Option(
        "File with the number of rows of each query of a list, one per line; the"
        " queries are called 1, 2, ...",
        "FILE",
        is_input=True,
    ),
]
FormatIn = Annotated[
    str | None, Option("Format of the file: {formats}; detected if omitted.", "F")
]
Duplicates = Annotated[
    str,
    Option(
        "What to do about a document that is listed twice for a query: refuse the file,"
        " or keep the first row, the last, or the one with the max score or grade.",
        "RULE",
    ),
]
KeepGoing = Annotated[
    bool,
    Option("Load the good files although others are bad; the exit code is then 2."),
]
Replace = Annotated[bool, Option("Replace what has the same name.")]


@dataclass(frozen=True, kw_only=True)
class LoadJudgmentsRequest:
    """A judgment set to be loaded."""

    dataset: NewDataset = "default"
    name: Name = None
    labels: Annotated[
        Mapping[str, float],
        Option(
            "Grade of a label, such as Exact=2; =-1 if an empty grade means not judged;"
            " may be repeated.",
            "L=G",
            word="label",
        ),
    ] = field(default_factory=dict[str, float])
    columns: Columns = field(default_factory=dict[str, str])
    query: OneQuery = None
    groups: Groups = None
    format_in: FormatIn = None
    base: Annotated[
        str | None, Option("Judgment set whose judgments the new one includes.", "J")
    ] = None
    duplicates: Duplicates = "refuse"
    keep_going: KeepGoing = False
    no_evaluate: Annotated[bool, Option("Do not evaluate the dataset's runs.")] = False
    replace: Replace = False


@dataclass(frozen=True, kw_only=True)
class LoadRunRequest:
    """Runs to be loaded."""

    dataset: NewDataset = "default"
    name: Name = None
    name_from: Annotated[
        str,
        Option(
            "What a run is named by: its file, or the tag in the file (the last field"
            " of TREC files, or the column of " + named("run_column") + ").",
            "SOURCE",
        ),
    ] = "file"
    tags: Annotated[
        Mapping[str, str],
        Option(
            "Tag of the run, such as model=bm25; may be repeated.",
            "K=V",
            word="tag",
            example="model=bm25",
        ),
    ] = field(default_factory=dict[str, str])
    run_at: Annotated[
        str | datetime | None,
        Option("When the system produced it, such as 2026-01-31T23:59.", "T"),
    ] = None
    position_rule: Annotated[
        str,
        Option(
            "score (trec_eval 10), score32 (trec_eval 9), given (the file's ranks, or"
            " its order).",
            "RULE",
            word="positions",
        ),
    ] = "score"
    columns: Columns = field(default_factory=dict[str, str])
    run_column: Annotated[
        str | None,
        Option(
            "Column whose values name the runs of a file, such as model; none loads all"
            " rows as one run. If omitted, it is the one called run, run_id, run_name,"
            " model, system, tag or method, or the last field of TREC files.",
            "NAME",
        ),
    ] = None
    query: OneQuery = None
    rows_of: Annotated[
        Path | None,
        Option(
            "List (LETOR, SVMlight, CSV ...) whose scores FILE holds, one for each"
            " row.",
            "LIST",
            is_input=True,
        ),
    ] = None
    groups: Groups = None
    format_in: FormatIn = None
    duplicates: Duplicates = "refuse"
    keep_going: KeepGoing = False
    replace: Replace = False

    def __post_init__(self) -> None:
        """Raise NdcgSqlError for groups of no list."""
        if self.groups and not self.rows_of:
            raise NdcgSqlError(
                "no list is given",
                "name it: " + use(rows_of=Blank("LIST")),
                where=named("groups"),
            )
