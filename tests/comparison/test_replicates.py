"""Runs that differ in a tag only are replicates: their means, tests and gates."""

import json
import random
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ndcg_sql.python.warehouse import Warehouse
from support import exploring
from support.commands import Command, Once, records
from support.scripts import scripted

pytestmark = [
    pytest.mark.mostly_slow,
    pytest.mark.filterwarnings("ignore::UserWarning"),
]

test_script = scripted(__file__)

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
    """Make two systems of three seeds and two folds, and a run without any.

    A part of what is returned is judged; a seed lacks some queries; the last query is
    in no fold. The last queries have no country.
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
            own.load_run(ranked(QUERIES), "alone", tags={"model": "alone"})
            for model in ("small", "large"):
                for seed in SEEDS:
                    fewer = (model, seed) == ("large", "2")
                    tags = {"seed": seed, "model": model}
                    answered = QUERIES[: -2 if fewer else None]
                    own.load_run(ranked(answered), f"{model}-{seed}", tags=tags)
                for fold in "01":
                    tags = {"fold": fold, "model": model}
                    answered = QUERIES[int(fold) : -1 : 2]
                    own.load_run(ranked(answered), f"{model}-fold{fold}", tags=tags)
            # Loaded last, they are evaluated with all runs at once.
            own.load_judgments(
                {
                    q: {d: drawn.choice([0, 1, 2]) for d in documents[:5]}
                    for q in QUERIES
                }
            )

    once(fill)
    return Warehouse("ndcg.duckdb")


def by_query(own: Warehouse, measure: str, model: str, tag: str) -> dict[str, float]:
    """Return the mean value of each query over replicates; NaN where there is none.

    In folds, a query has the value of the only run that answered it, or 0.
    """
    parts = SEEDS if tag == "seed" else ("fold0", "fold1")
    runs = [f"{model}-{part}" for part in parts]
    frame: Any = own.report(measure, runs=runs, per_query=True).df()
    values = frame.groupby("query_id")["value"]
    # An omitted query has no value, and the others of a fold have 0.
    return dict(values.mean() if tag == "seed" else values.sum())


def pairs(own: Warehouse, measure: str, tag: str, queries: list[str]) -> Array:
    """Return the values of both systems for the queries for which both have one."""
    small, large = (by_query(own, measure, name, tag) for name in ("small", "large"))
    values = np.array([[one[query] for query in queries] for one in (small, large)])
    return values[:, ~np.isnan(values).any(axis=0)]


def sign_flips(change: Array) -> float:
    """Return the share of all assignments of signs with a sum at least as large."""
    sums: Array = np.zeros(1)
    for one in change:
        sums = np.concatenate([sums - one, sums + one])
    return float((np.abs(sums) >= abs(change.sum()) - 1e-9).mean())


@pytest.mark.parametrize("by", [[], ["country"], ["country", "even"]])
def test_a_report_has_means_and_deviations(
    ndcg: Command, seeds: Warehouse, by: list[str]
) -> None:
    options = [word for name in by for word in ("--by", name)]
    asked = ("report", "-m", "nDCG@5 AP", "--over", "seed", *options)
    assert '5 runs without the tag "seed" omitted\n' in ndcg(*asked).err
    found = records(ndcg, *asked)
    names = ["small-?", "large-?"]
    single: Any = seeds.report("nDCG@5 AP", runs=names, by=by or None).df()
    single["system"] = "model=" + single["run"].str[:5]
    keys = ["system", *by, "measure"]
    groups = {
        tuple(None if part != part else part for part in key): group
        for key, group in single.groupby(keys, dropna=False, sort=False)["value"]
    }
    assert len(found) == len(groups)
    for row in found:
        own = groups[tuple(row[name] for name in keys)]
        expected = {
            "value": pytest.approx(own.mean(), abs=1e-12),
            "deviation": pytest.approx(own.std(), abs=1e-12),
            **{"least": own.min(), "greatest": own.max(), "replicates": 3},
        }
        assert {name: row[name] for name in expected} == expected
    assert sum(row["n"] for row in found) == 2 * 2 * len(QUERIES)
    rows = list(seeds.report("nDCG@5 AP", over="seed", by=by or None))
    assert [{**row} for row in rows] == found


@pytest.mark.parametrize("by", [(), ("--by", "country")])
@pytest.mark.parametrize(
    ("tag", "measure"),
    exploring.sampled(
        [("fold", MEASURES[0]), ("seed", MEASURES[0]), ("seed", MEASURES[1])], 3
    ),
)
def test_systems_are_tested_by_the_means_of_their_queries(
    ndcg: Command, seeds: Warehouse, tag: str, measure: str, by: tuple[str, ...]
) -> None:
    # A run stands for its system, as do patterns of its runs.
    names = NAMES if by else (f"small-{tag[:4] * (tag == 'fold')}*", "model=large")
    asked = ("compare", *names, "--over", tag, *by, "-m", measure)
    result = ndcg(*asked, "--format", "json")
    assert result.code == 0, result.err
    rows = json.loads(result.out)
    slices = COUNTRIES if by else {"all": QUERIES}
    for row, (country, queries) in zip(rows, slices.items(), strict=True):
        assert row.get("country", "all") == country
        small, large = pairs(seeds, measure, tag, queries)
        change = large - small
        tested = scipy.stats.ttest_rel(large, small)
        low, high = tested.confidence_interval(0.95)
        weights = np.array([float(WEIGHTS.get(query, "nan")) for query in queries])
        known = ~np.isnan(weights)
        weighted = known.any() and np.average(change[known], weights=weights[known])
        expected = {
            **dict(zip(("baseline", "candidate"), NAMES, strict=True)),
            "n": len(queries),
            "baseline_value": pytest.approx(small.mean(), abs=1e-12),
            "candidate_value": pytest.approx(large.mean(), abs=1e-12),
            "difference": pytest.approx(change.mean(), abs=1e-12),
            "p_t": pytest.approx(tested.pvalue, abs=1e-9),
            "ci_low": pytest.approx(low),
            "ci_high": pytest.approx(high),
            "p_randomization": pytest.approx(sign_flips(change), abs=1e-12),
            "wins": (change >= 5e-13).sum(),
            "ties": (abs(change) < 5e-13).sum(),
            "weighted_difference": pytest.approx(weighted, abs=1e-12)
            if known.any()
            else None,
        }
        assert {name: row[name] for name in expected} == expected
    least = min(row["p_randomization"] for row in rows)
    adjusted = min(row["p_adjusted"] for row in rows)
    assert adjusted == pytest.approx(min(len(rows) * least, 1))
    told = ndcg(*asked).out
    assert "intervals and p cover other queries, not other replicates\n" in told
    if tag == "fold":
        assert "2 replicates, each query from the one that answered\n" in told
        lines = [f'run "{name}": 1 judged query without an answer' for name in NAMES]
        assert result.err.splitlines() == lines
    else:
        assert '"model=large": 2 judged queries without an answer from s' in result.err
    frame: Any = seeds.compare(*NAMES, measure, over=tag, per_query=True).df()
    found = frame.set_index("query_id")["difference"].sort_index().to_numpy()
    small, large = pairs(seeds, measure, tag, QUERIES)
    assert found == pytest.approx(large - small, abs=1e-12)


@pytest.mark.parametrize("kind", exploring.mostly_slow(["compare", "gate"], "compare"))
def test_a_single_replicate_has_its_slices(here: Path, kind: str) -> None:
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


def test_systems_are_corrected_and_limited(ndcg: Command, seeds: Warehouse) -> None:
    for seed in SEEDS:
        seeds.tag(f"small-{seed}", {"size": "1"})
    seeds.load_run({"q00": {"d1": 1.0}}, "x1", tags={"seed": "1", "model": "x"})
    asked = ("compare", "small-1", "*", "--over", "seed", "-m", "nDCG@5")
    for more, count in (("--correct tukey", 2), ("--sort value --limit 1", 1)):
        rows = records(ndcg, *asked, *more.split(), "--no-queries")
        assert {row["baseline"] for row in rows} == {"model=small, size=1"}
        assert rows[0]["candidate"] == "model=large"
        assert len(rows) == count


@pytest.mark.parametrize("tag", ["seed", "fold"])
def test_a_gate_decides_on_means(ndcg: Command, seeds: Warehouse, tag: str) -> None:
    asked = ("gate", *NAMES, "-m", MEASURES[0], "--correct", "none")
    parts = {None: QUERIES, **{str(c): queries for c, queries in COUNTRIES.items()}}
    expected: dict[str | None, float] = {}
    for country, queries in parts.items():
        small, large = pairs(seeds, MEASURES[0], tag, queries)
        expected[country] = float((large - small).mean())
    worst = -min(expected.values())
    strict = (*asked, "--over", tag, "--strict", "--format", "json")
    for allowed in (max(worst, 0) + 1e-3, max(worst - 1e-3, 0)):
        limits = ("--max-drop", repr(allowed), "--max-drop-in", f"country={allowed}")
        result = ndcg(*strict, *limits)
        assert result.code == int(allowed < worst)
        for row in json.loads(result.out):
            change = expected[str(row["slice"]) if row["attribute"] else None]
            assert row["difference"] == pytest.approx(change, abs=1e-12)
            assert row["outcome"] == ("fail" if -change > allowed else "pass")
        assert result.out.count('"outcome"') == len(expected)
    small, large = pairs(seeds, MEASURES[0], tag, QUERIES)
    Path("gate.toml").write_text(f"over = '{tag}'\nmax-drop = 1\n")
    limits = ("--min", f"nDCG@5={large.mean() - 1e-3}", "--min", "AP=1")
    result = ndcg(*asked, *limits, "--config", "gate.toml", "--format", "json")
    rows = json.loads(result.out)
    assert [row["outcome"] for row in rows[1:]] == ["pass", "fail"]
    assert rows[1]["candidate_value"] == pytest.approx(large.mean(), abs=1e-12)
    table = ndcg(*asked, "--over", tag, "--by", "country", "--by", "even").out
    assert "intervals and p cover other queries, not other replicates\n" in table
    drops: Any = {"max_drop": 1, "max_drop_in": {"country": 1}}
    answer = seeds.gate(*NAMES, MEASURES[0], over=tag, **drops)
    assert (answer.passed, len(answer)) == (True, len(expected))
