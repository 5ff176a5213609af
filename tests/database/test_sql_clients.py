"""The same values come out of any client: DuckDB, SQLAlchemy, pandas, a notebook."""

import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest

from support.commands import Command, Once, records
from support.libraries import library
from support.processes import ran

SQL = "select run, measure, value from run_values order by run, measure"
# In a notebook, where DuckDB's progress bar may be missing.
CODE = """
from ndcg_sql import Warehouse
with Warehouse.read({path!r}) as warehouse:
    print(warehouse.connection.execute("select run from runs").fetchall())
with Warehouse.read({path!r}, copy=True) as warehouse:
    print(warehouse.report("RR").df().shape[0])
with Warehouse.memory() as warehouse:
    print(warehouse.load_run({{"q": {{"d": 1}}}}, "own"))
"""
PRINTED = "[('base',)]\n1\nloaded run \"own\": 1 query, 1 document; no judgments yet\n"
# What DuckDB takes for a kernel.
KERNEL = """
import sys, types
shell = types.SimpleNamespace(config={"IPKernelApp": {}})
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: shell)
sys.modules["ipywidgets"] = None
import duckdb
try:
    duckdb.connect().execute("set enable_progress_bar_print = false")
except duckdb.InvalidInputException:
    print("refused")
"""


@pytest.fixture
def shop(here: Path, ndcg: Command, once: Once) -> Path:
    """Put a warehouse with the demo's data where commands find it."""
    once(lambda: ndcg("demo"))
    return here / "ndcg.duckdb"


def _reported(ndcg: Command) -> list[tuple[str, str, float]]:
    """Return what a report says, in the order of SQL."""
    rows = records(ndcg, "report")
    return sorted((row["run"], row["measure"], row["value"]) for row in rows)


@pytest.mark.slow
def test_sqlalchemy_and_pandas_read_what_the_report_says(
    ndcg: Command, shop: Path
) -> None:
    library("duckdb_sqlalchemy")
    sqlalchemy: Any = library("sqlalchemy")
    pandas: Any = library("pandas")
    reported = _reported(ndcg)
    engine = sqlalchemy.create_engine(
        f"duckdb:///{shop}", connect_args={"read_only": True}
    )
    with engine.connect() as connection:
        rows = connection.execute(sqlalchemy.text(SQL)).fetchall()
        assert [tuple(row) for row in rows] == reported
        frame = pandas.read_sql(sqlalchemy.text(SQL), connection)
        assert list(frame.itertuples(index=False, name=None)) == reported
    inspector = sqlalchemy.inspect(engine)
    assert {
        *("query_values", "run_values", "ndcg_steps"),
        *("judgments", "rankings", "runs"),
    } <= set(inspector.get_view_names())
    assert inspector.get_table_names() == []
    columns = {column["name"] for column in inspector.get_columns("run_values")}
    assert {"run", "judgment_set", "dataset", "measure", "value", "n"} <= columns
    engine.dispose()


def test_own_tables_can_be_joined(shop: Path) -> None:
    with duckdb.connect(str(shop)) as connection:
        connection.execute(
            "create table revenue as"
            " select query_id, 100.0 * weight as euros from queries"
        )
        rows = connection.execute(
            "select run, sum(euros * value) / sum(euros)"
            " from query_values inner join revenue using (query_id)"
            " where measure = 'nDCG@10' group by run order by run"
        ).fetchall()
    assert [run for run, _ in rows] == ["bm25", "hybrid", "keyword"]
    # Computed by hand from the bundled files.
    weighted = [0.674190, 0.896481, 0.589797]
    assert [value for _, value in rows] == pytest.approx(weighted, abs=1e-6)


@pytest.mark.slow
def test_steps_add_up_to_the_value(shop: Path) -> None:
    sql = """
        select
            max(abs(ndcg.dcg - steps.dcg)),
            max(abs(ndcg.ideal_dcg - steps.ideal_dcg)),
            max(abs(ndcg.ndcg - query_values.value)),
            count(*)
        from ndcg
        inner join (
            select
                run_id,
                query_id,
                measure,
                arg_max(dcg, position) as dcg,
                arg_max(ideal_dcg, position) as ideal_dcg
            from ndcg_steps
            group by run_id, query_id, measure
        ) as steps using (run_id, query_id, measure)
        inner join query_values using (run_id, query_id, measure)
    """
    with duckdb.connect(str(shop), read_only=True) as connection:
        dcg, ideal, value, count = connection.execute(sql).fetchall()[0]
    # A query without a ranking and without an ideal has no steps: q04 of bm25
    # still has an ideal, q09 has neither gains nor an ideal, but documents.
    assert count == 60
    assert max(dcg, ideal) < 1e-12
    assert value == 0


@pytest.mark.slow
def test_what_duckdb_takes_for_a_kernel_opens_a_warehouse(loaded: Path) -> None:
    result = ran([sys.executable, "-c", KERNEL + CODE.format(path=str(loaded))])
    assert result.stdout == f"refused\n{PRINTED}", result.stderr


@pytest.mark.slow
def test_a_real_kernel_opens_a_warehouse(loaded: Path) -> None:
    library("ipykernel")
    started: Any = library("jupyter_client.manager").start_new_kernel
    manager, client = started(kernel_name="python3")
    printed: list[str] = []

    def take(message: Any) -> None:
        content = message["content"]
        printed.append(content.get("text", "") + "".join(content.get("traceback", "")))

    try:
        code = CODE.format(path=str(loaded))
        client.execute_interactive(code, timeout=120, output_hook=take)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    assert "".join(printed) == PRINTED
