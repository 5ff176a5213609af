"""Ctrl-C, passed on to the statement that DuckDB is running, and never lost.

While DuckDB works, Python sees a Ctrl-C seconds late, or never. So the system also
wakes a thread, which interrupts the statement; and no statement begins afterwards.
SIGTERM, by which services and containers end a process, is treated in the same way.
In a program that only imports the package, a Ctrl-C interrupts the statement that runs,
waits until DuckDB has left it, and then reaches the program as ever.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ndcg_sql.system import platforms

if TYPE_CHECKING:
    from types import FrameType

    import duckdb

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
# How many seconds to wait before interrupting a statement again: one that has not
# begun yet ignores the first call.
_AGAIN = 0.02


class _Listener:
    """What the main thread does, and whether there was a Ctrl-C; one in a process."""

    def __init__(self) -> None:
        self.listens = False
        self.interrupted = False
        self.number = int(signal.SIGINT)
        # Whether a Ctrl-C has to wait until some work is finished.
        self.waits = False
        self.running: duckdb.DuckDBPyConnection | None = None
        # Held while the other thread uses a connection.
        self.lock = threading.Lock()

    def interrupt_running(self, reading: int) -> None:
        """Interrupt the running statement whenever something can be read."""
        while os.read(reading, 1):
            while True:
                with self.lock:
                    if self.running is None:
                        break
                    self.running.interrupt()
                time.sleep(_AGAIN)


_listener = _Listener()


def listen() -> None:
    """Make Ctrl-C and SIGTERM end the work of the main thread from now on."""
    reading, writing = os.pipe()
    platforms.unblock(writing)

    def hear(number: int, _frame: object) -> None:
        _listener.interrupted = True
        _listener.number = number
        if not _listener.waits:
            raise KeyboardInterrupt
        # The statement may have begun after the system wrote its byte.
        os.write(writing, b"\0")

    def report(unraisable: "sys.UnraisableHookArgs") -> None:
        # Where Python drops the exception, as in a callback of its garbage collection,
        # the next statement raises it again.
        if unraisable.exc_type is not KeyboardInterrupt:
            sys.__unraisablehook__(unraisable)

    _listener.listens = True
    sys.unraisablehook = report
    # A process that a script starts with & ignores Ctrl-C by default.
    for number in _SIGNALS:
        signal.signal(number, hear)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    waker = threading.Thread(
        target=_listener.interrupt_running, args=[reading], daemon=True
    )
    waker.start()


def ignore() -> None:
    """Ignore both from now on, if they were listened to: the process is ending."""
    if _listener.listens:
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_IGN)


def left(has_changed: bool) -> str:
    """Return what an interrupt left of a change."""
    return "the change is committed" if has_changed else "the warehouse is unchanged"


def exit_code() -> int:
    """Return the exit code that shells give a process ended by the last signal."""
    return 128 + _listener.number


def interrupted() -> bool:
    """Return whether there was a Ctrl-C, even one that Python missed."""
    return _listener.interrupted


def check() -> None:
    """Raise KeyboardInterrupt if there was a Ctrl-C."""
    if interrupted():
        raise KeyboardInterrupt


@contextmanager
def whole() -> Generator[None]:
    """Make a Ctrl-C wait until the work inside is finished."""
    if not _listener.listens:
        with _kept_back(None):
            yield
        return
    waited, before = _listener.waits, _listener.interrupted
    _listener.waits = True
    try:
        yield
    finally:
        _listener.waits = waited
        if not waited and not before:
            check()


@contextmanager
def statement(connection: "duckdb.DuckDBPyConnection") -> Generator[None]:
    """Make a Ctrl-C end the statement that a connection runs inside."""
    if not _listener.listens:
        with _kept_back(connection):
            yield
        return
    check()
    with whole():
        _listener.running = connection
        try:
            yield
        finally:
            # By now, Python has also handled the signal that woke the other thread.
            with _listener.lock:
                _listener.running = None


@contextmanager
def _kept_back(running: "duckdb.DuckDBPyConnection | None") -> Generator[None]:
    """Keep a Ctrl-C from the program while inside; interrupt what a connection runs.

    DuckDB would leave a statement at once, while its threads still work on it: a commit
    would happen all the same, and the file could not be opened again.
    """
    usual = signal.getsignal(signal.SIGINT)
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or not callable(usual):
        yield
        return
    heard: list[tuple[int, FrameType | None]] = []
    is_over = threading.Event()

    def interrupt() -> None:
        while running is not None and not is_over.is_set():
            running.interrupt()
            is_over.wait(_AGAIN)

    threads: list[threading.Thread] = []

    def hear(number: int, frame: "FrameType | None") -> None:
        heard.append((number, frame))
        if not threads:
            threads.append(threading.Thread(target=interrupt))
            threads[0].start()

    signal.signal(signal.SIGINT, hear)
    try:
        yield
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
        signal.signal(signal.SIGINT, usual)
        if heard:
            usual(*heard[-1])
