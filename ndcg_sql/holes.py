"""What nobody judged: what it could change, and pools of it to be judged."""

import shlex
from collections.abc import Callable, Generator, Iterable
from contextlib import ExitStack, contextmanager
from dataclasses import replace

from ndcg_sql import progress, reports
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.families import Value
from ndcg_sql.measures import Measure, distinct, parse
from ndcg_sql.text import counted, listed, quoted
from ndcg_sql.valuing import MANY, Pair, valued
from ndcg_sql.warehouse import Warehouse

Tell = Callable[[str], None]
# As deep as reports tell judged@k where a measure has no cutoff.
DEPTH = 10
# What bounds are made of, and read more than once for.
_PARTS = ("value_parts", "gap_sums")
FORMATS = ("csv", "tsv", "json", "jsonl", "parquet")


@contextmanager
def holes(
    warehouse: Warehouse,
    tell: Tell,
    measures: list[str],
    runs: list[str],
    *,
    judgments: str | None,
    dataset: str | None,
    depth: int | None,
) -> Generator[None]:
    """Put what runs show but nobody judged into the table OUTPUT.

    What could change the measure most comes first. Without a depth, it is the
    measure's cutoff, or 10. Raises NdcgSqlError where a name is not known, or
    where it cannot be told what a document would change.
    """
    chosen = reports.choose_measures(warehouse, measures)
    if measures and len(chosen) > 1:
        raise NdcgSqlError(
            f"holes are ranked by one measure, but these are {len(chosen)}; name one"
        )
    _, pairs = reports.choose_pairs(warehouse, tell, runs, judgments, dataset)
    measure = _fillable(warehouse, chosen, pairs)
    deep = _checked(depth) or measure.cutoff or DEPTH
    set_ids = sorted({set_id for _, set_id in pairs})
    unjudged = sum(
        _unjudged(warehouse, [run for run, own in pairs if own == set_id], set_id)
        for set_id in set_ids
    )
    if unjudged:
        tell(
            f"{counted(unjudged, 'query', 'queries')} that nobody judged at all:"
            " left out"
        )
    reach = max(deep, measure.cutoff) if measure.cutoff else None
    parameters = {"measure": measure.name, "depth": deep, "reach": reach}
    # Further down, a document moves a run as if it did not return it.
    reach = "where $reach is null or position <= $reach"
    with warehouse.shadow(["value_parts", "hole_values"]):
        for batch in _batches(warehouse, pairs):
            with valued(warehouse, [measure], batch, alone=True):
                warehouse.bring("value_parts")
                warehouse.bring("hole_values", reach, parameters)
        with reports.output(warehouse, "reports/holes", parameters):
            rows = warehouse.execute(f"select count(*) from {reports.OUTPUT}")[0][0]
            tell(
                f"{counted(rows, 'document')} among the first {deep} of"
                f" {counted(len(pairs), 'run')}, ranked by {measure.name}"
            )
            yield


def _batches(warehouse: Warehouse, pairs: list[Pair]) -> Iterable[list[Pair]]:
    """Return pairs as many at a time as go without much memory."""
    sizes = "select judgment_set_id, query_count from judgment_sets"
    queries = dict(warehouse.execute(sizes))  # type: ignore[arg-type]
    batches: list[list[Pair]] = []
    room = 0
    for pair in pairs:
        if queries[pair[1]] > room:
            batches.append([])
            room = MANY
        batches[-1].append(pair)
        room -= queries[pair[1]]
    return progress.each(batches, "filling holes", "batches")


def _fillable(
    warehouse: Warehouse, measures: list[Measure], pairs: list[Pair]
) -> Measure:
    """Return the first measure of which it is known what one more judgment does."""
    known = _boundable(warehouse, measures, pairs)
    if known:
        return known[0]
    names = listed(measure.name for measure in measures)
    raise NdcgSqlError(
        f"{names}: what one more judgment would change is known for plain nDCG, DCG,"
        " nCG, CG, AP, RR, P, R, Success and RBP; name one: -m nDCG@10"
    )


def _boundable(
    warehouse: Warehouse, measures: list[Measure], pairs: list[Pair]
) -> list[Measure]:
    """Return the measures of which it is known what more judgments can do.

    It has to be known for each of the judgment sets.
    """
    with valued(warehouse, measures, [], with_values=False):
        rows = warehouse.execute("select judgment_set_id, measure from best_gains")
    known = set(rows)
    return [
        measure
        for measure in measures
        if all((set_id, measure.name) in known for _, set_id in pairs)
    ]


def _unjudged(warehouse: Warehouse, run_ids: list[int], set_id: int | None) -> int:
    """Return how many queries runs of a set's dataset answered that it lacks."""
    ids = {"run_ids": run_ids, "judgment_set_id": set_id}
    return warehouse.run("reports/unjudged_queries", ids)[0][0]


def _checked(depth: int | None) -> int | None:
    """Return a depth; raise NdcgSqlError if there is nothing so deep."""
    if depth is not None and depth < 1:
        raise NdcgSqlError(f"--depth {depth}: not a number of 1 or more")
    return depth


