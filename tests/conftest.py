"""What the tests share: the command line, small files, and evaluation in memory."""

import hashlib
import itertools
import json
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql import reports
from ndcg_sql.cli import run
from ndcg_sql.loading import Options, load
from ndcg_sql.measures import parse
from ndcg_sql.valuing import replace_registered
from ndcg_sql.warehouse import Warehouse

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

Judged = Mapping[str, Mapping[str, float]]
Ranked = Mapping[str, Mapping[str, float]]

SHARED = Path(__file__).parents[2] / "shared" / "data"


@dataclass(frozen=True)
class Result:
    """What a command did: its exit code and what it printed."""

    code: int
    out: str
    err: str


Command = Callable[..., Result]


@pytest.fixture
def ndcg(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Command:
    """Run a command line in an empty directory, in this process."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NDCG_SQL_WAREHOUSE", raising=False)

    def command(*arguments: str | Path) -> Result:
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        return Result(code, out, err)

    return command


@pytest.fixture
def shared() -> Path:
    """Return the folder of published test data, or skip where it is absent."""
    if not SHARED.is_dir():
        pytest.skip(f"published test data is not at {SHARED}")
    return SHARED


def write_judgments(path: Path, judged: Judged) -> Path:
    """Write judgments as a TREC file."""
    lines = [f"{q} 0 {d} {g!r}" for q, ds in judged.items() for d, g in ds.items()]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


def write_run(path: Path, ranked: Ranked) -> Path:
    """Write a run as a TREC file; the ranks in it are wrong on purpose."""
    lines = [f"{q} Q0 {d} 0 {s!r} t" for q, ds in ranked.items() for d, s in ds.items()]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


Values = dict[str, dict[str, float | None]]


def untold(_line: str) -> None:
    """Swallow what a load tells."""


class Evaluation:
    """A run evaluated with judgments in memory."""

    def __init__(
        self,
        folder: Path,
        judged: Judged,
        ranked: Ranked,
        measures: list[str],
        position_rule: str = "score",
    ) -> None:
        """Load both through files and value the measures."""
        self._measures = parse(" ".join(measures))
        qrels = write_judgments(folder / "qrels", judged)
        run_file = write_run(folder / "run", ranked)
        with Warehouse.memory() as warehouse:
            replace_registered(warehouse, self._measures)
            load(warehouse, "judgments", [qrels], Options(), untold)
            options = Options(position_rule=position_rule)
            load(warehouse, "run", [run_file], options, untold)
            sql = "select measure, query_id, value from query_values"
            self.queries: Values = {m.name: {} for m in self._measures}
            for measure, query, value in warehouse.execute(sql):
                self.queries[measure][query] = value
            columns = (
                "measure, value, n, answered, unanswered, no_relevant,"
                " unjudged_queries, judged_at_k, standard_error"
            )
            names = [name.strip() for name in columns.split(",")]
            self.means: dict[str, dict[str, Any]] = {}
            for row in warehouse.execute(f"select {columns} from run_values"):
                self.means[row[0]] = dict(zip(names, row, strict=True))

    def query(self, measure: str, query: str = "q") -> float | None:
        """Return the value of a measure for a query."""
        return self.queries[parse(measure)[0].name][query]

    def mean(self, measure: str) -> float | None:
        """Return the mean of a measure."""
        return self.means[parse(measure)[0].name]["value"]


@pytest.fixture
def evaluate(tmp_path: Path) -> Callable[..., Evaluation]:
    """Return a function that evaluates a run given as dictionaries."""

    def make(
        judged: Judged,
        ranked: Ranked,
        measures: list[str],
        position_rule: str = "score",
    ) -> Evaluation:
        return Evaluation(tmp_path, judged, ranked, measures, position_rule)

    return make


def graded(
    ranked: list[float | None], others: list[float] | None = None
) -> tuple[Judged, Ranked]:
    """Return judgments and a run of one query "q" from grades by position.

    None stands for an unjudged document; others are judged but not returned.
    """
    names = [f"d{i:03}" for i in range(len(ranked))]
    judged = {d: g for d, g in zip(names, ranked, strict=True) if g is not None}
    judged |= {f"x{i:03}": g for i, g in enumerate(others or [])}
    scores = {d: float(len(ranked) - i) for i, d in enumerate(names)}
    return {"q": judged}, {"q": scores}


class Like:
    """The command eval --like, for judgments and runs given as dictionaries."""

    def __init__(self, ndcg: Command, folder: Path) -> None:
        """Write files to a folder."""
        self._ndcg = ndcg
        self._folder = folder

    def _rows(
        self, system: str, judged: Judged, ranked: Ranked, *options: str
    ) -> list[dict[str, Any]]:
        """Return the rows of a report; documents are ranked as they are listed."""
        qrels = write_judgments(self._folder / "qrels", judged)
        run = self._folder / "run"
        lines = [
            f"{query} Q0 {document} {rank} {score!r} t\n"
            for query, documents in ranked.items()
            for rank, (document, score) in enumerate(documents.items(), start=1)
        ]
        run.write_text("".join(lines))
        asked = ("eval", qrels, run, "--like", system, "--format", "json")
        result = self._ndcg(*asked, *options)
        assert (result.code, result.err[:5]) == (0, "like "), result.err
        return json.loads(result.out)

    def queries(
        self, system: str, judged: Judged, ranked: Ranked, *measures: str
    ) -> Values:
        """Return the values of measures, by measure as it was asked for and query."""
        asked = [part for measure in measures for part in ("-m", measure)]
        rows = self._rows(system, judged, ranked, "-q", *asked)
        names = list(dict.fromkeys(row["measure"] for row in rows))
        found: Values = {measure: {} for measure in measures}
        for row in rows:
            found[measures[names.index(row["measure"])]][row["query_id"]] = row["value"]
        return found

    def means(
        self, system: str, judged: Judged, ranked: Ranked, *measures: str
    ) -> list[float]:
        """Return the means of measures."""
        asked = [part for measure in measures for part in ("-m", measure)]
        rows = self._rows(system, judged, ranked, *asked)
        return [row["value"] for row in rows]


@pytest.fixture
def like(ndcg: Command, tmp_path: Path) -> Like:
    """Return what evaluates as other systems do."""
    return Like(ndcg, tmp_path)


def chosen_pairs(warehouse: Warehouse) -> list[tuple[int, int]]:
    """Return the pairs that a plain report takes."""
    return reports.pairs(warehouse, reports.runs(warehouse), None)


# Two queries, of which the run answers one; q3 is answered but not judged.
QRELS = "q1 0 a 2\nq1 0 b 1\nq1 0 c 0\nq2 0 a 1\n"
RUN = "q1 Q0 b 1 3 t\nq1 Q0 a 2 2 t\nq1 Q0 u 3 1 t\nq3 Q0 a 1 1 t\n"


@pytest.fixture(scope="session")
def loaded_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a warehouse file that holds QRELS and RUN, for copying."""
    folder = tmp_path_factory.mktemp("loaded")
    qrels, run_file = folder / "qrels", folder / "base"
    qrels.write_text(QRELS)
    run_file.write_text(RUN)
    with Warehouse.write(folder / "ndcg.duckdb") as warehouse:
        load(warehouse, "judgments", [qrels], Options(), untold)
        load(warehouse, "run", [run_file], Options(), untold)
    return folder / "ndcg.duckdb"


@pytest.fixture
def loaded(tmp_path: Path, loaded_file: Path) -> Path:
    """Put a warehouse with QRELS and RUN where commands find it."""
    return Path(shutil.copyfile(loaded_file, tmp_path / "ndcg.duckdb"))


# The worked example: grades 3 2 3 0 1 2 by position, with 3 and 2 not returned.
WORKED = {"d1": 3, "d2": 2, "d3": 3, "d4": 0, "d5": 1, "d6": 2, "m1": 3, "m2": 2}


@pytest.fixture(scope="session")
def worked_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a warehouse with the worked example and some odd queries."""
    folder = tmp_path_factory.mktemp("worked")
    lines = [f"w 0 {doc_id} {grade}" for doc_id, grade in WORKED.items()]
    lines += ["odd 0 a 2", "odd 0 b -1", "odd 0 missed 1", "silent 0 a 1"]
    lines += ["zero 0 a 0", "zero 0 b -3"]
    (folder / "qrels").write_text("\n".join(lines))
    lines = [f"w Q0 d{n} {n} {9 - n} t" for n in range(1, 7)]
    lines += ["odd Q0 x 1 9 t", "odd Q0 a 2 8 t", "odd Q0 b 3 7 t", "odd Q0 y 4 6 t"]
    lines += ["zero Q0 a 1 1 t", "unjudged Q0 a 1 1 t"]
    (folder / "base").write_text("\n".join(lines))
    with Warehouse.write(folder / "ndcg.duckdb") as warehouse:
        load(warehouse, "judgments", [folder / "qrels"], Options(), untold)
        load(warehouse, "run", [folder / "base"], Options(), untold)
    return folder / "ndcg.duckdb"


@pytest.fixture
def worked(tmp_path: Path, worked_file: Path) -> Path:
    """Put the worked example where commands find it."""
    shutil.copyfile(worked_file.parent / "base", tmp_path / "base")
    return Path(shutil.copyfile(worked_file, tmp_path / "ndcg.duckdb"))


def packed(data: bytes, checksum: bool = True) -> bytes:
    """Return a zstd frame, with a checksum as the program zstd writes it."""
    options: dict[int, int] = {zstd.CompressionParameter.checksum_flag: checksum}
    return zstd.compress(data, options=options)


def pipe(pieces: Iterable[bytes]) -> Path:
    """Return a path at which pieces arrive, one after another, from a thread."""
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb", buffering=0) as file:
            for piece in pieces:
                file.write(piece)

    threading.Thread(target=write).start()
    return Path(f"/dev/fd/{reading}")


def digest(path: Path) -> str:
    """Return the hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def tables(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table of a warehouse file."""
    with duckdb.connect(str(path), read_only=True) as connection:
        sql = "select table_name from duckdb_tables() where not temporary"
        names: list[str] = [row[0] for row in connection.execute(sql).fetchall()]
        return {
            name: sorted(connection.execute(f"from {name}").fetchall(), key=repr)
            for name in sorted(names)
        }


def stored(sql: str) -> list[tuple[Any, ...]]:
    """Return rows of the warehouse in the current directory."""
    with duckdb.connect("ndcg.duckdb", read_only=True) as connection:
        return connection.execute(sql).fetchall()


@pytest.fixture(scope="session")
def memory() -> Iterator[Warehouse]:
    """Return a warehouse in memory; tests share it, each in a dataset of its own."""
    with Warehouse.memory() as warehouse:
        yield warehouse


_DATASETS = itertools.count()


@pytest.fixture
def dataset() -> str:
    """Return the name of a dataset that no other test uses."""
    return f"dataset {next(_DATASETS)}"
