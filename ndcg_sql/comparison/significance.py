"""The statistics of a comparison, and the options for them.

STATISTICS is the one table of them: options, columns, computations and tables
for people follow from it.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from inspect import signature
from typing import TYPE_CHECKING, Any

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests import choices
from ndcg_sql.requests.shared import check_choice
from ndcg_sql.wording import use

if TYPE_CHECKING:
    from ndcg_sql.comparison.statistics import Differences

Values = dict[str, Any]
_DOUBLE, _TEXT = "double", "varchar"


@dataclass(frozen=True)
class Statistic:
    """A row of the table: a statistic of the differences of two runs.

    columns are its results, with their types in SQL; function is the one of
    ndcg_sql.comparison.statistics that computes them, in their order, from the
    differences and from the options of Testing that it has as parameters. heading is
    that of its column in a table for people, if it has one, which a page shows only
    if is_on_page. A statistic with a test can decide whether a difference is
    significant, by its column p_<test>.
    """

    columns: Mapping[str, str]
    function: str
    heading: str | None = None
    is_on_page: bool = False
    test: str | None = None
    # Whether it is computed only if its test decides.
    if_deciding: bool = False

    def compute(self, differences: "Differences", testing: "Testing") -> Values:
        """Return the columns, none if they are undefined."""
        # Imported when they are needed: numpy and scipy load slowly.
        module = import_module("ndcg_sql.comparison.statistics")
        function: Callable[..., Any] = getattr(module, self.function)
        options = {field.name for field in fields(testing)}
        taken = options & signature(function).parameters.keys()
        chosen = {name: getattr(testing, name) for name in taken}
        result = function(differences, **chosen)
        if result is None:
            return {}
        if len(self.columns) == 1:
            return dict.fromkeys(self.columns, result)
        return dict(zip(self.columns, result, strict=True))


@dataclass(frozen=True)
class Testing:
    """How differences are tested: the test that decides, and its options."""

    test: str = "randomization"
    correct: str = "holm"
    alpha: float = 0.05
    resamples: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        check_choice("test", self.test, choices.Test)
        check_choice("correct", self.correct, choices.Correction)
        if self.correct == "tukey" and self.test != type(self).test:
            raise NdcgSqlError(
                "is a test of its own",
                "omit " + use(test=self.test),
                where=use(correct=self.correct),
            )
        if not 0 < self.alpha < 1:
            where = use(alpha=self.alpha)
            raise NdcgSqlError("must be above 0 and below 1", where=where)
        if not 100 <= self.resamples <= _MOST_RESAMPLES:
            where = use(resamples=self.resamples)
            raise NdcgSqlError(f"must be from 100 to {_MOST_RESAMPLES}", where=where)
        if self.seed < 0:
            raise NdcgSqlError("must be 0 or more", where=use(seed=self.seed))

    @property
    def confidence(self) -> str:
        """The confidence of intervals, for people, such as 95 %."""
        return f"{100 * (1 - self.alpha):g} %"

    def is_sure(self, p: float | None) -> bool:
        """Return whether a p-value is significant."""
        return p is not None and p < self.alpha

    @classmethod
    def of(cls, request: object, **chosen: Any) -> "Testing":
        """Return the testing that a request asks for; what is None has its default."""
        names = [field.name for field in fields(cls)]
        values = {name: getattr(request, name, None) for name in names} | chosen
        return cls(**{name: v for name, v in values.items() if v is not None})


# The first test decides unless asked otherwise.
_TESTED = (
    Statistic({"ci_low": _DOUBLE, "ci_high": _DOUBLE}, "interval"),
    Statistic({"p_t": _DOUBLE}, "t_test", "p t", is_on_page=True, test="t"),
    Statistic(
        {"p_randomization": _DOUBLE, "randomization": _TEXT},
        "randomization",
        heading="p randomization",
        is_on_page=True,
        test="randomization",
    ),
    Statistic(
        {
            "p_bootstrap": _DOUBLE,
            "bootstrap_low": _DOUBLE,
            "bootstrap_high": _DOUBLE,
            "bootstrap": _TEXT,
        },
        "bootstrap",
        heading="p bootstrap",
        test="bootstrap",
    ),
    Statistic(
        {"p_wilcoxon": _DOUBLE},
        "wilcoxon",
        heading="p wilcoxon",
        test="wilcoxon",
        if_deciding=True,
    ),
)
_SIZES = (
    Statistic({"effect_size": _DOUBLE}, "effect_size", "effect", is_on_page=True),
    Statistic({"detectable_difference": _DOUBLE}, "detectable", heading="detectable"),
)
STATISTICS = (*_TESTED, *_SIZES)


def _columns(statistics: Iterable[Statistic]) -> dict[str, str]:
    return {name: kind for one in statistics for name, kind in one.columns.items()}


# After the tests comes the p of the deciding test, corrected for several
# comparisons. The last column says why a statistic is missing.
COLUMNS = {
    **_columns(_TESTED),
    "p_adjusted": _DOUBLE,
    **_columns(_SIZES),
    "note": _TEXT,
}
_MOST_RESAMPLES = 1_000_000


def computed(differences: "Differences", testing: Testing) -> Values:
    """Return every statistic of differences, except those that are undefined."""
    if differences.n == 0:
        return {"note": differences.missing}
    values: Values = {"note": differences.missing}
    for statistic in STATISTICS:
        if not statistic.if_deciding or statistic.test == testing.test:
            values |= statistic.compute(differences, testing)
    return values


def p_value(differences: "Differences", testing: Testing) -> float | None:
    """Return the p-value of the test that decides, or None if it is undefined."""
    decides = next(one for one in STATISTICS if one.test == testing.test)
    return decides.compute(differences, testing).get(f"p_{testing.test}")
