"""The Python interface: warehouses, and evaluation in memory."""

from ndcg_sql.loading.frames import database_rows
from ndcg_sql.output.results import GateResult
from ndcg_sql.python.warehouse import Warehouse

__all__ = ["GateResult", "Warehouse", "database_rows"]
