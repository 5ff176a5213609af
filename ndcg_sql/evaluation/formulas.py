"""The formulas of sql/measures.csv on arrays: to plan SQL takes longer for a small run.

Null is NaN. A formula that says more than is known here is left to SQL. Terms are added
in the order of positions, values in that of query ids, and numpy computes no powers or
logarithms, so that all is the same to the last bit.
"""
# pyright: reportUnknownLambdaType=false, reportUnknownArgumentType=false

import re
from collections.abc import Mapping
from functools import cache
from itertools import repeat
from math import exp, log
from types import CodeType
from typing import Any

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation import shares
from ndcg_sql.evaluation.shares import best, numbered, sums
from ndcg_sql.reading.clean.arrays import Flags, np
from ndcg_sql.reading.plain import Hits, Plain

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
    "ln": lambda x: np.array([*map(log, x)]),
    "log2": shares.log2s,
    "power": lambda x, n: np.array([*map(pow, repeat(x), map(float, n))]),
    **{"least": np.fmin, "greatest": np.fmax, "floor": np.floor, "round": np.round},
}
# What formulas may name beside functions and the parameters of measures.
_NAMES = {
    *("gain", "discount", "position", "found", "judged", "pooled", "listed", "shown"),
    *("retrieved", "relevant", "not_relevant", "best_gain", "total", "ideal_total"),
    *("best", "None"),
}
_WORD = re.compile(r"[A-Za-z_]\w*")


def _spelled(formula: str) -> str:
    for pattern, python in _SPELLED.items():
        formula = re.sub(pattern, python, formula)
    return formula


@cache
def _code(formula: str) -> CodeType:
    return compile(_spelled(formula) or "0", formula, "eval")


def _is_readable(measure: Mapping[str, Any]) -> bool:
    """Return whether formulas name nothing that only SQL knows."""
    words = _WORD.findall(_spelled(f"{measure['term']} {measure['value']}"))
    return {*_FUNCTIONS, *_NAMES, *measure} >= {*words}


