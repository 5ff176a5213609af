"""What is evaluated or registered together has the values that it has alone.

Each view over all that a warehouse has gives the rows that are stored.
"""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ndcg_sql import Warehouse
from ndcg_sql.database import opening
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation import values
from ndcg_sql.evaluation.measuring import Batch, Measuring
from ndcg_sql.evaluation.registry import register
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.measures.names import parse
from ndcg_sql.system.limits import Limits
from ndcg_sql.system.messages import Messages
from support import exploring, twins
from support.files import write_judgments, write_run
from support.subtopics import OF_JUDGMENTS
from support.worlds import NEAR, world

RULES = ("score", "score32", "given")
# Two have the same map of gains, one has a name in trec_eval.
MEASURES = "nDCG(gains={1:2,2:5})@3 DCG(gains={1:2,2:5}) P@5 RR(missing='omit')"
TABLES = (
    *("evaluations", "hits", "stored_values", "stored_run_values"),
    *("measures", "measure_names", "measure_datasets", "gains", "positions"),
    *("misfits", "ideal_sums"),
)

HITS = "query_id, doc_id, position, grade, tie_first, tie_last"
EVERY = " ".join(family.example for family in OF_JUDGMENTS.values())


def contents(database: Database) -> dict[str, list[Any]]:
    """Return the rows of the tables that evaluating and registering fill."""
    return {table: database.execute(f"from {table} order by all") for table in TABLES}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write judgments, runs of the same queries, and one of other queries."""
    folder = tmp_path_factory.mktemp("together")
    write_judgments(folder / "judgments", world(11, 12).judged)
    write_run(folder / "score", world(11, 12).ranked)
    write_run(folder / "score32", world(12, 11).ranked)
    lines = [
        f"{query} Q0 {document} {rank} 0 t\n"
        for query, documents in world(13, 10).ranked.items()
        for rank, document in enumerate(documents, start=1)
    ]
    (folder / "given").write_text("".join(lines), encoding="utf-8")
    write_run(folder / "other", {"other": {"d": 1}})
    return folder


def loaded(files: Path, first: str) -> Database:
    """Return a warehouse into which runs or judgments were loaded first."""
    database = opening.memory(limits=Limits(threads=1))
    kinds = ("run", "judgments") if first == "run" else ("judgments", "run")
    for kind in kinds:
        if kind == "judgments":
            load(database, "judgments", [files / kind], Options(), Messages())
            continue
        for name in (*RULES, "other"):
            options = Options(position_rule=name if name in RULES else "score")
            load(database, "run", [files / name], options, Messages())
    return database


@pytest.fixture(scope="module")
def alone(files: Path) -> dict[str, list[Any]]:
    """Return what a warehouse holds where each run was evaluated as it was loaded."""
    return contents(loaded(files, "judgments"))


@pytest.mark.parametrize(
    "limits",
    [
        *({}, {"MOST_ROWS": 40}, {"_MOST_TERMS": 2000, "MANY": 1}),
        *({"MOST_OF_SQL": 0}, {"MOST_OF_SQL": 0, "_MOST_TERMS": 2000}),
    ],
)
def test_runs_have_the_same_values_together_and_alone(
    files: Path,
    alone: dict[str, list[Any]],
    monkeypatch: pytest.MonkeyPatch,
    limits: dict[str, int],
) -> None:
    # They are computed by SQL, in batches or not, or on arrays.
    for name, most in limits.items():
        monkeypatch.setattr(values, name, most)
    found = contents(loaded(files, "run"))
    assert len(found["evaluations"]) == 4
    assert found["stored_values"]
    assert found == alone


def test_a_batch_reads_its_own_hits_alone(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Read for each batch, the hits of all runs would grow with the square of the runs.
    execute = Database.execute
    read: list[str] = []

    def noted(database: Database, sql: str, parameters: Any = None) -> Any:
        if sql.startswith("insert into stored_values"):
            read.extend(re.findall(r"\(from \S*\bhits where run_id in \((.*?)\)", sql))
        return execute(database, sql, parameters)

    with opening.memory() as database:
        for name in ("a", "b", "c", "d"):
            options = Options(name=name)
            load(database, "run", [files / "score"], options, Messages())
        monkeypatch.setattr(values, "_MOST_TERMS", 2500)
        monkeypatch.setattr(Database, "execute", noted)
        load(database, "judgments", [files / "judgments"], Options(), Messages())
    assert read == ["1, 2", "3, 4"]


def test_ideal_sums_are_computed_once(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    computed: list[Batch] = []
    ideal_sums = Measuring.ideal_sums

    def noted(measuring: Measuring, batch: Batch) -> str:
        computed.append(batch)
        return ideal_sums(measuring, batch)

    monkeypatch.setattr(Measuring, "ideal_sums", noted)
    with opening.memory() as database:
        load(database, "judgments", [files / "judgments"], Options(), Messages())
        for name in ("a", "b"):
            load(database, "run", [files / "score"], Options(name=name), Messages())
        assert computed == [Batch(1)]
        # P has no ideal list.
        register(database, parse("P@3"))
        assert computed == [Batch(1)]
        register(database, parse("P@4 nDCG@3"))
        assert computed == [Batch(1)] * 2


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["MANY", "_MOST_TERMS", "MOST_OF_SQL"])
def test_measures_have_the_same_values_together_and_alone(
    files: Path, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    measures = parse(MEASURES)
    together, alone = loaded(files, "run"), loaded(files, "run")
    for measure in measures:
        assert register(alone, [measure]) == {measure.name: []}
    monkeypatch.setattr(values, limit, 300)
    assert register(together, measures) == {measure.name: [] for measure in measures}
    assert register(together, measures) == {}
    assert contents(together) == contents(alone)


@pytest.mark.slow
def test_values_do_not_depend_on_how_deep_other_runs_are(tmp_path: Path) -> None:
    random = Random(1)
    judged = {
        f"q{n}": {f"d{i}": random.randint(0, 3) for i in range(20)} for n in range(30)
    }
    ranked = {q: {d: random.random() for d in grades} for q, grades in judged.items()}
    write_judgments(tmp_path / "judgments", judged)
    write_run(tmp_path / "run", ranked)
    write_run(tmp_path / "deep", {"q0": {f"d{i}": -i for i in range(700)}})
    database = opening.memory(limits=Limits(threads=1))
    for kind in ("judgments", "run"):
        load(database, kind, [tmp_path / kind], Options(), Messages())
    assert register(database, parse(EVERY))
    before = contents(database)["stored_values"]
    load(database, "run", [tmp_path / "deep"], Options(), Messages())
    values.refill(database)
    after = contents(database)["stored_values"]
    assert before == [row for row in after if row[0] == before[0][0]]
    assert len(after) > len(before)


@pytest.mark.parametrize(
    ("rule", "seed"), exploring.sampled(product(("score", "score32"), range(5)), 9)
)
def test_hits_are_those_of_the_view(rule: str, seed: int, tmp_path: Path) -> None:
    made = world(seed, 120, scores=NEAR)
    qrels = write_judgments(tmp_path / "qrels", made.judged)
    run = write_run(tmp_path / "run", made.ranked)
    stored = f"select {HITS} from hits order by all"
    with opening.memory() as kept, opening.scratch() as gone:
        for warehouse in (kept, gone):
            load(warehouse, "judgments", [qrels], Options(), Messages())
            load(warehouse, "run", [run], Options(position_rule=rule), Messages())
        hits = kept.execute(stored)
        assert hits == kept.execute(f"select {HITS} from computed_hits order by all")
        assert hits == gone.execute(stored)
    queries = [query for query, *_ in hits]
    counts = {queries.count(query) for query in queries}
    # Both ways to find a position were taken.
    assert min(counts) <= 8 < max(counts)


@pytest.mark.parametrize(
    ("table", "view"),
    [
        ("hits", "computed_hits"),
        ("evaluations", "computed_evaluations"),
        ("ideal_sums", "computed_ideal_sums"),
        ("stored_values", "computed_values"),
    ],
)
def test_the_rows_of_a_view_are_those_stored(
    two_of_everything: Warehouse, table: str, view: str
) -> None:
    connection = two_of_everything.connection
    for left, right in ((table, view), (view, table)):
        differing = f"select * from store.{left} except select * from store.{right}"
        assert connection.sql(differing).fetchall() == []
    rows, same = (
        connection.sql(f"select count(*) from store.{name}").fetchall()
        for name in (table, view)
    )
    assert rows == same > [(0,)]


@pytest.fixture(scope="module")
def two_of_everything(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Warehouse]:
    """Give two datasets that share all ids, each with two runs and judgment sets."""
    random = Random(5)
    path = tmp_path_factory.mktemp("views") / "ndcg.duckdb"
    with Warehouse.write(path) as warehouse:
        warehouse.add_measures(twins.MEASURES[:2])
        for dataset, name in product(twins.DATASETS, "ab"):
            warehouse.load_judgments(
                twins.graded(random, twins.QUERIES), name, dataset=dataset
            )
            warehouse.load_run(
                twins.ranked(random, twins.QUERIES), name, dataset=dataset
            )
        for dataset, name in product(twins.DATASETS, "ab"):
            warehouse.evaluate(judgments=name, dataset=dataset)
        yield warehouse
