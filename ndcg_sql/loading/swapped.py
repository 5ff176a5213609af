"""Scores in the place of grades, and grades in the place of scores."""

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import into
from ndcg_sql.loading.likeness import MOST
from ndcg_sql.text import quoted
from ndcg_sql.wording import Text, call, use

# The share of fractional grades from which on they are those of a run.
_NEARLY_ALL = 0.9


class SwappedError(NdcgSqlError):
    """The numbers of a run are grades, and those of its judgments are scores."""


def check(
    database: Database, parameters: Parameters, judgment_set: tuple[int, str]
) -> None:
    """Raise SwappedError if staged scores are grades, and the grades are scores.

    parameters have the name and the dataset of the run. Grades of clicks may be many
    fractions, and scores may be few whole numbers; both at once are no chance.
    """
    set_id, name = judgment_set
    of_scores = {"judgment_set_id": set_id, "most": MOST, "share": _NEARLY_ALL}
    # Grades are whole numbers in most judgment sets.
    if database.run("warnings/has_scores", of_scores) != [(True,)]:
        return
    if database.run("warnings/has_grades", {"most": MOST}) != [(True,)]:
        return
    undo = call("remove", "judgments", name, **into(parameters["dataset"]))
    raise SwappedError(
        f"run {quoted(parameters['name'])}: its scores are few whole numbers, as grades"
        f" are, and the grades of judgment set {quoted(name)} are fractions, as scores"
        " are; is each in the place of the other?",
        Text(
            "to remove the judgments: ",
            undo,
            "; if they are right: ",
            use(position_rule="score"),
        ),
    )
