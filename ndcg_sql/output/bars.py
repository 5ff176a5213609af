"""Bars of block characters, for terminals only."""

_EIGHTHS = " ▏▎▍▌▋▊▉█"
WIDTH = 10


def bar(share: float | None) -> str:
    """Return a share, from 0 to 1, as a bar of at most WIDTH characters."""
    if share is None:
        return ""
    eighths = round(min(max(share, 0), 1) * WIDTH * 8)
    full, rest = divmod(eighths, 8)
    return "█" * full + (_EIGHTHS[rest] if rest else "")
