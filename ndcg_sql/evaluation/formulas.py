"""The formulas of sql/measures.csv on arrays, which take less than planning SQL does.

Null is NaN. A formula that says more than is known here is left to SQL. Terms are added
in the order of positions, values in that of query ids, and numpy computes no powers or
logarithms, so that all is the same to the last bit.
"""
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false

import re
from collections.abc import Iterator, Mapping
from functools import cache, partial
from math import exp, log
from types import CodeType
from typing import Any, NamedTuple

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation import shares
from ndcg_sql.evaluation.measuring import Measuring
from ndcg_sql.evaluation.shares import best, numbered, sums
from ndcg_sql.reading.clean.arrays import Flags, Numbers, np

# How Python spells what formulas say. DuckDB adds whole numbers and decimals exactly.
_SPELLED = {
    r"case norm .* else (\w+) end": r"\1",
    r"\bif\(": "where(",
    r" = ": " == ",
    r"\b(\w+) is null": r"isnull(\1)",
    r"\bnull\b": "None",
    r"\((\w+ - 1 \+ 0\.0000\d)\)": r"round(\1, 5)",
}
_FUNCTIONS: dict[str, Any] = {
    "where": lambda test, x, y: np.where(test, x, np.nan if y is None else y),
    "coalesce": lambda x, y: y if x is None else np.where(np.isnan(x), y, x),
    "isnull": lambda x: x is None or np.isnan(x),
    "nullif": lambda x, y: np.where(x == y, np.nan, x),
    "ln": lambda x: shares.mapped(log, x),
    "log2": shares.log2s,
    "nan": np.nan,
    "power": lambda x, n: shares.mapped(partial(pow, float(x)), n),
    **{"least": np.fmin, "greatest": np.fmax, "floor": np.floor, "round": np.round},
}
# What formulas may name beside functions and the parameters of measures.
_NAMES = {
    *("gain", "discount", "position", "found", "judged", "pooled", "listed", "shown"),
    *("retrieved", "relevant", "not_relevant", "best_gain", "total", "ideal_total"),
    *("best", "None"),
}
# What the settings of measures must be (see the view settings).
_TAKEN: Mapping[str, tuple[Any, ...]] = {
    **{"known": ("keep",), "reads": ("judgments",), "tie_rule": (None,)},
    **{"norm": (None,), "ideal": (None, "judged"), "discount_kind": ("log2",)},
    **{"base": (2,), "relation": (None, "running_shares", "eleven_points")},
    **{"judged_only": (False,), "has_own_ideal": (False,)},
}
_WORD = re.compile(r"[A-Za-z_]\w*")


def _spelled(formula: str) -> str:
    for pattern, python in _SPELLED.items():
        formula = re.sub(pattern, python, formula)
    return formula


@cache
def _code(formula: str) -> CodeType:
    return compile(_spelled(formula) or "nan", formula, "eval")


def _is_taken(measure: Mapping[str, Any]) -> bool:
    """Return whether arrays of hits have all that a measure reads.

    Its formulas must not name anything that only SQL knows.
    """
    words = _WORD.findall(_spelled(f"{measure['term']} {measure['value']}"))
    is_usual = all(measure[name] in words for name, words in _TAKEN.items())
    is_usual &= measure["gain_scheme"] != "satisfaction"
    return is_usual and {*_FUNCTIONS, *_NAMES, *measure} >= {*words}


class JudgedRows(NamedTuple):
    """The number of judged queries, and of each judgment its query and grade.

    Queries are numbered from 0, in the order of their ids.
    """

    queries: int
    query: Numbers
    grade: Any


class Returned(NamedTuple):
    """Judged documents of a run, and how many documents it returned for each query.

    grade is the place of a document's grade in Formulas.grades.
    """

    query: Numbers
    position: Numbers
    grade: Numbers
    listed: Any


class Values(NamedTuple):
    """The values of a measure for queries, and the sums of terms; NaN for null."""

    name: str
    value: Any
    total: Any
    nothing_relevant: Flags


