"""Judgments in the place of a run, and the run in theirs."""

import warnings
from random import Random

import pytest

import ndcg_sql
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python import Warehouse

Numbers = dict[str, dict[str, float]]
_RANDOM = Random(5)
DOCUMENTS = [f"d{n}" for n in range(12)]
QUERIES = [f"q{n}" for n in range(8)]
SCORES = {q: {d: _RANDOM.random() for d in DOCUMENTS} for q in QUERIES}
GRADES = {
    q: {d: float(_RANDOM.randrange(3)) for d in _RANDOM.sample(DOCUMENTS, 9)}
    for q in QUERIES
}
LIKED = {q: dict.fromkeys(_RANDOM.sample(DOCUMENTS, 2), 1.0) for q in QUERIES}
# Numbers that count ranks.
RANKS = {q: {d: float(n) for n, d in enumerate(DOCUMENTS)} for q in QUERIES}
SAID = (
    'run "run": its scores are few whole numbers, as grades are, and the grades of'
    ' judgment set "judgments" are fractions, as scores are; is each in the place of'
    " the other?; "
)


def test_swapped_dicts_are_refused() -> None:
    with pytest.raises(NdcgSqlError) as refused:
        ndcg_sql.evaluate(SCORES, GRADES, "RR")
    assert str(refused.value) == SAID + (
        "the judgments come first: evaluate(JUDGMENTS, RUN); if they are right:"
        ' position_rule="score"'
    )
    ndcg_sql.evaluate(GRADES, SCORES, "RR")


@pytest.mark.slow
def test_swapped_dicts_are_refused_in_a_warehouse() -> None:
    with pytest.raises(NdcgSqlError, match=r"compare\(JUDGMENTS, RUN\)"):
        ndcg_sql.compare(SCORES, {"a": LIKED, "b": LIKED}, "RR")
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments(SCORES)
        with pytest.raises(NdcgSqlError) as refused:
            warehouse.load_run(LIKED)
        assert str(refused.value) == SAID + (
            'to remove the judgments: remove("judgments", "judgments"); if they are'
            ' right: position_rule="score"'
        )
        warehouse.remove("judgments", "judgments")
        warehouse.load_judgments(LIKED)
        assert not warehouse.load_run(SCORES).warnings


RIGHT: dict[str, tuple[Numbers, Numbers]] = {
    "ranks as scores": (SCORES, RANKS),
    "fractions of both": (SCORES, SCORES),
    "grades of both": (GRADES, GRADES),
    "few fractions": (
        {q: {d: round(2 * x) / 2 for d, x in SCORES[q].items()} for q in QUERIES},
        GRADES,
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", RIGHT)
@pytest.mark.filterwarnings("ignore")
def test_what_may_be_right_is_loaded(case: str) -> None:
    judged, ranked = RIGHT[case]
    ndcg_sql.evaluate(judged, ranked, "RR")
    with Warehouse.memory() as warehouse:
        warehouse.load_judgments(judged)
        warehouse.load_run(ranked)


@pytest.mark.slow
def test_the_user_may_say_that_scores_are_right() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ndcg_sql.evaluate(SCORES, GRADES, "nDCG@10", position_rule="score")
