"""ndcg-sql: an evaluation warehouse for rankings, in SQL."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ndcg_sql.errors import NdcgSqlError

if TYPE_CHECKING:
    from ndcg_sql.loading.frames import database_rows
    from ndcg_sql.loading.loaded import Fused, Loaded, LoadedItem, Tuned
    from ndcg_sql.output.figures.figure import Figure, figure
    from ndcg_sql.output.results import GateResult, Result
    from ndcg_sql.python.in_memory import Evaluation, compare, evaluate
    from ndcg_sql.python.warehouse import Warehouse, emit
    from ndcg_sql.questions.inputs import Judgments, Known, Measures, Rows, Run

__all__ = [
    "Evaluation",
    "Figure",
    "Fused",
    "GateResult",
    "Judgments",
    "Known",
    "Loaded",
    "LoadedItem",
    "Measures",
    "NdcgSqlError",
    "Result",
    "Rows",
    "Run",
    "Tuned",
    "Warehouse",
    "compare",
    "database_rows",
    "emit",
    "evaluate",
    "figure",
]
__version__ = "0.1.0"

_MODULES = {
    "loading.frames": ("database_rows",),
    "loading.loaded": ("Fused", "Loaded", "LoadedItem", "Tuned"),
    "output.figures.figure": ("Figure", "figure"),
    "output.results": ("GateResult", "Result"),
    "python.in_memory": ("Evaluation", "compare", "evaluate"),
    "python.warehouse": ("Warehouse", "emit"),
    "questions.inputs": ("Judgments", "Known", "Measures", "Rows", "Run"),
}


def __getattr__(name: str) -> Any:
    """Import the rest on first use, so that --help does not wait for DuckDB."""
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"ndcg_sql.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List everything before its first use, too."""
    return sorted({*globals(), *__all__})
