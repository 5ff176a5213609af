"""A session of Spark that tests share."""

from collections.abc import Generator
from typing import TYPE_CHECKING

import pytest

from support.clusters import session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> "Generator[SparkSession]":
    with session(tmp_path_factory.mktemp("tables")) as made:
        yield made
