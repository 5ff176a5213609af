"""Measure large evaluations on Spark beside Spark's own metrics and beside DuckDB.

    python benchmarks/scale.py [--users N] [--documents N] [--rounds N] [--tool TOOL]...
        [--memory SIZE] [--folder FOLDER] [--csv FILE]

By default, 20 documents are ranked for each of 1,000,000 users, of whom each has 5
judged ones, in two Parquet files. Every tool computes the mean of nDCG@10 on two
cores, in a process of its own. Spark's own metrics know no grades: ours are measured
with grades, and with binary gains, whose mean must be that of Spark's within 1e-9. On
Spark all run through spark-submit with the same settings, so that processor time
includes its Java and Python processes. It needs the extra spark and Java. What ndcg-sql
looks for in its input (null ids, documents that are there twice) is part of its time;
the others look for nothing.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
from importlib.util import find_spec
from pathlib import Path

from inputs import apart
from measuring import OURS, Outcome, machine, outcome, table, tell, workplace, write_csv

HERE = Path(__file__).parent
# What docs/engines.md advises for short rankings, and partitions for two cores.
SETTINGS = {
    "spark.sql.requireAllClusterKeysForCoPartition": "false",
    "spark.sql.optimizer.windowGroupLimitThreshold": "-1",
    "spark.sql.shuffle.partitions": "16",
    "spark.ui.enabled": "false",
    "spark.log.level": "ERROR",
}
BINARY = "nDCG(gains='binary')@10"
TOOLS = {
    "ndcg-sql on Spark": ("ndcg_sql", "nDCG@10"),
    "ndcg-sql on Spark, binary": ("ndcg_sql", BINARY),
    "RankingEvaluator": ("ranking_evaluator", BINARY),
    "RankingMetrics (RDD)": ("ranking_metrics", BINARY),
    "ndcg-sql eval (DuckDB)": ("duckdb", "nDCG@10"),
    "ndcg-sql eval (DuckDB), binary": ("duckdb", BINARY),
}


def main() -> None:
    """Measure all tools in turn, compare their means and print the table."""
    asked = arguments()
    os.environ["PYSPARK_PYTHON"] = sys.executable
    found: dict[str, list[Outcome]] = {}
    means: dict[str, float] = {}
    with workplace(asked.folder) as folder:
        if not (folder / "judgments.parquet").exists():
            tell("making the data")
            apart(write_files, folder, asked.users, asked.documents)
        for number in range(1, asked.rounds + 1):
            for tool in asked.tool or TOOLS:
                tell(f"round {number} of {asked.rounds}: {tool}")
                did = outcome(command(tool, asked.memory), folder)
                found.setdefault(tool, []).append(did)
                means[tool] = mean(did.output)
    for measure in ("nDCG@10", BINARY):
        agree({tool: means[tool] for tool in means if TOOLS[tool][1] == measure})
    print(machine("pyspark"))
    size = f"{asked.users:,} users x {asked.documents} documents"
    print(f"{size}, rounds: {asked.rounds}\n\n{table(rows(found))}")
    if asked.csv:
        every = [
            {"tool": tool, "round": number, "seconds": one.seconds}
            | {"cpu_seconds": one.cpu, "megabytes": one.megabytes}
            for tool, ones in found.items()
            for number, one in enumerate(ones, start=1)
        ]
        write_csv(asked.csv, every)


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--users", type=int, default=1_000_000)
    parser.add_argument("--documents", type=int, default=20, help="a multiple of 4")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--tool", action="append", choices=TOOLS, help="all if omitted")
    parser.add_argument("--memory", default="8g", help="for Java and for DuckDB")
    parser.add_argument("--folder", type=Path, help="keep the data there")
    parser.add_argument("--csv", type=Path, help="write a row for each measurement")
    return parser.parse_args()


def write_files(folder: Path, users: int, documents: int) -> None:
    """Write the rankings and the judgments as Parquet files."""
    import duckdb

    for name in ("rankings", "judgments"):
        select = (HERE / "sql" / f"scale_{name}.sql").read_text()
        select = select.replace("$users", str(users))
        select = select.replace("$documents", str(documents))
        duckdb.sql(select).write_parquet(str(folder / f"{name}.parquet"))


def command(tool: str, memory: str) -> list[str]:
    """Return the command of a tool."""
    script, measure = TOOLS[tool]
    if script == "duckdb":
        files = ("judgments.parquet", "rankings.parquet")
        asked = ["eval", *files, "-m", measure, "--format", "json"]
        return [*OURS, "--memory-limit", f"{memory.upper()}B", *asked]
    submit = ["--master", "local[2]", "--driver-memory", memory]
    for name, value in SETTINGS.items():
        submit += ["--conf", f"{name}={value}"]
    program = str(HERE / "on_spark" / f"{script}_means.py")
    return [spark_submit(), *submit, program, ".", measure]


def spark_submit() -> str:
    """Return the path of spark-submit; end the benchmark if there is none."""
    package = find_spec("pyspark")
    if package is None or package.origin is None or not shutil.which("java"):
        sys.exit("pyspark and Java are needed: pip install 'ndcg-sql[spark]'")
    return str(Path(package.origin).parent / "bin" / "spark-submit")


def mean(output: str) -> float:
    """Return the mean that a tool printed."""
    # On Spark, warnings come first.
    if not output.startswith("["):
        return json.loads(output.splitlines()[-1])["nDCG@10"]
    return json.loads(output)[0]["value"]


def agree(means: dict[str, float]) -> None:
    """End the benchmark if means differ."""
    for tool, value in means.items():
        first = next(iter(means.values()))
        # Written so that NaN does not agree either.
        if not abs(value - first) <= 1e-9:
            sys.exit(f"{tool}: the mean is {value}, of {next(iter(means))} {first}")


def rows(found: dict[str, list[Outcome]]) -> list[dict[str, object]]:
    """Return the rows of the table."""
    return [
        {
            "tool": tool,
            "CPU, s": statistics.median(one.cpu for one in ones),
            "elapsed, s": statistics.median(one.seconds for one in ones),
            "peak, MB": max(one.megabytes for one in ones),
        }
        for tool, ones in found.items()
    ]


if __name__ == "__main__":
    main()
