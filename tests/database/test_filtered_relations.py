"""A filter by name reaches the tables: only what was asked for is computed."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ndcg_sql.database import opening
from ndcg_sql.evaluation.values import refill, weigh
from ndcg_sql.loading.sets import Options, load
from ndcg_sql.system.messages import Messages
from support.exploring import sampled

ROOT = Path(__file__).parents[2]
PUBLIC = sorted(path.stem for path in (ROOT / "sql" / "public").glob("*.sql"))
PAIR = "baseline = 'first' and candidate = 'second'"
# Relations that read the rows of queries or documents of a run, and the filters
# of one run, or of one pair of runs.
FILTERS = {
    **dict.fromkeys(("comparisons", "run_comparisons", "slice_comparisons"), PAIR),
    **dict.fromkeys(
        (
            "ndcg",
            "ndcg_steps",
            "query_values",
            "rankings",
            "run_values",
            "slice_values",
            "unjudged_documents",
            "weighted_run_values",
        ),
        "run = 'first'",
    ),
}


@pytest.fixture(scope="module")
def client(
    tmp_path_factory: pytest.TempPathFactory, empty_file: Path
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Return a bare connection to a warehouse with two runs, slices and weights."""
    folder = tmp_path_factory.mktemp("filtered")
    path = Path(shutil.copyfile(empty_file, folder / "ndcg.duckdb"))
    qrels, first, second = (folder / name for name in ("qrels", "first", "second"))
    qrels.write_text("q1 0 a 3\nq1 0 b 1\nq2 0 c 2\n")
    first.write_text("q1 Q0 x 1 3 t\nq1 Q0 a 2 2 t\nq2 Q0 y 1 1 t\n")
    second.write_text("q1 Q0 b 1 3 t\nq1 Q0 x 2 2 t\nq2 Q0 c 1 1 t\n")
    with opening.write(path, refill) as database:
        load(database, "judgments", [qrels], Options(), Messages())
        load(database, "run", [first, second], Options(), Messages())
        database.execute(
            "insert into query_attributes values ('default', 'q1', 'device', 'tv')"
        )
        database.execute("insert into queries values ('default', 'q1', null, 2)")
        weigh(database, "default")
    with duckdb.connect(str(path), read_only=True) as connection:
        yield connection


def scans(node: dict[str, Any], table: str) -> Iterator[str]:
    """Return the filters of each scan of a table in a plan."""
    told = node["extra_info"]
    # What reads no name looks up the dataset of a run.
    is_table = str(told.get("Table", "")).endswith(f".{table}")
    if is_table and "name" in str(told.get("Projections", "")):
        yield str(told.get("Filters", ""))
    for below in node["children"]:
        yield from scans(below, table)


@pytest.mark.parametrize("relation", FILTERS)
def test_a_filter_by_name_reaches_every_read_of_runs(
    client: duckdb.DuckDBPyConnection, relation: str
) -> None:
    where = FILTERS[relation]
    assert client.execute(f"select * from {relation} where {where}").fetchall()
    sql = f"explain (format json) select * from {relation} where {where}"
    ((_, plan),) = client.execute(sql).fetchall()
    read = [filters for part in json.loads(plan) for filters in scans(part, "runs")]
    assert read
    for filters in read:
        # DuckDB 2.0 shows blanks around the sign.
        shown = filters.replace(" ", "")
        assert "name='first'" in shown or "name='second'" in shown, filters


@pytest.mark.slow
@pytest.mark.parametrize("relation", sampled(PUBLIC, 4))
def test_every_relation_shows_its_first_rows(
    client: duckdb.DuckDBPyConnection, relation: str
) -> None:
    (counted,) = client.execute(f"select count(*) from {relation}").fetchone() or (0,)
    shown = client.execute(f"select * from {relation} limit 3").fetchall()
    assert len(shown) == min(counted, 3)


def test_steps_join_rankings_by_equality(client: duckdb.DuckDBPyConnection) -> None:
    sql = "explain (format json) select * from ndcg_steps"
    ((_, plan),) = client.execute(sql).fetchall()
    # DuckDB 2 joins grades with settings so, of which there are few.
    assert "BLOCKWISE_NL_JOIN" not in plan or duckdb.__version__ > "2"
    conditions = re.findall('"BLOCKWISE_NL_JOIN".*?"Condition": "(.*?)"', plan, re.S)
    assert not [one for one in conditions if "position" in one or "doc_id" in one]
