"""Bars and sparklines of block characters, for terminals only."""

from collections.abc import Sequence

_EIGHTHS = " ▏▎▍▌▋▊▉█"
_HEIGHTS = "▁▂▃▄▅▆▇█"
WIDTH = 10


def bar(share: float | None) -> str:
    """Return a share, from 0 to 1, as a bar of at most WIDTH characters."""
    if share is None:
        return ""
    eighths = round(min(max(share, 0), 1) * WIDTH * 8)
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")


def line(values: Sequence[float]) -> str:
    """Return values as a line of characters, from the lowest to the highest."""
    low, high = min(values), max(values)
    if low == high:
        return _HEIGHTS[3] * len(values)
    top = len(_HEIGHTS) - 1
    return "".join(_HEIGHTS[round((v - low) / (high - low) * top)] for v in values)


def counts(numbers: Sequence[int], most: int) -> str:
    """Return counts as columns, the highest for most; nothing for 0."""
    top = len(_HEIGHTS) - 1
    return "".join(_HEIGHTS[round(n / most * top)] if n else " " for n in numbers)
