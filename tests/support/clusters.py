"""Spark in tests: a session in this process."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from support.libraries import library, program

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SETTINGS = {
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.driver.memory": "2g",
}


@contextmanager
def session(folder: Path) -> "Generator[SparkSession]":
    """Return a session on this machine, whose tables are in a folder."""
    program("java")
    made: Any = library("pyspark.sql").SparkSession.builder.master("local[2]")
    settings = {**_SETTINGS, "spark.sql.warehouse.dir": str(folder / "tables")}
    for name, value in settings.items():
        made = made.config(name, value)
    spark: SparkSession = made.getOrCreate()
    try:
        yield spark
    finally:
        spark.stop()
