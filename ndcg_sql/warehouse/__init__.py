"""The Python interface of a warehouse: load, ask, keep."""

from ndcg_sql.loading.frames import database_rows
from ndcg_sql.warehouse.comparisons import Comparisons, GateResult
from ndcg_sql.warehouse.keeping import Keeping
from ndcg_sql.warehouse.loading import Loading
from ndcg_sql.warehouse.questions import Questions

__all__ = [
    "GateResult",
    "Warehouse",
    "database_rows",
]


class Warehouse(Loading, Questions, Comparisons, Keeping):
    """A warehouse of judgments, runs and the values of measures.

        warehouse = Warehouse("ndcg.duckdb")
        warehouse.load_judgments("qrels.txt")
        warehouse.load_run(frame, "first")
        warehouse.report("nDCG@10 AP").df()

    It opens the file for each call, as the command line does, so that others can
    read and write it in between. Warehouse.read, Warehouse.write and
    Warehouse.memory hold it open until it is closed; use them as context managers.
    Use a warehouse from one thread only. Every failure is an ndcg_sql.NdcgSqlError.
    """
