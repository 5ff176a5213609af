"""Rank-biased overlap of two runs, against its definition written out."""

from pathlib import Path
from random import Random

import pytest

from support import exploring
from support.commands import Command, load_texts, records
from support.files import write_run

RELEVANT = ("relevant_in_both", "relevant_in_run_only", "relevant_in_other_only")


def overlap(a: list[str], b: list[str], p: float) -> float:
    """Return the extrapolated overlap, as Webber et al. 2010 define it (32)."""
    short, long = sorted((a, b), key=len)
    s, n = len(short), len(long)
    common = [len({*short[:d]} & {*long[:d]}) for d in range(n + 1)]
    agreed = sum(common[d] / d * p**d for d in range(1, n + 1))
    assumed = sum(common[s] * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
    beyond = (common[n] - common[s]) / n + common[s] / s
    return (1 - p) / p * (agreed + assumed) + beyond * p**n


def scored(documents: list[str]) -> dict[str, float]:
    return {document: -i for i, document in enumerate(documents)}


@pytest.mark.parametrize(
    ("a", "b", "value"),
    [("abcd", "bace", 0.71775), ("abc", "abcde", 1), ("ab", "cd", 0), ("a", "a", 1)],
)
def test_known_values(ndcg: Command, a: str, b: str, value: float) -> None:
    write_run(Path("a"), {"q": scored([*a])})
    write_run(Path("b"), {"q": scored([*b])})
    assert ndcg("load", "run", "a", "b").code == 0
    [row] = records(ndcg, "overlap", "a", "b")
    assert row == {
        **{"run": "a", "other_run": "b", "judgment_set": None},
        "rank_biased_overlap": pytest.approx(value, abs=1e-12),
        **{"n": 1, "answered_by_both": 1, **dict.fromkeys(RELEVANT)},
    }


@pytest.mark.slow
@pytest.mark.parametrize("p", exploring.sampled([0.1, 0.9, 0.999], 3))
def test_random_rankings(ndcg: Command, p: float) -> None:
    random = Random(3)
    names = [f"d{i}" for i in range(60)]
    lists = {
        f"q{i}": [random.sample(names, random.randint(1, 50)) for _ in range(2)]
        for i in range(200)
    }
    for k, name in enumerate("ab"):
        ranked = {q: scored(both[k]) for q, both in lists.items()}
        write_run(Path(name), {**ranked, f"only-{name}": {"d": 1}})
    assert ndcg("load", "run", "a", "b").code == 0
    asked = ("overlap", "a", "b", "--p", str(p))
    rows = records(ndcg, *asked, "-q")
    found = {row["query_id"]: row["rank_biased_overlap"] for row in rows}
    expected = {q: overlap(both[0], both[1], p) for q, both in lists.items()}
    expected |= {"only-a": 0, "only-b": 0}
    assert found == pytest.approx(expected, abs=1e-9)
    (mean,) = records(ndcg, *asked)
    assert mean["rank_biased_overlap"] == pytest.approx(sum(expected.values()) / 202)
    assert (mean["n"], mean["answered_by_both"]) == (202, 200)


def test_relevant_documents_that_only_one_run_returns(ndcg: Command) -> None:
    write_run(Path("a"), {"q": scored([*"abcx"]), "r": scored(["e"])})
    write_run(Path("b"), {"q": scored([*"yadz"])})
    rows = ["q 0 a 1", "q 0 b 2", "q 0 c 0", "q 0 d 1", "q 0 f 1", "r 0 e 3", "s 0 a 1"]
    load_texts(ndcg, {"judgments old": "q 0 x 1\n", "judgments new": "\n".join(rows)})
    assert ndcg("load", "run", "a", "b").code == 0
    (mean,) = records(ndcg, "overlap", "a", "b")
    assert [mean[name] for name in RELEVANT] == [1, 2, 1]
    queries = records(ndcg, "overlap", "b", "a", "-q")
    assert [
        [row["query_id"], *(row[name] for name in RELEVANT)] for row in queries
    ] == [
        ["q", 1, 1, 1],
        ["r", 0, 0, 1],
    ]
    # The newest judgments count, as in reports, whatever the runs were evaluated with.
    load_texts(ndcg, {"judgments newest --no-evaluate": "q 0 y 0.5\n"})
    [newest] = records(ndcg, "overlap", "a", "b")
    assert [newest[name] for name in RELEVANT] == [0, 0, 0]
    told = ndcg("overlap", "a", "b").err
    assert 'warning: judgment set "newest" has no grade of 1 or more' in told
    chosen = ("overlap", "a", "b", "--judgments", "new")
    assert records(ndcg, *chosen) == [mean]
    assert (mean["judgment_set"], ndcg(*chosen).err) == ("new", "")
