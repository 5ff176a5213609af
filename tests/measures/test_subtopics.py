"""Measures of subtopics: worked values, the values of ndeval, and properties."""

from pathlib import Path

import pytest

from ndcg_sql.evaluation.registry import replace_registered
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import parse
from ndcg_sql.system.messages import Silent
from support.commands import Command
from support.conventions import covers
from support.evaluations import Values, emptied
from support.exploring import amount, sampled
from support.files import write_run
from support.subtopics import (
    NDEVAL,
    OF_ALPHA,
    WORKED_VALUES,
    Diversity,
    ndeval,
    with_parameters,
    world,
)

WORKED = Diversity(
    [
        *(("q0", "0", "d0", 1), ("q0", "1", "d0", 1), ("q0", "0", "d1", 1)),
        *(("q0", "2", "d2", 2), ("q0", "0", "d3", 0)),
        *(("q1", "1", "e0", 1), ("q1", "2", "e1", 1)),
    ],
    {
        "q0": {"d1": 5, "d0": 4, "x": 3, "d2": 2, "d3": 1},
        "q1": {"e1": 2, "z": 1},
    },
)


def values_of(folder: Path, made: Diversity, *measures: str) -> Values:
    """Return the values of a run by measure and query."""
    (folder / "qrels").write_text(made.lines)
    database = emptied()
    replace_registered(database, parse(" ".join(measures)))
    load(database, "judgments", [folder / "qrels"], Options(), Silent())
    run = write_run(folder / "run", made.ranked)
    load(database, "run", [run], Options(), Silent())
    values: Values = {}
    sql = "select measure, query_id, value from query_values"
    for measure, query, value in database.execute(sql):
        values.setdefault(measure, {})[query] = value
    return values


def test_the_worked_values_of_two_queries(tmp_path: Path) -> None:
    values = values_of(tmp_path, WORKED, *WORKED_VALUES)
    for measure, (first, second) in WORKED_VALUES.items():
        assert values[measure]["q0"] == pytest.approx(first, abs=1e-13), measure
        assert values[measure]["q1"] == pytest.approx(second, abs=1e-13), measure


@covers("ndeval *", "ndeval alpha_DCG", "ndeval ERR_IA")
@pytest.mark.parametrize(
    ("alpha", "beta", "rel"),
    # Sums of powers of these are exact, so that ndeval ties what is equal.
    sampled([(0.5, 0.5, 1), (0, 0.5, 1), (1, 0.5, 1), (0.25, 0.75, 2)], 3),
)
def test_random_worlds_have_the_values_of_ndeval(
    tmp_path: Path, alpha: float, beta: float, rel: int
) -> None:
    asked = {
        with_parameters(name, alpha=alpha, beta=beta, rel=rel): name for name in NDEVAL
    }
    canonical = {parse(name)[0].name: plain for name, plain in asked.items()}
    for seed in range(amount(1, 40)):
        made = world(seed)
        expected = ndeval(made, alpha, beta, rel)
        values = values_of(tmp_path, made, *asked)
        assert values.keys() == canonical.keys()
        for measure, by_query in values.items():
            assert by_query == pytest.approx(expected[canonical[measure]], abs=1e-9), (
                f"{measure}, seed {seed}"
            )


def test_the_first_position_is_divided_by_the_subtopics(tmp_path: Path) -> None:
    # ndeval does not divide there: it has 1 for d1.
    values = values_of(tmp_path, WORKED, "alpha_DCG@1", "ERR_IA@1")
    for measure in values:
        assert values[measure] == pytest.approx({"q0": 1 / 3, "q1": 1 / 2})


def test_all_other_measures_read_the_largest_grade(tmp_path: Path) -> None:
    # d0 1, d1 1, d2 2, d3 0: as if nobody had named a subtopic.
    values = values_of(tmp_path, WORKED, "DCG@5", "NumRel", "AP")
    assert values["NumRel"] == {"q0": 3, "q1": 2}
    assert values["DCG@5"]["q0"] == pytest.approx(1 + 0.63092975 + 2 * 0.43067656)
    assert values["AP"]["q0"] == pytest.approx((1 + 1 + 3 / 4) / 3)


def test_a_novel_document_moves_up_and_no_value_falls_below_0(tmp_path: Path) -> None:
    measures = [*WORKED_VALUES, "StRecall", "alpha_nDCG", "nERR_IA"]
    made = Diversity(
        [("q", "1", "a", 1), ("q", "1", "b", 1), ("q", "2", "c", 1)],
        {"q": {"a": 3, "b": 2, "c": 1}},
    )
    novel = Diversity(made.judged, {"q": {"a": 3, "b": 1, "c": 2}})
    before = values_of(tmp_path, made, *measures)
    after = values_of(tmp_path, novel, *measures)
    assert len(before) == len(measures)
    for measure, values in before.items():
        assert 0 < (values["q"] or 0) <= (after[measure]["q"] or 0) <= 1, measure


def test_more_of_the_same_moves_up_and_the_value_falls(tmp_path: Path) -> None:
    assert not any(families()[family].monotone for family in OF_ALPHA)
    judged = [("q", t, d, 1.0) for d in "abd" for t in "12"] + [("q", "3", "c", 1)]
    worse = {"a": 4.0, "b": 3.0, "d": 2.0, "c": 1.0}
    better = {**worse, "d": 1.0, "c": 2.0}
    measures = [families()[family].example for family in OF_ALPHA]
    before, after = (
        values_of(tmp_path, Diversity(judged, {"q": scores}), *measures)
        for scores in (better, worse)
    )
    for measure in measures:
        assert (after[measure]["q"] or 0) < (before[measure]["q"] or 0), measure


def test_options_of_queries_and_of_unjudged_documents(tmp_path: Path) -> None:
    made = Diversity(
        [
            *(("q", "1", "a", 1), ("q", "2", "b", 1)),
            *(("r", "1", "a", 0), ("s", "1", "a", 1)),
        ],
        {"q": {"x": 3, "a": 2, "b": 1}, "r": {"a": 1}},
    )
    names = ("StRecall(judged_only=true)@1", "P_IA(judged_only=true)@1", "StRecall@1")
    omitted = "AP_IA(no_rel='omit',missing='omit')"
    values = values_of(tmp_path, made, *names, omitted, "NRBP(no_rel=1)")
    assert values["StRecall@1"]["q"] == 0
    assert values["StRecall(judged_only=true)@1"]["q"] == 1 / 2
    assert values["P_IA(judged_only=true)@1"]["q"] == 1 / 2
    assert values[omitted] == {"q": (1 / 2 + 1 / 3) / 2, "r": None, "s": None}
    assert values["NRBP(no_rel=1)"]["r"] == 1


@pytest.mark.parametrize(
    ("measure", "reason"),
    [
        ("alpha_nDCG(alpha=1.5)@10", "alpha must be from 0 to 1"),
        ("NRBP(beta=1)", "beta must be 0 or more and below 1 for NRBP"),
        ("NRBP@10", "NRBP takes no cutoff; write it like NRBP"),
        ("alpha_DCG", "a cutoff is missing; write it like alpha_DCG@10"),
    ],
)
def test_a_parameter_that_means_nothing_is_refused(
    ndcg: Command, measure: str, reason: str
) -> None:
    result = ndcg("measures", "add", measure)
    assert result.refusal == f'measure "{measure}": {reason}\n'


def test_the_names_of_ndeval_are_understood() -> None:
    names = " ".join(NDEVAL.values())
    assert [measure.name for measure in parse(names)] == [*NDEVAL]
