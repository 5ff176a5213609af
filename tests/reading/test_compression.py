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
from ndcg_sql.system.messages import Silent
from support import exploring
from support.commands import Command
from support.files import RUN, packed

END = "Compressed file ended before the end-of-stream marker was reached"
SEED = 20260131
FLIPS, CUTS = 200, 50
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
        with opened(path, Silent()) as source:
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


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    ("data", "warned"),
    exploring.sampled(
        [
            (FRAME, False),
            (BARE, True),
            (packed(RUN[:30].encode()) + packed(RUN[30:].encode()), False),
            (
                packed(RUN[:30].encode()) + packed(RUN[30:].encode(), checksum=False),
                True,
            ),
            (SKIPPED + FRAME, False),
            (FRAME + SKIPPED, False),
            (FRAME + packed(b""), False),
            (b"".join(packed(bytes([byte])) for byte in RUN.encode()), False),
        ],
        3,
    ),
    ids=[
        "a frame",
        "without a checksum",
        "two frames",
        "the second without a checksum",
        "something skippable first",
        "something skippable last",
        "an empty frame last",
        "a frame for each byte",
    ],
)
def test_zstd_is_told_by_its_first_bytes(
    ndcg: Command, data: bytes, warned: bool
) -> None:
    Path("r.txt").write_bytes(data)
    result = ndcg("load", "run", "r.txt")
    *warnings, told = result.err.splitlines()
    assert warnings == [WARNING] * warned
    assert told.startswith('loaded run "r": 2 queries, 4 documents')


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (
            FRAME[:-1],
            "Compressed file ended before the end-of-stream marker was reached",
        ),
        (FRAME + b"more and more", "something else follows the last frame"),
        (FRAME + RUN.encode(), "something else follows the last frame"),
        (FRAME[:-4] + b"\0\0\0\0", "Restored data doesn't match checksum"),
    ],
    ids=["cut", "more", "text behind it", "wrong checksum"],
)
def test_damaged_zstd_is_refused(
    ndcg: Command, loaded: Path, data: bytes, reason: str
) -> None:
    Path("r.zst").write_bytes(data)
    result = ndcg("load", "run", "r.zst")
    assert result.err == (
        f"r.zst: the zstd file is damaged or cut short ({reason});"
        " fetch or compress it again\n"
    )
    assert (result.code, result.out) == (2, "")
    assert {path.name for path in loaded.parent.iterdir()} == {"ndcg.duckdb", "r.zst"}


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    "data",
    [b"", gzipped(b""), packed(b""), SKIPPED],
    ids=["empty", "gzip", "zstd", "something skippable"],
)
def test_nothing_compressed_is_no_rows(ndcg: Command, data: bytes) -> None:
    Path("r").write_bytes(data)
    result = ndcg("load", "run", "r")
    assert result.err.splitlines()[-1] == "r: no rows; is this the right file?"
    assert result.code == 2


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    "name", exploring.sampled(["r.run.zst", "r.CSV.ZSTD", "r.txt.zst"], 3)
)
def test_the_suffix_of_zstd_is_no_part_of_a_name(ndcg: Command, name: str) -> None:
    text = "query_id,doc_id,score\nq1,a,1\n" if "CSV" in name else RUN
    Path(name).write_bytes(packed(text.encode()))
    assert ndcg("load", "run", name).err.startswith('loaded run "r"')


@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (bz2.compress(b"a")[:-1], f"bzip2 file is damaged or cut short ({END})"),
        (
            bz2.compress(RUN.encode()) + b"more",
            "bzip2 file is damaged or cut short (something else follows the last"
            " stream)",
        ),
        (lzma.compress(b"a")[:-1], f"xz file is damaged or cut short ({END})"),
        (
            zipped(RUN.encode())[:-9],
            "zip file is damaged or cut short (File is not a zip file)",
        ),
    ],
    ids=["cut bzip2", "text behind bzip2", "cut xz", "cut zip"],
)
def test_damaged_archives_are_refused(ndcg: Command, data: bytes, reason: str) -> None:
    Path("r").write_bytes(data)
    result = ndcg("load", "run", "r")
    assert result.err == f"r: the {reason}; fetch or compress it again\n"
    assert result.code == 2


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize(
    ("name", "data"),
    exploring.sampled(
        [
            (
                "r.run.bz2",
                bz2.compress(RUN[:30].encode()) + bz2.compress(RUN[30:].encode()),
            ),
            ("r.xz", lzma.compress(RUN.encode()) + bytes(4) + lzma.compress(b"")),
            ("r.txt.zip", zipped(RUN.encode())),
        ],
        3,
    ),
    ids=["bzip2 of two streams", "xz with padding", "zip"],
)
def test_archives_are_told_by_their_first_bytes(
    ndcg: Command, name: str, data: bytes
) -> None:
    Path(name).write_bytes(data)
    told = ndcg("load", "run", name).err
    assert told.startswith('loaded run "r": 2 queries, 4 documents')


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
