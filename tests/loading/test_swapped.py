"""Judgments in the place of a run, and the run in theirs."""

import warnings
from pathlib import Path
from random import Random

import pytest

import ndcg_sql
from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command

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
    " the other? if so, "
)
UNSAID = '; to leave this unsaid: position_rule="score"'


@pytest.mark.parametrize(
    "ranked", exploring.sampled([GRADES, LIKED], 2), ids=["grades", "one grade"]
)
@pytest.mark.filterwarnings("ignore:.*no document is relevant:UserWarning")
def test_swapped_dicts_are_warned_of(ranked: Numbers) -> None:
    with pytest.warns(UserWarning, match="if so, the judgments come first") as warned:
        ndcg_sql.evaluate(SCORES, ranked, "RR")
    said = f"{SAID}the judgments come first{UNSAID}"
    # Scores that order nothing are not told a second time.
    assert [str(one.message) for one in warned if "score" in str(one.message)] == [said]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ndcg_sql.evaluate(ranked, SCORES, "RR")


@pytest.mark.slow
def test_swapped_files_are_warned_of(ndcg: Command) -> None:
    for name, numbers in (("scores", SCORES), ("grades", GRADES)):
        rows = "".join(
            f"{query}\t{document}\t{number}\n"
            for query, of_query in numbers.items()
            for document, number in of_query.items()
        )
        # BEIR calls a grade a score.
        Path(f"{name}.tsv").write_text(f"query-id\tcorpus-id\tscore\n{rows}")
    told = ndcg("eval", "scores.tsv", "grades.tsv", "-m", "RR")
    assert (told.code, told.err.count("if so, the judgments come first; to")) == (0, 1)
    assert ndcg("eval", "scores.tsv", "grades.tsv", "--strict").code == 2
    assert ndcg("eval", "grades.tsv", "scores.tsv", "-m", "RR").err == ""


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
        assert "in the place" not in str(warehouse.load_run(ranked).warnings)


@pytest.mark.slow
def test_the_user_may_say_that_scores_are_right() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ndcg_sql.evaluate(SCORES, GRADES, "nDCG@10", position_rule="score")
