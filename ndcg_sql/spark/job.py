"""The whole job on a cluster: rankings and judgments of a store become values there."""

import json
import logging
import os
import re
import shutil
import socket
import uuid
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL
from typing import TYPE_CHECKING, Any

from ndcg_sql import __version__
from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.requests.engines import SparkRequest
from ndcg_sql.spark.evaluation import (
    Evaluation,
    emission,
    first_line,
    translated,
)
from ndcg_sql.text import listed, quoted
from ndcg_sql.wording import named, use

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FORMATS = ("parquet", "csv")
_STANDALONE = re.compile(r"spark://[^,:/]+:\d+(,[^,:/]+:\d+)*")
_SETTINGS = {
    "spark.app.name": "ndcg-sql",
    # A value that is no number fails, instead of becoming null.
    "spark.sql.ansi.enabled": "true",
    # Documents that are together by query stay so when they meet their judgments.
    "spark.sql.requireAllClusterKeysForCoPartition": "false",
}


def run(request: SparkRequest, patience: float) -> None:
    """Carry out a request: write values, what they rest on, and manifest.json.

    out must not exist. Raises NdcgSqlError if the master does not answer within
    patience in seconds, or if anything fails; nothing is left of it then.
    """
    # What is misspelt is told before Java starts.
    if request.format_in not in (None, *FORMATS):
        raise NdcgSqlError(
            f"{quoted(request.format_in)}: unknown; these work: {listed(FORMATS)}",
            where=named("format_in"),
        )
    emission(request.measures, request.columns, request.run_column)
    with _session(request.master, patience) as spark:
        carry_out(request, spark)


@contextmanager
def _session(master: str, patience: float) -> "Generator[SparkSession]":
    """Connect with a cluster; messages of Spark's own are dropped."""
    from pyspark import SparkConf, SparkContext, java_gateway
    from pyspark.sql import SparkSession

    _check_java()
    _check_master(master, patience)
    # pyspark logs errors with their traces, besides raising them.
    logging.getLogger("SQLQueryContextLogger").disabled = True
    conf = SparkConf().setMaster(master).setAll(list(_SETTINGS.items()))
    try:
        untyped: Any = java_gateway
        gateway = untyped.launch_gateway(conf, {"stdout": DEVNULL, "stderr": DEVNULL})
        context = SparkContext(gateway=gateway, conf=conf)
    except Exception as error:
        why = first_line(error)
        if "JAVA_GATEWAY_EXITED" in why:
            why = (
                "Java could not start Spark; it needs Java 17 or newer, and yarn needs"
            )
            why += " HADOOP_CONF_DIR"
        raise NdcgSqlError(why, where=use(master=master)) from error
    try:
        yield SparkSession(context)
    finally:
        context.stop()
        gateway.shutdown()
        # Else the next session of this process would ask the one that is gone.
        untyped = SparkContext
        untyped._gateway = untyped._jvm = None


def _check_java() -> None:
    """Raise NdcgSqlError if there is no Java, which pyspark starts."""
    home = os.environ.get("JAVA_HOME")
    program = Path(home) / "bin" / "java" if home else "java"
    if not shutil.which(program):
        raise NdcgSqlError(
            f"spark needs Java 17 or newer, and there is no {program}; install it, or"
            " set JAVA_HOME to where it is"
        )


def _check_master(master: str, patience: float) -> None:
    """Raise NdcgSqlError if no master of a standalone cluster answers.

    Spark itself would ask for minutes. Waits for 10 seconds at least.
    """
    if not re.match(r"(spark:|k8s:|local$|local\[|local-cluster\[|yarn$)", master):
        raise NdcgSqlError(
            "not a master of Spark",
            "write it like spark://host:7077, yarn, k8s://https://host:port or"
            " local[*]",
            where=use(master=master),
        )
    if not master.startswith("spark:"):
        return
    if not _STANDALONE.fullmatch(master):
        raise NdcgSqlError("write it like spark://host:7077", where=use(master=master))
    why = ""
    for place in master.removeprefix("spark://").split(","):
        host, _, port = place.rpartition(":")
        try:
            socket.create_connection((host, int(port)), max(patience, 10)).close()
        except (OSError, OverflowError) as error:
            why = str(error)
        else:
            return
    raise NdcgSqlError(
        f"no answer ({why})",
        "start the master, or name another one",
        where=use(master=master),
    )


