"""Runs made of runs: values, order, what is kept of them, and what is refused."""

import warnings
from collections.abc import Iterator
from random import Random
from typing import Any

import duckdb
import pytest

from ndcg_sql.database import sql_files
from ndcg_sql.database.database import Database
from ndcg_sql.evaluation.entries import Entry
from ndcg_sql.loading.fusion import Fusion, Source
from ndcg_sql.python.warehouse import Warehouse
from ndcg_sql.system.limits import Limits
from support import exploring, fusion
from support.compared import agree
from support.files import Ranked
from support.libraries import library
from support.scripts import scripted

test_script = scripted(__file__)

pytestmark = pytest.mark.mostly_slow

FIRST = {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
SECOND = {"q": {"b": 9.0, "d": 7.0, "a": 1.0}}
# What the documents get of both, best first: each method and norm has a case.
WORKED = {
    "rrf": "b .032522 a .032266 d .016129 c .015873",
    "sum min-max": "b 1.5 a 1 d .75 c 0",
    "mnz min-max": "b 3 a 2 d .75 c 0",
    "sum zmuv": "b .980581 d .392232 a -.148068 c -1.224745",
    "isr": "b 2.5 a 2.222222 d .25 c .111111",
    "log_isr": "b .866434 a .770164 d 0 c 0",
    "borda": "b 7 a 6 d 4 c 3",
    "anz min-max": "d .75 b .75 a .5 c 0",
    "sum rank": "b 1.666667 a 1.333333 d .666667 c .333333",
    "sum borda": "b 1.75 a 1.5 d 1 c .75",
    "sum max": "b 1.666667 a 1.111111 d .777778 c .333333",
    "sum sum": "b .904762 a .666667 d .428571 c 0",
    "sum none": "b 11 d 7 a 4 c 1",
    "max min-max": "b 1 a 1 d .75 c 0",
    "min min-max": "d .75 b .5 c 0 a 0",
    "med min-max": "d .75 b .75 a .5 c 0",
    "weighted min-max": "b 2.5 d 1.5 a 1 c 0",
}
METHODS = {row["method"]: row for row in sql_files.rows("fusion/methods")}
NORMS = {row["norm"]: row for row in sql_files.rows("fusion/norms")}
# Methods that ranx calls otherwise.
RANX = {"weighted": "wsum", "borda": "bordafuse"}
Fused = list[tuple[str, str, float]]


@pytest.fixture
def two() -> Iterator[Warehouse]:
    """Return a warehouse in memory with the runs of the worked values."""
    with Warehouse.memory(Limits(threads=2)) as warehouse:
        warehouse.load_run(FIRST, "first")
        warehouse.load_run(SECOND, "second")
        yield warehouse


def ranking(warehouse: Warehouse, run: str = "x") -> Fused:
    """Return the documents and scores of a run, by their positions."""
    sql = "select query_id, doc_id, score from rankings where run = $1"
    sql += " order by query_id, position"
    return warehouse.connection.execute(sql, [run]).fetchall()


def fused(
    runs: list[Any], method: str, norm: str | None, names: str = "", threads: int = 2
) -> Fused:
    """Return what runs of these names are fused to, weighted if the method is."""
    weights = [0.3, 2, 0.0, 1.25, 1, 0.7][: len(runs)] if method == "weighted" else None
    with Warehouse.memory(Limits(threads=threads)) as warehouse:
        named = dict(zip(names or "abcdef", runs, strict=False))
        for name in sorted(named):
            warehouse.load_run(named[name], name)
        warehouse.fuse([*named], "x", method=method, norm=norm, weights=weights)
        return ranking(warehouse)


def by_query(rows: Fused) -> dict[str, dict[str, float]]:
    """Return the scores of the documents of each query."""
    found: dict[str, dict[str, float]] = {}
    for query, document, score in rows:
        found.setdefault(query, {})[document] = score
    return found


@pytest.mark.quick
@pytest.mark.parametrize("case", WORKED)
def test_worked_values(two: Warehouse, case: str) -> None:
    method, _, norm = case.partition(" ")
    weights = [1, 2] if method == "weighted" else None
    runs = ["first", "second"]
    two.fuse(runs, "x", method=method, norm=norm or None, weights=weights)
    parts = WORKED[case].split()
    assert [document for _, document, _ in ranking(two)] == parts[::2]
    scores = [score for *_, score in ranking(two)]
    assert scores == pytest.approx([float(part) for part in parts[1::2]], abs=5e-7)


@pytest.mark.quick
def test_every_method_and_norm_has_a_worked_value() -> None:
    worked = [case.partition(" ") for case in WORKED]
    for method in METHODS:
        assert method in {one for one, *_ in worked}, f"{method}: add it to WORKED"
    for norm in NORMS:
        assert norm in {two for *_, two in worked}, f"{norm}: add it to WORKED"


def fault(database: Database, method: str, norm: str | None) -> str:
    """Return what is wrong with the formulas of a row, if anything."""
    sources = (Source("", 1, Entry(1, "", "")), Source("", 1, Entry(2, "", "")))
    values = NORMS[norm] if norm else METHODS[method]
    made = Fusion(METHODS[method], values, 60, None, sources)
    try:
        with made.read(database):
            select = made.scored(made.documents)
            database.execute(f"explain {select}", made.parameters)
    except (duckdb.Error, OSError) as error:
        return f"{method} {norm or ''}: {error}"
    return ""


@pytest.mark.quick
@pytest.mark.parametrize("row", [*METHODS, *(f"sum {norm}" for norm in NORMS)])
def test_formulas_parse_and_name_columns_that_exist(memory: Database, row: str) -> None:
    method, _, norm = row.partition(" ")
    if "norm" in METHODS[method]["takes"].split():
        norm = norm or "none"
    assert not fault(memory, method, norm or None)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("rows", "name", "formula"),
    [
        *((METHODS, "rrf", formula) for formula in ("value", "term", "score")),
        *((METHODS, "borda", "missing"), (NORMS, "zmuv", "value")),
        *((NORMS, "borda", "missing"), (NORMS, "rank", "lists")),
    ],
)
def test_a_faulty_formula_is_named_with_its_row(
    memory: Database,
    monkeypatch: pytest.MonkeyPatch,
    rows: dict[str, dict[str, str]],
    name: str,
    formula: str,
) -> None:
    for wrong in ("1 + nothing", "(1"):
        monkeypatch.setitem(rows[name], formula, wrong)
        method, norm = ("sum", name) if rows is NORMS else (name, None)
        assert fault(memory, method, norm).startswith(f"{method} {norm or ''}: ")


