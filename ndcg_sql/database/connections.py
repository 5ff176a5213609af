"""Connections to a database file: opening, waiting, DuckDB's errors as messages."""

import errno
import os
import random
import re
import shutil
import time
from contextlib import suppress
from pathlib import Path

import duckdb

from ndcg_sql.errors import DISK_FULL, DiskFullError, LockedError, NdcgSqlError
from ndcg_sql.system import progress
from ndcg_sql.system.files import PREFIX
from ndcg_sql.system.messages import Messages
from ndcg_sql.system.platforms import HAS_DESCRIPTORS, largest_file, read_at
from ndcg_sql.text import shortened, sql_name
from ndcg_sql.wording import FILE, Blank, Text, Wording, call, use

Settings = dict[str, str | bool | int | float | list[str]]
_CONFIG: Settings = {
    # Every DuckDB client since 1.0 opens files of this version.
    "storage_compatibility_version": "v1.0.0",
    "autoinstall_known_extensions": "false",
    # DuckDB 1.5 may take a new Parquet file for one that was removed from the same
    # path within the same second.
    "enable_external_file_cache": "false",
}
# The size of the first parts of a file, which DuckDB writes one after the other.
HEADERS = 3 * 4096
# How many seconds a file may lack them while another process creates it.
_CREATION = 1.0
# After how many seconds of waiting a message gives the reason.
_PATIENCE = 1.0
# A schema that is made and dropped, only to write to the log.
_PASSING = sql_name("ndcg-sql/passing")
# What to do about a file that another process has open.
_WAYS_OUT = Text(
    "close it there (an open notebook keeps it locked), or wait longer: ",
    use(wait=Blank("SECONDS")),
    "; ",
    call("publish", FILE),
    " writes a copy for readers",
)
# What the system says if a file is larger than it allows, and what changes that.
_RAISED = {
    os.strerror(errno.EFBIG): "raise the limit on the size of files (ulimit -f)",
    os.strerror(errno.EDQUOT): "have the quota raised",
}
# What DuckDB says of a file that another process has open; on Windows, the second.
_LOCKED = "Could not set lock|File is already open in"
# What it says of a file that is damaged; of a truncated one, the last of these.
_DAMAGE = "(?i)corrupt|checksum|not read enough bytes"
# What else it says of a file: what that means, and what to do.
_FAULTS: dict[str, tuple[str, Wording]] = {
    "Input/output error|fsync failed": (
        "Input/output error: the disk cannot be read or written",
        "when it can, try again; the change may be there already: " + call("check"),
    ),
    "version number": (
        f"made by a newer DuckDB than {duckdb.__version__}",
        "pip install -U duckdb",
    ),
    "replaying WAL": (
        "{0}.wal is damaged, or not the log of {0}",
        "restore both from a copy",
    ),
    _DAMAGE: ("the file is damaged", "restore it from a copy"),
    "Permission denied": (
        "permission denied for the file or its directory",
        "ask its owner",
    ),
}
# Where a process finds its open files; not on Windows.
_DESCRIPTORS = Path("/dev/fd")
# How many bytes of a file show whether DuckDB made it.
_HEAD = 12
# How many bytes are copied at a time.
_PIECE = 8 * 2**20


def translated(error: duckdb.Error, path: str) -> NdcgSqlError:
    """Return a DuckDB error as a message about the user's files and options."""
    text = str(error).splitlines()[0]
    if re.search(_LOCKED, str(error)):
        return LockedError(f"{path}: in use by {_holder(error)}", _WAYS_OUT)
    if "different configuration" in text or "ResourceInUse" in type(error).__name__:
        return NdcgSqlError("already open in this process; close it there", where=path)
    if is_disk_full(error):
        full = re.search('file "(.+?)"', str(error))
        return _no_space(Path(full[1] if full else path), str(error))
    if isinstance(error, duckdb.OutOfMemoryException):
        more = use(memory=Blank("SIZE"))
        remedy = "allow more: " + more + ", or use less: " + use(threads=1)
        if "temp_directory=" in str(error):
            folder = use(temporary=Blank("DIR"))
            remedy = "name a directory for temporary files: " + folder
        return NdcgSqlError("not enough memory", remedy, where=path)
    for pattern, (what, remedy) in _FAULTS.items():
        if re.search(pattern, text):
            return NdcgSqlError(what.format(path), remedy, where=path)
    if isinstance(error, duckdb.IOException):
        return NdcgSqlError(f"{path}: {text.removeprefix('IO Error: ')}")
    return NdcgSqlError(f"unexpected: {text}; please report it")


