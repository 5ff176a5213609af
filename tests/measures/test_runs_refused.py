"""What needs values of queries refuses measures of runs, or leaves them out."""

from pathlib import Path

from ndcg_sql import Warehouse
from support.scripts import scripted
from support.shops import load
from support.shown import FOUR


def fill() -> None:
    """Load two runs, and register a measure of whole runs."""
    with Warehouse("ndcg.duckdb") as warehouse:
        load(warehouse, FOUR, {query: {"a": 1, "b": 0} for query in "uvwx"})
        warehouse.load_judgments({query: {"b": 1} for query in "uvwx"}, "newer")
        other = {query: top[::-1] for query, top in FOUR.rankings.items()}
        warehouse.load_run(other, "other", run_at="2026-01-02")
        Path("queries.csv").write_text("query_id,device\nu,p\nv,p\nw,d\nx,d\n")
        warehouse.load_queries("queries.csv")
        warehouse.add_measures("Coverage@2")


test_script = scripted(__file__, fill)
