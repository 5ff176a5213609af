"""The options that several commands share, and how their values are parsed."""

import re
from pathlib import Path
from typing import Annotated

import typer

from ndcg_sql.analysis.significance import TESTS, Testing
from ndcg_sql.cli import completers
from ndcg_sql.system.paths import STDIN
from ndcg_sql.text import not_number, number


def input_file(text: str) -> Path:
    """Return the path of an input file; - is standard input."""
    return STDIN if text == "-" else Path(text)


def decimal(given: object) -> float:
    """Return the number given for an option, or its default."""
    text = str(given)
    value = number(text)
    if value is None:
        raise typer.BadParameter(f"{text}: {not_number(text)}")
    return value


def whole(given: object) -> int:
    """Return the integer given for an option, or its default."""
    if not re.fullmatch("[+-]?[0-9]{1,18}", str(given)):
        raise typer.BadParameter(f"{given}: not an integer")
    return int(str(given))


def positive(given: object) -> int:
    """Return the integer above 0 given for an option."""
    count = whole(given)
    if count < 1:
        raise typer.BadParameter(f"{given}: must be 1 or more")
    return count


_dataset = typer.Option(
    "--dataset",
    metavar="D",
    help="Name of the dataset.",
    autocompletion=completers.datasets,
)
Dataset = Annotated[str | None, _dataset]
NewDataset = Annotated[str, _dataset]
Name = Annotated[
    str | None,
    typer.Option(
        "--name",
        metavar="N",
        help="Name to load it under; that of the file or table if omitted.",
    ),
]
HELP_FILE = (
    "File in any format of --format-in, also as gzip, zstd, bzip2, xz or zip; - is"
    " standard input."
)
Replace = Annotated[
    bool,
    typer.Option("--replace", help="Replace what has the same name."),
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        metavar="C=NAME",
        help="Name of a column in the file, such as query_id=Query; without a header"
        " its number, such as query_id=5; may be repeated.",
    ),
]
FormatIn = Annotated[
    str | None,
    typer.Option(
        "--format-in",
        metavar="F",
        help="Format of the file: {formats}; detected if omitted.",
    ),
]
Labels = Annotated[
    list[str] | None,
    typer.Option(
        "--label",
        metavar="L=G",
        help="Grade of a label, such as Exact=2; =-1 if an empty grade means not"
        " judged; may be repeated.",
    ),
]
_HELP_POSITIONS = (
    "score (trec_eval 10), score32 (trec_eval 9), given (the file's ranks, or its"
    " order)."
)
PositionsOrLike = Annotated[
    str | None,
    typer.Option(
        "--positions",
        metavar="RULE",
        help=_HELP_POSITIONS,
        show_default="score, or the rule of --like",
    ),
]
OneQuery = Annotated[
    str | None,
    typer.Option(
        "--query", metavar="ID", help="Query id of all rows, if the file has none."
    ),
]
Groups = Annotated[
    Path | None,
    typer.Option(
        "--groups",
        metavar="FILE",
        parser=input_file,
        help="File with the number of rows of each query of a list, one per line;"
        " the queries are called 1, 2, ...",
    ),
]
RowsOf = Annotated[
    Path | None,
    typer.Option(
        "--rows-of",
        metavar="LIST",
        parser=input_file,
        help="List (LETOR, SVMlight, CSV ...) whose scores FILE holds, one for each"
        " row.",
    ),
]
RunColumn = Annotated[
    str | None,
    typer.Option(
        "--run-column",
        metavar="NAME",
        help="Column whose values name the runs of a file, such as model; none loads"
        " all rows as one run. If omitted, it is the one called run, run_id, run_name,"
        " model, system, tag or method, or the last field of TREC files.",
    ),
]
MeasureNames = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        "-m",
        metavar="M",
        help="Measure, such as nDCG@10; may be repeated.",
        autocompletion=completers.measures,
    ),
]
Like = Annotated[
    str | None,
    typer.Option(
        "--like",
        metavar="SYSTEM",
        help="Compute measures as another system does, such as sklearn or quepid;"
        " nDCG@10 if none is named; measures list --systems lists them.",
        autocompletion=completers.systems,
    ),
]
PerQuery = Annotated[
    bool,
    typer.Option(
        "--per-query", "-q", help="Show a row for each query instead of the means."
    ),
]
Attributes = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        metavar="A",
        help="Query attribute to slice by; may be repeated.",
    ),
]
Test = Annotated[
    str | None,
    typer.Option(
        "--test",
        metavar="T",
        help=f"Test that decides on significance: one of {', '.join(TESTS)}.",
        show_default=Testing.test,
    ),
]
Correct = Annotated[
    str | None,
    typer.Option(
        "--correct",
        metavar="C",
        help="Correction of p for several candidates, measures and slices: holm,"
        " bonferroni, bh (Benjamini-Hochberg) or none; for compare also tukey, a"
        " randomised test of all runs by one measure in one slice.",
        show_default=Testing.correct,
    ),
]
Alpha = Annotated[
    float | None,
    typer.Option(
        "--alpha",
        metavar="P",
        parser=decimal,
        help="A difference is significant if p is below P; intervals have confidence"
        " 1 - P.",
        show_default=str(Testing.alpha),
    ),
]
Resamples = Annotated[
    int | None,
    typer.Option(
        "--resamples",
        metavar="N",
        parser=whole,
        help="Number of resamples if there are too many outcomes to count them all.",
        show_default=str(Testing.resamples),
    ),
]
Seed = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        parser=whole,
        help="Seed of the random numbers.",
        show_default=str(Testing.seed),
    ),
]
AssessmentSets = Annotated[
    list[str] | None,
    typer.Option(
        "--assessments",
        metavar="A",
        help="Name of loaded assessments; may be repeated; all if omitted.",
        autocompletion=completers.assessments,
    ),
]
Assessors = Annotated[
    list[str] | None,
    typer.Option(
        "--assessor",
        metavar="A",
        help="Name of an assessor; may be repeated; all if omitted.",
    ),
]
Runs = Annotated[
    list[str] | None,
    typer.Option(
        "--run",
        metavar="R",
        help="Name of a run, or a pattern such as 'input.*' (quoted); may be"
        " repeated; all if omitted.",
        autocompletion=completers.runs,
    ),
]
Limit = Annotated[
    int | None,
    typer.Option(
        "--limit",
        metavar="N",
        parser=positive,
        help="Show only the first N runs; tests and corrections include all.",
    ),
]
Judgments = Annotated[
    str | None,
    typer.Option(
        "--judgments",
        metavar="J",
        help="Name of the judgment set; the newest if omitted.",
        autocompletion=completers.judgment_sets,
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="F",
        help="table, markdown, latex, csv, tsv, json, jsonl or parquet;"
        " by default from the suffix of -o.",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        parser=Path,
        help="Write to this file; compressed if it ends in .gz.",
    ),
]
Html = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="FILE",
        parser=Path,
        help="Also write a page with tables, charts and explained queries: one file"
        " that opens in any browser and asks for nothing else.",
    ),
]
Force = Annotated[
    bool,
    typer.Option(
        "--force", help="Replace a page or figure that ndcg-sql did not write."
    ),
]
Caption = Annotated[
    str | None,
    typer.Option(
        "--caption",
        metavar="TEXT",
        help="Caption of a LaTeX table, as plain text; only with --format latex.",
    ),
]
Label = Annotated[
    str | None,
    typer.Option(
        "--label",
        metavar="L",
        help="Label of a LaTeX table, such as tab:results; only with --format latex.",
    ),
]
