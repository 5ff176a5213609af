"""What nobody judged: holes, ranked by what one more judgment could change."""

import json
from collections.abc import Callable, Mapping
from math import log2
from pathlib import Path
from random import Random

import pytest

from support.commands import Command, Once
from support.files import write_judgments, write_run
from support.worlds import World, world

pytestmark = pytest.mark.slow

WORLD = world(11, 48)
Gain = Callable[[float], float]
Discount = Callable[[int], float]
Run = dict[str, dict[str, float]]
Hole = tuple[str, str, int, int, float]


def _other_run(seed: int) -> Run:
    """Return some documents of the world's run in another order."""
    random = Random(seed)
    return {
        query: {d: random.random() for d in documents if random.random() < 0.8}
        for query, documents in WORLD.ranked.items()
    }


RUNS = {"one": WORLD.ranked, "two": _other_run(1), "three": _other_run(2)}


def _linear(grade: float) -> float:
    return max(grade, 0)


def _exponential(grade: float) -> float:
    return 2 ** max(grade, 0) - 1


def _gain_of_one(grade: float) -> float:
    return 9 if grade == 1 else _linear(grade)


def _from_three(grade: float) -> float:
    return grade if grade >= 3 else 0


def _none(grade: float) -> float:
    return 0 * grade


def _by_log2(position: int) -> float:
    return log2(position + 1)


def _jk(base: float) -> Discount:
    return lambda position: 1 if position < base else log2(position) / log2(base)


def holes(
    runs: Mapping[str, Run], gain: Gain, discount: Discount, cutoff: int, depth: int
) -> list[Hole]:
    """Return the holes of WORLD by definition, those first that could change most."""
    best = max(gain(g) for grades in WORLD.judged.values() for g in grades.values())
    changes: dict[tuple[str, str], list[tuple[int, float]]] = {}
    for ranked in runs.values():
        for query, documents in World(WORLD.judged, ranked).rankings.items():
            for position, document in enumerate(documents[:depth], 1):
                if WORLD.judged[query].get(document, -1) < 0:
                    change = best / discount(position) if position <= cutoff else 0
                    own = changes.setdefault((query, document), [])
                    own.append((position, change))
    found: list[Hole] = []
    for (query, document), own in changes.items():
        change = sum(sorted(change for _, change in own))
        if len(runs) == 2 == len(own):
            change = abs(own[0][1] - own[1][1])
        found.append((query, document, len(own), min(own)[0], change))
    return sorted(found, key=lambda h: (-h[4], h[3], -h[2], h[0].encode(), h[1]))


@pytest.fixture
def runs(ndcg: Command, once: Once) -> None:
    """Load the world; the first of its runs is not evaluated."""

    def fill() -> None:
        write_judgments(Path("qrels"), WORLD.judged)
        for name, ranked in RUNS.items():
            write_run(Path(name), ranked)
        assert ndcg("load", "run", "one").code == 0
        assert ndcg("load", "judgments", "qrels", "--no-evaluate").code == 0
        assert ndcg("load", "run", "two", "three").code == 0

    once(fill)


