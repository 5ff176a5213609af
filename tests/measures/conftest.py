"""What the tests of measures share: values as other systems have them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ndcg_sql import Warehouse
from support.commands import Command
from support.conventions import Like
from support.shops import load
from support.shown import FOUR


@pytest.fixture
def like(ndcg: Command, tmp_path: Path) -> Like:
    """Return what evaluates as other systems do."""
    return Like(ndcg, tmp_path)


@pytest.fixture
def four() -> Iterator[Warehouse]:
    """Give a warehouse with what four users are shown."""
    with Warehouse.memory() as warehouse:
        load(warehouse, FOUR, {query: {"a": 1} for query in "uvwx"})
        yield warehouse
