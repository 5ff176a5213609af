"""What other judgments change: grades, values, and the order of systems."""

import itertools
import random
import shlex
import warnings
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ndcg_sql.python.warehouse import Warehouse
from support.commands import Command, Once, records
from support.files import noisy, stored, write_judgments, write_run
from support.tables import check_rows, read_cases

pytestmark = pytest.mark.mostly_slow

# scipy imports its parts, which takes a second, where they are used.
scipy: Any = import_module("scipy")
OLD = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 1}, "gone": {"a": 1}}
NEW = {"q1": {"a": 1, "b": 2, "x": 1}, "q2": {"a": 1, "c": -1}, "fresh": {"a": 1}}
RANKED = {"q1": {"a": 3, "b": 2, "c": 1}, "q2": {"a": 1}, "fresh": {"a": 1}}


@pytest.fixture
def sets(ndcg: Command, tmp_path: Path, once: Once) -> None:
    def fill() -> None:
        write_judgments(tmp_path / "old", OLD)
        write_judgments(tmp_path / "new", NEW)
        write_run(tmp_path / "run", RANKED)
        assert ndcg("load", "judgments", "old").code == 0
        assert ndcg("load", "run", "run").code == 0
        assert ndcg("load", "judgments", "new").code == 0

    once(fill)


@pytest.mark.quick
@pytest.mark.usefixtures("sets")
def test_judgments_that_differ_and_values_that_moved(ndcg: Command) -> None:
    for command, _, expected in read_cases(Path(__file__).with_name("changes.txt")):
        found = records(ndcg, *shlex.split(command))
        check_rows(found, expected)
        assert list(found[0]) == expected.splitlines()[0].split()
    asked = ("changes", "old", "new", "--documents")
    told = "2 judgments added, 2 removed, 1 regraded in 3 queries"
    assert told in ndcg(*asked).err
    assert records(ndcg, *asked, "--limit", "3") == records(ndcg, *asked)[:3]
    assert "3 of 5 rows shown" in ndcg(*asked, "--limit", "3").err
    assert len(records(ndcg, "changes", "new", "old", "--documents")) == 5
    # What is registered is there in the views without a command.
    sql = "select difference from value_changes where measure = 'RR' and changes = 3"
    assert stored(sql) == [(0,), (0,)]


QUERIES = [f"q{i}" for i in range(12)]
DOCUMENTS = [f"d{i}" for i in range(12)]
RUNS = [f"run {i}" for i in range(6)]
MEASURES = ["nDCG@5", "P@3"]
ORDERS = ("changes", "human", "model", "--order")
Means = dict[str, tuple[float, float]]


@pytest.fixture
def judged(here: Path, once: Once) -> Warehouse:  # noqa: ARG001 - where it is made
    """Make six runs, judged by a person and by a model that often errs."""

    def fill() -> None:
        drawn = random.Random(3)
        grades = {
            q: {d: float(drawn.choice([0, 0, 1, 2])) for d in DOCUMENTS}
            for q in QUERIES
        }
        model = {
            q: {d: drawn.choice([g, g, 0.0, 1.0, 2.0]) for d, g in grades[q].items()}
            for q in QUERIES
        }
        # Their order of the documents is their own, equal to none of the rest.
        pair = {q: dict.fromkeys(DOCUMENTS[:2], 1.0) for q in QUERIES}
        with Warehouse.write("ndcg.duckdb") as own:
            for number, name in enumerate(RUNS):
                own.load_run(noisy(drawn, grades, 0.3 + 0.5 * number), name)
            own.load_run(pair, "same")
            own.load_run(pair, "tied")
            own.load_judgments(grades, "human")
            own.load_judgments(model, "model")

    once(fill)
    return Warehouse("ndcg.duckdb")


def means(own: Warehouse, measure: str) -> Means:
    """Return the means of each run under both judgment sets."""
    frames: list[Any] = [
        own.report(measure, judgments=name).df() for name in ("human", "model")
    ]
    old, new = (frame.set_index("run")["value"] for frame in frames)
    return {run: (float(old[run]), float(new[run])) for run in old.index}


def tau_ap(found: Means) -> float:
    """Return tau_AP as Yilmaz, Aslam and Robertson define it, for untied means."""
    ranked = sorted(found, key=lambda run: -found[run][1])
    shares = [
        sum(found[other][0] > found[run][0] for other in ranked[:i]) / i
        for i, run in enumerate(ranked)
        if i
    ]
    return 2 / (len(ranked) - 1) * sum(shares) - 1


