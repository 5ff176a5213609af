"""A measure by its parts, and the registry of formulas that compute it.

FORMULAS has one function for each family; support.formulas registers them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Any, TypeVar

Options = dict[str, Any]
# A cutoff or level, and options: a measure of a family to try.
Try = tuple[float | None, Options]


@dataclass(frozen=True)
class Query:
    """What a formula reads: the parameters of a measure, grades, and a ranking."""

    k: float | None
    options: Options
    grades: dict[str, float]
    ranking: list[str]

    @property
    def cutoff(self) -> int | None:
        """The number of documents from the top; None for all."""
        return None if self.k is None else int(self.k)

    @property
    def top(self) -> list[str]:
        """The documents within the cutoff."""
        return self.ranking[: self.cutoff]

    @property
    def length(self) -> float:
        """The cutoff, or the length of the ranking."""
        return self.k or len(self.ranking)

    @cached_property
    def relevant(self) -> set[str]:
        """The relevant documents, returned or not."""
        rel = self.options.get("rel", 1)
        return {d for d, g in self.grades.items() if g >= 0 and g >= rel}

    @cached_property
    def hits(self) -> list[int]:
        """The positions of the relevant documents within the cutoff."""
        return [i for i, d in enumerate(self.top, start=1) if d in self.relevant]

    def is_judged(self, document: str) -> bool:
        """Tell whether a document has a grade; a negative one is none."""
        return self.grades.get(document, -1) >= 0

    def gain(self, grade: float) -> float:
        """Return what a grade is worth; a negative one stands for no judgment."""
        scheme = self.options.get("gains", "linear")
        if self.options.get("dcg", "").startswith("exp"):
            scheme = "exp"
        rel = self.options.get("rel", 1 if scheme == "binary" else 0)
        if grade < 0 or grade < rel:
            return 0
        if isinstance(scheme, dict):
            return scheme.get(grade, grade)  # pyright: ignore
        return {"linear": grade, "binary": 1, "exp": 2**grade - 1}[scheme]

    @cached_property
    def gains(self) -> list[float]:
        """The gains of the documents within the cutoff."""
        return [self.gain(self.grades.get(d, -1)) for d in self.top]

    @cached_property
    def best(self) -> list[float]:
        """The gains of the ideal ranking; none where it gains nothing."""
        ideal, k = self.options.get("ideal", "judged"), self.cutoff
        reach = {"retrieved": self.ranking, "topk": self.top}
        documents = [d for d in reach.get(ideal, [*self.grades]) if d in self.grades]
        best = sorted((self.gain(self.grades[d]) for d in documents), reverse=True)
        best = [gain for gain in best if gain > 0]
        if ideal == "returned":
            best = best[: len(self.ranking)]
        return best if ideal == "uncut" else best[:k]

    def discounted(self, gains: Sequence[float]) -> float:
        """Add gains, each divided by the discount of its position."""
        base, places = self.options.get("base", 2), range(1, len(gains) + 1)
        if "jk" in self.options.get("dcg", ""):
            discounts = [log(i, base) if i >= base else 1 for i in places]
        else:
            discounts = [log(i + 1, base) for i in places]
        return sum(g / discount for g, discount in zip(gains, discounts, strict=True))


@dataclass(frozen=True)
class Formula:
    """How to compute the values of a family, and what to try it with.

    compute returns None where nothing is relevant. A family is alone if no
    program that can be installed computes it.
    """

    compute: Callable[[Query], float | None]
    tried: Sequence[Try]
    alone: bool


FORMULAS: dict[str, Formula] = {}
F = TypeVar("F", bound=Callable[[Query], float | None])


def formula(
    family: str, tried: Sequence[Try], alone: bool = False, graded: bool = False
) -> Callable[[F], F]:
    """Register a function as the formula of a family.

    The function sees only queries with a relevant document, unless it is graded:
    then it returns None itself when nothing is relevant.
    """

    def register(compute: F) -> F:
        def value(query: Query) -> float | None:
            return compute(query) if graded or query.relevant else None

        FORMULAS[family] = Formula(value, tried, alone)
        return compute

    return register


@dataclass(frozen=True)
class Variant:
    """A measure by its parts, to be named for SQL and to be computed here."""

    family: str
    k: float | None
    options: Options

    @property
    def name(self) -> str:
        """The measure as a user writes it."""
        shown = [f"{key}={value!r}" for key, value in self.options.items()]
        brackets = f"({','.join(shown)})" if shown else ""
        return self.family + brackets + (f"@{self.k}" if self.k is not None else "")

    @property
    def cutoff(self) -> int | None:
        """The number of documents from the top; None for all."""
        return None if self.k is None else int(self.k)

    def value(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute the value of a query as the definitions say."""
        if not ranking and self.options.get("missing") == "omit":
            return None
        if not ranking and self.family == "utility":
            return 0
        value = self.plain(grades, self.listed(grades, ranking))
        no_rel = self.options.get("no_rel", 0)
        return value if value is not None else None if no_rel == "omit" else no_rel

    def listed(self, grades: dict[str, float], ranking: list[str]) -> list[str]:
        """Return the documents that the measure looks at."""
        if not self.options.get("judged_only"):
            return ranking
        return [document for document in ranking if grades.get(document, -1) >= 0]

    def plain(self, grades: dict[str, float], ranking: list[str]) -> float | None:
        """Compute the value before its options; None when nothing is relevant."""
        query = Query(self.k, self.options, grades, ranking)
        return FORMULAS[self.family].compute(query)
