"""A compact letter display: groups of runs that no test separates."""

import re
from collections.abc import Sequence
from itertools import combinations, groupby

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.wording import named, use

# Tests of single pairs can separate runs in patterns that need very many letters.
_MOST_GROUPS = 500
_ALPHABET = "abcdefghijklmnopqrstuvwxyz"


def letters(separated: Sequence[Sequence[bool]]) -> list[str]:
    """Return the letters of each run; two share one iff they are not separated.

    separated says of each run, best first, which others a test separates from it.
    This is the insert-and-absorb algorithm (Piepho 2004, J. Comput. Graph. Stat.
    13): all runs begin with one letter; a separated pair that shares a letter
    splits it in two; a letter whose runs all share another one is dropped. The
    letters follow the order of the runs; after z comes a2. Raises NdcgSqlError
    if there would be too many to read.
    """
    size = len(separated)
    # The runs of a letter are the bits of an integer.
    groups = [(1 << size) - 1]
    for one, other in combinations(range(size), 2):
        if separated[one][other]:
            groups = _split(groups, 1 << one, 1 << other)
        if len(groups) > _MOST_GROUPS:
            raise NdcgSqlError(
                f"the groups of {size} runs overlap in too many ways to be shown",
                "use " + use(correct="tukey") + ", or fewer runs: " + named("runs"),
            )
    members = sorted([run for run in range(size) if g >> run & 1] for g in groups)
    run_letters = [""] * size
    for number, runs in enumerate(members):
        for run in runs:
            run_letters[run] += _letter(number)
    return run_letters


def abbreviated(own: str) -> str:
    """Return letters of a run with four or more in a row as their first and last.

    Of many runs, one that is amid the others shares a letter with dozens.
    """
    numbers = [
        _ALPHABET.index(letter[1]) + len(_ALPHABET) * (int(letter[2] or 1) - 1)
        for letter in re.finditer(r"([a-z])(\d*)", own)
    ]
    parts: list[str] = []
    # What follows another directly has the same distance from its place.
    for _, group in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        row = [_letter(number) for _, number in group]
        parts.append(f"{row[0]}-{row[-1]}" if len(row) > 3 else "".join(row))
    return "".join(parts)


def _split(groups: Sequence[int], one: int, other: int) -> list[int]:
    """Return the groups after no group has two runs any more, given as bits."""
    both = one | other
    kept = [group for group in groups if group & both != both]
    halves = [g & ~run for g in groups if g & both == both for run in (one, other)]
    # A larger half can absorb a smaller one, never the reverse.
    for half in sorted(halves, key=int.bit_count, reverse=True):
        if not any(half & group == half for group in kept):
            kept.append(half)
    return kept


def _letter(number: int) -> str:
    """Return a letter by its number: a to z, then a2 to z2, and so on."""
    turn, place = divmod(number, len(_ALPHABET))
    return _ALPHABET[place] + (str(turn + 1) if turn else "")
