"""What a terminal can show: how many columns, and whether in colour."""

import os
import shutil
import sys
from contextvars import ContextVar
from typing import IO, cast

MODES = ("auto", "always", "never")
# The codes of select graphic rendition, by what they mark.
STYLES = {
    "best": "1;32",
    "better": "32",
    "worse": "31",
    "same": "",
    "error": "31",
    "warning": "33",
}
_mode: ContextVar[str] = ContextVar("mode", default="auto")


def choose(mode: str) -> None:
    """Decide when to use colour from now on: one of MODES."""
    _mode.set(mode)


def width() -> int | None:
    """Return how many columns a line on standard output has; None if no terminal."""
    return shutil.get_terminal_size().columns if _is_terminal(sys.stdout) else None


def is_coloured(stream: IO[str]) -> bool:
    """Tell whether to use colour on a stream; auto heeds NO_COLOR and TERM."""
    if _mode.get() != "auto":
        return _mode.get() == "always"
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return _is_terminal(stream) and not is_plain


def painted(text: str, style: str) -> str:
    """Return text in the colour of a style."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if STYLES[style] else text


def tell(text: str, style: str | None = None) -> None:
    """Print a message on standard error, in the colour of a style, if it is read."""
    if style and is_coloured(sys.stderr):
        text = painted(text, style)
    try:
        print(text, file=sys.stderr)
    except BrokenPipeError:
        discard(sys.stderr)


def discard(stream: IO[str]) -> None:
    """Discard what is written to a stream, which would fail again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _is_terminal(stream: IO[str]) -> bool:
    open_ = cast("IO[str] | None", stream)
    return open_ is not None and open_.isatty()
