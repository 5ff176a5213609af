"""The gate on published runs: a real drop fails, noise and three queries do not."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from support.commands import Command
from support.files import write_run
from support.gates import gate, rows


def write_changed(
    path: Path, source: Path, change: Callable[[list[str]], list[str]]
) -> None:
    """Write a run whose first fifty documents a function orders anew, by query."""
    opened = gzip.open if source.suffix == ".gz" else open
    documents: dict[str, list[tuple[float, str]]] = {}
    with opened(source, "rt") as file:
        for query, _, document, _, score, _ in map(str.split, file):
            documents.setdefault(query, []).append((float(score), document))
    ranked = {
        query: change([document for _, document in sorted(found, reverse=True)[:50]])
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
    changes: dict[str, Callable[[list[str]], list[str]]] = {
        "base": list,
        "same": list,
        "noisy": slightly(Random(1)),
        "worse": lambda ds: [*ds[3:], *ds[:3]],
    }
    for name, change in changes.items():
        write_changed(tmp_path / name, published, change)
    assert ndcg("load", "judgments", folder / "qrels.dl19-passage.txt.gz").code == 0
    assert ndcg("load", "run", "base", "same", "noisy", "worse").code == 0
    for name, outcome in {"same": "pass", "noisy": "pass", "worse": "fail"}.items():
        result = gate(ndcg, name, "-m", "nDCG@10", "--format", "json")
        (row,) = json.loads(result.out)
        assert (row["n"], row["outcome"]) == (43, outcome)
        assert result.code == (outcome == "fail")


@pytest.mark.slow
def test_three_queries_are_underpowered(
    ndcg: Command, tmp_path: Path, shared: Path
) -> None:
    folder = shared / "trec_eval"
    run = folder / "results.test"
    write_changed(tmp_path / "base", run, list)
    write_changed(tmp_path / "worse", run, lambda ds: [*ds[20:], *ds[:20]])
    assert ndcg("load", "judgments", folder / "qrels.test").code == 0
    assert ndcg("load", "run", "base", "worse").code == 0
    found = rows(ndcg, "worse", "-m", "AP nDCG@10")
    assert {(row["n"], row["outcome"]) for row in found} == {(3, "underpowered")}
    # Of three signs, the smallest p is a quarter; the test of Student has no least.
    assert all("nor can be with 3 queries" in row["reason"] for row in found)
    (row,) = rows(ndcg, "worse", "-m", "AP", "--test", "t")
    assert row["reason"].endswith("is not below 0.05")
    for options, code in (((), 0), (("--underpowered", "fail"), 1), (("--strict",), 1)):
        assert gate(ndcg, "worse", "-m", "AP", *options).code == code
