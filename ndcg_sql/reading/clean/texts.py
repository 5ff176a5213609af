"""Texts in the bytes of a block, looked at in words of eight bytes."""

from dataclasses import dataclass
from typing import Any

from ndcg_sql.reading.clean.arrays import Bytes, Numbers, Words, np

# Words are looked at before and after what is in a block: as many bytes are zeros.
MARGIN = 64
WORD = 8
# Of a word, its first so many bytes, as numbers begin with their lowest byte.
FIRST = np.array([(1 << (WORD * n)) - 1 for n in range(WORD + 1)], np.uint64)
# An odd number that spreads bits (2^64 divided by the golden ratio).
_SPREADING = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
# Texts that are longer are not looked at here.
_LONGEST = 1 << 10


class OddError(Exception):
    """Something that is left to the strict reading; nothing is known to be wrong."""


def padded(content: bytes) -> Bytes:
    """Return bytes between two margins of zeros."""
    data = np.zeros(MARGIN + len(content) + MARGIN, np.uint8)
    data[MARGIN : MARGIN + len(content)] = np.frombuffer(content, np.uint8)
    return data


def words(data: Bytes, places: Numbers) -> Words:
    """Return the eight bytes at each of some places, as numbers."""
    view: Any = np.ndarray((len(data) - WORD + 1,), np.uint64, data, 0, (1,))
    return view[places]


@dataclass(frozen=True)
class Texts:
    """Texts among bytes with margins: where each begins, and how long it is."""

    data: Bytes
    starts: Numbers
    lengths: Numbers

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, rows: Any) -> "Texts":
        return Texts(self.data, self.starts[rows], self.lengths[rows])

    @property
    def longest(self) -> int:
        """The length of the longest text; raises OddError for one without end."""
        longest = int(self.lengths.max(initial=0))
        if longest > _LONGEST:
            raise OddError
        return longest

    def word(self, number: int) -> Words:
        """Return the n-th word of each text, with zeros after its end."""
        before = WORD * number
        left = np.clip(self.lengths - before, 0, WORD)
        # A text that ended far before has no such word.
        places = np.minimum(self.starts + before, len(self.data) - WORD)
        return words(self.data, places) & FIRST[left]

    def keys(self, seeds: Words | None = None) -> Words:
        """Return a number for each text; seeds, if given, are mixed in.

        Texts with different numbers are different. Those with the same may be, too,
        but that is so unlikely that it only costs time when it happens.
        """
        keys = np.zeros(len(self), np.uint64) if seeds is None else seeds
        keys = _mixed(keys, self.word(0))
        for number in range(1, -(-self.longest // WORD)):
            longer = np.flatnonzero(self.lengths > WORD * number)
            if len(longer) == len(self):
                keys = _mixed(keys, self.word(number))
            else:
                keys[longer] = _mixed(keys[longer], self[longer].word(number))
        return keys

    def equal(self, other: "Texts") -> bool:
        """Return whether each text is that of the same place in another's."""
        if not np.array_equal(self.lengths, other.lengths):
            return False
        return all(
            np.array_equal(self.word(number), other.word(number))
            for number in range(-(-self.longest // WORD))
        )

    def changes(self) -> Numbers:
        """Return where a text differs from the one before; the first one does."""
        if not len(self):
            return np.zeros(0, np.int64)
        differs = np.ones(len(self), bool)
        differs[1:] = self.lengths[1:] != self.lengths[:-1]
        for number in range(-(-self.longest // WORD)):
            word = self.word(number)
            differs[1:] |= word[1:] != word[:-1]
        return np.flatnonzero(differs)

    def descending(self, groups: Numbers) -> Numbers:
        """Return the order by group, then by text in descending order of bytes."""
        # A number orders as its bytes do if the first is the highest. A shorter text
        # goes before a longer one that begins with it, as no text contains NUL.
        columns = [
            ~self.word(number).byteswap() for number in range(-(-self.longest // WORD))
        ]
        return np.lexsort([*reversed(columns), groups])

    def apart(self) -> "Texts":
        """Return the same texts, one after the other, in bytes of their own."""
        ends = np.cumsum(self.lengths)
        moved = np.repeat(self.starts - (ends - self.lengths), self.lengths)
        total = len(moved)
        data = np.zeros(MARGIN + total + MARGIN, np.uint8)
        data[MARGIN : MARGIN + total] = self.data[moved + np.arange(total)]
        return Texts(data, ends - self.lengths + MARGIN, self.lengths)

    def bytes_at(self, row: int) -> bytes:
        """Return one of the texts."""
        start = int(self.starts[row])
        return self.data[start : start + int(self.lengths[row])].tobytes()


def _mixed(numbers: Words, word: Words) -> Words:
    """Return numbers in which every bit depends on those of both."""
    mixed = (numbers ^ word) * _SPREADING
    mixed ^= mixed >> _HALF
    mixed *= _SPREADING
    return mixed ^ (mixed >> _HALF)


def fields(content: bytes, separator: int, columns: int, controls: int) -> list[Texts]:
    """Return the fields of lines, as columns of texts.

    Bytes below controls, a separator and a line end separate; any other than these
    two must not be there. Raises OddError unless every line has as many fields as there
    are columns, and no byte is anything but text in UTF-8.
    """
    data = padded(content)
    within = data[MARGIN:-MARGIN]
    separates = within < controls
    if separator >= controls:
        separates |= within == separator
    places = np.flatnonzero(separates)
    if len(places) % columns:
        raise OddError
    ends = places.reshape(-1, columns) + MARGIN
    rows = len(ends)
    is_line_end = data[ends[:, -1]] == ord("\n")
    counts = [np.count_nonzero(within == byte) for byte in (separator, ord("\n"))]
    # With as many line ends as lines, all of them at the end of one, and as many
    # separators as are left, nothing else separates.
    if counts != [rows * (columns - 1), rows] or not is_line_end.all():
        raise OddError
    try:
        # Text has no byte order mark inside; ASCII needs no look.
        if not content.isascii() and "\ufeff" in content.decode():
            raise OddError
    except UnicodeDecodeError:
        raise OddError from None
    texts: list[Texts] = []
    for column in range(columns):
        end = np.ascontiguousarray(ends[:, column])
        start = np.empty_like(end)
        if column:
            start[:] = ends[:, column - 1]
        else:
            start[0] = MARGIN - 1
            start[1:] = ends[:-1, -1]
        start += 1
        texts.append(Texts(data, start, end - start))
    return texts