def _no_space(path: Path, reason: str) -> DiskFullError:
    """Return the message about a file for which the disk has no space.

    It names the folder, or a file that is larger than the system allows.
    """
    where = path.absolute()
    if where.parent.name.startswith(PREFIX):
        where = where.parent.parent
    elif not any(limit in reason for limit in _RAISED):
        where = where.parent
    return DiskFullError(
        f"{harmless_path(str(where))}: no space left on the disk",
        f"{room(reason)} and try again, or put temporary files elsewhere: "
        + use(temporary=Blank("DIR")),
    )


def room(reason: str) -> str:
    """Return how there can be room for a file, by what the system said."""
    raised = [remedy for limit, remedy in _RAISED.items() if limit in reason]
    return " or ".join(["make room", *raised])


def is_disk_full(error: duckdb.Error) -> bool:
    """Return whether DuckDB had no space for a file, including temporary ones.

    A limit on the size of files, or a quota, is a full disk.
    """
    full = ("No space left on device", "failed to offload", *_RAISED)
    return any(reason in str(error) for reason in full)


def is_damage(error: duckdb.Error) -> bool:
    """Return whether DuckDB found that the file is damaged."""
    return re.search(_DAMAGE, str(error).splitlines()[0]) is not None


def harmless_path(path: str) -> str:
    """Return a path without quotes, harmless to print."""
    return shortened(path, 200)


def in_memory() -> duckdb.DuckDBPyConnection:
    """Return a connection to a database that is gone when it is closed."""
    return _silent(duckdb.connect(":memory:", config=_CONFIG))


def connect(
    path: Path,
    wait: float,
    read_only: bool,
    messages: Messages,
    settings: Settings | None = None,
) -> duckdb.DuckDBPyConnection:
    """Connect to the file at a path; wait for a lock up to wait seconds.

    settings are DuckDB's, in addition to those of every connection. A path is
    always that of a file, whatever it looks like. Raises LockedError, which names
    the process that holds the lock, when the time is up.
    """
    shown, own = harmless_path(str(path)), settings or {}
    if not wait >= 0:
        raise NdcgSqlError(f"wait {wait}: not 0 or more seconds")
    _check_file(path, shown)
    if not read_only:
        _check_rewritable(path)
    start, pause, is_announced = time.monotonic(), 0.01, False
    while True:
        waited, size = time.monotonic() - start, _size(path)
        # A file that another process has just begun, or that a kill left so.
        is_begun = size is not None and size < HEADERS
        if is_foreign(path):
            remedy = "name the file of a warehouse"
            raise NdcgSqlError("not a DuckDB file", remedy, where=shown)
        if is_begun and waited > _CREATION:
            remedy = "remove it, so that one can be made, or restore it from a copy"
            raise NdcgSqlError("a file without data", remedy, where=shown)
        try:
            # An absolute path has no prefix that DuckDB interprets, such as md:.
            connection = duckdb.connect(
                str(path.absolute()), read_only=read_only, config={**_CONFIG, **own}
            )
            if is_open(path):
                is_locked = "lock_configuration" in own
                return connection if is_locked else _silent(connection)
            connection.close()
            fault = NdcgSqlError(f"{shown}: removed or replaced meanwhile; try again")
        except duckdb.Error as error:
            fault = translated(error, shown)
            if not isinstance(fault, LockedError):
                is_fresh = size is None and "not a valid DuckDB" in str(error)
                is_begun = is_begun or is_fresh
                if not is_begun:
                    raise fault from error
            elif _PATIENCE <= waited < wait and not is_announced:
                held = f"{shown}: in use by {_holder(error)}"
                messages.tell(f"{held}; waiting up to {wait:g} seconds")
                is_announced = True
        if waited >= wait and not is_begun:
            raise fault
        time.sleep(pause * random.uniform(0.5, 1.5))
        pause = min(pause * 2, 0.5)


def _check_file(path: Path, shown: str) -> None:
    """Raise NdcgSqlError if what is at a path can be no warehouse."""
    there = path if path.exists() else path.absolute().parent
    if str(path) == ":memory:":
        raise NdcgSqlError("nothing would be kept; name a file", where=shown)
    if there == path and not path.is_file():
        # To open a pipe waits for ever.
        kind = "a directory" if path.is_dir() else "a pipe or a device"
        raise NdcgSqlError(f"{kind}, not a warehouse file", where=shown)
    if not os.access(there, os.R_OK):
        raise NdcgSqlError("not readable", where=shown)


