"""How much assessors agree: Cohen's and Fleiss' kappa, Krippendorff's alpha."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.database.results import output
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.assessments import chosen_assessments


@contextmanager
def agreement(
    database: Database,
    names: Sequence[str],
    assessors: Sequence[str],
    dataset: str | None,
) -> Generator[None]:
    """Put the agreement of assessors into the table OUTPUT, which lives inside.

    A statistic that is not defined is null, and the remark gives the reason.
    Raises NdcgSqlError where a name is not known or fewer than two judged.
    """
    about = (names, assessors, dataset)
    with _of_assessors(database, "agreement", "reports/agreement", *about):
        yield


@contextmanager
def judge_grades(
    database: Database,
    names: Sequence[str],
    assessors: Sequence[str],
    dataset: str | None,
) -> Generator[None]:
    """Put the grades of each two assessors for the same documents into OUTPUT.

    Raises NdcgSqlError where a name is not known or fewer than two judged.
    """
    about = (names, assessors, dataset)
    with _of_assessors(database, "calibration", "figures/judge_grades", *about):
        yield


@contextmanager
def _of_assessors(
    database: Database,
    what: str,
    file: str,
    names: Sequence[str],
    assessors: Sequence[str],
    dataset: str | None,
) -> Generator[None]:
    """Put the rows of a select about two assessors or more into the table OUTPUT."""
    with chosen_assessments(database, names, assessors, dataset) as chosen:
        where, _, who = chosen
        if len(who) < 2:
            raise NdcgSqlError(f"{what} needs two assessors; only one is given")
        asked: Parameters = {"dataset": where, "assessors": who}
        with output(database, file, asked):
            yield
