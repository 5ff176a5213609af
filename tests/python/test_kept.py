"""Evaluations of plain dicts, whose judgments and plans are kept between calls."""

import re
import subprocess
import sys
import threading
import warnings
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

import ndcg_sql
from ndcg_sql.options import PositionRule
from ndcg_sql.python import in_memory
from ndcg_sql.reading import plain
from support.exploring import SEED, amount
from support.processes import ran

# Most runs here answer fewer queries than are judged, which is warned of.
pytestmark = pytest.mark.filterwarnings("ignore:.* judged quer.* without an answer")
Judged = dict[str, dict[str, float]]
Ranked = dict[str, dict[str, float]]
MEASURES = (
    "nDCG@10",
    *(
        pytest.param(measures, marks=pytest.mark.slow)
        for measures in (
            "nDCG(ties='mean')@3 nDCG(ideal='returned')@5 ERR@4 RBP Compat Judged@3"
            " SetF",
            "nDCG@3 nDCG AP RR R@100 P@2 Bpref gm_map",
            "nDCG(dcg='exp-log2')@5 nDCG(judged_only=true)@4 nDCG(missing='omit')@3",
            "all_trec",
        )
    ),
)


class ScoredDoc(NamedTuple):
    """A returned document, as ir_measures has it; lists of these are not kept."""

    query_id: str
    doc_id: str
    score: float


def drawn(random: Random) -> tuple[Judged, Ranked]:
    """Return judgments and a run with ties, gaps, and ids of many lengths."""
    letters = random.choice(("ab", "aé🍎\n ", "xyz0123456789"))
    ids = sorted(
        {
            "".join(random.choices(letters, k=random.choice((1, 2, 3, 12, 40))))
            for _ in range(random.randrange(3, 60))
        }
    )
    large = (1e39, 2e39, float("inf"), -1e300, 3.4e38)
    single = tuple(1 + random.random() * 1e-7 for _ in range(9))
    plain_ = tuple(random.random() for _ in range(9))
    scores = random.choice(((0.0, -0.0, 1.0), large, single, plain_))

    def some(least: int) -> list[str]:
        return random.sample(ids, random.randrange(least, len(ids) + 1))

    grades = random.choice(((-1, 0, 1, 2, 3), (-1, 0, 0.1, 0.25, 1, 2.75), (0, 0.3)))
    judged = {q: {d: random.choice(grades) for d in some(0)} for q in some(2)}
    ranked = {q: {d: random.choice(scores) for d in some(0)} for q in some(1)}
    return judged, ranked


def rowwise(ranked: Ranked) -> list[ScoredDoc]:
    """Return the rows of a run, which are loaded as a warehouse loads them."""
    return [ScoredDoc(q, d, s) for q, own in ranked.items() for d, s in own.items()]


def outcome(judged: Judged, ranked: Any, measures: str, rule: PositionRule) -> Any:
    """Return what an evaluation gives: values and warnings, or its refusal."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = ndcg_sql.evaluate(judged, ranked, measures, position_rule=rule)
        except ndcg_sql.NdcgSqlError as error:
            return str(error)
    # Documents whose ids nearly match are looked for only where a run is loaded.
    told = [str(one.message) for one in caught]
    told = [line for line in told if not re.search("nearly the ids of doc", line)]
    # Equal to the last bit, which the sign of a zero is, too.
    return repr([dict(found), found.per_query]), told


@pytest.fixture
def is_only_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where a run is loaded as a warehouse loads it."""
    monkeypatch.setattr(in_memory, "_of_anything", None)


