"""The select of docs/ndcg.md gives the same bits as the views of the warehouse."""

import re
from pathlib import Path

import duckdb
import pytest

from support import pages
from support.commands import Command

PAGE = (pages.ROOT / "docs" / "ndcg.md").read_text(encoding="utf-8")
(SELECT,) = re.findall(r"```sql\n(with .*?)```", PAGE, re.DOTALL)
LOADED = "select run from runs order by run_id"
VALUES = """
    select query_id, value
    from query_values
    where run = $run and measure = 'nDCG@10'
    order by query_id
"""


def compare(warehouse: Path) -> int:
    """Compare the values of every run; return the number of values."""
    count = 0
    with duckdb.connect(str(warehouse), read_only=True) as connection:
        for (run,) in connection.execute(LOADED).fetchall():
            expected = connection.execute(VALUES, {"run": run}).fetchall()
            # The page has one run; a temporary view hides the others.
            connection.execute(
                "create or replace temp view rankings as select *"
                f" from ndcg.main.rankings where run = '{run}'"
            )
            assert connection.execute(SELECT).fetchall() == expected
            count += len(expected)
    return count


def test_the_select_is_short() -> None:
    assert len(SELECT.splitlines()) <= 34


@pytest.mark.slow
def test_the_select_gives_the_values_of_the_demo(ndcg: Command) -> None:
    assert ndcg("--quiet", "demo").code == 0
    assert compare(Path("ndcg.duckdb")) == 60


@pytest.mark.slow
def test_the_select_gives_the_values_of_dl19(ndcg: Command, shared: Path) -> None:
    folder = shared / "dl19"
    (qrels,) = folder.glob("qrels.*")
    runs = sorted(folder.glob("run.*"))
    assert ndcg("load", "judgments", qrels).code == 0
    assert ndcg("load", "run", *runs).code == 0
    assert compare(Path("ndcg.duckdb")) == 43 * len(runs)
