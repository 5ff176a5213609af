"""Letters of runs: two share one exactly where no test separates them."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ndcg_sql.comparison.letters import abbreviated, letters
from ndcg_sql.errors import NdcgSqlError

Separated = list[list[bool]]


@st.composite
def separations(draw: st.DrawFn) -> Separated:
    """Draw which of up to nine runs are separated, in any pattern."""
    size = draw(st.integers(1, 9))
    pairs = list(combinations(range(size), 2))
    apart = {pair for pair in pairs if draw(st.booleans())}
    return [[(min(i, j), max(i, j)) in apart for j in range(size)] for i in range(size)]


@pytest.mark.slow
@given(separations())
def test_two_runs_share_a_letter_iff_they_are_not_separated(
    separated: Separated,
) -> None:
    found = [set(own) for own in letters(separated)]
    for i, own in enumerate(found):
        for j, other in enumerate(found):
            assert bool(own & other) == (not separated[i][j])


@pytest.mark.slow
@given(separations())
def test_no_letter_is_superfluous(separated: Separated) -> None:
    found = letters(separated)
    groups = [
        {i for i, own in enumerate(found) if letter in own}
        for letter in sorted(set("".join(found)))
    ]
    assert not any(one < other for one in groups for other in groups)
    assert len({frozenset(group) for group in groups}) == len(groups)
    # The letters follow the order of the runs.
    assert [min(group) for group in groups] == sorted(map(min, groups))


def test_the_letters_of_a_chain() -> None:
    # Runs are separated where they are two or more places apart.
    chain = [[abs(i - j) > 1 for j in range(4)] for i in range(4)]
    assert letters(chain) == ["a", "ab", "bc", "c"]


def test_letters_go_on_after_z() -> None:
    apart = [[i != j for j in range(54)] for i in range(54)]
    found = letters(apart)
    assert found[:2] + found[25:28] + found[52:] == [
        "a",
        "b",
        "z",
        "a2",
        "b2",
        "a3",
        "b3",
    ]


def test_too_many_groups_are_refused() -> None:
    # Each pair of neighbours doubles the number of groups.
    pairs = [[i // 2 == j // 2 and i != j for j in range(40)] for i in range(40)]
    with pytest.raises(NdcgSqlError, match="of 40 runs overlap in too many ways"):
        letters(pairs)


def test_a_single_run_has_a_letter() -> None:
    assert letters([[False]]) == ["a"]


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
