"""What is said at the end of refusals."""

CORRECT = "Correct the file and load it again."


def remedy(bad: int, rows: int, advice: str = CORRECT) -> str:
    """Return the last line of a message about bad lines."""
    noun = "line" if bad == 1 else "lines"
    return f"{bad} bad {noun} of {rows}; nothing was loaded. {advice}"
