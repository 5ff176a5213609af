"""What a command prints besides its data: information and warnings."""

from typing import Protocol

from ndcg_sql.system import progress, terminal
from ndcg_sql.text import harmless_lines


class Messages(Protocol):
    """Where messages go. A message is plain text and may have several lines."""

    def tell(self, text: str) -> None:
        """Take information, such as what was loaded."""
        ...

    def warn(self, text: str) -> None:
        """Take a warning: the work continues, perhaps not as the user intended."""
        ...

    def caution(self, text: str) -> None:
        """Take information that asks for attention."""
        ...


class Silent:
    """Drops every message."""

    def tell(self, text: str) -> None:
        """Drop information."""

    def warn(self, text: str) -> None:
        """Drop a warning."""

    def caution(self, text: str) -> None:
        """Drop information."""


class Collected:
    """Keeps every message, in order, as the command line would print it."""

    def __init__(self) -> None:
        """Start without messages."""
        self.lines: list[str] = []

    def tell(self, text: str) -> None:
        """Keep information."""
        self.lines.append(text)

    def warn(self, text: str) -> None:
        """Keep a warning."""
        self.lines.append(f"warning: {text}")

    def caution(self, text: str) -> None:
        """Keep information."""
        self.lines.append(text)

    @property
    def text(self) -> str:
        """Every message so far, one after another."""
        return "\n".join(self.lines)


class OnlyWarnings:
    """Passes warnings on to other messages and drops the rest."""

    def __init__(self, to: Messages) -> None:
        """Take the messages to pass warnings to."""
        self._to = to

    def tell(self, text: str) -> None:
        """Drop information."""

    def warn(self, text: str) -> None:
        """Pass a warning on."""
        self._to.warn(text)

    def caution(self, text: str) -> None:
        """Drop information."""


class OnTerminal:
    """Prints every message on standard error, harmless to show."""

    def tell(self, text: str) -> None:
        """Print information."""
        progress.erase()
        terminal.tell(harmless_lines(text))

    def warn(self, text: str) -> None:
        """Print a warning."""
        progress.erase()
        terminal.tell(harmless_lines(f"warning: {text}"), "warning")

    def caution(self, text: str) -> None:
        """Print information, in yellow on a terminal."""
        progress.erase()
        terminal.tell(harmless_lines(text), "warning")
