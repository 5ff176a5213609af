"""The limits of work on a warehouse: threads, memory, place of temporary files."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.wording import use

# DuckDB's default memory limit in bytes; at most 3/4 of its own default, which is 4/5
# of the memory of the machine or container. DuckDB takes up to half as much again for
# what its limit does not count.
MEMORY = 1_200_000_000
_MOST_THREADS = 1024
_Key = TypeVar("_Key")
_MOST_MEMORY = 10**15


@dataclass(frozen=True)
class Limits:
    """The limits that a user sets on work on a warehouse.

    memory is in bytes; by default, it is at most MEMORY, or DuckDB's own limit if
    not bounded. Temporary files go to a folder of their own inside temporary; by
    default next to the warehouse, or in that of the system for one in memory.
    """

    threads: int | None = None
    memory: int | None = None
    temporary: Path | None = None
    is_bounded: bool = True

    def __post_init__(self) -> None:
        if self.threads is not None and not 1 <= self.threads <= _MOST_THREADS:
            raise NdcgSqlError(
                f"not from 1 to {_MOST_THREADS}", where=use(threads=self.threads)
            )


def memory_bytes(size: str) -> int:
    """Return a size such as 500MB or 2GiB in bytes."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT])(I?)B", size.strip().upper())
    size_bytes = 0.0
    if match:
        base = 1024 if match[3] else 1000
        size_bytes = float(match[1]) * base ** ("KMGT".index(match[2]) + 1)
    if not 1 <= size_bytes <= _MOST_MEMORY:
        raise NdcgSqlError("write it like " + use(memory="2GB"), where=use(memory=size))
    return int(size_bytes)


def groups(sizes: Mapping[_Key, int], most: int) -> list[list[_Key]]:
    """Return keys in groups, in their order, whose sizes are at most so much in all.

    A key with a larger size has a group of its own.
    """
    made: list[list[_Key]] = []
    left = 0
    for key, size in sizes.items():
        if not made or size > left:
            made.append([])
            left = most
        made[-1].append(key)
        left -= size
    return made


def check_folder(folder: Path) -> None:
    """Raise NdcgSqlError if temporary files cannot be written to a folder."""
    where = use(temporary=str(folder))
    if not folder.is_dir():
        raise NdcgSqlError("no such directory", where=where)
    if not os.access(folder, os.W_OK | os.X_OK):
        raise NdcgSqlError("not writable", where=where)
