"""What Linux and macOS have and Windows lacks, with a plainer way there.

No other module imports or calls it. On Windows, folders that a killed process left
stay, and DuckDB's own limit of memory is the only one.
"""

import os
import signal
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO, cast

try:
    import fcntl as _fcntl
    import resource as _resource
except ImportError:
    _fcntl = _resource = None
_locks: Any = _fcntl
_limits: Any = _resource
# Types know only the attributes that a system has.
_os: Any = os
_signal: Any = signal
_alarm = cast("int | None", getattr(signal, "SIGALRM", None))
# How a process ends at its limit of time where there is no alarm.
_TIMED_OUT = 124
# The variables without which Python does not start on Windows.
NEEDED = ("SYSTEMROOT",)


@contextmanager
def locked(folder: Path) -> Generator[bool]:
    """Lock a folder while inside, if the system can; give whether that succeeded."""
    if _locks is None:
        yield False
        return
    handle = os.open(folder, os.O_RDONLY | _os.O_DIRECTORY | _os.O_NOFOLLOW)
    is_locked = False
    try:
        with suppress(OSError):
            _locks.flock(handle, _locks.LOCK_EX | _locks.LOCK_NB)
            is_locked = True
        yield is_locked
    finally:
        os.close(handle)


def limit_memory(space: int) -> None:
    """Let the system refuse this process more address space, and files of crashes."""
    if _limits is None:
        return
    # Some systems lack these limits, or do not let them be set.
    with suppress(ValueError, OSError):
        _limits.setrlimit(_limits.RLIMIT_AS, (space, space))
    with suppress(ValueError, OSError):
        _limits.setrlimit(_limits.RLIMIT_CORE, (0, 0))


def largest_file() -> int | None:
    """Return of how many bytes the system lets files become; None if of any."""
    if _limits is None:
        return None
    size, _ = _limits.getrlimit(_limits.RLIMIT_FSIZE)
    return None if size == _limits.RLIM_INFINITY else size


def end_after(seconds: float) -> None:
    """Let the system end this process after a time, whatever it does then."""
    if _alarm is None:
        timer = threading.Timer(seconds, os._exit, [_TIMED_OUT])
        timer.daemon = True
        timer.start()
        return
    # A Python handler would wait for DuckDB; the default action does not.
    signal.signal(_alarm, signal.SIG_DFL)
    _signal.setitimer(_signal.ITIMER_REAL, seconds)


def is_timed_out(code: int) -> bool:
    """Return whether a process with an exit code was ended by its limit of time."""
    return code == (_TIMED_OUT if _alarm is None else -_alarm)


def ignore_ends() -> None:
    """Ignore what asks this process to end."""
    for name in ("SIGHUP", "SIGINT", "SIGTERM"):
        if number := getattr(signal, name, None):
            signal.signal(number, signal.SIG_IGN)


def write_utf8() -> None:
    """Write UTF-8 on Windows, whose own encoding lacks characters of tables."""
    if sys.platform == "win32":
        for stream in (sys.stdout, sys.stderr):
            # They are None if the caller closed them.
            if cast("TextIO | None", stream) is not None:
                cast("Any", stream).reconfigure(encoding="utf-8")


# Whether an open file can be read by its descriptor; not on Windows, where to close a
# file unlocks nothing that is open elsewhere.
HAS_DESCRIPTORS = hasattr(os, "pread")


def read_at(descriptor: int, size: int, offset: int) -> bytes:
    """Return bytes of an open file from an offset; its position stays where it is."""
    piece: bytes = _os.pread(descriptor, size, offset)
    return piece


def unblock(descriptor: int) -> None:
    """Let writing to a pipe fail rather than wait; Windows needs no such thing."""
    if hasattr(os, "set_blocking"):
        _os.set_blocking(descriptor, False)


def processors() -> int | None:
    """Return the number of processors this process is limited to; None if it is not."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    allowed = len(_os.sched_getaffinity(0))
    return allowed if allowed < (os.cpu_count() or 1) else None
