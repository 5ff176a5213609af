"""What a command prints besides its data: information and warnings."""

from collections.abc import Callable, Iterable

from ndcg_sql.system import progress, terminal
from ndcg_sql.text import harmless_lines
from ndcg_sql.wording import Call, Face, Text, Wording


class Messages:
    """Where messages, of a line or several, go: nowhere, unless a class says so."""

    def take(self, kind: str, text: Wording) -> None:
        """Take a message of a kind, which is the name of one of the methods below."""

    def tell(self, text: Wording) -> None:
        """Take information, such as what was loaded."""
        self.take("tell", text)

    def warn(self, text: Wording) -> None:
        """Take a warning: the work continues, perhaps not as the user intended."""
        self.take("warn", text)

    def warn_all(self, texts: Iterable[Wording]) -> None:
        """Take warnings."""
        for text in texts:
            self.warn(text)

    def note(self, text: Wording) -> None:
        """Take information on what was read, such as lines that were skipped."""
        self.take("note", text)

    def caution(self, text: Wording) -> None:
        """Take information that asks for attention."""
        self.take("caution", text)


def _marked(kind: str, text: Wording) -> Text:
    return Text("warning: " if kind == "warn" else "", text)


class Collected(Messages):
    """Keeps every message, in order, or until what they say is committed."""

    def __init__(self) -> None:
        self._kept: list[tuple[str, Text]] = []

    def take(self, kind: str, text: Wording) -> None:
        """Keep a message."""
        self._kept.append((kind, Text(text)))

    def pass_on(self, to: Messages) -> None:
        """Pass every message on, a warning or a note that repeats only once."""
        passed: set[tuple[str, Text]] = set()
        for kind, text in self._kept:
            if kind == "tell" or (kind, text) not in passed:
                to.take(kind, text)
            passed.add((kind, text))

    @property
    def warnings(self) -> list[Text]:
        """The warnings so far."""
        return [text for kind, text in self._kept if kind == "warn"]

    @property
    def lines(self) -> list[str]:
        """Every message so far, as Python spells it."""
        return [str(_marked(kind, text)) for kind, text in self._kept]

    @property
    def text(self) -> str:
        """Every message so far, one after another."""
        return "\n".join(self.lines)


class Only(Messages):
    """Passes messages of some kinds on to others and drops the rest."""

    def __init__(self, to: Messages, *kinds: str) -> None:
        self._to, self._kinds = to, kinds

    def take(self, kind: str, text: Wording) -> None:
        """Pass a message on, if its kind is one of them."""
        if kind in self._kinds:
            self._to.take(kind, text)


class Changing(Messages):
    """Passes messages on with each of their calls changed."""

    def __init__(self, to: Messages, changed: Callable[[Call], Call]) -> None:
        self._to, self._changed = to, changed

    def take(self, kind: str, text: Wording) -> None:
        """Pass a message on."""
        self._to.take(kind, Text(text).with_calls(self._changed))


class OnTerminal(Messages):
    """Prints every message on standard error, harmless to show; some in yellow."""

    def __init__(self, face: Face) -> None:
        self._face = face

    def take(self, kind: str, text: Wording) -> None:
        """Print a message."""
        spelled = _marked(kind, text).spelled(self._face)
        style = "warning" if kind in ("warn", "caution") else None
        with progress.erased():
            terminal.tell(harmless_lines(spelled), style)
