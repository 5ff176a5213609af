"""Systems of replicates compared, and decided on, within slices of the queries."""

import itertools
import json
import random
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command, Once

# scipy imports its parts, which takes a second, where they are used.
scipy: Any = import_module("scipy")

Array = NDArray[np.float64]
SEEDS = ("1", "2", "3")
QUERIES = [f"q{i:02}" for i in range(18)]
COUNTRIES: dict[str | None, list[str]] = {
    "de": QUERIES[:7],
    "fr": QUERIES[7:12],
    None: QUERIES[12:],
}
WEIGHTS = {query: str(i % 4) for i, query in enumerate(QUERIES[:12])}
NAMES = ("model=small", "model=large")
MEASURES = ("nDCG@5", "RR(missing='omit')")


@pytest.fixture
def seeds(here: Path, once: Once) -> Warehouse:  # noqa: ARG001 - where it is made
    """Make two systems of three seeds and two folds; a seed lacks some queries.

    A part of what is returned is judged. The last queries have no country.
    """

    def fill() -> None:
        drawn = random.Random(5)
        documents = [f"d{i}" for i in range(8)]

        def ranked(queries: list[str]) -> dict[str, dict[str, float]]:
            return {q: {d: drawn.random() for d in documents} for q in queries}

        lines = [
            f"{query},{country or ''},{WEIGHTS.get(query, '')},{i % 2}"
            for country, queries in COUNTRIES.items()
            for i, query in enumerate(queries)
        ]
        Path("queries.csv").write_text(
            "\n".join(["query_id,country,weight,even", *lines])
        )
        with Warehouse.write("ndcg.duckdb") as own:
            own.load_queries("queries.csv")
            for model in ("small", "large"):
                for seed in SEEDS:
                    answered = QUERIES[:-2] if (model, seed) == ("large", "2") else None
                    own.load_run(
                        ranked(answered or QUERIES),
                        f"{model}-{seed}",
                        tags={"seed": seed, "model": model},
                    )
                for fold in range(2):
                    own.load_run(
                        ranked(QUERIES[fold:-1:2]),
                        f"{model}-fold{fold}",
                        tags={"fold": str(fold), "model": model},
                    )
            own.load_judgments(
                {
                    q: {d: float(drawn.choice([0, 1, 2])) for d in documents[:5]}
                    for q in QUERIES
                }
            )

    once(fill)
    return Warehouse("ndcg.duckdb")


def averaged(own: Warehouse, measure: str, model: str, tag: str) -> dict[str, float]:
    """Return the mean value of each query over replicates; NaN where there is none.

    In folds, a query has the value of the only run that answered it, or 0.
    """
    runs = [
        f"{model}-{part}" for part in (SEEDS if tag == "seed" else ("fold0", "fold1"))
    ]
    frame: Any = own.report(measure, runs=runs, per_query=True).df()
    values = frame.groupby("query_id")["value"]
    # An omitted query has no value, and the others of a fold have 0.
    return dict(values.mean() if tag == "seed" else values.sum())


def differences(
    own: Warehouse, measure: str, tag: str, queries: list[str]
) -> tuple[Array, Array]:
    """Return the values of both systems for the queries for which both have one."""
    small, large = (averaged(own, measure, name, tag) for name in ("small", "large"))
    values = np.array([[small[query], large[query]] for query in queries])
    kept = values[~np.isnan(values).any(axis=1)]
    return kept[:, 0], kept[:, 1]