def test_the_orders_agree_as_defined(ndcg: Command, judged: Warehouse) -> None:
    rows = records(ndcg, *ORDERS, "-m", " ".join(MEASURES), "--run", "run *")
    assert [row["measure"] for row in rows] == MEASURES
    for row in rows:
        every = means(judged, row["measure"])
        found = {run: every[run] for run in RUNS}
        old, new = zip(*found.values(), strict=True)
        tau = scipy.stats.kendalltau(np.round(old, 12), np.round(new, 12)).statistic
        assert row["kendall_tau"] == pytest.approx(tau, abs=1e-12)
        assert row["runs"] == len(RUNS)
        if len({*map(round, old, [9] * 6)}) == len({*map(round, new, [9] * 6)}) == 6:
            assert row["tau_ap"] == pytest.approx(tau_ap(found), abs=1e-12)
        places = [
            sum(n > new[i] for n in new) - sum(o > old[i] for o in old)
            for i in range(len(RUNS))
        ]
        assert row["places_lost"] == max(places)
        if max(places) > 0:
            assert places[RUNS.index(row["fallen_run"])] == max(places)
        fall = [
            [one, other]
            for one, other in itertools.permutations(RUNS, 2)
            if found[one][0] > found[other][0] + 1e-12
            and found[one][1] + 1e-12 < found[other][1]
        ]
        assert row["swaps"] == fall
        assert row["lost"] + row["turned"] + row["upheld"] == row["decided"]
    # People read which of them change places.
    falls = ", ".join(" below ".join(pair) for pair in rows[0]["swaps"])
    told = f"\nnDCG@5, runs that fall: {falls}; {rows[0]['fallen_run']} loses"
    assert falls
    assert told in ndcg(*ORDERS, "-m", "nDCG@5", "--run", "run *").out
    with pytest.warns(UserWarning, match='^from "human" to "model": '):
        answer = judged.changes("human", "model", MEASURES, runs="run *", order=True)
    assert answer.to_dicts() == rows
    # Of values query by query, a limit shows those of each run that changed most.
    asked = ("changes", "human", "model", "-m", "nDCG@5", "--per-query")
    whole = records(ndcg, *asked)
    first = {row["run"]: row for row in reversed(whole)}
    limited = records(ndcg, *asked, "--limit", "1")
    assert [row["run"] for row in limited] == [*RUNS, "same", "tied"]
    assert limited == [first[row["run"]] for row in limited]
    assert f"8 of {len(whole)} rows shown" in ndcg(*asked, "--limit", "1").err


@pytest.mark.usefixtures("judged")
def test_tied_systems_have_no_order(ndcg: Command) -> None:
    asked = ("-m", "P@3", "--run", "same", "--run", "tied")
    [row] = records(ndcg, *ORDERS, *asked)
    assert (row["kendall_tau"], row["tau_ap"]) == (None, None)
    assert (row["places_lost"], row["fallen_run"]) == (0, None)
    told = "P@3: a judgment set gives all 2 runs the same value, so that there is no"
    assert told in ndcg(*ORDERS[:3], *asked).err


def test_ties_are_told_where_they_count_half(here: Path) -> None:
    ranked = {"a": ["x", "y"], "b": ["x", "z"], "c": ["y", "x"], "d": ["z", "w"]}
    with Warehouse.write(here / "ndcg.duckdb") as own:
        own.load_judgments({"q": {"x": 1, "w": 0}}, "old")
        own.load_judgments({"q": {"x": 1, "v": 0}}, "new")
        for name, documents in ranked.items():
            own.load_run({"q": documents}, name)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            own.changes("old", "new", "RR")
            rows: Any = own.changes("old", "new", "RR", order=True).df()
    # Above c are a and b, both rightly; above d are all; a and b tie.
    [row] = rows.to_dict("records")
    shares = [0.5, 0.5, 1, 1]
    assert row["tau_ap"] == pytest.approx(2 * sum(shares) / 4 - 1)
    assert (row["kendall_tau"], row["tied_pairs"]) == (1, 1)
    [said] = [str(one.message) for one in told if "order" in str(one.message)]
    assert (
        "Kendall's tau 1.0000, tau_AP 0.5000; 1 pair of them ties, and counts half in"
        " tau_AP"
    ) in said


def test_what_is_decided_otherwise(ndcg: Command, judged: Warehouse) -> None:
    [row] = records(ndcg, *ORDERS, "-m", "nDCG@5", "--run", "run *")

    def winners(judgments: str) -> dict[tuple[str, str], int]:
        """Return what paired tests decide, corrected by Holm's method."""
        values: Any = judged.report("nDCG@5", judgments=judgments, per_query=True).df()
        table = values.pivot_table(index="query_id", columns="run", values="value")
        pairs = list(itertools.combinations(RUNS, 2))
        tests = [scipy.stats.ttest_rel(table[a], table[b]) for a, b in pairs]
        ranked = sorted(range(len(pairs)), key=lambda i: tests[i].pvalue)
        found = dict.fromkeys(pairs, 0)
        for place, i in enumerate(ranked):
            if tests[i].pvalue * (len(pairs) - place) >= 0.05:
                break
            found[pairs[i]] = int(np.sign(tests[i].statistic))
        return found

    human, model = winners("human"), winners("model")
    both = [(human[pair], model[pair]) for pair in human]
    assert row["decided"] == sum(one != 0 for one, _ in both) > 0
    assert row["upheld"] == sum(one == other != 0 for one, other in both)
    assert row["lost"] == sum(one != 0 and other == 0 for one, other in both)
    assert row["turned"] == sum(one * other < 0 for one, other in both)
    assert row["added"] == sum(one == 0 and other != 0 for one, other in both)
