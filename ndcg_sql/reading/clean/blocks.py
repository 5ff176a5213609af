"""Blocks of whole queries, cut out of the bytes of a file."""

from collections.abc import Iterable, Iterator

from ndcg_sql.reading.clean.texts import OddError

# The bytes of a block: many enough for numpy, few enough for a processor's cache.
SIZE = 1 << 20
# A query with more bytes is left to the strict reading.
_MOST = 1 << 26


def blocks(
    chunks: Iterable[bytes], separator: bytes, query: int, header_lines: int
) -> Iterator[bytes]:
    """Yield the lines below a header in blocks, each of which ends with a query.

    query is the place of its field, from 0. If lines of a query do not follow each
    other, or do not have that field, blocks end somewhere else, at the end of a line.
    Raises OddError if a query is too large.
    """
    rest = b""
    for piece in _pieces(chunks):
        rest += piece
        while header_lines and b"\n" in rest:
            rest = rest[rest.index(b"\n") + 1 :]
            header_lines -= 1
        cut = 0 if header_lines else _last_query(rest, separator, query)
        if cut:
            yield rest[:cut]
            rest = rest[cut:]
        elif len(rest) > _MOST:
            raise OddError
    if rest:
        yield rest if rest.endswith(b"\n") else rest + b"\n"


def _pieces(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield chunks in pieces that are not too large."""
    for chunk in chunks:
        for start in range(0, len(chunk), SIZE):
            yield chunk[start : start + SIZE]


def _last_query(lines: bytes, separator: bytes, query: int) -> int:
    """Return where the first line of the last query begins, by bisection."""
    high = lines.rfind(b"\n", 0, max(lines.rfind(b"\n"), 0)) + 1
    last = _field(lines, high, separator, query)
    low = 0
    while low < high:
        begin = lines.rfind(b"\n", low, (low + high) // 2) + 1 or low
        if _field(lines, begin, separator, query) == last:
            high = begin
        else:
            low = lines.index(b"\n", begin) + 1
    return high


def _field(lines: bytes, begin: int, separator: bytes, place: int) -> bytes:
    """Return a field of the line that begins somewhere; nothing if it has none."""
    end = lines.find(b"\n", begin)
    fields = lines[begin : end + 1 or None].split(separator, place + 1)
    return fields[place] if place < len(fields) else b""
