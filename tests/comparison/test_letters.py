"""Letters of runs: two share one exactly where no test separates them."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_sql.comparison.letters import abbreviated, letters
from ndcg_sql.errors import NdcgSqlError


@pytest.mark.slow
@given(st.integers(1, 9), st.randoms(use_true_random=False), st.floats(0, 1))
def test_two_runs_share_a_letter_iff_they_are_not_separated(
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


def test_examples_of_letters() -> None:
    assert letters([[False]]) == ["a"]
    # Runs are separated where they are two or more places apart.
    chain = [[abs(i - j) > 1 for j in range(4)] for i in range(4)]
    assert letters(chain) == ["a", "ab", "bc", "c"]
    # Letters go on after z.
    found = letters([[i != j for j in range(54)] for i in range(54)])
    assert found[:2] + found[25:28] + found[52:] == [
        "a",
        "b",
        "z",
        "a2",
        "b2",
        "a3",
        "b3",
    ]
    # Each pair of neighbours doubles the number of groups.
    pairs = [[i // 2 == j // 2 and i != j for j in range(40)] for i in range(40)]
    with pytest.raises(NdcgSqlError, match="of 40 runs overlap in too many ways"):
        letters(pairs)


@pytest.mark.parametrize(
    ("own", "short"),
    [
        ("", ""),
        ("abc", "abc"),
        ("abcd", "a-d"),
        ("acdefgj", "ac-gj"),
        ("yza2b2", "y-b2"),
        ("aa2z9", "aa2z9"),
    ],
)
def test_many_letters_in_a_row_are_written_as_first_and_last(
    own: str, short: str
) -> None:
    assert abbreviated(own) == short
