"""How much is tried: little in the quick run, more where new cases are explored.

NDCG_SQL_EXPLORE=1 has hypothesis draw other examples than last time, and more
of them; the header of pytest tells the seed, and NDCG_SQL_SEED repeats it.
"""

import os
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar, cast
from zlib import crc32

import pytest
from hypothesis import settings

T = TypeVar("T")
SHARE = os.environ.get("NDCG_SQL_SLOW_SHARE")
EXPLORING = os.environ.get("NDCG_SQL_EXPLORE") == "1"
# Without exploring, random cases are the same in every run.
SEED = os.environ.get("NDCG_SQL_SEED") or str(random.randrange(10**9) * EXPLORING)


def amount(few: int, many: int) -> int:
    """Return how many cases are tried: few, or many where new ones are explored."""
    return many if EXPLORING else few


def mostly_slow(names: Iterable[T], *quick: T) -> list[Any]:
    """Return parameters of a test, of which some are tried each time.

    One that is not there is a mistake.
    """
    every = list(names)
    assert set(quick) <= set(every), set(quick) - set(every)
    slow = pytest.mark.slow
    return [name if name in quick else pytest.param(name, marks=slow) for name in every]


def starred(module: str) -> list[dict[str, bool]]:
    """Return the lines of each part of the text beside a module.

    One with a star is tried each time.
    """
    text = Path(module).with_suffix(".txt").read_text(encoding="utf-8")
    return [
        {line[2:]: line[0] == "*" for line in part.splitlines()[1:] if line}
        for part in text.split("== ")[1:]
    ]


def tried(lines: dict[str, bool]) -> list[Any]:
    """Return parameters of a test, of which those with a star are tried each time."""
    return mostly_slow(lines, *(line for line in lines if lines[line]))


def sampled(cases: Iterable[Any], every: int) -> list[Any]:
    """Return parameters of a test, of which one in so many is tried each time."""
    slow = pytest.mark.slow
    return [
        pytest.param(
            *(cast("tuple[Any, ...]", case) if isinstance(case, tuple) else (case,)),
            marks=[] if number % every == 0 else slow,
        )
        for number, case in enumerate(cases)
    ]


def left_out(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Return the slow cases that are not of the share to run, such as 2/3.

    By their names, so that a case stays in its share when others are added.
    """
    if SHARE is None:
        return []
    part, parts = map(int, SHARE.split("/"))
    return [
        item
        for item in items
        if item.get_closest_marker("slow")
        and crc32(item.nodeid.encode()) % parts != part % parts
    ]


def examples(few: int, many: int) -> settings:
    """Return the settings of a test that hypothesis gives so many examples."""
    return settings(max_examples=amount(few, many))


def load_profile() -> None:
    """Have hypothesis draw the same examples each time, unless it explores."""
    settings.register_profile("quick", derandomize=True, deadline=None, database=None)
    settings.register_profile("explore", deadline=None, print_blob=True)
    settings.load_profile("explore" if EXPLORING else "quick")
