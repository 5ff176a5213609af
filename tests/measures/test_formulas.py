"""Random queries: every value against the formulas written out in Python."""

from math import exp, log, sqrt
from pathlib import Path
from statistics import stdev

import pytest

from ndcg_sql.measures.families import families
from support import exploring
from support.evaluations import Evaluation, assert_close
from support.formulas import VARIANTS, Variant
from support.subtopics import OF_JUDGMENTS
from support.user_models import MODELS
from support.worlds import FRACTIONS, NEAR, WHOLE, World, merged, world


@pytest.fixture(scope="module", params=[exploring.amount(20, 300)])
def valued(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[World, Evaluation]:
    """Value random queries by every variant: so many of each of two kinds of grades."""
    queries = merged(
        whole=world(7, request.param, WHOLE, scores=NEAR),
        fractions=world(7, request.param, FRACTIONS, scores=NEAR),
    )
    folder = tmp_path_factory.mktemp("v")
    names = [variant.name for variant in VARIANTS.values()]
    return queries, Evaluation(folder, queries.judged, queries.ranked, names)


def test_the_formulas_give_the_same(valued: tuple[World, Evaluation]) -> None:
    queries, found = valued
    expected = {
        name: {
            q: variant.value(g, queries.rankings[q]) for q, g in queries.judged.items()
        }
        for name, variant in VARIANTS.items()
    }
    assert_close(found, expected)


def test_values_are_summed_up_in_byte_order(valued: tuple[World, Evaluation]) -> None:
    queries, found = valued
    order = sorted(queries.judged, key=str.encode)
    for name, variant in VARIANTS.items():
        row, family = found.means[name], families()[variant.family]
        values = [v for q in order if (v := found.queries[name][q]) is not None]
        assert row["n"] == len(values)
        total = 0.0
        for value in values:  # sum() would compensate for rounding.
            total += value
        if family.summary == "mean":
            assert row["value"] == total / len(values), name
            error = stdev(values) / sqrt(len(values))
            assert row["standard_error"] == pytest.approx(error, rel=1e-9, abs=1e-12)
        else:
            product = exp(
                sum(log(max(value, 0.00001)) for value in values) / len(values)
            )
            expected = {"sum": total, "geometric": product}[family.summary]
            assert row["value"] == pytest.approx(expected, rel=1e-12), name
            assert row["standard_error"] is None
        depth = variant.k if family.takes_cutoff and variant.k else 10
        judged = Variant("Judged", depth, {})
        shares = [
            judged.plain(queries.judged[q], queries.rankings[q]) or 0 for q in order
        ]
        assert row["judged_at_k"] == pytest.approx(sum(shares) / len(order), abs=1e-12)


def test_queries_are_accounted_for(valued: tuple[World, Evaluation]) -> None:
    queries, found = valued
    judged, answered = set(queries.judged), set(queries.ranked)
    counts = [len(judged & answered), len(judged - answered), len(answered - judged)]
    for name, variant in VARIANTS.items():
        row = found.means[name]
        columns = ("answered", "unanswered", "unjudged_queries")
        assert [row[column] for column in columns] == counts
        values = [
            variant.plain(g, variant.listed(g, queries.rankings[q]))
            for q, g in queries.judged.items()
        ]
        assert row["no_relevant"] == values.count(None), name


@pytest.fixture(scope="module")
def among_many(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[World, dict[str, list[str]], Evaluation]:
    """Evaluate a few variants of every family together: the deepest and others."""
    queries = world(11, 24, WHOLE)
    chosen: dict[str, list[str]] = {}
    for name, variant in {**VARIANTS, **MODELS}.items():
        chosen.setdefault(variant.family, []).append(name)
    chosen = {family: names[1::9] or names[:1] for family, names in chosen.items()}
    for family in ("nDCG", "DCG", "nCG", "CG"):
        chosen[family] += [f"{family}(ties='mean')@{k}" for k in (1, 3)]
    every = [name for names in chosen.values() for name in names]
    folder = tmp_path_factory.mktemp("m")
    return queries, chosen, Evaluation(folder, queries.judged, queries.ranked, every)


@pytest.mark.parametrize("family", exploring.mostly_slow(OF_JUDGMENTS, "nDCG"))
def test_a_measure_alone_has_the_values_that_it_has_among_many(
    among_many: tuple[World, dict[str, list[str]], Evaluation],
    tmp_path: Path,
    family: str,
) -> None:
    queries, chosen, found = among_many
    for name in chosen[family][-4:]:
        alone = Evaluation(tmp_path, queries.judged, queries.ranked, [name])
        # Equal to the last bit.
        assert alone.queries[name] == found.queries[name], name
        assert alone.means[name] == found.means[name], name


def test_a_mean_of_no_values_is_null(tmp_path: Path) -> None:
    empty = ["nDCG(missing='omit')", "P(no_rel='omit')@5", "gm_map(missing='omit')"]
    found = Evaluation(tmp_path, {"q": {"a": 0}}, {"other": {"a": 1}}, [*empty, "nDCG"])
    for measure in empty:
        row = found.means[measure]
        assert (row["value"], row["n"], row["standard_error"]) == (None, 0, None)
    row = found.means["nDCG"]
    assert (row["value"], row["n"], row["standard_error"]) == (0, 1, None)
