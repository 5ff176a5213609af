"""Progress of long work, shown on a terminal."""

import os
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

from ndcg_sql.system import terminal
from ndcg_sql.system.interrupts import whole
from ndcg_sql.text import harmless

if TYPE_CHECKING:
    import duckdb
    from rich.progress import Progress, TaskID

Item = TypeVar("Item")
# How many seconds work takes before it gets a line, and between two drawings.
_PATIENCE = 1.0
_PAUSE = 0.1
_MB = 1_000_000


@dataclass(eq=False)
class _Work:
    """Work that takes time, in MB, % or what is counted; a total of 0 is unknown."""

    label: str
    unit: str
    total: float
    done: Callable[[], float]
    begun: float = field(default_factory=time.monotonic)
    line: "TaskID | None" = None

    def state(self) -> dict[str, Any]:
        """Return how much is done, of what, and how fast, as its line shows it."""
        done, total = self.done(), self.total or None
        if self.unit == "%":
            # DuckDB returns 0 or less if it does not know.
            total, status = (total, f"{done:.0f} %") if done >= 1 else (None, "")
            return {"completed": done, "total": total, "status": status}
        of_total = f" of {total:,.0f}" if total else ""
        status = f"{done:,.0f}{of_total} {self.unit}"
        if self.unit == "MB":
            status += f", {done / (time.monotonic() - self.begun):,.0f} MB/s"
        return {"completed": done, "total": total, "status": status}


class _Display:
    """Lines at the bottom of a terminal, drawn by their own thread."""

    def __init__(self) -> None:
        self._works: list[_Work] = []
        self._bars: Progress | None = None
        self.lock = threading.RLock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._over.wait(_PAUSE):
            with self.lock:
                self._draw()

    def _draw(self) -> None:
        soon = time.monotonic() - _PATIENCE
        for work in [work for work in self._works if work.begun < soon]:
            self._bars = self._bars or _lines()
            if work.line is None:
                label = harmless(work.label)
                work.line = self._bars.add_task(label, total=None, status="")
            self._bars.update(work.line, **work.state())
        if self._bars:
            self._bars.refresh()

    @contextmanager
    def drawn(self, work: _Work) -> Generator[None]:
        """Draw a line while inside."""
        with whole(), self.lock:
            self._works.append(work)
        try:
            yield
        finally:
            # Otherwise, the cursor might stay hidden.
            with whole(), self.lock:
                self._works.remove(work)
                if self._bars and work.line is not None:
                    self._bars.remove_task(work.line)
                    if not self._bars.tasks:
                        self.erase()

    def erase(self) -> None:
        """Leave the terminal as if nothing had been drawn."""
        with whole(), self.lock:
            if self._bars:
                self._bars.stop()
                self._bars = None
            for work in self._works:
                work.line = None

    def close(self) -> None:
        self._over.set()
        self._thread.join()
        self.erase()


_display: ContextVar[_Display | None] = ContextVar("display", default=None)


def show(wanted: bool) -> None:
    """Show work of over a second from now on, if standard error is a terminal."""
    hide()
    if wanted and sys.stderr.isatty():
        _display.set(_Display())


def is_shown() -> bool:
    """Tell whether progress is shown."""
    return _display.get() is not None


@contextmanager
def erased() -> Generator[None]:
    """Make room for something else to be printed inside."""
    display = _display.get()
    with display.lock if display else nullcontext():
        if display:
            display.erase()
        yield


def hide() -> None:
    """Stop showing progress."""
    if display := _display.get():
        with whole():
            display.close()
            _display.set(None)


def _shown(
    label: str, unit: str, total: float, done: Callable[[], float]
) -> AbstractContextManager[None]:
    """Show a line while inside."""
    if display := _display.get():
        return display.drawn(_Work(label, unit, total, done))
    return nullcontext()


def reading(file: IO[Any]) -> AbstractContextManager[None]:
    """Show how much of a file has been read while inside."""
    handle, name = file.fileno(), Path(file.name).name
    size = os.fstat(handle).st_size / _MB
    # The position in the file is right for compressed files, too.
    return _shown(
        f"reading {name}", "MB", size, lambda: os.lseek(handle, 0, os.SEEK_CUR) / _MB
    )


def receiving(stream: IO[Any], copy: Path, name: str) -> AbstractContextManager[None]:
    """Show how much of a stream has been copied while inside."""
    # Do not write where the user types.
    return nullcontext() if stream.isatty() else fetching(copy, name)


def fetching(copy: Path, name: str) -> AbstractContextManager[None]:
    """Show the growing size of a copy while inside; name is what is copied."""
    return _shown(f"reading {name}", "MB", 0, lambda: copy.stat().st_size / _MB)


def statement(connection: "duckdb.DuckDBPyConnection") -> AbstractContextManager[None]:
    """Show the progress of a statement while inside."""
    return _shown("working", "%", 100, connection.query_progress)


def each(items: Sequence[Item], label: str, unit: str) -> Iterable[Item]:
    """Yield items, and show how many of several are done."""
    count = 0
    if len(items) < 2:
        yield from items
        return
    with _shown(label, unit, len(items), lambda: count):
        for item in items:
            yield item
            count += 1


def files(paths: Sequence[Path]) -> Iterable[Path]:
    """Yield files to be loaded, and show how many of several are done."""
    return each(paths, "loading", "files")


def _lines() -> "Progress":
    """Start drawing lines, which vanish when the drawing stops."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    lines = Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        TextColumn("{task.fields[status]}", markup=False),
        TimeRemainingColumn(),
        console=Console(stderr=True, no_color=not terminal.is_coloured(sys.stderr)),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    lines.start()
    return lines
