"""Measure how fast rankings are evaluated, compared with every installed rival.

    python benchmarks/speed.py [--trec-eval PATH] [--rounds N] [--job JOB]...
        [--queries N] [--documents N] [--folder FOLDER] [--csv FILE]
        [--chart FILE.svg]

pip install 'ndcg-sql[bench]' installs the rivals except trec_eval, which is taken
from PATH. Every tool runs as its own process, from files to means, including
Python's start; tools take turns in every round, so that all of them see the same
machine. All must agree on the means over all judged queries, or the benchmark fails:
doubles within 1e-6, the four decimals of trec_eval within 1e-4.

The main files are like MS MARCO's (6,980 queries x 1,000 documents, 1.07 judged);
"dense" has scores of 16 and 17 digits and ids of 26 characters, "csv" three columns,
"small" 50 queries x 100 documents, "many" 8 runs in one command. See inputs.py.
"""

import argparse
import shutil
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chart import write_chart
from inputs import (
    Shape,
    apart,
    write_dense_run,
    write_judgments,
    write_packed,
    write_run,
    write_scores,
)
from jobs import MANY, Jobs, Means, Tool
from measuring import (
    installed,
    machine,
    outcome,
    table,
    tell,
    workplace,
    write_csv,
)

JOBS = ("eval", "dense", "csv", "warehouse", "all_trec", "gzip", "small", "many")
COLLECTION = 8_841_823  # passages of MS MARCO
# Absent from trec_eval 9, or other there: it rounds the recall of IPrec.
OF_TREC_EVAL_10 = {
    *("rbp", "rbp_resid", "unj@5", "unj@10", "unj@20"),
    *("11pt_avg", *(f"IPrec@{tenth / 10:g}" for tenth in range(1, 10))),
}


@dataclass(frozen=True)
class Measurement:
    """One row of the CSV file."""

    job: str
    tool: str
    round: int
    seconds: float
    cpu_seconds: float
    megabytes: float


@dataclass(frozen=True)
class Target:
    """The target of a tool: a share of another tool's time in a job, or CPU seconds.

    of is another tool of the job, or else another job of the same tool.
    """

    job: str
    tool: str
    at_most: float
    of: str = ""

    @property
    def unit(self) -> str:
        """The unit of the target."""
        return f"x {self.of}" if self.of else "CPU s"


TARGETS = (
    Target("eval", "ndcg-sql eval", 0.22, "trec_eval"),
    Target("dense", "ndcg-sql eval", 0.28, "trec_eval"),
    Target("warehouse", "ndcg-sql load run", 0.50, "trec_eval"),
    Target("all_trec", "ndcg-sql eval", 0.40, "trec_eval"),
    Target("small", "ndcg-sql eval", 0.40),
    Target("many", "ndcg-sql eval", 6, "eval"),
    Target("many", "ndcg-sql load run", 7, "warehouse"),
)


def main() -> None:
    """Measure, and write the tables, the CSV file and the chart."""
    asked = arguments()
    with workplace(asked.folder) as folder:
        make(folder, asked.queries, asked.documents)
        names = asked.job or JOBS
        if "many" in names:
            make_many(folder, asked.queries, asked.documents)
        jobs = Jobs(folder, asked.trec_eval)
        tools = {job: getattr(jobs, job)() for job in names}
        found = measurements(folder, tools, asked.rounds)
    seconds = medians(found)
    print(machine("pytrec-eval-terrier", "ir-measures", "ranx", "polars"))
    if asked.trec_eval:
        version = (asked.trec_eval, "--version")
        print(subprocess.run(version, capture_output=True, text=True).stderr.strip())
    size = f"{asked.queries:,} queries x {asked.documents:,} documents"
    print(f"{size}, rounds: {asked.rounds}\n\n{table(times(found, seconds))}")
    if kept := targets(seconds, medians(found, cpu=True)):
        print(f"\n{table(kept)}")
    if asked.csv:
        write_csv(asked.csv, [vars(one) for one in found])
    if asked.chart and installed("altair") and installed("vl_convert"):
        write_chart(asked.chart, f"nDCG@10, AP and RR, {size}", bars(seconds))


