"""A worked case: four judged queries by nearly every family of measures."""

import pytest

from ndcg_sql.measures.names import parse
from support.evaluations import Evaluation, close
from support.examples import (
    CASE_JUDGED,
    CASE_OPTIONS,
    CASE_OTHERS,
    CASE_Q1,
    CASE_RANKED,
    CASE_VALUES,
)

# By measure: the values of the four queries and their mean, as far as they are known.
CASE = {
    **{m: (q1, q2, "0", "", mean) for m, (q1, q2, mean) in CASE_VALUES.items()},
    **CASE_OTHERS,
    **{measure: (value, "", "", "", "") for measure, value in CASE_Q1.items()},
    "nDCG(judged_only=true)@5": ("0.765923", "", "0", "0", ""),
    "nDCG(ties='mean')": ("", "0.809953117", "0", "0", ""),
}


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    """Value the case of four judged queries."""
    folder = tmp_path_factory.mktemp("case")
    return Evaluation(folder, CASE_JUDGED, CASE_RANKED, [*CASE, *CASE_OPTIONS])


@pytest.mark.parametrize("measure", CASE)
def test_the_case_has_its_values(case: Evaluation, measure: str) -> None:
    *queries, mean = CASE[measure]
    for query, value in zip(("q1", "q2", "q3", "q4"), queries, strict=True):
        if value:
            assert case.query(measure, query) == close(value), query
    if mean:
        assert case.mean(measure) == close(mean)
    assert case.queries[parse(measure)[0].name].keys() == CASE_JUDGED.keys()


@pytest.mark.parametrize("measure", CASE_OPTIONS)
def test_options_decide_which_queries_of_the_case_count(
    case: Evaluation, measure: str
) -> None:
    row = case.means[parse(measure)[0].name]
    mean, n = CASE_OPTIONS[measure]
    assert (row["value"], row["n"]) == (close(mean), n)
    counts = ("answered", "unanswered", "no_relevant", "unjudged_queries")
    assert [row[name] for name in counts] == [3, 1, 1, 1]
