"""The jobs that speed.py measures, and the tools for each."""

import json
import shlex
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from measuring import OURS, installed, outcome, tell

RIVALS = ("pytrec_eval", "ir_measures", "ranx", "polars")
MEASURES = ("-m", "nDCG@10", "-m", "AP", "-m", "RR")
THEIRS = ("-c", "-m", "ndcg_cut.10", "-m", "map", "-m", "recip_rank")
EVERY = ("-m", "all_trec")
# The runs of the job many.
MANY = ("run", *(f"run-{number}" for number in range(2, 9)))

Means = dict[str, float]


@dataclass(frozen=True)
class Tool:
    """A command, a function that reads means from its output, and their tolerance.

    before runs before each round, and is not measured.
    """

    name: str
    command: tuple[str | Path, ...]
    means: Callable[[str], Means] | None
    tolerance: float = 1e-6
    before: Callable[[], object] | None = None


class Jobs:
    """The jobs on the files in a folder; each is a list of tools, ours first."""

    def __init__(self, folder: Path, trec_eval: str | None) -> None:
        """Find the installed rivals."""
        self._folder = folder
        self._trec_eval = trec_eval
        self._rivals = [rival for rival in RIVALS if installed(rival)]
        if not trec_eval:
            tell("trec_eval is not on PATH, see --trec-eval: left out, no ratios")

    def eval(self) -> list[Tool]:
        """Compute the means of three measures from files, with every tool."""
        return self._from_files("qrels", "run")

    def dense(self) -> list[Tool]:
        """Do the same for a dense retriever's run, with long ids and scores."""
        return [
            self._ours("dense.qrels", "dense.run", MEASURES),
            *self._by_trec_eval("dense.qrels", "dense.run", THEIRS),
        ]

    def csv(self) -> list[Tool]:
        """Read queries, documents and scores from CSV; trec_eval the TREC file."""
        return [
            self._ours("qrels", "run.csv", MEASURES),
            *self._by_trec_eval("qrels", "run", THEIRS),
        ]

    def small(self) -> list[Tool]:
        """Do the same for files of 50 queries."""
        return self._from_files("small.qrels", "small.run")

    def warehouse(self) -> list[Tool]:
        """Load a run after its judgments, then report it; trec_eval as before."""
        loaded, before = self._judged()
        report = (*loaded, "report", *MEASURES, "--format", "json")
        return [
            Tool("ndcg-sql load run", (*loaded, "load", "run", "run"), None, 0, before),
            Tool("ndcg-sql report", report, ours_means),
            *self._by_trec_eval("qrels", "run", THEIRS),
        ]

    def many(self) -> list[Tool]:
        """Evaluate 8 runs in one command, and load them in one."""
        evaluated = (*OURS, "eval", "qrels", *MANY, *MEASURES, "--format", "json")
        loaded, before = self._judged()
        return [
            Tool("ndcg-sql eval", evaluated, None),
            Tool("ndcg-sql load run", (*loaded, "load", "run", *MANY), None, 0, before),
        ]

    def all_trec(self) -> list[Tool]:
        """Compute every measure of trec_eval."""
        drop_in = (*OURS, "trec_eval", "-c", *EVERY, "qrels", "run")
        return [
            self._ours("qrels", "run", EVERY),
            Tool("ndcg-sql trec_eval", drop_in, trec_eval_means, 1e-4),
            *self._by_trec_eval("qrels", "run", ("-c", *EVERY)),
        ]

    def gzip(self) -> list[Tool]:
        """Read a gzip copy of the run; gunzip writes a file for trec_eval."""
        return [
            self._ours("qrels", "run.gz", MEASURES),
            *self._by_trec_eval(
                "qrels", "unpacked", THEIRS, "gunzip -c run.gz > unpacked &&"
            ),
        ]

    def _judged(self) -> tuple[tuple[str | Path, ...], Callable[[], object]]:
        """Return our command for a warehouse, and what gives it the judgments alone."""
        judged, loaded = self._folder / "judged.duckdb", self._folder / "loaded.duckdb"
        judged.unlink(missing_ok=True)
        ours = (*OURS, "--warehouse")
        outcome((*ours, judged, "load", "judgments", "qrels"), self._folder)
        return (*ours, loaded), lambda: shutil.copyfile(judged, loaded)

    def _from_files(self, qrels: str, run: str) -> list[Tool]:
        """Return every tool, for three measures."""
        scripts = Path(__file__).parent / "rivals"
        return [
            self._ours(qrels, run, MEASURES),
            *self._by_trec_eval(qrels, run, THEIRS),
            *(
                Tool(
                    rival,
                    (sys.executable, scripts / f"{rival}_means.py", qrels, run),
                    json.loads,
                )
                for rival in self._rivals
            ),
        ]

    def _ours(self, qrels: str, run: str, measures: tuple[str, ...]) -> Tool:
        """Return our own evaluation of files."""
        command = (*OURS, "eval", qrels, run, *measures, "--format", "json")
        return Tool("ndcg-sql eval", command, ours_means)

    def _by_trec_eval(
        self, qrels: str, run: str, options: tuple[str, ...], first: str = ""
    ) -> list[Tool]:
        """Return trec_eval, if it is available."""
        if not self._trec_eval:
            return []
        command = (self._trec_eval, *options, qrels, run)
        if first:
            command = ("sh", "-c", f"{first} {shlex.join(command)}")
        return [Tool("trec_eval", command, trec_eval_means, 1e-4)]


def ours_means(output: str) -> Means:
    """Return the means in our JSON output."""
    return {row["measure"]: row["value"] for row in json.loads(output)}


def trec_eval_means(output: str) -> Means:
    """Return the means in trec_eval's output, under our names."""
    from ndcg_sql.measures.names import parse

    lines = [line.split() for line in output.splitlines()]
    return {
        parse(name)[0].name: float(value) for name, _, value in lines if name != "runid"
    }
