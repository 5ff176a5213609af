"""Which assessments a question is about."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database, Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation.entries import (
    Entry,
    check_dataset,
    check_same_dataset,
    choose_entry,
    entries,
    into,
    one_dataset,
)
from ndcg_sql.text import listed, nearest, quoted
from ndcg_sql.wording import FILE, Blank, Text, call, use

_NAME_THEM = use(assessments=[Blank("NAME")])


def assessor_groups(database: Database, group_by: str) -> dict[str, str]:
    """Return the kind of each of the chosen assessors, or their model if asked for.

    Raises NdcgSqlError for an assessor of no kind, or of several kinds or models.
    """
    groups: dict[str, str] = {}
    rows = database.run("lookups/assessor_groups", {"by": group_by})
    for assessor, group, name, dataset in rows:
        if group is None:
            fields = {**into(dataset), "assessor_kind": Blank("KIND"), "replace": True}
            loading = call("load_assessments", FILE, name=name, **fields)
            raise NdcgSqlError(
                f"assessments {quoted(name)}: of no kind",
                Text("load them with ", loading, ", or name others: ", _NAME_THEM),
            )
        if groups.setdefault(assessor, group) != group:
            raise NdcgSqlError(
                f"assessor {quoted(assessor)} is of several kinds or models:"
                f" {listed([groups[assessor], group])}",
                "name the assessments of one: " + _NAME_THEM,
            )
    return groups


@contextmanager
def judgments_as_grades(
    database: Database, sets_named: Sequence[str], dataset: str | None
) -> Generator[tuple[str, list[str]]]:
    """Show views, while inside, judgment sets as what assessors of their names said.

    Gives the dataset and the names. Raises NdcgSqlError for an unknown one, or
    unless they share a dataset.
    """
    sets = [choose_entry(database, "judgment set", n, dataset) for n in sets_named]
    names = [entry.name for entry in sets]
    for entry in sets:
        why = "their queries differ"
        check_same_dataset("judgment set", sets[0], entry, why)
        if names.count(entry.name) > 1:
            raise NdcgSqlError(f"judgment set {quoted(entry.name)} is given twice")
    ids: Parameters = {"judgment_set_ids": [entry.id for entry in sets]}
    grades = sql_files.read("reports/judgments_as_grades")
    with database.temporary("assessor_grades", grades, ids):
        yield sets[0].dataset, names


@contextmanager
def chosen_assessments(
    database: Database,
    names: Sequence[str],
    assessors: Sequence[str],
    dataset: str | None,
) -> Generator[tuple[str, list[Entry], list[str]]]:
    """Limit views, while inside, to the assessments that a user names.

    Gives the dataset, the sets and the assessors; all of them if none is named, and
    of the sets only those in which one of the assessors says something. Raises
    NdcgSqlError for an unknown one.
    """
    check_dataset(database, dataset)
    sets = [choose_entry(database, "assessments", n, dataset) for n in names]
    sets = sets or entries(database, "assessments", dataset)
    if not sets:
        where = f"in dataset {quoted(dataset)}" if dataset else "in the warehouse"
        loading = call("load_assessments", FILE) + " loads them"
        raise NdcgSqlError(f"no assessments {where}", loading)
    only = one_dataset(sets, "several datasets have assessments")
    ids: Parameters = {"assessment_set_ids": [entry.id for entry in sets]}
    there = [name for (name,) in database.run("lookups/assessors", ids)]
    for name in assessors:
        if name not in there:
            hint = nearest(name, there) or "omit it to use all"
            raise NdcgSqlError(f"no assessor {quoted(name)}", hint)
        if assessors.count(name) > 1:
            raise NdcgSqlError(f"assessor {quoted(name)} is given twice")
    ids["assessors"] = list(assessors) or there
    some = (
        "from assessments where list_contains($assessment_set_ids, assessment_set_id)"
        " and list_contains($assessors, assessor)"
    )
    with database.temporary("assessments", some, ids):
        used = database.execute("select distinct assessment_set_id from assessments")
        sets = [entry for entry in sets if (entry.id,) in used]
        yield only, sets, ids["assessors"]
