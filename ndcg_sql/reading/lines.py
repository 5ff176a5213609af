"""The first line of a file, and lines that are comments."""

import re
from collections.abc import Mapping
from dataclasses import replace

from ndcg_sql.reading.sources import Source, blaming, copying, no_rows
from ndcg_sql.text import number

# What the first line of a file says to Excel, and to nobody else.
_SEPARATOR = re.compile("\ufeff?sep=(.)[\r\n]*", re.IGNORECASE)
# The places of the numbers in a line of TREC's and MS MARCO's files, from 0, by the
# number of its fields. In a list of two fields, there are none.
_NUMBERS: Mapping[int, tuple[int, ...]] = {2: (), 3: (2,), 4: (3,), 6: (3, 4)}
_INFINITE = re.compile("[+-]?(inf|infinity)", re.IGNORECASE)


def is_data(line: str, width: int) -> bool:
    """Return whether a line that begins with # is data, not a comment.

    It is if it has exactly the fields of its format, as many as width, the first one is
    longer than #, and its numbers are numbers.
    """
    line = line.strip(" \t\r\n") if width != 2 else line.rstrip("\r\n")
    fields = re.split("\t" if width == 2 else "[ \t]+", line)
    if len(fields) != width or len(fields[0]) < 2:
        return False
    texts = [fields[place] for place in _NUMBERS[width]]
    return all(number(text) is not None or _INFINITE.fullmatch(text) for text in texts)


def without_comments(source: Source, width: int = 0) -> Source:
    """Return a source in which comments are blank lines, with their number.

    width is the number of the fields of its format; without, every line that begins
    with # is a comment.
    """
    if not source.has_comments:
        return source
    copy, comments = source.folder / "without comments", 0
    with (
        blaming(source.shown, source.folder),
        source.text() as lines,
        copying(copy) as write,
    ):
        for line in lines:
            if line.startswith("#") and not (width and is_data(line, width)):
                comments += 1
                line = "\n"
            write(line.encode())
    return replace(source, readable=copy, has_comments=False, comments=comments)


def first_line(source: Source, comments: bool = True) -> tuple[int, str]:
    """Return the first line that is not blank and states no delimiter, and its number.

    With comments, lines that begin with # are skipped; but if there are no others, the
    first of them that has a form of data is the first line.
    """
    marked = 0, ""
    if source.binary:
        return marked
    with source.text() as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip() or (number == 1 and stated_delimiter(line)):
                continue
            text = line.rstrip("\r\n").removeprefix("\ufeff")
            if not (comments and line.startswith("#")):
                return number, text
            if not marked[0] and any(is_data(text, width) for width in _NUMBERS):
                marked = number, text
    if marked[0] or source.faults:
        return marked
    raise no_rows(source)


def stated_delimiter(line: str) -> str | None:
    """Return the delimiter that a first line states, as sep=; does for Excel."""
    match = _SEPARATOR.fullmatch(line)
    return match[1] if match else None
