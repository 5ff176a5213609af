"""The page for users of other libraries: both sides of each pair give the same."""

import random
import re
import warnings
from typing import Any

import numpy as np
import pytest

import ndcg_sql
from support import exploring, pages, subtopics
from support.libraries import library

# Most runs here answer fewer queries than are judged, which is warned of.
pytestmark = pytest.mark.filterwarnings("ignore:.* judged quer.* without an answer")
_PAGE = pages.ROOT / "docs" / "coming-from.md"
Judged = dict[str, dict[str, int]]
Ranked = dict[str, dict[str, float]]


def _pairs() -> dict[str, tuple[str, str]]:
    text = _PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r'```python title="([\w-]+)"\n(.*?)```', text, re.DOTALL)
    theirs, ours = blocks[::2], blocks[1::2]
    assert {name for name, _ in ours} == {"ndcg-sql"}
    return {
        name: (code, own) for (name, code), (_, own) in zip(theirs, ours, strict=True)
    }


PAIRS = _pairs()


def _run(library_name: str, given: dict[str, Any]) -> tuple[Any, Any]:
    """Return what both sides of a pair have found, as their variables."""
    sides = [dict(given), dict(given)]
    for code, names in zip(PAIRS[library_name], sides, strict=True):
        exec(code, names)
    return sides[0], sides[1]


def _world(
    seed: int, ties: bool = True, answered: bool = False
) -> tuple[Judged, Ranked]:
    draw = random.Random(seed)
    queries = [f"q{n}" for n in range(40)]
    docs = [f"d{n}" for n in range(60)]
    judged = {
        query: {doc: draw.choice([0, 0, 1, 2, 3]) for doc in draw.sample(docs, 15)}
        for query in queries
    }
    levels = 12 if ties else 10**9
    ranked: Ranked = {}
    for query in queries if answered else queries[3:]:
        shown = draw.sample(docs, draw.randint(1, 40))
        scores = (
            [draw.randrange(levels) / 4 for _ in shown]
            if ties
            else draw.sample(range(levels), len(shown))
        )
        ranked[query] = dict(zip(shown, map(float, scores), strict=True))
    return judged, ranked


@pytest.mark.slow
@pytest.mark.parametrize("seed", exploring.sampled(range(3), 3))
def test_ir_measures_gives_the_same(seed: int) -> None:
    library("ir_measures")
    judgments, run = _world(seed)
    theirs, ours = _run("ir_measures", {"judgments": judgments, "run": run})
    means = {str(measure): value for measure, value in theirs["found"].items()}
    assert dict(ours["found"]) == pytest.approx(means, abs=1e-9)
    values = {row.query_id: row.value for row in theirs["per_query"]}
    own = {q: v for q, name, v in ours["per_query"] if name == "nDCG@10"}
    assert own == pytest.approx(values, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("seed", exploring.sampled(range(3), 3))
def test_pytrec_eval_gives_the_same(seed: int) -> None:
    library("pytrec_eval")
    judgments, run = _world(seed, answered=True)
    theirs, ours = _run("pytrec_eval", {"judgments": judgments, "run": run})
    assert [*ours["found"]] == ["ndcg_cut.10", "map", "recip_rank"]
    for query, name, value in ours["found"].per_query:
        there = theirs["found"][query][name.replace(".", "_")]
        assert value == pytest.approx(there, abs=1e-9), (query, name)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_ranx_gives_the_same(seed: int) -> None:
    library("ranx")
    judgments, run = _world(seed, ties=False, answered=True)
    _, other = _world(seed + 50, ties=False, answered=True)
    given = {"judgments": judgments, "run": run, "other": other}
    with warnings.catch_warnings():
        # numba's, of its own casts.
        warnings.simplefilter("ignore")
        theirs, ours = _run("ranx", given)
    assert list(ours["found"].values()) == pytest.approx(
        list(theirs["found"].values()), abs=1e-9
    )
    rows = [row for row in ours["table"] if row["measure"] == "nDCG@10"]
    assert rows[0]["candidate"] == "other"
    assert rows[0]["baseline_value"] == pytest.approx(theirs["found"]["ndcg@10"])
    # Its own objects are taken as they are.
    ranx: Any = library("ranx")
    own = ndcg_sql.evaluate(ranx.Qrels(judgments), ranx.Run(run), "nDCG@10")
    assert own["nDCG@10"] == pytest.approx(theirs["found"]["ndcg@10"], abs=1e-9)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_names_of_ranx_mean_what_they_mean_there() -> None:
    ranx: Any = library("ranx")
    judgments, run = _world(7, ties=False, answered=True)
    names = ["hits@10", "hit_rate@10", "hits@3", "hits"]
    theirs = ranx.evaluate(ranx.Qrels(judgments), ranx.Run(run), names)
    ours = ndcg_sql.evaluate(judgments, run, names, like="ranx")
    assert dict(ours) == pytest.approx(theirs, abs=1e-9)
    assert ours["hits@10"] > 1


@pytest.mark.slow
def test_two_names_of_a_measure_of_a_system_are_both_found() -> None:
    judged, run = {"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    names = "hits@10 hit_rate@10 Success@10"
    found = ndcg_sql.evaluate(judged, run, names, like="ranx")
    assert dict(found) == {"hits@10": 2, "hit_rate@10": 1, "Success@10": 1}
    assert [row.measure for row in found.per_query] == names.split()
    assert ndcg_sql.evaluate(judged, run, "hits@10")["hits@10"] == 1


@pytest.mark.parametrize("seed", exploring.sampled(range(3), 3))
def test_scikit_learn_gives_the_same(seed: int) -> None:
    library("sklearn")
    random_ = np.random.default_rng(seed)
    grades = random_.integers(0, 4, (20, 30)).tolist()
    scores = (random_.integers(0, 8, (20, 30)) / 2).tolist()
    theirs, ours = _run("scikit-learn", {"grades": grades, "scores": scores})
    [value] = ours["found"].values()
    assert value == pytest.approx(theirs["found"], abs=1e-9)


@pytest.mark.parametrize("seed", exploring.sampled(range(3), 3))
def test_pyndeval_gives_the_same(seed: int) -> None:
    library("pyndeval")
    made = subtopics.world(seed)
    judgments = [(q, t, d, int(grade)) for q, t, d, grade in made.judged]
    run = {
        query: {doc: float(-place) for place, doc in enumerate(docs)}
        for query, docs in made.ranked.items()
    }
    theirs, ours = _run("pyndeval", {"judgments": judgments, "run": run})
    for query, name, value in ours["found"].per_query:
        there = subtopics.plain(theirs["found"].get(query, {}).get(name, 0))
        assert value == pytest.approx(there, abs=1e-9), (query, name)
