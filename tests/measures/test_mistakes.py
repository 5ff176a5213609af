"""The mistakes of hand-written SQL: what each gives, and what is right instead."""

from dataclasses import dataclass
from math import log2

import pytest

from support.evaluations import Evaluation


@dataclass(frozen=True)
class Mistake:
    """A query that a mistake values wrongly."""

    judged: dict[str, float]
    ranked: str
    wrong: float
    right: float
    measure: str = "nDCG@10"

    @property
    def scores(self) -> dict[str, float]:
        """The documents of the ranking, each with a score below the one before."""
        return {document: -float(i) for i, document in enumerate(self.ranked)}


ONES = dict.fromkeys("abcde", 1.0)
FRACTIONS = {"a": 0.01, "b": 1.0, "c": 0.1}
MISTAKES = {
    "1 ideal of returned documents": Mistake(
        {"a": 2, "b": 3, "c": 3}, "ab", 0.913402, 0.660602
    ),
    "2a ideal cut at the list": Mistake(ONES, "a", 1, 0.339160),
    "2b ideal not cut at k": Mistake(
        dict.fromkeys("abcd", 1.0), "ab", 0.636682, 1, "nDCG@2"
    ),
    "2c ideal of k ones": Mistake({"a": 1}, "abcdefghij", 0.220092, 1),
    "2d table that ends at four": Mistake(ONES, "abcde", 1.151742, 1),
    "7 first of three": Mistake({"a": 1}, "za", 0.63, 1 / log2(3)),
    "8 log(x, 2)": Mistake({"a": 2, "b": 1, "c": 3}, "abc", 1.173201, 0.867503),
    "8b log of base 10": Mistake({"a": 3, "b": 1}, "ab", 12.061688, 3.630930, "DCG"),
    "9 exponential on fractions": Mistake(FRACTIONS, "abc", 0.642445, 0.646882),
    "9b grades as integers": Mistake(FRACTIONS, "abc", 0.630930, 0.646882),
    "11 ranking by label": Mistake({"x": 1, "y": 3}, "xy", 1, 0.796708),
    "11 exponential": Mistake(
        {"x": 1, "y": 3}, "xy", 1, 0.709810, "nDCG(dcg='exp-log2')@10"
    ),
    "gain of grade 0": Mistake({"a": 0}, "a", 1, 0, "DCG(dcg='exp-log2')"),
}


@pytest.fixture(scope="module")
def mistakes(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    """Value every case as a query of one run."""
    judged = {name.replace(" ", "_"): case.judged for name, case in MISTAKES.items()}
    ranked = {name.replace(" ", "_"): case.scores for name, case in MISTAKES.items()}
    measures = sorted({case.measure for case in MISTAKES.values()})
    return Evaluation(tmp_path_factory.mktemp("m"), judged, ranked, measures)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_query_has_the_right_value(mistakes: Evaluation, name: str) -> None:
    case = MISTAKES[name]
    value = mistakes.query(case.measure, name.replace(" ", "_"))
    assert value == pytest.approx(case.right, abs=1e-6)
    assert value != pytest.approx(case.wrong, abs=1e-4)
