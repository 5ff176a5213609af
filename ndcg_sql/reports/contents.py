"""What is in the warehouse: runs, judgment sets, measures, gain schemes, relations."""

from ndcg_sql.comparison.answers import Answer, Context, Rows, limited
from ndcg_sql.database import views
from ndcg_sql.database.database import ROWS, Database
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries
from ndcg_sql.measures import families, systems
from ndcg_sql.text import nearest, quoted
from ndcg_sql.wording import FILE, Blank, call, use


def contents(
    context: Context, dataset: str | None, with_tags: bool, limit: int | None
) -> Answer:
    """Return the judgment sets, assessments and runs, of one dataset or of all."""
    database, messages = context
    entries.check_dataset(database, dataset)
    rows = Rows.of(database, "reports/contents", {"dataset": dataset})
    if not with_tags:
        rows = rows.without("tags")
    rows = limited(rows, messages, limit, "dataset", "kind", newest=True)
    if not len(rows):
        loading = call("load_judgments", FILE) + ", " + call("load_run", FILE)
        messages.tell("no judgments, assessments or runs; load some: " + loading)
    return Answer("contents", rows)


def description(
    context: Context, name: str, judgments: str | None, dataset: str | None
) -> Answer:
    """Return what a run is and what of it is judged, or what a judgment set is.

    It is the run, if both have the name. Without any judgments in the dataset, what
    depends on them is null.
    """
    database, messages = context
    entries.check_dataset(database, dataset)
    every_run = entries.runs(database, dataset)
    every_set = entries.judgment_sets(database, dataset)
    is_run = name in {entry.name for entry in every_run}
    is_set = name in {entry.name for entry in every_set}
    if (every_run or every_set) and not is_run and not is_set:
        raise entries.not_there("run or judgment set", name, [*every_run, *every_set])
    if is_set and not is_run:
        if judgments is not None:
            what = f"{quoted(name)} is a judgment set itself"
            raise NdcgSqlError(what, "omit it", where=use(judgments=judgments))
        entry = entries.choose_entry(database, "judgment set", name, dataset)
        ids = {"judgment_set_id": entry.id}
        rows = Rows.of(database, "reports/judgment_set_description", ids)
        return Answer("judgment set", rows)
    if is_set:
        messages.tell(f"a judgment set is called {quoted(name)}, too")
    run, set_id = entries.choose_entry(database, "run", name, dataset), None
    if judgments or entries.judgment_sets(database, run.dataset):
        [(_, set_id)] = entries.judgments_of(database, [run], judgments)
    ids = {"run_id": run.id, "judgment_set_id": set_id}
    return Answer("run", Rows.of(database, "reports/description", ids))


def measures(context: Context) -> Answer:
    """Return the registered measures."""
    database, messages = context
    rows = Rows.of(database, "reports/registered_measures")
    if not len(rows):
        adding = call("add_measures", "nDCG@10")
        messages.tell("no measure is registered; " + adding + " registers one")
    return Answer("measures", rows)


def gains(context: Context) -> Answer:
    """Return the grades and gains of the named gain schemes."""
    database, messages = context
    rows = Rows.of(database, "reports/gain_schemes")
    if not len(rows):
        adding = call("add_gains", Blank("NAME"), Blank("GRADE=GAIN..."))
        built_in = "no gain schemes except the built-in linear, exp and binary; "
        messages.tell(built_in + adding + " adds one")
    return Answer("gains", rows)


def schema(database: Database, view: str | None) -> Answer:
    """Return the columns of the public relations, or of one of them."""
    names = list(views.public())
    if view is not None and view not in names:
        hint = nearest(view, names) or call("schema") + " shows all"
        raise NdcgSqlError(f"no view {quoted(view)}", hint)
    shown = names if view is None else [view]
    return Answer("schema", Rows.of(database, "reports/schema", {"names": shown}))


def known_measures(database: Database, of_systems: bool) -> Answer:
    """Return the families of measures, or the measures of other systems."""
    listed = (systems if of_systems else families).described()
    return Answer("measures", Rows.selected(database, ROWS, {"rows": listed}))
