"""Ids that some tool somewhere would change, join or refuse."""

IDS = [
    *("1", "01", "1.0", "+1", "1e0", "0x1", "true", "null", "NULL", "NaN", "None"),
    *("\u00a0", "a\u00a0b", "\u3000", "\u200b", "\u00e9", "e\u0301", "K", "\u212a"),
    *('"', '"a"', 'a"b', "'", "''", "`", "\\", "\\n", "\\N", "a,b", "a;b", ",", "|"),
    *("#a", "%s", "$x", "{}", "[red]", "[/]", "=1+1", "@a", "-", "--", "*", "?", "/"),
    *("\x1b[31m", "\x01", "\x7f", "\u0085", "\u202e", "\u2028", "\ufffd", "\ue000"),
    *("漢字", "👩‍👩‍👧", "\U0010ffff", "x" * 5000),
]
# Ids that only formats with quotes can hold.
SPACED = [" ", "a b", " a", "a ", "a\tb", "a\nb", "a\n", "\n\na", 'a"\n",b']