def arguments() -> argparse.Namespace:
    """Return the arguments of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trec-eval", default=shutil.which("trec_eval"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--job", action="append", choices=JOBS, help="all if omitted")
    parser.add_argument("--queries", type=int, default=6_980)
    parser.add_argument("--documents", type=int, default=1_000)
    parser.add_argument("--folder", type=Path, help="keep the data there")
    parser.add_argument("--csv", type=Path, help="write a row for each measurement")
    parser.add_argument("--chart", type=Path, help="write an SVG")
    asked = parser.parse_args()
    if asked.trec_eval:
        found = shutil.which(str(asked.trec_eval))
        if found is None:
            parser.error(f"--trec-eval {asked.trec_eval}: no such program")
        # Commands run in the folder of the data.
        asked.trec_eval = str(Path(found).absolute())
    return asked


def make(folder: Path, queries: int, documents: int) -> None:
    """Write the files that the jobs read."""
    tell("making the data")
    main = Shape(queries, documents, 1.07, (1,), COLLECTION)
    small = Shape(min(queries, 50), 100, 30, (0, 1, 2, 3), COLLECTION)
    for prefix, shape in (("", main), ("small.", small)):
        apart(write_judgments, folder / f"{prefix}qrels", shape)
        apart(write_run, folder / f"{prefix}run", shape)
    apart(write_packed, folder / "run")
    apart(write_scores, folder / "run", folder / "run.csv")
    dense = replace(main, long_ids=True)
    apart(write_judgments, folder / "dense.qrels", dense)
    apart(write_dense_run, folder / "dense.run", dense)


def make_many(folder: Path, queries: int, documents: int) -> None:
    """Write the other runs of the job many."""
    main = Shape(queries, documents, 1.07, (1,), COLLECTION)
    for number, name in enumerate(MANY[1:], start=2):
        apart(write_run, folder / name, main, number)


def measurements(
    folder: Path, jobs: Mapping[str, Sequence[Tool]], rounds: int
) -> list[Measurement]:
    """Measure every tool of every job, in turn, and compare their means."""
    found: list[Measurement] = []
    for number in range(1, rounds + 1):
        for job, tools in jobs.items():
            first: Means = {}
            for tool in tools:
                tell(f"round {number} of {rounds}, {job}: {tool.name}")
                if tool.before:
                    tool.before()
                did = outcome(tool.command, folder)
                costs = (did.seconds, did.cpu, did.megabytes)
                found.append(Measurement(job, tool.name, number, *costs))
                if tool.means:
                    means = tool.means(did.output)
                    first = first or means
                    agree(f"{job}, {tool.name}", means, first, tool.tolerance)
    return found


def agree(where: str, means: Means, first: Means, tolerance: float) -> None:
    """End the benchmark if means differ from those of the first tool."""
    if other := (means.keys() ^ first.keys()) - OF_TREC_EVAL_10:
        sys.exit(f"{where}: other measures: {sorted(other)}")
    for measure in sorted((means.keys() & first.keys()) - OF_TREC_EVAL_10):
        value = first[measure]
        # Written so that NaN does not agree either.
        if not abs(means[measure] - value) <= tolerance:
            sys.exit(f"{where}: {measure} is {means[measure]}, by ours {value}")


def medians(
    found: Sequence[Measurement], cpu: bool = False
) -> dict[tuple[str, str], float]:
    """Return the median seconds of each job and tool, elapsed or of processors."""
    rounds: dict[tuple[str, str], list[float]] = {}
    for one in found:
        seconds = one.cpu_seconds if cpu else one.seconds
        rounds.setdefault((one.job, one.tool), []).append(seconds)
    return {key: statistics.median(seconds) for key, seconds in rounds.items()}


def times(
    found: Sequence[Measurement], seconds: Mapping[tuple[str, str], float]
) -> list[dict[str, object]]:
    """Return the rows of the table of times."""
    rows: list[dict[str, object]] = []
    for (job, tool), median in seconds.items():
        ones = [one for one in found if (one.job, one.tool) == (job, tool)]
        spread = [one.seconds for one in ones]
        reference = seconds.get((job, "trec_eval"))
        rows.append(
            {
                "job": job,
                "tool": tool,
                "median, s": median,
                "fastest to slowest, s": f"{min(spread):.2f} to {max(spread):.2f}",
                "x trec_eval": median / reference if reference else "",
                "CPU, s": statistics.median(one.cpu_seconds for one in ones),
                "peak, MB": float(max(one.megabytes for one in ones)),
            }
        )
    return rows


def targets(
    seconds: Mapping[tuple[str, str], float], cpu: Mapping[tuple[str, str], float]
) -> list[dict[str, object]]:
    """Return the rows of the table of targets, for the measured jobs."""
    rows: list[dict[str, object]] = []
    for target in TARGETS:
        ours = (target.job, target.tool)
        if target.of:
            others = ((target.job, target.of), (target.of, target.tool))
            other = next((seconds[one] for one in others if one in seconds), None)
            measured = seconds[ours] / other if other and ours in seconds else None
        else:
            measured = cpu.get(ours)
        if measured:
            rows.append(
                {
                    "job": target.job,
                    "tool": target.tool,
                    "at most": f"{target.at_most:g} {target.unit}",
                    "measured": measured,
                    "met": "yes" if measured <= target.at_most else "no",
                }
            )
    return rows


def bars(seconds: Mapping[tuple[str, str], float]) -> dict[str, float]:
    """Return the bars of the chart: from files, and with the warehouse."""
    shown = {
        tool: value for (job, tool), value in seconds.items() if job == "warehouse"
    }
    return shown | {
        tool: value for (job, tool), value in seconds.items() if job == "eval"
    }


if __name__ == "__main__":
    main()
