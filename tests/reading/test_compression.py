"""Compressed files: whatever is damaged or cut is refused, or read as it was."""

import bz2
import gzip
import io
import lzma
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ndcg_sql.errors import NdcgSqlError
from ndcg_sql.reading.sources import opened
from ndcg_sql.system.messages import Messages
from support import exploring
from support.commands import Command
from support.files import RUN, in_folder, packed

END = "Compressed file ended before the end-of-stream marker was reached"
SEED = 20260131
FLIPS, CUTS = 200, 50
CSV = "query_id,doc_id,score\nq1,b,3\nq1,a,2\nq1,u,1\nq3,a,1\n"
FRAME = packed(RUN.encode())
BARE = packed(RUN.encode(), checksum=False)
SKIPPED = b"\x5a\x2a\x4d\x18\x05\0\0\0hello"
WARNING = (
    "warning: r.txt: a zstd frame has no checksum; damage to it would go undetected"
)

Compress = Callable[[bytes], bytes]


def gzipped(data: bytes) -> bytes:
    """Return a gzip file that does not tell the time."""
    return gzip.compress(data, mtime=0)


def zipped(data: bytes) -> bytes:
    """Return a zip archive with one file, beside what macOS adds."""
    with zipfile.ZipFile(file := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("runs/", b"")
        archive.writestr("runs/r.txt", data)
        archive.writestr("__MACOSX/runs/._r.txt", b"\0")
    return file.getvalue()


compressions = pytest.mark.parametrize(
    "compress",
    [gzipped, packed, bz2.compress, lzma.compress, zipped],
    ids=["gzip", "zstd", "bzip2", "xz", "zip"],
)
streamed = pytest.mark.parametrize(
    "compress",
    [gzipped, packed, bz2.compress, lzma.compress],
    ids=["gzip", "zstd", "bzip2", "xz"],
)


def whole_run() -> bytes:
    """Return a run that takes some blocks to compress."""
    chance = random.Random(SEED)
    return b"".join(
        b"q%d Q0 d%d 1 %d t\n" % (n // 100, n, chance.randrange(1000))
        for n in range(5000)
    )


def flipped(data: bytes, chance: random.Random) -> bytes:
    """Return data with one bit turned over."""
    place = chance.randrange(len(data))
    bit = bytes([data[place] ^ 1 << chance.randrange(8)])
    return data[:place] + bit + data[place + 1 :]


def is_refused(path: Path, data: bytes, whole: bytes) -> bool:
    """Tell whether a file is refused; fail if it is read for what it never was."""
    path.write_bytes(data)
    try:
        with opened(path, Messages()) as source:
            # A load refuses a file with faults.
            assert source.faults or source.readable.read_bytes() == whole
            return bool(source.faults)
    except NdcgSqlError as error:
        told = str(error)
    # With other first bytes, it is no compressed file at all.
    if not told.startswith(f"{path}: a binary file, not text"):
        assert told.startswith(f"{path}: the ")
        assert told.endswith("); fetch or compress it again")
    return True


@pytest.mark.slow
@compressions
def test_no_flipped_bit_gives_other_rows(tmp_path: Path, compress: Compress) -> None:
    whole = whole_run()
    data = compress(whole)
    chance = random.Random(SEED)
    refused = [
        is_refused(tmp_path / "r", flipped(data, chance), whole) for _ in range(FLIPS)
    ]
    # A few bits mean nothing, such as those of the time in gzip.
    assert sum(refused) > 0.97 * FLIPS


@streamed
@pytest.mark.parametrize("step", [9, pytest.param(1, marks=pytest.mark.slow)])
def test_no_bit_of_a_small_file_gives_other_rows(
    tmp_path: Path, compress: Compress, step: int
) -> None:
    whole = RUN.encode()
    data = compress(whole)
    bits = range(0, 8 * len(data), step)
    refused = [
        is_refused(
            tmp_path / "r",
            data[: bit // 8]
            + bytes([data[bit // 8] ^ 1 << bit % 8])
            + data[bit // 8 + 1 :],
            whole,
        )
        for bit in bits
    ]
    assert sum(refused) > 0.85 * len(bits)


@compressions
def test_no_cut_file_is_read(tmp_path: Path, compress: Compress) -> None:
    whole = whole_run()
    data = compress(whole)
    chance = random.Random(SEED)
    for _ in range(CUTS):
        assert is_refused(tmp_path / "r", data[: chance.randrange(1, len(data))], whole)


HALVES = RUN[:30].encode(), RUN[30:].encode()
# Files, what is in them, and whether a checksum that is missing is warned of.
WHOLE = {
    "a frame": ("r.txt", FRAME, False),
    "without a checksum": ("r.txt", BARE, True),
    "two frames": ("r.txt", packed(HALVES[0]) + packed(HALVES[1]), False),
    "the second without a checksum": (
        "r.txt",
        packed(HALVES[0]) + packed(HALVES[1], checksum=False),
        True,
    ),
    "something skippable first": ("r.txt", SKIPPED + FRAME, False),
    "something skippable last": ("r.txt", FRAME + SKIPPED, False),
    "an empty frame last": ("r.txt", FRAME + packed(b""), False),
    "a frame for each byte": (
        "r.txt",
        b"".join(packed(bytes([byte])) for byte in RUN.encode()),
        False,
    ),
    "a suffix of zstd": ("r.run.zst", FRAME, False),
    "two suffixes": ("r.txt.zst", FRAME, False),
    "CSV": ("r.CSV.ZSTD", packed(CSV.encode()), False),
    "bzip2 of two streams": (
        "r.run.bz2",
        bz2.compress(HALVES[0]) + bz2.compress(HALVES[1]),
        False,
    ),
    "xz with padding": (
        "r.xz",
        lzma.compress(RUN.encode()) + bytes(4) + lzma.compress(b""),
        False,
    ),
    "zip": ("r.txt.zip", zipped(RUN.encode()), False),
}


@pytest.mark.parametrize(
    "case", exploring.mostly_slow(WHOLE, "a frame", "without a checksum", "zip")
)
@pytest.mark.usefixtures("here")
def test_files_are_told_by_their_first_bytes(ndcg: Command, case: str) -> None:
    name, data, is_warned = WHOLE[case]
    Path(name).write_bytes(data)
    *warnings, told = ndcg("load", "run", name).err.splitlines()
    assert warnings == [WARNING] * is_warned
    assert told.startswith('loaded run "r": 2 queries, 4 documents')


DAMAGED = [
    (FRAME[:-1], f"zstd file is damaged or cut short ({END})"),
    (FRAME + b"more and more", "zstd file ... (something else follows the last frame)"),
    (FRAME + RUN.encode(), "zstd file ... (something else follows the last frame)"),
    (FRAME[:-4] + b"\0\0\0\0", "zstd file ... (Restored data doesn't match checksum)"),
    (bz2.compress(b"a")[:-1], f"bzip2 file ... ({END})"),
    (
        bz2.compress(RUN.encode()) + b"more",
        "bzip2 file ... (something else follows the last stream)",
    ),
    (lzma.compress(b"a")[:-1], f"xz file ... ({END})"),
    (zipped(RUN.encode())[:-9], "zip file ... (File is not a zip file)"),
]


def test_damaged_files_are_refused(ndcg: Command, loaded: Path) -> None:
    for data, reason in DAMAGED:
        Path("r").write_bytes(data)
        reason = reason.replace("...", "is damaged or cut short")
        told = f"r: the {reason}; fetch or compress it again\n"
        assert ndcg("load", "run", "r").refusal == told
        assert in_folder(loaded.parent) == ["ndcg.duckdb", "r"]
    for data in (b"", gzipped(b""), packed(b""), SKIPPED):
        Path("r").write_bytes(data)
        told = ndcg("load", "run", "r").refusal.splitlines()
        assert told[-1] == "r: no rows; is this the right file?"


@pytest.mark.slow
@compressions
def test_a_bomb_is_refused_before_the_disk_is_full(
    ndcg: Command, loaded: Path, monkeypatch: pytest.MonkeyPatch, compress: Compress
) -> None:
    Path("bomb").write_bytes(compress(b"0" * (64 << 20)))
    room = 20 << 20

    class Usage:
        def __init__(self, folder: Path) -> None:
            self.free = room - sum(f.stat().st_size for f in Path(folder).iterdir())

    monkeypatch.setattr("ndcg_sql.reading.sources.shutil.disk_usage", Usage)
    result = ndcg("load", "run", "bomb")
    assert result.err == (
        f"{loaded.parent}: no space left on the disk for a copy of bomb; make room and"
        " try again\n"
    )
    assert (result.code, result.out) == (2, "")
    assert {path.name for path in loaded.parent.iterdir()} == {"ndcg.duckdb", "bomb"}
