"""The gate on published runs: a real drop fails, noise and three queries do not."""

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from support.commands import Command
from support.files import write_run
from support.gates import gate


def lines_of(path: Path) -> list[list[str]]:
    """Return the fields of a run, packed or not."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt") as file:
        return [line.split() for line in file]


def write_changed(
    path: Path, lines: list[list[str]], change: Callable[[list[str]], list[str]]
) -> None:
    """Write a run whose documents a function orders anew, query by query."""
    documents: dict[str, list[tuple[float, str]]] = {}
    for query, _, document, _, score, _ in lines:
        documents.setdefault(query, []).append((float(score), document))
    ranked = {
        query: change([document for _, document in sorted(found, reverse=True)])
        for query, found in documents.items()
    }
    write_run(path, {q: {d: -i for i, d in enumerate(ds)} for q, ds in ranked.items()})


def slightly(random: Random) -> Callable[[list[str]], list[str]]:
    """Return what swaps two neighbours in the second half of the first ten."""

    def change(documents: list[str]) -> list[str]:
        i = random.randrange(5, 10)
        return [*documents[:i], documents[i + 1], documents[i], *documents[i + 2 :]]

    return change


@pytest.mark.slow
def test_a_real_drop_fails_and_noise_does_not(
    ndcg: Command, tmp_path: Path, shared: Path
) -> None:
    folder = shared / "dl19"
    published = folder / "run.dl19-passage.bm25-default.top1000.txt.gz"
    lines = [line for line in lines_of(published) if int(line[3]) <= 50]
    write_changed(tmp_path / "base", lines, lambda documents: documents)
    write_changed(tmp_path / "same", lines, lambda documents: documents)
    write_changed(tmp_path / "noisy", lines, slightly(Random(1)))
    write_changed(tmp_path / "worse", lines, lambda ds: [*ds[3:], *ds[:3]])
    assert ndcg("load", "judgments", folder / "qrels.dl19-passage.txt.gz").code == 0
    assert ndcg("load", "run", "base", "same", "noisy", "worse").code == 0
    codes: dict[str, int] = {}
    outcomes: dict[str, str] = {}
    for name in ("same", "noisy", "worse"):
        result = gate(ndcg, name, "-m", "nDCG@10", "--format", "json")
        codes[name] = result.code
        (row,) = json.loads(result.out)
        assert row["n"] == 43
        outcomes[name] = row["outcome"]
    assert outcomes == {"same": "pass", "noisy": "pass", "worse": "fail"}
    assert codes == {"same": 0, "noisy": 0, "worse": 1}


@pytest.mark.slow
def test_three_queries_are_underpowered(
    ndcg: Command, tmp_path: Path, shared: Path
) -> None:
    folder = shared / "trec_eval"
    lines = lines_of(folder / "results.test")
    write_changed(tmp_path / "worse", lines, lambda ds: [*ds[20:], *ds[:20]])
    shutil.copy(folder / "results.test", tmp_path / "base")
    assert ndcg("load", "judgments", folder / "qrels.test").code == 0
    assert ndcg("load", "run", "base", "worse").code == 0
    result = gate(ndcg, "worse", "-m", "AP nDCG@10", "--format", "json")
    found = json.loads(result.out)
    assert {(row["n"], row["outcome"]) for row in found} == {(3, "underpowered")}
    assert all(row["difference"] < -0.01 for row in found)
    told = "gate passed; 2 of 2 rules underpowered, 2 with a drop above the tolerance\n"
    assert (result.code, result.err) == (0, told)
    # Of three signs, the smallest p is a quarter; the test of Student has no least.
    assert all("nor can be with 3 queries" in row["reason"] for row in found)
    told = gate(ndcg, "worse", "-m", "AP", "--test", "t").out
    assert "is not below 0.05" in told
    assert "never" not in told
    assert gate(ndcg, "worse", "-m", "AP", "--underpowered", "fail").code == 1
    assert gate(ndcg, "worse", "-m", "AP", "--strict").code == 1
