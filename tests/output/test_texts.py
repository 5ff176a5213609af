"""Texts for people: p-values are short, and foreign text moves nothing near it."""

import pytest

from ndcg_sql.text import chance, harmless

# Written out, so that the editor shows them: Persian "I want", a Hindi half letter,
# a family, a flag with a variation selector.
WORDS = (
    "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    "\u0915\u094d\u200d\u0937",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\U0001f3f3\ufe0f\u200d\U0001f308",
    "\U0001f9d1\U0001f3fd\u200d\U0001f4bb",
)
SHOWN = {
    **{f"a {word} b": f"a {word} b" for word in WORDS},
    **{"\u200cword": "\\u200cword", "word\u200d": "word\\u200d"},
    **{"a \u200d b": "a \\u200d b", "1\u200c2": "1\\u200c2"},
    **{"a\u200c\u200cb": "a\\u200c\\u200cb", "a\u200bb": "a\\u200bb"},
    **{"a\u202eb": "a\\u202eb", "a\u2066b\u2069": "a\\u2066b\\u2069"},
    **{"a\u200eb": "a\\u200eb", "\x1b[31m": "\\x1b[31m"},
}


@pytest.mark.parametrize("text", SHOWN)
def test_whatever_is_no_text_and_not_seen_is_written_out(text: str) -> None:
    assert harmless(text) == SHOWN[text]


@pytest.mark.parametrize(
    ("p", "limit", "shown"),
    [
        (None, None, ""),
        (0.0312499, None, "0.0312"),
        (0.05, 0.05, "0.0500"),
        (1.26e-06, None, "<0.0001"),
        (1.26e-06, 0.05, "<0.0001"),
        (0.04999, 0.05, "0.04999"),
        (0.050049, 0.05, "0.050049"),
    ],
)
def test_a_p_value_is_short_unless_it_would_seem_to_be_the_limit(
    p: float | None, limit: float | None, shown: str
) -> None:
    assert chance(p, limit) == shown