class Formulas:
    """What measures need of judgments, and the values of runs with these."""

    def __init__(self, database: Database, judged: Plain, grade_gains: str) -> None:
        """Take judgments, whose ideal sums are stored, and what selects their gains."""
        families = {row["family"]: row for row in sql_files.rows("measures")}
        settings = database.records(sql_files.read("lookups/spelled_out_measures"))
        self._measures: list[dict[str, Any]]
        self._measures = [{**families[row["family"]], **row} for row in settings]
        for measure in self._measures:
            measure["is_taken"] &= _is_readable(measure)
        self.names = [row["measure"] for row in settings]
        others = (row for row in self._measures if not row["is_taken"])
        self.others = {row["measure"]: row["family"] for row in others}
        sizes = zip(judged.queries, judged.counts, strict=True)
        self.queries = sorted(query for query, size in sizes if size)
        self.numbers = {query: number for number, query in enumerate(self.queries)}
        number_of = [self.numbers.get(query, 0) for query in judged.queries]
        self._query = np.repeat(np.array(number_of), judged.counts)
        self._is_judged = judged.numbers >= 0
        self._ideals = {name: np.zeros(len(self.queries)) for name in self.names}
        totals = database.execute("select measure, query_id, total from ideal_sums")
        for name, query_id, total in totals:
            self._ideals[name][self.numbers[query_id]] = total
        worth = {(b, g): w for b, g, w in database.execute(grade_gains) if w}
        grades, places = np.unique(judged.numbers, return_inverse=True)
        self._gains: dict[int, Any] = {}
        self._counts: dict[int, dict[str, Any]] = {}
        query, count = self._query, len(self.queries)
        for basis in {row["basis"] for row in settings}:
            values = [worth.get((basis, grade), 0.0) for grade in grades.tolist()]
            gains = self._gains[basis] = np.array(values)[places]
            self._counts[basis] = {
                "relevant": sums(query, gains > 0, count),
                "not_relevant": sums(query, self._is_judged & (gains <= 0), count),
                "best_gain": best(query, gains, count),
            }
        taken = [row for row in self._measures if row["is_taken"]]
        sharing = (row for row in taken if row["relation"] == "running_shares")
        self._ideal_places = {
            basis: shares.ideal_places(query, self._gains[basis])
            for basis in {row["basis"] for row in sharing}
        }
        # Those for which no query has a relevant document.
        self.irrelevant = [m["measure"] for m in taken if self._irrelevant(m).all()]

    def values(self, hits: Hits, sizes: Mapping[str, int]) -> Any:
        """Return the values of a run: a row of each measure, NaN where omitted.

        sizes are the numbers of documents that the run returned for queries. Measures
        that are left to SQL have no values here.
        """
        listed = np.array([sizes.get(query, 0) for query in self.queries])
        query = self._query[hits.place]
        order = np.lexsort((hits.position, query))
        query, place, position = query[order], hits.place[order], hits.position[order]
        pooled, is_judged = numbered(query), self._is_judged[place]
        judged = np.cumsum(is_judged)
        judged -= (judged - is_judged)[np.arange(len(query)) - pooled + 1]
        lists = {"query": query, "position": position, "judged": judged}
        lists |= {"pooled": pooled, "discount": shares.log2s(position + 1)}
        bases: dict[int, dict[str, Any]] = {}
        values = np.full((len(self.names), len(listed)), np.nan)
        with np.errstate(all="ignore"):
            for number, measure in enumerate(self._measures):
                if (basis := measure["basis"]) not in bases:
                    gain = self._gains[basis][place]
                    rows = {name: x[gain != 0] for name, x in lists.items()}
                    rows |= {"gain": gain[gain != 0], "found": numbered(rows["query"])}
                    rows |= {"listed": listed, "retrieved": listed, "lists": {}}
                    bases[basis] = rows
                if measure["is_taken"]:
                    values[number] = self._values({**measure, **bases[basis]})
        return values

    def _values(self, measure: Mapping[str, Any]) -> Any:
        """Return the values of a measure for queries, NaN where they are omitted."""
        counts, listed = self._counts[measure["basis"]], measure["listed"]
        of_queries = {
            **dict(zip(("total", "best", "found"), self._parts(measure), strict=True)),
            "ideal_total": self._ideals[measure["measure"]],
            "shown": np.fmin(measure["depth"], listed),
        }
        names = {**_FUNCTIONS, **measure, **counts, **of_queries}
        value = eval(_code(measure["value"]), names)  # noqa: S307
        no_rel = {"omit": np.nan, "1": 1}.get(measure["no_rel"], 0)
        value = np.where(np.isnan(value), 0, value)
        value = np.where(self._irrelevant(measure), no_rel, value)
        return np.where((listed == 0) & (measure["missing"] == "omit"), np.nan, value)

    def _parts(self, measure: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        """Return the sum of the terms of queries, the greatest, and their number."""
        counts, query = self._counts[measure["basis"]], measure["query"]
        position, count = measure["position"], len(self.queries)
        if measure["relation"] == "eleven_points":
            relevant, rounding = counts["relevant"], float(measure["rounding"])
            least = [np.floor(n / 10 * relevant + rounding) for n in range(11)]
            precision = measure["found"] / position
            total = shares.eleven_points(query, measure["found"], precision, least)
            return total, None, None
        if measure["relation"]:
            # G, ndcg_rel and Rndcg read the same lists.
            if "run" not in (lists := measure["lists"]):
                columns = query, position, measure["gain"], measure["discount"]
                lists["run"] = shares.run_places(*columns)
            ideal = self._ideal_places[measure["basis"]]
            return shares.running_shares(measure["family"], lists["run"], ideal, count)
        of_rows = {name: x[query] for name, x in counts.items()}
        is_shown = position <= measure["depth"]
        term = eval(_code(measure["term"]), {**_FUNCTIONS, **measure, **of_rows})  # noqa: S307
        term = np.where(is_shown, term, np.nan)
        rows = sums(query, is_shown, count)
        rows[rows == 0] = np.nan
        total = sums(query, np.where(np.isnan(term), 0, term), count) + 0 * rows
        return total, best(query, term, count), rows

    def _irrelevant(self, measure: Mapping[str, Any]) -> Flags:
        """Return for each query whether nothing is relevant to it."""
        if measure["always_counts"]:
            return np.zeros(len(self.queries), bool)
        relevant = self._counts[measure["basis"]]["relevant"]
        return (self._ideals[measure["measure"]] if measure["ideal"] else relevant) == 0

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
