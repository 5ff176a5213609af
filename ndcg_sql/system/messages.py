"""What a command prints besides its data: information and warnings."""

from collections.abc import Callable, Iterable

from ndcg_sql.system import progress, terminal
from ndcg_sql.text import harmless_lines
from ndcg_sql.wording import Call, Face, Text, Wording


class Messages:
    """Where messages, of a line or several, go: nowhere, unless a class says so."""

    def tell(self, text: Wording) -> None:
        """Take information, such as what was loaded."""

    def warn(self, text: Wording) -> None:
        """Take a warning: the work continues, perhaps not as the user intended."""

    def warn_all(self, texts: Iterable[Wording]) -> None:
        """Take warnings."""
        for text in texts:
            self.warn(text)

    def note(self, text: Wording) -> None:
        """Take information on what was read, such as lines that were skipped."""
        self.tell(text)

    def caution(self, text: Wording) -> None:
        """Take information that asks for attention."""
        self.tell(text)


class Silent(Messages):
    """Drops every message."""


class Collected(Messages):
    """Keeps every message, in order, or until what they say is committed."""

    def __init__(self) -> None:
        self._kept: list[tuple[str, Text]] = []

    def tell(self, text: Wording) -> None:
        """Keep information."""
        self._kept.append(("tell", Text(text)))

    def warn(self, text: Wording) -> None:
        """Keep a warning."""
        self._kept.append(("warn", Text(text)))

    def note(self, text: Wording) -> None:
        """Keep information on what was read."""
        self._kept.append(("note", Text(text)))

    def pass_on(self, to: Messages) -> None:
        """Pass every message on."""
        for kind, text in self._kept:
            getattr(to, kind)(text)

    @property
    def warnings(self) -> list[Text]:
        """The warnings so far."""
        return [text for kind, text in self._kept if kind == "warn"]

    @property
    def texts(self) -> list[Text]:
        """Every message so far."""
        return [
            "warning: " + text if kind == "warn" else text for kind, text in self._kept
        ]

    @property
    def lines(self) -> list[str]:
        """Every message so far, as Python spells it."""
        return [str(text) for text in self.texts]

    @property
    def text(self) -> str:
        """Every message so far, one after another."""
        return "\n".join(self.lines)


class OnlyWarnings(Messages):
    """Passes warnings on to other messages and drops the rest."""

    def __init__(self, to: Messages) -> None:
        self._to = to

    def warn(self, text: Wording) -> None:
        """Pass a warning on."""
        self._to.warn(text)


class WithNotes(OnlyWarnings):
    """Passes warnings and notes on to other messages and drops the rest."""

    def note(self, text: Wording) -> None:
        """Pass a note on."""
        self._to.note(text)


class Changing(Messages):
    """Passes messages on with each of their calls changed."""

    def __init__(self, to: Messages, changed: Callable[[Call], Call]) -> None:
        self._to, self._changed = to, changed

    def tell(self, text: Wording) -> None:
        """Pass information on."""
        self._to.tell(Text(text).with_calls(self._changed))

    def warn(self, text: Wording) -> None:
        """Pass a warning on."""
        self._to.warn(Text(text).with_calls(self._changed))

    def caution(self, text: Wording) -> None:
        """Pass on what asks for attention."""
        self._to.caution(Text(text).with_calls(self._changed))


class OnTerminal(Messages):
    """Prints every message on standard error, harmless to show."""

    def __init__(self, face: Face) -> None:
        self._face = face

    def tell(self, text: Wording) -> None:
        """Print information."""
        self._print(text)

    def warn(self, text: Wording) -> None:
        """Print a warning."""
        self._print("warning: " + Text(text), "warning")

    def caution(self, text: Wording) -> None:
        """Print information, in yellow on a terminal."""
        self._print(text, "warning")

    def _print(self, text: Wording, style: str | None = None) -> None:
        progress.erase()
        spelled = Text(text).spelled(self._face)
        terminal.tell(harmless_lines(spelled), style)
