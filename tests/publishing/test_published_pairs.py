"""Which pairs of runs are compared in what is published, and what a new run adds."""

import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql import Warehouse
from ndcg_sql.publishing import plan
from support import published
from support.commands import Command

JUDGED = {"q1": {"a": 1}, "q2": {"a": 1}}
COMPARED = ("comparisons", "run_comparisons", "slice_comparisons")


def ranked(place: int) -> dict[str, list[str]]:
    """Return a run whose relevant documents stand at a place."""
    return {q: [f"x{n}" for n in range(1, place)] + ["a"] for q in JUDGED}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a warehouse of the runs r3, r1, r4 and r2; r1 is the best of them."""
    path = tmp_path_factory.mktemp("runs") / "ndcg.duckdb"
    queries = path.with_name("queries.csv")
    queries.write_text("query_id,device\nq1,phone\nq2,desk\n")
    with Warehouse.write(path) as warehouse:
        warehouse.load_judgments(JUDGED, "judgments", dataset="shop")
        warehouse.load_queries(queries, dataset="shop")
        for day, rank in enumerate((3, 1, 4, 2), start=1):
            warehouse.load_run(
                ranked(rank), f"r{rank}", dataset="shop", run_at=f"2026-01-0{day}"
            )
    return path


@pytest.fixture
def runs(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Put a copy of the warehouse into an empty folder."""
    monkeypatch.chdir(tmp_path)
    shutil.copyfile(made, "ndcg.duckdb")
    return tmp_path


def compared(path: Path, relation: str = "run_comparisons") -> set[str]:
    """Return the pairs of runs in a relation of a published file."""
    select = f"select distinct baseline || candidate from {relation}"
    with duckdb.connect(str(path), read_only=True) as connection:
        return {pair for (pair,) in connection.execute(select).fetchall()}


def rows(path: Path, relation: str, pairs: set[str] | None = None) -> list[Any]:
    """Return the rows of a relation, of all pairs or some, in order."""
    select = f"from {relation}"
    if pairs is not None:
        select += " where list_contains($pairs, baseline || candidate)"
    with duckdb.connect(str(path), read_only=True) as connection:
        given = {"pairs": sorted(pairs)} if pairs is not None else None
        return sorted(connection.execute(select, given).fetchall(), key=repr)


def with_baselines(*baselines: str) -> set[str]:
    """Return the pairs of every run with baselines."""
    names = ("r1", "r2", "r3", "r4")
    return {f"{b}{c}" for b in baselines for c in names if b != c}


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, 200_000])
def test_all_pairs_of_few_runs_are_compared(
    ndcg: Command, runs: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(plan, "_MOST_VALUES", most)
    # Of two runs, one may have values of more judgment sets than the other.
    with Warehouse.write("ndcg.duckdb") as warehouse:
        warehouse.load_judgments({"q1": {"x1": 1}}, "later", dataset="shop")
        warehouse.load_run(ranked(3), "r5", dataset="shop")
    assert ndcg("publish", "bi.duckdb").err == 'published "bi.duckdb": a DuckDB file\n'
    for relation in COMPARED:
        assert rows(runs / "bi.duckdb", relation) == rows(
            runs / "ndcg.duckdb", relation
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "tag", "expected"),
    [
        ((), None, {"r3r1", "r1r4", "r4r2"} | with_baselines("r1")),
        ((), "r4 baseline", with_baselines("r4", "r1")),
        # The last release before a run, beside the run before it.
        (
            (),
            "r3 release",
            {"r3r1", "r3r4", "r3r2", "r1r4", "r4r2"} | with_baselines("r1"),
        ),
        (("--baseline", "r2"), "r4 production", {"r4r2"} | with_baselines("r2", "r1")),
        (("--baseline", "r2"), None, with_baselines("r2", "r1")),
        (
            ("--baseline", "r[23]"),
            "r4 baseline",
            with_baselines("r2", "r3", "r4", "r1"),
        ),
        (("--all-pairs",), "r4 baseline", with_baselines("r1", "r2", "r3", "r4")),
    ],
)
def test_many_runs_are_compared_with_baselines(
    ndcg: Command,
    runs: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    tag: str | None,
    expected: set[str],
) -> None:
    monkeypatch.setattr(plan, "FEW_RUNS", 3)
    if tag:
        run, name = tag.split()
        assert ndcg("tag", "run", run, f"{name}=yes", "--dataset", "shop").code == 0
    result = ndcg("publish", "bi.duckdb", *options)
    told = (
        'dataset "shop": 4 runs compared with baselines and the best run only; for all'
        " pairs: --all-pairs\n"
    )
    assert result.err == 'published "bi.duckdb": a DuckDB file\n' + told * (
        len(expected) < 12
    )
    for relation in COMPARED:
        assert compared(runs / "bi.duckdb", relation) == expected
        # To the last bit, the rows are those of the warehouse.
        assert rows(runs / "bi.duckdb", relation) == rows(
            runs / "ndcg.duckdb", relation, expected
        )


@pytest.mark.slow
@pytest.mark.usefixtures("runs")
@pytest.mark.parametrize(
    ("target", "few"),
    [("bi.duckdb", 3), ("bi.duckdb", 2), ("sqlite:///bi.db", 20), ("bi/", 2)],
)
def test_a_new_run_adds_its_own_pairs(
    ndcg: Command,
    monkeypatch: pytest.MonkeyPatch,
    computed: list[tuple[str, str]],
    target: str,
    few: int,
) -> None:
    monkeypatch.setattr(plan, "FEW_RUNS", few)
    fresh = target.replace("bi", "fresh")
    warehouse = Warehouse("ndcg.duckdb")
    assert "published" in warehouse.publish(target)
    # Not the best: r1 stays a baseline of all.
    warehouse.load_run(ranked(5), "r5", dataset="shop", run_at="2026-01-05")
    computed.clear()
    assert ndcg("publish", target).code == 0
    pairs = sorted(part for part in computed if part[0] in COMPARED)
    assert pairs == [(relation, "5") for relation in COMPARED]
    # Another baseline, in place of the one that all runs were compared with.
    warehouse.load_run(ranked(1), "r0", dataset="shop", run_at="2026-01-06")
    warehouse.remove("run", "r1", dataset="shop")
    assert ndcg("publish", target).code == 0
    assert ndcg("publish", fresh).code == 0
    for relation in COMPARED:
        assert published.rows(target, relation) == published.rows(fresh, relation)
        assert published.rows(fresh, relation)
