"""Judgments that look like a run, and a run that looks like judgments."""

from collections.abc import Mapping
from dataclasses import replace

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError, Offer
from ndcg_sql.loading.options import Options, Ranked
from ndcg_sql.reading.detection import layout
from ndcg_sql.reading.layouts import Layout
from ndcg_sql.reading.proposals import of_judgments, of_rankings
from ndcg_sql.reading.sources import Source
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Blank, Text, Wording, call, use

# How many values grades have at most, and how long a label is.
MOST, LONGEST = 20, 30
# What a column says that its number is, by kind.
_NUMBERS: Mapping[Ranked, str] = {"run": "score", "judgments": "grade"}


def check_one_grade(
    database: Database, source: Source, how: Layout, options: Options
) -> None:
    """Raise NdcgSqlError for one grade of all rows beside a column with grades.

    Its name says so, and its values are numbers or words, few of them.
    """
    names = of_judgments(how.ignored) if options.grade is not None else []
    if not names:
        return
    whole, _ = layout(source, "judgments", replace(options, wanted=tuple(names)))
    places = {whole.attributes[name]: name for name in names}
    parameters: Parameters = {
        "places": [*places],
        "most": MOST,
        "longest": LONGEST,
    }
    select = sql_files.composed((*whole.steps, "lookups/words_of_columns"))
    for place, _ in database.execute(select, {**whole.parameters, **parameters}):
        columns = {"columns": {"grade": places[place]}}
        fact = f"column {quoted(places[place])} beside one grade for all rows"
        raise NdcgSqlError(
            f"{source.shown}: {fact}",
            Text("if it is the grade: ", use(**columns), "; if not, rename the column"),
            offer=Offer(
                f"{fact}; if it is not the grade, rename the column",
                {**columns, "grade": None},
            ),
        )


def is_doubtful(kind: Ranked, how: Layout, options: Options) -> bool:
    """Return whether values must show if a file is of another kind, or has grades."""
    is_graded = options.grade is not None and bool(of_judgments(how.ignored))
    return is_graded or _says_otherwise(kind, options)


def _says_otherwise(kind: Ranked, options: Options) -> bool:
    """Return whether the user named a column whose name says another kind of file."""
    name = options.columns.get(_NUMBERS[kind])
    of_others = of_judgments if kind == "run" else of_rankings
    return name is not None and bool(of_others([name]))


def warning(
    database: Database, kind: Ranked, source: Source, how: Layout, options: Options
) -> Wording:
    """Return a warning if the staged rows have the numbers of another kind of file.

    Scores are doubtful if they are few whole numbers, grades if they are many numbers,
    or have ranks beside.
    """
    number = _NUMBERS[kind]
    if not _says_otherwise(kind, options) or number not in how.fields:
        return ""
    name = options.columns[number]
    sql = f"select count(distinct {number}), bool_and({number} = trunc({number}))"
    [(count, are_whole)] = database.execute(f"{sql} from staged")
    values = f"{quoted(name)} has {counted(count, 'value')}"
    if kind == "run" and count <= MOST and are_whole:
        way = call("load_judgments", Blank("FILE"), columns={"grade": name})
        return Text(f"{source.shown}: {values}, as grades have; for judgments: ", way)
    if kind == "judgments" and (count > MOST or of_rankings(how.ignored)):
        way = call("load_run", Blank("FILE"), columns={"score": name})
        return Text(f"{source.shown}: {values}, as scores have; for a run: ", way)
    return ""
