"""F-measures are those of scikit-learn, for the first k documents."""

from pathlib import Path

import pytest

from support import exploring
from support.commands import Command
from support.libraries import library

RETURNED = "abcdefgh"
RELEVANT = "bdgxyz"


@pytest.mark.parametrize("k", exploring.mostly_slow([1, 2, 4, 8], 4))
@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_f_is_that_of_scikit_learn(ndcg: Command, k: int, beta: float) -> None:
    metrics = library("sklearn.metrics")
    Path("qrels").write_text("".join(f"q 0 {d} 1\n" for d in RELEVANT))
    lines = [f"q Q0 {d} 0 {-i} t\n" for i, d in enumerate(RETURNED)]
    Path("run").write_text("".join(lines))
    every = sorted({*RETURNED, *RELEVANT})
    true = [document in RELEVANT for document in every]
    chosen = [document in RETURNED[:k] for document in every]
    known = metrics.fbeta_score(true, chosen, beta=beta, zero_division=0)
    asked = ("-m", f"F(beta={beta})@{k}", "--format", "csv")
    row = ndcg("--quiet", "eval", "qrels", "run", *asked).out.splitlines()
    value = float(dict(zip(*(line.split(",") for line in row), strict=True))["value"])
    assert value == pytest.approx(known, abs=1e-12)
