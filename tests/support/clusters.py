"""Spark in tests: a session in this process, and a standalone cluster of processes."""

import os
import re
import signal
import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from support.libraries import library, program

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from support.engines import Rows

_PATIENCE = 300.0
_SETTINGS = {
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.driver.memory": "2g",
}
# Compiling each plan would take longer than running it.
_INTERPRETED = """\
spark.sql.codegen.wholeStage false
spark.sql.codegen.factoryMode NO_CODEGEN
spark.sql.adaptive.enabled false
"""


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


def write(folder: Path, rankings: "Rows", judgments: "Rows", queries: "Rows") -> None:
    """Write results.parquet, grades.parquet and users.parquet."""
    with duckdb.connect() as connection:
        for name, columns, rows in (
            ("results", "user_id text, item text, score double, system text", rankings),
            ("grades", "user_id text, item text, grade double", judgments),
            ("users", "user_id text, land text", queries),
        ):
            connection.execute(f"create table {name} ({columns})")
            if rows:
                marks = ", ".join("?" * len(rows[0]))
                insert = f"insert into {name} values ({marks})"
                connection.executemany(insert, rows)
            connection.execute(f"copy {name} to '{folder / name}.parquet'")


class Cluster:
    """A master and two workers of one core each, on loopback.

    environment is what jobs need: settings for small data.
    """

    def __init__(self, folder: Path) -> None:
        """Start them; their logs are in the folder."""
        self._folder = folder
        settings = "".join(f"{name} {value}\n" for name, value in _SETTINGS.items())
        (folder / "spark-defaults.conf").write_text(settings + _INTERPRETED)
        self.environment = os.environ | {"SPARK_CONF_DIR": str(folder)}
        self._started: list[subprocess.Popen[bytes]] = []
        self._start("master", "--port", "0", "--webui-port", "0")
        self.url = self._told("master", r"Starting Spark master at (spark://\S+)")
        for name in ("worker1", "worker2"):
            options = ("--cores", "1", "--memory", "1g", "--webui-port", "0")
            self._start(name, *options, "--work-dir", str(folder / name), self.url)
        for name in ("worker1", "worker2"):
            self._told(name, r"(Successfully registered) with master")

    def kill_worker(self) -> None:
        """Kill a worker together with the process that executes its tasks."""
        os.killpg(self._started[-1].pid, signal.SIGKILL)

    def stop(self) -> None:
        """Kill all that was started."""
        for process in self._started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _start(self, name: str, *options: str) -> None:
        program("java")
        folder = Path(library("pyspark").__file__).parent
        kind = "master.Master" if name == "master" else "worker.Worker"
        command = [
            str(folder / "bin" / "spark-class"),
            f"org.apache.spark.deploy.{kind}",
        ]
        with self._log(name).open("wb") as log:
            started = subprocess.Popen(
                [*command, "--host", "127.0.0.1", *options],
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._started.append(started)

    def _log(self, name: str) -> Path:
        return self._folder / f"{name}.log"

    def _told(self, name: str, pattern: str) -> str:
        """Return what a process writes to its log."""
        end = time.monotonic() + _PATIENCE
        while not (found := re.search(pattern, self._log(name).read_text())):
            assert time.monotonic() < end, self._log(name).read_text()[-2000:]
            time.sleep(0.1)
        return found[1]
