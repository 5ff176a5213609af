"""What a path on the command line means: a file or a stream."""

import os
import re
import stat
import sys
from contextlib import suppress
from itertools import islice
from pathlib import Path

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.text import closest_of_any_case, file_stem, harmless, listed

STDIN = Path("/dev/stdin")
# How many files of a folder are looked at for a name that was meant.
_FILES = 2000


def shown(path: Path) -> str:
    """Return the name of a file in messages; standard input is "-"."""
    return "-" if path == STDIN else harmless(str(path))


def argument(path: Path) -> str:
    """Return what names a file in a command; standard input is "-"."""
    return "-" if path == STDIN else str(path)


def source_name(path: Path) -> str:
    """Return the name of a file without its folder, harmless to show."""
    return harmless(path.name) if descriptor(path) is None else shown(path)


def default_name(path: Path) -> str:
    """Return the default name of what is loaded from a file."""
    named = path.name or str(path)
    return file_stem(named) if descriptor(path) is None else shown(path)


def descriptor(path: Path) -> int | None:
    """Return the number of the open stream that a path means, or None."""
    if path == STDIN:
        return 0
    number = re.fullmatch(r"(?:/dev|/proc/self)/fd/([0-9]{1,6})", str(path))
    return int(number[1]) if number else None


def stream(path: Path) -> int | Path | None:
    """Return which stream is at a path, or None if it can be read again."""
    number = descriptor(path)
    if number is not None:
        return number
    return path if path.is_fifo() else None


def check_local(path: Path, name: str) -> None:
    """Raise NdcgSqlError if a path is an address of a network."""
    # A path has no double slash any more; a single letter is a drive.
    if path.as_posix().startswith("duckdb:/"):
        raise NdcgSqlError(f"{name}: a URL; name the file of DuckDB itself")
    if re.match(r"[a-z][a-z0-9+.-]+:/", path.as_posix(), re.IGNORECASE):
        raise NdcgSqlError(f"{name}: only local files are read; download it first")


def _near(path: Path) -> str:
    """Return a hint with the files whose names are near to that of a missing one."""
    with suppress(OSError):
        names = [entry.name for entry in islice(os.scandir(path.parent), _FILES)]
        close = closest_of_any_case(path.name, names, 0.7)
        files = listed(str(path.parent / name) for name in close)
        return f"did you mean {files}?" if close else ""
    return ""


def check_kind(path: Path, name: str) -> None:
    """Raise NdcgSqlError if a path cannot be loaded."""
    check_local(path, name)
    number = descriptor(path)
    if path == STDIN and sys.stdin is None:
        # Another file may have its number by now.
        raise NdcgSqlError(f"{name}: standard input is closed")
    try:
        mode = (path.stat() if number is None else os.fstat(number)).st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise NdcgSqlError(f"{name}: no such file", _near(path)) from None
    except (OSError, ValueError) as error:
        if number is not None:
            raise NdcgSqlError(f"{name}: no open stream") from error
        reason = getattr(error, "strerror", None) or error
        raise NdcgSqlError(f"{name}: {reason}") from error
    if stat.S_ISDIR(mode):
        raise NdcgSqlError(f"{name}: a directory; name the files in it")
    is_open = number is not None and (stat.S_ISSOCK(mode) or os.isatty(number))
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or is_open):
        raise NdcgSqlError(f"{name}: neither a file nor a pipe")
