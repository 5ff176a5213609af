"""Judgments that look like a run, and a run that looks like judgments."""

from collections.abc import Mapping

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import into
from ndcg_sql.loading.options import Ranked
from ndcg_sql.loading.sheets import Sheet
from ndcg_sql.reading.columns import is_graded, is_ranked
from ndcg_sql.reading.profile import profile_of
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import Blank, Text, Wording, call, use

# How many values grades have at most, and how long a label is.
MOST, LONGEST = 20, 30
# The share from which on what is true of numbers, or of queries, is no chance.
NEARLY_ALL = 0.9
# What a column says that its number is, by kind.
_NUMBERS: Mapping[Ranked, str] = {"run": "score", "judgments": "grade"}


def check_one_grade(sheet: Sheet) -> None:
    """Raise NdcgSqlError for one grade of all rows beside a column with grades.

    Its name says so, and its values are numbers or words, few of them.
    """
    names = [name for name in sheet.how.ignored if is_graded(name)]
    if sheet.options.grade is None or not names:
        return
    profile = profile_of(sheet.source, sheet.kind, sheet.options)
    for name in names:
        column = profile.columns.get(name) if profile else None
        if column is None or len(column.filled) < NEARLY_ALL * len(column.values):
            continue
        is_short = max(map(len, column.texts)) <= LONGEST
        if column.is_number or (is_short and len(column.texts) <= MOST):
            raise NdcgSqlError(
                f"{sheet.source.shown}: column {quoted(name)} beside one grade for all"
                " rows",
                "if it is not the grade, rename the column",
                needs=("columns", "grade"),
            )


def _says_otherwise(sheet: Sheet) -> bool:
    """Return whether the user named a column whose name says another kind of file."""
    name = sheet.options.columns.get(_NUMBERS[sheet.kind])
    says = is_graded if sheet.kind == "run" else is_ranked
    return name is not None and says(name)


def warning(sheet: Sheet) -> Wording:
    """Return a warning if the staged rows have the numbers of another kind of file.

    Scores are doubtful if grades may be so, unless the user said that they give the
    positions; grades if they are many numbers, or have ranks beside.
    """
    number, shown = _NUMBERS[sheet.kind], sheet.source.shown
    if not _says_otherwise(sheet) or number not in sheet.how.fields:
        return ""
    name = sheet.options.columns[number]
    sql = f"select count(distinct {number}) from staged"
    [(count,)] = sheet.database.execute(sql)
    values = f"{quoted(name)} has {counted(count, 'value')}"
    if sheet.kind == "run":
        if sheet.options.is_rule_chosen or not _are_grades(sheet.database):
            return ""
        way = call("load_judgments", Blank("FILE"), columns={"grade": name})
        unsaid = Text("; to leave this unsaid: ", use(position_rule="score"))
        has = f"{shown}: {values}, as grades have; for judgments: "
        return Text(has, way, unsaid)
    if count > MOST or any(map(is_ranked, sheet.how.ignored)):
        way = call("load_run", Blank("FILE"), columns={"score": name})
        return Text(f"{shown}: {values}, as scores have; for a run: ", way)
    return ""


def swapped(
    database: Database, parameters: Parameters, judgment_set: tuple[int, str]
) -> list[Wording]:
    """Return a warning if staged scores look like grades, and the grades like scores.

    parameters have the name and the dataset of the run. Each of both may be right:
    grades of clicks are fractions, and an engine may score by few whole numbers.
    """
    set_id, name = judgment_set
    of_scores = {"judgment_set_id": set_id, "most": MOST, "share": NEARLY_ALL}
    # Grades are whole numbers in most judgment sets.
    if database.run("warnings/has_scores", of_scores) != [(True,)]:
        return []
    if not _are_grades(database):
        return []
    undo = Text("the judgments come first")
    if not database.is_scratch:
        undo = call("remove", "judgments", name, **into(parameters["dataset"]))
        undo = Text("to remove the judgments: ", undo)
    return [
        Text(
            f"run {quoted(parameters['name'])}: its scores are few whole numbers, as"
            f" grades are, and the grades of judgment set {quoted(name)} are fractions,"
            " as scores are; is each in the place of the other? if so, ",
            undo,
            "; to leave this unsaid: ",
            use(position_rule="score"),
        )
    ]


def _are_grades(database: Database) -> bool:
    return database.run("warnings/has_grades", {"most": MOST}) == [(True,)]
