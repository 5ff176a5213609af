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


@pytest.fixture(scope="module")
def case(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    """Value the case of four judged queries."""
    measures = [*CASE_VALUES, *CASE_OTHERS, *CASE_Q1, *CASE_OPTIONS]
    folder = tmp_path_factory.mktemp("case")
    return Evaluation(folder, CASE_JUDGED, CASE_RANKED, measures)


@pytest.mark.parametrize("measure", CASE_VALUES)
def test_the_case_has_its_values(case: Evaluation, measure: str) -> None:
    q1, q2, mean = CASE_VALUES[measure]
    assert case.query(measure, "q1") == close(q1)
    assert case.query(measure, "q2") == close(q2)
    assert case.mean(measure) == close(mean)
    assert case.query(measure, "q3") == 0
    assert set(case.queries[measure]) == {"q1", "q2", "q3", "q4"}


@pytest.mark.parametrize("measure", CASE_OTHERS)
def test_the_case_has_its_values_for_every_query(
    case: Evaluation, measure: str
) -> None:
    *queries, whole = CASE_OTHERS[measure]
    for number, value in enumerate(queries, start=1):
        assert case.query(measure, f"q{number}") == close(value)
    assert case.mean(measure) == close(whole)


@pytest.mark.parametrize("measure", CASE_Q1)
def test_the_first_query_of_the_case_has_its_values(
    case: Evaluation, measure: str
) -> None:
    assert case.query(measure, "q1") == close(CASE_Q1[measure])


@pytest.mark.parametrize("measure", CASE_OPTIONS)
def test_options_decide_which_queries_of_the_case_count(
    case: Evaluation, measure: str
) -> None:
    mean, n = CASE_OPTIONS[measure]
    row = case.means[parse(measure)[0].name]
    assert row["value"] == close(mean)
    assert row["n"] == n
    counts = ("answered", "unanswered", "no_relevant", "unjudged_queries")
    assert [row[name] for name in counts] == [3, 1, 1, 1]