@pytest.mark.slow
@pytest.mark.parametrize("measures", MEASURES)
def test_one_run_after_another_gives_what_loading_gives(
    measures: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(f"{SEED} {measures}")
    kept = 0
    for _ in range(amount(2, 20)):
        judged, first = drawn(random)
        # The others have ids of judged documents, or do not.
        for ranked in (first, *(drawn(random)[1] for _ in range(2))):
            rows = rowwise(ranked)
            has_hits = any(row.doc_id in judged.get(row.query_id, ()) for row in rows)
            if not has_hits:
                continue
            rule: PositionRule = random.choice(("score", "score32"))
            loaded = outcome(judged, rows, measures, rule)
            with monkeypatch.context() as only_kept:
                only_kept.setattr(in_memory, "_of_anything", None)
                assert outcome(judged, ranked, measures, rule) == loaded
            kept += not isinstance(loaded, str)
    assert kept


@pytest.mark.slow
@pytest.mark.usefixtures("is_only_kept")
def test_the_plan_holds_for_other_ids_and_more_queries() -> None:
    judged = {
        f"query {q}": {f"document {d}": d % 3 for d in range(9)} for q in range(9)
    }
    short = {"query 1": {"document 1": 1.0}}
    assert ndcg_sql.evaluate(judged, short, "RR")["RR"] == 1 / 9
    long: Ranked = {
        q: {"x" * 500: 3.0, **dict.fromkeys(own, 1.0)} for q, own in judged.items()
    }
    found = ndcg_sql.evaluate(judged, long, "RR")
    # Of the tied documents, the last by its bytes is document 8, then 7 and 6.
    assert {row.value for row in found.per_query} == {0.5}
    assert [row.query_id for row in found.per_query] == sorted(judged)


@pytest.mark.slow
@pytest.mark.usefixtures("is_only_kept")
def test_judgments_that_changed_in_place_are_seen() -> None:
    judged = {"q": {"a": 0, "b": 1}}
    ranked = {"q": {"a": 2.0, "b": 1.0}}
    assert ndcg_sql.evaluate(judged, ranked, "RR")["RR"] == 0.5
    judged["q"]["a"] = 1
    assert ndcg_sql.evaluate(judged, ranked, "RR")["RR"] == 1
    judged["other"] = {"a": 1}
    assert ndcg_sql.evaluate(judged, ranked, "RR")["RR"] == 0.5
    assert ndcg_sql.evaluate(judged, ranked, "P@2")["P@2"] == 0.5


@pytest.mark.slow
@pytest.mark.usefixtures("is_only_kept")
def test_what_failed_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    judged, ranked = {"q": {"a": 1}}, {"q": {"a": 1.0}}

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("ndcg_sql.evaluation.kept.Kept.evaluated", fail)
        with pytest.raises(KeyboardInterrupt):
            ndcg_sql.evaluate(judged, ranked, "RR")
    assert ndcg_sql.evaluate(judged, ranked, "RR")["RR"] == 1


@pytest.mark.slow
@pytest.mark.usefixtures("is_only_kept")
def test_threads_keep_their_own() -> None:
    found: dict[int, list[float]] = {}

    def work(depth: int) -> None:
        judged = {"q": {f"d{depth}": 1}}
        ranked = {"q": {f"d{n}": -float(n) for n in range(1, 9)}}
        found[depth] = [ndcg_sql.evaluate(judged, ranked, "RR")["RR"] for _ in range(5)]

    workers = [threading.Thread(target=work, args=(depth,)) for depth in (2, 4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert found == {2: [1 / 2] * 5, 4: [1 / 4] * 5}


_FORKED = """
import os, ndcg_sql
judged, ranked = {"q": {"a": 1}}, {"q": {"b": 2.0, "a": 1.0}}
assert ndcg_sql.evaluate(judged, ranked, "RR")["RR"] == 0.5
child = os.fork()
for _ in range(3):
    assert ndcg_sql.evaluate(judged, ranked, "RR")["RR"] == 0.5
if not child:
    # As multiprocessing does: DuckDB itself fails where a fork ends normally.
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


@pytest.mark.slow
def test_a_fork_makes_its_own() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _FORKED], timeout=60, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


_LOOKED_UP = """
import sys

class Absent:
    count = 0

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("pandas", "polars", "pyarrow"):
            Absent.count += 1
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Absent())
import ndcg_sql

counts = []
judged = {f"q{q}": {"a": 1} for q in range(100)}
for documents in (100, 1, 100):
    ranked = {q: {f"{n}": 1.0 for n in range(documents)} | {"a": 2.0} for q in judged}
    before = Absent.count
    ndcg_sql.evaluate(judged, ranked, "RR")
    counts.append(Absent.count - before)
print(counts[1] == counts[2], counts[2] < 50)
"""


@pytest.mark.slow
def test_nothing_absent_is_looked_up_for_each_value() -> None:
    done = ran([sys.executable, "-c", _LOOKED_UP], timeout=60)
    assert (done.stdout, done.stderr) == ("True True\n", "")


def test_positions_of_ties_and_of_both_zeros() -> None:
    ranked = plain.plain({"q": {"a": 0.0, "b": -0.0, "c": 1, "é": 0}, "r": {}}, "run")
    assert ranked is not None
    given = {"none": {}, "p": {"a": 1}, "q": {"z": 1, "a": 2, "b": 0}}
    known = plain.plain(given, "judgments")
    assert known is not None
    judged = plain.places(known)
    assert judged["p"] == {"a": 0}
    assert judged["q"] == {"z": 1, "a": 2, "b": 3}
    hits = plain.hits(judged, ranked, "score")
    assert [*zip(*hits, strict=True)] == [(2, 4, 2, 4), (3, 3, 2, 4)]


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"q": {}},
        {"q": ["a"]},
        {True: {"a": 1.0}},
        {1.5: {"a": 1.0}},
        {1: {"a": 1.0}, "1": {"a": 1.0}},
        {"q": {1: 1.0, "1": 2.0}},
        {"q": {np.bool_(True): 1.0}},
        {"q": {"a": np.bool_(True)}},
        {"q": {"a": np.float32("nan")}},
        {"q": {"a": None}},
        {"q": {"a": True}},
        {"q": {"a": float("nan")}},
        {"q": {"a": 10**400}},
        {"q": {"": 1.0}},
        {"": {"a": 1.0}},
        {"q": {"a\0": 1.0}},
        {"q": {"a\v": 1.0}},
        {"q\f": {"a": 1.0}},
        {"q": {"\ud800": 1.0}},
    ],
)
def test_what_is_unusual_is_left_to_loading(odd: Any) -> None:
    assert plain.plain(odd, "run") is None


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"q": []},
        {"q": ["a", "a"]},
        {"q": [1, np.int64(1)]},
        {"q": ["a", 1]},
        {"q": ["a"], "r": {"a": 1.0}},
        {"q": {"a"}},
        {"q": "a"},
        {"q": np.array("a")},
        {"q": np.array([["a"]])},
        {"q": np.array([1.5])},
        {"q": ["a", None]},
        {"q": [""]},
    ],
)
def test_what_is_unusual_in_lists_is_left_to_loading(odd: Any) -> None:
    assert plain.ordered(odd) is None


def as_numpy(kind: type, by_query: Any) -> Any:
    """Return a run or judgments with ids and numbers as numpy has them."""
    return {
        np.str_(q): {np.str_(d): kind(s) for d, s in own.items()}
        for q, own in by_query.items()
    }


def integers(by_query: Any, kind: type) -> Any:
    """Return judgments or a run with integers for ids."""
    return {
        kind(q): {kind(d): n for d, n in own.items()} for q, own in by_query.items()
    }


@pytest.mark.slow
def test_numbers_and_text_of_numpy_and_lists_are_read_as_quickly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = Random(SEED)
    ids = [str(n) for n in range(12)]
    judged: Judged = {q: {d: random.randrange(4) for d in ids[::2]} for q in ids[:6]}
    ranked: Ranked = {
        q: {d: random.choice((0.25, 1.5, -2.0)) for d in random.sample(ids, 9)}
        for q in ids[:5]
    }
    lists = {q: [*own] for q, own in ranked.items()}
    arrays = {q: np.array(own) for q, own in lists.items()}
    numbers = {q: np.array([int(d) for d in own]) for q, own in lists.items()}
    scores = outcome(judged, rowwise(ranked), "nDCG@3 RR", "score")
    # A list beside another one is loaded as a ranking; so is one of named tuples.
    in_order: Ranked = {
        q: {d: -n for n, d in enumerate(own)} for q, own in lists.items()
    }
    order = outcome(judged, rowwise(in_order), "nDCG@3 RR", "score")
    monkeypatch.setattr(in_memory, "_of_anything", None)
    for run, expected in (
        (as_numpy(np.float64, ranked), scores),
        (as_numpy(np.float32, ranked), scores),
        (integers(ranked, int), scores),
        (integers(ranked, np.int64), scores),
        (lists, order),
        (arrays, order),
        (numbers, order),
    ):
        for known in (judged, integers(judged, np.int32), as_numpy(int, judged)):
            assert outcome(known, run, "nDCG@3 RR", "score") == expected


def test_a_list_that_is_ranked_twice_is_refused_by_loading() -> None:
    with pytest.raises(ndcg_sql.NdcgSqlError, match="already on row 1"):
        ndcg_sql.evaluate({"q": {"a": 1}}, {"q": ["a", "b", "a"]}, "RR")
