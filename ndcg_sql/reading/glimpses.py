"""A large file of which only the beginning was looked at, not every byte.

That is enough to tell how to read it. A command that keeps nothing needs no hash of
its bytes, and whether all of them are text shows when they are read.
"""

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.compression import decompressed
from ndcg_sql.reading.sources import Source, file_chunks, state
from ndcg_sql.system.folders import temporary_folder
from ndcg_sql.system.messages import Collected
from ndcg_sql.system.paths import shown, stream

# Smaller files take no less time if numpy must be imported for them. What is compressed
# is smaller than its content.
LARGE, LARGE_PACKED = 1 << 24, 1 << 22


@dataclass(frozen=True)
class Glimpse:
    """The beginning of a file as a source, and all of its content, to be read once."""

    source: Source
    chunks: Iterator[bytes]
    path: Path
    before: tuple[int, ...]
    warnings: Collected

    def is_sound(self) -> bool:
        """Return whether a file that was read is what it was, without a warning."""
        return state(self.path.stat()) == self.before and not self.warnings.texts


def glimpsed(path: Path, scratch: Path | None, stack: ExitStack) -> Glimpse | None:
    """Return a glimpse of a large text file, whose folder is removed by the stack.

    None if the file must be looked at whole. What is wrong with it, if anything, is
    left to who does so.
    """
    with suppress(OSError, NdcgSqlError):
        return _glimpse(path, scratch, stack)
    return None


def _glimpse(path: Path, scratch: Path | None, stack: ExitStack) -> Glimpse | None:
    if not path.is_file() or stream(path) is not None:
        return None
    before, warnings = state(path.stat()), Collected()
    size = path.stat().st_size
    if size < LARGE_PACKED:
        return None
    unpacked = decompressed(path, shown(path), warnings)
    if not unpacked and size < LARGE:
        return None
    chunks = unpacked or file_chunks(path)
    first = next(chunks, b"")
    # Quotes make rows of several lines; no text has a NUL.
    if b"\0" in first or b'"' in first or not _is_text(first):
        return None
    folder = stack.enter_context(temporary_folder(scratch))
    readable = path
    if unpacked:
        readable = folder / "beginning"
        readable.write_bytes(first[: first.rfind(b"\n") + 1])
    source = Source(
        *(shown(path), folder, path, readable, "", None, 0),
        *(frozenset[bytes](), ()),
    )
    return Glimpse(source, chain([first], chunks), path, before, warnings)


def _is_text(beginning: bytes) -> bool:
    """Return whether the beginning of a file is UTF-8, up to its last line end."""
    try:
        beginning[: beginning.rfind(b"\n") + 1].decode()
    except UnicodeDecodeError:
        return False
    return True
