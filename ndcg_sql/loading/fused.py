"""What fusing made, and how it was tuned, as values."""

from dataclasses import dataclass

# A k of rrf, or the weights of the runs.
Setting = int | tuple[float, ...]


@dataclass(frozen=True)
class Tuned:
    """How k of rrf, or the weights of a fused run, were chosen.

    value is the mean of the measure for the n queries that they were chosen on, the
    highest of as many as were tried; it flatters. held_out_value is the mean for the
    held_out_n queries, each by what was chosen on the other folds (folds has what each
    of them got: a k, or weights).
    """

    measure: str
    tried: int
    value: float
    n: int
    held_out_value: float
    held_out_n: int
    folds: tuple[Setting, ...]


@dataclass(frozen=True, repr=False)
class Fused:
    """The run that Warehouse.fuse made; printed, what the command line says of it.

    k and weights are None where the method has none, and tuned where they were not
    chosen.
    """

    dataset: str
    name: str
    method: str
    norm: str | None
    k: int | None
    weights: tuple[float, ...] | None
    tuned: Tuned | None
    text: str = ""
    warnings: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text
