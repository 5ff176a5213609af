"""Foreign text is shown as it is, unless it could move what stands around it."""

import pytest

from ndcg_sql.text import harmless

# Written out, so that the editor shows them: Persian "I want", a Hindi half letter,
# a family, a flag with a variation selector.
WORDS = (
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u0915\u094d\u200d\u0937",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\U0001f3f3\ufe0f\u200d\U0001f308",
    "\U0001f9d1\U0001f3fd\u200d\U0001f4bb",
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        *((f"a {word} b", f"a {word} b") for word in WORDS),
        ("\u200cword", "\\u200cword"),
        ("word\u200d", "word\\u200d"),
        ("a \u200d b", "a \\u200d b"),
        ("1\u200c2", "1\\u200c2"),
        ("a\u200c\u200cb", "a\\u200c\\u200cb"),
        ("a\u200bb", "a\\u200bb"),
        ("a\u202eb", "a\\u202eb"),
        ("a\u2066b\u2069", "a\\u2066b\\u2069"),
        ("a\u200eb", "a\\u200eb"),
        ("\x1b[31m", "\\x1b[31m"),
    ],
)
def test_whatever_is_no_text_and_not_seen_is_written_out(text: str, shown: str) -> None:
    assert harmless(text) == shown
