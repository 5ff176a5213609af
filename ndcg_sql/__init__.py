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
    from ndcg_sql.python.methods import emit
    from ndcg_sql.python.warehouse import Warehouse
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
    "Figure": "output.figures.figure",
    "Fused": "loading.loaded",
    "GateResult": "output.results",
    "Judgments": "questions.inputs",
    "Known": "questions.inputs",
    "Loaded": "loading.loaded",
    "LoadedItem": "loading.loaded",
    "Measures": "questions.inputs",
    "Result": "output.results",
    "Rows": "questions.inputs",
    "Run": "questions.inputs",
    "Tuned": "loading.loaded",
    "Warehouse": "python.warehouse",
    "database_rows": "loading.frames",
    "emit": "python.methods",
    "Evaluation": "python.in_memory",
    "compare": "python.in_memory",
    "evaluate": "python.in_memory",
    "figure": "output.figures.figure",
}


def __getattr__(name: str) -> Any:
    """Import the rest on first use, so that --help does not wait for DuckDB."""
    if name in _MODULES:
        return getattr(import_module(f"ndcg_sql.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """List everything before its first use, too."""
    return sorted({*globals(), *__all__})
