"""The leaderboard: runs in order, intervals, and groups that no test separates."""

from importlib import import_module
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_sql.comparison import leaderboard
from ndcg_sql.comparison.letters import abbreviated, letters
from ndcg_sql.comparison.statistics import adjusted
from ndcg_sql.errors import NdcgSqlError
from support.commands import Command, records
from support.gates import store_noisy_runs
from support.scripts import scripted

pytestmark = pytest.mark.mostly_slow

# scipy imports its parts, which takes a second, where they are used.
scipy: Any = import_module("scipy")

# What scripts rely on, in this order.
PROMISED = [
    *("dataset", "judgment_set", "rank", "run", "measure", "value", "ci_low"),
    *("ci_high", "n", "groups", "judged_at_k"),
]
test_script = scripted(__file__, store_noisy_runs)
MEASURE = ("leaderboard", "-m", "nDCG@5")


@pytest.mark.usefixtures("runs")
def test_runs_are_in_the_order_of_the_first_measure(ndcg: Command) -> None:
    found = records(ndcg, "leaderboard", "-m", "RR", "-m", "nDCG@5")
    assert [column for column in found[0] if column in PROMISED] == PROMISED
    # They are those that attributes may not have.
    assert {*found[0], "slice"} == set(leaderboard.COLUMNS)
    first = [row for row in found if row["measure"] == "RR"]
    values = [row["value"] for row in first]
    assert values == sorted(values, reverse=True)
    # Both measures of a run stand together, each with the rank by itself.
    assert [row["run"] for row in found[::2]] == [row["run"] for row in found[1::2]]
    second = sorted(found[1::2], key=lambda row: -row["value"])
    assert [row["rank"] for row in second] == sorted(row["rank"] for row in second)
    reported = {r["run"]: r["value"] for r in records(ndcg, "report", "-m", "RR")}
    assert {r["run"]: r["value"] for r in first} == reported
    # A limit shows the first and tests all.
    everything = records(ndcg, *MEASURE)
    assert records(ndcg, *MEASURE, "--limit", "2") == everything[:2]
    told = "2 of 5 runs shown; all of them were tested\n"
    assert ndcg(*MEASURE, "--limit", "2").err == told
    assert records(ndcg, *MEASURE, "--limit", "9") == everything
    assert ndcg(*MEASURE, "--limit", "9").err == ""


@pytest.mark.usefixtures("runs")
def test_the_interval_is_students(ndcg: Command) -> None:
    queries = records(ndcg, "report", "-q", "--run", "base", *MEASURE[1:])
    values = [row["value"] for row in queries]
    (row,) = records(ndcg, *MEASURE, "--run", "base", "--alpha", "0.1")
    found = scipy.stats.ttest_1samp(values, 0).confidence_interval(0.9)
    assert (row["ci_low"], row["ci_high"]) == pytest.approx(found)
    assert (row["n"], row["groups"], row["is_best"]) == (40, "a", False)


@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(
    ("options", "column", "method"),
    [
        # Tukey's p is corrected for all pairs, also where compare has one baseline.
        ("--correct tukey", "p_adjusted", "none"),
        ("--test randomization", "p_randomization", "holm"),
        ("--test t", "p_t", "holm"),
    ],
)
def test_runs_share_a_group_iff_compare_does_not_separate_them(
    ndcg: Command, options: str, column: str, method: str
) -> None:
    asked = ("-m", "nDCG@5", "--resamples", "500", *options.split())
    board = records(ndcg, "leaderboard", *asked)
    groups = {row["run"]: {*row["groups"]} for row in board}
    names = list(groups)
    chances: dict[tuple[str, str], float | None] = {}
    for one in names[:-1]:
        others = [name for name in names if name != one]
        for row in records(ndcg, "compare", one, *others, *asked):
            if names.index(one) < names.index(row["candidate"]):
                chances[one, row["candidate"]] = row[column]
    corrected = adjusted(list(chances.values()), method)
    # The pair of equal runs has no p-value.
    for (one, other), p in zip(chances, corrected, strict=True):
        assert bool(groups[one] & groups[other]) == (p is None or p >= 0.05)


@given(st.integers(1, 9), st.randoms(use_true_random=False), st.floats(0, 1))
def test_who_is_not_separated_shares_a_letter(
    size: int, random: Random, share: float
) -> None:
    pairs = combinations(range(size), 2)
    apart = {pair for pair in pairs if random.random() < share}
    separated = [
        [(min(i, j), max(i, j)) in apart for j in range(size)] for i in range(size)
    ]
    found = letters(separated)
    for i, j in combinations(range(size), 2):
        assert bool({*found[i]} & {*found[j]}) == (not separated[i][j])
    # No letter is superfluous, and they follow the order of the runs.
    groups = [
        {i for i, own in enumerate(found) if letter in own}
        for letter in sorted(set("".join(found)))
    ]
    assert not any(one < other for one in groups for other in groups)
    assert len({frozenset(group) for group in groups}) == len(groups)
    assert [min(group) for group in groups] == sorted(map(min, groups))


@pytest.mark.quick
def test_examples_of_letters() -> None:
    assert letters([[False]]) == ["a"]
    # Runs are separated where they are two or more places apart.
    chain = [[abs(i - j) > 1 for j in range(4)] for i in range(4)]
    assert letters(chain) == ["a", "ab", "bc", "c"]
    # Letters go on after z.
    found = letters([[i != j for j in range(54)] for i in range(54)])
    chosen = found[:2] + found[25:28] + found[52:]
    assert " ".join(chosen) == "a b z a2 b2 a3 b3"
    # Each pair of neighbours doubles the number of groups.
    pairs = [[i // 2 == j // 2 and i != j for j in range(40)] for i in range(40)]
    with pytest.raises(NdcgSqlError, match="of 40 runs overlap in too many ways"):
        letters(pairs)
    # Many letters in a row are written as the first and the last one.
    shorter = {"": "", "abc": "abc", "abcd": "a-d", "acdefgj": "ac-gj"}
    shorter |= {"yza2b2": "y-b2", "aa2z9": "aa2z9"}
    assert {own: abbreviated(own) for own in shorter} == shorter