class Formulas:
    """What measures need of judgments, and the values of runs with these."""

    def __init__(
        self,
        database: Database,
        measures: Mapping[str, str],
        judged: JudgedRows,
        conditions: Mapping[str, str],
    ) -> None:
        """Take the families of measures by name, and judgments.

        conditions are those on the rows of tables that have the judgments.
        """
        families = {row["family"]: row for row in sql_files.rows("measures")}
        measuring = Measuring(database, measures)
        rows = database.records(measuring.select("graded_settings", conditions))
        settings: dict[str, dict[str, Any]]
        settings = {m["measure"]: {**families[m["family"]], **m} for m in rows}
        self._measures = [settings[name] for name in measures if name in settings]
        self._taken = {m["measure"]: m for m in self._measures if _is_taken(m)}
        # Those that are left to SQL, with their families.
        self.others = {
            k: family for k, family in measures.items() if k not in self._taken
        }
        self._queries = judged.queries
        self._gains: dict[int, Any] = {}
        self._counts: dict[int, dict[str, Any]] = {}
        self._ideal_lists: dict[int, Any] = {}
        self.grades, grade_of = np.unique(judged.grade, return_inverse=True)
        query, count = judged.query, judged.queries
        for basis, measure in {m["basis"]: m for m in self._taken.values()}.items():
            graded = measure["grades"] or (), measure["gains_of_grades"] or ()
            worth = dict(zip(*graded, strict=True))
            values = [worth.get(grade, 0.0) for grade in self.grades.tolist()]
            self._gains[basis] = np.array(values)
            gain = self._gains[basis][grade_of]
            self._counts[basis] = {
                "relevant": sums(query, gain > 0, count),
                "not_relevant": sums(query, (judged.grade >= 0) & (gain <= 0), count),
                "best_gain": best(query, gain, count),
            }
            self._ideal_lists[basis] = shares.ideal_list(query, gain)
        self._ideals = {
            name: self._ideal(m) for name, m in self._taken.items() if m["ideal"]
        }
        # Those for which no query has a relevant document.
        self.irrelevant = [m for m in self._taken if self.is_irrelevant(m).all()]

    def _ideal(self, measure: Mapping[str, Any]) -> Any:
        """Return the sums of the terms of ideal lists; NaN for those without any."""
        ideal = self._ideal_lists[measure["basis"]]
        columns = {"query": ideal.query, "position": ideal.position, "gain": ideal.gain}
        columns |= {"found": ideal.position, "discount": ideal.discount}
        return self._sum({**measure, **columns, "depth": measure["ideal_depth"]})[0]

    def values(self, run: Returned) -> Iterator[Values]:
        """Yield the values of a run by each measure that is not left to SQL."""
        order = np.lexsort((run.position, run.query))
        query, position, grade = (column[order] for column in run[:3])
        pooled, is_judged = numbered(query), self.grades[grade] >= 0
        judged = np.cumsum(is_judged)
        judged -= (judged - is_judged)[np.arange(len(query)) - pooled + 1]
        lists = {"query": query, "position": position, "judged": judged}
        lists |= {"pooled": pooled, "discount": shares.log2s(position + 1)}
        bases: dict[int, dict[str, Any]] = {}
        with np.errstate(all="ignore"):
            for measure in self._taken.values():
                if (basis := measure["basis"]) not in bases:
                    gain = self._gains[basis][grade]
                    rows = {name: x[gain != 0] for name, x in lists.items()}
                    rows |= {"gain": gain[gain != 0], "found": numbered(rows["query"])}
                    rows |= {"listed": run.listed, "retrieved": run.listed, "lists": {}}
                    bases[basis] = rows
                yield self._values({**measure, **bases[basis]})

    def _values(self, measure: Mapping[str, Any]) -> Values:
        """Return the values of a measure, which has the rows of a run beside it."""
        counts, listed = self._counts[measure["basis"]], measure["listed"]
        total, greatest, count = self._parts(measure)
        ideal = self._ideals.get(measure["measure"], np.zeros(1))
        of_queries = {
            **{"total": total, "best": greatest, "found": count},
            "ideal_total": np.where(np.isnan(ideal), 0, ideal),
            "shown": np.fmin(measure["depth"], listed),
        }
        names = {**_FUNCTIONS, **measure, **counts, **of_queries}
        value = eval(_code(measure["value"]), names)  # noqa: S307
        no_rel = {"omit": np.nan, "1": 1}.get(measure["no_rel"], 0)
        value = np.where(np.isnan(value), 0, value)
        is_irrelevant = self.is_irrelevant(measure["measure"])
        value = np.where(is_irrelevant, no_rel, value)
        is_omitted = (listed == 0) & (measure["missing"] == "omit")
        value = np.where(is_omitted, np.nan, value)
        return Values(measure["measure"], value, total, is_irrelevant)

    def _parts(self, measure: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        """Return the sum of the terms of queries, the greatest, and their number."""
        if not measure["relation"]:
            return self._sum(measure)
        counts, query = self._counts[measure["basis"]], measure["query"]
        position, count = measure["position"], self._queries
        if measure["relation"] == "eleven_points":
            relevant, rounding = counts["relevant"], float(measure["rounding"])
            least = [np.floor(n / 10 * relevant + rounding) for n in range(11)]
            precision = measure["found"] / position
            total = shares.eleven_points(query, measure["found"], precision, least)
            return total, None, None
        # G, ndcg_rel and Rndcg read the same lists.
        if "run" not in (lists := measure["lists"]):
            columns = query, position, measure["gain"], measure["discount"]
            lists["run"] = shares.Places(*columns, least_cost=-np.inf)
        ideal = self._ideal_lists[measure["basis"]]
        return shares.running_shares(measure["family"], lists["run"], ideal, count)

    def _sum(self, measure: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        """Return the sum of the terms of lists, the greatest, and their number."""
        query, position = measure["query"], measure["position"]
        counts, count = self._counts[measure["basis"]], self._queries
        of_rows = {name: x[query] for name, x in counts.items()}
        is_shown = position <= measure["depth"]
        term = eval(_code(measure["term"]), {**_FUNCTIONS, **measure, **of_rows})  # noqa: S307
        term = np.where(is_shown, term, np.nan)
        rows = sums(query, is_shown, count)
        rows[rows == 0] = np.nan
        greatest = best(query, term, count)
        total = sums(query, np.where(np.isnan(term), 0, term), count)
        return np.where(np.isnan(greatest), np.nan, total), greatest, rows

    def is_irrelevant(self, measure: str) -> Flags:
        """Return for each query whether nothing is relevant to it."""
        about = self._taken[measure]
        if about["always_counts"]:
            return np.zeros(self._queries, bool)
        relevant = self._ideals.get(measure, self._counts[about["basis"]]["relevant"])
        return ~(relevant > 0)

    def means(self, values: Any) -> dict[str, float | None]:
        """Return the means of measures, or their sums or geometric means, by name."""
        rows = zip(self._measures, values, strict=True)
        return {m["measure"]: _summarized(m["summary"], row) for m, row in rows}


def _summarized(summary: str, values: Any) -> float | None:
    counted: list[float] = values[~np.isnan(values)].tolist()
    if summary == "geometric":
        counted = [log(max(value, 0.00001)) for value in counted]
    if not counted:
        return None
    # sum() of Python 3.12 does not add one after the other.
    total = float(np.cumsum(counted)[-1])
    mean = total if summary == "sum" else total / len(counted)
    return exp(mean) if summary == "geometric" else mean
