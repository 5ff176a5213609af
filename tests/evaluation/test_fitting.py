"""Registered measures that the grades of some judgments cannot carry."""

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb

from ndcg_sql.database import opening
from ndcg_sql.evaluation.values import refill
from support.files import tables
from support.scripts import scripted

_FILE = Path("ndcg.duckdb")
_NOTED: dict[Path, Any] = {}


def refilled() -> str:
    """Fill the derived tables anew; return how many pairs, and if all is as before."""
    before = tables(_FILE)
    with opening.write(_FILE, refill) as database, database.transaction():
        pairs = refill(database)
    after = tables(_FILE)
    names = ("stored_values", "stored_run_values", "misfits")
    assert all(before[name] for name in names)
    same = all(
        sorted(map(repr, before[n])) == sorted(map(repr, after[n])) for n in names
    )
    return f"{pairs} pairs, {'the same' if same else 'other'} values"


def noted() -> bool:
    """Return whether the tables are as they were when they were first noted here."""
    return _NOTED.setdefault(Path.cwd(), tables(_FILE)) == tables(_FILE)


def warned(method: Callable[..., object], *names: str, **fields: str) -> list[str]:
    """Return which measures a method says that it leaves out, as often as it does."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        method(*names, **fields)
    return re.findall(r"\S+ is omitted", "\n".join(str(one.message) for one in caught))


def run_values(path: str) -> list[tuple[Any, ...]]:
    """Return the relation run_values of a warehouse."""
    with duckdb.connect(path, read_only=True) as connection:
        return connection.execute("from main.run_values order by all").fetchall()


test_script = scripted(__file__, refilled, noted, warned, run_values)
