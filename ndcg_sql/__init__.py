"""ndcg-sql: an evaluation warehouse for rankings, in SQL."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ndcg_sql.errors import NdcgSqlError

if TYPE_CHECKING:
    from ndcg_sql.in_memory import Evaluation, compare, evaluate
    from ndcg_sql.warehouse import Warehouse, database_rows

__all__ = [
    "Evaluation",
    "NdcgSqlError",
    "Warehouse",
    "compare",
    "database_rows",
    "evaluate",
]
__version__ = "0.1.0"

_MODULES = {
    "Warehouse": "warehouse",
    "database_rows": "warehouse",
    "Evaluation": "in_memory",
    "compare": "in_memory",
    "evaluate": "in_memory",
}


def __getattr__(name: str) -> Any:
    """Import the rest on first use, so that --help does not wait for DuckDB."""
    if name in _MODULES:
        return getattr(import_module(f"ndcg_sql.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List everything before its first use, too."""
    return sorted({*globals(), *__all__})
