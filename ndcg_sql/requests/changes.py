"""What makes a run of runs."""

from dataclasses import field
from typing import Annotated

from ndcg_sql.requests import shared
from ndcg_sql.requests.fields import Option, frozen, option
from ndcg_sql.requests.loading import Tags


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
