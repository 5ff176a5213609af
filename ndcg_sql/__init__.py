"""ndcg-sql: an evaluation warehouse for rankings, in SQL."""

from typing import TYPE_CHECKING, Any

from ndcg_sql.errors import NdcgSqlError

if TYPE_CHECKING:
    from ndcg_sql.warehouse import Warehouse, database_rows

__all__ = ["NdcgSqlError", "Warehouse", "database_rows"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Import the rest on first use, so that --help does not wait for DuckDB."""
    if name in ("Warehouse", "database_rows"):
        from ndcg_sql import warehouse

        return getattr(warehouse, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List everything before its first use, too."""
    return sorted({*globals(), *__all__})