def write_at_commit(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Merge a log that a kill left into the file, then have commits write the file.

    DuckDB 1.5 keeps large inserts of a transaction whose log was cut off by a kill;
    without a log, the last write of a commit makes all of it true. A log is merged
    first, by a commit that is written to it: DuckDB does not empty it otherwise, and
    would apply it again.
    """
    if any(Path(f"{name}.wal").exists() for name in (path, os.path.realpath(path))):
        # No other process can write, and this one has just opened the file.
        connection.execute("begin transaction")
        connection.execute(f"create schema {_PASSING}")
        connection.execute(f"drop schema {_PASSING}")
        connection.execute("commit")
        connection.execute("checkpoint")
    connection.execute("set checkpoint_threshold = '0B'")
    connection.execute("set auto_checkpoint_skip_wal_threshold = 0")


def _check_rewritable(path: Path) -> None:
    """Raise DiskFullError if the system would cut off a write into a file.

    DuckDB writes blocks of a file anew in place; one that is cut off damages what the
    file held before.
    """
    most = largest_file()
    if most is not None and most < (_size(path) or 0):
        raise DiskFullError(
            f"{harmless_path(str(path))}: larger than the limit on the size of files,"
            f" {most:,} bytes; nothing was changed",
            "raise the limit (ulimit -f)",
        )


def _silent(connection: duckdb.DuckDBPyConnection) -> duckdb.DuckDBPyConnection:
    """Return a connection that draws no progress bar on standard output.

    DuckDB draws one after two seconds of work if it considers Python interactive.
    If progress is shown, DuckDB only measures it.
    """
    # In a notebook without ipywidgets, DuckDB has no bar, and refuses both settings.
    with suppress(duckdb.InvalidInputException):
        connection.execute("set enable_progress_bar_print = false")
        if progress.is_shown():
            connection.execute("set enable_progress_bar = true")
    return connection


def _size(path: Path) -> int | None:
    """Return the size of a file in bytes; None if there is none."""
    with suppress(FileNotFoundError):
        return path.stat().st_size
    return None


def _holder(error: duckdb.Error) -> str:
    """Return what is known of the process that holds a lock, harmless to print."""
    held = r"(?:Conflicting lock is held|File is already open) in\s+(.+?) \(PID (\d+)\)"
    lock = re.search(held, str(error))
    holder = f"{lock[1]} (PID {lock[2]})" if lock else "another process"
    # DuckDB adds this hint for a writer if all others only read.
    reads = ", which reads it" if "in read-only mode" in str(error) else ""
    return harmless_path(holder) + reads


def is_foreign(path: Path) -> bool:
    """Return whether a file is not DuckDB's; DuckDB itself also opens SQLite's."""
    # A file that another process has just created has no bytes yet.
    head = _head(path)
    return head != b"" and head[8:] != b"DUCK"


def is_database(path: Path) -> bool:
    """Return whether a file is a database of DuckDB; a pipe is not read."""
    return path.is_file() and _head(path)[8:] == b"DUCK"


def _head(path: Path) -> bytes:
    """Return the first bytes of a file; none if it cannot be read."""
    with suppress(OSError):
        # To open and close a file that this process has locked would unlock it.
        descriptor = _descriptor(path)
        if descriptor is None:
            with path.open("rb") as file:
                return file.read(_HEAD)
        return read_at(descriptor, _HEAD, 0)
    return b""


def copy_open(path: Path, target: Path) -> None:
    """Copy a file that this process has opened read-only, with its log if any.

    The copy is consistent, because no process can write meanwhile. Raises
    DiskFullError if there is no space for it.
    """
    descriptor = _descriptor(path)
    if descriptor is None and HAS_DESCRIPTORS:
        what = "removed or replaced meanwhile; try again"
        raise NdcgSqlError(what, where=harmless_path(str(path)))
    try:
        with target.open("xb") as file:
            if descriptor is None:
                with path.open("rb") as source:
                    shutil.copyfileobj(source, file, _PIECE)
            else:
                # DuckDB's own is read: closing another would unlock the file.
                while piece := read_at(descriptor, _PIECE, file.tell()):
                    file.write(piece)
        # Not every DuckDB keeps the log of a symbolic link next to the file itself.
        for name in (path, os.path.realpath(path)):
            with suppress(FileNotFoundError):
                shutil.copyfile(f"{name}.wal", f"{target}.wal")
    except OSError as error:
        if error.errno in DISK_FULL:
            raise _no_space(target, str(error)) from error
        raise


def is_open(path: Path) -> bool:
    """Return whether this process has opened the file that is at a path now.

    Another process may have removed or replaced the file meanwhile; anything
    written to the old one would be lost.
    """
    return path.exists() and (
        not _DESCRIPTORS.is_dir() or _descriptor(path) is not None
    )


def _descriptor(path: Path) -> int | None:
    """Return a descriptor by which this process has opened a file, if any."""
    with suppress(FileNotFoundError):
        there = path.stat()
        for descriptor in _DESCRIPTORS.iterdir():
            # The descriptor that lists the folder is closed by now.
            with suppress(OSError):
                if os.path.samestat(os.fstat(int(descriptor.name)), there):
                    return int(descriptor.name)
    return None
