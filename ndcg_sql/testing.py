"""What is asked of tests of significance: options, and what holds without them."""

from dataclasses import dataclass
from typing import Any

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import quoted

TESTS = ("randomization", "t", "bootstrap", "wilcoxon")
CORRECTIONS = ("holm", "bonferroni", "bh", "tukey", "none")
_MOST_RESAMPLES = 1_000_000


@dataclass(frozen=True)
class Testing:
    """How differences are tested: which test decides, and what it takes."""

    test: str = "randomization"
    correct: str = "holm"
    alpha: float = 0.05
    resamples: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise NdcgSqlError if a number or a name makes no sense."""
        for option, name, known in (
            ("--test", self.test, TESTS),
            ("--correct", self.correct, CORRECTIONS),
        ):
            if name not in known:
                raise NdcgSqlError(
                    f"{option} {quoted(name)}: not one of {', '.join(known)}"
                )
        if self.correct == "tukey" and self.test != TESTS[0]:
            raise NdcgSqlError(
                f"--correct tukey: a test of its own; leave out --test {self.test}"
            )
        if not 0 < self.alpha < 1:
            raise NdcgSqlError(f"--alpha {self.alpha:g}: not above 0 and below 1")
        if not 100 <= self.resamples <= _MOST_RESAMPLES:
            raise NdcgSqlError(
                f"--resamples {self.resamples}: not from 100 to {_MOST_RESAMPLES}"
            )
        if self.seed < 0:
            raise NdcgSqlError(f"--seed {self.seed}: not 0 or more")

    @classmethod
    def of(cls, **given: Any) -> "Testing":
        """Return what is asked; what is None is left as it is by default."""
        return cls(**{key: value for key, value in given.items() if value is not None})
