"""A warehouse in a notebook, where DuckDB's progress bar may be missing."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.libraries import library

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


@pytest.mark.slow
def test_what_duckdb_takes_for_a_kernel_opens_a_warehouse(loaded: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", KERNEL + CODE.format(path=str(loaded))],
        capture_output=True,
        text=True,
    )
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
