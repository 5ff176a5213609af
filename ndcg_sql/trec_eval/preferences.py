"""What trec_eval computes from judgments that have groups.

Preferences (-R prefs, -R qrels_prefs) say which of two documents is better;
judgment groups (-R qrels_jg) say what is relevant, each for itself.
"""

from typing import Literal

from ndcg_sql import sqlfiles
from ndcg_sql.errors import ContradictionError
from ndcg_sql.files import Source, glob_safe
from ndcg_sql.layouts import Layout
from ndcg_sql.measures import Measure, parse, written
from ndcg_sql.staging import check_staged, stage
from ndcg_sql.text import now, quoted
from ndcg_sql.valuing import valued
from ndcg_sql.warehouse import Warehouse

Form = Literal["prefs", "qrels_prefs", "qrels_jg"]
Value = tuple[str, str, float]
_COLUMNS = ("query_id", "group_id", "subgroup_id", "doc_id", "grade")
# The files under sql/preferences/, each of which reads the rows of those before.
_STEPS = (
    *("places", "judged_groups", "levels", "preferred"),
    *("group_documents", "group_sizes", "group_counts", "even_counts", "pair_values"),
)
# What a measure of judgment groups averages over them.
_AVERAGED = {
    "map_avgjg": "AP({})",
    "P_avgjg": "P({})@{}",
    "Rprec_mult_avgjg": "Rprec_mult({})@{}",
}


def values(
    warehouse: Warehouse,
    source: Source,
    form: Form,
    rel: float,
    names: list[str],
    judged_only: bool = False,
) -> list[Value]:
    """Return query, name and value of trec_eval's measures of judgment groups.

    The warehouse holds one run and is left as it is. There is a value for
    every name and judged query; one that the run did not answer is valued as
    if an unknown document had been returned. rel (-l) and judged_only (-J)
    concern qrels_jg alone. names are as trec_eval prints them; a number in
    them may have more digits.

    Raises NdcgSqlError if a line of the source is malformed, and its subclass
    ContradictionError if a document is repeated or preferences contradict.
    """
    how = _layout(source, form)
    stage(warehouse, "preferences", source, how)
    with warehouse.shadow(["judgments", "judgment_sets"]):
        if form == "qrels_jg":
            check_staged(warehouse, "groups", source, how)
            return _of_groups(warehouse, source, rel, names, judged_only)
        check_staged(warehouse, "preferences", source, how)
        return _of_preferences(warehouse, source, names)


def _layout(source: Source, form: Form) -> Layout:
    """Return how to read a file of a form."""
    columns = [c for c in _COLUMNS if c != "subgroup_id" or form == "prefs"]
    width = len(columns)
    words = {"query_id": "query", "group_id": "group", "subgroup_id": "subgroup"}
    words |= {"doc_id": "document", "grade": "grade" if form == "qrels_jg" else "level"}
    return Layout(
        ("load/lines", "load/blank_separated"),
        {"path": glob_safe(source.readable)},
        {column: place for place, column in enumerate(columns, 1)},
        (width, width),
        f"{width} ({' '.join(words[column] for column in columns)})",
    )


def _of_preferences(
    warehouse: Warehouse, source: Source, names: list[str]
) -> list[Value]:
    """Return the values of measures of preferences, after checking these."""
    warehouse.run("preferences/document_judgments")
    _store_judgment_sets(warehouse, source)
    for step in _STEPS:
        select = sqlfiles.read(f"preferences/{step}")
        warehouse.execute(f"create or replace temp table {step} as {select}")
        if step == "preferred":
            _check_contradictions(warehouse, source)
    rows = warehouse.records(sqlfiles.read("preferences/values"))
    return [
        (row["query_id"], name, float(row[name.lower()]))
        for row in sorted(rows, key=lambda row: row["query_id"].encode())
        for name in names
    ]


def _check_contradictions(warehouse: Warehouse, source: Source) -> None:
    """Raise ContradictionError if a document is preferred to itself."""
    for line, query, group, document in warehouse.run("preferences/contradictions"):
        raise ContradictionError(
            f"{source.shown}:{line}: query {quoted(query)}, group {quoted(group)},"
            f" document {quoted(document)}: preferred to a document that is preferred"
            " to it\nPreferences that contradict each other belong in groups of their"
            " own. Correct the file and run the same command again."
        )


def _of_groups(
    warehouse: Warehouse,
    source: Source,
    rel: float,
    names: list[str],
    judged_only: bool,
) -> list[Value]:
    """Return the means over judgment groups of ordinary measures."""
    warehouse.run("preferences/group_judgments")
    pairs = _store_judgment_sets(warehouse, source)
    measures = {name: _averaged(name, rel, judged_only) for name in names}
    with valued(
        warehouse, list({m.name: m for m in measures.values()}.values()), pairs
    ):
        rows = warehouse.run("preferences/group_means")
    found = {(query, measure): value for query, measure, value in rows}
    queries = sorted({query for query, _, _ in rows}, key=str.encode)
    return [
        (query, name, found[query, measure.name])
        for query in queries
        for name, measure in measures.items()
    ]


def _averaged(name: str, rel: float, judged_only: bool) -> Measure:
    """Return the measure whose values for groups a printed name is the mean of."""
    family = next(known for known in _AVERAGED if name.startswith(known))
    at = name.removeprefix(family).removeprefix("_")
    brackets = f"rel={written(rel)},judged_only={written(judged_only)}"
    return parse(_AVERAGED[family].format(brackets, at))[0]


def _store_judgment_sets(warehouse: Warehouse, source: Source) -> list[tuple[int, int]]:
    """Describe the judgment sets that have rows; return each with the run."""
    run_id, dataset = warehouse.execute("select run_id, dataset from runs")[0]
    sql = "select distinct judgment_set_id from judgments order by all"
    found = [judgment_set_id for (judgment_set_id,) in warehouse.execute(sql)]
    for judgment_set_id in found:
        described = {
            "judgment_set_id": judgment_set_id,
            "dataset": dataset,
            "name": f"group {judgment_set_id}",
            "source": source.shown,
            "content_hash": source.content_hash,
            "loaded_at": now(),
        }
        warehouse.run("store/judgment_sets", described)
    return [(run_id, judgment_set_id) for judgment_set_id in found]
