"""What a command prints besides its data: information and warnings."""

from typing import Protocol

from ndcg_sql.system import progress, terminal
from ndcg_sql.text import harmless_lines
from ndcg_sql.wording import Face, Text, Wording


class Messages(Protocol):
    """Where messages go. A message may have several lines."""

    def tell(self, text: Wording) -> None:
        """Take information, such as what was loaded."""
        ...

    def warn(self, text: Wording) -> None:
        """Take a warning: the work continues, perhaps not as the user intended."""
        ...

    def caution(self, text: Wording) -> None:
        """Take information that asks for attention."""
        ...


class Silent:
    """Drops every message."""

    def tell(self, text: Wording) -> None:
        """Drop information."""

    def warn(self, text: Wording) -> None:
        """Drop a warning."""

    def caution(self, text: Wording) -> None:
        """Drop information."""


class Collected:
    """Keeps every message, in order."""

    def __init__(self) -> None:
        self.texts: list[Text] = []
        self.warnings: list[Text] = []

    def tell(self, text: Wording) -> None:
        """Keep information."""
        self.texts.append(Text(text))

    def warn(self, text: Wording) -> None:
        """Keep a warning."""
        self.texts.append("warning: " + Text(text))
        self.warnings.append(Text(text))

    def caution(self, text: Wording) -> None:
        """Keep information."""
        self.texts.append(Text(text))

    @property
    def lines(self) -> list[str]:
        """Every message so far, as Python spells it."""
        return [str(text) for text in self.texts]

    @property
    def text(self) -> str:
        """Every message so far, one after another."""
        return "\n".join(self.lines)


class OnlyWarnings:
    """Passes warnings on to other messages and drops the rest."""

    def __init__(self, to: Messages) -> None:
        self._to = to

    def tell(self, text: Wording) -> None:
        """Drop information."""

    def warn(self, text: Wording) -> None:
        """Pass a warning on."""
        self._to.warn(text)

    def caution(self, text: Wording) -> None:
        """Drop information."""


class OnTerminal:
    """Prints every message on standard error, harmless to show."""

    def __init__(self, face: Face) -> None:
        self._face = face

    def tell(self, text: Wording) -> None:
        """Print information."""
        progress.erase()
        terminal.tell(self._spelled(text))

    def warn(self, text: Wording) -> None:
        """Print a warning."""
        progress.erase()
        terminal.tell(self._spelled("warning: " + Text(text)), "warning")

    def caution(self, text: Wording) -> None:
        """Print information, in yellow on a terminal."""
        progress.erase()
        terminal.tell(self._spelled(text), "warning")

    def _spelled(self, text: Wording) -> str:
        return harmless_lines(Text(text).spelled(self._face))
