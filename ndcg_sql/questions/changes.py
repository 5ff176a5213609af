"""What changes a warehouse, apart from loading."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from ndcg_sql import options
from ndcg_sql.errors import not_with, refusal
from ndcg_sql.options import Option, Scope, several

if TYPE_CHECKING:
    from ndcg_sql.loading.loaded import Fused
    from ndcg_sql.questions.handle import Handle

Named = Annotated[str, Option(names="entries")]


def evaluate(
    warehouse: "Handle",
    *,
    runs: options.Runs = None,
    judgments: options.Judgments = None,
    dataset: options.Dataset = None,
) -> None:
    """Evaluate runs whose values are not yet stored.

    ndcg-sql evaluate --run hybrid --judgments judgments
    """
    scope = Scope.of(locals())
    from ndcg_sql.evaluation import question

    question.evaluate_pairs(*warehouse.changing, scope)


def add_measures(
    warehouse: "Handle",
    measures: Annotated[options.Measured, Option(names="measures")],
    *,
    dataset: options.Dataset = None,
) -> None:
    """Register measures, and store their values for every evaluation.

    With a dataset, they are evaluated for this dataset only; otherwise for every
    dataset whose grades they can use.

    measures MEASURE...: Such as nDCG(dcg='exp-log2')@7.

    ndcg-sql measures add "nDCG(dcg='exp-log2')@7"
    """
    from ndcg_sql.evaluation import registry

    names, database = several(measures), warehouse.made
    registry.add_measures(database, warehouse.messages, names, dataset)


def remove_measures(
    warehouse: "Handle",
    measures: Annotated[options.Measured, Option(names="registered")],
    *,
    dataset: options.Dataset = None,
) -> None:
    """Remove registered measures and their stored values.

    With a dataset, only its registration is removed; registrations for other datasets
    remain.

    measures MEASURE...: Such as nDCG@10.

    ndcg-sql measures remove R@100
    """
    from ndcg_sql.evaluation import registry

    registry.remove_measures(*warehouse.changing, several(measures), dataset)


def add_gains(
    warehouse: "Handle",
    name: str,
    gains: Annotated[Mapping[str, str | float], Option(example="3=1")],
) -> None:
    """Add a gain scheme, for measures such as nDCG(gains='NAME')@10.

    It is the gain of each grade, or of each label of a grade.

    name NAME: Name of the scheme.
    gains GRADE=GAIN...: Such as 3=1 2=0.1, or by label: Exact=1.

    ndcg-sql gains add steep 0=0 1=1 2=10
    """
    from ndcg_sql.evaluation import gains as schemes

    schemes.add(warehouse.made, warehouse.messages, name, gains)


def remove_gains(warehouse: "Handle", name: str) -> None:
    """Remove a gain scheme that no registered measure uses.

    name NAME: Name of the scheme.

    ndcg-sql gains remove cubic
    """
    from ndcg_sql.evaluation import gains

    gains.remove(*warehouse.changing, name)


def tag(
    warehouse: "Handle",
    run: Annotated[str, Option(names="runs")],
    tags: Annotated[
        Mapping[str, str] | None,
        Option(example="model=bm25", is_argument=True, may_be_empty=True),
    ] = None,
    *,
    run_at: str | datetime | None = None,
    dataset: options.Dataset = None,
    dry_run: bool = False,
) -> None:
    """Set tags of runs, or the time when a system produced them.

    A tag that a run already has gets the new value; an empty value removes it.

    run NAME: Name of a run, or a pattern such as 'bm25-*' (quoted).
    tags [KEY=VALUE...]: Such as model=bm25.
    run_at T: Time when the system produced the run, such as 2026-01-31T23:59; empty
        ('') if unknown.

    ndcg-sql tag run hybrid model=v2 branch=main
    ndcg-sql tag run hybrid --run-at 2026-01-31
    """
    if not tags and run_at is None:
        what = "nothing to change; give tags, such as model=bm25, or {run_at}"
        raise refusal("tag", what)
    from ndcg_sql.loading import upkeep

    place = warehouse.read if dry_run else warehouse.changing
    upkeep.tag(*place, run, tags or {}, run_at, dataset, dry_run)


def rename(
    warehouse: "Handle",
    kind: Literal["run", "judgments", "dataset"],
    old: Named,
    new: str,
    *,
    dataset: options.Dataset = None,
) -> None:
    """Rename a run, a judgment set or a dataset.

    The id, the content and the values do not change.

    kind KIND: run, judgments or dataset.
    old NAME: Its name.
    new NEW: Its new name.

    ndcg-sql rename run bm25 bm25-2026-01
    ndcg-sql rename judgments judgments version-1
    ndcg-sql rename dataset demo demo-2026
    """
    if kind == "dataset" and dataset is not None:
        raise refusal("{dataset}", "is renamed itself", "omit it")
    from ndcg_sql.loading import upkeep

    upkeep.rename(*warehouse.changing, kind, old, new, dataset)


def remove(
    warehouse: "Handle",
    kind: Literal["run", "judgments", "assessments"],
    names: Annotated[str | Iterable[str], Option(names="entries")],
    *,
    dataset: options.Dataset = None,
    dry_run: bool = False,
) -> None:
    """Remove runs, judgment sets or assessments, with their values.

    kind KIND: run, judgments or assessments.
    names NAME...: As ndcg-sql list shows them, or patterns such as 'bm25-*' (quoted).
    """
    from ndcg_sql.loading import upkeep

    place = warehouse.read if dry_run else warehouse.changing
    upkeep.remove_named(*place, kind, several(names), dataset, dry_run)


def remove_queries(
    warehouse: "Handle", *, dataset: options.NewDataset = "default"
) -> None:
    """Remove texts, weights and attributes of queries.

    Runs and values stay.

    ndcg-sql remove queries --dataset demo
    """
    from ndcg_sql.loading import described

    described.remove(*warehouse.changing, "queries", dataset)


def remove_documents(
    warehouse: "Handle", *, dataset: options.NewDataset = "default"
) -> None:
    """Remove titles, addresses and attributes of documents.

    Measures that need them then have no values; other values remain.

    ndcg-sql remove documents --dataset demo
    """
    from ndcg_sql.loading import described

    described.remove(*warehouse.changing, "documents", dataset)


def remove_known(
    warehouse: "Handle", *, dataset: options.NewDataset = "default"
) -> None:
    """Remove known documents.

    Measures with known='omit' then have no values.

    ndcg-sql remove known --dataset demo
    """
    from ndcg_sql.loading import described

    described.remove(*warehouse.changing, "known", dataset)


def remove_dataset(
    warehouse: "Handle", name: Annotated[str, Option(names="datasets")]
) -> None:
    """Remove a dataset: its judgments, runs and queries.

    name NAME: Name of the dataset.

    ndcg-sql remove dataset demo
    """
    from ndcg_sql.loading import upkeep

    upkeep.remove_dataset(*warehouse.changing, name)


def fuse(
    warehouse: "Handle",
    runs: Annotated[options.Names, Option(names="runs")],
    name: Annotated[str, Option(is_argument=False)],
    *,
    method: Annotated[str, Option(names="fusion_methods")] = "rrf",
    norm: Annotated[str | None, Option(default="min-max", names="fusion_norms")] = None,
    k: Annotated[int | None, Option(least=0, default="60")] = None,
    weights: Annotated[
        str | Iterable[str | float] | None, Option(word="weights")
    ] = None,
    depth: options.Count = None,
    tune: Annotated[str | None, Option(names="measures")] = None,
    dataset: options.Dataset = None,
    tags: options.Tags = None,
    replace: bool = False,
) -> "Fused":
    """Combine runs into a new one, with one ranking for each query.

    It is stored and evaluated like a run that is loaded; its tags name the method and
    the runs.

    runs RUN...: Names of runs of one dataset, or patterns such as 'bm25-*' (quoted).
    name N: Name of the new run.
    method M: rrf (reciprocal ranks), isr, log_isr or borda, from positions; sum, max,
        min, med, anz, mnz or weighted, from normalised scores.
    norm NORM: How scores are normalised: min-max, max, sum, zmuv, rank, borda or none.
    k K: Constant that rrf adds to positions; larger values give the first positions
        less weight.
    weights W,W...: Weights of the runs for weighted, in their order.
    depth N: Keep the first N documents of each query; all if omitted.
    tune M: Choose the k or the weights with the best mean of this measure, and report
        the mean for held-out queries (five folds). rrf tries k = 0, 1, 2, 5, 10, 20,
        40, 60, 80, 100, 200, 500 and 1000; weighted tries all weights that are tenths
        and add up to 1, of four to six runs fifths, of seven or eight quarters.
    replace: Replace an existing run of this name.

    ndcg-sql fuse bm25 keyword --name fused
    ndcg-sql fuse bm25 keyword --name blend --method weighted --weights 2,1
    """
    if tune is not None and (k is not None or weights):
        raise not_with("tune", "weights" if k is None else "k")
    from ndcg_sql.loading import fusing

    return fusing.fuse(
        *warehouse.changing,
        several(runs),
        name,
        method=method,
        norm=norm,
        k=k,
        weights=several(weights),
        depth=depth,
        tuned_by=tune,
        dataset=dataset,
        tags=tags or {},
        replacing=replace,
    )
