"""What changes a warehouse, apart from loading."""

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from typing import Annotated

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests import choices, shared
from ndcg_sql.requests.fields import Option, frozen, option
from ndcg_sql.requests.loading import Tags
from ndcg_sql.wording import named, use

# What is called by a name.
Kind = Annotated[str, Option("run, judgments or assessments.", "KIND")]
Named = Annotated[str, Option("Its name.", "NAME", names="entries", is_argument=True)]
DryRun = Annotated[
    bool, Option("Only tell what would be done; the warehouse stays as it is.")
]
Scheme = Annotated[str, Option("Name of the scheme.", "NAME", is_argument=True)]


@frozen
class AdjudicateRequest:
    """Make a judgment set from the grades of assessors."""

    name: Annotated[
        str, Option("Name of the new judgment set.", "NAME", is_argument=True)
    ]
    policy: Annotated[
        choices.Policy,
        Option(
            "mean, median, majority (the lowest if tied), max, latest, or trust: the"
            " grade of the first " + named("assessors") + " who judged the document.",
            "P",
        ),
    ]
    assessments: shared.Assessments = ()
    assessors: shared.Assessors = ()
    dataset: shared.Dataset = None
    evaluate: shared.Evaluate = True
    replace: bool = option("Replace an existing set of this name.", value=False)

    def __post_init__(self) -> None:
        shared.check_choice("policy", self.policy, choices.Policy)
        if self.policy == "trust" and not self.assessors:
            raise NdcgSqlError(
                "name the assessors, most trusted first: " + use(assessors=["NAME"]),
                where=use(policy=self.policy),
            )


@frozen
class EvaluateRequest(shared.Request):
    """Evaluate runs where their values are not stored yet."""

    runs: shared.Runs = ()
    judgments: shared.Judgments = None
    dataset: shared.Dataset = None


@frozen
class FuseRequest:
    """Make a run of runs: their rankings become one for each query.

    It is stored and evaluated like a run that is loaded; its tags name the method and
    the runs.
    """

    runs: Annotated[
        tuple[str, ...],
        Option(
            "Names of runs of one dataset, or patterns such as 'bm25-*' (quoted).",
            "RUN...",
            names="runs",
            is_argument=True,
        ),
    ]
    name: Annotated[str, Option("Name of the new run.", "N")]
    method: str = option(
        "rrf (reciprocal ranks), isr, log_isr or borda, of positions; sum, max,"
        " min, med, anz, mnz or weighted, of normalised scores.",
        "M",
        value="rrf",
        names="fusion_methods",
    )
    norm: str | None = option(
        "How scores are normalised: min-max, max, sum, zmuv, rank, borda or none.",
        "NORM",
        default="min-max",
        names="fusion_norms",
    )
    k: int | None = option(
        "What rrf adds to positions; the larger, the less the first places count.",
        "K",
        least=0,
        default="60",
    )
    weights: tuple[str, ...] = option(
        "Weights of the runs for weighted, in their order.", "W,W...", value=()
    )
    depth: int | None = option(
        "Keep the first N documents of each query; all if omitted.", "N", least=1
    )
    tune: str | None = option(
        "Choose k, or weights, by the best mean of this measure, and report the mean"
        " for queries held out: those of each of five folds, once. rrf tries k = 0, 1,"
        " 2, 5, 10, 20, 40, 60, 80, 100, 200, 500 and 1000; weighted tries all weights"
        " that are tenths and add up to 1, of four to six runs fifths, of seven or"
        " eight quarters.",
        "M",
        names="measures",
    )
    dataset: shared.Dataset = None
    tags: Tags = field(default_factory=dict[str, str])
    replace: bool = option("Replace an existing run of this name.", value=False)

    def __post_init__(self) -> None:
        chosen = {"k": self.k is not None, "weights": bool(self.weights)}
        for name, is_chosen in chosen.items():
            if self.tune is not None and is_chosen:
                raise shared.not_with("tune", name)


