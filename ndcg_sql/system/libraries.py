"""Libraries of frames, which need not be installed."""

from importlib import import_module
from typing import Any

from ndcg_sql.errors import NdcgSqlError


def library(name: str) -> Any:
    """Return a library of frames; raise NdcgSqlError if it is not installed."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise NdcgSqlError(
            f"a frame of {name} needs {error.name}", f"pip install {error.name}"
        ) from None
