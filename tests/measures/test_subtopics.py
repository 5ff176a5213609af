"""Measures of subtopics: worked values, the values of ndeval, and properties."""

from pathlib import Path
from typing import Any

import pytest

from ndcg_sql.measures.families import families
from ndcg_sql.measures.names import parse
from support.compared import agree
from support.conventions import covers
from support.evaluations import Evaluation, Values
from support.exploring import amount, sampled
from support.subtopics import (
    NDEVAL,
    OF_ALPHA,
    WORKED_VALUES,
    Diversity,
    ndeval,
    with_parameters,
    world,
)

# Rows of judgments by query: subtopic, document and grade; then a ranking.
Query = tuple[list[tuple[str, str, float]], str]
WORKED: dict[str, Query] = {
    "q0": (
        [("0", "a", 1), ("1", "a", 1), ("0", "b", 1), ("2", "c", 2), ("0", "d", 0)],
        "baxcd",
    ),
    "q1": ([("1", "e", 1), ("2", "f", 1)], "fz"),
}


def made(queries: dict[str, Query]) -> Diversity:
    """Return judgments of subtopics, and a run without ties."""
    judged = [(q, *row) for q, (rows, _) in queries.items() for row in rows]
    ranked = {
        query: {document: -float(i) for i, document in enumerate(top)}
        for query, (_, top) in queries.items()
        if top
    }
    return Diversity(judged, ranked)


def values_of(folder: Path, made: Diversity, *measures: str) -> Values:
    """Return the values of a run by measure and query."""
    return Evaluation(folder, made.lines, made.ranked, [*measures]).queries


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
            family, theirs = parse(measure)[0].family, expected[canonical[measure]]
            agree("pyndeval", family.name, by_query, theirs, abs=1e-9)


TENTHS = {"alpha_nDCG@3": 0.607443, "alpha_DCG@3": 0.404962, "ERR_IA@3": 0.375}
OF_BDAC = {
    **{**TENTHS, "nERR_IA@3": 0.5625, "NRBP": 0.375, "nNRBP": 0.558140},
    **{"AP_IA": 0.430556, "P_IA@3": 0.333333, "StRecall@3": 0.666667},
}
OF_FIVE: Any = [*((t, d, 1) for d, t in ("a1", "a2", "b1", "c3", "e3")), ("1", "d", 0)]
OPTIONAL: dict[str, Query] = {
    "q": ([("1", "a", 1), ("2", "b", 1)], "xab"),
    "r": ([("1", "a", 0)], "a"),
    "s": ([("1", "a", 1)], ""),
}
OMITTED = "AP_IA(no_rel='omit',missing='omit')"
# Queries, and values of some of them by measure.
BY_HAND: list[tuple[dict[str, Query], Any]] = [
    (
        WORKED,
        {m: {"q0": q0, "q1": q1} for m, (q0, q1) in WORKED_VALUES.items()}
        # The first position is divided by the subtopics; ndeval has 1 for the first.
        | {m: {"q0": 1 / 3, "q1": 1 / 2} for m in ("alpha_DCG@1", "ERR_IA@1")}
        # All other measures read the largest grade, as if there were no subtopics.
        | {"NumRel": {"q0": 3, "q1": 2}, "AP": {"q0": (1 + 1 + 3 / 4) / 3}}
        | {"DCG@5": {"q0": 1 + 0.6309297535714575 + 2 * 0.43067655807339306}},
    ),
    (
        {"q": (OF_FIVE, "bdac")},
        {measure: {"q": value} for measure, value in OF_BDAC.items()},
    ),
    (
        OPTIONAL,
        {
            "StRecall@1": {"q": 0},
            "StRecall(judged_only=true)@1": {"q": 1 / 2},
            "P_IA(judged_only=true)@1": {"q": 1 / 2},
            OMITTED: {"q": (1 / 2 + 1 / 3) / 2, "r": None, "s": None},
            "NRBP(no_rel=1)": {"r": 1},
        },
    ),
]


@pytest.mark.parametrize(("queries", "expected"), BY_HAND)
def test_queries_have_the_values_by_hand(
    tmp_path: Path, queries: dict[str, Query], expected: dict[str, Any]
) -> None:
    values = values_of(tmp_path, made(queries), *expected)
    for measure, wanted in expected.items():
        found = {query: values[measure][query] for query in wanted}
        assert found == pytest.approx(wanted, abs=1e-6), measure


def test_a_novel_document_moves_up_and_more_of_the_same_does_not_help(
    tmp_path: Path,
) -> None:
    assert not any(families()[family].monotone for family in OF_ALPHA)
    of_alpha = [families()[family].example for family in OF_ALPHA]
    measures = [*WORKED_VALUES, "StRecall", *of_alpha]
    few: list[tuple[str, str, float]] = [("1", "a", 1), ("1", "b", 1), ("2", "c", 1)]
    more = [(t, d, 1.0) for d in "abd" for t in "12"] + [("3", "c", 1.0)]
    queries = {"old": (few, "abc"), "novel": (few, "acb")}
    queries |= {"better": (more, "abcd"), "worse": (more, "abdc")}
    values: Any = values_of(tmp_path, made(queries), *measures)
    for measure in map(str, values):
        of = values[measure]
        assert 0 < of["old"] <= of["novel"] <= 1, measure
        assert measure not in of_alpha or of["worse"] < of["better"], measure


def test_the_names_of_ndeval_are_understood() -> None:
    names = " ".join(NDEVAL.values())
    assert [measure.name for measure in parse(names)] == [*NDEVAL]
