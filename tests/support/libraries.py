"""Other libraries that the tests compare with."""

import os
from importlib import import_module
from typing import Any

import pytest


def library(name: str) -> Any:
    """Import a module; without it, skip the test, or fail where all are installed."""
    if "CI" in os.environ or os.environ.get("NDCG_SQL_CI") == "1":
        try:
            return import_module(name)
        except ImportError as error:
            pytest.fail(
                f"{name}: not installed, but the tests compare with it: {error}"
            )
    return pytest.importorskip(name)