ALL = 1000
# By measure: what it is ranked by, gain, discount, cutoff.
CASES: dict[str, tuple[str, Gain, Discount, int]] = {
    "nDCG@10": ("nDCG@10", _linear, _by_log2, 10),
    "nDCG": ("nDCG", _linear, _by_log2, ALL),
    "DCG(dcg='exp-log2')@5": ("DCG(dcg='exp-log2')@5", _exponential, _by_log2, 5),
    "nDCG(dcg='jk',base=4)@8": ("nDCG(dcg='jk',base=4)@8", _linear, _jk(4), 8),
    "nDCG(dcg='exp-jk')@8": ("nDCG(dcg='exp-jk')@8", _exponential, _jk(2), 8),
    "DCG(base=3)@4": ("DCG(base=3)@4", _linear, lambda p: log2(p + 1) / log2(3), 4),
    "nDCG(gains={1:9})": (
        *("nDCG(gains={1:9})", _gain_of_one, _by_log2),
        ALL,
    ),
    "nDCG(rel=3)@3": ("nDCG(rel=3)@3", _from_three, _by_log2, 3),
    # No grade has a gain: nothing can change, and what stands highest is first.
    "nDCG(rel=9)@3": ("nDCG(rel=9)@3", _none, _by_log2, 3),
    "nDCG(gains={1:-1,2:-2,3:-3})@3": (
        *("nDCG(gains={1:-1,2:-2,3:-3})@3", _none, _by_log2, 3),
    ),
    # What has no gains and discounts is ranked as nDCG.
    "AP": ("nDCG", _linear, _by_log2, ALL),
    "P(rel=2)@5": ("nDCG@5", _linear, _by_log2, 5),
    "ERR@7": ("nDCG@7", _linear, _by_log2, 7),
    "IPrec@0.5": ("nDCG", _linear, _by_log2, ALL),
}


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize("measure", CASES)
def test_holes_are_ranked_by_their_definition(ndcg: Command, measure: str) -> None:
    ranked_by, gain, discount, cutoff = CASES[measure]
    compared = 0
    for depth, names in (
        (None, ("one",)),
        (3, ("one", "two")),
        (None, ("one", "three")),
        (12, ("one", "two", "three")),
    ):
        asked = [part for name in names for part in ("--run", name)]
        asked += ["--depth", str(depth)] if depth else []
        result = ndcg("holes", "-m", measure, *asked, "--format", "json")
        deep = depth or (cutoff if cutoff < ALL else 10)
        expected = holes({n: RUNS[n] for n in names}, gain, discount, cutoff, deep)
        rows = json.loads(result.out)
        columns = ("query_id", "doc_id", "runs", "best_position", "largest_change")
        assert [tuple(row[c] for c in columns) for row in rows] == expected
        assert {row["measure"] for row in rows} == {ranked_by}
        told = f"{len(rows)} unjudged documents among the first {deep} of "
        assert told in result.err
        assert result.err.endswith(f"ranked by {ranked_by}\n")
        compared += len(rows)
    assert compared > 200


@pytest.mark.usefixtures("runs")
def test_a_limit_shows_the_first_and_tells_how_many_there_are(ndcg: Command) -> None:
    asked = ("holes", "-m", "nDCG@2", "--depth", "3", "--format", "json")
    everything = ndcg(*asked)
    found = json.loads(everything.out)
    result = ndcg(*asked, "--limit", "1")
    assert json.loads(result.out) == found[:1]
    assert result.err == f"{everything.err}1 of {len(found)} rows shown\n"
    assert ndcg(*asked, "--limit", str(len(found))) == everything
    assert list(found[0])[-2:] == ["judgment_set", "dataset"]
    # Unjudged queries are told, and left out.
    assert everything.err.startswith("4 queries without any judgment: left out\n")


@pytest.mark.usefixtures("runs")
def test_what_cannot_be_listed_is_refused(ndcg: Command) -> None:
    assert ndcg("gains", "add", "tiny", "1=2").code == 0
    for options, message in {
        ("-m", "P@5 AP"): "holes ranks by one measure, not by 2; name one",
        ("--depth", "0"): "--depth 0: must be 1 or more",
        ("--limit", "0"): "--limit 0: must be 1 or more",
        ("--run", "on"): 'no run "on"; did you mean "one"',
        ("--judgments", "x"): 'no judgment set "x"; known: "qrels"',
        ("-m", "nDCG(gains='tiny')"): 'judgment set "qrels" has the grades 0, 2, 3: g',
    }.items():
        assert ndcg("holes", *options).refusal.startswith(message), options


def test_gains_and_differences_are_those_of_each_dataset(ndcg: Command) -> None:
    write_run(Path("run"), {"q": {"b": 1}})
    write_run(Path("other"), {"q": {"c": 2, "b": 1}})
    for dataset, grade in (("x", 1), ("y", 3)):
        write_judgments(Path("qrels"), {"q": {"a": grade}})
        assert ndcg("load", "judgments", "qrels", "--dataset", dataset).code == 0
        assert ndcg("load", "run", "run", "--dataset", dataset).code == 0
    assert ndcg("load", "run", "other", "--dataset", "x").code == 0
    # Without a registered measure that has discounts, it is nDCG@10.
    assert ndcg("measures", "remove", "nDCG@10").code == 0
    rows = json.loads(ndcg("holes", "--format", "json").out)
    columns = ("dataset", "doc_id", "runs", "best_position", "largest_change")
    assert [tuple(row[column] for column in columns) for row in rows] == [
        ("y", "b", 1, 1, 3),
        ("x", "c", 1, 1, 1),
        ("x", "b", 2, 1, 1 - 1 / log2(3)),
    ]
    assert {row["measure"] for row in rows} == {"nDCG@10"}
