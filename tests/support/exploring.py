"""How much is tried: little in the quick run, more where new cases are explored.

NDCG_SQL_EXPLORE=1 has hypothesis draw other examples than last time, and more
of them; the header of pytest tells the seed, and NDCG_SQL_SEED repeats it.
"""

import os
import random
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

EXPLORING = os.environ.get("NDCG_SQL_EXPLORE") == "1"
SEED = os.environ.get("NDCG_SQL_SEED") or str(random.randrange(10**9))


def amount(few: int, many: int) -> int:
    """Return how many cases are tried: few, or many where new ones are explored."""
    return many if EXPLORING else few


def few_or_many(few: int, many: int) -> list[Any]:
    """Return parameters of a test: few cases, and many, which are tried if asked."""
    return [few, pytest.param(many, marks=pytest.mark.slow)]


def mostly_slow(names: Iterable[str], *quick: str) -> list[Any]:
    """Return names as parameters of a test, of which some are tried each time.

    A name that is not there is a mistake.
    """
    every = list(names)
    assert set(quick) <= set(every), set(quick) - set(every)
    slow = pytest.mark.slow
    return [name if name in quick else pytest.param(name, marks=slow) for name in every]


def examples(few: int, many: int) -> settings:
    """Return the settings of a test that hypothesis gives so many examples."""
    return settings(max_examples=amount(few, many))


def load_profile() -> None:
    """Have hypothesis draw the same examples each time, unless it explores."""
    settings.register_profile("quick", derandomize=True, deadline=None, database=None)
    settings.register_profile("explore", deadline=None, print_blob=True)
    settings.load_profile("explore" if EXPLORING else "quick")
