"""Compressed files: detected by their first bytes, verified to their last."""

import gzip
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

from isal import igzip, isal_zlib

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.system import progress
from ndcg_sql.system.messages import Messages

if sys.version_info >= (3, 14):
    from compression.zstd import ZstdDecompressor, ZstdError
else:
    from backports.zstd import ZstdDecompressor, ZstdError

# The type stubs declare the class as an instance.
_DAMAGED = cast("type[Exception]", isal_zlib.error)
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
# Frames of the second kind are skippable: readers ignore what is in them.
_FRAME = re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18")
# The fifth byte of a frame describes it; no frame is shorter than this.
_SHORTEST = 5
_HAS_CHECKSUM = 0x04
_END = "Compressed file ended before the end-of-stream marker was reached"
# The bytes that are read from a compressed file at once, and the most that come out.
_PIECE = 1 << 16
CHUNK = 1 << 22


def decompressed(path: Path, shown: str, messages: Messages) -> Iterator[bytes] | None:
    """Return the content of a compressed file in chunks; None for any other file.

    Every checksum and length in the file is verified. Missing or damaged bytes
    raise NdcgSqlError, at the latest after the last chunk.
    """
    with path.open("rb") as file:
        head = file.read(4)
    if head.startswith(_GZIP):
        return _checked("gzip", _gzip(path), shown)
    if _FRAME.match(head):
        return _checked("zstd", _zstd(path, shown, messages), shown)
    return None


def _checked(kind: str, chunks: Iterator[bytes], shown: str) -> Iterator[bytes]:
    """Repeat chunks; raise NdcgSqlError if the file that they come from is damaged."""
    try:
        yield from chunks
    except (EOFError, _DAMAGED, gzip.BadGzipFile, ZstdError) as error:
        reason = str(error).removeprefix("Unable to decompress Zstandard data: ")
        raise NdcgSqlError(
            f"{shown}: the {kind} file is damaged or cut short ({reason});"
            " fetch or compress it again"
        ) from error


def _gzip(path: Path) -> Iterator[bytes]:
    """Decompress every member of a gzip file, checked by its CRC and length."""
    with (
        path.open("rb") as file,
        progress.reading(file),
        igzip.IGzipFile(mode="rb", fileobj=file) as stream,
    ):
        while chunk := stream.read(CHUNK):
            yield chunk


def _zstd(path: Path, shown: str, messages: Messages) -> Iterator[bytes]:
    """Decompress every frame of a zstd file, checked by its checksum if it has one."""
    warned = False
    with path.open("rb") as file, progress.reading(file):
        rest = file.read(_PIECE)
        while rest:
            if len(rest) < _SHORTEST:
                rest += file.read(_PIECE)
            if len(rest) < _SHORTEST:
                raise EOFError(_END)
            if not _FRAME.match(rest):
                raise ZstdError("something else follows the last frame")
            if rest.startswith(_ZSTD) and not rest[4] & _HAS_CHECKSUM and not warned:
                warned = True
                messages.warn(
                    f"{shown}: a zstd frame has no checksum;"
                    " damage to it would go undetected"
                )
            frame = ZstdDecompressor()
            yield from _frame(frame, rest, file)
            rest = frame.unused_data or file.read(_PIECE)


def _frame(frame: ZstdDecompressor, piece: bytes, file: BinaryIO) -> Iterator[bytes]:
    """Decompress one frame that begins with a piece and continues in a file."""
    yield frame.decompress(piece, CHUNK)
    while not frame.eof:
        piece = file.read(_PIECE) if frame.needs_input else b""
        if frame.needs_input and not piece:
            raise EOFError(_END)
        yield frame.decompress(piece, CHUNK)
