"""The questions about values, and about what the warehouse has."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from ndcg_sql import options
from ndcg_sql.errors import not_with, refusal
from ndcg_sql.options import Option, Scope
from ndcg_sql.questions.handle import Handle

if TYPE_CHECKING:
    from ndcg_sql.comparison.answers import Answer


def report(
    warehouse: Handle,
    measures: options.Measures = None,
    *,
    like: options.Like = None,
    runs: options.Runs = None,
    judgments: options.Judgments = None,
    dataset: options.Dataset = None,
    by: options.Names = None,
    per_query: options.PerQuery = False,
    tags: Annotated[Mapping[str, str] | None, Option(example="branch=main")] = None,
    sort: str | None = None,
    limit: options.Count = None,
    worst: options.Count = None,
    over: str | None = None,
    row_columns: Annotated[str | None, Option(word="columns")] = None,
    counts: Literal["none", "short", "usual", "all"] = "usual",
    html: str | Path | None = None,
    force: bool = False,
) -> "Answer":
    """Report the values of runs.

    A row is a run's mean; or its mean over a slice, or its value for a query.

    tags K=V: Only runs with this tag; may be repeated: runs that have them all.
    sort M: Put the runs in the order of a measure, the best value over all queries
        first; in the order of loading if omitted.
    limit N: Show only the first N runs of each dataset.
    worst N: With {per_query}, show only the N queries of each run with the worst
        values of the first measure.
    over TAG: Tag in which replicates differ, such as seed: the mean, the standard
        deviation and the count over runs with the same other tags.
    row_columns C,...: Only these columns of the rows, such as run,measure,value.
    counts C: How much a table shows of what values are based on: none, short (queries
        and judged@k), usual, or all, which adds the means with the weights of queries.

    ndcg-sql report -m 'nDCG@10 AP' --by device
    ndcg-sql report --run hybrid --per-query --worst 5
    """
    scope = Scope.of(locals())
    if over and (per_query or sort or limit):
        raise not_with("over", "per_query", "sort", "limit")
    if worst and not per_query:
        raise refusal("{worst}", "needs {per_query}")
    if html and limit:
        raise refusal("{html}", "a page shows every run", "omit {limit}")
    if counts != "usual" and (row_columns or per_query):
        raise not_with("counts", "row_columns", "per_query")
    page = page_file(html, force, over)
    from ndcg_sql.reports import report as reporting

    if over:
        answer = reporting.over_replicates(warehouse.read, scope, over)
    else:
        chosen = per_query, sort, limit, worst
        answer = reporting.values(warehouse.read, scope, *chosen)
    if row_columns is not None:
        columns = [column.strip() for column in row_columns.split(",")]
        answer = replace(answer, name="columns", rows=answer.rows.only(columns))
    return replace(answer, about={**answer.about, "counts": counts}, page=page)


def explain(
    warehouse: Handle,
    run: options.Run,
    query: Annotated[str, Option(names="queries")],
    measures: options.Measures = None,
    *,
    like: options.Like = None,
    against: Annotated[str | None, Option(names="runs")] = None,
    judgments: options.Judgments = None,
    dataset: options.Dataset = None,
) -> "Answer":
    """Show how the value of a query is computed, position by position.

    The rankings of two runs can stand side by side.

    query QUERY: Id of the query.
    measures M: Such as nDCG@10, AP, RR, P@10, RBP or ERR; two of a kind are shown
        together.
    like SYSTEM: Also show the measure as another system computes it;
        {measures(systems)} lists them.
    against RUN: Another run: show both rankings side by side, what moved, and what that
        cost.

    ndcg-sql explain hybrid q18 -m nDCG@10
    ndcg-sql explain bm25 q18 --against hybrid
    """
    scope = Scope.of(locals())
    if against is not None and like is not None:
        what = "cannot be combined with {like}"
        raise refusal("{against}", what, "name a measure: {measures}")
    from ndcg_sql.reports import explain as explaining

    return explaining.explain(warehouse.read, run, query, scope, against)


def unjudged(
    warehouse: Handle,
    measures: options.Measures = None,
    *,
    runs: options.Runs = None,
    judgments: options.Judgments = None,
    dataset: options.Dataset = None,
    depth: Annotated[
        int | None, Option(default="the measure's cutoff, or 10", least=1)
    ] = None,
    limit: options.Count = None,
) -> "Answer":
    """List unjudged documents, those that matter most first.

    What matters is what one more judgment could change: the largest gain of the
    judgment set's grades / the discount at the document's position, summed over the
    runs; for two runs, the difference of the two.

    depth K: Number of top documents to consider.
    limit N: Show only the first N documents.

    ndcg-sql holes -m nDCG@10 --run hybrid
    """
    scope = Scope.of(locals())
    from ndcg_sql.reports import unjudged as documents

    return documents.unjudged(warehouse.read, scope, depth, limit)


def pool(
    warehouse: Handle,
    runs: options.Runs = None,
    *,
    judgments: options.Judgments = None,
    dataset: options.Dataset = None,
    depth: Annotated[
        int | None, Option(default="10, or with a budget the measure's cutoff", least=1)
    ] = None,
    budget: options.Count = None,
    measures: options.Measures = None,
    seed: int = 0,
    all_queries: bool = False,
) -> "Answer":
    """Write the documents to be judged: the top of each run.

    The names of the runs are omitted. With a budget, the documents are those whose
    judgments could change the runs, or the difference between two runs, most, as in
    holes.

    depth K: Number of top documents of each run.
    budget N: Number of documents, those first whose judgment could change most.
    seed S: Seed of the random order.
    all_queries: Include queries without any judgment.

    ndcg-sql pool --depth 10 -o pool.csv
    """
    scope = Scope.of(locals())
    if budget and all_queries:
        raise not_with("budget", "all_queries")
    if measures and not budget:
        raise refusal("{measures}", "needs {budget}")
    from ndcg_sql.reports import unjudged as documents

    return documents.pool(warehouse.read, scope, depth, budget, seed, all_queries)


def history(
    warehouse: Handle,
    measures: options.Measures = None,
    *,
    runs: options.Runs = None,
    judgments: options.Judgments = None,
    dataset: options.Dataset = None,
    by: options.Names = None,
    tag: str | None = None,
    limit: options.Count = None,
) -> "Answer":
    """Show values over time, and how they changed.

    Each has its difference from the run before it.

    tag K[=V]: Make a series for each value of a run tag, or for one value.
    limit N: Show only the last N runs of each series.

    ndcg-sql history -m nDCG@10
    """
    scope = Scope.of(locals())
    from ndcg_sql.reports import history as past

    return past.history(warehouse.read, scope, tag, limit)


def describe(
    warehouse: Handle,
    name: Annotated[str, Option(names="described")],
    *,
    judgments: options.Judgments = None,
    dataset: options.Dataset = None,
) -> "Answer":
    """Describe a run or a judgment set in one row.

    Of a run: its source, depth, ties and judged share. Of a judgment set: its source
    and grades, and, if it was made from clicks, what it is based on: impression_bands
    and clicks_by_position.

    name NAME: Name of a run, or of a judgment set.

    ndcg-sql describe hybrid
    """
    from ndcg_sql.reports import contents as stored

    return stored.description(warehouse.read, name, judgments, dataset)


def contents(
    warehouse: Handle,
    dataset: options.Dataset = None,
    *,
    with_tags: Annotated[bool, Option(word="tags")] = False,
    limit: options.Count = None,
) -> "Answer":
    """List judgment sets, assessments and runs, by dataset.

    with_tags: Also show the tags of each run.
    limit N: Show only the newest N runs, judgment sets and assessments of each dataset.

    ndcg-sql list --dataset demo --tags
    """
    from ndcg_sql.reports import contents as stored

    return stored.contents(warehouse.read, dataset, with_tags, limit)


def measures(
    warehouse: Handle, *, families: bool = False, systems: bool = False
) -> "Answer":
    """List the registered measures, whose values are stored.

    families: List the families to register instead.
    systems: List the measures of other systems instead.

    ndcg-sql measures list --families
    """
    if families and systems:
        raise refusal("{families} and {systems}", "one list at a time")
    from ndcg_sql.reports import contents as stored

    if families or systems:
        return stored.known_measures(warehouse.scratch, of_systems=systems)
    return stored.measures(warehouse.read)


def gains(warehouse: Handle) -> "Answer":
    """List the named gain schemes; linear, exp and binary are built in.

    ndcg-sql gains list
    """
    from ndcg_sql.reports import contents as stored

    return stored.gains(warehouse.read)


def schema(
    warehouse: Handle,
    view: Annotated[str | None, Option(names="relations", is_argument=True)] = None,
) -> "Answer":
    """Print the public relations and what their columns mean.

    view [VIEW]: Name of one relation; all if omitted.

    ndcg-sql schema query_values
    """
    from ndcg_sql.reports import contents as stored

    return stored.schema(warehouse.scratch, view)


def check(warehouse: Handle) -> "Answer":
    """Read all stored data, and verify that it is consistent.

    ndcg-sql check
    """
    from ndcg_sql.reports import integrity

    # The proofs compute the values of all runs and measures at once.
    return integrity.check(warehouse.of(warehouse.unbounded))


def eval_(
    warehouse: Handle,
    qrels: Annotated[Path, Option(is_input=True)],
    files: Annotated[tuple[Path, ...], Option(is_input=True)],
    measures: options.Measures = None,
    *,
    like: options.Like = None,
    labels: options.Labels = None,
    position_rule: Annotated[
        options.PositionRule | None,
        Option(word="positions", default="score, or the rule of the system"),
    ] = None,
    columns: options.Columns = None,
    run_column: str | None = None,
    query: str | None = None,
    rows_of: options.RowsOf = None,
    format_in: str | None = None,
    grade: float | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    duplicates: options.Duplicates = "refuse",
    unit: str | None = None,
    unit_before: str | None = None,
    strict: bool = False,
    per_query: options.PerQuery = False,
) -> "Answer":
    """Evaluate runs straight from files; nothing is stored.

    qrels QRELS: Judgment file; - is standard input.
    files RUN...: Run files; - is standard input.

    Reading files:
    position_rule RULE: score (trec_eval 10), score32 (trec_eval 9), given (the file's
        ranks, or its order).
    grade G: Grade of all judgments, if QRELS has none.

    ndcg-sql eval qrels.txt first.run -m 'nDCG@10 AP'
    """
    values = locals()
    from ndcg_sql.loading.options import Options
    from ndcg_sql.reports import one_shot

    options = Options.of(values)
    return one_shot.answer(
        warehouse.of(warehouse.scratch), qrels, files, options, like, per_query
    )


def page_file(
    html: str | Path | None, force: bool, over: str | None = None
) -> Path | None:
    """Return the file of a page; raise NdcgSqlError if it cannot be written.

    There is none of means over replicates.
    """
    if html is None:
        return None
    if over:
        what = "a page shows runs, not means over replicates"
        raise refusal("{html}", what, "omit {over} for a page of every replicate")
    from ndcg_sql.output.figures.drawing import check_installed
    from ndcg_sql.output.writing import check_own

    check_installed()
    check_own(Path(html), "page", force)
    return Path(html)
