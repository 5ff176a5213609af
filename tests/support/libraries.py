"""Other libraries and programs that the tests compare with."""

import os
import shutil
import sys
from importlib import import_module
from typing import Any

import pytest

# Libraries whose last release does not run on Python from this version on.
_TOO_OLD = {"ir_measures": (3, 14)}


def library(name: str) -> Any:
    """Import a module; without it, skip the test, or fail where all are installed."""
    if sys.version_info >= _TOO_OLD.get(name, (4,)):
        version = ".".join(map(str, sys.version_info[:2]))
        pytest.skip(f"{name} does not run on Python {version}")
    if _all_are_installed():
        try:
            return import_module(name)
        except ImportError as error:
            pytest.fail(
                f"{name}: not installed, but the tests compare with it: {error}"
            )
    return pytest.importorskip(name)


def program(name: str) -> str:
    """Return the path of a program; without it, do as for a library."""
    path = shutil.which(name)
    if path is None:
        if _all_are_installed():
            pytest.fail(f"{name}: not installed, but the tests compare with it")
        pytest.skip(f"{name} is not installed")
    return path


def _all_are_installed() -> bool:
    """Tell whether nothing may be left out."""
    return "CI" in os.environ or os.environ.get("NDCG_SQL_CI") == "1"
