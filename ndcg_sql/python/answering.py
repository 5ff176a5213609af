"""Requests carried out: by which function."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ndcg_sql.database.database import Database
from ndcg_sql.loading.fused import Fused
from ndcg_sql.loading.loaded import LoadedItem
from ndcg_sql.requests import changes, loading
from ndcg_sql.system.messages import Messages
from ndcg_sql.wording import BEGIN, Part, Phrase

# The function that takes a database, messages and a request. They are imported when
# they are needed.
CHANGES: dict[type, str] = {
    changes.FuseRequest: "loading.fusing.fuse",
    loading.LoadBenchmarkRequest: "loading.benchmarks.load",
}
# Changes that make a warehouse where there is none.
MAKERS = (loading.LoadBenchmarkRequest,)
# What makes a warehouse for the others, where that is no judgment set.
_FIRST: dict[type, Part] = {changes.FuseRequest: Phrase("begin with a run")}
# Those whose functions return what they loaded.
_LOADS = (loading.LoadBenchmarkRequest,)


def _function(path: str) -> Callable[[Database, Messages, object], Any]:
    module, _, name = path.rpartition(".")
    return getattr(import_module(f"ndcg_sql.{module}"), name)


def first(request: object) -> Part:
    """Return what makes a warehouse that a request can change."""
    return _FIRST.get(type(request), BEGIN)


def change(database: Database, messages: Messages, request: object) -> list[LoadedItem]:
    """Change a warehouse as a request says; return what was loaded.

    Raises NdcgSqlError, and changes nothing, where that is not possible.
    """
    loaded = _function(CHANGES[type(request)])(database, messages, request)
    return loaded if isinstance(request, _LOADS) else []


def fuse(database: Database, messages: Messages, request: changes.FuseRequest) -> Fused:
    """Make a run of runs as a request says; return how it was made."""
    return _function(CHANGES[changes.FuseRequest])(database, messages, request)
