"""Unjudged documents: those that one more judgment could change most, and pools."""

from collections.abc import Mapping

from ndcg_sql.comparison.answers import Answer, Context, Rows, limited, with_titles
from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Parameters
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.evaluation import entries
from ndcg_sql.evaluation.fitting import check_fits, fitting
from ndcg_sql.evaluation.question import only_measures, resolve
from ndcg_sql.measures.names import Measure, parse
from ndcg_sql.options import Scope
from ndcg_sql.system.messages import Only
from ndcg_sql.text import counted, quoted
from ndcg_sql.wording import FILE, Wording, call, named, use

# The formats of pools.
FORMATS = ("csv", "tsv", "json", "jsonl", "parquet")
# The default depth of pools, and of judged@k in reports if a measure has no cutoff.
DEPTH = 10


def unjudged(
    context: Context, scope: Scope, depth: int | None, limit: int | None
) -> Answer:
    """Return the unjudged documents that runs return.

    Those come first whose judgment could change the most. The default depth is the
    measure's cutoff, or 10. Raises NdcgSqlError where a name is not known.
    """
    messages = context.messages
    rows, _ = _ranked(context, scope, depth, "holes")
    return Answer("unjudged documents", limited(rows, messages, limit), scope)


def pool(
    context: Context,
    scope: Scope,
    depth: int | None,
    budget: int | None,
    seed: int,
    all_queries: bool,
) -> Answer:
    """Return the documents to be judged: a pool to a depth, or to a budget.

    Judged documents are left out, and so are queries without any judgment,
    unless all are wanted or there are no judgments yet. The order reveals nothing
    and depends only on the seed. Raises NdcgSqlError where a name is not known, runs
    belong to several datasets, or there is a budget but no judgment yet.
    """
    database, messages = context
    runs = entries.choose_runs(database, scope.runs, scope.dataset)
    dataset = entries.one_dataset(runs)
    runs = entries.with_rankings(messages, runs, scope.runs, "pool")
    sets = {s.id: s.name for s in entries.judgment_sets(database, dataset)}
    set_id = None
    if sets or scope.judgments:
        set_id = entries.judgments_of(database, runs, scope.judgments)[0][1]
    with_unjudged = all_queries or set_id is None
    parameters: Parameters = {
        "run_ids": [run.id for run in runs],
        "judgment_set_id": set_id,
        "depth": depth or DEPTH,
        "with_unjudged": with_unjudged,
    }
    chosen = sql_files.read("reports/pool_documents")
    of_runs = counted(len(runs), "run")
    which = f"the first {parameters['depth']} of {of_runs}"
    if budget:
        if set_id is None:
            raise NdcgSqlError(
                "a budget needs judgments to rank documents",
                "pool the first of each run: omit " + named("budget"),
                where=use(budget=budget),
            )
        warned = Context(database, Only(messages, "warn"))
        most, measure = _ranked(warned, scope, depth, "pool")
        chosen = f"select query_id, doc_id from {most.table} limit {budget:d}"
        which = f"those that could change {measure.name} of {of_runs} most"
    with database.temporary("pool_documents", chosen, parameters):
        order = {"dataset": dataset, "seed": str(seed)}
        rows = Rows.of(database, "reports/pool", order)
    rows = with_titles(database, rows, [dataset])
    counts = f"select count(distinct query_id), count(*) from {rows.table}"
    [(queries, documents)] = database.execute(counts)
    if set_id is not None:
        which += f", without those that {quoted(sets[set_id])} judges"
    messages.tell(
        f"pooled {counted(documents, 'document')} for"
        f" {counted(queries, 'query', 'queries')}: {which}"
    )
    if not with_unjudged:
        including = "" if budget else "; include with " + named("all_queries")
        run_ids = {set_id: [run.id for run in runs]}
        _tell_left_out(context, run_ids, including)
    if set_id is not None and documents:
        into_set = {"base": sets[set_id], **entries.into(dataset)}
        loading = call("load_judgments", FILE, **into_set)
        messages.tell("after filling in every grade: " + loading)
    return Answer("pool", rows, scope)


def _ranked(
    context: Context, scope: Scope, depth: int | None, command: str
) -> tuple[Rows, Measure]:
    """Return the unjudged documents, and the measure whose gains and discounts count.

    It is the measure that the scope names, or the first registered one that has
    gains and discounts; in place of one that has none, nDCG with the same cutoff.
    """
    database, messages = context
    question = resolve(*context, scope)
    [measure, *others] = question.measures
    if scope.measures and others:
        what = f"{command} ranks by one measure, not by {1 + len(others)}"
        raise NdcgSqlError(what, "name one")
    sets = dict(question.pairs)
    judged = [run for run in question.runs if run.id in sets]
    ranked = entries.with_rankings(messages, judged, scope.runs, command)
    run_ids: dict[int | None, list[int]] = {}
    for run in ranked:
        run_ids.setdefault(sets[run.id], []).append(run.id)
    set_ids = sorted({sets[run.id] for run in ranked})
    if not question.named:
        fits = set[str].intersection(*fitting(database, set_ids).values())
        usable = [m for m in question.measures if m.name in fits and _has_discounts(m)]
        measure = [*usable, *parse("nDCG@10")][0]
    if not _has_discounts(measure):
        [measure] = parse(f"nDCG@{measure.cutoff}" if measure.cutoff else "nDCG")
    depth = depth or measure.cutoff or DEPTH
    parameters: Parameters = {
        "run_ids": [run.id for run in ranked],
        "judgment_set_ids": [sets[run.id] for run in ranked],
        "measure": measure.name,
        "depth": depth,
    }
    with only_measures(database, [measure], set_ids):
        check_fits(database, set_ids)
        rows = Rows.of(database, "reports/holes", parameters)
    _tell_left_out(context, run_ids)
    messages.tell(
        f"{counted(len(rows), 'unjudged document')} among the first {depth} of"
        f" {counted(len(ranked), 'run')}, ranked by {measure.name}"
    )
    return with_titles(database, rows, (r.dataset for r in question.runs)), measure


def _has_discounts(measure: Measure) -> bool:
    """Return whether gains of grades are discounted by position."""
    return "dcg" in measure.family.defaults


def _tell_left_out(
    context: Context, run_ids: Mapping[int | None, list[int]], including: Wording = ""
) -> None:
    """Report how many queries runs answered that their judgment sets lack."""
    database, messages = context
    count = 0
    for set_id, own in run_ids.items():
        ids = {"run_ids": own, "judgment_set_id": set_id}
        count += database.run("warnings/unjudged_queries", ids)[0][0]
    if count:
        queries = counted(count, "query", "queries")
        messages.tell(f"omitted {queries} without any judgment" + including)
