"""Results that others asked for: of SQLAlchemy, and cursors of Python's drivers."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.received import stored
from ndcg_sql.text import shortened

# What messages call them.
SHOWN = "result"
_BATCH = 10_000
_LONGEST_REASON = 300


def is_cursor(value: Any) -> bool:
    """Return whether rows can be fetched from an object."""
    has_names = hasattr(value, "description") or callable(getattr(value, "keys", None))
    return has_names and callable(getattr(value, "fetchmany", None))


def write(cursor: Any, path: Path) -> dict[str, str]:
    """Write the rows that are left as Parquet; the cursor stays open.

    Returns the types of columns that are text there, but were not before. Raises
    NdcgSqlError if there are no rows, or if its driver fails.
    """
    return stored(*_read(cursor), SHOWN, path)


def _read(cursor: Any) -> tuple[list[str], Iterator[Sequence[Sequence[Any]]]]:
    """Return the names of the columns, and the rows in batches."""
    try:
        # A cursor has no columns before it is executed, and after an insert.
        names = (
            list(cursor.keys())
            if not hasattr(cursor, "description")
            else [str(column[0]) for column in cursor.description or ()]
        )
    except Exception as error:
        raise _failed(error) from error
    if not names:
        raise NdcgSqlError(f"{SHOWN}: no rows; execute a select first")
    return names, _batches(cursor, names)


def _batches(cursor: Any, names: list[str]) -> Iterator[Sequence[Sequence[Any]]]:
    while True:
        try:
            batch: list[Any] = list(cursor.fetchmany(_BATCH))
        except Exception as error:
            raise _failed(error) from error
        if not batch:
            return
        if isinstance(batch[0], Mapping):
            batch = [[row[name] for name in names] for row in batch]
        yield batch


def _failed(error: Exception) -> NdcgSqlError:
    cause = getattr(error, "orig", None) or error
    reason = str(cause).strip().partition("\n")[0] or type(cause).__name__
    return NdcgSqlError(f"{SHOWN}: {shortened(reason, _LONGEST_REASON)}")