@pytest.mark.quick
def test_every_file_and_check_of_fusion_is_used() -> None:
    rows = [*METHODS.values(), *NORMS.values()]
    lists = {f"fusion/lists/{name}" for row in rows for name in row["lists"].split()}
    assert lists == set(sql_files.names("fusion/lists"))
    checks = {check for row in NORMS.values() for check in row["checks"].split()}
    assert checks == {row["check"] for row in sql_files.rows("fusion/checks")}


@pytest.mark.parametrize(("method", "norm"), exploring.sampled(fusion.EVERY, 9))
def test_random_runs_have_the_values_of_the_definitions(
    method: str, norm: str | None
) -> None:
    for seed in range(exploring.amount(2, 40)):
        # Terms are added up by pairs.
        runs = fusion.world(seed, 6 if seed % 2 else 3)
        weights = [0.3, 2, 0.0, 1.25, 1, 0.7][: len(runs)]
        expected = fusion.fused(runs, method, norm, weights=weights)
        rows = fused(runs, method, norm)
        if method != "weighted" and not seed:
            # The order and names of runs do not matter, to the last bit.
            assert fused(runs[1:] + runs[:1], method, norm, "cab") == rows
        found = by_query(rows)
        assert found.keys() == expected.keys()
        for query, scores in expected.items():
            agree("plain Python", f"fuse: {method}", found[query], scores, rel=1e-12)
            assert list(fusion.positions(found[query])) == list(found[query])


@pytest.mark.slow
@pytest.mark.parametrize(("method", "norm"), fusion.EVERY)
def test_ranx_has_the_same_scores(method: str, norm: str | None) -> None:
    ranx: Any = library("ranx")
    random = Random(f"{method} {norm} {exploring.SEED}")
    # All queries, and no ties: ranx leaves their order open, and gives equal scores
    # other values.
    runs = [
        {
            f"q{number}": {
                f"d{d}": score / 16
                for d, score in zip(
                    random.sample(range(40), size),
                    random.sample(range(1, 4000), size),
                    strict=True,
                )
            }
            for number in range(exploring.amount(15, 150))
            for size in [random.randint(2, 25)]
        }
        for _ in range(3)
    ]
    names = {**RANX, **{m: m for m in METHODS if m not in RANX}}
    with warnings.catch_warnings():
        # numba's, of its own casts.
        warnings.simplefilter("ignore")
        theirs = ranx.fuse(
            runs=[ranx.Run(run, name=str(n)) for n, run in enumerate(runs)],
            norm=None if norm in (None, "none") else norm,
            method=names[method],
            params={"weights": [0.3, 2, 0.0]} if method == "weighted" else None,
        ).to_dict()
    ours = by_query(fused(runs, method, norm))
    assert ours.keys() == theirs.keys()
    for query, scores in theirs.items():
        agree("ranx", f"fuse: {method}", ours[query], dict(scores), abs=1e-9)


@pytest.mark.parametrize("method", ["rrf", "sum", "weighted", "med"])
def test_threads_do_not_change_the_last_bit(method: str) -> None:
    random = Random(5)
    runs: list[Ranked] = [
        {
            f"q{number}": {
                f"d{d}": random.random() for d in random.sample(range(300), 150)
            }
            for number in range(400)
        }
        for _ in range(5)
    ]
    norm = None if method == "rrf" else "zmuv"
    alone, *others = (fused(runs, method, norm, threads=n) for n in (1, 2, 4, 4))
    assert len(alone) > 50_000
    assert all(other == alone for other in others)
