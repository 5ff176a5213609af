"""Runs that differ in a tag only are replicates of a system."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.python import Warehouse
from support.commands import Command, Once

SYSTEMS = ("small", "large")
SEEDS = ("1", "2", "3")


@pytest.fixture
def seeds(here: Path, once: Once) -> Warehouse:  # noqa: ARG001 - where it is made
    """Make two systems of three seeds, and a run without any."""

    def fill() -> None:
        drawn = random.Random(7)
        own = Warehouse("ndcg.duckdb")
        documents = [f"d{i}" for i in range(8)]
        queries = [f"q{i}" for i in range(5)]
        own.load_judgments(
            {q: {d: float(drawn.choice([0, 1, 2])) for d in documents} for q in queries}
        )

        def ranked() -> dict[str, dict[str, float]]:
            return {q: {d: drawn.random() for d in documents} for q in queries}

        for model in SYSTEMS:
            for seed in SEEDS:
                tags = {"seed": seed, "model": model}
                own.load_run(ranked(), f"{model}-{seed}", tags=tags)
        own.load_run(ranked(), "alone", tags={"model": "alone"})

    once(fill)
    return Warehouse("ndcg.duckdb")


def test_a_report_over_seeds_has_mean_deviation_and_count(
    ndcg: Command, seeds: Warehouse
) -> None:
    result = ndcg("report", "-m", "nDCG@5 AP", "--over", "seed", "--format", "json")
    assert result.code == 0
    assert '1 run without the tag "seed" omitted\n' in result.err
    found = json.loads(result.out)
    values = seeds.report("nDCG@5 AP").df().set_index(["run", "measure"])["value"]
    assert [(row["system"], row["measure"]) for row in found] == [
        (f"model={model}", measure) for model in SYSTEMS for measure in ("nDCG@5", "AP")
    ]
    for row in found:
        model = row["system"].removeprefix("model=")
        own = [values[f"{model}-{seed}", row["measure"]] for seed in SEEDS]
        assert row["value"] == pytest.approx(np.mean(own), abs=1e-12)
        assert row["deviation"] == pytest.approx(np.std(own, ddof=1), abs=1e-12)
        assert (row["least"], row["greatest"]) == (min(own), max(own))
        assert (row["replicates"], row["n"]) == (3, 5)
    with pytest.warns(UserWarning, match="without the tag"):
        frame = seeds.report("nDCG@5 AP", over="seed").df()
    assert frame["value"].tolist() == [row["value"] for row in found]


def test_what_is_no_replicate_is_refused_by_both_faces(
    ndcg: Command, seeds: Warehouse
) -> None:
    result = ndcg("report", "--over", "sed")
    assert (result.code, result.out) == (2, "")
    assert result.err == '--over sed: none of these runs has it; did you mean "seed"?\n'
    result = ndcg("report", "--over", "seed", "-q")
    assert result.err.startswith("--over: cannot be combined with --bounds, --by, ")
    with pytest.raises(
        NdcgSqlError, match=r"^over: cannot be combined with bounds, by"
    ):
        seeds.report(over="seed", by="device")
    seeds.load_run({"q1": {"d1": 1.0}}, "again", tags={"seed": "1", "model": "small"})
    told = 'runs "small-1" and "again" have the same tags; give them another tag, such'
    result = ndcg("report", "--over", "seed")
    assert result.err == f"--over seed: {told} as --tag model=NAME\n"
    with pytest.raises(NdcgSqlError) as error:
        seeds.report(over="seed")
    assert str(error.value).startswith(f'over="seed": {told}')
    # The way out: a tag that tells the two apart.
    seeds.tag("again", {"model": "other"})
    assert ndcg("report", "--over", "seed").code == 0
