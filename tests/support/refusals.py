"""What is said at the end of a refusal of lines."""

CORRECT = "Correct the file and load it again."
# What follows if all that is wrong are documents twice.
KEEP = (
    "To keep one row of each document: --duplicates first, --duplicates last or"
    " --duplicates max."
)


def remedy(bad: int, rows: int, advice: str = CORRECT) -> str:
    """Return the last line of a message about bad lines."""
    noun = "line" if bad == 1 else "lines"
    return f"{bad} bad {noun} of {rows}; nothing was loaded. {advice}"