def sign_flips(change: Array) -> float:
    """Return the share of all assignments of signs with a sum at least as large."""
    signs: Array = np.array(list(itertools.product((1, -1), repeat=len(change))))
    sums: Array = np.abs(signs @ change)
    return float((sums >= abs(change.sum()) - 1e-9).mean())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tag", "measure"),
    [("seed", MEASURES[0]), ("seed", MEASURES[1]), ("fold", MEASURES[0])],
)
def test_slices_of_systems_are_tested_by_the_means_of_their_queries(
    ndcg: Command, seeds: Warehouse, tag: str, measure: str
) -> None:
    asked = ("compare", *NAMES, "--over", tag, "--by", "country", "-m", measure)
    result = ndcg(*asked, "--correct", "holm", "--format", "json")
    assert result.code == 0, result.err
    rows = json.loads(result.out)
    assert {row["country"]: row["n"] for row in rows} == {
        country: len(queries) for country, queries in COUNTRIES.items()
    }
    for row in rows:
        queries = COUNTRIES[row["country"]]
        small, large = differences(seeds, measure, tag, queries)
        change = large - small
        tested = scipy.stats.ttest_rel(large, small)
        assert (row["baseline"], row["candidate"]) == NAMES
        assert row["baseline_value"] == pytest.approx(small.mean(), abs=1e-12)
        assert row["candidate_value"] == pytest.approx(large.mean(), abs=1e-12)
        assert row["difference"] == pytest.approx(change.mean(), abs=1e-12)
        assert row["p_t"] == pytest.approx(tested.pvalue, abs=1e-9)
        interval = tested.confidence_interval(0.95)
        assert (row["ci_low"], row["ci_high"]) == pytest.approx(tuple(interval))
        assert row["p_randomization"] == pytest.approx(sign_flips(change), abs=1e-12)
        counts = [sum(change >= 5e-13), sum(abs(change) < 5e-13)]
        assert [row["wins"], row["ties"]] == counts
        weights = np.array([float(WEIGHTS.get(query, "nan")) for query in queries])
        if np.isnan(weights).all():
            assert row["weighted_difference"] is None
        else:
            weighted = np.average(change, weights=weights)
            assert row["weighted_difference"] == pytest.approx(weighted, abs=1e-12)
    least = min(row["p_randomization"] for row in rows)
    adjusted = min(row["p_adjusted"] for row in rows)
    assert adjusted == pytest.approx(min(len(rows) * least, 1))


@pytest.mark.slow
@pytest.mark.parametrize("kind", exploring.mostly_slow(["compare", "gate"], "compare"))
def test_a_system_of_one_replicate_has_the_slices_of_its_run(
    here: Path, kind: str
) -> None:
    lines = [f"{query},{'de' if query < 'q07' else 'fr'}" for query in QUERIES]
    (here / "queries.csv").write_text("\n".join(["query_id,country", *lines]))
    drawn = random.Random(2)
    with Warehouse.memory() as own:
        own.load_judgments({q: {"a": 2, "b": 1} for q in QUERIES})
        for model in ("small", "large"):
            ranked = {q: drawn.sample(("a", "b", "c"), 3) for q in QUERIES}
            own.load_run(ranked, model, tags={"model": model, "seed": "1"})
        own.load_queries("queries.csv")
        asked: Any = own.compare if kind == "compare" else own.gate
        plain = [{**row} for row in asked("small", "large", "nDCG@2", by="country")]
        over = asked("small", "large", "nDCG@2", by="country", over="seed")
        named = {"baseline": NAMES[0], "candidate": NAMES[1]}
        assert [{**row} for row in over] == [{**row, **named} for row in plain]
    assert len(plain) == (2 if kind == "compare" else 3)


@pytest.mark.slow
@pytest.mark.parametrize("tag", ["seed", "fold"])
def test_a_gate_decides_on_slices_of_means_over_replicates(
    ndcg: Command, seeds: Warehouse, tag: str
) -> None:
    asked = ("gate", *NAMES, "--over", tag, "-m", MEASURES[0], "--correct", "none")
    strict = (*asked, "--strict", "--max-drop", "1")
    expected = {
        country: float(np.mean(large - small))
        for country, queries in COUNTRIES.items()
        for small, large in [differences(seeds, MEASURES[0], tag, queries)]
    }
    worst = -min(expected.values())
    for allowed in (max(worst, 0) + 1e-3, max(worst - 1e-3, 0)):
        code = int(allowed < worst)
        result = ndcg(
            *strict, "--max-drop-in", f"country={allowed}", "--format", "json"
        )
        assert result.code == code
        rows = [row for row in json.loads(result.out) if row["attribute"]]
        assert {row["slice"]: row["difference"] for row in rows} == pytest.approx(
            expected, abs=1e-12
        )
        outcomes = {row["slice"]: row["outcome"] for row in rows}
        assert outcomes == {
            country: "fail" if -change > allowed else "pass"
            for country, change in expected.items()
        }
    table = ndcg(*asked, "--by", "country", "--by", "even").out
    assert "intervals and p cover other queries, not other replicates\n" in table
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answer = seeds.gate(
            *NAMES, MEASURES[0], over=tag, max_drop=1, max_drop_in={"country": 1}
        )
    assert answer.passed
    assert len(list(answer)) == 1 + len(COUNTRIES)
    refused = ndcg(*asked, "--max-drop-in", "county=1")
    told = "no query has this attribute; did you mean"
    assert refused.err.startswith(f"--max-drop-in county: {told}")
