"""How much is tried: little in the quick run, more where new cases are explored.

NDCG_SQL_EXPLORE=1 has hypothesis draw other examples than last time, and more
of them; the header of pytest tells the seed, and NDCG_SQL_SEED repeats it.
"""

import os
import random
from collections.abc import Iterable
from typing import Any, TypeVar, cast

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

    Each test keeps at least one of its cases; of the benchmarks, which are the slowest
    and change least, a share is run.
    """
    if SHARE is None:
        return []
    part, parts = map(int, SHARE.split("/"))
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        is_benchmark = item.get_closest_marker("benchmark") is not None
        if is_benchmark or (
            hasattr(item, "callspec") and item.get_closest_marker("slow")
        ):
            test = item.nodeid.partition("::" if is_benchmark else "[")[0]
            cases.setdefault(test, []).append(item)
    return [
        item
        for of_test in cases.values()
        for place, item in enumerate(of_test)
        if place % parts != part % min(parts, len(of_test))
    ]


def examples(few: int, many: int) -> settings:
    """Return the settings of a test that hypothesis gives so many examples."""
    return settings(max_examples=amount(few, many))


def load_profile() -> None:
    """Have hypothesis draw the same examples each time, unless it explores."""
    settings.register_profile("quick", derandomize=True, deadline=None, database=None)
    settings.register_profile("explore", deadline=None, print_blob=True)
    settings.load_profile("explore" if EXPLORING else "quick")
