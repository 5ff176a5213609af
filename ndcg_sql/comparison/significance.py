"""How differences are tested, the columns of the results, and the verdict of a gate.

Apart from the statistics, whose imports would take a tenth of the time of a short
command.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ndcg_sql.comparison.answers import Part, Record
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.wording import use

# The results of tests, with their types in SQL. p_adjusted is the p of the deciding
# test, corrected for several comparisons; note says why a statistic is missing.
STATISTICS = {
    **dict.fromkeys(("ci_low", "ci_high", "p_t", "p_randomization"), "double"),
    "randomization": "varchar",
    **dict.fromkeys(("p_bootstrap", "bootstrap_low", "bootstrap_high"), "double"),
    "bootstrap": "varchar",
    **dict.fromkeys(("p_wilcoxon", "p_adjusted"), "double"),
    "effect_size": "double",
    "detectable_difference": "double",
    "note": "varchar",
}
# A pass of a gate that more queries might not confirm, and what too few leave open.
NOT_PROVEN = "pass (not proven)"
OPEN = "underpowered"


@dataclass(frozen=True)
class Testing:
    """How differences are tested: the test that decides, and its options."""

    test: str = "randomization"
    correct: str = "holm"
    alpha: float = 0.05
    resamples: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.correct == "tukey" and self.test != type(self).test:
            raise NdcgSqlError(
                "is a test of its own",
                "omit " + use(test=self.test),
                where=use(correct=self.correct),
            )

    @property
    def confidence(self) -> str:
        """The confidence of intervals, for people, such as 95 %."""
        return f"{100 * (1 - self.alpha):g} %"

    def is_sure(self, p: float | None) -> bool:
        """Return whether a p-value is significant."""
        return p is not None and p < self.alpha

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "Testing":
        """Return the testing among parameters; what is None has its default."""
        names = [name for name in cls.__annotations__ if values.get(name) is not None]
        return cls(**{name: values[name] for name in names})


@dataclass(frozen=True)
class Verdict:
    """The outcome of every rule of a gate, and the greatest losses where one failed.

    The losses are grouped by measure and part: the slice that a rule is about. covers
    says what means over replicates cover, if values are such.
    """

    rows: list[Record]
    losses: dict[tuple[str, Part], list[Record]]
    covers: list[str]

    @property
    def failed(self) -> list[Record]:
        """The rules that make the gate fail."""
        return [row for row in self.rows if row["fails"]]

    @property
    def let_through(self) -> list[Record]:
        """The rules that pass although the drop exceeds the tolerance."""
        return [row for row in self.rows if row["exceeded"] and not row["fails"]]

    @property
    def outcome(self) -> str:
        """The verdict in one word."""
        if self.failed:
            return "fail"
        return OPEN if self.let_through else "pass"

    @property
    def message(self) -> str:
        """The verdict in one line."""
        failed, rules = self.failed, f" of {len(self.rows)} rules"
        if failed:
            by_strict = sum(row["by_strict"] for row in failed)
            alone = f", {by_strict} only because it is strict" if by_strict else ""
            return f"gate failed: {len(failed)}{rules}{alone}"
        message, between = "gate passed", "; "
        for words, outcome in (("not proven", NOT_PROVEN), (OPEN, OPEN)):
            if count := [row["outcome"] for row in self.rows].count(outcome):
                message += f"{between}{count}{rules} {words}"
                between, rules = ", ", ""
        larger = len(self.let_through)
        return message + f", {larger} with a drop above the tolerance" * bool(larger)
