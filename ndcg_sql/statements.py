"""Ctrl-C, passed on to the statement that DuckDB works on, and never lost.

While DuckDB works, Python sees a Ctrl-C seconds late, and not at all where DuckDB
takes it for a failed import. So the system wakes a thread as well, which
interrupts the statement; and once there was a Ctrl-C, no other one begins.
"""

import os
import signal
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    import duckdb

# How long an interrupted statement may go on until it is told again, in seconds:
# one that is only about to begin forgets it.
_AGAIN = 0.02


class _State:
    """What the main thread does, and whether there was a Ctrl-C."""

    listens: ClassVar[bool] = False
    interrupted: ClassVar[bool] = False
    # Whether a Ctrl-C has to wait until something is done.
    waits: ClassVar[bool] = False
    running: "ClassVar[duckdb.DuckDBPyConnection | None]" = None
    # Held while a connection is used by the other thread.
    lock: ClassVar[threading.Lock] = threading.Lock()


def listen() -> None:
    """Have Ctrl-C end, from now on, what the main thread does."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)

    def hear(_number: int, _frame: object) -> None:
        _State.interrupted = True
        if not _State.waits:
            raise KeyboardInterrupt
        # What runs now may not have been there when the system wrote its byte.
        os.write(writing, b"\0")

    _State.listens = True
    # A script that starts this with & makes it ignore Ctrl-C otherwise.
    signal.signal(signal.SIGINT, hear)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    threading.Thread(target=_interrupt, args=[reading], daemon=True).start()


def ignore() -> None:
    """Ignore Ctrl-C from now on, where it was listened to: the end is near."""
    if _State.listens:
        signal.signal(signal.SIGINT, signal.SIG_IGN)


def _interrupt(reading: int) -> None:
    """Interrupt what runs whenever something can be read."""
    while os.read(reading, 1):
        while True:
            with _State.lock:
                if _State.running is None:
                    break
                _State.running.interrupt()
            time.sleep(_AGAIN)


def interrupted() -> bool:
    """Tell whether there was a Ctrl-C, even one that was lost."""
    return _State.interrupted


def check() -> None:
    """Raise KeyboardInterrupt if there was a Ctrl-C."""
    if _State.interrupted:
        raise KeyboardInterrupt


@contextmanager
def whole() -> Generator[None]:
    """Have a Ctrl-C wait until what is inside is done."""
    waited, before = _State.waits, _State.interrupted
    _State.waits = True
    try:
        yield
    finally:
        _State.waits = waited
        if not waited and not before:
            check()


@contextmanager
def statement(connection: "duckdb.DuckDBPyConnection") -> Generator[None]:
    """Have a Ctrl-C end what a connection does inside."""
    check()
    with whole():
        _State.running = connection
        try:
            yield
        finally:
            _rest()


def _rest() -> None:
    """Take note that nothing runs any more."""
    # Python, too, has heard by now of what the other thread was woken by.
    with _State.lock:
        _State.running = None
