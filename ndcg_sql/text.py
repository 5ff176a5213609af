"""Text for messages: foreign text made harmless, names listed, things counted."""

import difflib
import math
import re
import unicodedata
from collections.abc import Iterable
from datetime import datetime, timezone
from numbers import Integral

# What a number looks like, for Python and for DuckDB.
NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
# The same with a decimal comma. Points separate thousands, whose first group does not
# begin with a zero, as that of 0.123 does.
COMMA_NUMBER = (
    r"[+-]?([0-9]+|[1-9][0-9]{0,2}([.][0-9]{3})+)?(,[0-9]*)?([eE][+-]?[0-9]+)?"
)
# Controls, line and paragraph separators, bidi marks, surrogates: whatever
# could move the cursor, turn the writing direction or break a line.
_UNSAFE_CATEGORIES = {"Cc", "Cf", "Cs", "Zl", "Zp"}
# The zero-width non-joiner and joiner: Persian and Hindi words and many emoji have
# them. What they may stand between: letters, marks and symbols.
_JOINERS = "\u200c\u200d"
_JOINED = ("L", "M", "So", "Sk")


def harmless(text: str) -> str:
    """Return text with control and direction characters written out, but joiners."""
    if text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode("ascii")
        if unicodedata.category(character) in _UNSAFE_CATEGORIES
        and not (character in _JOINERS and _is_joined(text, place))
        else character
        for place, character in enumerate(text)
    )


def _is_joined(text: str, place: int) -> bool:
    """Return whether the characters beside a joiner are those of words or emoji."""
    beside = text[max(place - 1, 0) : place], text[place + 1 : place + 2]
    return all(one and unicodedata.category(one).startswith(_JOINED) for one in beside)


def harmless_lines(text: str) -> str:
    """Return text with control characters written out, except line ends."""
    return "\n".join(harmless(line) for line in text.split("\n"))


def sql_text(text: str) -> str:
    """Return text as a SQL literal, for statements that take no parameters."""
    return "'" + text.replace("'", "''") + "'"


def sql_name(name: str) -> str:
    """Return a name as a SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def sql_time(time: datetime) -> str:
    """Return a time in UTC as SQL reads it; one without a zone is in UTC already."""
    if time.tzinfo is not None:
        time = time.astimezone(timezone.utc).replace(tzinfo=None)
    return time.isoformat(sep=" ")


def now() -> str:
    """Return the current time in UTC as SQL reads it."""
    return sql_time(datetime.now(timezone.utc))


def number(text: str) -> float | None:
    """Return a decimal literal as a double; None if no finite double can hold it."""
    if not re.fullmatch(NUMBER, text):
        return None
    value = float(text)
    too_small = value == 0 and re.search(r"^[^eE]*[1-9]", text)
    return None if math.isinf(value) or too_small else value


def as_id(value: object) -> str | None:
    """Return an id or name as text: an integer as its digits; None if it is neither."""
    if isinstance(value, str):
        # A subclass of str would be read more slowly.
        return str(value)
    if isinstance(value, Integral) and value is not True and value is not False:
        return str(int(value))
    return None


def not_number(text: str, kind: str = "a number") -> str:
    """Return the message for text that is not a finite number, or of a kind like it."""
    if re.fullmatch("[+-]?[0-9]*,[0-9]+%?", text):
        return f"not {kind}; did you mean {text.replace(',', '.')}?"
    is_infinite = re.fullmatch("[+-]?inf(inity)?", text, re.IGNORECASE)
    return "not a finite number" if is_infinite else f"not {kind}"


def shortened(text: str, limit: int = 80) -> str:
    """Return text for a message: harmless, cut at a limit."""
    text = harmless(text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def quoted(value: object) -> str:
    """Return a value for a message, text in quotes."""
    return f'"{shortened(value)}"' if isinstance(value, str) else str(value)


def listed(names: Iterable[str], limit: int = 20) -> str:
    """Return names in quotes, joined by commas; those beyond a limit are counted."""
    names = list(names)
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(quoted(name) for name in names[:limit]) + more


def separated(names: Iterable[str]) -> str:
    """Return names as a tag keeps them, for sql/fusion/sources to read again."""
    return ", ".join(
        sql_name(name)
        if ", " in name or name.endswith(",") or name.startswith('"')
        else name
        for name in names
    )


def counted(count: int, noun: str, plural: str | None = None, form: str = "") -> str:
    """Return a count with its noun; form is that of the count, such as a comma."""
    return f"{count:{form}} {noun if count == 1 else plural or noun + 's'}"


def chance(p: float | None, limit: float | None = None) -> str:
    """Return a p-value with four decimals, or all if it would seem to be a limit."""
    if p is None:
        return ""
    text = "<0.0001" if p < 1e-4 else f"{p:.4f}"
    return repr(p) if limit is not None and number(text) == limit != p else text


def closest(name: str, names: Iterable[str], least: float = 0.5) -> list[str]:
    """Return up to three names that share at least this part of a name."""
    return difflib.get_close_matches(name, list(names), n=3, cutoff=least)


def closest_of_any_case(
    name: str, names: Iterable[str], least: float = 0.5
) -> list[str]:
    """Return the known names nearest to a name if case is ignored."""
    folded = {other.lower(): other for other in names}
    return [folded[close] for close in closest(name.lower(), folded, least)]


def nearest(name: str, names: Iterable[str], least: float = 0.5) -> str:
    """Return a hint with the known names nearest to a name, or all if they are few."""
    names = list(dict.fromkeys(names))
    if close := closest(name, names, least):
        return f"did you mean {listed(close)}?"
    if names and len(names) <= 10:
        return f"known: {listed(names)}"
    return ""


def check_name(kind: str, name: str) -> str | None:
    """Return what is wrong with the name of a dataset, set, run or tag, or None."""
    if not 1 <= len(name) <= 200:
        return f"{kind} {quoted(name)}: a name has 1 to 200 characters"
    if name == "*" and kind in ("run", "judgment set", "assessments"):
        return f'{kind} "*": a pattern that stands for every name'
    if name != name.strip():
        return f"{kind} {quoted(name)}: a name cannot begin or end with a blank"
    if harmless(name) != name:
        return f"{kind} {quoted(name)}: a name cannot contain control characters"
    return None


def file_stem(name: str) -> str:
    """Return a file's name without the suffixes of its format."""
    suffixes = (
        r"\.(gz|zst|zstd|bz2|xz|zip|txt|tsv|csv|parquet|trec|run|qrels|qrel"
        r"|jsonl|ndjson|json|rel|res|lab|svm|inter|xlsx)$"
    )
    while True:
        shorter = re.sub(suffixes, "", name, flags=re.IGNORECASE)
        if shorter in ("", name):
            return name
        name = shorter


def unstorable(text: str) -> str:
    """Return why a text cannot be stored, or nothing."""
    if "\0" in text:
        return "contains a NUL"
    if not text.isascii() and any("\ud800" <= c <= "\udfff" for c in text):
        return "contains half a character (a lone surrogate)"
    return ""