@frozen
class AddMeasuresRequest:
    """Register measures, and store their values for every evaluation.

    With a dataset, they are evaluated for this dataset only; otherwise for every
    dataset whose grades they can use.
    """

    measures: Annotated[
        tuple[str, ...],
        Option(
            "Such as nDCG(dcg='exp-log2')@7.",
            "MEASURE...",
            names="measures",
            is_argument=True,
        ),
    ]
    dataset: shared.Dataset = None


@frozen
class RemoveMeasuresRequest:
    """Remove registered measures and their stored values.

    With a dataset, measures that are registered for this dataset alone stay
    registered for their other datasets.
    """

    measures: Annotated[
        tuple[str, ...],
        Option("Such as nDCG@10.", "MEASURE...", names="registered", is_argument=True),
    ]
    dataset: shared.Dataset = None


@frozen
class AddGainsRequest:
    """Add a gain scheme, for measures such as nDCG(gains='NAME')@10."""

    name: Scheme
    gains: Annotated[
        Mapping[str, str | float],
        Option(
            "Such as 3=1 2=0.1, or by label: Exact=1.",
            "GRADE=GAIN...",
            example="3=1",
            is_argument=True,
        ),
    ]


@frozen
class RemoveGainsRequest:
    """Remove a gain scheme that no registered measure uses."""

    name: Scheme


@frozen
class TagRequest:
    """Give runs tags, or the time when a system produced them.

    A tag that a run already has gets the new value; KEY= without a value removes it.
    """

    run: Annotated[
        str,
        Option(
            "Name of a run, or a pattern such as 'bm25-*' (quoted).",
            "NAME",
            names="runs",
            is_argument=True,
        ),
    ]
    tags: Mapping[str, str] = option(
        "Such as model=bm25.",
        "[KEY=VALUE...]",
        example="model=bm25",
        is_argument=True,
        may_be_empty=True,
        value={},
    )
    run_at: str | datetime | None = option(
        "When the system produced it, such as 2026-01-31T23:59; empty ('') if"
        " nobody knows.",
        "T",
    )
    dataset: shared.Dataset = None
    dry_run: DryRun = False

    def __post_init__(self) -> None:
        if not self.tags and self.run_at is None:
            what = "nothing to change; give tags, such as model=bm25, or "
            raise NdcgSqlError("tag: " + (what + named("run_at")))


@frozen
class RenameRequest:
    """Rename a run, a judgment set or a dataset; contents and values stay."""

    kind: Annotated[str, Option("run, judgments or dataset.", "KIND")]
    old: Named
    new: Annotated[str, Option("Its new name.", "NEW", is_argument=True)]
    dataset: shared.Dataset = None

    def __post_init__(self) -> None:
        shared.check_choice("kind", self.kind, choices.Renamed)
        if self.kind == "dataset" and self.dataset is not None:
            raise NdcgSqlError("is renamed itself", "omit it", where=named("dataset"))


@frozen
class RemoveRequest:
    """Remove runs, judgment sets or assessments, with their values."""

    kind: Kind
    names: Annotated[
        tuple[str, ...],
        Option(
            "As ndcg-sql list shows them, or patterns such as 'bm25-*' (quoted).",
            "NAME...",
            names="entries",
            is_argument=True,
        ),
    ]
    dataset: shared.Dataset = None
    dry_run: DryRun = False

    def __post_init__(self) -> None:
        shared.check_choice("kind", self.kind, choices.Removed)


@frozen
class RemoveQueriesRequest:
    """Remove texts, weights and attributes of queries.

    Runs and values stay.
    """

    dataset: shared.NewDataset = "default"


@frozen
class RemoveDocumentsRequest:
    """Remove what was loaded of documents; values stay."""

    dataset: shared.NewDataset = "default"


@frozen
class RemoveKnownRequest:
    """Remove what queries know already.

    Measures that take known documents out then have no values.
    """

    dataset: shared.NewDataset = "default"


@frozen
class RemoveDatasetRequest:
    """Remove a dataset: its judgments, runs and queries."""

    name: Annotated[
        str,
        Option("Name of the dataset.", "NAME", names="datasets", is_argument=True),
    ]
