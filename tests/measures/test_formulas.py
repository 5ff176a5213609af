"""Random queries: every value against the formulas written out in Python."""

from math import exp, log, sqrt
from pathlib import Path
from statistics import stdev

import pytest

from ndcg_sql.evaluation import values
from ndcg_sql.measures.families import families
from support import exploring
from support.evaluations import Evaluation, assert_close
from support.formulas import VARIANTS, Variant
from support.user_models import MODELS
from support.worlds import FRACTIONS, NEAR, WHOLE, World, merged, world

# Measures of every family that reads judgments, by canonical name.
EVERY: dict[str, Variant] = {**VARIANTS, **MODELS}


def evaluated(queries: World, folder: Path, most_of_sql: int) -> Evaluation:
    """Value queries by every variant; SQL computes at most so many terms."""
    names = [variant.name for variant in EVERY.values()]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(values, "MOST_OF_SQL", most_of_sql)
        return Evaluation(folder, queries.judged, queries.ranked, names)


@pytest.fixture(scope="module", params=[exploring.amount(20, 300)])
def valued(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[World, Evaluation]:
    """Value random queries: so many of each of two kinds of grades."""
    queries = merged(
        whole=world(7, request.param, WHOLE, scores=NEAR),
        fractions=world(7, request.param, FRACTIONS, scores=NEAR),
    )
    return queries, evaluated(queries, tmp_path_factory.mktemp("v"), 10**12)


def test_arrays_give_the_same_to_the_last_bit(
    valued: tuple[World, Evaluation], tmp_path: Path
) -> None:
    queries, of_sql = valued
    of_arrays = evaluated(queries, tmp_path, 0)
    assert of_arrays.queries == of_sql.queries
    assert of_arrays.means == of_sql.means


def test_the_formulas_give_the_same(valued: tuple[World, Evaluation]) -> None:
    queries, found = valued
    expected = {
        name: {
            q: variant.value(g, queries.rankings[q]) for q, g in queries.judged.items()
        }
        for name, variant in EVERY.items()
    }
    assert_close(found, expected)


def test_a_mean_adds_in_byte_order_and_accounts_for_queries(
    valued: tuple[World, Evaluation],
) -> None:
    queries, found = valued
    judged, answered = set(queries.judged), set(queries.ranked)
    counts = [len(judged & answered), len(judged - answered), len(answered - judged)]
    order = sorted(queries.judged, key=str.encode)
    for name, variant in EVERY.items():
        row, family = found.means[name], families()[variant.family]
        values = [v for q in order if (v := found.queries[name][q]) is not None]
        total = 0.0
        for value in values:  # sum() would compensate for rounding.
            total += value
        error = None
        if family.summary == "mean":
            assert row["value"] == total / len(values), name
            error = pytest.approx(stdev(values) / sqrt(len(values)), 1e-9, 1e-12)
        else:
            logarithms = sum(log(max(value, 0.00001)) for value in values)
            product = exp(logarithms / len(values))
            expected = {"sum": total, "geometric": product}[family.summary]
            assert row["value"] == pytest.approx(expected, rel=1e-12), name
        assert (row["n"], row["standard_error"]) == (len(values), error), name
        depth = variant.k if family.takes_cutoff and variant.k else 10
        judged_top = Variant("Judged", depth, {})
        shares = [
            judged_top.plain(queries.judged[q], queries.rankings[q]) or 0 for q in order
        ]
        assert row["judged_at_k"] == pytest.approx(sum(shares) / len(order), abs=1e-12)
        columns = ("answered", "unanswered", "unjudged_queries")
        assert [row[column] for column in columns] == counts
        plain = [
            variant.plain(g, variant.listed(g, queries.rankings[q]))
            for q, g in queries.judged.items()
        ]
        assert row["no_relevant"] == plain.count(None), name


def test_a_mean_of_no_values_is_null(tmp_path: Path) -> None:
    empty = ["nDCG(missing='omit')", "P(no_rel='omit')@5", "gm_map(missing='omit')"]
    found = Evaluation(tmp_path, {"q": {"a": 0}}, {"other": {"a": 1}}, [*empty, "nDCG"])
    for measure in empty:
        row = found.means[measure]
        assert (row["value"], row["n"], row["standard_error"]) == (None, 0, None)
    row = found.means["nDCG"]
    assert (row["value"], row["n"], row["standard_error"]) == (0, 1, None)
