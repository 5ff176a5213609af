"""Text that is not UTF-8, but likely to be Windows-1252, as Excel writes it."""

import re

# Quotes, dashes, signs of currencies and the like, which stand beside words.
_SIGNS = frozenset(
    bytes(
        (
            *(0x80, 0x82, 0x84, 0x85, *range(0x91, 0x98), 0x99, 0xA0, 0xA3, 0xA7, 0xA9),
            *(0xAB, 0xAE, 0xB0, *range(0xB2, 0xB5), 0xB7, *range(0xBB, 0xBF)),
        )
    ).decode("cp1252")
)


def is_likely(line: bytes) -> bool:
    """Return whether a line is no UTF-8, but words in Windows-1252.

    All of its bytes beyond ASCII are letters of words, or usual signs; none are UTF-8.
    """
    try:
        text = line.decode("cp1252")
    except UnicodeDecodeError:
        return False
    if line.isascii() or not line.decode("utf-8", "ignore").isascii():
        return False
    return all(
        sign in _SIGNS or (sign.isalpha() and _is_in_word(text, at))
        for at, sign in enumerate(text)
        if not sign.isascii()
    )


def _is_in_word(text: str, at: int) -> bool:
    """Return whether a letter stands beside an ASCII letter."""
    beside = text[max(at - 1, 0) : at] + text[at + 1 : at + 2]
    return bool(re.search("[A-Za-z]", beside))
