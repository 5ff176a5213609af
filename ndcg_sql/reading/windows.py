"""Text in another encoding than UTF-8, mostly in Windows-1252, as Excel writes it."""

import codecs
import re

# How Python names it, and a user may.
WINDOWS = "windows-1252"
# Quotes, dashes, signs of currencies and the like, which stand beside words.
_SIGNS = bytes(
    (
        *(0x80, 0x82, 0x84, 0x85, *range(0x91, 0x98), 0x99, 0xA0, 0xA3, 0xA7, 0xA9),
        *(0xAB, 0xAE, 0xB0, *range(0xB2, 0xB5), 0xB7, *range(0xBB, 0xBF)),
    )
).decode("cp1252")
_LETTERS = "".join(
    filter(str.isalpha, bytes(range(0x80, 0x100)).decode("cp1252", "ignore"))
)
# Letters beyond ASCII stand beside one of ASCII.
_WORDS = re.compile(
    rf"(?:[\x00-\x7f{_SIGNS}]|(?<=[A-Za-z])[{_LETTERS}]|[{_LETTERS}](?=[A-Za-z]))*"
)
# Encodings in which nobody writes what is UTF-8 by chance.
_WESTERN = {"cp1252", "iso8859-1", "iso8859-15"}
_NO_UTF8 = b"\xff"


def as_utf8(line: bytes, encoding: str) -> bytes:
    """Return a line in UTF-8, or one that is none if the line is not in the encoding.

    Where the encoding is one of western Europe, a line that is UTF-8 already is not in
    it: two files may have been joined.
    """
    if line.isascii():
        return line
    is_western = codecs.lookup(encoding).name in _WESTERN
    if (is_western and _is_in(line, "utf-8")) or not _is_in(line, encoding):
        return _NO_UTF8 + line
    return line.decode(encoding).encode()


def _is_in(line: bytes, encoding: str) -> bool:
    """Return whether a line is in an encoding."""
    try:
        line.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def is_likely(line: bytes) -> bool:
    """Return whether a line is no UTF-8, but words in Windows-1252.

    All of its bytes beyond ASCII are letters of words, or usual signs; none are UTF-8.
    """
    try:
        text = line.decode("cp1252")
    except UnicodeDecodeError:
        return False
    is_other = not line.isascii() and line.decode("utf-8", "ignore").isascii()
    return is_other and bool(_WORDS.fullmatch(text))