@contextmanager
def pool(
    warehouse: Warehouse,
    tell: Tell,
    runs: list[str],
    *,
    judgments: str | None,
    dataset: str | None,
    depth: int,
    seed: int,
    all_queries: bool,
) -> Generator[None]:
    """Put what is to be judged into the table OUTPUT: a pool to a depth.

    Documents that are judged already are left out, and so are queries that
    nobody judged, unless all are wanted or nothing is judged yet. The order
    tells nothing and depends on the seed alone. Raises NdcgSqlError where a
    name is not known or runs are of several datasets.
    """
    _checked(depth)
    found = reports.choose_runs(warehouse, runs, dataset)
    datasets = list(dict.fromkeys(run.dataset for run in found))
    if len(datasets) > 1:
        raise NdcgSqlError(
            f"the runs are of several datasets; say which: --dataset, one of"
            f" {listed(datasets)}"
        )
    run_ids = [run.id for run in found]
    known = [s for s in reports.judgment_sets(warehouse) if s.dataset == datasets[0]]
    base: Pair | None = None
    if known or judgments:
        base = reports.pairs(warehouse, found, judgments)[0]
    set_id = base[1] if base else None
    parameters = {
        "run_ids": run_ids,
        "judgment_set_id": set_id,
        "dataset": datasets[0],
        "depth": depth,
        "seed": str(seed),
        "with_unjudged": all_queries or base is None,
    }
    with reports.output(warehouse, "reports/pool", parameters):
        counts = f"select count(distinct query_id), count(*) from {reports.OUTPUT}"
        queries, documents = warehouse.execute(counts)[0]
        told = (
            f"pooled {counted(documents, 'document')} of"
            f" {counted(queries, 'query', 'queries')}: the first {depth} of"
            f" {counted(len(found), 'run')}"
        )
        names = {entry.id: entry.name for entry in known}
        if set_id is not None:
            told += f", without what {quoted(names[set_id])} judges"
        tell(told)
        unjudged = (
            0 if parameters["with_unjudged"] else _unjudged(warehouse, run_ids, set_id)
        )
        if unjudged:
            tell(
                f"{counted(unjudged, 'query', 'queries')} that nobody judged at all:"
                " left out; --all-queries takes them in"
            )
        if set_id is not None and documents:
            options = f"--base {shlex.quote(names[set_id])}"
            if datasets[0] != "default":
                options += f" --dataset {shlex.quote(datasets[0])}"
            tell(
                f"when every grade is filled in: ndcg-sql load judgments FILE {options}"
            )
        yield


@contextmanager
def bounds(
    warehouse: Warehouse,
    tell: Tell,
    measures: list[str],
    runs: list[str],
    *,
    judgments: str | None,
    dataset: str | None,
    per_query: bool,
) -> Generator[None]:
    """Put values and how far they can be trusted into the table OUTPUT.

    Beside each value stand the lowest and the highest that it could have if
    all were judged that the runs returned, its value for the lists without what
    nobody judged, and Bpref. Tells for which measures no bounds are known.
    """
    chosen = reports.choose_measures(warehouse, measures)
    _, pairs = reports.choose_pairs(warehouse, tell, runs, judgments, dataset)
    condensed = [_beside(measure, judged_only=True) for measure in chosen]
    bprefs = [_bpref(measure) for measure in chosen]
    beside = [other for other in (*condensed, *bprefs) if other]
    parameters = {
        "run_ids": [run_id for run_id, _ in pairs],
        "judgment_set_ids": sorted({set_id for _, set_id in pairs}),
        "measures": [measure.name for measure in chosen],
        "condensed": [other.name if other else None for other in condensed],
        "bprefs": [other.name for other in bprefs],
    }
    known = _boundable(warehouse, chosen, pairs)
    unknown = [measure.name for measure in chosen if measure not in known]
    if unknown:
        tell(f"no bounds are known of {', '.join(unknown)}")
    file = "reports/bounds_queries" if per_query else "reports/bounds"
    with (
        _bounded(warehouse, known, pairs),
        valued(warehouse, distinct([*chosen, *beside]), pairs),
        reports.output(warehouse, file, parameters),
    ):
        yield


@contextmanager
def _bounded(
    warehouse: Warehouse, measures: list[Measure], pairs: list[Pair]
) -> Generator[None]:
    """See to it that inside, value_bounds has these measures and pairs alone."""
    with ExitStack() as kept:
        # DuckDB plans the view sooner where these are tables.
        with warehouse.shadow(_PARTS):
            kept.enter_context(warehouse.shadow(["value_bounds"]))
        for batch in _batches(warehouse, pairs) if measures else ():
            with (
                valued(warehouse, measures, batch, alone=True),
                warehouse.shadow(_PARTS),
            ):
                for view in (*_PARTS, "value_bounds"):
                    warehouse.bring(view)
        yield


def _beside(measure: Measure, **parameters: Value) -> Measure | None:
    """Return a measure with other parameters, or None where it cannot have them."""
    changed = replace(measure, parameters={**measure.parameters, **parameters})
    try:
        return parse(changed.name)[0]
    except NdcgSqlError:
        return None


def _bpref(measure: Measure) -> Measure:
    """Return the Bpref that calls the same documents relevant as a measure does."""
    bpref = parse("Bpref")[0]
    rel = measure.parameters.get("rel")
    return bpref if rel is None else _beside(bpref, rel=rel) or bpref
