"""What the tests of measures share: values as other systems have them."""

import shutil
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


@pytest.fixture(scope="session")
def four_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a warehouse with what four users are shown, for copying."""
    path = tmp_path_factory.mktemp("four") / "four.duckdb"
    with Warehouse.write(path) as warehouse:
        load(warehouse, FOUR, {query: {"a": 1} for query in "uvwx"})
    return path


@pytest.fixture
def four(tmp_path: Path, four_file: Path) -> Iterator[Warehouse]:
    """Give a copy of that warehouse."""
    copy = shutil.copyfile(four_file, tmp_path / "four.duckdb")
    with Warehouse.write(copy) as warehouse:
        yield warehouse