def carry_out(job: SparkRequest, spark: "SparkSession") -> None:
    """Do a job in a session; raise NdcgSqlError, and leave nothing, if it fails."""
    with translated():
        _write_values(job, spark)


def _write_values(job: SparkRequest, spark: "SparkSession") -> None:
    """Write the values to a folder beside out, and rename it."""
    out = job.out.rstrip("/")
    files = _Files(spark, out)
    files.check_free(out)
    evaluation = Evaluation.of(
        spark,
        _read(spark, files, "rankings", job.rankings, job.format_in),
        _read(spark, files, "judgments", job.judgments, job.format_in),
        job.measures,
        job.columns,
        job.run_column,
    )
    evaluation.check()
    evaluation.keep()
    made = f"{out}.{uuid.uuid4().hex}"
    try:
        for frame in evaluation.families():
            frame.write.parquet(f"{made}/query_values", mode="append")
        values = evaluation.values(spark.read.parquet(f"{made}/query_values"))
        values.run_values.coalesce(1).write.parquet(f"{made}/run_values")
        basis = evaluation.basis()
        for name, frame in basis.items():
            frame.write.parquet(f"{made}/{name}")
        written = ("query_values", "run_values", *basis)
        manifest = {
            "version": __version__,
            "dialect": "spark",
            "engine": f"Spark {spark.version}",
            "measures": [measure.name for measure in evaluation.measures],
            "position_rule": evaluation.position_rule,
            "run_column": job.run_column,
            "rows": {n: spark.read.parquet(f"{made}/{n}").count() for n in written},
        }
        files.write(f"{made}/manifest.json", json.dumps(manifest, indent=2) + "\n")
        # Another job may have been faster.
        files.check_free(out)
        files.rename(made, out)
    except BaseException:
        # What went wrong first is told.
        with suppress(Exception):
            files.delete(made)
        raise


def _read(
    spark: "SparkSession", files: "_Files", field: str, path: str, form: str | None
) -> "DataFrame":
    """Return the rows of a file or folder of the store."""
    if not files.exists(path):
        raise NdcgSqlError("no such file or folder", where=use(**{field: path}))
    is_csv = re.search(r"\.csv(\.\w+)?/?$", path) is not None
    if (form or ("csv" if is_csv else "parquet")) == "csv":
        return spark.read.csv(path, header=True, escape='"')
    return spark.read.parquet(path)


class _Files:
    """The store that a path is in, as Spark sees it."""

    def __init__(self, spark: "SparkSession", path: str) -> None:
        # pyspark has no functions for files.
        context: Any = spark.sparkContext
        self._conf = context._jsc.hadoopConfiguration()
        self._path = context._jvm.org.apache.hadoop.fs.Path
        self._store = self._path(path).getFileSystem(self._conf)

    def exists(self, path: str) -> bool:
        location = self._path(path)
        return location.getFileSystem(self._conf).exists(location)

    def check_free(self, path: str) -> None:
        if self.exists(path):
            raise NdcgSqlError(
                "exists already", "name a new folder", where=use(out=path)
            )

    def write(self, path: str, text: str) -> None:
        stream = self._store.create(self._path(path))
        stream.write(text.encode())
        stream.close()

    def rename(self, old: str, new: str) -> None:
        if not self._store.rename(self._path(old), self._path(new)):
            raise NdcgSqlError(f"{old} could not be renamed to it", where=use(out=new))

    def delete(self, path: str) -> None:
        self._store.delete(self._path(path), True)
